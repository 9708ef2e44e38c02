//! Names of languages, and the tags that they stand for.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::primary;

/// Most characters that a prompt quotes of a language that we do not know.
const LONGEST_UNKNOWN: usize = 20;

/// Names by tag: the English one first, then other English ones and those in the language itself, for frequent
/// languages those in all languages that the engine speaks.
type Names = BTreeMap<String, Vec<String>>;

static LANGUAGES: LazyLock<Names> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../../knowledge/languages.json"))
        .expect("languages.json is compiled in")
});

/// The same of regions and scripts, whose subtags are in lower case.
static REGIONS: LazyLock<Names> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../../knowledge/regions.json"))
        .expect("regions.json is compiled in")
});

/// The subtag with this name.
fn named<'a>(names: &'a Names, name: &str) -> Option<&'a str> {
    let wanted = name.to_lowercase();
    let matches = |known: &String| known.to_lowercase() == wanted;
    names.iter().find(|(_, known)| known.iter().any(matches)).map(|(tag, _)| tag.as_str())
}

/// The BCP 47 tag of a language that is given by a tag or by a name, with or without a region: `de` for
/// `German`, `Deutsch`, `alemán` and `de`; `en-US` for `English (US)`. A language that is not known keeps the
/// word that it was given by, exactly.
pub fn language_tag(given: &str) -> String {
    let text = given.trim();
    let words: Vec<&str> =
        text.split(|sign: char| !sign.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    if LANGUAGES.contains_key(primary(text).as_str()) {
        return words.join("-");
    }
    if let Some(tag) = named(&LANGUAGES, text) {
        return tag.to_owned();
    }
    // The name stands before or behind the region: `Portuguese (Brazil)`, `UK English`. With any other word beside it
    // it may be another language, such as `Old English`.
    for count in 1..words.len() {
        let (first, last) = words.split_at(count);
        for (name, region) in [(first, last), (last, first)] {
            let tag = language_subtag(&name.join(" "));
            if let (Some(tag), Some(region)) = (tag, region_subtag(&region.join(" "))) {
                return format!("{tag}-{region}");
            }
        }
    }
    // In parentheses stands a region that we do not know, or which one of several languages is meant.
    let in_parentheses =
        text.strip_suffix([')', '）']).and_then(|text| text.split_once(['(', '（']));
    let known = in_parentheses.and_then(|(name, detail)| {
        language_subtag(detail.trim()).or_else(|| language_subtag(name.trim()))
    });
    known.unwrap_or(given).to_owned()
}

/// The tag of a language with this name or tag.
fn language_subtag(name: &str) -> Option<&'static str> {
    let known = || LANGUAGES.get_key_value(&name.to_lowercase()).map(|(tag, _)| tag.as_str());
    named(&LANGUAGES, name).or_else(known)
}

/// The subtag of a region or a script with this name or code, written as RFC 5646 has it.
fn region_subtag(name: &str) -> Option<String> {
    let is_code = || name.len() == 2 && name.bytes().all(|byte| byte.is_ascii_alphabetic());
    let code = named(&REGIONS, name).or_else(|| is_code().then_some(name))?;
    Some(match code.len() {
        4 => format!("{}{}", code[..1].to_uppercase(), &code[1..]),
        _ => code.to_uppercase(),
    })
}

/// What the language of `tag` is called, in English, in itself and in the languages that are spoken here; nothing if it is
/// not known.
pub fn names(tag: &str) -> &'static [String] {
    LANGUAGES.get(primary(tag).as_str()).map_or(&[], Vec::as_slice)
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
    match word.trim() {
        "" => "this language".to_owned(),
        word => format!("the language \"{word}\""),
    }
}

/// English name of a script or region of a language tag, in lower case; other subtags have none.
fn region_name(subtag: &str) -> Option<String> {
    let known = REGIONS.get(subtag).map(|names| names[0].clone());
    known.or_else(|| (subtag.len() == 2).then(|| subtag.to_uppercase()))
}

/// Tag of a language by its English name, without a region.
pub fn tag_of(name: &str) -> Option<&'static str> {
    let is_it = |(tag, names): &(&'static String, &'static Vec<String>)| {
        !tag.contains('-') && names[0].eq_ignore_ascii_case(name)
    };
    LANGUAGES.iter().find(is_it).map(|(tag, _)| tag.as_str())
}
