//! Matching: try, and go back.
//!
//! What a way leads to depends on nothing before it. So searches that take long note which choices lead nowhere, and from
//! which byte on: no choice is tried twice there, and time is bounded by the length of the text times that of the
//! program.

use regex_syntax::{hir::Look, is_word_character};
use rustc_hash::FxHashMap;

use crate::class::{buckets_at, lower};
use crate::program::{Program, Step};

/// Steps that searches in one text may take before they note anything: so many, and so many a byte of the text.
const UNNOTED: usize = 500;
const UNNOTED_A_BYTE: usize = 8;
/// Bytes where no match can begin that cost a step together.
const BYTES_A_STEP: usize = 2;
/// Steps that are spent at once.
const SPENT_AT_ONCE: usize = 4_096;

/// What to do when a way leads nowhere.
enum Back {
    /// To go on at an instruction and a byte of the text.
    Try(u32, u32),
    /// To note that the choice at an instruction leads nowhere from a byte on.
    Note(u32, u32),
    /// To give a slot its former value.
    Restore(u32, usize),
}

/// What searches in one text share.
#[derive(Default)]
pub struct Memory {
    stack: Vec<Back>,
    /// Steps that may be taken before anything is noted.
    unnoted: usize,
    /// The bytes from which each choice leads nowhere: a bit for each, 64 together.
    nowhere: FxHashMap<(u32, u32), u64>,
}

impl Memory {
    /// The memory of searches in a text.
    pub fn of(text: &str) -> Self {
        Self { unnoted: UNNOTED + UNNOTED_A_BYTE * text.len(), ..Self::default() }
    }
}

struct Search<'t, 'm> {
    program: &'m Program,
    text: &'t str,
    slots: Vec<usize>,
    memory: &'m mut Memory,
    /// Steps taken and not spent yet.
    steps: usize,
}

/// Where the first `groups` groups of the leftmost match from `from` on begin and end; of a group that took no part,
/// `usize::MAX`. If it is `anchored`, of the match that begins there.
pub fn search(
    program: &Program,
    text: &str,
    from: usize,
    groups: usize,
    anchored: bool,
    memory: &mut Memory,
) -> Option<Vec<usize>> {
    if program.first == 0 || program.is_anchored && from > 0 {
        return None;
    }
    let slots = vec![usize::MAX; 2 * groups];
    let mut search = Search { program, text, slots, memory, steps: 0 };
    let only_here = anchored || program.is_anchored;
    let found = if only_here {
        program.may_begin(text, from) && search.run(from)
    } else {
        search.run_from(from)
    };
    search.spend();
    found.then_some(search.slots)
}

impl Search<'_, '_> {
    /// Tries to match from each place on where a match can begin.
    fn run_from(&mut self, from: usize) -> bool {
        let end = self.text.len();
        let program = self.program;
        let found = (from..=end).find(|at| program.may_begin(self.text, *at) && self.run(*at));
        self.steps += (found.unwrap_or(end) - from) / BYTES_A_STEP;
        found.is_some()
    }

    /// Tries to match from a byte on.
    fn run(&mut self, start: usize) -> bool {
        self.memory.stack.clear();
        self.slots.fill(usize::MAX);
        let (mut step, mut at) = (0, start);
        loop {
            self.steps += 1;
            if self.steps >= SPENT_AT_ONCE {
                self.spend();
            }
            let next = match self.program.steps[step] {
                Step::Match => {
                    if let [first, last, ..] = self.slots.as_mut_slice() {
                        (*first, *last) = (start, at);
                    }
                    return true;
                }
                Step::Character(c) => self.takes(step, at, |found| found == c),
                Step::Letter(letter) => self.takes(step, at, |found| lower(found) == letter),
                Step::Class(class) => {
                    let class = self.program.classes[class as usize];
                    self.takes(step, at, |found| class.contains(found))
                }
                Step::Jump(place) => Some((place as usize, at)),
                Step::Split(other) => self.is_new(step, at).then(|| {
                    self.memory.stack.push(Back::Try(other, at as u32));
                    (step + 1, at)
                }),
                Step::Either(choice) => self.either(step, at, choice as usize),
                Step::Save(slot) => {
                    self.save(slot, at);
                    Some((step + 1, at))
                }
                Step::Place(look) => is_at(look, self.text, at).then_some((step + 1, at)),
            };
            match next.or_else(|| self.back()) {
                Some(place) => (step, at) = place,
                None => return false,
            }
        }
    }

    #[cold]
    fn spend(&mut self) {
        self.memory.unnoted = self.memory.unnoted.saturating_sub(self.steps);
        budget::spend(std::mem::take(&mut self.steps));
    }

    /// What follows if the next character is right.
    #[inline]
    fn takes(&self, step: usize, at: usize, is: impl Fn(char) -> bool) -> Option<(usize, usize)> {
        let c = next(self.text, at).filter(|c| is(*c))?;
        Some((step + 1, at + c.len_utf8()))
    }

    fn save(&mut self, slot: u32, at: usize) {
        if let Some(value) = self.slots.get_mut(slot as usize) {
            self.memory.stack.push(Back::Restore(slot, *value));
            *value = at;
        }
    }

    /// The first of the alternatives that can begin here.
    fn either(&mut self, step: usize, at: usize, choice: usize) -> Option<(usize, usize)> {
        let next = buckets_at(self.text, at);
        let mut fitting =
            self.program.choices[choice].iter().filter(|(first, _)| first & next != 0);
        let (_, place) = fitting.next()?;
        if let Some((_, last)) = fitting.next_back() {
            if !self.is_new(step, at) {
                return None;
            }
            self.memory.stack.push(Back::Try(*last, at as u32));
            let others = fitting.rev().map(|(_, place)| Back::Try(*place, at as u32));
            self.memory.stack.extend(others);
        }
        Some((*place as usize, at))
    }

    /// Whether the choice at an instruction may lead somewhere. It is noted if it does not.
    #[inline]
    fn is_new(&mut self, step: usize, at: usize) -> bool {
        if self.steps <= self.memory.unnoted {
            return true;
        }
        let known = self.memory.nowhere.get(&(step as u32, (at / 64) as u32));
        let is_new = known.is_none_or(|bits| bits & 1 << (at % 64) == 0);
        if is_new {
            self.memory.stack.push(Back::Note(step as u32, at as u32));
        }
        is_new
    }

    /// The instruction and the byte of the last way that was not tried yet.
    fn back(&mut self) -> Option<(usize, usize)> {
        loop {
            match self.memory.stack.pop()? {
                Back::Try(place, byte) => return Some((place as usize, byte as usize)),
                Back::Restore(slot, value) => self.slots[slot as usize] = value,
                Back::Note(step, byte) => {
                    *self.memory.nowhere.entry((step, byte / 64)).or_default() |= 1 << (byte % 64);
                }
            }
        }
    }
}

/// The character at a byte.
#[inline]
fn next(text: &str, at: usize) -> Option<char> {
    match text.as_bytes().get(at) {
        Some(byte) if byte.is_ascii() => Some(char::from(*byte)),
        Some(_) => text[at..].chars().next(),
        None => None,
    }
}

/// Whether a place between characters is of a kind.
fn is_at(look: Look, text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    let is_ascii = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_word = |c: char| if c.is_ascii() { is_ascii(c) } else { is_word_character(c) };
    let (before, after) = (text[..at].chars().next_back(), next(text, at));
    match look {
        Look::Start => at == 0,
        Look::End => at == text.len(),
        Look::StartLF => at == 0 || bytes[at - 1] == b'\n',
        Look::EndLF => bytes.get(at).is_none_or(|byte| *byte == b'\n'),
        Look::WordUnicode => before.is_some_and(is_word) != after.is_some_and(is_word),
        Look::WordUnicodeNegate => before.is_some_and(is_word) == after.is_some_and(is_word),
        Look::WordAscii => before.is_some_and(is_ascii) != after.is_some_and(is_ascii),
        _ => false,
    }
}
