//! Counting tokens.
//!
//! The vocabulary `o200k_base` is compiled in and counts exactly as its publisher's own tokenizer does,
//! in time linear in the text. For models without a public tokenizer that count is multiplied with two
//! factors of the model's family, one for what is written in Latin letters, digits and signs and one
//! for the rest, and labelled approximate. `models.json` has the factors in the name of the tokenizer;
//! `tokenizer.rs` says where they come from. A special token's spelling, such as `<|endoftext|>`, is
//! text like any other.

mod merge;
mod split;
pub mod tokenizer;

use serde::{Deserialize, Serialize};
use unicode_segmentation::UnicodeSegmentation;
use utoipa::ToSchema;

use crate::{TargetModel, TokenEstimate, TokenMethod, catalogue};

/// Steps that it takes to find words, or pieces, for a byte.
const STEPS_A_BYTE: usize = 8;

/// Size of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TextMeasure)]
pub struct Measure {
    /// Unicode code points.
    pub characters: u32,
    /// Words after Unicode Standard Annex #29. A Chinese character and a hiragana count as a word
    /// each, as word processors do; so does every syllable of scripts that write no spaces, such as Thai.
    pub words: u32,
    /// Tokens for the model `Universal`.
    pub tokens: u32,
    /// Tokens for every model of the catalogue, each in one entry.
    pub by_tokenizer: Vec<Count>,
}

/// Tokens of a text for the models that count alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TokenCount)]
pub struct Count {
    /// Tokenizer that counted, with the factors that were applied: `o200k_base*1.25:1.50` is 1.25 times
    /// the tokens of text in Latin letters, digits and signs and 1.5 times the others, rounded up.
    #[schema(example = "o200k_base")]
    pub tokenizer: String,
    /// Tokens.
    pub tokens: u32,
    /// Whether it is the models' own tokenizer.
    pub method: TokenMethod,
    /// Names of the models, in the order of the catalogue.
    #[schema(example = json!(["Universal"]))]
    pub models: Vec<String>,
}

/// Counts the tokens that `text` takes as input of `target`, without what a vendor adds around a message.
///
/// The count is exact for models whose tokenizer is public and approximate for the rest.
pub fn estimate(text: &str, target: TargetModel) -> TokenEstimate {
    let tokenizer = &target.model().tokenizer;
    TokenEstimate {
        input: tokenizer.scale(count(text)),
        method: tokenizer.method(),
        tokenizer: tokenizer.name().to_owned(),
    }
}

/// Measures `text` in characters, words and tokens.
pub fn measure(text: &str) -> Measure {
    let tokens = count(text);
    budget::spend(STEPS_A_BYTE * text.len());
    Measure {
        characters: saturated(text.chars().count()),
        words: saturated(text.unicode_words().count()),
        tokens: TargetModel::default().model().tokenizer.scale(tokens),
        by_tokenizer: group(tokens),
    }
}

/// Tokens by `o200k_base`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tokens {
    /// Of pieces in Latin letters, digits and signs.
    latin: u32,
    /// Of all others.
    other: u32,
}

/// Tokens of `text` by `o200k_base`.
fn count(text: &str) -> Tokens {
    let mut merger = merge::Merger::default();
    let mut tokens = Tokens::default();
    for piece in split::pieces(text) {
        budget::spend(STEPS_A_BYTE * piece.len());
        let sum = if piece.chars().all(is_latin) { &mut tokens.latin } else { &mut tokens.other };
        *sum = sum.saturating_add(saturated(merger.count(piece.as_bytes())));
    }
    tokens
}

/// Whether `character` is a Latin letter, an ASCII character, or punctuation of all scripts.
fn is_latin(character: char) -> bool {
    matches!(character, '\0'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' | '\u{2000}'..='\u{206f}')
}

/// What `tokens` are for every model.
fn group(tokens: Tokens) -> Vec<Count> {
    let mut counts: Vec<Count> = Vec::new();
    for model in catalogue() {
        let tokenizer = &model.tokenizer;
        match counts.iter_mut().find(|count| count.tokenizer == tokenizer.name()) {
            Some(count) => count.models.push(model.name.clone()),
            None => counts.push(Count {
                tokenizer: tokenizer.name().to_owned(),
                tokens: tokenizer.scale(tokens),
                method: tokenizer.method(),
                models: vec![model.name.clone()],
            }),
        }
    }
    counts
}

fn saturated(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
