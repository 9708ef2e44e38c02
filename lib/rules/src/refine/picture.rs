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
use patterns::{Pattern, pattern};
use text::imperative;

const STATED: &str = "The description has it now.";
const KNOWN: &str = "The prompt says so already.";
/// Longest description that a remark adds, in words.
const LONGEST: usize = 8;
const GONE: &str = "It is excluded from the picture now.";

/// Words that are added to a prompt, and why.
struct Line {
    text: String,
    reason: String,
}

/// How long a clip lasts, as `n`.
const SECONDS: Pattern = pattern!(r"(?i)\b(?P<n>\d{1,3})[ -]?(?:s|{refine_picture.seconds})\b");

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
    /// End of the list behind "Negative prompt:" in the prompt itself, in bytes.
    unwanted: Option<usize>,
    /// Further descriptions.
    additions: Vec<Line>,
    /// Further parameters.
    flags: Vec<Line>,
}

impl Picture {
    /// Tells words and parameters of a prompt apart; `None` if it is for answers in words.
    pub fn of(prompt: &str, target: TargetModel) -> Option<Self> {
        let model = target.model();
        let kind = convert::visual_kind(prompt);
        if kind.is_none() && !matches!(model.kind, ModelKind::Image | ModelKind::Video) {
            return None;
        }
        let flag = pattern!(r"(?:^|\s)--[a-z]{1,12}\b").find(prompt).map(|flag| flag.start());
        let negative = pattern!(
            r"(?i)(?:^|[\s,.;])(?P<l>(?:{refine_picture.negative_prompt}|{refine.avoid}): *)(?P<v>[^\n]*[^\s.])"
        )
        .captures(prompt);
        let [label, list] = ["l", "v"].map(|name| Some(negative.as_ref()?.name(name)?.range()));
        let ends = [flag, label.map(|label| label.start)].into_iter().flatten().min();
        Some(Self {
            moving: model.kind == ModelKind::Video || kind == Some(Mode::Video),
            takes_flags: family::of(model).flags || flag.is_some(),
            has_negative: model.negative_prompt,
            words: before_exclusions(prompt[..ends.unwrap_or(prompt.len())].trim_end()),
            unwanted: list.map(|list| match flag.filter(|flag| *flag > list.start) {
                Some(flag) => prompt[..flag].trim_end().len(),
                None => list.end,
            }),
            additions: Vec::new(),
            flags: Vec::new(),
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
        if let Some(done) = self.moving.then(|| set_seconds(work, text)).flatten() {
            return done;
        }
        if let Some(done) = self.takes_flags.then(|| self.flag(work, text)).flatten() {
            return done;
        }
        if let Ask::Remove(what) | Ask::Ban(what) = ask {
            let cut = remove::remove(work, what).is_some() || self.cut(work, what);
            if !cut && work.speaks_of_any(what) {
                return work.refused(super::UNFOUND);
            }
            return self.exclude(work, what, cut);
        }
        if let Some(done) = super::in_place(work, ask, text) {
            return done;
        }
        let lead = pattern!(r"(?i)^(?:{refine_picture.make_it_look}|{refine.add})\s+");
        let what = lead.find(text).map_or(text, |found| &text[found.end()..]);
        let turns = pattern!(
            r"(?i)(?:^|[^\p{L}])(?:{refine.now}|{refine.instead}|{refine.negated}|{refine.only}|{refine.relative}|{refine.clause})(?:[^\p{L}]|$)"
        );
        if turns.is_match(text)
            || imperative::starts_work(what)
            || what.split_whitespace().count() > LONGEST
            || work.speaks_of_any(what)
            || states_otherwise(what, &work.prompt()[..self.words])
        {
            return work.refused(super::UNFOUND);
        }
        self.describe(work, what)
    }

    /// Takes out the elements of the list that are little more than a thing.
    fn cut(&self, work: &mut Work<'_>, what: &str) -> bool {
        let element = |place: &Place| {
            let words = &work.text(place.text)[..self.words.min(work.text(place.text).len())];
            let start = words[..place.range.start].rfind([',', '.', '\n'])?;
            let end = words[place.range.end..].find([',', '.', '\n']);
            let end = end.map_or(words.len(), |end| place.range.end + end);
            let others = content(&words[start..end]).len() - content(bare(what)).len().min(1);
            let listed = words[start..].starts_with(',') && others <= 1;
            listed.then_some(Place { text: place.text, range: start..end })
        };
        let stands = |place: &Place| place.text == 0 && place.range.end <= self.words;
        let places = work.places(bare(what)).into_iter().filter(stands);
        let elements: Vec<Place> = places.filter_map(|place| element(&place)).collect();
        work.exchange_all(&elements, "").is_some()
    }

    /// Adds a description: a sentence behind sentences, else a further element of the list.
    fn describe(&mut self, work: &Work<'_>, what: &str) -> Outcome {
        let what = what.trim().trim_end_matches(['.', ',']);
        if work.places(what).iter().any(|place| place.range.end <= self.words) {
            return work.applied(KNOWN, &[]);
        }
        let words = &work.prompt()[..self.words];
        let ended = words.ends_with(['.', '!', '。']);
        let text = if ended || words.contains('\n') {
            let gap = if ended || !self.additions.is_empty() { " " } else { ". " };
            format!("{gap}{}", split::stop(&split::capitalize(what)))
        } else {
            format!(", {what}")
        };
        let told = work.applied(STATED, &[]);
        self.additions.push(Line { text, reason: told.1.clone() });
        told
    }

    fn set_ratio(&mut self, work: &mut Work<'_>, ratio: &str) -> Outcome {
        let told = work.applied("The format is {} now.", &[ratio]);
        if self.takes_flags {
            self.put(work, "ar", Some(ratio));
            return told;
        }
        let known = pattern!(
            r"\b(?P<v>\d{1,2}:\d{1,2})(?: {refine_picture.aspect_ratio}| {refine_picture.format}\b|\s*$|[.,])"
        );
        let mut done = 0;
        for text in work.own().collect::<Vec<_>>() {
            let found = known.captures_iter(work.text(text));
            let places = found.filter_map(|found| found.name("v"));
            let places: Vec<Place> =
                places.map(|ratio| Place { text, range: ratio.range() }).collect();
            done += places.iter().filter(|place| work.exchange(place, ratio, &told.1)).count();
        }
        if done == 0 && !work.prompt().contains(ratio) {
            self.describe(work, &format!("{ratio} aspect ratio"));
        }
        told
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
                let stated = value.map_or(format!("--{name}"), |value| format!("--{name} {value}"));
                let told = work.applied(STATED, &[]);
                self.flags.push(Line { text: format!(" {stated}"), reason: told.1.clone() });
                told
            }
            Some((_, Some(range))) => work
                .exchange_all(&[Place { text: 0, range }], value.unwrap_or_default())
                .unwrap_or_else(|| work.refused(super::UNFOUND)),
            Some((_, None)) => work.applied(KNOWN, &[]),
        }
    }

    /// Keeps something out of the picture; `cut` tells whether it was taken out of the description.
    fn exclude(&mut self, work: &mut Work<'_>, what: &str, cut: bool) -> Outcome {
        let what = pattern!(r"(?i)(?:,| {refine_picture.and_or})+ (?:{refine_picture.none_of} )?")
            .replace_all(bare(what), ", ")
            .into_owned();
        let told = work.applied(GONE, &[]);
        let more = format!(", {what}");
        let flag = pattern!(r"--no (?P<v>[^-\n]*[^-\s])").captures(work.prompt());
        let flag = flag.filter(|_| self.takes_flags).and_then(|found| found.name("v"));
        if let Some(end) = self.unwanted.or(flag.map(|list| list.end())) {
            work.edits.add(end..end, &more, &told.1, None);
            return told;
        }
        if self.takes_flags {
            match self.flags.iter_mut().find(|flag| flag.text.starts_with(" --no ")) {
                Some(flag) => flag.text.push_str(&more),
                None => {
                    let text = format!(" --no {what}");
                    self.flags.push(Line { text, reason: told.1.clone() });
                }
            }
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
    pub fn finish(self, work: &mut Work<'_>) {
        for line in self.additions {
            work.edits.add(self.words..self.words, &line.text, &line.reason, None);
        }
        let end = work.prompt().trim_end().len();
        for line in self.flags {
            work.edits.add(end..end, &line.text, &line.reason, None);
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

/// Changes how long a clip lasts, where the prompt says it once and the remark says nothing else.
fn set_seconds(work: &mut Work<'_>, text: &str) -> Option<Outcome> {
    let alone = pattern!(
        r"(?i)^\W*(?:(?:{visual.before_ratio}|{video.lasting})\s+)*(?P<n>\d{1,3})[ -]?(?:s|{refine_picture.seconds})(?:\s+(?:{video.long}|{visual.behind_ratio}))*\W*$"
    );
    let wanted = alone.captures(text)?;
    let mut found = SECONDS.captures_iter(work.prompt());
    let range = found.next()?.name("n")?.range();
    if found.next().is_some() {
        return None;
    }
    work.exchange_all(&[Place { text: 0, range }], &wanted["n"])
}
