//! Letters, signs and capitals.

use std::ops::Range;

use engine::CountParameters;

use super::emoji;
use super::judgement::Judgement;
use crate::Reason;
use crate::output::{Output, is_word, lowered};

/// How often a letter or sign occurs, small or capital.
pub fn frequency(output: &Output<'_>, count: &CountParameters) -> Judgement {
    let Some(sign) = count.of.as_deref().filter(|sign| !sign.is_empty()) else {
        return Judgement::undecided(Reason::Unclear);
    };
    match sign {
        "emoji" => Judgement::places(&emoji::all(output.text), count),
        // A hashtag is more than its sign.
        "#" if !hashtags(output).is_empty() && count.number > 0 => {
            Judgement::places(&hashtags(output), count)
        }
        _ => {
            let sign = lowered(sign);
            let places = output.lower().match_indices(&sign);
            let places: Vec<_> = places.map(|(at, found)| at..at + found.len()).collect();
            Judgement::places(&places, count)
        }
    }
}

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

/// Words of capital letters alone.
pub fn capital_words(output: &Output<'_>, count: &CountParameters) -> Judgement {
    let words = output.words().iter().filter(|word| {
        let word = output.at(word);
        word.chars().any(char::is_uppercase) && !word.chars().any(is_small)
    });
    let words: Vec<_> = words.cloned().collect();
    Judgement::places(&words, count)
}

/// Whether a character is a small letter that has a capital one.
fn is_small(character: char) -> bool {
    character.is_lowercase() && !character.to_uppercase().eq([character])
}

pub fn commas(output: &Output<'_>) -> Judgement {
    first(output, ",", |c| matches!(c, ',' | '，' | '、' | '،' | '﹐' | '､'))
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
