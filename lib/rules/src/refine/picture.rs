//! Prompts for pictures and clips: descriptions, formats and exclusions in the target's dialect.

use std::ops::Range;

use super::read::Ask;
use super::remove;
use super::words::{bare, content};
use super::work::{Outcome, Place, Work};
use crate::container::before_exclusions;
use crate::visual::{family, flags, ratio, states_otherwise};
use crate::{convert, split};
use engine::{FeedbackStatus, Mode, ModelKind, TargetModel};
use patterns::pattern;

const STATED: &str = "The description has it now.";
const KNOWN: &str = "The prompt says so already.";
const GONE: &str = "It is excluded from the picture now.";

/// A prompt whose words end before its trailing parameters.
pub struct Picture {
    /// Whether it is a clip.
    moving: bool,
    /// Whether the model reads parameters at the end of the prompt.
    takes_flags: bool,
    /// Whether exclusions go in a field of their own.
    has_negative: bool,
    /// End of the words, in bytes.
    words: usize,
    /// End of the list behind "Negative prompt:" or "--no" in the prompt itself, in bytes.
    unwanted: Option<usize>,
    /// Further descriptions.
    additions: String,
    /// Further parameters.
    flags: String,
    /// What a further parameter excludes.
    excluded: Vec<String>,
}

impl Picture {
    /// Tells words and parameters of a prompt apart; `None` if it is for answers in words.
    pub fn of(prompt: &str, target: TargetModel) -> Option<Self> {
        let model = target.model();
        let mode = match model.kind {
            ModelKind::Image => Mode::Image,
            ModelKind::Video => Mode::Video,
            ModelKind::Text | ModelKind::Universal => convert::visual_kind(prompt)?,
        };
        let flag = pattern!(r"(?:^|\s)--[a-z]{1,12}\b").find(prompt).map(|flag| flag.start());
        let list = pattern!(
            r"(?i)(?:(?:^|[\s,.;])(?:{refine_picture.negative_prompt}|{refine.avoid}):|\s--no\s) *(?P<v>[^\n]*?)[\s.]*(?:\s--[a-z]|\n|$)"
        )
        .captures(prompt);
        let starts = [flag, list.as_ref().map(|list| list.get_match().start())];
        let end = starts.into_iter().flatten().min().unwrap_or(prompt.len());
        Some(Self {
            moving: mode == Mode::Video,
            takes_flags: family::of(model).flags || flag.is_some(),
            has_negative: model.negative_prompt,
            words: before_exclusions(prompt[..end].trim_end()),
            unwanted: list.and_then(|list| Some(list.name("v")?.end())),
            additions: String::new(),
            flags: String::new(),
            excluded: Vec::new(),
        })
    }

    /// Does what a point asks for.
    pub fn meet(&mut self, work: &mut Work<'_>, ask: &Ask, text: &str) -> Outcome {
        // "Landscape" may be a kind of picture; "landscape format" is none.
        let format = ratio::of(text, self.moving)
            .or_else(|| ratio::of(&format!("{text} format"), self.moving));
        if let Some(ratio) = format {
            return self.set_ratio(work, &ratio);
        }
        if let Some(done) = self.takes_flags.then(|| self.flag(work, text)).flatten() {
            return done;
        }
        if let Ask::Remove(what) | Ask::Ban(what) = ask {
            let cut = remove::remove(work, what).is_some() || self.cut(work, what);
            return match !cut && work.speaks_of_any(what) {
                true => work.refused(super::UNFOUND),
                false => self.exclude(work, what, cut),
            };
        }
        if let Some(done) = super::in_place(work, ask, text) {
            return done;
        }
        let lead = pattern!(
            r"(?i)^(?:{refine_picture.make_it_look}|{refine.add})\s+(?P<v>(?:\S+\s*){1,8})$"
        );
        let turns = pattern!(
            r"(?i)(?:^|[^\p{L}])(?:{refine.now}|{refine.instead}|{refine.negated})(?:[^\p{L}]|$)"
        );
        let added = lead.captures(text).filter(|_| !turns.is_match(text));
        let added = added.as_ref().and_then(|found| found.name("v")).map(|what| what.as_str());
        let fits = |what: &&str| {
            !work.speaks_of_any(what) && !states_otherwise(what, &work.prompt()[..self.words])
        };
        match added.filter(fits) {
            Some(what) => self.describe(work, what),
            None => work.refused(super::UNFOUND),
        }
    }

    /// Takes out the elements of the list that are little more than a thing.
    fn cut(&self, work: &mut Work<'_>, what: &str) -> bool {
        let element = |place: Place| {
            let words = &work.text(0)[..self.words.min(work.text(0).len())];
            let start = words.get(..place.range.start)?.rfind([',', '.', '\n'])?;
            let end = words.get(place.range.end..)?.find([',', '.', '\n']);
            let range = start..end.map_or(words.len(), |end| place.range.end + end);
            let others = content(&words[range.clone()]).len();
            let listed = words[start..].starts_with(',') && others <= 2;
            (place.text == 0 && listed).then_some(Place { text: 0, range })
        };
        let elements: Vec<Place> =
            work.places(bare(what)).into_iter().filter_map(element).collect();
        work.exchange_all(&elements, "").is_some()
    }

    /// Adds a description: a sentence behind sentences, else a further element of the list.
    fn describe(&mut self, work: &Work<'_>, what: &str) -> Outcome {
        let what = what.trim().trim_end_matches(['.', ',']);
        let words = &work.prompt()[..self.words];
        if work.places(what).iter().any(|place| place.range.end <= self.words) {
            return work.applied(KNOWN, &[]);
        }
        if words.ends_with(['.', '!', '。']) {
            self.additions += &format!(" {}", split::stop(&split::capitalize(what)));
        } else {
            self.additions += &format!(", {what}");
        }
        work.applied(STATED, &[])
    }

    fn set_ratio(&mut self, work: &mut Work<'_>, ratio: &str) -> Outcome {
        if self.takes_flags {
            return self.put(work, "ar", Some(ratio));
        }
        let standing = work.figures().iter().filter(|(_, figure)| figure.is_ratio());
        let standing: Vec<Place> = standing.map(|(place, _)| place.clone()).collect();
        let done = work.exchange_all(&standing, ratio);
        done.unwrap_or_else(|| self.describe(work, &work.tongue.line("ratio", ratio)))
    }

    /// Sets a parameter that a point names, or takes it out: "stylize 500", "remove --tile".
    fn flag(&mut self, work: &mut Work<'_>, text: &str) -> Option<Outcome> {
        let named = pattern!(
            r"(?ix)^(?:(?P<out>{refine_picture.remove})\ |{refine_picture.set}\ )?(?:{refine_picture.the}\ )?
              (?P<dash>--)?(?P<name>[a-z]{1,12})(?:\ {refine_picture.parameter})?
              (?:(?:\ {refine_picture.set_to})?[\ =:]+(?P<v>[\w.:-]{1,40}))?$"
        )
        .captures(text)?;
        let value = named.name("v").map(|value| value.as_str());
        let name = named["name"].to_lowercase();
        if named.name("out").is_some() {
            let (all, _) = standing(work, &name)?;
            return work.exchange_all(&[Place { text: 0, range: all }], "");
        }
        // A word names a parameter only with its number.
        let counts = |value: &str| value.parse::<f64>().is_ok();
        let numbered = flags::known(&name).is_some_and(flags::Flag::takes_number);
        let names = named.name("dash").is_some() || numbered && value.is_some_and(counts);
        names.then(|| self.put(work, &name, value))
    }

    /// Gives a parameter of the prompt a value, or adds it.
    fn put(&mut self, work: &mut Work<'_>, name: &str, value: Option<&str>) -> Outcome {
        match standing(work, name) {
            None => {
                self.flags += &format!(" --{name} {}", value.unwrap_or_default());
                self.flags.truncate(self.flags.trim_end().len());
                work.applied(STATED, &[])
            }
            Some((_, range)) => {
                let range = range.zip(value);
                let done = range.and_then(|(range, value)| {
                    work.exchange_all(&[Place { text: 0, range }], value)
                });
                done.unwrap_or_else(|| work.applied(KNOWN, &[]))
            }
        }
    }

    /// Keeps something out of the picture; `cut` tells whether it was taken out of the description.
    fn exclude(&mut self, work: &mut Work<'_>, what: &str, cut: bool) -> Outcome {
        let what = pattern!(r"(?i)(?:,| {refine_picture.and_or})+ (?:{refine_picture.none_of} )?")
            .replace_all(bare(what), |_| ", ")
            .into_owned();
        let told = work.applied(GONE, &[]);
        if let Some(end) = self.unwanted {
            work.edits.add(end..end, &format!(", {what}"), &told.1, None);
            return told;
        }
        if self.takes_flags {
            self.excluded.push(what);
            return told;
        }
        match (self.has_negative, cut) {
            (true, true) => work.applied("It was taken out of the description; \"{}\" in the negative prompt field keeps it away.", &[&what]),
            (true, false) => (FeedbackStatus::NotApplied, work.voice.say("This model takes exclusions in its negative prompt field, which is no part of the prompt: write \"{}\" there.", &[&what])),
            // A mention, even a negative one, could bring it back.
            (false, true) => work.applied("It was removed: \"{}\".", &[&what]),
            (false, false) => {
                self.describe(work, &work.tongue.line("free", &what));
                told
            }
        }
    }

    /// Puts the additions behind the words, and further parameters at the end.
    pub fn finish(mut self, work: &mut Work<'_>) {
        if !self.excluded.is_empty() {
            self.flags += &format!(" --no {}", self.excluded.join(", "));
        }
        let reason = work.voice.say(STATED, &[]);
        let end = work.prompt().trim_end().len();
        for (at, text) in [(self.words, self.additions), (end, self.flags)] {
            if !text.is_empty() {
                work.edits.add(at..at, &text, &reason, None);
            }
        }
    }
}

/// Where a prompt has a parameter, and where its value.
fn standing(work: &Work<'_>, name: &str) -> Option<(Range<usize>, Option<Range<usize>>)> {
    pattern!(r"(?P<all>[ \t]*--(?P<f>[a-z]{1,12})(?:[ \t]+(?P<v>[^\s-]\S*))?)")
        .captures_iter(work.prompt())
        .find(|found| flags::canonical(&found["f"]) == flags::canonical(name))
        .and_then(|found| Some((found.name("all")?.range(), found.name("v").map(|v| v.range()))))
}
