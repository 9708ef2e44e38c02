//! Characters that people do not see but models read.

use std::ops::Range;

use crate::MOST_PER_FIELD;
use crate::field::{Field, Hit};
use crate::words::regex;

const MESSAGE: &str =
    "Invisible characters can hide text from the reader. Remove them and paste plain text.";

/// Consecutive invisible characters that count as hidden content. Scripts and emoji need fewer.
const LONG_RUN: usize = 4;

/// Words split by invisible characters that cannot be an accident of copying.
const MANY_SPLITS: usize = 3;

/// Finds tag characters, hidden bytes, text that is displayed in another order, and split words.
pub(crate) fn find(field: &Field<'_>) -> Vec<Hit> {
    let right_to_left = field.text.chars().any(is_right_to_left);
    // Isolates around a variable only contain the direction of its value.
    let isolated: Vec<usize> =
        regex!(r"[\u{2066}-\u{2068}]\s?(?:\{\{[^{}\n]{1,100}\}\}|\[[^\[\]\n]{1,100}\])\s?\u{2069}")
            .find_iter(field.text)
            .map(|found| found.start())
            .collect();
    let mut hits: Vec<Range<usize>> = Vec::new();
    let mut splits: Vec<Range<usize>> = Vec::new();
    let mut run = 0;
    let (mut before, mut in_flag, mut open) = (None, false, None::<usize>);
    for (at, character) in field.text.char_indices() {
        let here = at..at + character.len_utf8();
        // Emoji spell regional flags with tag characters after a black flag.
        in_flag = character == '\u{1f3f4}' || (in_flag && is_tag(character));
        if is_tag(character) && !in_flag {
            extend(&mut hits, here.clone());
        }
        let reorders = matches!(character, '\u{202d}' | '\u{202e}')
            || (matches!(character, '\u{202a}' | '\u{202b}' | '\u{2066}'..='\u{2068}')
                && !right_to_left
                && isolated.binary_search(&at).is_err());
        if reorders {
            extend(&mut hits, here.clone());
        }
        if is_invisible(character) {
            run += 1;
            let start = *open.get_or_insert(at);
            if run >= LONG_RUN {
                extend(&mut hits, start..here.end);
            }
        } else {
            if let Some(start) = open.take()
                && before.is_some_and(|letter: char| letter.is_ascii_alphabetic())
                && character.is_ascii_alphabetic()
            {
                splits.push(start..at);
            }
            run = 0;
            before = Some(character);
        }
    }
    if splits.len() >= MANY_SPLITS {
        hits.extend(splits);
    }
    hits.into_iter()
        .take(MOST_PER_FIELD)
        .map(|bytes| field.hit("hidden_text", bytes, MESSAGE))
        .collect()
}

/// Adds a place, or extends the last one if they touch.
fn extend(places: &mut Vec<Range<usize>>, place: Range<usize>) {
    match places.last_mut() {
        Some(last) if last.end >= place.start => {
            last.start = last.start.min(place.start);
            last.end = place.end;
        }
        _ => places.push(place),
    }
}

pub(crate) fn is_tag(character: char) -> bool {
    matches!(character, '\u{e0000}'..='\u{e007f}')
}

pub(crate) fn is_invisible(character: char) -> bool {
    matches!(character,
        '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{180e}' | '\u{115f}'
        | '\u{1160}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

fn is_right_to_left(character: char) -> bool {
    matches!(character, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}')
}
