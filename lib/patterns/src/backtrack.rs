//! The quick way to match: try, and go back.

use std::cell::Cell;
use std::ops::Range;

use crate::program::{Program, START, Step, next};
use crate::simulate;

/// Steps that a search may take before it is left to the simulation: so many, and so many a byte of the text.
const STEPS: usize = 2_000;
const STEPS_A_BYTE: usize = 64;

/// What to do when a way leads nowhere.
enum Back {
    /// To go on at an instruction and a byte of the text.
    Try(u32, u32),
    /// To give a slot its former value.
    Restore(u32, usize),
}

/// What searches in one text share.
#[derive(Default)]
pub struct Memory {
    stack: Vec<Back>,
    /// Instructions that take spans, each with the last span that it took.
    spans: Vec<(usize, Range<usize>)>,
}

thread_local! {
    /// The memory of the last search, for the next one.
    static MEMORY: Cell<Memory> = const { Cell::new(Memory { stack: Vec::new(), spans: Vec::new() }) };
}

impl Memory {
    /// A memory without spans.
    pub fn taken() -> Self {
        let mut memory = MEMORY.take();
        memory.spans.clear();
        memory
    }

    /// Keeps what is allocated.
    pub fn leave(self) {
        MEMORY.set(self);
    }
}

enum Outcome {
    Found,
    Nowhere,
    TooLong,
}

struct Search<'t, 'm> {
    program: Program,
    text: &'t str,
    slots: Vec<usize>,
    memory: &'m mut Memory,
    steps: usize,
}

/// Where the first `groups` groups of the leftmost match from `from` on begin and end; of a group that took no part, and
/// of those beyond, `usize::MAX`.
pub fn search(
    program: Program,
    text: &str,
    from: usize,
    groups: usize,
    memory: &mut Memory,
) -> Option<Vec<usize>> {
    if program.is_anchored() && from > 0 {
        return None;
    }
    let mut at = program.candidate(text, from)?;
    let mut search = Search::new(program, text, from, groups, memory);
    let found = loop {
        match search.run(at) {
            Outcome::Found => break true,
            Outcome::TooLong => return simulate::search(program, text, at, groups, false),
            Outcome::Nowhere => {}
        }
        let Some(next) = text[at..].chars().next().map(|c| at + c.len_utf8()) else { break false };
        match program.candidate(text, next).filter(|_| !program.is_anchored()) {
            Some(next) => at = next,
            None => break false,
        }
    };
    found.then_some(search.slots)
}

/// As [`search`] for the match that begins at `at`.
pub fn anchored(
    program: Program,
    text: &str,
    at: usize,
    groups: usize,
    memory: &mut Memory,
) -> Option<Vec<usize>> {
    let mut search = Search::new(program, text, at, groups, memory);
    match search.run(at) {
        Outcome::Found => Some(search.slots),
        Outcome::Nowhere => None,
        Outcome::TooLong => simulate::search(program, text, at, groups, true),
    }
}

impl<'t, 'm> Search<'t, 'm> {
    fn new(
        program: Program,
        text: &'t str,
        from: usize,
        groups: usize,
        memory: &'m mut Memory,
    ) -> Self {
        let steps = STEPS + STEPS_A_BYTE * (text.len() - from);
        Self { program, text, slots: vec![usize::MAX; 2 * groups], memory, steps }
    }

    /// Tries to match from a byte on.
    fn run(&mut self, start: usize) -> Outcome {
        self.memory.stack.clear();
        self.slots.fill(usize::MAX);
        let (mut step, mut at) = (START, start);
        loop {
            if self.steps == 0 {
                return Outcome::TooLong;
            }
            self.steps -= 1;
            let goes_on = match self.program.step(step) {
                Step::Match => {
                    if let [first, last, ..] = self.slots.as_mut_slice() {
                        (*first, *last) = (start, at);
                    }
                    return Outcome::Found;
                }
                Step::Character(c) => match next(self.text, at) {
                    Some(found) if found == c => {
                        at += c.len_utf8();
                        step += 1;
                        true
                    }
                    _ => false,
                },
                Step::Class(class) => match next(self.text, at) {
                    Some(found) if self.program.holds(class, found) => {
                        at += found.len_utf8();
                        step += 1;
                        true
                    }
                    _ => false,
                },
                Step::Jump(place) => {
                    step = place;
                    true
                }
                Step::Choose(list, length) => {
                    for number in (1..length).rev() {
                        let place = self.program.choice(list, number);
                        self.memory.stack.push(Back::Try(place as u32, at as u32));
                    }
                    step = self.program.choice(list, 0);
                    true
                }
                Step::Switch(table) => {
                    step = self.program.switched(table, self.text.as_bytes().get(at));
                    true
                }
                Step::Save(slot) => {
                    if let Some(value) = self.slots.get_mut(slot) {
                        self.memory.stack.push(Back::Restore(slot as u32, *value));
                        *value = at;
                    }
                    step += 1;
                    true
                }
                Step::Place(kind) => {
                    step += 1;
                    self.program.is_at(kind, self.text, at)
                }
                Step::Fail => false,
                Step::Span(class) => {
                    at = self.span(step, class, at);
                    step += 1;
                    true
                }
            };
            if goes_on {
                continue;
            }
            loop {
                match self.memory.stack.pop() {
                    None => return Outcome::Nowhere,
                    Some(Back::Restore(slot, value)) => self.slots[slot as usize] = value,
                    Some(Back::Try(place, byte)) => {
                        (step, at) = (place as usize, byte as usize);
                        break;
                    }
                }
            }
        }
    }

    /// The end of the characters of a class from a byte on. Searches come here again and again from within one span.
    fn span(&mut self, step: usize, class: usize, at: usize) -> usize {
        let known = self.memory.spans.iter().position(|(known, _)| *known == step);
        if let Some(known) = known
            && let (_, span) = &self.memory.spans[known]
            && (span.start..=span.end).contains(&at)
        {
            return span.end;
        }
        let mut end = at;
        while let Some(c) = next(self.text, end).filter(|c| self.program.holds(class, *c)) {
            end += c.len_utf8();
        }
        self.steps = self.steps.saturating_sub((end - at) / 8);
        match known {
            Some(known) => self.memory.spans[known].1 = at..end,
            None => self.memory.spans.push((step, at..end)),
        }
        end
    }
}
