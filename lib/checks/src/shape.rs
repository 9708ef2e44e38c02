//! What the sentences of a prompt make of its answers, and which demands hold for answers of that shape.

use std::collections::HashSet;

use engine::{Constraint, ConstraintKind as Kind, Relation};
use patterns::{Pattern, pattern};

use crate::kinds::{class_of, classes_in};
use crate::statement::{Prompt, Statement, is_conditional, orders_text};

/// Formats that programs read.
const DATA: &[&str] = &["json", "yaml", "xml", "csv"];
/// Formats that are looked for anywhere in the answer.
const ANYWHERE: &[&str] = &["table", "numbered_list", "bullet_list", "code_block"];
/// Classes of what Markdown marks.
const MARKS: &[&str] = &["list", "table", "heading", "markdown"];

/// What the sentences of a prompt make of its answers beside a single text.
#[derive(Default)]
pub struct Shape {
    /// They have parts, or there are several.
    has_parts: bool,
    /// Some are other than the rest: "if there is no answer, say …".
    pub has_exceptions: bool,
    /// Text stands beside what a program reads: "before the JSON, explain".
    has_text: bool,
    /// Fewest words that several parts have together.
    least: u32,
    /// Something stands behind their text, such as a signature.
    is_closed: bool,
    /// They have lists, tables, headings or code.
    is_marked: bool,
    /// A program reads them.
    is_data: bool,
    /// They have several things, each of which a length may be of, or tables or a choice beside a text.
    has_items: bool,
    /// They have paragraphs or sentences that are counted.
    is_prose: bool,
    /// Their language is somebody's: "the language of the user".
    is_translated: bool,
    /// What is named beside what is stated: "add hashtags at the end", though "no hashtags".
    classes: HashSet<&'static str>,
}

impl Shape {
    pub fn of(prompt: &Prompt<'_>, stated: &[Constraint]) -> Self {
        let mut shape = Self {
            is_data: pattern!(r#"\{\s*"[^"\n]{1,60}"\s*:"#).is_match(prompt.text),
            is_translated: pattern!(r"(?i)\b{check_scope.their_language}\b").is_match(prompt.text),
            classes: classes_in(&prompt.blanked),
            ..Self::default()
        };
        let closing = pattern!(r"(?i)\b(?:{check_scope.at_end}|{check_scope.signed})\b");
        let beside = pattern!(r"(?i)\b{check_scope.beside}\b");
        let denial = pattern!(r"(?i)\b{check_scope.denial}\b|{check_scope.denial_anywhere}");
        let least = pattern!(
            r"(?i)(?P<each>\b{check_scope.each}\b.*)?(?:{constraint_number.at_least}|{constraint_number.about}|\()\s*(?P<n>\d{1,5})\s+{constraint_count.words}\b"
        );
        for range in prompt.demands() {
            let sentence = &prompt.text[range.clone()];
            shape.has_parts |= is_of_parts(sentence, prompt.line(range));
            shape.has_exceptions |= is_exception(sentence);
            shape.is_closed |= closing.is_match(sentence);
            shape.has_text |= beside.is_match(sentence) && !denial.is_match(sentence);
            for found in least.captures_iter(sentence) {
                // Nobody says how many there are of "each".
                let each = found.name("each").map(|_| u32::MAX);
                let number = each.or_else(|| found["n"].parse().ok()).unwrap_or_default();
                shape.least = shape.least.saturating_add(number);
            }
        }
        for one in stated {
            shape.is_data |= is_format(one, DATA) || one.kind == Kind::JsonSchema;
            shape.is_marked |= is_anywhere(one);
            shape.has_items |= one.kind == Kind::ItemCount && !is_of_one(one)
                || matches!(one.kind, Kind::TableColumns | Kind::Choice);
            shape.is_prose |= matches!(one.kind, Kind::SentenceCount | Kind::ParagraphCount);
        }
        shape
    }

    /// Whether a demand holds for all answers of this shape.
    pub fn leaves(&self, one: &Constraint, found: &Statement<'_>) -> bool {
        // A word has five letters or so, and a space.
        let letters = if one.kind == Kind::CharacterCount { 6 } else { 1 };
        let upper = one.parameters.count().filter(|count| count.relation == Relation::AtMost);
        let is_total = found.is_total();
        match one.kind {
            Kind::ExcludeWords => {
                let words = one.parameters.texts().iter();
                let classes: HashSet<_> = words.filter_map(|word| class_of(word)).collect();
                classes.is_disjoint(&self.classes)
                    && !(self.is_marked && MARKS.iter().any(|mark| classes.contains(mark)))
            }
            Kind::Format if is_format(one, DATA) => !self.has_exceptions && !self.has_text,
            _ if self.is_data => false,
            Kind::Language => !self.is_translated,
            Kind::Format if is_format(one, &["plain_text"]) => {
                !self.is_marked && !MARKS.iter().any(|mark| self.classes.contains(mark))
            }
            Kind::Format if is_format(one, &["numbered_list", "bullet_list"]) => !self.is_prose,
            Kind::SentenceCount | Kind::ParagraphCount if self.is_closed || self.is_marked => false,
            Kind::WordCount | Kind::CharacterCount | Kind::SentenceCount => {
                let is_single = !self.has_parts && !self.has_items;
                let is_enough = upper.is_none_or(|most| most.number / letters >= self.least);
                is_enough && (upper.is_some() || !self.has_exceptions) && (is_total || is_single)
            }
            _ if self.has_exceptions => false,
            Kind::EndsWith => !self.has_parts && !self.is_closed,
            Kind::ParagraphCount => !self.has_parts && !self.has_items,
            _ => is_free(one) || is_total || !self.has_parts,
        }
    }
}

/// Whether a sentence tells of another answer under a condition: "if there is no name, return NONE".
fn is_exception(sentence: &str) -> bool {
    let answers = pattern!(
        r"(?i)\b(?:{check_scope.answer}|{check_scope.write}|{check_scope.say}|(?-i:[A-Z]{4,}))\b"
    );
    is_conditional(sentence) && answers.is_match(sentence)
}

/// Whether it does not matter where in the answer a demand is fulfilled.
pub fn is_free(one: &Constraint) -> bool {
    matches!(one.kind, Kind::IncludeWords | Kind::ExcludeWords | Kind::TableColumns)
        || is_anywhere(one)
}

/// Whether a sentence gives an answer parts: it is an item or a line that begins with the name of one, has a number behind
/// one ("title 8 words"), says what follows what, or orders several texts.
fn is_of_parts(sentence: &str, line: &str) -> bool {
    let part =
        pattern!(r"(?i)\b(?:{check_scope.piece}\b[^.,;!?\n]{0,30}\b\d|{check_scope.follows}\b)");
    let begins = pattern!(r"(?i)^\W*(?:{check_scope.article}\s+){0,2}{check_scope.piece}\b");
    let is_labelled =
        text::list::is_item(line) || pattern!(r"^[^.!?]{1,40}[:：(（–—]").is_match(sentence);
    let texts = pattern!(r"(?i)\b(?:{check_scope.output}|{check_scope.piece})\b");
    let mut names = texts.find_iter(sentence).map(|name| name.as_str().to_lowercase());
    let first = names.next();
    part.is_match(sentence)
        || is_labelled && begins.is_match(sentence)
        || orders_text(sentence) && names.any(|name| Some(name) != first)
}

/// Whether a constraint demands one of some formats.
fn is_format(constraint: &Constraint, among: &[&str]) -> bool {
    let mut named = constraint.parameters.texts().iter();
    constraint.kind == Kind::Format && named.any(|format| among.contains(&format.as_str()))
}

/// Whether a format may stand anywhere in the answer.
pub fn is_anywhere(constraint: &Constraint) -> bool {
    is_format(constraint, ANYWHERE)
}

/// Whether one thing is counted, or lines.
fn is_of_one(constraint: &Constraint) -> bool {
    constraint.parameters.count().is_some_and(|count| count.number == 1)
        || is_of(constraint, pattern!(r"(?i)^{check_units.lines}$"))
}

/// Whether things that a pattern names are counted.
pub fn is_of(constraint: &Constraint, names: Pattern) -> bool {
    let counted = constraint.parameters.count().and_then(|count| count.of.as_deref());
    counted.is_some_and(|unit| names.is_match(unit))
}
