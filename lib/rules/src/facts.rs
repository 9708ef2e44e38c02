//! What the caller says about the use of a prompt, as far as the prompt lacks it.

use std::collections::HashSet;

use crate::dialect::{Part, Piece, bullets, fence};
use crate::wording::Tongue;
use crate::{courtesy, goal, imperative, slots, split};
use patterns::pattern;
use text::literals::scan;

/// More facts than this are given as one block instead of a list.
const MOST_LISTED: usize = 12;
/// Only this much of a text is searched for settings, in characters.
const READ: usize = 3000;
/// A longer value is a description and no setting, in characters.
const LONGEST_VALUE: usize = 160;

/// The settings that a context may name, in the order in which they become lines.
const SETTINGS: [&str; 5] = ["audience", "tone", "length", "format", "purpose"];

/// The value of each of the [`SETTINGS`] that a text names.
type Settings = [Option<String>; SETTINGS.len()];

/// Facts and settings out of the context of a request.
#[derive(Debug, Default)]
pub struct Facts {
    /// Sentences that the prompt does not have, word for word.
    pub sentences: Vec<String>,
    /// The context without what tries to command a model.
    content: String,
    /// Whether the context is content that the prompt points to, and so is given as it stands.
    whole: bool,
    /// What the context demands of the result, word for word.
    demands: Vec<String>,
    /// The settings that only the context names.
    settings: Settings,
}

impl Facts {
    /// Reads the context. Sentences that try to command a model are facts about nothing and are left out.
    pub fn of(context: &str, prompt: &str) -> Self {
        if context.trim().is_empty() {
            return Self::default();
        }
        let plain = |text: &str| split::squeeze(text).to_lowercase();
        let literals = scan(context);
        let held = literals.cover(context.len());
        let said = scan(prompt);
        let known: HashSet<String> = text::sentences(prompt, &said.cover(prompt.len()))
            .into_iter()
            .map(|range| plain(&prompt[range]))
            .collect();
        let mut seen = HashSet::new();
        let mut content = String::new();
        let (mut sentences, mut demands) = (Vec::new(), Vec::new());
        let mut at = 0;
        for range in text::sentences(context, &held) {
            let sentence = &context[range.clone()];
            if goal::is_takeover(sentence) || courtesy::is_idle(sentence) {
                content.push_str(context[at..range.start].trim_end_matches(' '));
                at = range.end;
            } else if sentence.chars().any(char::is_alphanumeric)
                && !known.contains(&plain(sentence))
                && seen.insert(plain(sentence))
            {
                if demands_something(sentence) {
                    demands.push(split::stop(sentence));
                } else {
                    sentences.push(sentence.to_owned());
                }
            }
        }
        content.push_str(&context[at..]);
        let (mut settings, stated) = (settings_of(context), settings_of(prompt));
        for (own, stated) in settings.iter_mut().zip(stated) {
            own.take_if(|_| stated.is_some());
        }
        let content = content.trim().to_owned();
        Self { sentences, content, whole: false, demands, settings }
    }

    /// Whether the context names a setting that the prompt does not.
    pub fn names(&self, setting: &str) -> bool {
        SETTINGS.iter().zip(&self.settings).any(|(name, own)| *name == setting && own.is_some())
    }

    /// Keeps the context as it stands, as content that the prompt points to: nothing in it is a demand.
    pub fn keep_whole(&mut self) {
        self.whole = true;
        self.sentences.append(&mut self.demands);
    }

    /// The settings as requirements in the prompt's language, and what is demanded besides.
    pub fn lines(&self, tongue: Tongue) -> Vec<String> {
        SETTINGS
            .iter()
            .zip(&self.settings)
            .filter_map(|(name, value)| tongue.line(name, value.as_deref()?))
            .chain(self.demands.iter().cloned())
            .collect()
    }

    /// The facts, marked as information; empty if there are none.
    pub fn text(&self, tongue: Tongue) -> String {
        if self.sentences.is_empty() {
            return String::new();
        }
        // What could be taken for an order stands between delimiters, and so does a long list.
        let apart = self.sentences.len() > MOST_LISTED
            || self.sentences.iter().any(|sentence| orders(sentence));
        let facts = if self.whole {
            fence(&self.content)
        } else if apart {
            fence(&self.sentences.join("\n"))
        } else {
            bullets(&self.sentences)
        };
        [tongue.background(), &facts].join("\n").trim().to_owned()
    }

    /// Puts the facts beside the prompt's own, marked as information, and the settings among the
    /// requirements.
    pub fn place(&self, pieces: &mut Vec<Piece>, tongue: Tongue) {
        let lines = self.lines(tongue);
        if !lines.is_empty() {
            add(pieces, Part::Requirements, "\n", bullets(&lines));
        }
        let facts = self.text(tongue);
        if !facts.is_empty() {
            add(pieces, Part::Context, "\n\n", facts);
        }
    }
}

/// Adds a text to a part, behind what it has.
fn add(pieces: &mut Vec<Piece>, part: Part, between: &str, text: String) {
    match pieces.iter_mut().find(|piece| piece.part == part) {
        Some(piece) => piece.text = [piece.text.as_str(), &text].join(between),
        None => pieces.push(Piece { part, text }),
    }
}

/// What a text says about the result that is wanted. What stands behind a label counts before what is only
/// mentioned: "Audience: nurses. Ton: trocken; Format : tableau", the first of each.
fn settings_of(text: &str) -> Settings {
    let text: String = text.chars().take(READ).collect();
    let label = pattern!(
        r"(?im)(?:^|[.;,|•(]|[-*] )[ \t]*\*{0,2}(?:(?P<audience>{optimize_facts.audience})|(?P<tone>{optimize_facts.tone})|(?P<length>{optimize_facts.length})|(?P<format>{optimize_facts.format})|(?P<purpose>{optimize_facts.purpose})|\p{Lu}[\p{L}]{1,20}(?: [\p{L}]{1,20}){0,2})\*{0,2} ?[:：][ \t]*"
    );
    let places: Vec<patterns::Captures<'_>> = label.captures_iter(&text).collect();
    let mut settings = Settings::default();
    for (at, place) in places.iter().enumerate() {
        let until = places.get(at + 1).map_or(text.len(), |next| next.get_match().start());
        let value = value(&text[place.get_match().end()..until]);
        let named = SETTINGS.iter().position(|name| place.name(name).is_some());
        if let Some(slot) = named.map(|named| &mut settings[named])
            && slot.is_none()
            && (1..=LONGEST_VALUE).contains(&value.chars().count())
        {
            *slot = Some(value.to_owned());
        }
    }
    let mentioned = slots::read(&text);
    let mentioned = [mentioned.audience, mentioned.tone, mentioned.length, mentioned.format, None];
    for (own, mentioned) in settings.iter_mut().zip(mentioned) {
        *own = own.take().or(mentioned);
    }
    settings
}

/// A value up to the end of its sentence.
fn value(text: &str) -> &str {
    let line = text.split(['\n', ';', '|']).next().unwrap_or_default();
    let end = text::sentences(line, &text::Cover::of(line.len(), &[]))
        .first()
        .map_or(line.len(), |first| first.end);
    line[..end].trim().trim_end_matches(['.', ',', ' ', '。'])
}

/// Longer sentences explain rather than demand, in characters.
const LONGEST_DEMAND: usize = 200;

/// Whether a sentence of the context says what the result must be or have; one that speaks of prompts and
/// instructions, or orders work of its own, does not.
fn demands_something(sentence: &str) -> bool {
    let demand = pattern!(
        r"(?ix)^(?:{optimize_facts.before_demand}\ )?(?:{optimize_facts.demand_word}\ |{optimize_facts.demand_start}|{optimize_facts.order}\b.*\b{optimize_facts.demand_limit}\b|{optimize_facts.result_must}\b)"
    );
    // "No reason was given", "Only two shops are open" state facts.
    let states = pattern!(
        r"(?i)^{optimize_facts.limit}\b(?:.*\b{optimize_facts.fact_word}\b|(?: \S+){1,3} {optimize_facts.state}\b)"
    );
    sentence.chars().count() <= LONGEST_DEMAND
        && !states.is_match(sentence.trim())
        && !sentence.contains('\n')
        && !sentence.trim_end().ends_with(['?', ':'])
        && demand.is_match(sentence.trim())
        && !orders(sentence)
}

/// Whether a sentence of the context reads like an instruction to a model.
fn orders(sentence: &str) -> bool {
    imperative::starts_work(sentence)
        || pattern!(r"(?i)\b{optimize_facts.to_model}\b").is_match(sentence)
}
