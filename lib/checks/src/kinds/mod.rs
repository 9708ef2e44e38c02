//! What each kind of check counts or looks for. A file has a family of kinds.

mod choice;
mod counts;
mod edges;
mod format;
mod judgement;
mod language;
mod letters;
mod number;
mod parsed;
mod schema;
mod structure;
mod vocabulary;

use std::cell::OnceCell;

use engine::{ConstraintKind as Kind, ConstraintParameters as Parameters};

pub use edges::is_question;
pub use judgement::Judgement;
pub use schema::Schema;
pub use vocabulary::{class_of, classes_in, is_quoted, meanings};

use crate::{Check, Reason, output::Output};
use schema::Unusable;

/// A check that answers are held against. What follows from it alone is found when the first answer needs it.
pub struct Demand<'a> {
    check: &'a Check,
    inflections: Option<bool>,
    schema: OnceCell<Result<Schema, Unusable>>,
    meanings: OnceCell<Vec<Option<&'static str>>>,
}

impl<'a> Demand<'a> {
    /// The demand of a check.
    pub const fn of(check: &'a Check, inflections: Option<bool>) -> Self {
        Self { check, inflections, schema: OnceCell::new(), meanings: OnceCell::new() }
    }

    /// Holds an answer against it.
    pub fn judge(&self, output: &Output<'_>) -> Judgement {
        let (check, quote) = (self.check, self.check.quote.as_str());
        if !check.executable {
            let schema = check.parameters.texts().first();
            let schema = schema.filter(|_| check.kind == Kind::JsonSchema);
            return schema::undecided(schema.and_then(|text| self.schema(text).as_ref().err()));
        }
        if output.trimmed().is_empty() {
            // Who says nothing obeys nothing, not even an upper bound.
            return Judgement::of(false, "");
        }
        // A kind reads the whole answer a few times.
        budget::spend(output.text.len());
        match (check.kind, &check.parameters) {
            (kind, Parameters::Count(count)) => match kind {
                Kind::WordCount => Judgement::places(&output.words(), count),
                Kind::SentenceCount => Judgement::places(output.sentences(), count),
                Kind::ParagraphCount => Judgement::places(&output.paragraphs(), count),
                Kind::CharacterCount => counts::characters(output, count),
                Kind::ItemCount => counts::items(output, count),
                Kind::SectionCount => counts::sections(output, count),
                Kind::NumberRange => number::within(output, count),
                _ => Judgement::undecided(Reason::Unclear),
            },
            (Kind::IncludeWords, Parameters::Words(list)) => {
                vocabulary::includes(output, &list.words, self.inflections.unwrap_or(true))
            }
            (Kind::ExcludeWords, Parameters::Words(list)) => {
                let inflects = self.inflections.unwrap_or(false);
                let read = || meanings(&list.words, quote).collect();
                vocabulary::excludes(output, &list.words, self.meanings.get_or_init(read), inflects)
            }
            (Kind::TableColumns, Parameters::Words(list)) => {
                structure::columns(output, &list.words)
            }
            (Kind::Choice, Parameters::Words(list)) => choice::of(output, &list.words),
            (Kind::StartsWith, Parameters::Text(edge)) => edges::starts(output, &edge.text, quote),
            (Kind::EndsWith, Parameters::Text(edge)) => edges::ends(output, &edge.text, quote),
            (Kind::Lowercase, Parameters::None(_)) => letters::lowercase(output),
            (Kind::Uppercase, Parameters::None(_)) => letters::uppercase(output),
            (kind, Parameters::Value(named)) => match (kind, named.value.as_deref()) {
                (Kind::Format, Some(value)) => format::of(output, value),
                (Kind::Language, Some(value)) => language::of(output, value),
                (Kind::JsonSchema, Some(value)) => schema::of(output, self.schema(value)),
                _ => Judgement::undecided(Reason::NotExecutable),
            },
            _ => Judgement::undecided(Reason::Unclear),
        }
    }

    fn schema(&self, text: &str) -> &Result<Schema, Unusable> {
        self.schema.get_or_init(|| Schema::read(text))
    }
}
