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
        if !self.check.executable {
            let unusable = match (&self.check.parameters, self.check.kind) {
                (Parameters::Value(named), Kind::JsonSchema) => {
                    self.schema(named.value.as_deref().unwrap_or_default()).as_ref().err()
                }
                _ => None,
            };
            return schema::undecided(unusable);
        }
        if output.is_empty() {
            // Who says nothing obeys nothing, not even an upper bound.
            return Judgement::of(false, "");
        }
        // A kind reads the whole answer a few times.
        budget::spend(output.text.len());
        let check = self.check;
        match (check.kind, &check.parameters) {
            (Kind::WordCount, Parameters::Count(count)) => {
                Judgement::places(&output.words(), count)
            }
            (Kind::SentenceCount, Parameters::Count(count)) => {
                Judgement::places(output.sentences(), count)
            }
            (Kind::ParagraphCount, Parameters::Count(count)) => {
                Judgement::places(&output.paragraphs(), count)
            }
            (Kind::CharacterCount, Parameters::Count(count)) => counts::characters(output, count),
            (Kind::ItemCount, Parameters::Count(count)) => counts::items(output, count),
            (Kind::SectionCount, Parameters::Count(count)) => counts::sections(output, count),
            (Kind::NumberRange, Parameters::Count(count)) => number::within(output, count),
            (Kind::IncludeWords, Parameters::Words(list)) => {
                vocabulary::includes(output, &list.words, self.inflections.unwrap_or(true))
            }
            (Kind::ExcludeWords, Parameters::Words(list)) => {
                let inflects = self.inflections.unwrap_or(false);
                let read = || meanings(&list.words, &check.quote).collect();
                vocabulary::excludes(output, &list.words, self.meanings.get_or_init(read), inflects)
            }
            (Kind::TableColumns, Parameters::Words(list)) => {
                structure::columns(output, &list.words)
            }
            (Kind::Choice, Parameters::Words(list)) => choice::of(output, &list.words),
            (Kind::StartsWith, Parameters::Text(edge)) => {
                edges::starts(output, &edge.text, &check.quote)
            }
            (Kind::EndsWith, Parameters::Text(edge)) => {
                edges::ends(output, &edge.text, &check.quote)
            }
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
