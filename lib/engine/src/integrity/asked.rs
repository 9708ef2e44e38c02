//! What feedback asked to go.
//!
//! A writer lists what is gone, each with the words of the feedback that ask for it. Those words are read again here: they
//! must stand in the feedback, and touch what is gone. What is not listed may only be what the feedback itself names.

use std::cell::{Cell, OnceCell};
use std::collections::HashSet;
use std::ops::Range;

use patterns::{pattern, words};
use serde::Deserialize;
use text::{code_points::ByteOffsets, head, language, tail};

use super::clause::{self, Clause, Rows, has_one, telling};
use super::numbers::{values, values_in};
use super::{bare, contains, squeezed, stands_alone};
use crate::{Constraint, ConstraintKind, ProtectedKind as Kind, changes};

/// Clauses of a feedback that are told apart.
const MOST_CLAUSES: usize = 50;
/// Losses that are held against what a writer lists.
const MOST_LOSSES: usize = 200;
/// Bytes before and behind a number that are read to tell what it measures.
const NEAR: usize = 30;
/// Bytes that go with a literal where something else takes its place; more is a passage.
const MOST_BESIDE: usize = 12;
/// Bytes before and behind a loss that are read of its sentence.
const MOST_AROUND: usize = 600;

/// What takes something out.
const DISMISS: &Rows = words!("asked.dismiss");
/// What people call words in a picture or a text that are not to stand there.
const WRITTEN: &Rows = words!("asked.quotation_dismissed");
const VERSION: &Rows = words!("asked.version");
const LENGTH: &Rows = words!("asked.length");
const TONE: &Rows = words!("asked.tone");
const FORM: &Rows = words!("asked.form");
const AUDIENCE: &Rows = words!("asked.audience");
const LANGUAGE: &Rows = words!("asked.language");
const WORDS: &Rows = words!("asked.words");
const EDGES: &Rows = words!("asked.edges");
const WRITING: &Rows = words!("asked.writing");
const ANSWERS: &Rows = words!("asked.answers");
/// The first of [`SUBJECTS`] are style: what is said of one may change the others.
const STYLE: usize = 3;
/// What a passage and a clause may both speak of.
const SUBJECTS: [&Rows; 9] =
    [LENGTH, TONE, FORM, AUDIENCE, LANGUAGE, WORDS, EDGES, WRITING, ANSWERS];

/// What stands beside a number of a kind, and what feedback about such a number has.
const QUANTITIES: [(&Rows, &Rows); 10] = [
    (words!("asked.money_near"), words!("asked.money")),
    (words!("asked.time_near"), words!("asked.time")),
    (words!("asked.date_near"), words!("asked.date")),
    (words!("asked.duration_near"), words!("asked.duration")),
    (words!("asked.age_near"), words!("asked.age")),
    (words!("asked.length_near"), LENGTH),
    (words!("asked.ratio_near"), words!("asked.ratio")),
    (words!("asked.lens_near"), words!("asked.lens")),
    (words!("asked.percent_near"), words!("asked.percent")),
    (words!("asked.flag_near"), words!("asked.flag")),
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
    taken: &'a str,
    is_trusted: bool,
}

impl<'a> Asked<'a> {
    /// What a feedback names, its words read as those of `language` if they are too few to tell.
    pub const fn by(feedback: &'a str, language: &'a str) -> Self {
        Self { feedback, language, removed: &[], taken: "", is_trusted: false }
    }

    /// And what a writer says that it asks for.
    pub const fn listing(self, removed: &'a [Removed]) -> Self {
        Self { removed, ..self }
    }

    /// And each constraint whose subject it speaks of, for a writer that follows its clauses and lists nothing.
    pub const fn trusting(self) -> Self {
        Self { is_trusted: true, ..self }
    }

    /// And what an operation that the feedback asked for took out, a line for each.
    pub const fn taking(self, taken: &'a str) -> Self {
        Self { taken, ..self }
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
            (_, Some(Bound::Language)) => &[LANGUAGE],
            (_, Some(Bound::IncludeWords | Bound::ExcludeWords)) => &[WORDS],
            (_, Some(Bound::StartsWith | Bound::EndsWith)) => &[EDGES],
            (_, Some(Bound::Lowercase | Bound::Uppercase)) => &[WRITING],
            (_, Some(Bound::Choice | Bound::NumberRange)) => &[ANSWERS],
            (_, Some(Bound::Tone)) => &[TONE],
            (_, Some(Bound::Format | Bound::JsonSchema | Bound::TableColumns)) => &[FORM],
            (_, Some(Bound::ItemCount | Bound::SectionCount)) => &[LENGTH, FORM],
            (_, Some(_)) => &[LENGTH],
            _ => &[],
        }
    }
}

/// Reads a feedback for the comparison of two prompts.
pub(super) struct Reader<'p> {
    asked: &'p Asked<'p>,
    /// The clauses of the feedback, then the whole of it.
    clauses: Vec<Clause<'p>>,
    original: &'p str,
    rewritten: &'p str,
    /// What of the original became what, by its place there.
    changes: OnceCell<Vec<(Range<usize>, String)>>,
    taken: String,
    taken_numbers: HashSet<String>,
    losses: Cell<usize>,
}

impl<'p> Reader<'p> {
    pub fn of(asked: &'p Asked<'p>, original: &'p str, rewritten: &'p str) -> Self {
        Self {
            asked,
            clauses: clauses(asked.feedback).into_iter().map(Clause::of).collect(),
            original,
            rewritten,
            changes: OnceCell::new(),
            taken: squeezed(asked.taken),
            taken_numbers: values_in(asked.taken),
            losses: Cell::new(0),
        }
    }

    /// The words of the feedback that ask for a loss.
    pub fn reason(&self, loss: &Loss<'_>) -> Option<String> {
        let named = self.clauses.iter().find(|clause| {
            self.names(clause, loss) || self.asked.is_trusted && dismisses(clause, loss)
        });
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
            Kind::Variable => stands_alone(clause.text, loss.text),
            _ => {
                let text = squeezed(bare(loss.text));
                !text.is_empty() && stands_alone(&clause.squeezed, &text)
            }
        }
    }

    /// The reason that the writer gives for a loss or the passage around it, if the feedback has it and it touches that.
    fn listed(&self, loss: &Loss<'_>) -> Option<String> {
        let (text, feedback) = (plain(loss.text), plain(self.asked.feedback));
        budget::spend(self.asked.removed.len() * text.len());
        let excuses = |entry: &&Removed| {
            let (gone, because) = (plain(&entry.text), entry.because.trim());
            let is_about = !gone.is_empty() && (gone.contains(&text) || text.contains(&gone));
            let stands = || !because.is_empty() && contains(&feedback, &plain(because));
            is_about
                && stands()
                && clauses(because).into_iter().any(|part| {
                    let clause = Clause::of(part);
                    self.names(&clause, loss) || self.touches(&clause, loss, &entry.text)
                })
        };
        let entry = self.asked.removed.iter().find(excuses)?;
        Some(entry.because.trim().to_owned())
    }

    /// Whether a clause speaks of a loss, of the passage that went with it, or of what takes its place.
    fn touches(&self, clause: &Clause<'_>, loss: &Loss<'_>, passage: &str) -> bool {
        let speaks = |rows: &Rows| clause.speaks_of(rows);
        let place = &loss.place;
        let new = self.becomes(loss);
        let is_loose = matches!(loss.kind, Kind::Number | Kind::Constraint);
        let near = near(self.original, place);
        let around = || telling(sentence(self.original, place.start));
        let alike = || {
            let gone: Vec<String> = clause::words(passage).collect();
            SUBJECTS.iter().any(|rows| has_one(&gone, rows) && speaks(rows))
        };
        let measured = || measures(clause, near, &self.original[place.clone()], new);
        let named = || {
            let exchanged = is_loose || !new.trim().is_empty();
            exchanged && clause.shares(&telling(near)) || clause.shares(&telling(new))
        };
        let (subjects, style) = (loss.subjects(), &SUBJECTS[..STYLE]);
        let is_translated = || {
            matches!(loss.kind, Kind::Quotation | Kind::Constraint)
                && super::speech::asks_for(clause.text, super::language_of(self.rewritten))
        };
        subjects.iter().any(|rows| speaks(rows))
            || subjects.iter().any(|rows| style.contains(rows))
                && style.iter().any(|rows| speaks(rows))
            || passage.len() > loss.text.len() + MOST_BESIDE && alike()
            || speaks(DISMISS)
                && (loss.kind == Kind::Quotation && speaks(WRITTEN) || clause.shares(&around()))
            || loss.kind == Kind::Number && measured()
            || named()
            || is_translated()
    }

    /// What stands in the place of a literal now; nothing where more than that became something else.
    fn becomes(&self, loss: &Loss<'_>) -> &str {
        let changes = self.changes.get_or_init(|| {
            let mut bytes = ByteOffsets::of(self.original);
            changes::between(self.original, self.rewritten, "")
                .into_iter()
                .map(|change| (bytes.at(change.start)..bytes.at(change.end), change.new_text))
                .collect()
        });
        let beside = match loss.kind {
            Kind::Number | Kind::Variable => MOST_BESIDE,
            Kind::Constraint | Kind::Language => return "",
            Kind::Code | Kind::Quotation | Kind::Url => 0,
        };
        let place = &loss.place;
        let touches = |range: &Range<usize>| range.start < place.end && place.start < range.end;
        let change = changes.iter().find(|(range, _)| touches(range));
        let fits = |(range, new): &&(Range<usize>, String)| {
            range.start + beside >= place.start
                && range.end <= place.end + beside
                && new.len() <= place.len() + MOST_BESIDE
        };
        change.filter(fits).map_or("", |(_, new)| new)
    }
}

/// Whether a clause speaks of what a number with these words `near` measures, or says what `new` it becomes.
fn measures(clause: &Clause<'_>, near: &str, number: &str, new: &str) -> bool {
    let word = pattern!(r"--\p{L}+|\p{L}+(?:['’]\p{L}+)*|[€$£¥₹%:]");
    let near: Vec<String> =
        word.find_iter(near).map(|found| found.as_str().to_lowercase()).collect();
    let mut kinds = QUANTITIES.iter();
    values_in(new).iter().any(|value| clause.numbers.contains(value))
        || new.contains(char::is_numeric) && clause.speaks_of(LENGTH)
        || number.contains('.') && clause.speaks_of(VERSION)
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

/// What stands beside a place within its clause, and the place.
fn near<'t>(text: &'t str, place: &Range<usize>) -> &'t str {
    const ENDS: [char; 9] = ['.', '!', '?', ';', '\n', ',', '、', '。', '，'];
    let before = tail(&text[..place.start], NEAR).rsplit(ENDS).next().unwrap_or_default();
    let behind = head(&text[place.end..], NEAR).split(ENDS).next().unwrap_or_default();
    &text[place.start - before.len()..place.end + behind.len()]
}

/// The sentence or line that a place lies in.
fn sentence(text: &str, at: usize) -> &str {
    let ends = pattern!(r"[.!?](?:\s|$)|[\n;。！？]");
    let before = tail(&text[..at], MOST_AROUND);
    let behind = head(&text[at..], MOST_AROUND);
    let start = ends.find_iter(before).last().map_or(0, |end| end.end());
    let end = ends.find(behind).map_or(behind.len(), |end| end.start());
    &text[at - before.len() + start..at + end]
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
