//! Constraints as results list them.

use super::{extract, statement::Statement};
use crate::result::ParametersForm;
use crate::{
    Constraint, ConstraintParameters as Parameters, CountParameters, NoParameters, Relation,
    TextParameters, ValueParameters, WordsParameters,
};
use ::text::code_points::CodePoints;

/// The constraints of a prompt, in the order of their statements.
pub fn of(prompt: &str) -> Vec<Constraint> {
    list(prompt, &extract(prompt))
}

/// What was extracted from a prompt, as results list it.
pub fn list(prompt: &str, statements: &[Statement]) -> Vec<Constraint> {
    let mut points = CodePoints::of(prompt);
    let listed = statements.iter().enumerate().map(|(number, statement)| {
        let quote = &prompt[statement.start..statement.end];
        let start = points.at(statement.start);
        Constraint {
            id: format!("c{}", number + 1),
            kind: statement.kind,
            parameters: parameters(statement),
            start,
            end: start + quote.chars().count(),
            quote: quote.to_owned(),
        }
    });
    listed.collect()
}

fn parameters(statement: &Statement) -> Parameters {
    let value = statement.values.first().cloned();
    match statement.kind.form() {
        ParametersForm::Words if !statement.values.is_empty() => {
            Parameters::Words(WordsParameters { words: statement.values.clone() })
        }
        ParametersForm::Text => {
            Parameters::Text(TextParameters { text: value.unwrap_or_default() })
        }
        ParametersForm::Value => Parameters::Value(ValueParameters { value }),
        ParametersForm::Words | ParametersForm::None => Parameters::None(NoParameters {}),
        ParametersForm::Count => Parameters::Count(CountParameters {
            // Sections that are marked, without a number of them, are one at least.
            relation: statement.relation.unwrap_or(Relation::AtLeast),
            number: statement.number.unwrap_or(1),
            upper: statement.upper,
            of: value,
        }),
    }
}
