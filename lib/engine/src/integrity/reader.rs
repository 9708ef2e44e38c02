//! The losses of a rewritten prompt, held against the feedback.

use std::cell::{Cell, OnceCell};
use std::{collections::HashSet, ops::Range};

use patterns::{Pattern, pattern, words};
use text::literals;

use super::asked::{Asked, Removed, clauses};
use super::clause::{ADDING, Clause, DISMISS, LENGTH, Rows, STYLE, SUBJECTS, telling, topics};
use super::{MARKS, contains, quantity, squeezed, stands_alone, values};
use crate::{Change, Constraint, ProtectedKind as Kind, changes};

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

/// What people call words in a picture or a text that are not to stand there.
const WRITTEN: &Rows = words!("asked.quotation_dismissed");

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

/// Something of the original that is gone.
#[derive(Clone)]
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
    original: &'p str,
    rewritten: &'p str,
    changes: OnceCell<Vec<(Range<usize>, Change)>>,
    taken: String,
    taken_numbers: HashSet<String>,
    losses: Cell<usize>,
}

impl<'a, 'p> Reader<'a, 'p> {
    /// For the comparison of two prompts.
    pub fn of(asked: &'p Asked<'a>, original: &'p str, rewritten: &'p str) -> Self {
        let clauses = clauses(asked.feedback);
        let clauses = clauses.into_iter().map(Clause::of).collect();
        Reader {
            asked,
            whole: Some(asked.feedback.trim())
                .filter(|feedback| !feedback.is_empty())
                .map(Clause::of),
            clauses,
            original,
            rewritten,
            changes: OnceCell::new(),
            taken: squeezed(asked.taken),
            taken_numbers: super::values_in(asked.taken),
            losses: Cell::new(0),
        }
    }

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
            let subjects = topics(one.kind);
            clause.names(one)
                || changed.iter().any(|name| clause.has_all(name))
                || self.asked.is_trusted && subjects.iter().any(|subject| clause.speaks_of(subject))
        };
        if let Some(clause) = self.clauses.iter().chain(&self.whole).find(named) {
            return Some(clause.text.to_owned());
        }
        self.taken(&one.quote).or_else(|| {
            let loss = Loss { kind: Kind::Constraint, text: &one.quote, place };
            let is_style = topics(one.kind).iter().any(|topic| STYLE.contains(topic));
            let excuses = |clause: &Clause<'_>| {
                named(&clause)
                    || topics(one.kind).iter().any(|topic| clause.speaks_of(topic))
                    || is_style && STYLE.iter().any(|style| clause.speaks_of(style))
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
        let is_number = values(text).iter().any(|value| self.taken_numbers.contains(value));
        let is_taken = is_number || contains(&self.taken, &squeezed(text));
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
        stands && parts.any(|part| excuses(&Clause::of(part)))
    }

    /// Whether the reason of an entry has to do with the passage that it names: both speak of one subject, or of style.
    fn is_asked(&self, entry: &Removed) -> bool {
        let gone = Clause::of(&entry.text);
        let both = |clause: &Clause<'_>, rows: &[&Rows]| {
            let speaks = |of: &Clause<'_>| rows.iter().any(|rows| of.speaks_of(rows));
            speaks(&gone) && speaks(clause)
        };
        let start = self.original.find(entry.text.as_str());
        let place = start.map_or(0..0, |start| start..start + entry.text.len());
        let loss = Loss { kind: Kind::Constraint, text: &entry.text, place };
        self.is_reason(&entry.because, &|clause| {
            both(clause, &STYLE)
                || SUBJECTS.iter().any(|subject| both(clause, &[subject]))
                || self.excuses(clause, &loss)
                || self.is_replaced(clause, &Loss { kind: Kind::Variable, ..loss.clone() }, false)
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
        let speaks = |clause: &Clause<'_>, rows: &Rows| clause.speaks_of(rows);
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
            Kind::Quotation if telling(loss.text).is_empty() => {
                let quoted = literals::scan(clause.text).quoted;
                quoted.into_iter().any(|range| bare(&clause.text[range]) == bare(loss.text))
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
        let speaks = |rows: &Rows| clause.speaks_of(rows);
        let adds = speaks(ADDING) && !speaks(DISMISS);
        // A clause about a verb near a literal says nothing of the literal, unless that makes room for something.
        let makes_room = || {
            matches!(loss.kind, Kind::Number | Kind::Constraint)
                || speaks(DISMISS)
                || self.makes_room(loss)
        };
        let noun = || {
            let (before, behind) = quantity::beside(self.original, start, end);
            let near = [before, behind].concat().join(" ");
            let own = if loss.kind == Kind::Number { "" } else { loss.text };
            let called = nouns(loss.kind).is_some_and(speaks);
            called
                || loss.kind == Kind::Quotation && speaks(DISMISS) && speaks(WRITTEN)
                || makes_room()
                    && clause.shares(&telling(&format!("{near} {own}").replace('_', " ")))
                || loss.kind == Kind::Variable && clause.shares(&telling(&own.replace('_', " ")))
        };
        let measured = || {
            let becomes_number =
                || self.becomes(&loss.place).is_some_and(|change| has_digit(&change.new_text));
            let meant = || quantity::is_meant(self.original, start, end, clause);
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
            Kind::Url => self.new_addresses().any(|one| contains(&clause.squeezed, one)),
            Kind::Quotation if stands(&found.quoted) => true,
            Kind::Code if stands(&found.code_text) => true,
            Kind::Constraint => false,
            Kind::Quotation | Kind::Code if !self.makes_room(loss) => false,
            _ if change.old_text.len() <= loss.place.len() + MOST_AROUND
                && new.len() <= loss.place.len() + MOST_AROUND
                && !adds =>
            {
                let was = telling(&change.old_text);
                let mut is = telling(new);
                is.retain(|stem| !was.contains(stem));
                clause.shares(&is)
            }
            _ => false,
        }
    }

    /// Whether something takes the place of a literal, or of a part of it.
    fn makes_room(&self, loss: &Loss<'_>) -> bool {
        let place = &loss.place;
        let Some((range, change)) = self.changes().iter().find(|(range, _)| touches(range, place))
        else {
            return false;
        };
        let found = literals::scan(&change.new_text);
        let inside = place.start <= range.start && range.end <= place.end;
        match loss.kind {
            Kind::Url => self.new_addresses().next().is_some(),
            Kind::Quotation => {
                inside && !change.new_text.trim().is_empty() || !found.quoted.is_empty()
            }
            Kind::Code => inside && !change.new_text.trim().is_empty() || !found.code.is_empty(),
            _ => false,
        }
    }

    /// The addresses of the new prompt that the old one does not have.
    fn new_addresses(&self) -> impl Iterator<Item = &str> {
        let all = literals::addresses(self.rewritten).map(|range| &self.rewritten[range]);
        all.filter(|address| !self.original.contains(address))
    }

    /// What became of a place.
    fn becomes(&self, place: &Range<usize>) -> Option<&Change> {
        let found = self.changes().iter().find(|(range, _)| touches(range, place));
        found.map(|(_, change)| change)
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

fn touches(range: &Range<usize>, place: &Range<usize>) -> bool {
    range.start < place.end && place.start < range.end
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
    text.trim_matches(|c: char| MARKS.contains(c)).trim()
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
