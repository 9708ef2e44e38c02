//! What each kind of check counts or looks for. A file has a family of kinds.

mod choice;
mod counts;
mod edges;
mod emoji;
mod emphasis;
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

pub use edges::{is_decidable, is_question};
pub use engine::constraints::options;
pub use judgement::Judgement;
pub use schema::is_valid as is_schema;
pub use vocabulary::{is_executable as are_words_executable, told_apart};

use crate::{Check, Options, Reason, output::Output};
use schema::{Schema, Unusable};
use vocabulary::Wanted;

/// A check that answers are held against. What follows from it and its prompt alone is found when the first answer needs
/// it.
pub struct Demand<'a> {
    check: &'a Check,
    prompt: Option<&'a str>,
    options: Options,
    schema: OnceCell<Result<Schema, Unusable>>,
    words: OnceCell<Wanted>,
    choices: OnceCell<Vec<String>>,
}

impl<'a> Demand<'a> {
    /// The demand of a check, which is from `prompt` if there is one.
    pub const fn of(check: &'a Check, prompt: Option<&'a str>, options: Options) -> Self {
        Self {
            check,
            prompt,
            options,
            schema: OnceCell::new(),
            words: OnceCell::new(),
            choices: OnceCell::new(),
        }
    }

    /// Holds an answer against it.
    pub fn judge(&self, output: &Output<'_>) -> Judgement {
        if !self.check.executable {
            return self.inexecutable();
        }
        if output.is_empty() {
            // Who says nothing obeys nothing, not even an upper bound.
            return Judgement::of(false, "");
        }
        // A kind reads the whole answer a few times.
        budget::spend(output.text.len());
        judge(self, output)
    }

    /// No verdict, with what of a schema no program can decide.
    fn inexecutable(&self) -> Judgement {
        match (&self.check.parameters, self.check.kind) {
            (Parameters::Value(named), Kind::JsonSchema) => {
                match self.schema(named.value.as_deref().unwrap_or_default()) {
                    Err(unusable) => schema::undecided(unusable),
                    Ok(_) => Judgement::undecided(Reason::NotExecutable),
                }
            }
            _ => Judgement::undecided(Reason::NotExecutable),
        }
    }

    fn schema(&self, text: &str) -> &Result<Schema, Unusable> {
        self.schema.get_or_init(|| Schema::read(text))
    }
}

fn judge(demand: &Demand<'_>, output: &Output<'_>) -> Judgement {
    let check = demand.check;
    match (&check.parameters, check.kind) {
        (Parameters::Count(count), kind) => match kind {
            Kind::WordCount => counts::words(output, count),
            Kind::SentenceCount => Judgement::places(output.sentences(), count),
            Kind::ParagraphCount => Judgement::places(output.paragraphs(), count),
            Kind::CharacterCount => counts::characters(output, count),
            Kind::ItemCount => counts::items(output, count),
            Kind::SectionCount => counts::sections(output, count),
            Kind::WordFrequency => vocabulary::frequency(output, count, demand.options),
            Kind::HeadingCount => structure::headings(output, count),
            Kind::NumberRange => number::within(output, count),
            _ => Judgement::undecided(Reason::Unclear),
        },
        (Parameters::Words(list), Kind::IncludeWords) => {
            let required = || Wanted::required(&list.words, demand.options.required);
            vocabulary::includes(output, demand.words.get_or_init(required))
        }
        (Parameters::Words(list), Kind::ExcludeWords) => {
            let inflection = demand.options.forbidden;
            let forbidden = || Wanted::forbidden(&list.words, &check.quote, inflection);
            vocabulary::excludes(output, demand.words.get_or_init(forbidden))
        }
        (Parameters::Words(list), Kind::TableColumns) => structure::columns(output, &list.words),
        (Parameters::Text(edge), Kind::StartsWith) => {
            edges::starts(output, &edge.text, &check.quote)
        }
        (Parameters::Text(edge), Kind::EndsWith) => edges::ends(output, &edge.text, &check.quote),
        (Parameters::Value(named), kind) => {
            let value = named.value.as_deref();
            match (kind, value) {
                (Kind::Format, Some(value)) => format::of(output, value),
                (Kind::Language, Some(value)) => language::of(output, value),
                (Kind::JsonSchema, Some(value)) => schema::of(output, demand.schema(value)),
                (Kind::CodeLanguage, Some(value)) => structure::code(output, value),
                _ => Judgement::undecided(Reason::NotExecutable),
            }
        }
        (Parameters::None(_), kind) => match kind {
            Kind::Choice => {
                let choices = || choice::choices(check, demand.prompt);
                choice::of(output, demand.choices.get_or_init(choices), demand.prompt.is_some())
            }
            Kind::QuotationMarks => edges::quoted(output, &check.quote),
            Kind::Lowercase => letters::lowercase(output),
            Kind::Uppercase => letters::uppercase(output),
            _ => Judgement::undecided(Reason::Unclear),
        },
        _ => Judgement::undecided(Reason::Unclear),
    }
}
