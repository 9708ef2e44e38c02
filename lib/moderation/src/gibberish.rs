//! Unreadable text.

use std::collections::HashMap;

use crate::field::{Field, Hit};
use crate::hidden::is_invisible;
use crate::words::regex;

const MESSAGE: &str = "This is not readable text.";

/// Fewest code points of a text that is judged.
const SHORTEST: usize = 20;

/// Rows of common keyboards.
const KEYBOARD: [&str; 6] =
    ["qwertyuiop", "qwertzuiop", "asdfghjkl", "zxcvbnm", "yxcvbnm", "azertyuiop"];

pub(crate) fn find(field: &Field<'_>) -> Vec<Hit> {
    let text = field.folded.trim();
    if !field.text.is_empty() && text.chars().all(|c| c.is_whitespace() || is_invisible(c)) {
        return vec![field.hit("unreadable", 0..field.text.len(), MESSAGE)];
    }
    if text.chars().count() < SHORTEST {
        return Vec::new();
    }
    if broken(text) || one_letter(text) || no_words(text) || typed_blindly(text) || one_word(text) {
        vec![field.hit("unreadable", 0..field.text.len(), MESSAGE)]
    } else {
        Vec::new()
    }
}

/// Whether more than a twentieth are replacement and control characters.
fn broken(text: &str) -> bool {
    let (mut lost, mut all) = (0, 0);
    for character in text.chars() {
        all += 1;
        let control = character.is_control() && !matches!(character, '\n' | '\r' | '\t');
        lost += usize::from(character == '\u{fffd}' || control);
    }
    lost * 20 > all
}

/// Whether one letter is repeated over and over.
fn one_letter(text: &str) -> bool {
    let (mut run, mut longest, mut last) = (0, 0, None);
    for character in text.chars() {
        run = if Some(character) == last && character.is_alphanumeric() { run + 1 } else { 1 };
        longest = longest.max(run);
        last = Some(character);
    }
    longest >= 30 && longest * 3 >= text.chars().count()
}

/// Whether there are signs and digits with hardly a letter, or one long token of encoded data.
fn no_words(text: &str) -> bool {
    // Numbers and the layout of tables and lists are readable; long numbers only in lines.
    let laid_out = regex!(
        r"(?m)^\s*(?:[-*+]|\d{1,6}[.)])\s+(?:\[[ x]\]\s)?|^\s*\|?[\s:|-]*$|\||(?-u:\b)[-+]?\d{1,4}(?:[.,:/-]\d{1,4}){0,4}[%.,;]?(?:\s|$)"
    );
    let figures = regex!(r"(?-u:\b)\d{1,9}(?:[.,]\d{1,9}){0,3}%?(?-u:\b)");
    let mut text = laid_out.replace_all(text, " ").into_owned();
    if text.contains('\n') {
        text = figures.replace_all(&text, " ").into_owned();
    }
    let text = text.as_str();
    let (mut letters, mut others) = (0, 0);
    for character in text.chars().filter(|c| !c.is_whitespace()) {
        // Marks belong to letters; most scripts that need them are after the first blocks.
        if character.is_alphabetic() || (character > '\u{2ff}' && character != '\u{fffd}') {
            letters += 1;
        } else {
            others += 1;
        }
    }
    let encoded = |word: &str| {
        word.len() >= 60
            && word
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=' | b'-' | b'_'))
            && word.bytes().any(|b| b.is_ascii_digit())
    };
    let blob: usize = text.split_whitespace().filter(|word| encoded(word)).map(str::len).sum();
    letters * 5 < others || blob * 5 > text.len() * 4
}

/// Whether there are words without vowels or along the rows of the keyboard.
fn typed_blindly(text: &str) -> bool {
    let words: Vec<&str> = text
        .split(|c: char| !c.is_alphabetic())
        .filter(|word| word.len() >= 4 && word.is_ascii())
        .collect();
    let blind = words.iter().filter(|word| is_blind(word)).count();
    blind >= 4 && blind * 2 > words.len()
}

fn is_blind(word: &str) -> bool {
    let bytes = word.as_bytes();
    let vowel = |byte: &u8| matches!(byte, b'a' | b'e' | b'i' | b'o' | b'u' | b'y');
    let longest = bytes.split(vowel).map(<[u8]>::len).max().unwrap_or(0);
    let along =
        |row: &&str| bytes.windows(4).any(|four| row.as_bytes().windows(4).any(|w| w == four));
    longest >= 5 || !bytes.iter().any(vowel) || KEYBOARD.iter().any(along)
}

/// Whether most of the text is one word.
fn one_word(text: &str) -> bool {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        *counts.entry(word).or_default() += 1;
    }
    let all: usize = counts.values().sum();
    all >= 12 && counts.values().any(|count| count * 10 >= all * 7)
}
