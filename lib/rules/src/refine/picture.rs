//! Prompts for pictures and clips: descriptions, formats and exclusions in the target's dialect.

use super::numbers::Class;
use super::read::Ask;
use super::remove;
use super::words::{bare, content};
use super::work::{Outcome, Place, Work};
use crate::convert;
use crate::split;
use crate::visual::{family, ratio, states_otherwise};
use engine::{FeedbackStatus, Mode, ModelKind, TargetModel};
use patterns::pattern;

const STATED: &str = "The description has it now.";
const GONE: &str = "It is excluded from the picture now.";

/// A prompt whose words end before its exclusions and trailing parameters.
pub struct Picture {
    moving: bool,
    /// Whether the model reads parameters at the end of the prompt.
    takes_flags: bool,
    has_negative: bool,
    words: usize,
    /// End of the list behind "Negative prompt:" or "--no" in the prompt itself, in bytes.
    unwanted: Option<usize>,
    additions: String,
    flags: String,
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
            r"(?i)(?:(?:^|[\s,.;])(?:{refine_picture.negative_prompt}|{refine.avoid})[*_]*:|\s--no\s) *(?P<v>[^\n]*?)[\s.]*(?:\s--[a-z]|\n|$)"
        )
        .captures(prompt);
        let starts = [flag, list.as_ref().map(|list| list.get_match().start())];
        let end = starts.into_iter().flatten().min().unwrap_or(prompt.len());
        Some(Self {
            moving: mode == Mode::Video,
            takes_flags: family::of(model).flags || flag.is_some(),
            has_negative: model.negative_prompt,
            words: prompt[..end].trim_end().len(),
            unwanted: list.and_then(|list| Some(list.name("v")?.end())),
            additions: String::new(),
            flags: String::new(),
            excluded: Vec::new(),
        })
    }

    pub fn meet(&mut self, work: &mut Work<'_>, ask: &Ask, text: &str) -> Outcome {
        // "Landscape" may be a kind of picture; "landscape format" is none.
        let format = ratio::of(text, self.moving)
            .or_else(|| ratio::of(&format!("{text} format"), self.moving));
        if let Some(ratio) = format {
            return self.set_ratio(work, &ratio);
        }
        if let Ask::Remove(what) | Ask::Ban(what) = ask {
            let cut = remove::remove(work, what).is_some() || self.cut(work, what);
            if !cut && (content(what).is_empty() || work.speaks_of(what)) {
                return work.refused(super::UNFOUND);
            }
            return self.exclude(work, what, cut);
        }
        if let Some(done) = super::in_place(work, ask, text) {
            return done;
        }
        let lead = pattern!(
            r"(?i)^(?:{refine_picture.make_it_look}|{refine.add})\s+(?P<v>(?:\S+\s+)?\S*\p{L}\S*(?:\s+\S+){0,6}\s*)$"
        );
        let turns = pattern!(
            r"(?i)(?:^|[^\p{L}])(?:{refine.now}|{refine.instead}|{refine.negated})(?:[^\p{L}]|$)"
        );
        let added = lead.captures(text).filter(|_| !turns.is_match(text));
        let fits = |what: &&str| {
            !work.speaks_of(what) && !states_otherwise(what, &work.prompt()[..self.words])
        };
        match added.as_ref().map(|found| &found["v"]).filter(fits) {
            Some(what) => self.describe(work, what),
            None => work.refused(super::UNFOUND),
        }
    }

    /// Takes out the elements of the list that are little more than a thing.
    fn cut(&self, work: &mut Work<'_>, what: &str) -> bool {
        let element = |place: Place| {
            let words = &work.prompt()[..self.words];
            let start = words.get(..place.range.start)?.rfind([',', '.', '\n'])?;
            let end = words.get(place.range.end..)?.find([',', '.', '\n']);
            let range = start..end.map_or(words.len(), |end| place.range.end + end);
            let listed =
                words[start..].starts_with(',') && content(&words[range.clone()]).len() < 3;
            (work.container.is_plain() && listed).then_some(Place { text: 0, range })
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
            return work.applied("The prompt says so already.", &[]);
        }
        self.additions += &if words.ends_with(['.', '!', '。']) {
            format!(" {}", split::stop(&split::capitalize(what)))
        } else {
            format!(", {what}")
        };
        work.applied(STATED, &[])
    }

    fn set_ratio(&mut self, work: &mut Work<'_>, ratio: &str) -> Outcome {
        let flag = pattern!(r"--(?:ar|aspect)[ \t]+(?P<v>\d\S*)").captures(work.prompt());
        let range = flag.and_then(|flag| Some(flag.name("v")?.range()));
        let standing: Vec<Place> = match range {
            Some(range) => vec![Place { text: 0, range }],
            None if self.takes_flags => {
                self.flags += &format!(" --ar {ratio}");
                return work.applied(STATED, &[]);
            }
            None => {
                let figures = work.figures().iter().filter(|(_, it)| it.class == Class::Ratio);
                figures.map(|(place, _)| place.clone()).collect()
            }
        };
        let done = work.exchange_all(&standing, ratio);
        done.unwrap_or_else(|| self.describe(work, &work.tongue.line("ratio", ratio)))
    }

    /// Keeps something out of the picture; `cut` tells whether it was taken out of the description.
    fn exclude(&mut self, work: &mut Work<'_>, what: &str, cut: bool) -> Outcome {
        let what = pattern!(r"(?i)(?:,| {refine_picture.and_or})+ (?:{refine_picture.none_of} )?")
            .replace_all(bare(what), |_| ", ");
        let told = work.applied(GONE, &[]);
        if let Some(end) = self.unwanted {
            work.edits.add(end..end, &format!(", {what}"), &told.1, None);
        } else if self.takes_flags {
            self.excluded.push(what);
        } else if cut {
            // A mention, even a negative one, could bring it back.
            return work.applied("It was removed: \"{}\".", &[&what]);
        } else if self.has_negative {
            return (FeedbackStatus::NotApplied, work.voice.say("This model takes exclusions in its negative prompt field, which is no part of the prompt: write \"{}\" there.", &[&what]));
        } else {
            self.describe(work, &work.tongue.line("free", &what));
        }
        told
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
