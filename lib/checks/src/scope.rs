//! Which demands are sure to be of every answer as a whole, and which a program can decide.
//!
//! A number has its noun from the constraint that was read. Here it gets its owner, by form alone: its sentence has no
//! condition and no alternative, its clause names nothing but the answer, no other demand bounds the same, and no other
//! sentence gives answers another shape. The rest is in the coverage.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use engine::{Constraint, ConstraintKind as Kind, ConstraintParameters as Parameters};
use patterns::pattern;

use crate::kinds::{Schema, class_of, is_question, is_quoted};
use crate::shape::{Shape, is_anywhere, is_free, is_of};
use crate::statement::{Prompt, Statement, is_conditional, is_neutral, names_a_piece};

/// Marks that open a quotation.
const QUOTES: [char; 8] = ['"', '“', '„', '«', '\'', '‘', '「', '『'];
/// Most words of an answer to choose from.
const MOST_WORDS: usize = 5;
/// Bytes before a schema that introduce it.
const NEAR: usize = 240;

/// Whether a program can decide what a constraint demands.
pub fn is_executable(constraint: &Constraint) -> bool {
    let named = constraint.parameters.texts();
    match constraint.kind {
        Kind::Audience | Kind::Tone => false,
        Kind::Choice => !named.is_empty(),
        Kind::JsonSchema => named.iter().any(|schema| Schema::read(schema).is_ok()),
        Kind::Format => named != ["html"],
        _ => true,
    }
}

/// Whether each of the constraints of a prompt, which are stated at some places, is sure to be demanded of every answer as a
/// whole. Of what is bounded differently elsewhere, nothing is but a total.
pub fn are_sure(prompt: &Prompt<'_>, places: &[Range<usize>], stated: &[Constraint]) -> Vec<bool> {
    let shape = Shape::of(prompt, stated);
    let differing = differing(stated);
    let holds = |(one, place): (&Constraint, &Range<usize>)| {
        if one.kind == Kind::JsonSchema {
            return is_introduced(prompt.text, place.start) && !shape.has_exceptions;
        }
        let clashes = bounded(one).is_some_and(|bounded| differing.contains(&bounded));
        prompt.statement(place.clone()).is_some_and(|found| {
            (found.is_total() || !clashes)
                && shape.leaves(one, &found)
                && found.holds(one, &prompt.text[place.end..])
        })
    };
    stated.iter().zip(places).map(holds).collect()
}

/// What some constraints bound in different ways.
fn differing<'c>(all: &'c [Constraint]) -> HashSet<(Kind, &'c str)> {
    let mut first = HashMap::new();
    let differs = |one: &'c Constraint| {
        let bounded = bounded(one)?;
        (*first.entry(bounded).or_insert(&one.parameters) != &one.parameters).then_some(bounded)
    };
    all.iter().filter_map(differs).collect()
}

/// What a constraint bounds that an answer has once.
fn bounded(constraint: &Constraint) -> Option<(Kind, &str)> {
    let kind = constraint.kind;
    match &constraint.parameters {
        Parameters::Count(count) => Some((kind, count.of.as_deref().unwrap_or_default())),
        Parameters::Words(_) | Parameters::None(_) => None,
        _ if kind == Kind::JsonSchema || is_anywhere(constraint) => None,
        _ => Some((kind, "")),
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

impl Statement<'_> {
    /// Whether a constraint is stated here of every answer, as a whole; `after` is the prompt behind it.
    fn holds(&self, constraint: &Constraint, after: &str) -> bool {
        let kind = constraint.kind;
        let translates = pattern!(r"(?i)\b{constraint_manner.translate}\b");
        // "At most 80 words. Exception: …", "The subject does not count."
        let exempts = pattern!(r"(?i)^[^.\n]{0,60}[.;(]\s*(?:{check_scope.exempting})\b");
        !self.is_conditional()
            && !exempts.is_match(text::head(after, NEAR))
            && !self.is_of_another(constraint)
            && (self.is_of_all() || is_free(constraint))
            && (self.is_own(kind) || kind == Kind::Language && translates.is_match(self.before))
            && match kind {
                Kind::Audience | Kind::Tone => false,
                Kind::IncludeWords | Kind::ExcludeWords => are_words(constraint),
                Kind::Choice => self.is_of_options(constraint.parameters.texts(), after),
                Kind::StartsWith | Kind::EndsWith => {
                    let lead = self.quote.split(QUOTES).next().unwrap_or(self.quote);
                    let mut texts = constraint.parameters.texts().iter();
                    texts.all(|text| is_quoted(text, self.quote) || is_question(text))
                        && (kind == Kind::StartsWith || is_neutral(self.behind))
                        && !names_a_piece(lead)
                }
                Kind::ItemCount => {
                    // Nobody counts pages or e-mails; columns stand beside what names the rows.
                    let uncounted = pattern!(
                        r"(?i)^(?:{check_scope.uncounted}|{check_scope.output}|{constraint_count.answers}|{check_units.columns})$"
                    );
                    // "Three lines of dialogue" may stand in one.
                    let lines = pattern!(r"(?i)^{check_units.lines}$");
                    !is_of(constraint, uncounted)
                        && (is_neutral(self.right) || !is_of(constraint, lines))
                        && is_neutral(self.before)
                        && self.is_among_rules()
                        && !self.heads_a_list()
                }
                Kind::SectionCount | Kind::ParagraphCount => !self.heads_a_list(),
                _ => true,
            }
    }

    /// Whether its sentence, or the line that it stands below, says that it is of something else, of each of several, denied,
    /// one of two, or of a part: "each headline has 60 characters", "no terms in English", "in 3 sentences or a list".
    fn is_of_another(&self, constraint: &Constraint) -> bool {
        let kind = constraint.kind;
        let is_counted = constraint.parameters.count().is_some();
        let alternative =
            pattern!(r"(?i)\b(?:{check_scope.alternative}|{check_scope.not_counting})\b");
        let denial = pattern!(r"(?i)\b{check_scope.denial}\b|{check_scope.denial_anywhere}");
        let each = pattern!(r"(?i)\b{check_scope.each}\b|{check_scope.each_anywhere}");
        // "Per answer" is the whole of each.
        let every_answer = pattern!(r"(?i)\b{check_scope.every_answer}\b");
        let names_each = |place: &str| each.is_match(&every_answer.replace_all(place, |_| " "));
        let may_be_of_each = is_counted && kind != Kind::SectionCount || kind == Kind::Choice;
        let may_choose = matches!(kind, Kind::ExcludeWords | Kind::Choice);
        may_be_of_each
            && [self.before, self.quote, self.behind, self.head].into_iter().any(names_each)
            || !may_choose
                && [self.before, self.behind].into_iter().any(|at| alternative.is_match(at))
            || !is_counted && [self.left, self.head].into_iter().any(|at| denial.is_match(at))
    }

    /// Whether its clause says nothing but that the answer is written, with the label or the bracket that it stands behind,
    /// or its sentence is the only order of the prompt to write something. What has a noun of its own may go on with more of
    /// it, and what is forbidden or rated stands for itself behind an "and".
    fn is_own(&self, kind: Kind) -> bool {
        let is_described = pattern!(r"(?i)^\s*{check_scope.described}\b").is_match(self.behind);
        let goes_on = kind == Kind::ItemCount
            || is_described && matches!(kind, Kind::Format | Kind::TableColumns);
        let mut owner = self.left;
        let and = pattern!(r"(?i)\b{constraint_words.and_or}\b").find_iter(owner).last();
        if let Some(and) = and.filter(|_| matches!(kind, Kind::ExcludeWords | Kind::NumberRange)) {
            owner = &owner[and.end()..];
        }
        let earlier = &self.before[..self.before.len() - owner.len()];
        let is_scoped =
            pattern!(r"(?i)^\W*{check_scope.scoping}\b").is_match(earlier) && !is_neutral(earlier);
        let is_whole =
            is_neutral(owner) && (goes_on || is_neutral(self.right)) || self.is_the_order();
        // "Two, three sentences" are neither.
        let is_vague = owner.trim().is_empty()
            && pattern!(r"(?i){constraint_number.number}\s*[,、]\s*$").is_match(self.before);
        let has_place =
            !matches!(kind, Kind::TableColumns | Kind::IncludeWords | Kind::ExcludeWords);
        let is_part = has_place && (self.is_labelled() || names_a_piece(self.before))
            || names_a_piece(self.head);
        is_whole && !is_scoped && !is_vague && !is_part
    }

    /// Whether it is of the answer as a whole, if its clause says nothing else: it names that, or stands among rules.
    fn is_of_all(&self) -> bool {
        let answer = pattern!(r"(?i)\b{check_scope.answer}\b|{check_scope.answer_anywhere}");
        [self.before, self.quote, self.right].into_iter().any(|place| answer.is_match(place))
            || self.is_among_rules() && !names_a_piece(self.earlier)
    }

    /// Whether it holds sometimes, or is only wished for: its sentence, or the line that it stands below, says so.
    fn is_conditional(&self) -> bool {
        let soft = pattern!(r"(?i)\b{check_scope.soft}\b");
        let limits = |place: &str| is_conditional(place) || soft.is_match(place);
        [self.before, self.behind, self.head].into_iter().any(limits)
    }

    /// "110 words in total"
    pub fn is_total(&self) -> bool {
        let total = pattern!(r"(?i)\b{check_scope.total}\b");
        [self.left, self.quote, self.right].into_iter().any(|place| total.is_match(place))
    }

    /// Whether a list follows its line, which tells itself how many there are: "three sections:".
    fn heads_a_list(&self) -> bool {
        self.line.trim_end().ends_with([':', '：'])
    }

    /// Whether the answers to choose from are given in a few words each, by the statement, in quotation marks or as a list.
    fn is_of_options(&self, all: &[String], after: &str) -> bool {
        let quote = self.quote.to_lowercase();
        let is_said =
            quote.contains(QUOTES) || all.iter().all(|one| quote.contains(&one.to_lowercase()));
        let is_listed = after.trim_start_matches(' ').starts_with([':', '\n']);
        let is_short = |option: &String| {
            option.split_whitespace().count() <= MOST_WORDS && !option.contains([':', '–', '('])
        };
        !all.is_empty() && (is_said || is_listed) && all.iter().all(is_short)
    }
}

/// Whether the words are those that are meant: quoted, or forbidden by the name of a class. What stands in code is none.
fn are_words(constraint: &Constraint) -> bool {
    let quote = constraint.quote.as_str();
    let words = constraint.parameters.texts();
    let names_a_class = |word: &String| class_of(word).is_some();
    !quote.contains('`')
        && (words.first().is_some_and(|word| is_quoted(word, quote))
            || constraint.kind == Kind::ExcludeWords && words.iter().all(names_a_class))
}
