//! Removes disguises from a text: hidden characters, look-alike letters, separated letters.

use std::ops::Range;

use crate::field::{Hit, sentences};
use crate::hidden::{is_invisible, is_tag};

/// Consecutive single letters that count as a separated word.
const APART: usize = 4;

/// Most words of a line that is broken inside a phrase.
const SHORT_LINE: usize = 3;

/// A text as people read it, folded, with its offsets in the original.
pub(crate) struct NormalizedText {
    pub(crate) text: String,
    /// For each byte of the text, the index of its code point in the original.
    places: Vec<usize>,
}

/// A code point with its index in the original.
#[derive(Clone, Copy)]
struct Letter {
    folded: char,
    written: char,
    place: usize,
}

impl NormalizedText {
    /// Normalizes `written`, whose folded form is `folded`, code point for code point.
    pub(crate) fn new(written: &str, folded: &str) -> Self {
        let letters = written
            .chars()
            .zip(folded.chars())
            .enumerate()
            .filter(|(_, (written, _))| is_read(*written))
            .map(|(place, (written, folded))| Letter { folded: styled(folded), written, place })
            .collect();
        let letters = spaced(&drawn_together(&latin(letters)));
        let mut reading = Self { text: String::new(), places: Vec::new() };
        for letter in letters {
            reading.text.push(letter.folded);
            reading.places.resize(reading.text.len(), letter.place);
        }
        reading
    }

    /// The text with digits and signs in words replaced by the letters that they imitate; `None` if
    /// there are none.
    pub(crate) fn figures_as_letters(&self) -> Option<Self> {
        let mut bytes = self.text.clone().into_bytes();
        let mut start = 0;
        while start < bytes.len() {
            let word = bytes[start..].iter().take_while(|byte| is_of_word(**byte)).count();
            let within = &mut bytes[start..start + word];
            if within.windows(3).any(|three| {
                three[0].is_ascii_alphabetic()
                    && figure(three[1]).is_some()
                    && (three[2].is_ascii_alphabetic() || figure(three[2]).is_some())
            }) {
                let kept = within.iter().rev().take_while(|byte| **byte == b'!').count();
                for byte in &mut within[..word - kept] {
                    *byte = figure(*byte).unwrap_or(*byte);
                }
            }
            start += word + 1;
        }
        let text = String::from_utf8(bytes).ok()?;
        (text != self.text).then(|| Self { text, places: self.places.clone() })
    }

    /// Byte ranges of the text's sentences, in order and without gaps.
    pub(crate) fn sentences(&self) -> Vec<Range<usize>> {
        sentences(&self.text)
    }

    /// A hit at a byte range of the text; `None` if it is empty.
    pub(crate) fn hit(
        &self,
        rule_id: &'static str,
        bytes: Range<usize>,
        message: &'static str,
    ) -> Option<Hit> {
        let start = *self.places.get(bytes.start)?;
        let end = self.places.get(bytes.end.checked_sub(1)?)? + 1;
        (start < end).then_some(Hit { rule_id, start, end, message })
    }
}

/// Whether the character is visible on its own.
fn is_read(character: char) -> bool {
    !(is_invisible(character)
        || is_tag(character)
        || matches!(character, '\u{ad}' | '\u{300}'..='\u{36f}' | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'))
}

/// The plain letter of a mathematical or circled one.
fn styled(character: char) -> char {
    let code = u32::from(character);
    let letter = match character {
        '\u{1d400}'..='\u{1d6a3}' => (code - 0x1d400) % 26,
        'Ⓐ'..='ⓩ' => (code - 0x24b6) % 26,
        '\u{1f130}'..='\u{1f149}' => code - 0x1f130,
        _ => return character,
    };
    char::from_u32(u32::from(b'a') + letter).unwrap_or(character)
}

/// The Latin letter that a Cyrillic or Greek one looks like (after Unicode TR 39).
fn look_alike(character: char) -> Option<char> {
    Some(match character {
        'а' | 'А' | 'α' | 'Α' => 'a',
        'в' | 'В' | 'Β' | 'β' => 'b',
        'с' | 'С' | 'ϲ' => 'c',
        'ԁ' => 'd',
        'е' | 'Е' | 'ё' | 'ε' | 'Ε' => 'e',
        'ɡ' => 'g',
        'н' | 'Н' | 'һ' | 'Η' => 'h',
        'і' | 'І' | 'ı' | 'ι' | 'Ι' | 'ї' => 'i',
        'ј' | 'Ј' => 'j',
        'к' | 'К' | 'κ' | 'Κ' => 'k',
        'ӏ' | 'Ӏ' => 'l',
        'м' | 'М' | 'Μ' => 'm',
        'п' | 'η' | 'Ν' => 'n',
        'о' | 'О' | 'ο' | 'Ο' | 'σ' => 'o',
        'р' | 'Р' | 'ρ' | 'Ρ' => 'p',
        'ԛ' => 'q',
        'г' => 'r',
        'ѕ' | 'Ѕ' => 's',
        'т' | 'Т' | 'τ' | 'Τ' => 't',
        'υ' => 'u',
        'ν' => 'v',
        'ԝ' | 'ω' => 'w',
        'х' | 'Х' | 'χ' | 'Χ' => 'x',
        'у' | 'У' | 'Υ' | 'γ' => 'y',
        'Ζ' => 'z',
        _ => return None,
    })
}

/// Converts words of two alphabets, and words of look-alikes in a Latin text, to Latin letters.
fn latin(mut letters: Vec<Letter>) -> Vec<Letter> {
    let (mut ascii, mut all) = (0, 0);
    for letter in letters.iter().filter(|letter| letter.folded.is_alphabetic()) {
        ascii += usize::from(letter.folded.is_ascii());
        all += 1;
    }
    if ascii == all {
        return letters;
    }
    for word in
        letters.chunk_by_mut(|a, b| a.folded.is_alphanumeric() == b.folded.is_alphanumeric())
    {
        let mixed = word.iter().any(|letter| letter.folded.is_ascii_alphabetic());
        let looks =
            |letter: &Letter| letter.folded.is_ascii() || look_alike(letter.folded).is_some();
        if mixed || (ascii * 2 > all && word.iter().all(looks)) {
            for letter in word {
                letter.folded = look_alike(letter.folded).unwrap_or(letter.folded);
            }
        }
    }
    letters
}

/// Removes the signs between single letters: `b.o.m.b` is a word.
fn drawn_together(letters: &[Letter]) -> Vec<Letter> {
    let mut read = Vec::with_capacity(letters.len());
    let mut at = 0;
    while at < letters.len() {
        let joined = apart(letters, at);
        if joined >= APART {
            read.extend(letters[at..].iter().step_by(2).take(joined));
            at += 2 * joined - 1;
        } else {
            let next = (2 * joined).max(3) - 2;
            read.extend_from_slice(&letters[at..at + next]);
            at += next;
        }
    }
    read
}

/// The number of single letters from `at` on with the same sign between them.
fn apart(letters: &[Letter], at: usize) -> usize {
    let is_part = |at: usize| letters.get(at).is_some_and(|l| l.folded.is_ascii_alphanumeric());
    let separator = |at: usize| {
        letters.get(at).map(|l| l.folded).filter(|sign| {
            matches!(sign, '.' | '-' | '_' | '*' | '·' | '|' | '/' | '+' | '~' | ' ')
        })
    };
    if !is_part(at) || letters[at].folded.is_ascii_digit() || (at > 0 && is_part(at - 1)) {
        return 0;
    }
    let Some(sign) = separator(at + 1) else { return 0 };
    let mut count = 1;
    while separator(at + 2 * count - 1) == Some(sign)
        && is_part(at + 2 * count)
        && !is_part(at + 2 * count + 1)
    {
        count += 1;
    }
    count
}

/// Reduces repeated spaces, and a line break inside a phrase, to one space.
fn spaced(letters: &[Letter]) -> Vec<Letter> {
    let mut read: Vec<Letter> = Vec::with_capacity(letters.len());
    let mut words = 0;
    let mut end = 0;
    for group in letters.chunk_by(|a, b| a.folded.is_whitespace() == b.folded.is_whitespace()) {
        let [first, ..] = group else { continue };
        end += group.len();
        if !first.folded.is_whitespace() {
            words += 1;
            read.extend_from_slice(group);
            continue;
        }
        let breaks = group.iter().filter(|letter| letter.folded == '\n').count();
        let goes_on = breaks == 1 && goes_on(&read, words, &letters[end..]);
        // A word that is hyphenated at the end of a line.
        let next_is_small = letters.get(end).is_some_and(|next| next.written.is_lowercase());
        if let [.., letter, hyphen] = read[..]
            && (breaks, hyphen.folded, next_is_small) == (1, '-', true)
            && letter.folded.is_alphabetic()
        {
            read.pop();
            continue;
        }
        let folded = if breaks == 0 || goes_on { ' ' } else { '\n' };
        if breaks > 0 {
            words = 0;
        }
        read.push(Letter { folded, ..*first });
    }
    read
}

/// Whether a phrase continues after a line break: in lower case, or between two short lines.
fn goes_on(before: &[Letter], words: usize, after: &[Letter]) -> bool {
    let open = before.last().is_some_and(|last| last.folded.is_alphanumeric());
    let Some(next) = after.first().filter(|next| next.folded.is_alphanumeric()) else {
        return false;
    };
    let short = || {
        let line = after.iter().take(80).take_while(|letter| letter.folded != '\n');
        line.filter(|letter| letter.folded.is_whitespace()).count() < SHORT_LINE
    };
    open && (next.written.is_lowercase() || (words <= SHORT_LINE && short()))
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'@' | b'$' | b'!')
}

/// The letter that a digit or sign imitates.
pub(crate) fn figure(byte: u8) -> Option<u8> {
    Some(match byte {
        b'0' => b'o',
        b'1' | b'!' => b'i',
        b'3' => b'e',
        b'4' | b'@' => b'a',
        b'5' | b'$' => b's',
        b'7' => b't',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::fold;

    fn read(text: &str) -> NormalizedText {
        NormalizedText::new(text, &fold(text))
    }

    #[test]
    fn disguises_come_off() {
        for (written, text) in [
            ("b\u{200b}o\u{ad}mb", "bomb"),
            ("bоmb", "bomb"),
            ("p.i.p.e b.o.m.b", "pipe bomb"),
            ("p i p e  b o m b", "pipe bomb"),
            ("ransom-\nware", "ransomware"),
            ("How to\nbuild\na pipe", "how to build a pipe"),
            ("𝐛𝐨𝐦𝐛 ⓑⓞⓜⓑ", "bomb bomb"),
        ] {
            assert_eq!(read(written).text, text, "{written:?}");
        }
    }

    #[test]
    fn what_is_no_disguise_stays() {
        for text in ["версия 2", "e.g. u.s.a. x", "one thing.\nother", "a list:\n- one\n- two"]
        {
            assert_eq!(read(text).text, text);
        }
    }

    #[test]
    fn figures_within_words_are_letters() {
        let read = |text| read(text).figures_as_letters().map(|reading| reading.text);
        assert_eq!(read("a b0mb, r4ns0mw4re!").as_deref(), Some("a bomb, ransomware!"));
        assert_eq!(read("mp3 in 2026, covid19, 14yo"), None);
    }

    #[test]
    fn a_hit_points_at_what_was_written() {
        let text = "ü b\u{200b}o.x b.o.m.b";
        let reading = read(text);
        let at = reading.text.find("bomb").expect("the word");
        let hit = reading.hit("weapons", at..at + 4, "").expect("a place");
        let quote: String = text.chars().skip(hit.start).take(hit.end - hit.start).collect();
        assert_eq!(quote, "b.o.m.b");
    }
}
