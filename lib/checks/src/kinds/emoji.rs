//! Emoji.

use std::ops::Range;

/// The emoji of a text; those that are joined to one sign are one.
pub fn all(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut joined = false;
    for (at, character) in text.char_indices() {
        let end = at + character.len_utf8();
        match character {
            '\u{200d}' => joined = true,
            // Skin tones, variations and the second half of a flag belong to the sign before.
            '\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}' => {}
            '\u{1f1e6}'..='\u{1f1ff}'
                if found.last().is_some_and(|last| last.end == at && last.len() == 4) =>
            {
                if let Some(last) = found.last_mut() {
                    last.end = end;
                }
            }
            _ if is_emoji(character) => {
                if !joined {
                    found.push(at..end);
                }
                joined = false;
            }
            _ => joined = false,
        }
    }
    found
}

/// Whether a character is shown as a picture where nothing else is said.
fn is_emoji(character: char) -> bool {
    matches!(character,
        '\u{1f000}'..='\u{1faff}'
        | '\u{2600}'..='\u{26ff}'
        | '\u{231a}' | '\u{231b}' | '\u{23e9}'..='\u{23f3}'
        | '\u{2702}'..='\u{2712}' | '\u{2714}' | '\u{2716}' | '\u{2728}'
        | '\u{274c}' | '\u{274e}' | '\u{2753}'..='\u{2757}'
        | '\u{2763}' | '\u{2764}' | '\u{2795}'..='\u{2797}'
        | '\u{2b50}' | '\u{2b55}' | '\u{2b1b}' | '\u{2b1c}')
}
