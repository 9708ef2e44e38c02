//! What feedback asked to go.
//!
//! A writer lists what is gone, each with the words of the feedback that ask for it. Those words are read again here: they
//! must stand in the feedback, and speak of what is gone. What is not listed may only be what the feedback itself names.

use std::cell::{Cell, OnceCell};
use std::ops::Range;

use patterns::{Pattern, pattern, words};
use serde::Deserialize;
use text::{language, literals};

use super::clause::{
    ADDING, Clause, DISMISS, LENGTH, Rows, STYLE, SUBJECTS, Tongues, telling, topics,
};
use super::{contains, quantity, squeezed, stands_alone, values};
use crate::{Change, Constraint, ProtectedKind as Kind, changes};

/// Clauses of a feedback that are told apart.
const MOST_CLAUSES: usize = 50;
/// Losses that are looked at closely.
const MOST_LOSSES: usize = 200;
/// Bytes that go with a variable or a constraint where something else takes its place; more is a passage.
const MOST_AROUND: usize = 12;

/// Clauses that dismiss all literals of a kind.
const DISMISSALS: [(Kind, Pattern); 5] = [
    (Kind::Variable, pattern!(r"(?i){integrity.dismissal}{integrity.variables}\b")),
    (Kind::Code, pattern!(r"(?i){integrity.dismissal}{integrity.code}\b")),
    (Kind::Number, pattern!(r"(?i){integrity.dismissal}{integrity.numbers}\b")),
    (Kind::Quotation, pattern!(r"(?i){integrity.dismissal}{integrity.quotations}\b")),
    (Kind::Url, pattern!(r"(?i){integrity.dismissal}{integrity.addresses}\b")),
];

/// What people call literals of a kind.
const fn nouns(kind: Kind) -> Option<&'static Rows> {
    Some(match kind {
        Kind::Variable => words!("asked.variable"),
        Kind::Code => words!("asked.code"),
        Kind::Number => words!("asked.number"),
        Kind::Quotation => words!("asked.quotation"),
        Kind::Url => words!("asked.url"),
        Kind::Constraint | Kind::Language => return None,
    })
}

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
    taken: &'a str,
}

impl<'a> Asked<'a> {
    /// What a feedback names, its words read as those of `language` if they are too few to tell.
    pub const fn by(feedback: &'a str, language: &'a str) -> Self {
        Self { feedback, language, removed: &[], taken: "" }
    }

    /// And what a writer says that it asks for.
    pub const fn listing(self, removed: &'a [Removed]) -> Self {
        Self { removed, ..self }
    }

    /// And what an operation that the feedback asked for took out, a line for each.
    pub const fn taking(self, taken: &'a str) -> Self {
        Self { taken, ..self }
    }

    /// For the comparison of two prompts.
    pub(super) fn reader<'p>(&'p self, original: &'p str, rewritten: &'p str) -> Reader<'a, 'p> {
        let own = language::detect(self.feedback);
        let own = if own == "und" { self.language } else { own };
        let tongues: Tongues = [own, language::detect(original)]
            .iter()
            .map(|tag| language::primary(tag).to_owned())
            .collect();
        let clauses = clauses(self.feedback);
        let clauses = clauses.into_iter().map(|clause| Clause::of(clause, &tongues)).collect();
        Reader {
            asked: self,
            whole: Some(self.feedback.trim())
                .filter(|feedback| !feedback.is_empty())
                .map(|feedback| Clause::of(feedback, &tongues)),
            clauses,
            tongues,
            original,
            rewritten,
            changes: OnceCell::new(),
            taken: squeezed(self.taken),
            losses: Cell::new(0),
        }
    }
}

/// The clauses of a text.
fn clauses(text: &str) -> Vec<&str> {
    let ends = pattern!(
        r"[.!?;:,](?:\s|$)|\n|[。、，；]|\s(?:and|und|et|y|e|en|i|but|aber|mais|pero|ma|mas)\s"
    );
    let mut found = Vec::new();
    let mut from = 0;
    for end in ends.find_iter(text).take(MOST_CLAUSES) {
        found.push(text[from..end.start()].trim());
        from = end.end();
    }
    found.push(text[from..].trim());
    found.retain(|clause| !clause.is_empty());
    found
}

/// Something of the original that is gone.
pub(super) struct Loss<'a> {
    pub kind: Kind,
    /// As it is shown.
    pub text: &'a str,
    /// Where it stood.
    pub place: Range<usize>,
}

/// Reads a feedback for the comparison of two prompts.
pub(super) struct Reader<'a, 'p> {
    asked: &'p Asked<'a>,
    whole: Option<Clause<'p>>,
    clauses: Vec<Clause<'p>>,
    tongues: Tongues,
    original: &'p str,
    rewritten: &'p str,
    changes: OnceCell<Vec<(Range<usize>, Change)>>,
    taken: String,
    losses: Cell<usize>,
}

impl<'a> Reader<'a, '_> {
    /// The words of the feedback that ask for a literal to go.
    pub fn literal(&self, loss: &Loss<'_>) -> Option<String> {
        if let Some(whole) = self.whole.as_ref().filter(|whole| self.names(whole, loss)) {
            let clause = self.clauses.iter().find(|clause| self.names(clause, loss));
            return Some(clause.unwrap_or(whole).text.to_owned());
        }
        self.taken(loss.text).or_else(|| {
            self.is_read_closely()
                .then(|| self.listed(loss.text, |clause| self.excuses(clause, loss)))?
        })
    }

    /// The words of the feedback that ask for a constraint, or what `changed` of it, to go.
    pub fn constraint(
        &self,
        one: &Constraint,
        place: Range<usize>,
        changed: &[&String],
    ) -> Option<String> {
        let named = |clause: &&Clause<'_>| {
            clause.names(one, &self.tongues) || changed.iter().any(|name| clause.has_all(name))
        };
        if let Some(clause) = self.clauses.iter().chain(&self.whole).find(named) {
            return Some(clause.text.to_owned());
        }
        self.taken(&one.quote).or_else(|| {
            let loss = Loss { kind: Kind::Constraint, text: &one.quote, place };
            let is_style = topics(one.kind).iter().any(|topic| STYLE.contains(topic));
            let excuses = |clause: &Clause<'_>| {
                named(&clause)
                    || is_style && STYLE.iter().any(|style| clause.speaks_of(style, &self.tongues))
                    || self.excuses(clause, &loss)
            };
            self.is_read_closely().then(|| self.listed(&one.quote, excuses))?
        })
    }

    /// The words of the feedback that ask for another language.
    pub fn language(&self, tag: &str) -> Option<String> {
        let mut all = self.clauses.iter().chain(&self.whole);
        let clause = all.find(|clause| super::speech::asks_for(clause.text, tag));
        clause.map(|clause| clause.text.to_owned())
    }

    /// Whether there were not too many losses yet.
    fn is_read_closely(&self) -> bool {
        self.losses.replace(self.losses.get() + 1) < MOST_LOSSES
    }

    /// The feedback, if an operation that it asked for took a text out.
    fn taken(&self, text: &str) -> Option<String> {
        let is_taken = contains(&self.taken, &squeezed(text));
        is_taken.then(|| self.asked.feedback.trim().to_owned())
    }

    /// The reason that the writer gives for the loss of a text, if it excuses that or the passage around it.
    fn listed(&self, text: &str, excuses: impl Fn(&Clause<'_>) -> bool) -> Option<String> {
        let text = plain(text);
        let excused = |entry: &&Removed| {
            let gone = plain(&entry.text);
            let about = !gone.is_empty() && (gone.contains(&text) || text.contains(&gone));
            about
                && (self.is_reason(&entry.because, &excuses)
                    || gone.len() > text.len() + MOST_AROUND && self.is_asked(entry))
        };
        budget::spend(self.asked.removed.len() * text.len());
        let entry = self.asked.removed.iter().find(excused);
        entry.map(|entry| entry.because.trim().to_owned())
    }

    /// Whether words stand in the feedback, and one of their clauses excuses something.
    fn is_reason(&self, because: &str, excuses: &impl Fn(&Clause<'_>) -> bool) -> bool {
        let because = because.trim();
        let stands = !because.is_empty() && contains(&plain(self.asked.feedback), &plain(because));
        let mut parts = clauses(because).into_iter().chain([because]);
        stands && parts.any(|part| excuses(&Clause::of(part, &self.tongues)))
    }

    /// Whether the reason of an entry has to do with the passage that it names: both speak of one subject, or of style.
    fn is_asked(&self, entry: &Removed) -> bool {
        let gone = Clause::of(&entry.text, &self.tongues);
        let both = |clause: &Clause<'_>, rows: &[&Rows]| {
            let speaks =
                |of: &Clause<'_>| rows.iter().any(|rows| of.speaks_of(rows, &self.tongues));
            speaks(&gone) && speaks(clause)
        };
        let start = self.original.find(entry.text.as_str());
        let place = start.map_or(0..0, |start| start..start + entry.text.len());
        let loss = Loss { kind: Kind::Constraint, text: &entry.text, place };
        self.is_reason(&entry.because, &|clause| {
            both(clause, &STYLE)
                || SUBJECTS.iter().any(|subject| both(clause, &[subject]))
                || self.excuses(clause, &loss)
        })
    }

    /// The first entry that names a passage which is gone indeed, for a clause about style or an addition that has nothing
    /// to do with it.
    pub fn unfounded(&self) -> Option<&'a Removed> {
        let gone = |entry: &&Removed| {
            let literals = literals::scan(&entry.text);
            literals.numbers.is_empty()
                && literals.quoted.is_empty()
                && literals.code.is_empty()
                && literals.variables.is_empty()
                && literals.addresses.is_empty()
                && self.original.contains(&entry.text)
                && !self.rewritten.contains(&entry.text)
        };
        let speaks = |clause: &Clause<'_>, rows: &Rows| clause.speaks_of(rows, &self.tongues);
        let beside = |clause: &Clause<'_>| {
            STYLE.iter().any(|style| speaks(clause, style)) || speaks(clause, ADDING)
        };
        let all = self.asked.removed.iter().take(MOST_LOSSES).filter(gone);
        all.into_iter()
            .find(|entry| self.is_reason(&entry.because, &beside) && !self.is_asked(entry))
    }

    /// Whether a clause names a literal itself, or dismisses all of its kind.
    fn names(&self, clause: &Clause<'_>, loss: &Loss<'_>) -> bool {
        let dismisses =
            |(kind, pattern): &(Kind, Pattern)| *kind == loss.kind && pattern.is_match(clause.text);
        let named = match loss.kind {
            Kind::Number => values(loss.text).iter().any(|value| clause.numbers.contains(value)),
            Kind::Variable => {
                clause.variables.contains(loss.text) || stands_alone(clause.text, loss.text)
            }
            Kind::Code | Kind::Quotation | Kind::Url | Kind::Constraint | Kind::Language => {
                let text = squeezed(bare(loss.text));
                !text.is_empty() && contains(&clause.squeezed, &text)
            }
        };
        named || DISMISSALS.iter().any(dismisses)
    }

    /// Whether a clause that a writer gives as the reason speaks of a loss: it names it, its noun, what it measures, the
    /// passage that it stood in, or what takes its place.
    fn excuses(&self, clause: &Clause<'_>, loss: &Loss<'_>) -> bool {
        let Range { start, end } = loss.place;
        let speaks = |rows: &Rows| clause.speaks_of(rows, &self.tongues);
        let telling = |text: &str| telling(text, &self.tongues);
        let adds = speaks(ADDING) && !speaks(DISMISS);
        let noun = || {
            let (before, behind) = quantity::beside(self.original, start, end);
            let near = [before, behind].concat().join(" ");
            let own = if loss.kind == Kind::Variable { loss.text } else { "" };
            let own = if loss.kind == Kind::Constraint { loss.text } else { own };
            let called = nouns(loss.kind).is_some_and(speaks);
            called || clause.shares(&telling(&format!("{near} {own}").replace('_', " ")))
        };
        let measured = || {
            let becomes_number =
                || self.becomes(&loss.place).is_some_and(|change| has_digit(&change.new_text));
            let meant = || quantity::is_meant(self.original, start, end, clause, &self.tongues);
            loss.kind == Kind::Number && (meant() || speaks(LENGTH) && becomes_number())
        };
        let passage = || speaks(DISMISS) && clause.shares(&telling(sentence(self.original, start)));
        self.names(clause, loss)
            || !adds && noun()
            || measured()
            || passage()
            || self.translated(clause, loss.kind)
            || self.is_replaced(clause, loss, adds || STYLE.into_iter().any(speaks))
    }

    /// Whether a clause asks for the language of the new prompt, which says the same in other words.
    fn translated(&self, clause: &Clause<'_>, kind: Kind) -> bool {
        matches!(kind, Kind::Quotation | Kind::Constraint)
            && super::speech::asks_for(clause.text, super::language_of(self.rewritten))
    }

    /// Whether a clause names what stands in the place of a loss now.
    fn is_replaced(&self, clause: &Clause<'_>, loss: &Loss<'_>, adds: bool) -> bool {
        let Some(change) = self.becomes(&loss.place) else { return false };
        let new = change.new_text.as_str();
        let found = literals::scan(new);
        let stands = |ranges: &[Range<usize>]| {
            let texts = ranges.iter().map(|range| bare(&new[range.clone()]));
            texts.into_iter().any(|text| !text.is_empty() && contains(&clause.squeezed, text))
        };
        match loss.kind {
            Kind::Number if has_digit(new) => {
                let (was, is) = (super::values_in(self.original), super::values_in(self.rewritten));
                clause.numbers.iter().any(|value| is.contains(value) && !was.contains(value))
            }
            Kind::Url => stands(&found.addresses),
            Kind::Quotation => stands(&found.quoted),
            Kind::Code => stands(&found.code_text),
            Kind::Variable | Kind::Constraint
                if change.old_text.len() <= loss.place.len() + MOST_AROUND && !adds =>
            {
                let was = telling(&change.old_text, &self.tongues);
                let mut is = telling(new, &self.tongues);
                is.retain(|stem| !was.contains(stem));
                clause.shares(&is)
            }
            _ => false,
        }
    }

    /// What became of a place.
    fn becomes(&self, place: &Range<usize>) -> Option<&Change> {
        let touches = |(range, _): &&(Range<usize>, Change)| {
            range.start < place.end && place.start < range.end
        };
        self.changes().iter().find(touches).map(|(_, change)| change)
    }

    fn changes(&self) -> &[(Range<usize>, Change)] {
        self.changes.get_or_init(|| {
            let mut bytes = text::code_points::ByteOffsets::of(self.original);
            changes::between(self.original, self.rewritten, "")
                .into_iter()
                .map(|change| (bytes.at(change.start)..bytes.at(change.end), change))
                .collect()
        })
    }
}

fn has_digit(text: &str) -> bool {
    text.contains(|c: char| c.is_numeric())
}

/// The sentence or line that a place lies in.
fn sentence(text: &str, at: usize) -> &str {
    const ENDS: [char; 5] = ['\n', '!', '?', '。', ';'];
    let ends = |(index, c): &(usize, char)| {
        ENDS.contains(c) || *c == '.' && text[index + 1..].starts_with([' ', '\n'])
    };
    let start = text[..at].char_indices().rev().find(ends).map_or(0, |(at, c)| at + c.len_utf8());
    let end = text[at..].char_indices().map(|(index, c)| (at + index, c)).find(ends);
    &text[start..end.map_or(text.len(), |(end, _)| end)]
}

/// A text without marks of quotation around it.
fn bare(text: &str) -> &str {
    text.trim_matches(|c: char| "\"'“”„‘’‚«»‹›「」『』《》〈〉`".contains(c)).trim()
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
