//! Finding what a goal says about audience, tone, length and the like, in all languages alike.

use patterns::{Captures, Pattern, pattern};

/// What was said, word for word; `None` where nothing was.
#[derive(Clone, Debug, Default)]
pub struct Slots {
    /// Who reads, sees or uses the result.
    pub audience: Option<String>,
    /// How it should sound.
    pub tone: Option<String>,
    /// How long it should be.
    pub length: Option<String>,
    /// A span of time.
    pub duration: Option<String>,
    /// A sum of money.
    pub budget: Option<String>,
    /// Where it is published or used.
    pub platform: Option<String>,
    /// Programming language or tool.
    pub stack: Option<String>,
    /// Form of the answer.
    pub format: Option<String>,
    /// Skill level.
    pub level: Option<String>,
    /// Date by which something is due.
    pub deadline: Option<String>,
    /// Language asked for in the text.
    pub language: Option<String>,
    /// What it is about, as a noun phrase.
    pub subject: Option<String>,
}

const AUDIENCE: Pattern = pattern!(
    r"(?i)(?:^|[\s,;(])(?:{slots.to_whom}) (?P<v>(?:{slots.article} )?(?:[\w'’-]+ ){0,4}?{slots.person}(?: {slots.person})?)\b"
);
const TONE: Pattern = pattern!(
    r"(?i)\b(?P<v>(?:{slots.very} )?{slots.tones}(?:(?:,? {slots.and}(?: {slots.but_not})? |, ?){slots.tones})*)\b"
);
const LENGTH: Pattern = pattern!(
    r"(?i)\b(?P<v>(?:{slots.bound} )?(?:\d[\d,.]*(?:k\b)?(?: ?(?:-|–|{slots.range}) ?\d[\d,.]*)?|{slots.short_number})[ -]?{slots.unit}(?: {slots.at_most})?)(?:\b|$)"
);
const DURATION: Pattern = pattern!(
    r"(?i)\b(?P<old>{slots.lasting}(?:\W+\w+){0,4}?\W+)?(?P<v>(?:\d+(?:\.\d+)?(?: ?(?:-|–|{slots.range}) ?\d+)?|{slots.short_number})[ -]?{slots.time})\b(?P<age>[ -]{slots.old}\b)?"
);
const BUDGET: Pattern = pattern!(
    r"(?i)(?P<old>\b{slots.price}(?:\W+\w+){0,4}?\W+)?(?P<v>(?:\b{slots.money_bound} )?(?:[$€£¥₹]\s?\d[\d,.]*\d?\s?[kKmM]?\b|\b\d[\d,.]*\s?(?:k )?{slots.money}\b|\b\d[\d,.]*\s?[€£$]))"
);
const FORMAT: Pattern = pattern!(
    r"(?i)\b(?P<old>{slots.data})?{slots.as} (?P<v>(?:{slots.valid} )?(?:json|csv|ya?ml|xml|markdown|html|mermaid|latex|{slots.formats}))\b"
);
const DEADLINE: Pattern = pattern!(
    r"(?i)\b{slots.due} (?P<v>(?:{slots.date}|\d{1,2}(?:st|nd|rd|th)|\d{4}-\d\d-\d\d|\d{1,2}\.? (?:de )?{slots.date})(?: \d{1,4}(?:st|nd|rd|th)?)?)\b"
);

/// Reads the slots of a text. The last mention wins, so that later words correct earlier ones.
pub fn read(text: &str) -> Slots {
    let pick = |regex: Pattern| last(text, regex);
    Slots {
        audience: pick(AUDIENCE).and_then(|audience| reader(&audience)),
        tone: last(&without_refusals(text), TONE),
        length: pick(LENGTH).or_else(|| pick(pattern!(r"(?i)\b(?P<v>{slots.short_text})\b"))),
        duration: pick(DURATION),
        budget: pick(BUDGET),
        platform: pick(pattern!(r"(?i)\b(?P<v>{slots.platforms})\b")),
        stack: pattern!(r"(?i)(?:^|[\s(,/\x22'])(?P<v>{slots.stacks})(?:[\s),./?!:;\x22']|$)")
            .captures(text)
            .map(|found| found["v"].to_owned()),
        format: pick(FORMAT),
        level: pick(pattern!(r"(?i)\b(?P<v>{slots.levels})\b")),
        deadline: pick(DEADLINE),
        language: pick(pattern!(r"(?i)\b{slots.into} (?P<v>{slots.languages})\b")),
        subject: None,
    }
}

/// The last value of a pattern that is not that of something else.
fn last(text: &str, regex: Pattern) -> Option<String> {
    let is_other =
        |found: &Captures<'_>| found.name("old").is_some() || found.name("age").is_some();
    let found = regex.captures_iter(text).filter(|found| !is_other(found)).last()?;
    Some(found.name("v")?.as_str().trim().to_owned())
}

/// The words for a reader among those behind a preposition.
fn reader(words: &str) -> Option<String> {
    let words = pattern!(r"(?i)^.*\b{slots.preposition} ").replace(words, "");
    let words = pattern!(r"(?i)^{slots.addressing} ").replace(&words, "").into_owned();
    (!pattern!(r"(?i)\b{slots.no_reader}\b").is_match(&words)).then_some(words)
}

/// The text without what it refuses: "no scary parts" asks for nothing scary.
pub fn without_refusals(text: &str) -> String {
    pattern!(r"(?i)\b{slots.refusal}\b[^.,;:!?\n]*?(?P<end>[.,;:!?\n]|\s{slots.but_do}\b|$)")
        .replace_all(text, "$end")
        .into_owned()
}

/// Whether a variable of this name holds a setting or a subject rather than content to work on.
pub fn is_setting(name: &str) -> bool {
    pattern!(r"(?i)^(?:.*[ _-])?{slots.setting}$").is_match(name)
}

impl Slots {
    /// Value of a slot by the name used in the data files.
    pub fn get(&self, name: &str) -> Option<&str> {
        let own =
            self.all().find(|(known, _)| *known == name).and_then(|(_, value)| value.as_deref());
        match name {
            "mood" => self.tone.as_deref(),
            "period" => self.duration.as_deref(),
            "level" => own.or(self.audience.as_deref()),
            _ => own,
        }
    }

    /// Sets a slot by its name, if there is one of it.
    pub fn set(&mut self, name: &str, value: String) {
        if let Some((_, slot)) = self.all_mut().into_iter().find(|(known, _)| *known == name) {
            *slot = Some(value);
        }
    }

    /// Takes what `later` says and keeps the rest.
    pub fn update(&mut self, later: Self) {
        for (name, value) in later.all() {
            if let Some(value) = value {
                self.set(name, value.clone());
            }
        }
    }

    /// The slots with their names; the subject is told by the request alone.
    pub fn all(&self) -> impl Iterator<Item = (&'static str, &Option<String>)> {
        [
            ("audience", &self.audience),
            ("length", &self.length),
            ("duration", &self.duration),
            ("budget", &self.budget),
            ("tone", &self.tone),
            ("platform", &self.platform),
            ("deadline", &self.deadline),
            ("level", &self.level),
            ("stack", &self.stack),
            ("format", &self.format),
            ("language", &self.language),
        ]
        .into_iter()
    }

    fn all_mut(&mut self) -> [(&'static str, &mut Option<String>); 11] {
        [
            ("audience", &mut self.audience),
            ("length", &mut self.length),
            ("duration", &mut self.duration),
            ("budget", &mut self.budget),
            ("tone", &mut self.tone),
            ("platform", &mut self.platform),
            ("deadline", &mut self.deadline),
            ("level", &mut self.level),
            ("stack", &mut self.stack),
            ("format", &mut self.format),
            ("language", &mut self.language),
        ]
    }
}

/// Words that a subject has at most.
const LONGEST_SUBJECT: usize = 8;

/// The subject of a request: what follows "about", else the order, cut before the next clause.
pub fn subject(objective: &str, audience: Option<&str>) -> Option<String> {
    let first = objective.lines().next().unwrap_or_default();
    [
        pattern!(r"(?i)\b{slots.about} (?P<v>.+)$"),
        pattern!(r"(?i)^{slots.matter} (?P<v>.+)$"),
        pattern!(r"(?i)\b{slots.subject_of} (?P<v>.+)$"),
    ]
    .into_iter()
    .find_map(|lead| {
        let found = lead.captures(first)?;
        let phrase = found["v"].trim();
        let phrase =
            pattern!(r"(?i)(?:[,;:.!?](?:\s|$)|\s\(|\s[-–—]\s|\s{slots.subject_end}\b).*$")
                .replace(phrase, "");
        let phrase = phrase.trim();
        let fits = (1..=LONGEST_SUBJECT).contains(&phrase.split_whitespace().count())
            && phrase.chars().count() >= 3
            && audience.is_none_or(|audience| !phrase.eq_ignore_ascii_case(audience))
            && !pattern!(r"(?i)^{slots.no_subject}\b").is_match(phrase)
            && !pattern!(r"(?i)\b{slots.person}$").is_match(phrase)
            && !phrase.contains(['{', '}', '<', '>', '`', '"']);
        fits.then(|| phrase.to_owned())
    })
}
