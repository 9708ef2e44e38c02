//! What each kind of check counts or looks for. A file has a family of kinds.

mod choice;
mod counts;
mod edges;
mod emoji;
mod format;
mod judgement;
mod language;
mod letters;
mod markers;
mod number;
mod parsed;
mod repeat;
mod schema;
mod structure;
mod vocabulary;

use engine::{ConstraintKind as Kind, ConstraintParameters as Parameters};

pub use counts::{Unit, unit};
pub use edges::{AROUND, STOPS, is_around, is_decidable, is_literal as is_literal_edge};
pub use engine::constraints::options;
pub use judgement::Judgement;
pub use markers::{is_empty_line, separator_signs};
pub use schema::{Schemas, is_valid as is_schema};
pub use structure::other_names;
pub use vocabulary::{are_literal as are_words_literal, is_executable as are_words_executable};

use crate::{Check, Options, Reason, output::Output};

/// What a check is judged by.
pub struct Case<'a> {
    pub check: &'a Check,
    pub output: &'a Output<'a>,
    pub prompt: Option<&'a str>,
    pub options: Options,
    pub schemas: &'a Schemas,
}

/// Holds an answer against a check.
pub fn judge(case: &Case<'_>) -> Judgement {
    let (check, output) = (case.check, case.output);
    match (&check.parameters, check.kind) {
        (Parameters::Count(count), kind) => match kind {
            Kind::WordCount => counts::words(output, count),
            Kind::SentenceCount => Judgement::places(output.sentences(), count),
            Kind::ParagraphCount => Judgement::places(output.paragraphs(), count),
            Kind::CharacterCount => counts::characters(output, count),
            Kind::ItemCount => counts::items(output, count),
            Kind::SectionCount => counts::sections(output, count, &check.quote),
            Kind::HighlightCount => markers::highlights(output, count),
            Kind::PlaceholderCount => markers::placeholders(output, count),
            Kind::ResponseCount => counts::responses(output, count),
            Kind::WordFrequency => vocabulary::frequency(output, count, case.options),
            Kind::LetterFrequency => letters::frequency(output, count),
            Kind::CapitalWordFrequency => letters::capital_words(output, count),
            Kind::HeadingCount => structure::headings(output, count),
            Kind::NumberRange => number::within(output, count),
            _ => Judgement::undecided(Reason::Unclear),
        },
        (Parameters::Words(list), Kind::IncludeWords) => {
            vocabulary::includes(output, &list.words, case.options)
        }
        (Parameters::Words(list), Kind::ExcludeWords) => {
            vocabulary::excludes(output, &list.words, &check.quote, case.options)
        }
        (Parameters::Words(list), Kind::TableColumns) => structure::columns(output, &list.words),
        (Parameters::Text(edge), Kind::StartsWith) => {
            edges::starts(output, &edge.text, &check.quote)
        }
        (Parameters::Text(edge), Kind::EndsWith) => edges::ends(output, &edge.text, &check.quote),
        (Parameters::Text(edge), Kind::ParagraphStart) => {
            edges::paragraph(output, &edge.text, edge.paragraph)
        }
        (Parameters::Value(named), kind) => {
            let value = named.value.as_deref();
            match (kind, value) {
                (Kind::Title, _) => markers::title(output, value),
                (Kind::Separator, Some(value)) => markers::separator(output, value),
                (Kind::Format, Some(value)) => format::of(output, value),
                (Kind::Postscript, Some(value)) => markers::postscript(output, value),
                (Kind::Language, Some(value)) => language::of(output, value),
                (Kind::JsonSchema, Some(value)) => schema::of(output, value, case.schemas),
                (Kind::CodeLanguage, Some(value)) => structure::code(output, value),
                _ => Judgement::undecided(Reason::NotExecutable),
            }
        }
        (Parameters::None(_), kind) => match kind {
            Kind::Choice => choice::of(output, check, case.prompt),
            Kind::RepeatRequest => repeat::of(output, check, case.prompt),
            Kind::NoCommas => letters::commas(output),
            Kind::QuotationMarks => edges::quoted(output),
            Kind::Lowercase => letters::lowercase(output),
            Kind::Uppercase => letters::uppercase(output),
            _ => Judgement::undecided(Reason::Unclear),
        },
        _ => Judgement::undecided(Reason::Unclear),
    }
}
