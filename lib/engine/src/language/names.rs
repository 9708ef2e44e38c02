//! Names of languages, and the tags that they stand for.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::primary;

/// Characters of a word that is no language we know, when it is put into a prompt.
const LONGEST_UNKNOWN: usize = 20;

/// Names by tag: the English one first, then other English ones and those in the language itself.
type Names = BTreeMap<String, Vec<String>>;

static LANGUAGES: LazyLock<Names> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../knowledge/languages.json"))
        .expect("languages.json is compiled in")
});

/// The same of regions and scripts, whose subtags are in lower case.
static REGIONS: LazyLock<Names> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../knowledge/regions.json"))
        .expect("regions.json is compiled in")
});

/// The subtag with this name.
fn named<'a>(names: &'a Names, name: &str) -> Option<&'a str> {
    let wanted = name.to_lowercase();
    let is_it = |name: &String| name.to_lowercase() == wanted;
    names.iter().find(|(_, names)| names.iter().any(is_it)).map(|(tag, _)| tag.as_str())
}

/// The BCP 47 tag of a language that is given by a tag or by a name, in English or in itself, with or without a
/// region: `de` for `German`, `Deutsch` and `de`; `en-US` for `English (US)`. A language that is not known keeps the
/// word that it was given by.
pub fn language_tag(text: &str) -> String {
    let text = text.trim();
    let words: Vec<&str> =
        text.split(|sign: char| !sign.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    if LANGUAGES.contains_key(primary(text).as_str()) {
        return words.join("-");
    }
    if let Some(tag) = named(&LANGUAGES, text) {
        return tag.to_owned();
    }
    // The name stands before or behind the region: `Portuguese (Brazil)`, `UK English`.
    for count in (1..words.len()).rev() {
        let (first, last) = words.split_at(count);
        for (name, region) in [(first, last), (last, first)] {
            let Some(tag) = named(&LANGUAGES, &name.join(" ")) else { continue };
            let region = region.join(" ");
            return match named(&REGIONS, &region) {
                Some(code) if code.len() == 4 => {
                    format!("{tag}-{}{}", code[..1].to_uppercase(), &code[1..])
                }
                Some(code) => format!("{tag}-{}", code.to_uppercase()),
                None if region.len() == 2 && region.is_ascii() => {
                    format!("{tag}-{}", region.to_uppercase())
                }
                None => tag.to_owned(),
            };
        }
    }
    text.to_owned()
}

/// English name of the language of `tag`; what is not known is named by itself.
pub fn english_name(tag: &str) -> String {
    let wanted = tag.replace('_', "-").to_lowercase();
    if let Some((_, names)) = LANGUAGES.iter().find(|(known, _)| known.to_lowercase() == wanted) {
        return names[0].clone();
    }
    if let Some(names) = LANGUAGES.get(primary(tag).as_str()) {
        let details: Vec<String> = wanted.split('-').skip(1).filter_map(region_name).collect();
        return match details.is_empty() {
            true => names[0].clone(),
            false => format!("{} ({})", names[0], details.join(", ")),
        };
    }
    let word: String = tag
        .chars()
        .filter(|sign| sign.is_alphanumeric() || matches!(sign, '-' | ' '))
        .take(LONGEST_UNKNOWN)
        .collect();
    format!("the language \"{}\"", word.trim())
}

/// English name of a script or region of a language tag, in lower case; other subtags have none.
fn region_name(subtag: &str) -> Option<String> {
    match REGIONS.get(subtag) {
        Some(names) => Some(names[0].clone()),
        None if subtag.len() == 2 => Some(subtag.to_uppercase()),
        None => None,
    }
}

/// Tag of a language by its English name, without a region.
pub fn tag_of(name: &str) -> Option<&'static str> {
    let is_it = |(tag, names): &(&'static String, &'static Vec<String>)| {
        !tag.contains('-') && names[0].eq_ignore_ascii_case(name)
    };
    LANGUAGES.iter().find(is_it).map(|(tag, _)| tag.as_str())
}
