//! A prompt under change.

use std::cell::OnceCell;
use std::ops::Range;

use super::numbers::{Figure, figures};
use super::passed;
use super::words::{among, content, find};
use crate::wording::{Tongue, Voice};
use engine::changes::Edits;
use engine::prompt::Mask;
use engine::prompt::container::{Container, Role};
use engine::{Change, FeedbackStatus, RefineBrief};
use patterns::{Pattern, pattern};
use text::{Cover, Literals, language::told, literals::scan};

/// Characters of a text that a reason repeats.
const NAMED: usize = 80;
/// Words of a sentence that are held against those of a point.
const SENTENCE: usize = 100;
/// Bytes of a text that tell its language by themselves.
const LONG: usize = 40;
const PASSED: &str = "The prompt passes it on as feedback, which applies where the two differ.";
/// What became of a point, and why.
pub type Outcome = (FeedbackStatus, String);

/// A range of one of the texts of a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub text: usize,
    pub range: Range<usize>,
}

/// A sentence or item with the words that name something.
pub struct Unit {
    pub place: Place,
    words: Vec<String>,
    /// Whether it is brought along to work on, or an example.
    pub supplied: bool,
}

impl Unit {
    pub fn shares(&self, names: &[&str]) -> usize {
        among(names, &self.words[..self.words.len().min(SENTENCE)])
    }

    pub fn has(&self, names: &[&str]) -> bool {
        !names.is_empty() && self.shares(names) == names.len()
    }
}

/// What is known about a text.
struct Reading {
    literals: Literals,
    /// What no rule changes: variables, addresses, fenced code, tags with attributes.
    rigid: Cover,
    /// Its examples.
    shown: Cover,
}

/// A prompt with the edits that feedback asks for.
pub struct Work<'a> {
    pub container: Container<'a>,
    readings: Vec<Reading>,
    units: Vec<Unit>,
    figures: OnceCell<Vec<(Place, Figure)>>,
    pub tongue: Tongue,
    pub voice: &'a Voice,
    pub edits: Edits<'a>,
    /// Whether the prompt can pass feedback on: one for a picture cannot.
    pub takes_feedback: bool,
    passes_on: bool,
    /// What the changes are meant to take away.
    gone: String,
}

impl<'a> Work<'a> {
    pub fn new(brief: &'a RefineBrief, voice: &'a Voice, takes_feedback: bool) -> Self {
        let prompt = brief.prompt.as_str();
        let container = Container::of(prompt);
        let mut units = Vec::new();
        let texts = container.texts().iter().enumerate();
        let readings = texts.map(|(at, text)| Reading::of(at, &text.text, &mut units)).collect();
        let instructions = container.instructions().map(|at| container.texts()[at].text.as_str());
        let read = instructions.unwrap_or(prompt);
        let sure = |tag: &&str| read.len() >= LONG || told(&brief.feedback) == Some(*tag);
        let tongue = match told(read).filter(sure) {
            Some(tag) => Tongue { tag },
            None => Tongue::of(&format!("{read} {}", brief.feedback)),
        };
        Self {
            readings,
            units,
            figures: OnceCell::new(),
            tongue,
            voice,
            edits: Edits::new(prompt),
            takes_feedback: takes_feedback && !container.is_yaml(),
            passes_on: false,
            gone: String::new(),
            container,
        }
    }

    pub fn refused(&self, reason: &str) -> Outcome {
        (FeedbackStatus::NotApplied, self.voice.say(reason, &[]))
    }

    pub fn applied(&self, reason: &str, values: &[&str]) -> Outcome {
        (FeedbackStatus::Applied, self.voice.say(reason, values))
    }

    pub fn prompt(&self) -> &'a str {
        self.container.whole()
    }

    pub fn text(&self, text: usize) -> &str {
        &self.container.texts()[text].text
    }

    pub fn at(&self, place: &Place) -> &str {
        &self.text(place.text)[place.range.clone()]
    }

    /// Whether a text may be changed: what the model says is left alone.
    fn is_own(&self, text: usize) -> bool {
        self.container.texts()[text].role != Role::Assistant
    }

    /// The sentences and items that may be changed.
    pub fn units(&self) -> impl Iterator<Item = &Unit> {
        self.units.iter().filter(|unit| self.is_own(unit.place.text))
    }

    /// The sentence or item that a place lies in.
    pub fn unit_at(&self, place: &Place) -> Option<&Unit> {
        let end = (place.text, place.range.end);
        let before = |unit: &Unit| (unit.place.text, unit.place.range.end) < end;
        let unit = self.units.get(self.units.partition_point(before))?;
        let holds = unit.place.text == place.text && unit.place.range.start <= place.range.start;
        holds.then_some(unit)
    }

    /// The numbers of the texts that may be changed.
    pub fn figures(&self) -> &[(Place, Figure)] {
        self.figures.get_or_init(|| {
            let of = |text| {
                let list = figures(self.text(text), &Cover::default()).into_iter();
                list.map(move |figure| (Place { text, range: figure.range.clone() }, figure))
            };
            let own = (0..self.readings.len()).filter(|text| self.is_own(*text));
            own.flat_map(of).filter(|(place, _)| !self.is_rigid(place)).collect()
        })
    }

    /// What may be changed of the texts that may.
    fn own<T: Iterator<Item = Range<usize>>>(&self, of: impl Fn(usize) -> T) -> Vec<Place> {
        let own = (0..self.readings.len()).filter(|text| self.is_own(*text));
        let all = own.flat_map(|text| of(text).map(move |range| Place { text, range }));
        all.filter(|place| !self.is_rigid(place)).collect()
    }

    /// What matches a pattern in the texts that may be changed.
    pub fn matching(&self, pattern: Pattern) -> Vec<Place> {
        self.own(|text| pattern.find_iter(self.text(text)).map(|found| found.range()))
    }

    /// What stands in quotation marks in the texts that may be changed.
    pub fn quotations(&self) -> Vec<Place> {
        self.own(|text| self.readings[text].literals.quoted.iter().cloned())
    }

    /// Whether nothing was put in a place yet.
    pub fn is_free(&self, place: &Place) -> bool {
        self.edits.is_free(&self.container.span(place.text, &place.range))
    }

    /// Whether a place is all of a quotation or of inline code.
    pub fn is_literal(&self, place: &Place) -> bool {
        let Literals { quoted, code_text, .. } = &self.readings[place.text].literals;
        quoted.iter().chain(code_text).any(|range| *range == place.range)
    }

    /// Whether it is a variable, an address or fenced code.
    fn is_rigid(&self, place: &Place) -> bool {
        self.readings[place.text].rigid.touches(&place.range)
    }

    /// Whether a place is part of an example.
    pub fn is_shown(&self, place: &Place) -> bool {
        self.readings[place.text].shown.touches(&place.range)
    }

    /// Where a phrase stands in the texts, what the model says included.
    pub fn places(&self, phrase: &str) -> Vec<Place> {
        let of = |text| {
            let found = find(self.text(text), phrase).into_iter();
            found.map(move |range| Place { text, range })
        };
        let all = (0..self.readings.len()).flat_map(of);
        all.filter(|place| !self.is_rigid(place)).collect()
    }

    /// Puts other words, or none, in all the places, or in none where one of them cannot be changed.
    pub fn exchange_all(&mut self, places: &[Place], new: &str) -> Option<Outcome> {
        let old = brief(self.at(places.first()?));
        if old == new || !places.iter().all(|place| self.is_free(place)) {
            return None;
        }
        let bare = old.trim_matches([' ', '\n', ',', '-', '*', ';']);
        let told = match new {
            "" => self.applied("It was removed: \"{}\".", &[bare]),
            new => self.applied("\"{}\" was replaced by \"{2}\".", &[&old, &brief(new)]),
        };
        for place in places {
            let span = self.container.span(place.text, &place.range);
            let written = self.container.written(place.text, new);
            if !self.edits.add(span, &written, &told.1, None) {
                continue;
            }
            let text = self.text(place.text);
            let own = &self.readings[place.text].literals;
            let lists = [&own.quoted, &own.code_text, &own.numbers, &own.variables];
            let touches = |known: &&Range<usize>| {
                known.start < place.range.end && place.range.start < known.end
            };
            let touched = lists.into_iter().flatten().filter(touches).chain([&place.range]);
            let gone: Vec<&str> = touched.map(|range| &text[range.clone()]).collect();
            let gone = gone.join("\n") + "\n";
            self.gone.push_str(&gone);
        }
        Some(told)
    }

    /// Passes the feedback on in the prompt, and tells so of a point.
    pub fn pass_on(&mut self) -> Outcome {
        if !self.takes_feedback || self.container.instructions().is_none() {
            return self.refused(super::UNFOUND);
        }
        self.passes_on = true;
        (FeedbackStatus::PartlyApplied, self.voice.say(PASSED, &[]))
    }

    /// Whether the prompt speaks of something that a text names.
    pub fn speaks_of(&self, text: &str) -> bool {
        let names = content(text);
        self.units.iter().any(|unit| unit.shares(&names) > 0)
    }

    /// The changes and what they take away deliberately; `heard` is what there is to pass on of the feedback.
    pub fn finish(mut self, heard: &str) -> (String, Vec<Change>, String) {
        if self.passes_on {
            let reason = self.voice.say(PASSED, &[]);
            if let Some((at, words)) = passed::add(&self.container, heard, self.tongue) {
                self.edits.add(at..at, &words, &reason, None);
            }
        }
        (self.edits.result(), self.edits.changes(), self.gone)
    }
}

impl Reading {
    fn of(at: usize, text: &str, units: &mut Vec<Unit>) -> Self {
        let literals = scan(text);
        let mask = Mask::of(text);
        let cover = |list: &Vec<Range<usize>>| Cover::of(&[list]);
        let long = |range: &&Range<usize>| text[(*range).clone()].contains('\n');
        let fenced: Vec<Range<usize>> = literals.code.iter().filter(long).cloned().collect();
        let tag = pattern!(r"<[A-Za-z][\w-]*\s[^<>\n]*=[^<>\n]*>");
        let tags = tag.find_iter(text).map(|found| found.range()).collect();
        let rigid = [&fenced, &literals.variables, &literals.addresses, &tags];
        let (supplied, shown) = (cover(&mask.supplied().collect()), cover(&mask.shown(text)));
        let sentences = text::sentences(text, &literals.cover()).into_iter();
        units.extend(sentences.map(|range| Unit {
            words: content(&text[range.clone()]).into_iter().map(str::to_lowercase).collect(),
            supplied: supplied.touches(&range),
            place: Place { text: at, range },
        }));
        Self { rigid: Cover::of(&rigid), shown, literals }
    }
}

/// The beginning of a text, for reasons.
fn brief(text: &str) -> String {
    let mut short: String = text.chars().take(NAMED).collect();
    if text.chars().nth(NAMED).is_some() {
        short.push('…');
    }
    short
}
