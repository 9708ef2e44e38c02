//! From an expression to the program that matches it.

use regex_syntax::hir::{Capture, Class as Parsed, Hir, HirKind, Look, Repetition};

use crate::class::{ANYTHING, Class, EMPTY, buckets_at, buckets_of, lower};

/// What an instruction does.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    Match,
    Character(char),
    /// A letter in either case; this is the small one.
    Letter(char),
    /// A character of the class with this number.
    Class(u32),
    Jump(u32),
    /// Goes on behind itself, or else at this place.
    Split(u32),
    /// Goes on at one of the places of the choice with this number.
    Either(u32),
    /// Notes where a group begins or ends.
    Save(u32),
    Place(Look),
}

/// The places where alternatives begin, each behind the buckets of its first byte.
pub type Choice = Vec<(u64, u32)>;

/// A compiled expression.
#[derive(Debug, Default)]
pub struct Program {
    pub steps: Vec<Step>,
    pub classes: Vec<&'static Class>,
    pub choices: Vec<Choice>,
    /// The names of the groups behind the first, which is the match.
    names: Vec<Option<Box<str>>>,
    /// Whether a match can begin at the beginning of the text only.
    pub is_anchored: bool,
    /// The buckets of the first byte of a match; none where nothing can match.
    pub first: u64,
    /// Whether case does not matter, as far as the parser does not see to that.
    folds: bool,
}

/// A place that is not known yet.
const OPEN: u32 = u32::MAX;

impl Program {
    /// The program of an expression.
    ///
    /// # Errors
    ///
    /// Says what is wrong with the expression.
    pub fn of(source: &str) -> Result<Self, String> {
        let unflagged = without_case(source);
        let text = unflagged.as_deref().unwrap_or(source);
        let hir = regex_syntax::parse(text).map_err(|error| format!("{error}: {source}"))?;
        let mut program = Self {
            is_anchored: hir.properties().look_set_prefix().contains(Look::Start),
            folds: unflagged.is_some(),
            ..Self::default()
        };
        program.first = or_anything(program.add(&hir)?);
        program.push(Step::Match);
        program.steps.shrink_to_fit();
        Ok(program)
    }

    /// Number of groups, the whole match included.
    pub fn groups(&self) -> usize {
        self.names.len() + 1
    }

    /// The number of the group with a name.
    pub fn group(&self, name: &str) -> Option<usize> {
        Some(self.names.iter().position(|own| own.as_deref() == Some(name))? + 1)
    }

    /// Whether a match can begin at a place.
    #[inline]
    pub fn may_begin(&self, text: &str, at: usize) -> bool {
        self.first & buckets_at(text, at) != 0
    }

    fn here(&self) -> u32 {
        self.steps.len() as u32
    }

    fn push(&mut self, step: Step) -> usize {
        self.steps.push(step);
        self.steps.len() - 1
    }

    /// Lets the jump or split at `place` lead here.
    fn land(&mut self, place: usize) {
        let here = self.here();
        if let Step::Jump(to) | Step::Split(to) = &mut self.steps[place] {
            *to = here;
        }
    }

    /// Adds the instructions of a part. Returns the buckets of its first byte, with [`EMPTY`] where it may take nothing;
    /// none where it never matches, since it needs words that the languages which are asked do not have.
    fn add(&mut self, hir: &Hir) -> Result<u64, String> {
        match hir.kind() {
            HirKind::Empty => Ok(EMPTY),
            HirKind::Literal(literal) => {
                let text = std::str::from_utf8(&literal.0).map_err(|error| error.to_string())?;
                let has_case = |c: char| c.is_lowercase() || c.is_uppercase();
                self.steps.extend(text.chars().map(|c| match self.folds && has_case(c) {
                    true => Step::Letter(lower(c)),
                    false => Step::Character(c),
                }));
                Ok(text.chars().next().map_or(EMPTY, |c| buckets_of(c, c, self.folds)))
            }
            HirKind::Class(class) => self.class(class),
            HirKind::Look(look) => {
                self.push(Step::Place(*look));
                Ok(EMPTY)
            }
            HirKind::Repetition(repeated) => self.repeat(repeated),
            HirKind::Capture(capture) => self.capture(capture),
            HirKind::Concat(parts) => {
                parts.iter().try_fold(EMPTY, |first, part| Ok(chained(first, self.add(part)?)))
            }
            HirKind::Alternation(rows) => self.either(rows),
        }
    }

    fn class(&mut self, class: &Parsed) -> Result<u64, String> {
        let class = match class {
            Parsed::Unicode(class) => class,
            // So the parser says that nothing matches.
            Parsed::Bytes(none) if none.iter().next().is_none() => return Ok(0),
            Parsed::Bytes(_) => return Err("a class of bytes, not of characters".to_owned()),
        };
        let class = Class::of(class, self.folds);
        let known = self.classes.iter().position(|known| std::ptr::eq(*known, class));
        let number = known.unwrap_or_else(|| {
            self.classes.push(class);
            self.classes.len() - 1
        });
        self.push(Step::Class(number as u32));
        Ok(class.buckets)
    }

    fn capture(&mut self, capture: &Capture) -> Result<u64, String> {
        let group = capture.index as usize;
        self.names.resize(self.names.len().max(group), None);
        self.names[group - 1].clone_from(&capture.name);
        self.push(Step::Save(2 * capture.index));
        let first = self.add(&capture.sub)?;
        self.push(Step::Save(2 * capture.index + 1));
        Ok(first)
    }

    fn repeat(&mut self, repeated: &Repetition) -> Result<u64, String> {
        let mut first = EMPTY;
        for _ in 0..repeated.min {
            first = chained(first, self.add(&repeated.sub)?);
        }
        let mut splits = Vec::new();
        let start = self.here();
        for _ in 0..repeated.max.map_or(1, |most| most - repeated.min) {
            splits.push(self.split(repeated.greedy));
            let more = self.add(&repeated.sub)?;
            if more == 0 {
                self.steps.truncate(start as usize);
                return Ok(first);
            }
            if repeated.max.is_none() && more & EMPTY != 0 {
                return Err("a repetition without an end of what may be empty".to_owned());
            }
            first = chained(first, more | EMPTY);
        }
        if repeated.max.is_none() {
            self.push(Step::Jump(start));
        }
        splits.into_iter().for_each(|split| self.land(split));
        Ok(first)
    }

    /// Goes on with what follows, or else elsewhere: so if it is `greedy`, or in the other order. Returns what leads there.
    fn split(&mut self, greedy: bool) -> usize {
        let split = self.push(Step::Split(OPEN));
        if greedy {
            return split;
        }
        let jump = self.push(Step::Jump(OPEN));
        self.land(split);
        jump
    }

    /// Alternatives. Only those are tried that can begin with the next byte.
    fn either(&mut self, rows: &[Hir]) -> Result<u64, String> {
        let number = self.choices.len();
        self.choices.push(Choice::new());
        self.push(Step::Either(number as u32));
        let (mut first, mut ends) = (0, Vec::new());
        for row in rows {
            let place = self.here();
            let begins = self.add(row)?;
            if begins == 0 {
                self.steps.truncate(place as usize);
                continue;
            }
            first |= begins;
            self.choices[number].push((or_anything(begins), place));
            ends.push(self.push(Step::Jump(OPEN)));
        }
        ends.into_iter().for_each(|end| self.land(end));
        Ok(first)
    }
}

/// The buckets of what begins with one part and goes on with another.
fn chained(first: u64, next: u64) -> u64 {
    match first {
        _ if next == 0 => 0,
        _ if first & EMPTY != 0 => first & !EMPTY | next,
        _ => first,
    }
}

/// The buckets of what follows, too: anything where a part may take nothing.
fn or_anything(first: u64) -> u64 {
    if first & EMPTY != 0 { ANYTHING } else { first }
}

/// The expression without the flag that case does not matter: the parser takes long to fold letters, which is done here.
fn without_case(source: &str) -> Option<String> {
    let (flags, rest) = source.strip_prefix("(?i")?.split_once(')')?;
    let is_plain = flags.chars().all(|c| c.is_ascii_alphabetic()) && !rest.contains("(?-i");
    is_plain.then(|| match flags {
        "" => rest.to_owned(),
        flags => format!("(?{flags}){rest}"),
    })
}
