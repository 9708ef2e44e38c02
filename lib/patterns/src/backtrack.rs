//! The quick way to match: try, and go back.

use std::cell::Cell;
use std::ops::Range;

use crate::program::{Program, START, Step, next};
use crate::scope::Scope;
use crate::simulate;

/// Steps that a search may take before it is left to the simulation: so many, and so many a byte of the text.
const STEPS: usize = 2_000;
const STEPS_A_BYTE: usize = 64;
/// Steps that searches in one text may take before they note which rounds of repetitions lead nowhere: so many, and so
/// many a byte of the text. Without that, what opens often and never closes would be looked through from each opening.
const UNNOTED: usize = 500;
const UNNOTED_A_BYTE: usize = 8;
/// Bytes where no match can begin that cost a step together.
const BYTES_A_STEP: usize = 2;

/// What to do when a way leads nowhere.
enum Back {
    /// To go on at an instruction and a byte of the text.
    Try(u32, u32),
    /// To go the other way of the repetition at an instruction, and to note it if that leads nowhere, too.
    Leave(u32, u32),
    /// To note that a repetition leads nowhere from a byte on.
    Note(u32, u32),
    /// To give a slot its former value.
    Restore(u32, usize),
}

/// What searches in one text share.
#[derive(Default)]
pub struct Memory {
    stack: Vec<Back>,
    /// Instructions that take spans, each with the last span that it took.
    spans: Vec<(usize, Range<usize>)>,
    /// Steps of the searches before.
    steps: usize,
    /// The bytes from which each repetition leads nowhere: a bit for each. What is tried there depends on nothing before.
    nowhere: Vec<Vec<u64>>,
}

thread_local! {
    /// The memory of the last search, for the next one.
    static MEMORY: Cell<Memory> = const {
        Cell::new(Memory { stack: Vec::new(), spans: Vec::new(), steps: 0, nowhere: Vec::new() })
    };
}

impl Memory {
    /// A memory of no text.
    pub fn taken() -> Self {
        let mut memory = MEMORY.take();
        memory.spans.clear();
        memory.steps = 0;
        memory.nowhere.clear();
        memory
    }

    /// Keeps what is allocated.
    pub fn leave(self) {
        MEMORY.set(self);
    }

    /// Whether a repetition is known to lead nowhere from a byte on.
    fn is_nowhere(&self, repetition: usize, at: usize) -> bool {
        let bits = self.nowhere.get(repetition).and_then(|bits| bits.get(at / 64));
        bits.is_some_and(|bits| bits & 1 << (at % 64) != 0)
    }

    /// Notes that a repetition leads nowhere from a byte of a text of this length on.
    fn note(&mut self, repetition: usize, at: usize, length: usize) {
        if self.nowhere.len() <= repetition {
            self.nowhere.resize(repetition + 1, Vec::new());
        }
        let bits = &mut self.nowhere[repetition];
        bits.resize(length / 64 + 1, 0);
        bits[at / 64] |= 1 << (at % 64);
    }
}

enum Outcome {
    Found,
    Nowhere,
    TooLong,
}

struct Search<'t, 'm> {
    program: Program,
    scope: Scope,
    text: &'t str,
    slots: Vec<usize>,
    memory: &'m mut Memory,
    /// Steps taken, and how many of them are too many.
    steps: usize,
    most: usize,
    /// How many of them are few enough not to note anything.
    unnoted: usize,
}

/// Where the first `groups` groups of the leftmost match from `from` on begin and end; of a group that took no part, and
/// of those beyond, `usize::MAX`.
pub fn search(
    program: Program,
    scope: Scope,
    text: &str,
    from: usize,
    groups: usize,
    memory: &mut Memory,
) -> Option<Vec<usize>> {
    if !program.is_asked(scope) {
        return None;
    }
    if program.is_anchored() {
        let begins = from == 0 && program.may_begin(text, 0);
        return if begins { anchored(program, scope, text, 0, groups, memory) } else { None };
    }
    let Some(first) = program.candidate(text, from) else {
        budget::spend((text.len() - from) / BYTES_A_STEP);
        return None;
    };
    let mut search = Search::new(program, scope, text, from, groups, memory);
    let (outcome, at) = search.run_from(first);
    search.memory.steps += search.steps;
    budget::spend(search.steps + (at - from) / BYTES_A_STEP);
    match outcome {
        Outcome::Found => Some(search.slots),
        Outcome::Nowhere => None,
        Outcome::TooLong => simulate::search(program, scope, text, at, groups, false),
    }
}

/// As [`search`] for the match that begins at `at`.
pub fn anchored(
    program: Program,
    scope: Scope,
    text: &str,
    at: usize,
    groups: usize,
    memory: &mut Memory,
) -> Option<Vec<usize>> {
    let mut search = Search::new(program, scope, text, at, groups, memory);
    let outcome = search.run(at);
    budget::spend(search.steps);
    match outcome {
        Outcome::Found => Some(search.slots),
        Outcome::Nowhere => None,
        Outcome::TooLong => simulate::search(program, scope, text, at, groups, true),
    }
}

impl<'t, 'm> Search<'t, 'm> {
    fn new(
        program: Program,
        scope: Scope,
        text: &'t str,
        from: usize,
        groups: usize,
        memory: &'m mut Memory,
    ) -> Self {
        let most = STEPS + STEPS_A_BYTE * (text.len() - from);
        let unnoted = (UNNOTED + UNNOTED_A_BYTE * text.len()).saturating_sub(memory.steps);
        Self {
            program,
            scope,
            text,
            slots: vec![usize::MAX; 2 * groups],
            memory,
            steps: 0,
            most,
            unnoted,
        }
    }

    /// Tries to match from the first place on, then from each later one where a match can begin. Returns the last that
    /// was looked at, too.
    fn run_from(&mut self, first: usize) -> (Outcome, usize) {
        let mut at = first;
        loop {
            match self.run(at) {
                Outcome::Nowhere => {}
                outcome => return (outcome, at),
            }
            let next = self.text[at..].chars().next().map(|c| at + c.len_utf8());
            match next.and_then(|next| self.program.candidate(self.text, next)) {
                Some(next) => at = next,
                None => return (Outcome::Nowhere, self.text.len()),
            }
        }
    }

    /// Tries to match from a byte on.
    fn run(&mut self, start: usize) -> Outcome {
        self.memory.stack.clear();
        self.slots.fill(usize::MAX);
        let (mut step, mut at) = (START, start);
        loop {
            if self.steps >= self.most {
                return Outcome::TooLong;
            }
            self.steps += 1;
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
                Step::Loop(repetition, list) => {
                    let notes = self.steps > self.unnoted;
                    let goes_on = !(notes && self.memory.is_nowhere(repetition, at));
                    if goes_on {
                        let other = self.program.choice(list, 1);
                        self.memory.stack.push(match notes {
                            true => Back::Leave(step as u32, at as u32),
                            false => Back::Try(other as u32, at as u32),
                        });
                        step = self.program.choice(list, 0);
                    }
                    goes_on
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
                Step::Language(language) => {
                    step += 1;
                    self.scope.asks(language)
                }
                Step::Fail => false,
                Step::Span(class) => {
                    at = self.span(step, class, at);
                    step += 1;
                    true
                }
            };
            if !goes_on {
                match self.back() {
                    Some(place) => (step, at) = place,
                    None => return Outcome::Nowhere,
                }
            }
        }
    }

    /// The instruction and the byte of the last way that was not tried yet.
    fn back(&mut self) -> Option<(usize, usize)> {
        loop {
            match self.memory.stack.pop()? {
                Back::Try(place, byte) => return Some((place as usize, byte as usize)),
                Back::Restore(slot, value) => self.slots[slot as usize] = value,
                Back::Leave(place, byte) => {
                    if let Step::Loop(repetition, list) = self.program.step(place as usize) {
                        self.memory.stack.push(Back::Note(repetition as u32, byte));
                        return Some((self.program.choice(list, 1), byte as usize));
                    }
                }
                Back::Note(repetition, byte) => {
                    self.memory.note(repetition as usize, byte as usize, self.text.len());
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
        self.steps += (end - at) / 8;
        match known {
            Some(known) => self.memory.spans[known].1 = at..end,
            None => self.memory.spans.push((step, at..end)),
        }
        end
    }
}
