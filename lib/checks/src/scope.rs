//! Which demands are sure to be of every answer as a whole, and which a program can decide.
//!
//! A number has its noun from the constraint that was read. Here it gets its owner, by form alone: its sentence has no
//! condition and no alternative, its clause names nothing but the answer, no other demand bounds the same, and no other
//! sentence gives answers another shape. The rest is in the coverage.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use engine::{Constraint, ConstraintKind as Kind, ConstraintParameters as Parameters, Relation};
use patterns::{Pattern, pattern};

use crate::kinds::{are_words_executable, is_decidable, is_question, is_schema};
use crate::statement::{Prompt, Statement, is_conditional, names_a_piece, orders_text};

/// Fewest words that are no things which are asked for.
const FEW: u32 = 30;
/// Marks that open a quotation.
const QUOTES: [char; 8] = ['"', '“', '„', '«', '\'', '‘', '「', '『'];
/// Formats that are looked for anywhere in the answer.
const ANYWHERE: [&str; 4] = ["table", "numbered_list", "bullet_list", "code_block"];
/// Most words of an answer to choose from.
const MOST_WORDS: usize = 5;
/// Bytes before a schema that introduce it, and of a list of words that are looked at.
const NEAR: usize = 240;

/// Whether a program can decide what a constraint demands.
pub fn is_executable(constraint: &Constraint) -> bool {
    let quote = constraint.quote.as_str();
    match (&constraint.parameters, constraint.kind) {
        (_, Kind::Audience | Kind::Tone) | (Parameters::None(_), Kind::Choice) => false,
        (Parameters::Words(list), Kind::ExcludeWords) => are_words_executable(&list.words, quote),
        (Parameters::Text(edge), Kind::StartsWith | Kind::EndsWith) => {
            is_decidable(&edge.text, quote)
        }
        (Parameters::Value(named), Kind::JsonSchema) => {
            named.value.as_deref().is_some_and(is_schema)
        }
        _ => true,
    }
}

/// Whether each of the constraints of a prompt, whose statements begin at some bytes, is sure to be demanded of every
/// answer as a whole. Of several that bound the same differently, none is.
pub fn are_sure(text: &str, stated: &[(usize, Constraint)]) -> Vec<bool> {
    let places: Vec<Range<usize>> =
        stated.iter().map(|(start, one)| *start..start + one.quote.len()).collect();
    let prompt = Prompt::of(text, &places);
    let shape = Shape::of(&prompt, stated);
    let holds = |(place, (_, one)): (&Range<usize>, &(usize, Constraint))| {
        if one.kind == Kind::JsonSchema {
            return is_introduced(text, place.start) && !shape.has_exceptions;
        }
        prompt.statement(place.clone()).is_some_and(|found| {
            shape.leaves(one, found.is_total()) && found.holds(one, &text[place.end..])
        })
    };
    let mut sure: Vec<bool> = places.iter().zip(stated).map(holds).collect();
    // The first demand that bounds something, and whether another one does so differently.
    let mut bounds: BTreeMap<_, (&Parameters, bool)> = BTreeMap::new();
    for ((_, one), _) in stated.iter().zip(&sure).filter(|(_, is_sure)| **is_sure) {
        if let Some(bounded) = bounded(one) {
            let first = bounds.entry(bounded).or_insert((&one.parameters, false));
            first.1 |= *first.0 != one.parameters;
        }
    }
    for ((_, one), is_sure) in stated.iter().zip(&mut sure) {
        let differs = bounded(one).and_then(|bounded| bounds.get(&bounded));
        *is_sure &= !differs.is_some_and(|(_, differ)| *differ);
    }
    sure
}

/// What a constraint bounds that an answer has once.
fn bounded(constraint: &Constraint) -> Option<(Kind, &str)> {
    let kind = constraint.kind;
    match &constraint.parameters {
        Parameters::Count(count) => Some((kind, count.of.as_deref().unwrap_or_default())),
        Parameters::Value(_) if kind != Kind::JsonSchema && !is_anywhere(constraint) => {
            Some((kind, ""))
        }
        Parameters::Text(_) => Some((kind, "")),
        _ => None,
    }
}

/// Whether a schema is said to be that of the answer.
fn is_introduced(text: &str, start: usize) -> bool {
    let before = text::tail(&text[..start], NEAR).trim_end().trim_end_matches("```json").trim_end();
    let line = before.rsplit('\n').next().unwrap_or(before);
    pattern!(r"(?i)\b(?:{check_scope.answer}|{check_scope.write}|{constraint_format.asking})\b")
        .is_match(line)
        && !pattern!(r"(?i)\b{check_scope.input}\b").is_match(line)
        && !is_conditional(line)
}

/// What the sentences of a prompt make of its answers beside a single text.
#[derive(Default)]
struct Shape {
    /// They have parts, or there are several.
    has_parts: bool,
    /// Some are other than the rest: "if there is no answer, say …".
    has_exceptions: bool,
    /// Something stands behind their text, such as a signature.
    is_closed: bool,
    /// They have lists, tables, headings or code.
    is_marked: bool,
    /// A program reads them.
    is_data: bool,
    /// They have tables, code, or one of given answers beside a text.
    is_mixed: bool,
    /// The kinds that are bounded in another way under a condition.
    conditional: HashSet<Kind>,
}

impl Shape {
    fn of(prompt: &Prompt<'_>, stated: &[(usize, Constraint)]) -> Self {
        let mut shape = Self::default();
        for range in prompt.demands() {
            let sentence = &prompt.text[range.clone()];
            shape.has_parts |= is_of_parts(sentence, prompt.line(range));
            shape.has_exceptions |= is_conditional(sentence)
                && pattern!(
                    r"(?i)\b(?:{check_scope.answer}|{check_scope.write}|{check_scope.say}|(?-i:[A-Z]{4,}))\b"
                )
                .is_match(sentence)
                && !holds_data(sentence);
            shape.is_closed |= pattern!(r"(?i)\b{check_scope.at_end}\b").is_match(sentence)
                || orders_text(sentence)
                    && pattern!(r"(?i)\b{check_scope.signed}\b").is_match(sentence);
        }
        shape.is_data = pattern!(r#"\{\s*"[^"\n]{1,60}"\s*:"#).is_match(prompt.text);
        let texts = pattern!(
            r"(?i)^(?:{check_scope.output}|{check_scope.piece}|{constraint_count.answers})$"
        );
        for (start, one) in stated {
            let found = prompt.statement(*start..start + one.quote.len());
            shape.conditional.extend(found.filter(Statement::is_conditional).map(|_| one.kind));
            shape.is_data |= is_data(one) || one.kind == Kind::JsonSchema;
            shape.is_marked |= is_anywhere(one);
            // Each of several texts may be what a length is of.
            shape.has_parts |= counts(one, texts, 2);
            shape.is_mixed |= matches!(one.kind, Kind::TableColumns | Kind::Choice)
                || matches!(format_of(one), Some("table" | "code_block"));
        }
        shape
    }

    /// Whether a demand holds for all answers of this shape.
    fn leaves(&self, one: &Constraint, is_total: bool) -> bool {
        let is_upper = matches!(&one.parameters, Parameters::Count(count) if count.relation == Relation::AtMost);
        match one.kind {
            kind if !is_free(one) && self.conditional.contains(&kind) => false,
            Kind::ExcludeWords => !(self.is_marked && is_of_marks(one)),
            Kind::Format if is_data(one) => !self.has_exceptions,
            _ if self.is_data => one.kind == Kind::IncludeWords && !self.has_exceptions,
            Kind::Language => true,
            Kind::Format if format_of(one) == Some("plain_text") => !self.is_marked,
            Kind::SentenceCount | Kind::ParagraphCount if self.is_closed => false,
            Kind::WordCount | Kind::CharacterCount | Kind::SentenceCount => {
                (is_upper || !self.has_exceptions)
                    && (is_total || !self.has_parts && !self.is_mixed)
            }
            _ if self.has_exceptions => false,
            Kind::EndsWith => !self.has_parts && !self.is_closed,
            Kind::ParagraphCount => !self.has_parts && !self.is_mixed,
            Kind::Lowercase | Kind::Uppercase => is_total || !self.has_parts,
            _ => is_free(one) || !self.has_parts,
        }
    }
}

/// Whether a sentence has data that an exception may be in, beside variables, or a name of its fields.
fn holds_data(sentence: &str) -> bool {
    let variable = pattern!(r"\{\{[^{}\n]*\}\}|\{[\w ]*\}");
    let answers = pattern!(r"(?i)\b{check_scope.answer}\b").is_match(sentence);
    let bare = variable.replace_all(sentence, " ");
    bare.contains(['{', '[']) || !answers && bare.contains('`')
}

/// Whether it does not matter where in the answer a demand is fulfilled.
fn is_free(one: &Constraint) -> bool {
    matches!(one.kind, Kind::IncludeWords | Kind::ExcludeWords | Kind::TableColumns)
        || is_anywhere(one)
}

/// Whether a sentence gives an answer parts: it is an item or a line that begins with the name of one, has a number behind
/// one ("title 8 words"), says what follows what, or orders several texts.
fn is_of_parts(sentence: &str, line: &str) -> bool {
    let begins = pattern!(r"(?i)^\W*(?:{check_scope.article}\s+){0,2}{check_scope.piece}\b");
    let is_labelled =
        text::list::is_item(line) || pattern!(r"^[^.!?]{1,40}[:：(（–—]").is_match(sentence);
    let texts = pattern!(r"(?i)\b(?:{check_scope.output}|{check_scope.piece})\b");
    let names: HashSet<String> =
        texts.find_iter(sentence).map(|name| name.as_str().to_lowercase()).collect();
    is_labelled && begins.is_match(sentence)
        || orders_text(sentence) && names.len() > 1
        || pattern!(r"(?i)\b{check_scope.piece}\b[^.,;!?\n]{0,30}\b\d").is_match(sentence)
        || pattern!(r"(?i)\b{check_scope.follows}\b").is_match(sentence)
            && !pattern!(r"(?i)^\W*{check_scope.condition}\b").is_match(sentence)
}

impl Statement<'_> {
    /// Whether the answers to choose from are given in a few words each, by the statement, in quotation marks or as a list.
    fn is_of_options(&self, all: &[String], after: &str) -> bool {
        let quote = self.quote.to_lowercase();
        let is_said =
            quote.contains(QUOTES) || all.iter().all(|one| quote.contains(&one.to_lowercase()));
        let is_listed = after.trim_start_matches([':', ' ']).starts_with('\n');
        let is_short = |option: &String| {
            option.split_whitespace().count() <= MOST_WORDS && !option.contains([':', '–', '('])
        };
        (is_said || is_listed || after.starts_with(':')) && all.iter().all(is_short)
    }

    /// Whether a constraint is stated here of every answer, as a whole; `after` is the prompt behind it.
    fn holds(&self, constraint: &Constraint, after: &str) -> bool {
        let kind = constraint.kind;
        let is_counted = matches!(constraint.parameters, Parameters::Count(_));
        let may_choose = matches!(kind, Kind::ExcludeWords | Kind::Choice);
        let is_other = self.quote.contains('\n')
            || self.is_conditional()
            || !may_choose && self.has_alternative()
            || !is_counted && self.is_denied()
            || (is_counted && kind != Kind::SectionCount || kind == Kind::Choice)
                && self.is_of_each();
        !is_other
            && (self.is_of_all() || is_free(constraint) || kind == Kind::Language)
            && (self.is_own(kind) || kind == Kind::Language && self.translates())
            && match kind {
                Kind::Audience | Kind::Tone => false,
                Kind::IncludeWords | Kind::ExcludeWords => {
                    are_words(constraint) || is_bare_list(constraint, after)
                }
                Kind::Language => !self.is_spoken_of(),
                Kind::Choice => {
                    matches!(&constraint.parameters, Parameters::Words(all) if self.is_of_options(&all.words, after))
                }
                Kind::StartsWith | Kind::EndsWith => {
                    let lead = self.quote.split(QUOTES).next().unwrap_or(self.quote);
                    let is_open = matches!(&constraint.parameters, Parameters::Text(edge) if is_question(&edge.text));
                    (self.quote.contains(QUOTES) || is_open)
                        && (kind == Kind::StartsWith || self.is_last())
                        && !names_a_piece(lead)
                }
                // "Name 10 words" asks for things.
                Kind::WordCount => {
                    !self.asks_for()
                        || !matches!(&constraint.parameters, Parameters::Count(count) if count.number < FEW)
                }
                Kind::ItemCount => {
                    // Nobody counts pages; columns stand beside what names the rows.
                    let uncounted =
                        pattern!(r"(?i)^(?:{check_scope.uncounted}|{check_units.columns})$");
                    !counts(constraint, uncounted, 0) && self.is_first() && self.is_among_rules()
                }
                _ => true,
            }
    }
}

/// The format that a constraint demands.
fn format_of(constraint: &Constraint) -> Option<&str> {
    match &constraint.parameters {
        Parameters::Value(named) if constraint.kind == Kind::Format => named.value.as_deref(),
        _ => None,
    }
}

/// Whether a format may stand anywhere in the answer.
fn is_anywhere(constraint: &Constraint) -> bool {
    format_of(constraint).is_some_and(|format| ANYWHERE.contains(&format))
}

/// Whether a format is one of data.
fn is_data(constraint: &Constraint) -> bool {
    matches!(format_of(constraint), Some("json" | "yaml" | "xml" | "csv"))
}

/// Whether the words are those that are meant: quoted, or forbidden by the name of a class. What stands in code is none.
fn are_words(constraint: &Constraint) -> bool {
    let quote = constraint.quote.as_str();
    let words = pattern!(r"(?i)\b{constraint_words.words_avoided}\b").is_match(quote);
    let is_class = constraint.kind == Kind::ExcludeWords && !words;
    !quote.contains('`') && (quote.contains(QUOTES) || is_class)
}

/// Whether words without quotation marks are those that are meant: "the words" are several, and nothing follows their list.
fn is_bare_list(constraint: &Constraint, after: &str) -> bool {
    let Parameters::Words(list) = &constraint.parameters else { return false };
    let named = pattern!(r"(?i)\b{constraint_words.words_avoided}\b").is_match(&constraint.quote);
    let rest = text::head(after, NEAR).split(['.', '\n', ';']).next().unwrap_or_default();
    let joint = pattern!(r"(?i)\b(?:{constraint_words.and_or}|{constraint_words.or_else})\b|[\s,]");
    let bare = |text: &str| joint.replace_all(text, "").into_owned();
    named && list.words.len() > 1 && bare(rest) == bare(&list.words[1..].concat())
}

/// Whether lists, tables, headings or all marks are forbidden.
fn is_of_marks(constraint: &Constraint) -> bool {
    let class = pattern!(
        r"(?i)\b(?:{check_classes.list}|{check_classes.table}|{check_classes.heading}|markdown)\b"
    );
    class.is_match(&constraint.quote)
}

/// Whether things that a pattern names are counted, so many at least.
fn counts(constraint: &Constraint, names: Pattern, least: u32) -> bool {
    matches!(&constraint.parameters, Parameters::Count(count)
        if count.number >= least && count.of.as_deref().is_some_and(|unit| names.is_match(unit)))
}
