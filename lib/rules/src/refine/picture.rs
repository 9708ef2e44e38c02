//! Prompts for pictures and clips: descriptions, formats and exclusions in the target's dialect.

use std::ops::Range;

use super::apply;
use super::op::{Op, Refusal};
use super::place::Line;
use super::settings;
use super::state::overlaps;
use super::work::{Outcome, Work, phrase};
use crate::wording::Tongue;
use crate::{convert, split};
use engine::{FeedbackStatus, Mode, ModelKind, TargetModel};
use patterns::{Pattern, pattern};

const STATED: &str = "The description has it now.";
const KNOWN: &str = "The prompt says so already.";
const GONE: &str = "It is excluded from the picture now.";

/// How long a clip lasts, as `n`.
pub const SECONDS: Pattern = pattern!(r"(?i)\b(?P<n>\d{1,3})[ -]?(?:s|{refine_picture.seconds})\b");

/// A prompt whose words end before its trailing parameters.
pub struct Picture {
    /// Whether it is a clip.
    pub moving: bool,
    /// Whether the model reads parameters at the end of the prompt.
    pub takes_flags: bool,
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
    /// What is not to be seen any more.
    pub excluded: Vec<String>,
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
            r"(?i)(?:^|[\s,.;])(?P<l>{refine_picture.negative_prompt}: *)(?P<v>[^\n]*[^\s.])"
        )
        .captures(prompt);
        let [label, list] = ["l", "v"].map(|name| Some(negative.as_ref()?.name(name)?.range()));
        let ends = [flag, label.map(|label| label.start)].into_iter().flatten().min();
        Some(Self {
            moving: model.kind == ModelKind::Video || kind == Some(Mode::Video),
            takes_flags: model.family == "midjourney" || flag.is_some(),
            has_negative: model.negative_prompt,
            words: prompt[..ends.unwrap_or(prompt.len())].trim_end().len(),
            unwanted: list.map(|list| match flag.filter(|flag| *flag > list.start) {
                Some(flag) => prompt[..flag].trim_end().len(),
                None => list.end,
            }),
            additions: Vec::new(),
            flags: Vec::new(),
            excluded: Vec::new(),
        })
    }

    /// Applies an operation.
    pub fn apply(&mut self, work: &mut Work<'_>, op: Op, wish: &str) -> Outcome {
        match op {
            Op::Describe { what, doubtful } => {
                let done = self.describe(work, &what);
                if doubtful {
                    return work.partly(
                        "The prompt states it now; where it says something else, only its author can tell.",
                        &[],
                    );
                }
                done
            }
            Op::Ratio(ratio) => self.set_ratio(work, &ratio),
            Op::Seconds(seconds) => set_seconds(work, seconds),
            Op::Flag { name, value, out } => self.set_flag(work, &name, value.as_deref(), out),
            Op::Tone(tone) => {
                let tone = settings::without_degree(&tone);
                self.describe(work, &settings::tone_in(work.tongue.tag, &tone))
            }
            Op::NoEmojis => self.exclude(work, "emojis", false),
            Op::Remove { what, .. } if !what.contains("{{") => {
                let reason = work.voice.say("It was removed: \"{}\".", &[&what]);
                let cut = self.place_of(work, &what);
                let cut = cut.is_some_and(|range| work.exchange(range, "", &reason));
                self.exclude(work, &what, cut)
            }
            Op::Exclude(what) => self.exclude(work, &what, false),
            other => apply::apply(work, other, wish),
        }
    }

    /// Adds a description: a sentence behind sentences, else a further element of the list.
    fn describe(&mut self, work: &Work<'_>, what: &str) -> Outcome {
        let what = what.trim().trim_end_matches(['.', ',']);
        if work.places(what).iter().any(|range| range.end <= self.words) {
            return work.applied(KNOWN, &[]);
        }
        let words = &work.prompt[..self.words];
        let ended = words.ends_with(['.', '!', '。']);
        let text = if ended || words.contains('\n') {
            let gap = if ended || !self.additions.is_empty() { " " } else { ". " };
            format!("{gap}{}", split::stop(&split::capitalize(what)))
        } else {
            format!(", {}", lowered(what))
        };
        let told = work.applied(STATED, &[]);
        self.additions.push(Line { text, reason: told.1.clone() });
        told
    }

    fn set_ratio(&mut self, work: &mut Work<'_>, ratio: &str) -> Outcome {
        let told = work.applied("The format is {} now.", &[ratio]);
        let known = pattern!(r"(?:--(?:ar|aspect) (?P<a>\d{1,2}:\d{1,2}))|\b(?P<b>\d{1,2}:\d{1,2})(?: {refine_picture.aspect_ratio}| {refine_picture.format}\b|\s*$|[.,])")
            .captures_iter(work.prompt)
            .filter_map(|found| found.name("a").or(found.name("b")).map(|ratio| ratio.range()))
            .filter(|range| !work.is_held(range))
            .collect::<Vec<_>>();
        let done = known.into_iter().filter(|range| work.exchange(range.clone(), ratio, &told.1));
        if done.count() == 0 {
            if self.takes_flags {
                let text = format!(" --ar {ratio}");
                self.flags.push(Line { text, reason: told.1.clone() });
            } else {
                self.describe(work, &format!("{ratio} aspect ratio"));
            }
        }
        told
    }

    /// Sets a parameter, or takes it out.
    fn set_flag(
        &mut self,
        work: &mut Work<'_>,
        name: &str,
        value: Option<&str>,
        out: bool,
    ) -> Outcome {
        let long = |name: &str| match name {
            "s" => "stylize".to_owned(),
            "c" => "chaos".to_owned(),
            "q" => "quality".to_owned(),
            "v" => "version".to_owned(),
            "aspect" => "ar".to_owned(),
            other => other.to_owned(),
        };
        let stated = value.map_or(format!("--{name}"), |value| format!("--{name} {value}"));
        let known = pattern!(r"(?P<all>[ \t]*--(?P<f>[a-z]{1,12})(?:[ \t]+(?P<v>[^\s-]\S*))?)")
            .captures_iter(work.prompt)
            .find(|found| long(&found["f"]) == long(name))
            .map(|found| {
                (found.name("all").map(|all| all.range()), found.name("v").map(|v| v.range()))
            });
        let (place, new, told) = match known {
            None if out => return work.refused("The prompt does not say \"{}\".", &[&stated]),
            None => {
                let told = work.applied(STATED, &[]);
                self.flags.push(Line { text: format!(" {stated}"), reason: told.1.clone() });
                return told;
            }
            Some((all, _)) if out => (all, "", work.applied("It was removed: \"{}\".", &[&stated])),
            Some((_, old)) => {
                let (old, new) = (old.unwrap_or_default(), value.unwrap_or_default());
                if old.is_empty() || work.prompt[old.clone()] == *new {
                    return work.applied(KNOWN, &[]);
                }
                let named = [&work.prompt[old.clone()], new];
                (Some(old), new, work.applied("\"{}\" was replaced by \"{2}\".", &named))
            }
        };
        if place.is_some_and(|place| work.exchange(place, new, &told.1)) {
            told
        } else {
            overlaps(work)
        }
    }

    /// The part of the description that adds something: ", a red kite", "with a red kite".
    fn place_of(&self, work: &Work<'_>, what: &str) -> Option<Range<usize>> {
        let what = pattern!(r"(?i)^{refine_picture.articles}\s+").replace(what.trim(), "");
        let lead = pattern!(
            r"(?i)(?P<v>(?:,?\s+{refine_picture.beside}\s+|,\s*)(?:(?:{refine_picture.determiner}|\d+)\s+)?(?:[\p{L}%-]+\s+){0,2}?)$"
        );
        let tail = pattern!(r"^(?P<v>s?)\s*(?:[,.;:\n]|$)");
        let found = phrase(&what)?.find(&work.prompt[..self.words])?.range();
        let before = &work.prompt[..found.start];
        let from = lead.captures(before)?.name("v")?.start();
        let to = found.end + tail.captures(&work.prompt[found.end..self.words])?.name("v")?.end();
        let range = from..to;
        (work.only_copy(&range, &what).is_none() && !work.is_held(&range)).then_some(range)
    }

    /// Keeps something out of the picture; `cut` tells whether it was taken out of the description.
    fn exclude(&mut self, work: &mut Work<'_>, what: &str, cut: bool) -> Outcome {
        let what = pattern!(r"(?i)^{refine_picture.all}\s+").replace(what.trim(), "");
        let what = pattern!(r"(?i)(?:,| {refine_picture.and_or})+ (?:{refine_picture.none_of} )?")
            .replace_all(what.trim_end_matches(['.', ',']), ", ")
            .into_owned();
        if pattern!(r"(?i)\b{refine_picture.exclusions}$|^--").is_match(&what) {
            return work.refused(Refusal::Unclear.reason(), &[]);
        }
        self.excluded.push(what.clone());
        let told = work.applied(GONE, &[]);
        let more = format!(", {what}");
        let flag = pattern!(r"--no (?P<v>[^-\n]*[^-\s])").captures(work.prompt);
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
            (true, false) => work.refused("This model takes exclusions in its negative prompt field, which is no part of the prompt: write \"{}\" there.", &[&what]),
            // A mention, even a negative one, could bring it back.
            (false, true) => work.applied("It was removed: \"{}\".", &[&what]),
            (false, false) => {
                let free = work.tongue.line("free", &what);
                let free = free.or_else(|| Tongue::named("en").line("free", &what));
                let free = free.unwrap_or_default();
                self.describe(work, &free);
                told
            }
        }
    }

    /// Puts the additions behind the words, and further parameters at the end.
    pub fn finish(mut self, work: &mut Work<'_>) {
        // What could not be put in place is a description like any other.
        for line in std::mem::take(&mut work.lines) {
            self.describe(work, &line.text);
        }
        for line in self.additions {
            work.edits.add(self.words..self.words, &line.text, &line.reason, None);
        }
        let end = work.prompt.trim_end().len();
        for line in self.flags {
            work.edits.add(end..end, &line.text, &line.reason, None);
        }
    }
}

/// Changes how long a clip lasts.
fn set_seconds(work: &mut Work<'_>, seconds: u64) -> Outcome {
    let seconds = seconds.to_string();
    let place = SECONDS.captures(work.prompt).and_then(|found| Some(found.name("n")?.range()));
    let reason = work.voice.say("The clip lasts {} seconds now.", &[&seconds]);
    match place.filter(|place| !work.is_held(place)) {
        Some(place) if work.exchange(place.clone(), &seconds, &reason) => {
            (FeedbackStatus::Applied, reason)
        }
        _ => overlaps(work),
    }
}

/// A phrase without the capital letter of a sentence; names keep theirs.
fn lowered(phrase: &str) -> String {
    let begins = pattern!(r"^{refine_picture.sentence_start} ").is_match(phrase);
    let mut characters = phrase.chars();
    match characters.next() {
        Some(first) if begins => first.to_lowercase().chain(characters).collect(),
        _ => phrase.to_owned(),
    }
}
