//! Counting tokens.

use crate::{TargetModel, TokenEstimate, TokenMethod};

/// Name of the tokenizer that counts for models without a public one.
const TOKENIZER: &str = "o200k_base";
/// Name given to a count by length.
const BY_LENGTH: &str = "characters/4";
/// Byte-pair merging is quadratic in the length of one unbroken piece; longer pieces are counted by length.
const LONGEST_PIECE: usize = 256;

/// Counts the tokens that `text` takes as input of `target`.
///
/// The count is exact for models whose tokenizer is public and approximate for the rest. A text with an
/// unbroken run of more than 256 characters is always approximate: its runs are counted by length,
/// because byte-pair encoding slows down quadratically there.
pub fn estimate(text: &str, target: TargetModel) -> TokenEstimate {
    let exact = target.model().tokenizer.as_deref() == Some(TOKENIZER);
    if has_long_piece(text) {
        return TokenEstimate {
            input: count_by_length(text),
            method: TokenMethod::Approximate,
            tokenizer: BY_LENGTH.to_owned(),
        };
    }
    let tokens = tiktoken_rs::o200k_base_singleton().encode_ordinary(text);
    TokenEstimate {
        input: u32::try_from(tokens.len()).unwrap_or(u32::MAX),
        method: if exact { TokenMethod::Exact } else { TokenMethod::Approximate },
        tokenizer: TOKENIZER.to_owned(),
    }
}

/// Whether `text` has a run without a change of character class longer than [`LONGEST_PIECE`].
fn has_long_piece(text: &str) -> bool {
    let mut class = None;
    let mut length = 0;
    for character in text.chars() {
        let this = Class::of(character);
        length = if class == Some(this) { length + 1 } else { 1 };
        class = Some(this);
        if length > LONGEST_PIECE {
            return true;
        }
    }
    false
}

/// Characters that the tokenizer keeps in one piece.
#[derive(Clone, Copy, PartialEq)]
enum Class {
    Space,
    Word,
    Other,
}

impl Class {
    fn of(character: char) -> Self {
        if character.is_whitespace() {
            Self::Space
        } else if character.is_alphabetic() {
            Self::Word
        } else {
            // Marks join letters and symbols alike, so they are kept with the longer class.
            Self::Other
        }
    }
}

/// One token per four ASCII characters and per other character: never far below the true count.
fn count_by_length(text: &str) -> u32 {
    let (ascii, other) = text.chars().fold((0usize, 0usize), |(ascii, other), c| {
        if c.is_ascii() { (ascii + 1, other) } else { (ascii, other + 1) }
    });
    u32::try_from(ascii.div_ceil(4) + other).unwrap_or(u32::MAX)
}
