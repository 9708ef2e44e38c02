//! Slurs against people.

use std::sync::LazyLock;

use crate::MOST_PER_FIELD;
use crate::field::{Field, Hit};
use crate::words::Words;

const MESSAGE: &str = "A slur that is aimed at a person must not be published.";

const SLURS: &str = r"niggers?|niggas|faggots?|kikes?|spics?|chinks?|gooks?|wetbacks?|trann(?:y|ies)
    |ragheads?|towelheads?|pakis?|retards?
    |kanaken?|neger|judensau|schwuchteln?|kameltreiber|zigeunerpack
    |bougnoules?|negres?|youpins?|bicots?|pedes?|tarlouzes?|sudacas?|maricon(?:es)?|negratas?|panchitos?
    |froci[oa]?|ricchion[ei]|negri";

/// A slur with a word that directs it at a person or group.
static AIMED: LazyLock<Words> = LazyLock::new(|| {
    Words::new(&[
        r"(?:you|u|your|you're|he is|she is|they are|him|her|them|those|these|dirty|filthy|fucking
            |stupid|bloody|disgusting|all|du|ihr|dich|dreck\w*|scheis\w*|verdammt\w*|sales?|tu es|toi
            |espece de|put[oa]s?|maldit[oa]s?|eres|sois|son|asqueros[oa]s?|sporc(?:o|a|hi|he)|maledett[oaie]|sei|siete|schifos[oaie])
        (?: an?| un| una| ein)?(?: \w+)? (?:",
        SLURS,
        r")|(?:",
        SLURS,
        r") d[ei] mi?erd[ae]|sporc(?:o|hi) negr[oi]",
    ])
});

/// Words of sentences that discuss a slur.
static ABOUT: LazyLock<Words> = LazyLock::new(|| {
    Words::new(&[
        r"slurs?|the (?:word|term)s?|label|classif\w*|etymolog\w*|moderat\w*|filter|histor\w*|quot\w*
            |das wort|begriff|le mot|la palabra|insultos racistas|fire retard\w*",
    ])
});

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
