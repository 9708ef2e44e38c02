//! Words.

use std::ops::Range;

use unicode_normalization::char::is_combining_mark;

/// The words of a text, in one pass.
pub fn words(text: &str) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut open: Option<usize> = None;
    let mut characters = text.char_indices().peekable();
    let mut before = ' ';
    while let Some((at, character)) = characters.next() {
        let end = at + character.len_utf8();
        if is_unspaced(character) {
            words.extend(open.take().map(|start| start..at));
            // A mark belongs to the character before it.
            if !is_combining_mark(character) {
                words.push(at..end);
            }
        } else if is_word(character) {
            open.get_or_insert(at);
        } else if let Some(start) = open {
            let next = characters.peek().map_or(' ', |(_, next)| *next);
            if !joins(before, character, next) {
                words.push(start..at);
                open = None;
            }
        }
        before = character;
    }
    words.extend(open.map(|start| start..text.len()));
    words
}

/// Whether a sign between two characters makes one word of them: "don't", "3.5", "1,000".
fn joins(before: char, sign: char, next: char) -> bool {
    match sign {
        '\'' | '’' | '\u{ad}' => is_word(before) && is_word(next),
        '.' | ',' | ':' => before.is_ascii_digit() && next.is_ascii_digit(),
        _ => false,
    }
}

/// Whether a character is part of a word.
pub fn is_word(character: char) -> bool {
    character.is_alphanumeric()
        || character == '_'
        || character >= '\u{300}' && is_combining_mark(character)
}

/// Whether a character is of a word that may go on.
pub fn is_joined(character: char) -> bool {
    is_word(character) && !is_unspaced(character)
}

/// Whether a character is of a script that puts no spaces between words: Han, kana and bopomofo. Each of them counts as a
/// word.
pub const fn is_unspaced(character: char) -> bool {
    matches!(character,
        '\u{2e80}'..='\u{2fdf}' | '\u{3005}'..='\u{3007}' | '\u{3021}'..='\u{3029}' | '\u{3031}'..='\u{3035}'
        | '\u{3041}'..='\u{3096}' | '\u{309d}'..='\u{309f}' | '\u{30a1}'..='\u{30fa}' | '\u{30fd}'..='\u{312f}'
        | '\u{31a0}'..='\u{31bf}' | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9d}' | '\u{20000}'..='\u{2fffd}' | '\u{30000}'..='\u{3fffd}')
}
