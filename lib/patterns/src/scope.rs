//! The languages whose words are asked.

use std::cell::Cell;

/// Languages that are asked at once at most.
const MOST: usize = 2;

/// The tag of a language, without its region; empty for what is none.
type Tag = [u8; 2];

/// The languages that are asked; all where there are none given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope(Option<[Tag; MOST]>);

thread_local! {
    static SCOPE: Cell<Scope> = const { Cell::new(Scope::ALL) };
}

impl Scope {
    /// All languages.
    pub const ALL: Self = Self(None);

    /// The scope of this thread.
    pub fn current() -> Self {
        SCOPE.get()
    }

    /// Whether the words of the language with this tag are asked; those of `any` always are.
    pub fn asks(self, tag: &str) -> bool {
        tag == "any" || self.0.is_none_or(|languages| languages.contains(&language(tag)))
    }
}

/// Restores the scope before.
struct Before(Scope);

impl Drop for Before {
    fn drop(&mut self) {
        SCOPE.set(self.0);
    }
}

/// Reads texts in the languages with these tags, two at most: patterns ask the words of these and those that every
/// language has. A tag that is no language asks for nothing more. Outside of any scope all languages are asked.
pub fn reading<T>(tags: &[&str], read: impl FnOnce() -> T) -> T {
    let mut languages = [Tag::default(); MOST];
    for (place, tag) in languages.iter_mut().zip(tags) {
        *place = language(tag);
    }
    // The order does not matter, nor a language that is named twice.
    languages.sort_unstable();
    if languages[0] == languages[1] {
        languages[0] = Tag::default();
    }
    within(Scope(Some(languages)), read)
}

/// Asks all languages, for what may stand in any text in another one: whoever attacks a model chooses the language.
pub fn reading_all<T>(read: impl FnOnce() -> T) -> T {
    within(Scope::ALL, read)
}

fn within<T>(scope: Scope, read: impl FnOnce() -> T) -> T {
    let _before = Before(SCOPE.replace(scope));
    read()
}

/// Whether the words of the language with this tag are asked; those of `any` always are.
pub fn asks(tag: &str) -> bool {
    Scope::current().asks(tag)
}

/// Whether it is told which languages are asked.
pub fn is_scoped() -> bool {
    Scope::current() != Scope::ALL
}

fn language(tag: &str) -> Tag {
    let tag = tag.split(['-', '_']).next().unwrap_or_default();
    tag.as_bytes().try_into().unwrap_or_default()
}
