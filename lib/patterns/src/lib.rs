//! Regular expressions that cost nothing before they are used.
//!
//! [`pattern!`] compiles an expression while the program that holds it is compiled. What is left at run
//! time is a row of words among the constants of the program, read where it lies: nothing is parsed or
//! built, and nothing is kept between searches. The language is that of the crate `regex`, whose parser reads it
//! and whose results these are: the leftmost match, and of several there, the one that a backtracking matcher finds
//! first.
//!
//! A search backtracks; where that takes too many steps, it goes on as Thompson's simulation does, so its time is
//! bounded by the length of the text times that of the expression
//! (Russ Cox, [Regular Expression Matching: the Virtual Machine Approach](https://swtch.com/~rsc/regexp/regexp2.html)).
//! Its steps are spent of the thread's [`budget`].
//!
//! Words of natural languages are asked of texts in their language only: see [`reading`].

mod backtrack;
mod captures;
mod prefix;
mod program;
mod replace;
mod scope;
mod simulate;
mod unicode;

pub use captures::{Captures, Match};
pub use patterns_macros::{expression, pattern, table, words};
pub use replace::Replacer;
pub use scope::{asks, is_scoped, reading, reading_all};

use backtrack::Memory;
use program::Program;
use scope::Scope;

/// A compiled regular expression, see [`pattern!`].
#[derive(Clone, Copy, Debug)]
pub struct Pattern {
    program: Program,
}

/// The words of a program, which [`pattern!`] writes as bytes: those are one token for the compiler, whatever their number.
#[doc(hidden)]
pub const fn words_of<const N: usize>(bytes: &[u8]) -> [u32; N] {
    let mut words = [0; N];
    let mut at = 0;
    while at < N {
        let word = [bytes[4 * at], bytes[4 * at + 1], bytes[4 * at + 2], bytes[4 * at + 3]];
        words[at] = u32::from_le_bytes(word);
        at += 1;
    }
    words
}

impl Pattern {
    /// The pattern of a program that [`pattern!`] has compiled.
    #[doc(hidden)]
    pub const fn new(program: &'static [u32]) -> Self {
        Self { program: Program::new(program) }
    }

    /// Whether it matches anywhere.
    pub fn is_match(&self, text: &str) -> bool {
        self.slots(text, 0, 0).is_some()
    }

    /// The first match.
    pub fn find<'t>(&self, text: &'t str) -> Option<Match<'t>> {
        self.find_at(text, 0)
    }

    /// The first match that begins at `from` or later; what stands before is seen.
    pub fn find_at<'t>(&self, text: &'t str, from: usize) -> Option<Match<'t>> {
        let slots = self.slots(text, from, 1)?;
        Some(Match::new(text, slots[0], slots[1]))
    }

    /// All matches that do not overlap, in order.
    pub fn find_iter<'t>(&self, text: &'t str) -> impl Iterator<Item = Match<'t>> + use<'t> {
        let pattern = *self;
        pattern.all(text, 1).map(move |slots| Match::new(text, slots[0], slots[1]))
    }

    /// The groups of the first match.
    pub fn captures<'t>(&self, text: &'t str) -> Option<Captures<'t>> {
        self.captures_at(text, 0)
    }

    /// The groups of the first match that begins at `from` or later.
    pub fn captures_at<'t>(&self, text: &'t str, from: usize) -> Option<Captures<'t>> {
        let slots = self.slots(text, from, self.program.groups())?;
        Some(Captures::new(text, slots, self.program))
    }

    /// The groups of the match that begins at `at`, if one does; what stands before is seen.
    pub fn captures_anchored<'t>(&self, text: &'t str, at: usize) -> Option<Captures<'t>> {
        let slots = self.anchored(text, at, self.program.groups())?;
        Some(Captures::new(text, slots, self.program))
    }

    /// Where the match ends that begins at `at`, if one does; what stands before is seen.
    pub fn end_at(&self, text: &str, at: usize) -> Option<usize> {
        Some(self.anchored(text, at, 1)?[1])
    }

    /// The groups of all matches that do not overlap, in order.
    pub fn captures_iter<'t>(&self, text: &'t str) -> impl Iterator<Item = Captures<'t>> + use<'t> {
        let pattern = *self;
        pattern
            .all(text, self.program.groups())
            .map(move |slots| Captures::new(text, slots, pattern.program))
    }

    /// What stands between the matches.
    pub fn split<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str> + use<'t> {
        let mut matches = self.find_iter(text);
        let mut from = Some(0);
        std::iter::from_fn(move || {
            let start = from?;
            Some(match matches.next() {
                Some(found) => {
                    from = Some(found.end());
                    &text[start..found.start()]
                }
                None => {
                    from = None;
                    &text[start..]
                }
            })
        })
    }

    /// Where the first `groups` groups of a match begin and end.
    fn slots(&self, text: &str, from: usize, groups: usize) -> Option<Vec<usize>> {
        let mut memory = Memory::taken();
        let slots =
            backtrack::search(self.program, Scope::current(), text, from, groups, &mut memory);
        memory.leave();
        slots
    }

    /// As `slots` for the match that begins at `at`.
    fn anchored(&self, text: &str, at: usize, groups: usize) -> Option<Vec<usize>> {
        let mut memory = Memory::taken();
        let scope = Scope::current();
        let slots = backtrack::anchored(self.program, scope, text, at, groups, &mut memory);
        memory.leave();
        slots
    }

    /// The slots of all matches that do not overlap.
    fn all(self, text: &str, groups: usize) -> impl Iterator<Item = Vec<usize>> + use<'_> {
        let mut from = 0;
        let mut last = None;
        let (mut memory, scope) = (Memory::default(), Scope::current());
        std::iter::from_fn(move || {
            loop {
                let slots =
                    backtrack::search(self.program, scope, text, from, groups, &mut memory)?;
                let (start, end) = (slots[0], slots[1]);
                // An empty match right behind a match is part of that.
                let skipped = start == end && last == Some(end);
                from = end;
                if skipped {
                    from += text[end..].chars().next()?.len_utf8();
                    continue;
                }
                last = Some(end);
                return Some(slots);
            }
        })
    }
}
