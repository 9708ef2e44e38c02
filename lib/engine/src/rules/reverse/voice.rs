//! How a text speaks: person, register, tense and tone, by words that give them away.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use serde::Deserialize;

use super::measure::Measures;
use super::words::Word;

/// What a word gives away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Sign {
    I,
    We,
    Informal,
    Formal,
    Third,
    Past,
    Present,
    Future,
    Casual,
    Stiff,
    Friendly,
    Persuasive,
    Enthusiastic,
    Urgent,
    Critical,
    Authoritative,
    Instructive,
    Humorous,
    Sad,
    Narrative,
}

/// Tones, each with its sign and name.
const TONES: [(Sign, &str); 10] = [
    (Sign::Friendly, "friendly"),
    (Sign::Persuasive, "persuasive"),
    (Sign::Enthusiastic, "enthusiastic"),
    (Sign::Urgent, "urgent"),
    (Sign::Critical, "critical"),
    (Sign::Authoritative, "authoritative"),
    (Sign::Instructive, "instructive"),
    (Sign::Humorous, "humorous"),
    (Sign::Sad, "melancholy"),
    (Sign::Narrative, "narrative"),
];

/// What each word of a language gives away.
type Signs = HashMap<String, Vec<Sign>>;

static VOICES: LazyLock<HashMap<String, Signs>> = LazyLock::new(|| {
    // For each language and sign the words, separated by spaces.
    let lists: HashMap<String, HashMap<Sign, String>> =
        serde_json::from_str(include_str!("../../../knowledge/reversing/voices.json"))
            .expect("voices.json is compiled in");
    lists.into_iter().map(|(tag, lists)| (tag, by_word(lists))).collect()
});

fn by_word(lists: HashMap<Sign, String>) -> Signs {
    let mut signs = Signs::new();
    for (sign, list) in lists {
        for word in list.split(' ') {
            signs.entry(word.to_owned()).or_default().push(sign);
        }
    }
    signs
}

/// What was found; names are English labels.
#[derive(Debug, Default)]
pub struct Voice {
    /// Who speaks to whom.
    pub person: Option<&'static str>,
    /// "formal", "informal" or "neutral".
    pub register: Option<&'static str>,
    /// "present", "past" or "future".
    pub tense: Option<&'static str>,
    /// At most three tones, the strongest first.
    pub tones: Vec<&'static str>,
    /// Whether there were word lists for the language.
    pub known: bool,
    /// Marks that recognition of the kind of text uses: first, second and third person, past, story-telling.
    pub marks: Vec<&'static str>,
}

/// Listens to the words of a document.
pub fn listen(words: &[Word<'_>], language: Option<&str>, measures: &Measures) -> Voice {
    let Some(lists) = language.and_then(|tag| VOICES.get(tag)) else {
        return Voice { tones: loud(measures), ..Voice::default() };
    };
    let mut counts: HashMap<Sign, usize> = HashMap::new();
    let mut different: HashSet<(Sign, String)> = HashSet::new();
    for word in words {
        let lower = word.text.to_lowercase().replace('’', "'");
        // "Sie" is polite, "sie" is not; at the beginning of a sentence nobody can tell.
        let as_written = (!word.opens).then(|| lists.get(word.text)).flatten();
        let found = as_written.filter(|_| word.text != lower).or_else(|| lists.get(lower.as_str()));
        if language == Some("en") && found.is_none() && lower.len() > 4 && lower.ends_with("ed") {
            // A regular past form, or a participle: both say that something has been done.
            *counts.entry(Sign::Past).or_default() += 1;
        }
        for sign in found.into_iter().flatten() {
            *counts.entry(*sign).or_default() += 1;
            different.insert((*sign, lower.clone()));
        }
    }
    // One word said often is a topic; a tone needs several.
    let varied = |wanted: Sign| different.iter().filter(|(sign, _)| *sign == wanted).count();
    let count = |sign: Sign| counts.get(&sign).copied().unwrap_or(0);
    let second = count(Sign::Informal) + count(Sign::Formal);
    let (first, we, third) = (count(Sign::I), count(Sign::We), count(Sign::Third));
    let total = words.len().max(1);
    // Less than one pronoun in a hundred words says nothing.
    let enough = |number: usize| number >= 2 && number * 100 >= total || number >= 1 && total < 60;
    let person = [
        (second, "second person, the reader is addressed"),
        (we, "first person plural"),
        (first, "first person singular"),
        (third, "third person"),
    ]
    .into_iter()
    .filter(|(number, _)| enough(*number))
    .fold(None, |best: Option<(usize, &'static str)>, next| match best {
        Some(best) if best.0 >= next.0 => Some(best),
        _ => Some(next),
    })
    .map(|(_, name)| name);
    let polite = lists.values().flatten().any(|sign| *sign == Sign::Formal)
        && count(Sign::Formal) > count(Sign::Informal)
        && count(Sign::Formal) >= 2;
    let casual = count(Sign::Casual)
        + measures.emojis
        + usize::from(language != Some("en")) * count(Sign::Informal).min(2);
    let stiff = 2 * count(Sign::Stiff) + if polite { 2 } else { 0 };
    let register = match (
        casual >= 2 && casual * 60 >= total && casual > stiff,
        stiff * 80 >= total && stiff > casual,
    ) {
        (true, _) => "informal",
        (_, true) => "formal",
        _ => "neutral",
    };
    let tense = [
        (count(Sign::Past), "past"),
        (count(Sign::Present), "present"),
        (count(Sign::Future), "future"),
    ]
    .into_iter()
    .filter(|(number, _)| *number >= 3 && *number * 80 >= total)
    .max_by_key(|(number, _)| *number)
    .map(|(_, name)| name);
    let mut tones: Vec<(usize, &'static str)> = TONES
        .into_iter()
        .map(|(sign, name)| {
            let loud = usize::from(name == "enthusiastic") * measures.exclamations.min(4) / 2;
            (count(sign).min(3 * varied(sign)) + loud, varied(sign) + loud, name)
        })
        .filter(|(number, varied, _)| *varied >= 2 && *number * 70 >= total)
        .map(|(number, _, name)| (number, name))
        .collect();
    tones.sort_by_key(|(number, _)| std::cmp::Reverse(*number));
    let mut tones: Vec<&'static str> = tones.into_iter().map(|(_, name)| name).take(3).collect();
    if tones.is_empty() && total >= 25 {
        tones.push("factual");
    }
    let marks = [
        (first >= 2, "first"),
        (second >= 2, "second"),
        (third >= 3, "third"),
        (tense == Some("past"), "past"),
        (tense == Some("past") && (third >= 2 || first >= 2), "narrative"),
        (varied(Sign::Instructive) >= 4 && count(Sign::Instructive) * 25 >= total, "instructive"),
    ];
    Voice {
        person,
        register: Some(register).filter(|_| total >= 12),
        tense,
        tones,
        known: true,
        marks: marks.into_iter().filter(|(is, _)| *is).map(|(_, name)| name).collect(),
    }
}

/// The only tone that punctuation alone gives away.
fn loud(measures: &Measures) -> Vec<&'static str> {
    if measures.exclamations >= 3 || measures.emojis >= 3 {
        vec!["enthusiastic"]
    } else {
        Vec::new()
    }
}
