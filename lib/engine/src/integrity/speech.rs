//! Telling whether a text was translated.

use ::text::{is_unspaced, language};
use patterns::pattern;

/// Fewer letters than this say too little about their language, unless their script tells it.
const ENOUGH_LETTERS: usize = 40;

/// Tag of the language of a text's prose, `und` when it cannot be told for certain.
pub fn language_of(text: &str) -> &'static str {
    let weight = |c: char| if is_unspaced(c) { 4 } else { usize::from(c.is_alphabetic()) };
    let letters: usize = text.chars().take(10 * ENOUGH_LETTERS).map(weight).sum();
    Some(text).filter(|_| letters >= ENOUGH_LETTERS).and_then(language::told).unwrap_or("und")
}

/// Whether two tags name languages that are surely not the same.
pub fn differ(one: &str, other: &str) -> bool {
    const ALIKE: [&[&str]; 6] = [
        &["nb", "nn", "no", "da", "sv"],
        &["hr", "sr", "bs", "sl", "mk", "bg"],
        &["cs", "sk"],
        &["id", "ms", "tl"],
        &["es", "pt", "gl", "ca"],
        &["ru", "uk", "be"],
    ];
    one != "und"
        && other != "und"
        && one != other
        && !ALIKE.iter().any(|group| group.contains(&one) && group.contains(&other))
}

/// Whether a remark asks for a text in the language of `tag`.
pub fn asks_for(remark: &str, tag: &str) -> bool {
    let remark = remark.to_lowercase();
    language::names(tag).iter().any(|name| remark.contains(&name.to_lowercase()))
        || pattern!(r"{integrity.translate}").is_match(&remark)
}
