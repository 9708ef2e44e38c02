//! Capital and small letters, and hashtags.

use std::ops::Range;

use super::judgement::Judgement;
use crate::Reason;
use crate::output::{Output, is_word};

/// Words with a number sign before them.
pub fn hashtags(output: &Output<'_>) -> Vec<Range<usize>> {
    let text = output.text;
    let mut found = Vec::new();
    for (at, _) in text.match_indices('#') {
        let before = text[..at].chars().next_back();
        let tag: usize =
            text[at + 1..].chars().take_while(|c| is_word(*c)).map(char::len_utf8).sum();
        if tag > 0 && before.is_none_or(|c| !is_word(c) && c != '&' && c != '/' && c != '#') {
            found.push(at..at + 1 + tag);
        }
    }
    found
}

/// Whether a character is a small letter that has a capital one.
fn is_small(character: char) -> bool {
    character.is_lowercase() && !character.to_uppercase().eq([character])
}

pub fn lowercase(output: &Output<'_>) -> Judgement {
    if !output.text.chars().any(|c| c.is_lowercase() || c.is_uppercase()) {
        return Judgement::undecided(Reason::Unmarked);
    }
    first(output, "a–z", char::is_uppercase)
}

pub fn uppercase(output: &Output<'_>) -> Judgement {
    if !output.text.chars().any(|c| c.is_lowercase() || c.is_uppercase()) {
        return Judgement::undecided(Reason::Unmarked);
    }
    first(output, "A–Z", is_small)
}

/// Passes if no character is of a sort.
fn first(output: &Output<'_>, wanted: &str, is_of: impl Fn(char) -> bool) -> Judgement {
    let mut places = output.text.char_indices().filter(|(_, c)| is_of(*c));
    let first = places.next();
    let number = usize::from(first.is_some()) + places.count();
    let place = first.map(|(at, character)| at..at + character.len_utf8());
    Judgement::absent(wanted, place).found(number.to_string())
}
