//! What language a description is in.

use patterns::{pattern, words};

/// Small words that tell the language of a description, by language.
const TELLING: &[(&str, &str)] = words!("visual.telling");
/// Characters of a description that are looked at.
const LOOKED_AT: usize = 400;
/// Words of a description that is so short that one of them tells its language.
const SHORT: usize = 3;

/// The language of a description, if it is surely another than English. A few nouns with their articles are enough
/// here, since nothing but a description is expected; `guessed` is what the whole text was taken for.
pub fn of(text: &str, guessed: Option<&'static str>) -> Option<&'static str> {
    let lower: String = text.chars().take(LOOKED_AT).collect::<String>().to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).collect();
    let count = |known: &str| {
        words.iter().filter(|word| known.split(' ').any(|other| other == **word)).count()
    };
    let counts: Vec<(usize, &'static str)> =
        TELLING.iter().map(|(tag, known)| (count(known), *tag)).collect();
    let most = counts.iter().map(|(count, _)| *count).max().unwrap_or(0);
    let best: Vec<&'static str> =
        counts.iter().filter(|(count, _)| *count == most).map(|(_, tag)| *tag).collect();
    let known = pattern!(r"^{visual.english}$");
    let english = words.iter().filter(|word| known.is_match(word)).count();
    match (guessed, &best[..]) {
        // Statistics take a list of nouns and names for any language; English words tell it apart.
        (Some(tag), _) if TELLING.iter().all(|(known, _)| *known != tag) => {
            (english < 3).then_some(tag)
        }
        (Some(tag), _) if most <= english => (most == english).then_some(tag),
        // Close relatives are told apart by these words more surely.
        (Some(tag), [first, ..]) => Some(if best.contains(&tag) { tag } else { *first }),
        (None, [only]) if most >= 2 || words.len() <= SHORT => (most > english).then_some(*only),
        _ => None,
    }
}
