//! What a part of a prompt demands.

use std::ops::Range;

use crate::result::ParametersForm as Form;
use crate::{
    ConstraintKind, ConstraintParameters as Parameters, CountParameters, NoParameters,
    TextParameters, ValueParameters, WordsParameters,
};

/// A constraint and where it is stated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// What it bounds.
    pub kind: ConstraintKind,
    /// What it demands of that: a bound, words, a format.
    pub parameters: Parameters,
    /// Byte offset in the text where its statement begins.
    pub start: usize,
    /// Byte offset behind its statement.
    pub end: usize,
}

impl Statement {
    /// A constraint that names `values`, stated in a range of bytes.
    pub fn naming(kind: ConstraintKind, range: Range<usize>, values: Vec<String>) -> Self {
        let first = values.first().cloned();
        let parameters = match kind.form() {
            Form::Words if !values.is_empty() => {
                Parameters::Words(WordsParameters { words: values })
            }
            Form::Text => Parameters::Text(TextParameters { text: first.unwrap_or_default() }),
            Form::Value => Parameters::Value(ValueParameters { value: first }),
            _ => Parameters::None(NoParameters {}),
        };
        Self { kind, parameters, start: range.start, end: range.end }
    }

    /// A constraint with a number, stated in a range of bytes.
    pub fn counting(kind: ConstraintKind, range: Range<usize>, count: CountParameters) -> Self {
        let Range { start, end } = range;
        Self { kind, parameters: Parameters::Count(count), start, end }
    }
}
