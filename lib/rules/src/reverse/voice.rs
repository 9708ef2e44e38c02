//! How a text speaks: person, register, tense and tone, by words that give them away.

use std::collections::{HashMap, HashSet};

use patterns::words;

use super::counts::Counts;
use super::words::Word;

/// What a word gives away: its name, and the words of each language.
type Sign = (&'static str, &'static [(&'static str, &'static str)]);

const SIGNS: [Sign; 20] = [
    ("i", words!("reverse_voice.i")),
    ("we", words!("reverse_voice.we")),
    ("informal", words!("reverse_voice.informal")),
    ("formal", words!("reverse_voice.formal")),
    ("third", words!("reverse_voice.third")),
    ("past", words!("reverse_voice.past")),
    ("present", words!("reverse_voice.present")),
    ("future", words!("reverse_voice.future")),
    ("casual", words!("reverse_voice.casual")),
    ("stiff", words!("reverse_voice.stiff")),
    ("friendly", words!("reverse_voice.friendly")),
    ("persuasive", words!("reverse_voice.persuasive")),
    ("enthusiastic", words!("reverse_voice.enthusiastic")),
    ("urgent", words!("reverse_voice.urgent")),
    ("critical", words!("reverse_voice.critical")),
    ("authoritative", words!("reverse_voice.authoritative")),
    ("instructive", words!("reverse_voice.instructive")),
    ("humorous", words!("reverse_voice.humorous")),
    ("melancholy", words!("reverse_voice.sad")),
    ("narrative", words!("reverse_voice.narrative")),
];
/// The signs from here on are tones.
const TONES: usize = 10;

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

/// How often the words of each sign were heard, and how many different ones.
struct Heard {
    often: HashMap<&'static str, usize>,
    varied: HashMap<&'static str, usize>,
}

impl Heard {
    fn often(&self, sign: &str) -> usize {
        self.often.get(sign).copied().unwrap_or(0)
    }

    /// One word said often is a topic; a tone needs several.
    fn varied(&self, sign: &str) -> usize {
        self.varied.get(sign).copied().unwrap_or(0)
    }
}

/// Listens to the words of a document.
pub fn listen(words: &[Word<'_>], language: Option<&str>, counts: &Counts) -> Voice {
    let Some(heard) = language.and_then(|tag| hear(words, tag)) else {
        // The only tone that punctuation alone gives away.
        let loud = counts.exclamations >= 3 || counts.emojis >= 3;
        let tones = if loud { vec!["enthusiastic"] } else { Vec::new() };
        return Voice { tones, ..Voice::default() };
    };
    let total = words.len().max(1);
    let often = |sign: &str| heard.often(sign);
    let second = often("informal") + often("formal");
    let (first, we, third) = (often("i"), often("we"), often("third"));
    // Less than one pronoun in a hundred words says nothing.
    let enough = |number: usize| number >= 2 && number * 100 >= total || number >= 1 && total < 60;
    let persons = [
        (second, "second person, the reader is addressed"),
        (we, "first person plural"),
        (first, "first person singular"),
        (third, "third person"),
    ];
    let tenses = ["past", "present", "future"].map(|name| (often(name), name));
    let tense = most(&tenses, |number| number >= 3 && number * 80 >= total);
    let mut tones = tones(&heard, counts, total);
    if tones.is_empty() && total >= 25 {
        tones.push("factual");
    }
    let marks = [
        (first >= 2, "first"),
        (second >= 2, "second"),
        (third >= 3, "third"),
        (tense == Some("past"), "past"),
        (tense == Some("past") && (third >= 2 || first >= 2), "narrative"),
        (heard.varied("instructive") >= 4 && often("instructive") * 25 >= total, "instructive"),
    ];
    Voice {
        person: most(&persons, enough),
        register: (total >= 12)
            .then(|| register(&heard, language.unwrap_or_default(), counts, total)),
        tense,
        tones,
        known: true,
        marks: marks.into_iter().filter(|(is, _)| *is).map(|(_, name)| name).collect(),
    }
}

/// Counts the words that give something away; `None` where there are no word lists for the language.
fn hear(words: &[Word<'_>], tag: &str) -> Option<Heard> {
    let mut lists: HashMap<&str, Vec<&'static str>> = HashMap::new();
    for (sign, languages) in SIGNS {
        let (_, list) = languages.iter().find(|(language, _)| *language == tag)?;
        for word in list.split(' ') {
            lists.entry(word).or_default().push(sign);
        }
    }
    let mut often: HashMap<&str, usize> = HashMap::new();
    let mut different: HashSet<(&str, String)> = HashSet::new();
    for word in words {
        let lower = word.text.to_lowercase().replace('’', "'");
        // "Sie" is polite, "sie" is not; at the beginning of a sentence nobody can tell.
        let as_written = (!word.opens).then(|| lists.get(word.text)).flatten();
        let found = as_written.filter(|_| word.text != lower).or_else(|| lists.get(lower.as_str()));
        if tag == "en" && found.is_none() && lower.len() > 4 && lower.ends_with("ed") {
            // A regular past form, or a participle: both say that something has been done.
            *often.entry("past").or_default() += 1;
        }
        for sign in found.into_iter().flatten() {
            *often.entry(sign).or_default() += 1;
            different.insert((sign, lower.clone()));
        }
    }
    let mut varied: HashMap<&str, usize> = HashMap::new();
    for (sign, _) in different {
        *varied.entry(sign).or_default() += 1;
    }
    Some(Heard { often, varied })
}

/// The name of the largest number that is enough, the first of equal ones.
fn most(list: &[(usize, &'static str)], enough: impl Fn(usize) -> bool) -> Option<&'static str> {
    let enough = list.iter().rev().filter(|(number, _)| enough(*number));
    enough.max_by_key(|(number, _)| *number).map(|(_, name)| *name)
}

fn register(heard: &Heard, tag: &str, counts: &Counts, total: usize) -> &'static str {
    let (polite, near) = (heard.often("formal"), heard.often("informal"));
    // English has one pronoun for all readers.
    let near = if tag == "en" { 0 } else { near.min(2) };
    let casual = heard.often("casual") + counts.emojis + near;
    let formal = polite >= 2 && polite > heard.often("informal");
    let stiff = 2 * heard.often("stiff") + if formal { 2 } else { 0 };
    if casual >= 2 && casual * 60 >= total && casual > stiff {
        "informal"
    } else if stiff * 80 >= total && stiff > casual {
        "formal"
    } else {
        "neutral"
    }
}

/// At most three tones, the strongest first.
fn tones(heard: &Heard, counts: &Counts, total: usize) -> Vec<&'static str> {
    let mut tones: Vec<(usize, &'static str)> = SIGNS[TONES..]
        .iter()
        .map(|(name, _)| {
            let loud = usize::from(*name == "enthusiastic") * counts.exclamations.min(4) / 2;
            let (often, varied) = (heard.often(name), heard.varied(name));
            (often.min(3 * varied) + loud, varied + loud, *name)
        })
        .filter(|(number, varied, _)| *varied >= 2 && *number * 70 >= total)
        .map(|(number, _, name)| (number, name))
        .collect();
    tones.sort_by_key(|(number, _)| std::cmp::Reverse(*number));
    tones.into_iter().map(|(_, name)| name).take(3).collect()
}
