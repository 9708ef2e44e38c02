//! Languages: their names, the texts that prompts are built from, and what language a goal is in.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

/// The texts that prompts in one language are built from. `{}` marks where a value goes.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Locale {
    /// The language's own name.
    pub name: String,
    /// Headings of the parts of a prompt.
    pub headings: HashMap<String, String>,
    /// Sentence that gives the role.
    pub role: String,
    /// Sentence that sets the language of the answer.
    pub respond: String,
    /// Introduces the facts to verify.
    pub check: String,
    /// Introduces supplied content.
    pub material_note: String,
    /// Introduces quoted words that are not to be obeyed.
    pub quoted_note: String,
    /// Sentence that fixes literal details.
    pub exact: String,
    /// Says that content will be supplied after the prompt.
    pub supplied: String,
    /// Texts for each family of tasks; empty where every task has texts of its own.
    pub families: HashMap<String, Family>,
}

/// Localized texts of a family of tasks.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Family {
    /// Who does this best.
    pub role: String,
    /// What experts look for.
    pub guidance: Vec<String>,
    /// Shape of the answer.
    pub output: String,
    /// Facts to verify.
    pub check: Vec<String>,
}

impl Locale {
    /// Whether prompts in it take the headings that the families of models have for English.
    pub fn is_english(&self) -> bool {
        self.name == "English"
    }
}

static LOCALES: LazyLock<HashMap<&'static str, Locale>> = LazyLock::new(|| {
    [
        ("en", include_str!("../knowledge/locales/en.json")),
        ("de", include_str!("../knowledge/locales/de.json")),
        ("es", include_str!("../knowledge/locales/es.json")),
        ("fr", include_str!("../knowledge/locales/fr.json")),
        ("it", include_str!("../knowledge/locales/it.json")),
        ("pt", include_str!("../knowledge/locales/pt.json")),
    ]
    .into_iter()
    .map(|(tag, json)| (tag, serde_json::from_str(json).expect("locales are compiled in")))
    .collect()
});

static NAMES: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../knowledge/languages.json"))
        .expect("languages.json is compiled in")
});

/// The primary subtag in lower case: `pt` for `pt-BR`.
pub fn primary(tag: &str) -> String {
    tag.split(['-', '_']).next().unwrap_or_default().to_lowercase()
}

/// The texts for a language tag, English where there are none.
pub fn locale(tag: &str) -> &'static Locale {
    LOCALES.get(primary(tag).as_str()).unwrap_or_else(|| &LOCALES["en"])
}

/// The names of parts with their headings in every language.
pub fn headings() -> impl Iterator<Item = (&'static str, &'static str)> {
    LOCALES.values().flat_map(|locale| {
        locale.headings.iter().map(|(name, heading)| (name.as_str(), heading.as_str()))
    })
}

/// The locale that most of these headings are from, English where none is clearly ahead.
pub fn locale_of_headings<'a>(headings: impl Iterator<Item = &'a str>) -> &'static Locale {
    let headings: Vec<String> = headings.map(str::to_lowercase).collect();
    let hits = |locale: &Locale| {
        let known: Vec<String> =
            locale.headings.values().map(|heading| heading.to_lowercase()).collect();
        headings.iter().filter(|heading| known.contains(heading)).count()
    };
    let english = &LOCALES["en"];
    let mut others: Vec<_> = LOCALES.iter().filter(|(tag, _)| **tag != "en").collect();
    others.sort_by_key(|(tag, _)| **tag);
    others
        .into_iter()
        .map(|(_, locale)| locale)
        .fold(english, |best, next| if hits(next) > hits(best) { next } else { best })
}

/// The locale whose role or check sentence a prompt has, if it is not the English one.
pub fn locale_of_text(prompt: &str) -> Option<&'static Locale> {
    let mut others: Vec<_> = LOCALES.iter().filter(|(tag, _)| **tag != "en").collect();
    others.sort_by_key(|(tag, _)| **tag);
    others.into_iter().map(|(_, locale)| locale).find(|locale| {
        let lead = locale.role.split("{}").next().unwrap_or_default();
        prompt
            .lines()
            .any(|line| line.trim() == locale.check || lead.len() >= 4 && line.starts_with(lead))
    })
}

/// The tag of a locale.
pub fn tag_of_locale(wanted: &Locale) -> &'static str {
    LOCALES.iter().find(|(_, locale)| locale.name == wanted.name).map_or("en", |(tag, _)| tag)
}

/// Whether prompts can be built in the language of `tag` itself.
pub fn has_locale(tag: &str) -> bool {
    LOCALES.contains_key(primary(tag).as_str())
}

/// English name of the language of `tag`; unknown tags are named by themselves.
pub fn english_name(tag: &str) -> String {
    let wanted = tag.replace('_', "-").to_lowercase();
    NAMES
        .iter()
        .find(|(known, _)| known.to_lowercase() == wanted)
        .map(|(_, name)| name.clone())
        .or_else(|| {
            let name = NAMES.get(primary(tag).as_str())?;
            let details: Vec<String> = wanted.split('-').skip(1).filter_map(subtag_name).collect();
            Some(if details.is_empty() {
                name.clone()
            } else {
                format!("{name} ({})", details.join(", "))
            })
        })
        .unwrap_or_else(|| {
            let tag: String =
                tag.chars().filter(|c| c.is_alphanumeric() || *c == '-').take(20).collect();
            format!("the language with the tag \"{tag}\"")
        })
}

/// English name of a script or region of a language tag, in lower case; other subtags have none.
fn subtag_name(subtag: &str) -> Option<String> {
    let name = match subtag {
        "hant" => "Traditional",
        "hans" => "Simplified",
        "latn" => "Latin script",
        "cyrl" => "Cyrillic script",
        "arab" => "Arabic script",
        "tw" => "Taiwan",
        "hk" => "Hong Kong",
        "mo" => "Macau",
        "cn" => "China",
        "sg" => "Singapore",
        "jp" => "Japan",
        "kr" => "Korea",
        "ch" => "Switzerland",
        "at" => "Austria",
        "be" => "Belgium",
        "nl" => "Netherlands",
        "in" => "India",
        "eg" => "Egypt",
        "sa" => "Saudi Arabia",
        "ar" => "Argentina",
        "us" => "United States",
        "gb" => "United Kingdom",
        code if code.len() == 2 => return Some(code.to_uppercase()),
        _ => return None,
    };
    Some(name.to_owned())
}

/// Tag of a language by its English name.
pub fn tag_of(name: &str) -> Option<&'static str> {
    NAMES
        .iter()
        .find(|(tag, known)| !tag.contains('-') && known.eq_ignore_ascii_case(name))
        .map(|(tag, _)| tag.as_str())
}

/// The sentence that makes the model answer in the language of `tag`.
pub fn respond_in(tag: &str) -> String {
    let locale = locale(tag);
    let name = if has_locale(tag) && !tag.contains(['-', '_']) && primary(tag) != "en" {
        locale.name.clone()
    } else if has_locale(tag) && primary(tag) != "en" {
        format!("{} ({tag})", locale.name)
    } else {
        english_name(tag)
    };
    locale.respond.replace("{}", &name)
}

/// Whether a text has the sentence that sets the language of the answer, in any language.
pub fn asked_for(text: &str) -> bool {
    LOCALES.values().any(|locale| {
        let lead = locale.respond.split("{}").next().unwrap_or_default();
        !lead.is_empty() && text.contains(lead)
    })
}

/// Frequent short words; two of them decide where statistics cannot.
const FREQUENT: [(&str, &[&str]); 6] = [
    (
        "en",
        &[
            "the", "a", "an", "for", "my", "i", "to", "of", "and", "with", "that", "write", "me",
            "is", "in", "how", "create", "make", "need", "this", "about", "on", "help", "it",
            "you",
        ],
    ),
    (
        "de",
        &[
            "der", "die", "das", "ein", "eine", "einen", "einer", "einem", "für", "fuer", "mit",
            "und", "ich", "mir", "mein", "meine", "meinen", "meiner", "bitte", "schreib",
            "schreibe", "erstelle", "über", "auf", "zum", "zur", "wie", "ist", "den", "dem", "des",
            "von", "nicht", "erkläre",
        ],
    ),
    (
        "es",
        &[
            "el", "la", "los", "las", "un", "una", "para", "con", "por", "que", "mi", "mis",
            "escribe", "escribir", "crea", "del", "de", "en", "necesito", "quiero", "y", "sobre",
            "cómo", "como", "una", "sin",
        ],
    ),
    (
        "fr",
        &[
            "le", "la", "les", "un", "une", "des", "pour", "avec", "mon", "ma", "mes", "je", "du",
            "de", "et", "écris", "ecris", "rédige", "redige", "crée", "sur", "dans", "est", "aide",
            "moi", "comment", "au", "à",
        ],
    ),
    (
        "it",
        &[
            "il", "lo", "la", "gli", "le", "un", "una", "uno", "per", "con", "mio", "mia", "miei",
            "che", "di", "del", "della", "scrivi", "crea", "e", "sul", "sulla", "come", "ho",
            "bisogno", "in",
        ],
    ),
    (
        "pt",
        &[
            "o", "os", "as", "um", "uma", "para", "com", "meu", "minha", "que", "de", "do", "da",
            "dos", "das", "escreva", "crie", "e", "sobre", "em", "não", "preciso", "como", "no",
            "na",
        ],
    ),
];

/// Texts at least this long are left to statistics; shorter ones are too uncertain.
const LONG_ENOUGH: usize = 60;
/// Only this much of a text is looked at.
const LOOKED_AT: usize = 1500;

/// Tag of the language of `text`, if it is surely another one than English.
pub fn detect_other_than_english(text: &str) -> Option<&'static str> {
    let sample: String = text.chars().take(LOOKED_AT).collect();
    let letters = sample.chars().filter(|c| c.is_alphabetic()).count();
    if letters == 0 {
        return None;
    }
    let foreign = sample.chars().filter(|c| c.is_alphabetic() && !is_latin(*c)).count();
    if foreign * 10 > letters * 3 {
        let tag = whatlang::detect_lang(&sample).map_or("und", |lang| two_letters(lang.code()));
        return Some(tag);
    }
    let lower = sample.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let hits = |list: &[&str]| words.iter().filter(|word| list.contains(word)).count();
    let english = hits(FREQUENT[0].1);
    let (best, count) = FREQUENT[1..]
        .iter()
        .map(|(tag, list)| (*tag, hits(list)))
        .fold(("", 0), |best, next| if next.1 > best.1 { next } else { best });
    if count >= 2 && count > english + 1 && count * 8 >= words.len() {
        return Some(best);
    }
    if sample.chars().count() >= LONG_ENOUGH
        && english * 8 < words.len()
        && let Some(info) = whatlang::detect(&sample)
        && info.is_reliable()
        && info.lang() != whatlang::Lang::Eng
    {
        return Some(two_letters(info.lang().code()));
    }
    None
}

fn is_latin(character: char) -> bool {
    matches!(character, 'a'..='z' | 'A'..='Z' | 'ª' | 'º' | 'À'..='\u{24f}' | '\u{1e00}'..='\u{1eff}')
}

/// ISO 639-3 codes of the detector as two-letter tags.
fn two_letters(code: &'static str) -> &'static str {
    match code {
        "deu" => "de",
        "fra" => "fr",
        "spa" => "es",
        "ita" => "it",
        "por" => "pt",
        "nld" => "nl",
        "pol" => "pl",
        "rus" => "ru",
        "ukr" => "uk",
        "ces" => "cs",
        "slk" => "sk",
        "slv" => "sl",
        "hrv" => "hr",
        "srp" => "sr",
        "bul" => "bg",
        "ron" => "ro",
        "hun" => "hu",
        "ell" => "el",
        "tur" => "tr",
        "swe" => "sv",
        "dan" => "da",
        "nob" => "nb",
        "fin" => "fi",
        "est" => "et",
        "lav" => "lv",
        "lit" => "lt",
        "cat" => "ca",
        "mkd" => "mk",
        "ara" => "ar",
        "heb" | "yid" => "he",
        "pes" => "fa",
        "urd" => "ur",
        "hin" => "hi",
        "ben" => "bn",
        "tam" => "ta",
        "tel" => "te",
        "mar" => "mr",
        "guj" => "gu",
        "kan" => "kn",
        "mal" => "ml",
        "pan" => "pa",
        "nep" => "ne",
        "sin" => "si",
        "tha" => "th",
        "vie" => "vi",
        "ind" => "id",
        "jav" => "id",
        "tgl" => "tl",
        "jpn" => "ja",
        "kor" => "ko",
        "cmn" => "zh",
        "amh" => "am",
        "afr" => "af",
        "zul" => "zu",
        "kat" => "ka",
        "hye" => "hy",
        "aze" => "az",
        "uzb" => "uz",
        "epo" => "eo",
        "lat" => "la",
        "bel" => "be",
        "mya" => "my",
        "khm" => "km",
        other => other,
    }
}
