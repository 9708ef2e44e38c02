//! Feedback on prompts for pictures and clips: descriptions, formats and exclusions in the target's dialect.

use std::ops::Range;

use patterns::{Pattern, pattern};

use super::apply;
use super::asks::{self, Ask};
use super::instead;
use super::place::Line;
use super::points::Point;
use super::scene;
use super::settings;
use super::work::{Outcome, Work, phrase};
use crate::rules::split::{capitalize, stop};
use crate::rules::visual::ratio;
use crate::{FeedbackStatus, ModelKind, TargetModel};

const STATED: &str = "The description has it now.";

/// What is to stay out of the picture.
const UNWANTED: Pattern = pattern!(
    r"(?i)^(?:{refine_picture.no}|{refine_picture.do_not_show})\s+(?:{refine_picture.any} )?(?P<v>.{2,100})$"
);

/// How long a clip lasts.
const SECONDS: Pattern = pattern!(r"(?i)\b(?P<n>\d{1,3})[ -]?(?:s|{refine_picture.seconds})\b");

fn seconds_places(work: &Work<'_>) -> Vec<Range<usize>> {
    SECONDS
        .captures_iter(work.prompt)
        .filter_map(|found| found.name("n").map(|number| number.range()))
        .filter(|range| !work.is_held(range))
        .collect()
}

/// The only number of seconds that a prompt states.
fn seconds_in(work: &Work<'_>) -> Option<u32> {
    match &seconds_places(work)[..] {
        [place] => work.prompt[place.clone()].parse().ok(),
        _ => None,
    }
}

/// A prompt whose words end before its trailing parameters.
pub struct Picture {
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
    /// What is not to be seen any more.
    pub excluded: Vec<String>,
}

impl Picture {
    /// Tells words and parameters of a prompt apart.
    pub fn of(prompt: &str, target: TargetModel) -> Self {
        let model = target.model();
        let flag = pattern!(r"(?:^|\s)--[a-z]{1,12}\b").find(prompt);
        let kind = super::super::convert::visual_kind(prompt);
        let negative = pattern!(
            r"(?i)(?:^|[\s,.;])(?P<l>{refine_picture.negative_prompt}: *)(?P<v>[^\n]*[^\s.])"
        )
        .captures(prompt);
        let label = negative.as_ref().and_then(|found| found.name("l")).map(|label| label.start());
        let ends = [flag.map(|flag| flag.start()), label].into_iter().flatten().min();
        Self {
            moving: model.kind == ModelKind::Video || kind == Some(crate::Mode::Video),
            takes_flags: model.family == "midjourney" || flag.is_some(),
            has_negative: model.negative_prompt,
            words: prompt[..ends.unwrap_or(prompt.len())].trim_end().len(),
            unwanted: negative.and_then(|found| found.name("v")).map(|list| match flag {
                Some(flag) if flag.start() > list.start() => {
                    prompt[..flag.start()].trim_end().len()
                }
                _ => list.end(),
            }),
            additions: Vec::new(),
            flags: Vec::new(),
            excluded: Vec::new(),
        }
    }

    /// Applies what a point asks for.
    pub fn carry_out(&mut self, work: &mut Work<'_>, ask: Ask, point: &Point) -> Outcome {
        let own = asks::core(&point.text).0;
        let settles = matches!(
            ask,
            Ask::Steering
                | Ask::Answer
                | Ask::Remark
                | Ask::Keep
                | Ask::Question
                | Ask::Improve
                | Ask::Translate
                | Ask::Rename { .. }
                | Ask::Fill { .. }
                | Ask::Variables(_)
        ) || point.surplus;
        if settles {
            return apply::carry_out(work, ask, point);
        }
        if let Some(ratio) = ratio_in(own, self.moving) {
            return self.set_ratio(work, &ratio);
        }
        // "Remove the boat, portrait orientation": a format beside another wish.
        if let Some((rest, ratio)) = ratio::in_remark(own, self.moving)
            && rest.contains(char::is_alphanumeric)
            && rest.len() < own.len()
        {
            self.set_ratio(work, &ratio);
            let rest = Point::of(rest.trim_matches([',', ' ']));
            return self.carry_out(work, asks::read(&rest, work.prompt), &rest);
        }
        if let Some(done) = self.set_seconds(work, own) {
            return done;
        }
        if let Some(done) = self.set_flag(work, own) {
            return done;
        }
        if let Ask::Scale(percent) = ask
            && let Some(seconds) = self.moving.then(|| seconds_in(work)).flatten()
        {
            let new = (u64::from(seconds) * u64::from(percent) + 50) / 100;
            let scaled = format!("{} seconds", new.max(1));
            if let Some(done) = self.set_seconds(work, &scaled) {
                return done;
            }
        }
        if let Some(weather) = scene::weather(own) {
            return self.describe(work, &weather, "{}.");
        }
        if let Some((thing, look)) = scene::look(own) {
            return self.set_look(work, &thing, &look);
        }
        // "no music, at night" names something else than "not music, but rain".
        let without = pattern!(r"(?i)^(?P<no>{refine_picture.no} [^,]{2,60}), (?P<v>\S.*)$");
        match ask {
            Ask::Replace { ref old, .. }
                if work.places(old).is_empty()
                    && let Some(found) = without.captures(own) =>
            {
                self.describe(work, &found["v"], "{}.");
                let (no, point) = (Ask::Unclear, Point::of(&found["no"]));
                self.carry_out(work, no, &point)
            }
            // A picture can only be told what it shows.
            Ask::Replace { ref old, ref new, quoted: false }
                if work.places(instead::bare(old)).is_empty() && instead::is_wish(own) =>
            {
                self.describe(work, new, "{}.");
                work.partly(
                    "The prompt states it now; where it says something else, only its author can tell.",
                    &[],
                )
            }
            Ask::Replace { .. } => apply::carry_out(work, ask, point),
            Ask::Longer if own.to_lowercase().contains("detail") => self.describe(work, own, "{}."),
            Ask::Value { noun, value } if !work.places(&noun).is_empty() => {
                apply::carry_out(work, Ask::Replace { old: noun, new: value, quoted: false }, point)
            }
            Ask::Count { .. } => apply::carry_out(work, ask, point),
            Ask::Remove { what, .. } => self.remove(work, &what),
            Ask::Exclude(what) => self.exclude(work, &what, false),
            Ask::NoEmojis => self.exclude(work, "emojis", false),
            Ask::Include(what) => self.describe(work, &what, "With {}."),
            Ask::Unclear if UNWANTED.is_match(own) => {
                let what = UNWANTED.replace(own, "$v").into_owned();
                self.exclude(work, &what, false)
            }
            Ask::Unclear if is_phrase(own) => self.describe(work, own, "{}."),
            Ask::Shorter
            | Ask::Longer
            | Ask::Scale(_)
            | Ask::Examples
            | Ask::Simpler
            | Ask::Length(_)
            | Ask::Language(..)
            | Ask::Format(_)
            | Ask::Role(_)
            | Ask::Structure => work.refused(
                "It is about written answers; a prompt for a picture or clip has no place for it.",
                &[],
            ),
            Ask::Specific | Ask::Unclear => apply::carry_out(work, Ask::Unclear, point),
            Ask::Tone(tone) => {
                let tone = settings::without_degree(&tone);
                self.describe(work, &settings::tone_in(work.tongue.tag, &tone), "The mood is {}.")
            }
            _ => {
                if let Some(found) = UNWANTED.captures(own) {
                    return self.exclude(work, &found["v"], false);
                }
                let lead = pattern!(r"(?i)^(?:{refine_picture.make_it_look} )");
                match lead.find(own) {
                    Some(found) => {
                        let frame = if scene::happens(&own[found.end()..]) {
                            "{}."
                        } else if found.as_str().to_lowercase().starts_with("use") {
                            "With {}."
                        } else if self.moving {
                            "The clip is {}."
                        } else {
                            "The picture is {}."
                        };
                        self.describe(work, &own[found.end()..], frame)
                    }
                    None => self.describe(work, own, "{}."),
                }
            }
        }
    }

    /// Adds a description; `frame` makes a sentence of it in English prose.
    fn describe(&mut self, work: &Work<'_>, what: &str, frame: &str) -> Outcome {
        let what = what.trim().trim_end_matches(['.', ',']);
        if work.places(what).iter().any(|range| range.end <= self.words) {
            return work.applied("The prompt says so already.", &[]);
        }
        let words = &work.prompt[..self.words];
        let text = if words.ends_with(['.', '!', '。']) || words.contains('\n') {
            let frame = if work.tongue.tag == "en" { frame } else { "{}." };
            let sentence = stop(&capitalize(&frame.replace("{}", what).replace("..", ".")));
            let gap = if words.ends_with(['.', '!', '。']) { " " } else { ". " };
            format!("{}{sentence}", if self.additions.is_empty() { gap } else { " " })
        } else {
            format!(", {}", lowered(what))
        };
        let reason = work.voice.say(STATED, &[]);
        self.additions.push(Line { text, reason: reason.clone() });
        (FeedbackStatus::Applied, reason)
    }

    /// Gives a thing of the description another look, or describes it with that.
    fn set_look(&mut self, work: &mut Work<'_>, thing: &str, look: &str) -> Outcome {
        let Some((place, new)) = scene::with_look(&work.prompt[..self.words], thing, look)
            .filter(|(place, _)| !work.is_held(&(place.start..place.end + 1)))
        else {
            return self.describe(work, &format!("{look} {thing}"), "{}.");
        };
        let reason = work.voice.say(STATED, &[]);
        if work.prompt[place.clone()].trim() == new.trim() {
            return work.applied("The prompt says so already.", &[]);
        }
        if work.exchange(place, &new, &reason) {
            (FeedbackStatus::Applied, reason)
        } else {
            apply::overlaps(work)
        }
    }

    fn set_ratio(&mut self, work: &mut Work<'_>, ratio: &str) -> Outcome {
        const CHANGED: &str = "The format is {} now.";
        let known: Vec<Range<usize>> = pattern!(r"(?:--(?:ar|aspect) (?P<a>\d{1,2}:\d{1,2}))|\b(?P<b>\d{1,2}:\d{1,2})(?: {refine_picture.aspect_ratio}| {refine_picture.format}\b|\s*$|[.,])")
            .captures_iter(work.prompt)
            .filter_map(|found| found.name("a").or(found.name("b")).map(|ratio| ratio.range()))
            .filter(|range| !work.is_held(range))
            .collect();
        let reason = work.voice.say(CHANGED, &[ratio]);
        let done =
            known.iter().filter(|range| work.exchange((*range).clone(), ratio, &reason)).count();
        if done == 0 {
            if self.takes_flags {
                self.flags.push(Line { text: format!(" --ar {ratio}"), reason });
            } else {
                self.describe(work, &format!("{ratio} aspect ratio"), "{}.");
            }
        }
        work.applied(CHANGED, &[ratio])
    }

    /// Changes how long a clip lasts, if that is what the remark is about.
    fn set_seconds(&self, work: &mut Work<'_>, remark: &str) -> Option<Outcome> {
        let wanted = SECONDS.captures(remark).filter(|_| self.moving)?;
        let known = seconds_places(work);
        let [place] = &known[..] else { return None };
        let reason = work.voice.say("The clip lasts {} seconds now.", &[&wanted["n"]]);
        work.exchange(place.clone(), &wanted["n"], &reason)
            .then_some((FeedbackStatus::Applied, reason))
    }

    /// Sets or takes out a parameter that the feedback names: "stylize 500", "remove --tile".
    fn set_flag(&mut self, work: &mut Work<'_>, remark: &str) -> Option<Outcome> {
        let named = pattern!(
            r"(?ix)^(?:(?P<out>{refine_picture.remove})\ |{refine_picture.set}\ )?(?:{refine_picture.the}\ )?
              (?:--(?P<flag>[a-z]{1,12})|(?P<name>stylize|chaos|weird|seed|quality|version|stop|tile))(?:\ {refine_picture.parameter})?
              (?:(?:\ {refine_picture.set_to})?[\ =:]+(?P<v>[\w.:-]{1,40}))?$"
        );
        let found = named.captures(remark).filter(|_| self.takes_flags)?;
        let name = found.name("flag").or(found.name("name"))?.as_str().to_lowercase();
        let value = found.name("v").map(|value| value.as_str());
        if found.name("flag").is_none()
            && found.name("out").is_none()
            && value.is_none()
            && name != "tile"
        {
            return None;
        }
        let short = |name: &str| match name {
            "stylize" | "s" => "stylize|s".to_owned(),
            "chaos" | "c" => "chaos|c".to_owned(),
            "quality" | "q" => "quality|q".to_owned(),
            "version" | "v" => "version|v".to_owned(),
            "ar" | "aspect" => "ar|aspect".to_owned(),
            other => other.to_owned(),
        };
        let known = regex::Regex::new(&format!(
            r"(?P<all>[ \t]*--(?:{})(?:[ \t]+(?P<v>[^\s-]\S*))?)(?:\s|$)",
            short(&name)
        ))
        .ok()?
        .captures(work.prompt);
        let stated = match value {
            Some(value) => format!("--{name} {value}"),
            None => format!("--{name}"),
        };
        let Some(known) = known else {
            if found.name("out").is_some() {
                return Some(work.refused("The prompt does not say \"{}\".", &[&stated]));
            }
            let reason = work.voice.say(STATED, &[]);
            self.flags.push(Line { text: format!(" {stated}"), reason: reason.clone() });
            return Some((FeedbackStatus::Applied, reason));
        };
        let (all, old) = (known.name("all")?.range(), known.name("v").map(|old| old.range()));
        if found.name("out").is_some() {
            let reason = work.voice.say("It was removed: \"{}\".", &[&stated]);
            let done = work.exchange(all, "", &reason);
            return Some(if done {
                (FeedbackStatus::Applied, reason)
            } else {
                apply::overlaps(work)
            });
        }
        let Some((old, value)) = old.zip(value) else {
            return Some(work.applied("The prompt says so already.", &[]));
        };
        if work.prompt[old.clone()] == *value {
            return Some(work.applied("The prompt says so already.", &[]));
        }
        let reason =
            work.voice.say("\"{}\" was replaced by \"{2}\".", &[&work.prompt[old.clone()], value]);
        let done = work.exchange(old, value, &reason);
        Some(if done { (FeedbackStatus::Applied, reason) } else { apply::overlaps(work) })
    }

    /// Whether two remarks cannot both be met.
    pub fn clashes(&self, one: &str, other: &str) -> bool {
        let (one, other) = (asks::core(one).0, asks::core(other).0);
        if let (Some(one), Some(other)) = (ratio_in(one, self.moving), ratio_in(other, self.moving))
        {
            return one != other;
        }
        let seconds = |remark: &str| {
            SECONDS.captures(remark).filter(|_| self.moving).map(|found| found["n"].to_owned())
        };
        if let (Some(one), Some(other)) = (seconds(one), seconds(other)) {
            return one != other;
        }
        let looks = pattern!(
            r"(?i)^(?:{refine_picture.make}[- ]{refine_picture.it} )?(?:{refine_picture.a_bit} )?(?:{refine_picture.at} )?(?P<l>{refine_picture.light})(?: {refine_picture.camera})?$"
        );
        let look = |remark: &str| {
            let word = looks.captures(remark)?["l"].to_lowercase();
            Some(match word.trim_end_matches("er") {
                "bright" | "light" | "hell" => (0, 1),
                "dark" | "dunkl" => (0, 2),
                "day" | "daylight" | "tag" => (1, 1),
                "night" | "nacht" => (1, 2),
                "warm" | "wärm" => (2, 1),
                "cold" | "cool" | "kält" => (2, 2),
                "slow" | "langsam" => (3, 1),
                _ => (3, 2),
            })
        };
        match (look(one), look(other)) {
            (Some(one), Some(other)) => one.0 == other.0 && one.1 != other.1,
            _ => false,
        }
    }

    /// Cuts something out of the description and keeps it out of the picture.
    fn remove(&mut self, work: &mut Work<'_>, what: &str) -> Outcome {
        let reason = work.voice.say("It was removed: \"{}\".", &[what]);
        let cut = phrase_with(&work.prompt[..self.words], what)
            .filter(|range| work.only_copy(range, what).is_none() && !work.is_held(range))
            .is_some_and(|range| work.exchange(range, "", &reason));
        self.exclude(work, what, cut)
    }

    fn exclude(&mut self, work: &mut Work<'_>, what: &str, cut: bool) -> Outcome {
        const GONE: &str = "It is excluded from the picture now.";
        let what = pattern!(r"(?i)^{refine_picture.all}\s+").replace(what.trim(), "");
        let what = pattern!(r"(?i)(?:,| {refine_picture.and_or})+ (?:{refine_picture.none_of} )?")
            .replace_all(what.trim_end_matches(['.', ',']), ", ")
            .into_owned();
        let what = what.as_str();
        self.excluded.push(what.to_owned());
        if pattern!(r"(?i)\b{refine_picture.exclusions}$|^--").is_match(what) {
            return apply::carry_out(work, Ask::Unclear, &Point::of(what));
        }
        if let Some(end) = self.unwanted {
            let reason = work.voice.say(GONE, &[]);
            work.edits.add(end..end, &format!(", {what}"), &reason, None);
            return work.applied(GONE, &[]);
        }
        if self.takes_flags {
            let reason = work.voice.say(GONE, &[]);
            match pattern!(r"--no (?P<v>[^-\n]*[^-\s])")
                .captures(work.prompt)
                .and_then(|found| found.name("v"))
            {
                Some(list) => {
                    work.edits.add(list.end()..list.end(), &format!(", {what}"), &reason, None);
                }
                None => match self.flags.iter_mut().find(|flag| flag.text.starts_with(" --no ")) {
                    Some(flag) => flag.text.push_str(&format!(", {what}")),
                    None => self.flags.push(Line { text: format!(" --no {what}"), reason }),
                },
            }
            return work.applied(GONE, &[]);
        }
        if self.has_negative {
            return if cut {
                work.applied("It was taken out of the description; \"{}\" in the negative prompt field keeps it away.", &[what])
            } else {
                work.refused("This model takes exclusions in its negative prompt field, which is no part of the prompt: write \"{}\" there.", &[what])
            };
        }
        if cut {
            // A mention, even a negative one, could bring it back.
            return work.applied("It was removed: \"{}\".", &[what]);
        }
        let frame =
            if self.moving { "The frame stays free of {}." } else { "The picture is free of {}." };
        if work.prompt[..self.words].ends_with('.') && work.tongue.tag == "en" {
            self.describe(work, what, frame);
        } else {
            self.describe(work, &format!("free of {what}"), "{}.");
        }
        work.applied(GONE, &[])
    }

    /// Puts the additions behind the words, and further parameters at the end.
    pub fn finish(mut self, work: &mut Work<'_>) {
        // What could not be put in place is a description like any other.
        for line in std::mem::take(&mut work.lines) {
            self.describe(work, &line.text, "{}.");
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

/// A phrase without the capital letter of a sentence; names keep theirs.
fn lowered(phrase: &str) -> String {
    let begins = pattern!(r"^{refine_picture.sentence_start} ").is_match(phrase);
    let mut characters = phrase.chars();
    match characters.next() {
        Some(first) if begins => first.to_lowercase().chain(characters).collect(),
        _ => phrase.to_owned(),
    }
}

/// Whether a remark is a description: "more dramatic", "golden hour".
fn is_phrase(remark: &str) -> bool {
    remark.split_whitespace().count() <= 6
        && !pattern!(r"(?i)^{refine_picture.begins_sentence}(?:\s|['’]|$)|\?$").is_match(remark)
}

/// The ratio that a remark asks for, in figures or words, if it says nothing else.
fn ratio_in(remark: &str, moving: bool) -> Option<String> {
    let figures = pattern!(
        r"(?i)^(?:{refine_picture.before_ratio}\s+)*(?P<r>\d{1,2}:\d{1,2})(?:\s+{refine_picture.behind_ratio})*$"
    );
    if let Some(found) = figures.captures(remark) {
        return Some(found["r"].to_owned());
    }
    let (rest, ratio) = ratio::in_remark(remark, moving)
        .or_else(|| ratio::in_remark(&format!("{remark} format"), moving))?;
    pattern!(r"(?i)^(?:{refine_picture.only_format}\s*)*$").is_match(&rest).then_some(ratio)
}

/// The part of a description that adds something: ", a red kite", "with a red kite".
fn phrase_with(words: &str, what: &str) -> Option<Range<usize>> {
    let bare = pattern!(r"(?i)^{refine_picture.articles}\s+").replace(what.trim(), "").into_owned();
    let core = phrase(&bare)?;
    const LEAD: &str = r"(?:(?:an?|the|some|one|two|three|four|five|its|his|her|their|\d+|ein\w*|die|der|das|une?|des|les|un[oa]?|el|la|los|las|uma?)\s+)?(?:[\p{L}%-]+\s+){0,2}?";
    let patterns = [
        format!(
            r"(?i),?\s+(?:and|with|plus|beside|near|next to|behind|in front of|featuring|including|showing|holding|und|mit|neben|et|avec|y|con|e|com)\s+{LEAD}{}s?(?P<end>\s*(?:[,.;:\n]|$))",
            core.as_str()
        ),
        format!(r"(?i),\s*{LEAD}{}s?(?P<end>\s*(?:[,.;\n]|$))", core.as_str()),
    ];
    patterns.iter().find_map(|pattern| {
        let found = regex::Regex::new(pattern).ok()?.captures(words)?;
        Some(found.get(0)?.start()..found.name("end")?.start())
    })
}
