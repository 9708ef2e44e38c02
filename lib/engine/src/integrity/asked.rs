//! What feedback asked to go.
//!
//! A writer lists what is gone, each with the words of the feedback that ask for it. Those words are read again here: they
//! must stand in the feedback, and touch what is gone. What is not listed may only be what the feedback itself names.

use std::cell::{Cell, OnceCell};
use std::collections::HashSet;
use std::ops::Range;

use patterns::{pattern, words};
use serde::Deserialize;
use text::{head, language, tail};

use super::clause::{self, Clause, Rows, has_one, telling};
use super::numbers::{values, values_in};
use super::{bare, contains, squeezed, stands_alone};
use crate::{Constraint, ConstraintKind, ProtectedKind as Kind, changes, result::ParametersForm};

/// Clauses of a feedback that are told apart.
const MOST_CLAUSES: usize = 50;
/// Losses that are held against what a writer lists.
const MOST_LOSSES: usize = 200;
/// Bytes before and behind a number that are read to tell what it measures.
const NEAR: usize = 24;
/// Bytes that go with a literal where something else takes its place; more is a passage.
const MOST_BESIDE: usize = 12;
/// Bytes before and behind a loss that are read of its sentence.
const MOST_AROUND: usize = 600;

/// What takes something out.
const DISMISS: &Rows = words!("asked.dismiss");
const LENGTH: &Rows = words!("asked.length");
const TONE: &Rows = words!("asked.tone");
const FORM: &Rows = words!("asked.form");
const AUDIENCE: &Rows = words!("asked.audience");
const WORDS: &Rows = words!("asked.words");
/// What a passage and a clause may both speak of.
const SUBJECTS: [&Rows; 4] = [TONE, FORM, AUDIENCE, WORDS];

/// What stands beside a number of a kind, and what feedback about such a number has.
const QUANTITIES: [(&Rows, &Rows); 4] = [
    (words!("asked.money_near"), words!("asked.money")),
    (words!("asked.time_near"), words!("asked.time")),
    (words!("asked.length_near"), LENGTH),
    (words!("asked.picture_near"), words!("asked.picture")),
];

/// Something that a writer took out, and why.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Removed {
    /// What stood in the prompt.
    pub text: String,
    /// The words of the feedback that ask for it.
    pub because: String,
}

/// What may be missing in a rewritten prompt.
pub struct Asked<'a> {
    feedback: &'a str,
    language: &'a str,
    removed: &'a [Removed],
    taken: Option<&'a str>,
}

impl<'a> Asked<'a> {
    /// What a feedback names, its words read as those of `language` if they are too few to tell.
    pub const fn by(feedback: &'a str, language: &'a str) -> Self {
        Self { feedback, language, removed: &[], taken: None }
    }

    /// And what a writer says that it asks for.
    pub const fn listing(self, removed: &'a [Removed]) -> Self {
        Self { removed, ..self }
    }

    /// And each constraint whose subject it speaks of, for a writer that follows its clauses and lists nothing but what it
    /// took out, a line for each.
    pub const fn taking(self, taken: &'a str) -> Self {
        Self { taken: Some(taken), ..self }
    }

    /// Reads with the words of the feedback's language and of the original's.
    pub(super) fn read<T>(&self, original: &str, read: impl FnOnce() -> T) -> T {
        let own = language::told(self.feedback).unwrap_or(self.language);
        let other = language::told(original).unwrap_or(own);
        patterns::reading(&[own, other], read)
    }
}

/// Something of the original that is gone.
pub(super) struct Loss<'a> {
    pub kind: Kind,
    /// As it is shown.
    pub text: &'a str,
    /// Where it stood.
    pub place: Range<usize>,
    /// The constraint, and what of it the new prompt has not or has besides.
    pub constraint: Option<(&'a Constraint, Vec<&'a String>)>,
}

impl Loss<'_> {
    /// What feedback about it speaks of.
    fn subjects(&self) -> &'static [&'static Rows] {
        use ConstraintKind as Bound;
        match (self.kind, self.constraint.as_ref().map(|(one, _)| one.kind)) {
            (Kind::Variable, _) => &[words!("asked.variable")],
            (Kind::Code, _) => &[words!("asked.code")],
            (Kind::Number, _) => &[words!("asked.number")],
            (Kind::Quotation, _) => &[words!("asked.quotation")],
            (Kind::Url, _) => &[words!("asked.url")],
            (_, Some(Bound::Audience)) => &[AUDIENCE],
            (_, Some(Bound::Language)) => &[words!("asked.language")],
            (_, Some(Bound::Choice | Bound::NumberRange)) => &[words!("asked.answers")],
            (_, Some(Bound::Tone)) => &[TONE],
            (_, Some(Bound::Format | Bound::JsonSchema | Bound::TableColumns)) => &[FORM],
            (_, Some(Bound::ItemCount | Bound::SectionCount)) => &[LENGTH, FORM],
            (_, Some(bound)) if bound.form() == ParametersForm::Count => &[LENGTH],
            (_, Some(_)) => &[WORDS],
            _ => &[],
        }
    }
}

/// Reads a feedback for the comparison of two prompts.
pub(super) struct Reader<'p> {
    asked: &'p Asked<'p>,
    /// The clauses of the feedback, then the whole of it.
    clauses: Vec<Clause<'p>>,
    /// What a writer lists, with the words for it that stand in the feedback.
    listed: Vec<(String, Clause<'p>)>,
    original: &'p str,
    rewritten: &'p str,
    /// What of the original became what, by its place there.
    pieces: OnceCell<Vec<(Range<usize>, Range<usize>)>>,
    taken: String,
    taken_numbers: HashSet<String>,
    losses: Cell<usize>,
}

impl<'p> Reader<'p> {
    pub fn of(asked: &'p Asked<'p>, original: &'p str, rewritten: &'p str) -> Self {
        let feedback = plain(asked.feedback);
        let stands = |entry: &&Removed| {
            let because = plain(&entry.because);
            !because.is_empty() && feedback.contains(&because)
        };
        let read = |entry: &'p Removed| (plain(&entry.text), Clause::of(entry.because.trim()));
        Self {
            asked,
            clauses: clauses(asked.feedback).into_iter().map(Clause::of).collect(),
            listed: asked.removed.iter().filter(stands).map(read).collect(),
            original,
            rewritten,
            pieces: OnceCell::new(),
            taken: squeezed(asked.taken.unwrap_or_default()),
            taken_numbers: values_in(asked.taken.unwrap_or_default()),
            losses: Cell::new(0),
        }
    }

    /// The words of the feedback that ask for a loss.
    pub fn reason(&self, loss: &Loss<'_>) -> Option<String> {
        let few = self.asked.taken.is_some() && self.losses.get() < MOST_LOSSES;
        let mut clauses = self.clauses.iter();
        let named = clauses.find(|one| self.names(one, loss) || few && dismisses(one, loss));
        let is_taken = || {
            values(loss.text).iter().any(|value| self.taken_numbers.contains(value))
                || contains(&self.taken, &squeezed(loss.text))
        };
        match named {
            Some(clause) => Some(clause.text.to_owned()),
            None if is_taken() => Some(self.asked.feedback.trim().to_owned()),
            None if self.losses.replace(self.losses.get() + 1) < MOST_LOSSES => self.listed(loss),
            None => None,
        }
    }

    /// The words of the feedback that ask for another language.
    pub fn language(&self, tag: &str) -> Option<String> {
        let clause =
            self.clauses.iter().find(|clause| super::speech::asks_for(clause.text, tag))?;
        Some(clause.text.to_owned())
    }

    /// Whether a clause names what is gone.
    fn names(&self, clause: &Clause<'_>, loss: &Loss<'_>) -> bool {
        if let Some((one, changed)) = &loss.constraint {
            return clause.names(one) || changed.iter().any(|name| clause.has_all(name));
        }
        match loss.kind {
            Kind::Number => values(loss.text).iter().any(|value| clause.numbers.contains(value)),
            _ => {
                let text = squeezed(bare(loss.text));
                !text.is_empty() && stands_alone(&clause.squeezed, &text)
            }
        }
    }

    /// The reason that the writer gives for a loss or the passage around it, if the feedback has it and it touches that.
    fn listed(&self, loss: &Loss<'_>) -> Option<String> {
        let text = plain(loss.text);
        budget::spend(self.listed.len() * text.len());
        let excuses = |(gone, clause): &&(String, Clause<'_>)| {
            let is_about = !gone.is_empty() && (gone.contains(&text) || text.contains(gone));
            is_about && (self.names(clause, loss) || self.touches(clause, loss, gone))
        };
        let (_, clause) = self.listed.iter().find(excuses)?;
        Some(clause.text.to_owned())
    }

    /// Whether a clause speaks of a loss, of the passage that went with it, or of what takes its place.
    fn touches(&self, clause: &Clause<'_>, loss: &Loss<'_>, passage: &str) -> bool {
        let speaks = |rows: &Rows| clause.speaks_of(rows);
        let place = &loss.place;
        let new = self.becomes(loss);
        let near = around(self.original, place, NEAR);
        let sentence = || telling(around(self.original, place, MOST_AROUND));
        let alike = || {
            let gone: Vec<String> = clause::words(passage).collect();
            SUBJECTS.iter().any(|rows| has_one(&gone, rows) && speaks(rows))
        };
        let is_exchanged =
            matches!(loss.kind, Kind::Number | Kind::Constraint) || !new.trim().is_empty();
        loss.subjects().iter().any(|rows| speaks(rows))
            || passage.len() > loss.text.len() + MOST_BESIDE && alike()
            || speaks(DISMISS) && clause.shares(&sentence())
            || loss.kind == Kind::Number && measures(clause, near, new)
            || is_exchanged && clause.shares(&telling(near))
            || clause.shares(&telling(new))
    }

    /// What stands in the place of a literal now; nothing where more than that became something else.
    fn becomes(&self, loss: &Loss<'_>) -> &str {
        let pieces = self.pieces.get_or_init(|| changes::pieces(self.original, self.rewritten));
        let is_short = matches!(loss.kind, Kind::Number | Kind::Variable);
        let (place, beside) = (&loss.place, if is_short { MOST_BESIDE } else { 0 });
        let next = pieces.partition_point(|(range, _)| range.end <= place.start);
        let fits = |(range, new): &&(Range<usize>, Range<usize>)| {
            let is_near = range.start < place.end
                && range.start + beside >= place.start
                && range.end <= place.end + beside;
            is_near && loss.constraint.is_none() && new.len() <= place.len() + MOST_BESIDE
        };
        pieces.get(next).filter(fits).map_or("", |(_, new)| &self.rewritten[new.clone()])
    }
}

/// Whether a clause speaks of what a number with these words `near` measures, or says what `new` it becomes.
fn measures(clause: &Clause<'_>, near: &str, new: &str) -> bool {
    let word = pattern!(r"--\p{L}+|\p{L}+(?:['’]\p{L}+)*|[€$£¥₹%:]");
    let near: Vec<String> =
        word.find_iter(near).map(|found| found.as_str().to_lowercase()).collect();
    let mut kinds = QUANTITIES.iter();
    values_in(new).iter().any(|value| clause.numbers.contains(value))
        || new.contains(char::is_numeric) && clause.speaks_of(LENGTH)
        || kinds.any(|(beside, said)| has_one(&near, beside) && clause.speaks_of(said))
}

/// Whether a clause takes out all literals of a kind, or speaks of what a constraint bounds.
fn dismisses(clause: &Clause<'_>, loss: &Loss<'_>) -> bool {
    (loss.kind == Kind::Constraint || clause.speaks_of(DISMISS))
        && loss.subjects().iter().any(|rows| clause.speaks_of(rows))
}

/// The clauses of a text, then the whole of it if there are several.
fn clauses(text: &str) -> Vec<&str> {
    let ends = pattern!(r"[.!?;:,](?:\s|$)|\n|[。、，；]|\s{integrity.conjunction}\s");
    let mut found = Vec::new();
    let mut from = 0;
    for end in ends.find_iter(text).take(MOST_CLAUSES) {
        found.push(text[from..end.start()].trim());
        from = end.end();
    }
    found.extend([text[from..].trim(), text.trim()]);
    found.retain(|clause| !clause.is_empty());
    found.dedup();
    found
}

/// A place with at most so many bytes of its sentence before and behind it.
fn around<'t>(text: &'t str, place: &Range<usize>, most: usize) -> &'t str {
    const ENDS: [char; 7] = ['.', '!', '?', ';', '\n', '。', '；'];
    let before = tail(&text[..place.start], most).rsplit(ENDS).next().unwrap_or_default();
    let behind = head(&text[place.end..], most).split(ENDS).next().unwrap_or_default();
    &text[place.start - before.len()..place.end + behind.len()]
}

/// A text as it is compared with what a model copied: in lower case, with plain marks and spaces.
fn plain(text: &str) -> String {
    let plain: String = squeezed(bare(text))
        .to_lowercase()
        .chars()
        .map(|c| match c {
            '“' | '”' | '„' | '«' | '»' => '"',
            '‘' | '’' | '‚' => '\'',
            '–' | '—' => '-',
            c => c,
        })
        .collect();
    plain.trim_matches(['{', '}', ' ']).to_owned()
}
