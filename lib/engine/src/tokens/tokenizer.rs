//! Names of tokenizers.

use serde::Deserialize;

use super::Tokens;
use crate::TokenMethod;

/// How the tokens of a model are counted: by `o200k_base`, its own tokenizer, or by a name such as
/// `o200k_base*1.25:1.50`, which stands for 1.25 times the tokens in Latin letters, digits and signs
/// and 1.5 times the others, rounded up.
///
/// The factors come from comparing counts: those by the newest vocabulary of the family that is published
/// and those by `o200k_base`, over 541 English prompts, source code, JSON, Markdown and program messages
/// in 20 languages. They are set so that no estimate is too low for English, code and the languages
/// that most prompts are written in; where that does not hold is the last column. English and code are
/// estimated 3 to 27 % too high.
///
/// | Family | Compared with | Factors | Estimates that were too low |
/// |---|---|---|---|
/// | Gemini | Gemma 3 | `1.15:1.15` | none |
/// | Mistral, FLUX | Tekken of 2024-09 | `1.15:1.25` | Thai by 2 % |
/// | Qwen | Qwen 3.6 | `1.10:1.25` | Hindi by 4 % |
/// | DeepSeek | DeepSeek V4 | `1.20:1.25` | Vietnamese by 7 %, Turkish 11 %, Hindi 26 % |
/// | Kimi | Kimi K2, the same as K3 | `1.25:1.60` | Turkish by 3 %, Hindi 5 %, Thai 10 %, Vietnamese 21 % |
/// | GLM | GLM-5 | `1.15:1.25` | Indonesian by 1 %, Thai 36 %, Hebrew 40 %, Hindi 51 % |
/// | Claude | Claude 2 | `1.40:2.00` | Turkish by 6 %, Arabic 25 %, Vietnamese 30 %, Greek 32 %, Hindi 39 %, Thai 48 % |
/// | others | none published: the widest of the above that was measured | `1.25:1.60` | not known |
///
/// Claude's newer tokenizers are not published. They are announced to need up to 1.35 times as many tokens
/// as older ones, so its first factor is wider than Claude 2 alone asks for.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct Tokenizer {
    name: String,
    /// None for the tokenizer itself.
    factors: Option<Factors>,
}

/// Factors in hundredths.
#[derive(Clone, Copy, Debug)]
struct Factors {
    latin: u32,
    other: u32,
}

impl Tokenizer {
    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it counts exactly.
    pub fn method(&self) -> TokenMethod {
        match self.factors {
            None => TokenMethod::Exact,
            Some(_) => TokenMethod::Approximate,
        }
    }

    /// Its count of a text of `tokens`.
    pub fn scale(&self, tokens: Tokens) -> u32 {
        let Factors { latin, other } = self.factors.unwrap_or(Factors { latin: 100, other: 100 });
        let [latin, other] = [(tokens.latin, latin), (tokens.other, other)]
            .map(|(tokens, hundredths)| u64::from(tokens) * u64::from(hundredths));
        u32::try_from((latin + other).div_ceil(100)).unwrap_or(u32::MAX)
    }
}

/// A name that stands for no way to count.
#[derive(Debug, thiserror::Error)]
#[error("there is no tokenizer named {0:?}")]
pub struct UnknownTokenizer(String);

impl TryFrom<String> for Tokenizer {
    type Error = UnknownTokenizer;

    fn try_from(name: String) -> Result<Self, UnknownTokenizer> {
        if name == "o200k_base" {
            return Ok(Self { name, factors: None });
        }
        match name.strip_prefix("o200k_base*").and_then(factors) {
            Some(factors) => Ok(Self { name, factors: Some(factors) }),
            None => Err(UnknownTokenizer(name)),
        }
    }
}

fn factors(text: &str) -> Option<Factors> {
    let (latin, other) = text.split_once(':')?;
    Some(Factors { latin: hundredths(latin)?, other: hundredths(other)? })
}

/// A number with two decimals, in hundredths.
fn hundredths(number: &str) -> Option<u32> {
    let (whole, decimals) = number.split_once('.')?;
    let decimals = Some(decimals).filter(|decimals| decimals.len() == 2)?;
    whole.parse::<u32>().ok()?.checked_mul(100)?.checked_add(decimals.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scaled(name: &str, latin: u32, other: u32) -> u32 {
        let tokenizer = Tokenizer::try_from(name.to_owned()).expect("a tokenizer");
        tokenizer.scale(Tokens { latin, other })
    }

    #[test]
    fn factors_apply_to_their_script_and_round_up_once() {
        assert_eq!(scaled("o200k_base", 3, 4), 7);
        assert_eq!(scaled("o200k_base*1.25:1.60", 100, 0), 125);
        assert_eq!(scaled("o200k_base*1.25:1.60", 0, 100), 160);
        assert_eq!(scaled("o200k_base*1.25:1.60", 1, 1), 3);
        assert_eq!(scaled("o200k_base*2.00:2.00", u32::MAX, u32::MAX), u32::MAX);
    }

    #[test]
    fn other_names_are_refused() {
        for name in ["", "cl100k_base", "o200k_base*", "o200k_base*1.20", "o200k_base*1.2:1.20"] {
            assert!(Tokenizer::try_from(name.to_owned()).is_err(), "{name:?}");
        }
    }
}
