//! The way to match whose time is bounded: all ways at once, character by character.

use crate::program::{Program, START, Step, next};
use crate::scope::Scope;

/// Words that are written or copied for a step.
const WORDS_A_STEP: usize = 8;

/// Ways at one byte of the text, the preferred ones first: instructions that take a character, or end a match.
struct Ways {
    steps: Vec<usize>,
    /// The slots of the way at each instruction.
    slots: Vec<usize>,
}

/// What is to be done while ways are followed.
enum Task {
    Follow(usize),
    Restore(usize, usize),
}

struct Search<'t> {
    program: Program,
    scope: Scope,
    text: &'t str,
    /// Slots of a way.
    number: usize,
    /// The byte at which each instruction was last reached.
    reached: Vec<usize>,
    tasks: Vec<Task>,
    /// Instructions looked at since the last character.
    steps: usize,
}

/// As [`backtrack::search`](crate::backtrack::search); if it is `anchored`, for the match that begins at `from`.
pub fn search(
    program: Program,
    scope: Scope,
    text: &str,
    from: usize,
    groups: usize,
    anchored: bool,
) -> Option<Vec<usize>> {
    // The place of a match is always needed: it ends the search.
    let number = 2 * groups.max(1);
    let ways = || Ways { steps: Vec::new(), slots: vec![usize::MAX; program.len() * number] };
    let (mut ways, mut following) = (ways(), ways());
    let mut search = Search {
        program,
        scope,
        text,
        number,
        reached: vec![usize::MAX; program.len()],
        tasks: Vec::new(),
        // What is allocated is written.
        steps: 2 * program.len() * number / WORDS_A_STEP,
    };
    let mut slots = vec![usize::MAX; number];
    let mut found: Option<Vec<usize>> = None;
    let mut at = from;
    loop {
        let may_begin = at == from || !anchored;
        if found.is_none() && may_begin {
            slots.fill(usize::MAX);
            slots[0] = at;
            search.follow(at, START, &mut slots, &mut ways);
        }
        let c = next(text, at);
        let after = at + c.map_or(1, char::len_utf8);
        for at_step in 0..ways.steps.len() {
            let step = ways.steps[at_step];
            let passes = match program.step(step) {
                Step::Match => {
                    let mut slots = ways.slots[step * number..][..number].to_vec();
                    slots[1] = at;
                    found = Some(slots);
                    // What follows is less preferred.
                    break;
                }
                Step::Character(wanted) => c == Some(wanted),
                Step::Class(class) | Step::Span(class) => {
                    c.is_some_and(|c| program.holds(class, c))
                }
                _ => false,
            };
            if passes {
                slots.copy_from_slice(&ways.slots[step * number..][..number]);
                let stays = matches!(program.step(step), Step::Span(_));
                let behind = if stays { step } else { step + 1 };
                search.follow(after, behind, &mut slots, &mut following);
            }
        }
        search.steps += ways.steps.len() * (1 + number / WORDS_A_STEP);
        budget::spend(std::mem::take(&mut search.steps));
        ways.steps.clear();
        std::mem::swap(&mut ways, &mut following);
        at = after;
        if c.is_none() || (anchored || found.is_some()) && ways.steps.is_empty() {
            return found.map(|mut slots| {
                slots.truncate(2 * groups);
                slots
            });
        }
    }
}

impl Search<'_> {
    /// Adds the instructions that are reached from `step` without a character, unless a preferred way reached them.
    fn follow(&mut self, at: usize, step: usize, slots: &mut [usize], ways: &mut Ways) {
        self.tasks.push(Task::Follow(step));
        while let Some(task) = self.tasks.pop() {
            let mut step = match task {
                Task::Follow(step) => step,
                Task::Restore(slot, value) => {
                    slots[slot] = value;
                    continue;
                }
            };
            while self.reached[step] != at {
                self.reached[step] = at;
                self.steps += 1;
                step = match self.program.step(step) {
                    Step::Jump(place) => place,
                    Step::Choose(list, length) => {
                        let others =
                            (1..length).rev().map(|number| self.program.choice(list, number));
                        self.tasks.extend(others.map(Task::Follow));
                        self.program.choice(list, 0)
                    }
                    Step::Loop(_, list) => {
                        self.tasks.push(Task::Follow(self.program.choice(list, 1)));
                        self.program.choice(list, 0)
                    }
                    Step::Switch(table) => {
                        self.program.switched(table, self.text.as_bytes().get(at))
                    }
                    Step::Save(slot) => {
                        if let Some(value) = slots.get_mut(slot) {
                            self.tasks.push(Task::Restore(slot, *value));
                            *value = at;
                        }
                        step + 1
                    }
                    Step::Place(kind) if self.program.is_at(kind, self.text, at) => step + 1,
                    Step::Language(language) if self.scope.asks(language) => step + 1,
                    Step::Place(_) | Step::Language(_) | Step::Fail => break,
                    Step::Span(class)
                        if !next(self.text, at).is_some_and(|c| self.program.holds(class, c)) =>
                    {
                        step + 1
                    }
                    Step::Match | Step::Character(_) | Step::Class(_) | Step::Span(_) => {
                        ways.steps.push(step);
                        ways.slots[step * self.number..][..self.number].copy_from_slice(slots);
                        break;
                    }
                };
            }
        }
    }
}
