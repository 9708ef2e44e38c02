//! From an expression to the program that matches it.

use std::collections::{HashMap, HashSet};

use regex_syntax::hir::{self, Capture, Hir, HirKind, Look, Repetition};

use crate::class::{self, Class};
use crate::prefix::{self, Prefix};

/// What an instruction does.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    Match,
    Character(char),
    /// A letter of ASCII in either case; this is the small one.
    Letter(u8),
    /// A character of the class with this number.
    Class(u32),
    Jump(u32),
    /// Goes on behind itself or at this place, as it prefers.
    Split(u32, Prefers),
    /// Goes on at one of the places of the choice with this number.
    Either(u32),
    /// Notes where a group begins or ends.
    Save(u32),
    Place(Look),
    Fail,
}

/// What of two ways is tried first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefers {
    Next,
    Other,
}

/// The places where alternatives begin.
#[derive(Debug)]
pub struct Choice {
    /// For each bucket of the next byte, where its places begin; they end where the next ones begin.
    begins: [u32; BUCKETS + 1],
    places: Vec<u32>,
}

/// A compiled expression.
#[derive(Debug)]
pub struct Program {
    pub steps: Vec<Step>,
    pub classes: Vec<&'static Class>,
    pub choices: Vec<Choice>,
    /// The names of the groups behind the first, which is the match.
    names: Vec<Option<Box<str>>>,
    /// Whether it can match at all.
    pub is_possible: bool,
    /// Whether a match can begin at the beginning of the text only.
    pub is_anchored: bool,
    /// Whether a match begins where a word begins or ends.
    begins_words: bool,
    /// The buckets of what a match begins with, a bit each.
    first: u32,
    prefix: Option<Prefix>,
    /// Whether case does not matter, as far as the parser does not see to that.
    folds: bool,
    /// The instructions of classes while the program is made, by where they are parsed.
    made: HashMap<usize, Step>,
}

/// Buckets of bytes.
const BUCKETS: usize = 32;
/// All of them, as where nothing may follow.
const ALL: u32 = u32::MAX;
/// A place that is not known yet.
const OPEN: u32 = u32::MAX;

impl Choice {
    fn new(rows: &[(u32, u32)]) -> Self {
        let (mut begins, mut places) = ([0; BUCKETS + 1], Vec::new());
        for bucket in 0..BUCKETS {
            let fits = rows.iter().filter(|(first, _)| first & 1 << bucket != 0);
            places.extend(fits.map(|(_, place)| *place));
            begins[bucket + 1] = places.len() as u32;
        }
        Self { begins, places }
    }

    /// The places of the alternatives that can begin with a bucket.
    pub fn of(&self, bucket: u32) -> &[u32] {
        let bucket = bucket as usize;
        &self.places[self.begins[bucket] as usize..self.begins[bucket + 1] as usize]
    }
}

impl Program {
    /// The program of an expression.
    ///
    /// # Errors
    ///
    /// Says what is wrong with the expression.
    pub fn of(source: &str) -> Result<Self, String> {
        let folded = folded(source);
        let text = folded.as_deref().unwrap_or(source);
        let hir = regex_syntax::parse(text).map_err(|error| format!("{error}: {source}"))?;
        let leads = hir.properties().look_set_prefix();
        let mut program = Self {
            steps: Vec::new(),
            classes: Vec::new(),
            choices: Vec::new(),
            names: Vec::new(),
            is_possible: !is_impossible(&hir),
            is_anchored: leads.contains(Look::Start),
            begins_words: leads.contains(Look::WordUnicode) || leads.contains(Look::WordAscii),
            first: 0,
            prefix: None,
            folds: folded.is_some(),
            made: HashMap::new(),
        };
        if program.is_possible {
            program.add(&hir)?;
            program.push(Step::Match);
            program.first = program.first(0);
            program.prefix = Prefix::of(&hir).filter(|_| program.first != ALL);
        }
        program.made = HashMap::new();
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
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let bytes = text.as_bytes();
        // Inside of a word of ASCII no word begins or ends.
        self.first & 1 << prefix::bucket_at(text, at) != 0
            && !(self.begins_words
                && at > 0
                && bytes.get(at).is_some_and(is_word)
                && is_word(&bytes[at - 1]))
    }

    /// The first place at `from` or later where a match can begin.
    pub fn candidate(&self, text: &str, from: usize) -> Option<usize> {
        if self.first == ALL {
            return Some(from);
        }
        let mut at = from;
        loop {
            if let Some(prefix) = &self.prefix {
                at = prefix.next(text.as_bytes(), at);
            }
            if self.may_begin(text, at) {
                return Some(at);
            }
            if at >= text.len() {
                return None;
            }
            at += 1;
        }
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
        if let Step::Jump(to) | Step::Split(to, _) = &mut self.steps[place] {
            *to = here;
        }
    }

    fn add(&mut self, hir: &Hir) -> Result<(), String> {
        match hir.kind() {
            HirKind::Empty => {}
            HirKind::Literal(literal) => {
                let text = std::str::from_utf8(&literal.0).map_err(|error| error.to_string())?;
                self.steps.extend(text.chars().map(|c| match c.is_ascii_alphabetic() {
                    true if self.folds => Step::Letter(c.to_ascii_lowercase() as u8),
                    _ => Step::Character(c),
                }));
            }
            HirKind::Class(class) => {
                // What is repeated comes again and again.
                let parsed = std::ptr::from_ref(hir) as usize;
                let known = self.made.get(&parsed).copied();
                let step = known.unwrap_or_else(|| self.class(class));
                self.made.insert(parsed, step);
                self.push(step);
            }
            HirKind::Look(look) => {
                self.push(Step::Place(*look));
            }
            HirKind::Repetition(repeated) => self.repeat(repeated)?,
            HirKind::Capture(capture) => self.capture(capture)?,
            HirKind::Concat(parts) => parts.iter().try_for_each(|part| self.add(part))?,
            HirKind::Alternation(rows) => self.either(rows)?,
        }
        Ok(())
    }

    fn class(&mut self, class: &hir::Class) -> Step {
        let mut ranges = class::ranges(class);
        if self.folds {
            ranges = class::in_both_cases(ranges);
        }
        match ranges.as_slice() {
            [] => Step::Fail,
            [(start, end)] if start == end => Step::Character(*start),
            ranges if let Some(letter) = class::letter(ranges) => Step::Letter(letter),
            _ => {
                let class = Class::of(ranges);
                let known = self.classes.iter().position(|known| std::ptr::eq(*known, class));
                let number = known.unwrap_or_else(|| {
                    self.classes.push(class);
                    self.classes.len() - 1
                });
                Step::Class(number as u32)
            }
        }
    }

    fn capture(&mut self, capture: &Capture) -> Result<(), String> {
        let group = capture.index as usize;
        self.names.resize(self.names.len().max(group), None);
        self.names[group - 1].clone_from(&capture.name);
        self.push(Step::Save(2 * capture.index));
        self.add(&capture.sub)?;
        self.push(Step::Save(2 * capture.index + 1));
        Ok(())
    }

    fn repeat(&mut self, repeated: &Repetition) -> Result<(), String> {
        if repeated.min == 0 && is_impossible(&repeated.sub) {
            return Ok(());
        }
        for _ in 0..repeated.min {
            self.add(&repeated.sub)?;
        }
        let prefers = if repeated.greedy { Prefers::Next } else { Prefers::Other };
        let mut splits = Vec::new();
        let start = self.here();
        for _ in 0..repeated.max.map_or(1, |most| most - repeated.min) {
            splits.push(self.push(Step::Split(OPEN, prefers)));
            self.add(&repeated.sub)?;
        }
        if repeated.max.is_none() {
            if self.first(start as usize + 1) == ALL {
                return Err("a repetition without an end of what may be empty".to_owned());
            }
            self.push(Step::Jump(start));
        }
        splits.into_iter().for_each(|split| self.land(split));
        Ok(())
    }

    /// Alternatives. Only those are tried that can begin with the next character.
    fn either(&mut self, rows: &[Hir]) -> Result<(), String> {
        let rows: Vec<&Hir> = rows.iter().filter(|row| !is_impossible(row)).collect();
        if let [row] = rows.as_slice() {
            return self.add(row);
        }
        let at = self.push(Step::Fail);
        let (mut places, mut ends) = (Vec::new(), Vec::new());
        for row in rows {
            places.push(self.here());
            self.add(row)?;
            ends.push(self.push(Step::Jump(OPEN)));
        }
        let rows: Vec<_> =
            places.into_iter().map(|place| (self.first(place as usize), place)).collect();
        self.steps[at] = Step::Either(self.choices.len() as u32);
        self.choices.push(Choice::new(&rows));
        ends.into_iter().for_each(|end| self.land(end));
        Ok(())
    }

    /// The buckets of what can come from a place on; all of them where that may be nothing.
    fn first(&self, place: usize) -> u32 {
        let (mut ways, mut seen, mut first) = (vec![place], HashSet::from([place]), 0);
        while let Some(at) = ways.pop() {
            let mut go = |place: usize| {
                if seen.insert(place) {
                    ways.push(place);
                }
            };
            match self.steps.get(at) {
                None | Some(Step::Match) => return ALL,
                Some(Step::Character(c)) => first |= 1 << prefix::bucket_of(*c),
                Some(Step::Letter(letter)) => first |= 1 << prefix::bucket(*letter),
                Some(Step::Class(class)) => first |= self.classes[*class as usize].buckets,
                Some(Step::Jump(place)) => go(*place as usize),
                Some(Step::Split(other, _)) => {
                    go(at + 1);
                    go(*other as usize);
                }
                Some(Step::Either(choice)) => {
                    let places = &self.choices[*choice as usize].places;
                    places.iter().for_each(|place| go(*place as usize));
                }
                Some(Step::Save(_) | Step::Place(_)) => go(at + 1),
                Some(Step::Fail) => {}
            }
        }
        first
    }
}

/// The expression without the flag that case does not matter. The parser takes long to fold letters: where all are ASCII,
/// that is done here.
fn folded(source: &str) -> Option<String> {
    let (flags, rest) = source.strip_prefix("(?i")?.split_once(')')?;
    let tells_case = ["(?-i", r"\p{Lu}", r"\p{Ll}"].iter().any(|part| rest.contains(part));
    let is_ascii = !rest.contains(|c: char| !c.is_ascii() && c.is_alphabetic());
    let is_flags = flags.chars().all(|c| c.is_ascii_alphabetic());
    (is_flags && is_ascii && !tells_case).then(|| match flags {
        "" => rest.to_owned(),
        flags => format!("(?{flags}){rest}"),
    })
}

/// Whether a part can never match, since it needs words that the languages which are asked do not have.
fn is_impossible(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Class(class) => class.is_empty(),
        HirKind::Repetition(repeated) => repeated.min > 0 && is_impossible(&repeated.sub),
        HirKind::Capture(capture) => is_impossible(&capture.sub),
        HirKind::Concat(parts) => parts.iter().any(is_impossible),
        HirKind::Alternation(rows) => rows.iter().all(is_impossible),
        HirKind::Empty | HirKind::Literal(_) | HirKind::Look(_) => false,
    }
}
