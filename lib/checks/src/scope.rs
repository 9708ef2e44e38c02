//! Which demands a program can decide.

use std::ops::Range;

use engine::{Constraint, ConstraintKind as Kind, ConstraintParameters as Parameters};
use patterns::pattern;
use text::{head, tail};

use crate::kinds::{are_words_executable, is_decidable, is_schema, options, separator_signs};

/// Bytes of a prompt around a statement that tell which part of the answer it is about.
const CONTEXT_BYTES: usize = 90;

/// What stands around a statement.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    before: &'a str,
    behind: &'a str,
}

impl<'a> Surroundings<'a> {
    /// Those of what stands in a prompt at a range of bytes.
    pub fn of(prompt: &'a str, statement: Range<usize>) -> Self {
        Self { before: &prompt[..statement.start], behind: &prompt[statement.end..] }
    }
}

/// Whether a program can decide what a constraint demands.
pub fn is_executable(constraint: &Constraint, around: Option<Surroundings<'_>>) -> bool {
    let quote = constraint.quote.as_str();
    match (&constraint.parameters, constraint.kind) {
        (_, Kind::Audience | Kind::Tone) => false,
        (
            _,
            Kind::WordCount
            | Kind::SentenceCount
            | Kind::ParagraphCount
            | Kind::CharacterCount
            | Kind::SectionCount,
        ) => {
            !around.is_some_and(is_about_a_part)
        }
        // The answers to choose from may stand behind the statement.
        (_, Kind::Choice) => around.is_none_or(|around| !options(quote, around.behind).is_empty()),
        (Parameters::Words(list), Kind::ExcludeWords) => are_words_executable(&list.words, quote),
        (Parameters::Text(edge), Kind::StartsWith | Kind::EndsWith) => {
            is_decidable(&edge.text, quote)
        }
        (Parameters::Value(named), Kind::JsonSchema) => {
            named.value.as_deref().is_some_and(is_schema)
        }
        (Parameters::Value(named), Kind::Separator) => named.value.as_deref().is_some_and(|name| {
            separator_signs(name).is_some() || pattern!(r"(?i){check_separators.empty_line}|{check_separators.rule}|{check_separators.line}").is_match(name)
        }),
        _ => true,
    }
}

/// Whether a number is that of each of several parts: "each headline has at most 60 characters".
fn is_about_a_part(around: Surroundings<'_>) -> bool {
    let ends = ['.', '!', '?', '\n', ';', '。', '！', '？', '；'];
    let before = tail(around.before, CONTEXT_BYTES);
    let before = before.rsplit(ends).next().unwrap_or(before);
    let after = head(around.behind, CONTEXT_BYTES);
    let after = after.split(ends).next().unwrap_or(after);
    pattern!(r"(?i)(?:\b{check_scope.each}\b|{check_scope.each_anywhere})").is_match(before)
        || pattern!(r"(?i)^[\s(]*(?:{check_scope.each_behind}\b|{check_scope.each_anywhere})")
            .is_match(after)
}
