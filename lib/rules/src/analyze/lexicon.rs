//! The words and phrases of the data files.
//!
//! A phrase is a row of words. `a|b` stands for either word, `word*` for any word that begins so, `*word` for any that ends so, `$list` for
//! the words of a list, `?` behind a word makes it optional, and `..3` passes over up to three words.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

use patterns::pattern;

/// Phrases of a language by the rule that they speak for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Data {
    lists: HashMap<String, String>,
    /// First words of requests.
    requests: String,
    /// Words that say nothing about the subject of a request.
    generic: String,
    /// Words that turn what follows into its opposite.
    negations: String,
    phrases: Vec<(String, Vec<String>)>,
}

pub struct Lexicon {
    requests: Vec<Form>,
    generic: Vec<Form>,
    pub negations: Vec<Form>,
    pub phrases: Vec<Phrase>,
    /// Phrases by their first word.
    pub by_word: HashMap<String, Vec<usize>>,
    /// Phrases whose first word is given by its beginning only.
    pub by_prefix: Vec<(String, usize)>,
}

pub struct Phrase {
    pub rule: String,
    pub steps: Vec<Step>,
}

pub enum Step {
    /// One of the forms.
    Word { forms: Vec<Form>, optional: bool },
    /// Up to so many words.
    Gap(usize),
}

pub enum Form {
    Whole(String),
    Prefix(String),
    Suffix(String),
}

impl Form {
    fn of(text: &str) -> Self {
        match (text.strip_suffix('*'), text.strip_prefix('*')) {
            (Some(prefix), _) => Self::Prefix(prefix.to_owned()),
            (None, Some(suffix)) => Self::Suffix(suffix.to_owned()),
            (None, None) => Self::Whole(text.to_owned()),
        }
    }

    pub fn matches(&self, word: &str) -> bool {
        match self {
            Self::Whole(whole) => whole == word,
            Self::Prefix(prefix) => word.starts_with(prefix.as_str()),
            Self::Suffix(suffix) => word.ends_with(suffix.as_str()),
        }
    }
}

pub static LEXICONS: LazyLock<HashMap<&'static str, Lexicon>> = LazyLock::new(|| {
    [
        ("en", include_str!("../../../../knowledge/analysis/words/en.json")),
        ("de", include_str!("../../../../knowledge/analysis/words/de.json")),
        ("es", include_str!("../../../../knowledge/analysis/words/es.json")),
        ("fr", include_str!("../../../../knowledge/analysis/words/fr.json")),
        ("it", include_str!("../../../../knowledge/analysis/words/it.json")),
        ("pt", include_str!("../../../../knowledge/analysis/words/pt.json")),
    ]
    .into_iter()
    .map(|(tag, json)| {
        let data: Data = serde_json::from_str(json).expect("words are compiled in");
        (tag, Lexicon::of(data))
    })
    .collect()
});

impl Lexicon {
    fn of(data: Data) -> Self {
        let list = |text: &str| text.split(' ').map(Form::of).collect::<Vec<_>>();
        let mut lexicon = Self {
            requests: list(&data.requests),
            generic: list(&data.generic),
            negations: list(&data.negations),
            phrases: Vec::new(),
            by_word: HashMap::new(),
            by_prefix: Vec::new(),
        };
        for (rule, phrases) in &data.phrases {
            for phrase in phrases {
                lexicon.add(rule, phrase, &data.lists);
            }
        }
        lexicon
    }

    fn add(&mut self, rule: &str, phrase: &str, lists: &HashMap<String, String>) {
        let steps: Vec<Step> = phrase.split(' ').map(|step| Step::of(step, lists)).collect();
        let index = self.phrases.len();
        if let Some(Step::Word { forms, .. }) = steps.first() {
            for form in forms {
                match form {
                    Form::Whole(word) => self.by_word.entry(word.clone()).or_default().push(index),
                    Form::Prefix(prefix) => self.by_prefix.push((prefix.clone(), index)),
                    Form::Suffix(suffix) => {
                        panic!("no phrase begins with the end of a word: {suffix}")
                    }
                }
            }
        }
        self.phrases.push(Phrase { rule: rule.to_owned(), steps });
    }
}

impl Step {
    fn of(text: &str, lists: &HashMap<String, String>) -> Self {
        if let Some(number) = text.strip_prefix("..") {
            return Self::Gap(number.parse().expect("gaps are numbers"));
        }
        let optional = text.ends_with('?');
        let words = text.trim_end_matches('?');
        let forms = words
            .split('|')
            .flat_map(|word| match word.strip_prefix('$') {
                Some(list) => lists[list].split(' ').map(Form::of).collect::<Vec<_>>(),
                None => vec![Form::of(word)],
            })
            .collect();
        Self::Word { forms, optional }
    }
}

/// Whether the words begin like a request of the language.
pub fn begins_request<'w>(language: &str, words: impl Iterator<Item = &'w str>) -> bool {
    let Some(lexicon) = LEXICONS.get(language) else { return false };
    // Elsewhere the verb may follow an address or a pronoun; in English many of them are nouns, too.
    let looked_at = if language == "en" { 1 } else { 4 };
    words.take(looked_at).any(|word| lexicon.requests.iter().any(|form| form.matches(word)))
}

/// Whether a word orders something.
pub fn is_order(language: &str, word: &str) -> bool {
    LEXICONS
        .get(language)
        .is_some_and(|lexicon| lexicon.requests.iter().any(|form| form.matches(word)))
}

/// The words in full that order something.
pub fn orders(language: &str) -> impl Iterator<Item = &'static str> {
    LEXICONS.get(language).into_iter().flat_map(|lexicon| &lexicon.requests).filter_map(|form| {
        match form {
            Form::Whole(word) => Some(word.as_str()),
            Form::Prefix(_) | Form::Suffix(_) => None,
        }
    })
}

/// Whether a word says nothing about the subject of a request.
pub fn is_generic(language: &str, word: &str) -> bool {
    LEXICONS
        .get(language)
        .is_some_and(|lexicon| lexicon.generic.iter().any(|form| form.matches(word)))
}

/// Whether rules know phrases of the language.
pub fn knows(language: &str) -> bool {
    LEXICONS.contains_key(language)
}

/// The language, other than English, whose requests begin with the first word of the text.
pub fn language_by_request(text: &str) -> Option<&'static str> {
    let first =
        text.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty())?.to_lowercase();
    let begins = |tag: &str| LEXICONS[tag].requests.iter().any(|form| form.matches(&first));
    if begins("en") {
        return None;
    }
    // Neighbouring languages share verbs: the small words tell them apart.
    let lower = text.to_lowercase();
    let known = |tag: &str| {
        lower
            .split(|c: char| !c.is_alphanumeric())
            .take(60)
            .filter(|word| is_generic(tag, word))
            .count()
    };
    ["pt", "it", "fr", "es", "de"]
        .into_iter()
        .filter(|tag| begins(tag))
        .max_by_key(|tag| known(tag))
}

/// Whether a word orders a piece of work of its own.
pub fn is_work(language: &str, word: &str) -> bool {
    if language == "en" {
        return pattern!(r"^{analyze_structure.order}$").is_match(word);
    }
    word.chars().count() > 4 && is_order(language, word)
}
