//! Regular expressions that are compiled when they are first used, in the language that is read.
//!
//! [`pattern!`] names an expression; its program is made at its first use, and kept. The language is that of the crate
//! `regex`, whose parser reads it and whose results these are: the leftmost match, and of several there, the one that a
//! backtracking matcher finds first. The matcher of this crate does with programs that take microseconds to make and a
//! few kilobytes to keep.
//!
//! `{group.concept}` in an expression stands for what people say for a concept: the alternatives of the languages that
//! are asked, from the files `knowledge/<language>/*.words` of the workspace. See [`reading`].
//!
//! Steps of a search are spent of the thread's [`budget`].

mod captures;
mod class;
mod program;
mod scope;
mod search;
#[doc(hidden)]
pub mod words;

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

pub use captures::{Captures, Match};
pub use scope::{asks, is_scoped, reading, reading_all};

use program::Program;
use scope::Scope;
use search::{Memory, search};

/// Programs of an expression that are kept, one for each language.
const KEPT: usize = 16;

/// A regular expression, see [`pattern!`].
#[derive(Clone, Copy, Debug)]
pub struct Pattern {
    source: &'static str,
    /// What stands where the expression has `{}`.
    concept: &'static str,
    cache: &'static Cache,
}

/// Concepts with their patterns, see [`table!`].
pub type Table = LazyLock<Vec<(&'static str, Pattern)>>;

/// The programs of an expression, the last used first, each with the languages that it asks; of one without words, none.
#[doc(hidden)]
pub type Cache = Mutex<Vec<(Option<Scope>, Arc<Program>)>>;

/// The program of an expression in some languages, and whether it depends on them.
fn compiled(source: &str, scope: Scope) -> Result<(Program, bool), String> {
    let expanded = words::expanded(source, scope)?;
    Ok((Program::of(&expanded)?, expanded != source))
}

/// Whether an expression is one, in the languages that are asked.
///
/// # Errors
///
/// Says what is wrong with it.
pub fn verify(source: &str) -> Result<(), String> {
    compiled(source, Scope::current()).map(drop)
}

/// A [`Pattern`] from a string literal.
///
/// `{group.concept}` stands for what people say for a concept. What is no regular expression, or names a concept that no
/// language has, panics at its first use; a test compiles all patterns of the workspace.
#[macro_export]
macro_rules! pattern {
    ($source:literal) => {{
        static CACHE: $crate::Cache = $crate::Cache::new(Vec::new());
        $crate::Pattern::new($source, "", &CACHE)
    }};
}

/// `table!("group", "before{}behind")`: each concept of a group with the pattern of what people say for it, which stands
/// where the second literal has braces. The concepts come as the files have them, English first.
#[macro_export]
macro_rules! table {
    ($group:literal, $frame:literal $(,)?) => {{
        static ROWS: $crate::Table = $crate::Table::new(|| $crate::words::rows($group, $frame));
        &ROWS
    }};
}

/// `words!("group.concept")`: what each language says for a concept, with its tag: an alternative a line. A concept that no
/// language has does not compile.
#[macro_export]
macro_rules! words {
    ($name:literal) => {
        const { $crate::words::said($name) }
    };
}

/// `expression!("…{group.concept}…")`: the text of an expression with its words, those of all languages, for the crate
/// `regex`.
#[macro_export]
macro_rules! expression {
    ($source:literal) => {{
        static TEXT: std::sync::LazyLock<String> =
            std::sync::LazyLock::new(|| $crate::words::of_all($source));
        TEXT.as_str()
    }};
}

impl Pattern {
    /// The pattern of an expression, see [`pattern!`] and [`table!`].
    #[doc(hidden)]
    pub const fn new(source: &'static str, concept: &'static str, cache: &'static Cache) -> Self {
        Self { source, concept, cache }
    }

    /// Its program in the languages that are asked.
    ///
    /// # Panics
    ///
    /// It is no expression, or names a concept that no language has.
    fn program(self) -> Arc<Program> {
        let scope = Scope::current();
        let mut kept = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kept.iter().position(|(own, _)| own.is_none_or(|own| own == scope));
        if let Some(place) = known {
            kept[..=place].rotate_right(1);
        } else {
            let source = self.source.replace("{}", &format!("{{{}}}", self.concept));
            let (program, is_scoped) =
                compiled(&source, scope).unwrap_or_else(|why| panic!("{why}"));
            kept.insert(0, (is_scoped.then_some(scope), Arc::new(program)));
            kept.truncate(KEPT);
        }
        kept[0].1.clone()
    }

    /// Whether it matches anywhere.
    pub fn is_match(&self, text: &str) -> bool {
        self.find(text).is_some()
    }

    /// The first match.
    pub fn find<'t>(&self, text: &'t str) -> Option<Match<'t>> {
        self.find_at(text, 0)
    }

    /// The first match that begins at `from` or later; what stands before is seen.
    pub fn find_at<'t>(&self, text: &'t str, from: usize) -> Option<Match<'t>> {
        let slots = search(&self.program(), text, from, 1, false, &mut Memory::of(text))?;
        Some(Match::new(text, slots[0], slots[1]))
    }

    /// All matches that do not overlap, in order.
    pub fn find_iter<'t>(&self, text: &'t str) -> impl Iterator<Item = Match<'t>> + use<'t> {
        all(self.program(), text, 1).map(move |slots| Match::new(text, slots[0], slots[1]))
    }

    /// The groups of the first match.
    pub fn captures<'t>(&self, text: &'t str) -> Option<Captures<'t>> {
        self.captures_iter(text).next()
    }

    /// The groups of the match that begins at `at`, if one does; what stands before is seen.
    pub fn captures_anchored<'t>(&self, text: &'t str, at: usize) -> Option<Captures<'t>> {
        let program = self.program();
        let slots = search(&program, text, at, program.groups(), true, &mut Memory::of(text))?;
        Some(Captures::new(text, slots, program))
    }

    /// Where the match ends that begins at `at`, if one does; what stands before is seen.
    pub fn end_at(&self, text: &str, at: usize) -> Option<usize> {
        Some(search(&self.program(), text, at, 1, true, &mut Memory::of(text))?[1])
    }

    /// The groups of all matches that do not overlap, in order.
    pub fn captures_iter<'t>(&self, text: &'t str) -> impl Iterator<Item = Captures<'t>> + use<'t> {
        let program = self.program();
        all(program.clone(), text, program.groups())
            .map(move |slots| Captures::new(text, slots, program.clone()))
    }

    /// What stands between the matches.
    pub fn split<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str> + use<'t> {
        let mut from = 0;
        let mut parts: Vec<&str> = self
            .find_iter(text)
            .map(|found| &text[std::mem::replace(&mut from, found.end())..found.start()])
            .collect();
        parts.push(&text[from..]);
        parts.into_iter()
    }

    /// The text with something else for all matches.
    pub fn replace_all<T: AsRef<str>>(
        &self,
        text: &str,
        mut by: impl FnMut(&Captures<'_>) -> T,
    ) -> String {
        let (mut result, mut from) = (String::new(), 0);
        for found in self.captures_iter(text) {
            let place = found.get_match();
            result.push_str(&text[from..place.start()]);
            result.push_str(by(&found).as_ref());
            from = place.end();
        }
        result + &text[from..]
    }
}

/// The slots of all matches that do not overlap.
fn all(
    program: Arc<Program>,
    text: &str,
    groups: usize,
) -> impl Iterator<Item = Vec<usize>> + use<'_> {
    let mut from = 0;
    let mut last = None;
    let mut memory = Memory::of(text);
    std::iter::from_fn(move || {
        loop {
            let slots = search(&program, text, from, groups, false, &mut memory)?;
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
