//! The languages whose words are asked.

use std::cell::Cell;

/// Languages that are asked at once at most.
const MOST: usize = 2;
/// A number that no language has.
const NONE: u32 = u32::MAX;

/// The languages that are asked, by number; all where there are none given.
#[derive(Clone, Copy, Debug)]
pub struct Scope(Option<[u32; MOST]>);

thread_local! {
    static SCOPE: Cell<Scope> = const { Cell::new(Scope(None)) };
}

impl Scope {
    /// The scope of this thread.
    pub fn current() -> Self {
        SCOPE.get()
    }

    /// Whether the language with a number is asked.
    #[inline]
    pub fn asks(self, language: u32) -> bool {
        self.0.is_none_or(|languages| languages.contains(&language))
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
    let mut languages = [NONE; MOST];
    for (language, tag) in languages.iter_mut().zip(tags) {
        *language = number(tag);
    }
    within(Scope(Some(languages)), read)
}

/// Asks all languages, for what may stand in any text in another one: whoever attacks a model chooses the language.
pub fn reading_all<T>(read: impl FnOnce() -> T) -> T {
    within(Scope(None), read)
}

fn within<T>(scope: Scope, read: impl FnOnce() -> T) -> T {
    let _before = Before(SCOPE.replace(scope));
    read()
}

/// Whether the words of the language with this tag are asked; those of `any` always are.
pub fn asks(tag: &str) -> bool {
    tag == "any" || Scope::current().asks(number(tag))
}

/// Whether it is told which languages are asked.
pub fn is_scoped() -> bool {
    Scope::current().0.is_some()
}

/// The number of a language by its tag of two letters, as in `node.rs` of the crate `patterns-macros`.
fn number(tag: &str) -> u32 {
    match tag.split(['-', '_']).next().unwrap_or_default().as_bytes() {
        [first @ b'a'..=b'z', second @ b'a'..=b'z'] => {
            u32::from(first - b'a') * 26 + u32::from(second - b'a')
        }
        _ => NONE,
    }
}
