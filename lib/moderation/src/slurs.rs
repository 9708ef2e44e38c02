//! Slurs against people.

use std::sync::LazyLock;

use patterns::expression;

use crate::MOST_PER_FIELD;
use crate::field::{Field, Hit};
use crate::words::Words;

const MESSAGE: &str = "A slur that is aimed at a person must not be published.";

/// A slur with a word that directs it at a person or group.
static AIMED: LazyLock<Words> =
    LazyLock::new(|| Words::new(expression!("{moderation_slurs.aimed}")));

/// Words of sentences that discuss a slur.
static ABOUT: LazyLock<Words> =
    LazyLock::new(|| Words::new(expression!("{moderation_slurs.about}")));

pub(crate) fn find(field: &Field<'_>) -> Vec<Hit> {
    field
        .readings
        .iter()
        .filter(|reading| AIMED.are_in(&reading.text))
        .flat_map(|reading| {
            let aimed = |sentence: std::ops::Range<usize>| {
                let text = &reading.text[sentence.clone()];
                let found = AIMED.pattern().find(text).filter(|_| !ABOUT.are_in(text))?;
                let bytes = sentence.start + found.start()..sentence.start + found.end();
                reading.hit("slur", bytes, MESSAGE)
            };
            reading.sentences().into_iter().filter_map(aimed)
        })
        .take(MOST_PER_FIELD)
        .collect()
}
