//! What an operation has asked of language models, in its item: a list `mu` of maps. They have engine `e`, model `m` and
//! the counters, which sums over operations have as well:
//!
//! | counter | counts |
//! |---|---|
//! | `n` | answers |
//! | `i`, `r`, `w` | tokens read; of these, from the provider's cache and written to it |
//! | `o` | tokens written |

use aws_sdk_dynamodb::types::AttributeValue;
use domain::{ModelUsage, TokenUsage};

use crate::{
    StoreError,
    item::{Attributes, ItemReader, count, text},
};

/// The attribute of an operation; absent if it asked none.
pub(super) const MODEL_USAGE: &str = "mu";

/// The counters of a model.
pub(crate) fn counters(tokens: &TokenUsage) -> [(&'static str, u64); 5] {
    [
        ("n", tokens.requests),
        ("i", tokens.input_tokens),
        ("r", tokens.cached_input_tokens),
        ("w", tokens.cache_write_tokens),
        ("o", tokens.output_tokens),
    ]
}

/// What the counters of a model say.
pub(crate) fn tokens(counted: impl Fn(&str) -> u64) -> TokenUsage {
    TokenUsage {
        requests: counted("n"),
        input_tokens: counted("i"),
        cached_input_tokens: counted("r"),
        cache_write_tokens: counted("w"),
        output_tokens: counted("o"),
    }
}

pub(super) fn write(usage: &[ModelUsage]) -> AttributeValue {
    let entries = usage.iter().map(|ModelUsage { engine, model, tokens }| {
        let named = [("e", text(engine)), ("m", text(model))];
        let counted = counters(tokens).map(|(counter, tokens)| (counter, count(tokens)));
        let entry = named.into_iter().chain(counted);
        AttributeValue::M(entry.map(|(name, value)| (name.to_owned(), value)).collect())
    });
    AttributeValue::L(entries.collect())
}

pub(super) fn read(item: &Attributes) -> Result<Vec<ModelUsage>, StoreError> {
    let corrupt = || StoreError::corrupt(MODEL_USAGE);
    let Some(entries) = item.get(MODEL_USAGE) else { return Ok(Vec::new()) };
    let entries = entries.as_l().map_err(|_| corrupt())?.iter();
    entries
        .map(|entry| {
            let reader = ItemReader(entry.as_m().map_err(|_| corrupt())?);
            Ok(ModelUsage {
                engine: reader.text("e")?.to_owned(),
                model: reader.text("m")?.to_owned(),
                tokens: tokens(|counter| reader.large_count(counter)),
            })
        })
        .collect()
}
