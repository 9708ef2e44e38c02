//! What an operation has asked of language models, in its item: a list `mu` of maps.

use aws_sdk_dynamodb::types::AttributeValue;
use domain::{ModelUsage, TokenUsage};

use crate::{
    StoreError,
    item::{Attributes, ItemReader, count, text},
};

/// The attribute of an operation; absent if it asked none.
pub(super) const MODEL_USAGE: &str = "mu";

pub(super) fn write(usage: &[ModelUsage]) -> AttributeValue {
    let entries = usage.iter().map(|ModelUsage { engine, model, tokens }| {
        AttributeValue::M(Attributes::from([
            ("e".to_owned(), text(engine)),
            ("m".to_owned(), text(model)),
            ("n".to_owned(), count(tokens.requests)),
            ("i".to_owned(), count(tokens.input_tokens)),
            ("r".to_owned(), count(tokens.cached_input_tokens)),
            ("w".to_owned(), count(tokens.cache_write_tokens)),
            ("o".to_owned(), count(tokens.output_tokens)),
        ]))
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
                tokens: TokenUsage {
                    requests: reader.large_count("n"),
                    input_tokens: reader.large_count("i"),
                    cached_input_tokens: reader.large_count("r"),
                    cache_write_tokens: reader.large_count("w"),
                    output_tokens: reader.large_count("o"),
                },
            })
        })
        .collect()
}
