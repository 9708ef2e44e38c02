//! Bringing a prompt for a picture or clip into the form that its model reads: with its own words, or composed anew.

use std::collections::HashSet;

use patterns::pattern;
use serde_json::{Map, Value};

use super::compose::{compose, free_of};
use super::parameters::{self, Flags};
use super::phrase::sentence;
use super::ratio;
use super::wording;
use crate::convert;
use crate::draft::{Draft, Omitted};
use engine::{Mode, ModelKind, PromptBrief, TargetModel, Technique};
use text::language;

/// A recomposition must keep at least so many of ten words that describe something.
const WORDS_KEPT: usize = 9;
/// Only prompts up to this length are recomposed; a longer one is no description of one picture.
const LONGEST: usize = 4000;
/// Usual precautions of one family of models, which are no wishes of the author.
const PRECAUTIONS: [&str; 2] = ["text", "watermark"];

/// A prompt for a picture or clip with its settings.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// The prompt.
    pub prompt: String,
    /// What must not be seen, where the model has a field for it.
    pub negative: Option<String>,
    /// Settings.
    pub parameters: Map<String, Value>,
    /// Techniques of the model's dialect.
    pub techniques: Vec<Technique>,
    /// What the model has no place for.
    pub omitted: Vec<Omitted>,
    /// Values of parameters that were given twice.
    pub superseded: String,
}

impl Picture {
    /// What it says beside the prompt, for telling what was lost.
    pub fn beside(&self) -> String {
        let mut text = self.negative.clone().unwrap_or_default();
        for (name, value) in &self.parameters {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            text.push_str(&format!("\n{name}: {value}"));
        }
        text
    }

    /// What was left out on purpose, which is not missed.
    pub fn waived(&self) -> String {
        let words: Vec<String> = self.omitted.iter().map(Omitted::words).collect();
        format!("{}\n{}", words.join("\n"), self.superseded)
    }
}

/// The settings that the prompt itself ends with or, for most models, those beside it.
pub fn settings(prompt: &str, brief: &PromptBrief, mode: Mode) -> Map<String, Value> {
    if brief.target_model.model().family == "midjourney" {
        return Flags::take(prompt).1.settings();
    }
    settled(prompt, brief, mode).parameters
}

/// What kind of visual prompt a model takes, if it takes only such.
pub fn mode_of(target: TargetModel) -> Option<Mode> {
    match target.model().kind {
        ModelKind::Image => Some(Mode::Image),
        ModelKind::Video => Some(Mode::Video),
        ModelKind::Text | ModelKind::Universal => None,
    }
}

/// Whether a prompt has parameters that its target model does not read.
pub fn has_foreign_parameters(brief: &PromptBrief) -> bool {
    brief.target_model.model().family != "midjourney"
        && brief.prompt.chars().count() <= LONGEST
        && !Flags::take(&brief.prompt).1.is_empty()
}

/// The prompt's own words, with settings and exclusions moved to where the model wants them.
pub fn settled(prompt: &str, brief: &PromptBrief, mode: Mode) -> Picture {
    let model = brief.target_model.model();
    if prompt.chars().count() > LONGEST {
        let (prompt, parameters) = (prompt.to_owned(), model.parameters.clone());
        return Picture { prompt, parameters, ..Picture::default() };
    }
    let fresh = composed(prompt, brief, mode);
    let (words, flags, _) = parameters::take_all(prompt);
    let superseded = flags.superseded();
    // The wording stays, and with it every camera move.
    let parameters_only = |omitted: &Omitted| matches!(omitted, Omitted::Parameters(_));
    let mut picture = Picture {
        negative: fresh.negative_prompt,
        parameters: fresh.parameters,
        omitted: fresh.omitted.into_iter().filter(parameters_only).collect(),
        superseded,
        ..Picture::default()
    };
    if model.family == "midjourney" {
        let (words, flags) = if Flags::take(prompt).1.is_empty() {
            let (words, ratio, mut unwanted) = unlabelled(&words);
            let (_, mut usual) = Flags::take(&fresh.prompt);
            unwanted.extend(flags.exclusions());
            if !unwanted.is_empty() {
                usual.remove("no");
                usual.set("no", &unwanted.join(", "));
            }
            if let Some(ratio) = ratio {
                usual.remove("ar");
                usual.set("ar", &ratio);
            }
            (words, usual)
        } else {
            (words, flags)
        };
        picture.prompt = format!("{} {}", words.trim_end(), flags.trailing());
        picture.parameters = flags.settings();
        return picture;
    }
    picture.prompt = words;
    // What a parameter said is said in words.
    if let Some(ratio) = flags.ratio() {
        let guessed = language::detect_other_than_english(prompt);
        let tag = super::language::of(prompt, guessed).unwrap_or("en");
        let form = wording::of(tag).map_or("{}", |wording| wording.format.as_str());
        let words = picture.prompt.trim_end_matches([',', '.', ' ']);
        picture.prompt = format!("{words}, {}", form.replace("{}", &ratio));
    }
    let mut unwanted = flags.exclusions();
    let written = Flags::take(prompt).1.exclusions();
    unwanted.retain(|item| !(written.contains(item) && PRECAUTIONS.contains(&item.as_str())));
    if !model.negative_prompt && !unwanted.is_empty() {
        let unwanted: Vec<&str> = unwanted.iter().map(String::as_str).collect();
        let free = free_of(model, mode == Mode::Video, &unwanted);
        picture.prompt = format!("{} {}", sentence(&picture.prompt), sentence(&free));
    }
    picture
}

/// The prompt composed anew: subject, aspects, settings, each where the model reads it. `None` where the
/// prompt has that form already, or where words of it would not come through.
pub fn recomposed(prompt: &str, brief: &PromptBrief, mode: Mode) -> Option<Picture> {
    let model = brief.target_model.model();
    let takes_flags = model.family == "midjourney";
    let (words, mut flags) = Flags::take(prompt);
    if prompt.chars().count() > LONGEST
        || prompt.contains("```")
        || convert::visual_kind(if takes_flags { prompt } else { &words }).is_some()
    {
        return None;
    }
    if !model.negative_prompt && !takes_flags {
        let wishes = flags.exclusions();
        flags.remove("no");
        for item in wishes.iter().filter(|item| !PRECAUTIONS.contains(&item.as_str())) {
            flags.set("no", item);
        }
    }
    let moving = mode == Mode::Video;
    let context: String = brief.context.chars().take(LONGEST).collect();
    if ratio::take(&words, moving).1.is_none()
        && let Some(ratio) = ratio::take(&context, moving).1
    {
        flags.default_to("ar", &ratio);
    }
    let message = format!("{} {}", words.trim_end_matches(['.', ' ']), flags.trailing());
    let draft = composed(message.trim_end(), brief, mode);
    let picture = Picture {
        prompt: draft.prompt,
        negative: draft.negative_prompt,
        parameters: draft.parameters,
        techniques: draft.techniques,
        omitted: draft.omitted,
        superseded: flags.superseded(),
    };
    let new =
        [&picture.prompt, &picture.beside(), &picture.waived()].map(String::as_str).join("\n");
    let (described, ..) = parameters::take_all(&words);
    keeps_words(&described, &new).then_some(picture)
}

fn composed(message: &str, brief: &PromptBrief, mode: Mode) -> Draft {
    let guessed = language::detect_other_than_english(message);
    compose(message, guessed, mode, brief.target_model, None)
}

/// A prompt with labelled lines as one line of phrases, its ratio and its exclusions.
fn unlabelled(words: &str) -> (String, Option<String>, Vec<String>) {
    let stated = pattern!(r"(?i)\s*\b(?P<r>\d{1,2}:\d{1,2}) {refine_picture.aspect_ratio}\.?");
    let exclusion = pattern!(r"(?i)(?:\s|^){convert.free_of} (?P<v>[^.;]+)\.?");
    let ratio = stated.captures(words).map(|found| found["r"].to_owned());
    let mut unwanted = Vec::new();
    let mut phrases = Vec::new();
    for line in words.lines() {
        let line = pattern!(r"^{convert.label}: ").replace(line.trim(), "");
        let line = stated.replace_all(&line, "");
        for found in exclusion.captures_iter(&line) {
            unwanted.extend(found["v"].split(", ").map(str::to_owned));
        }
        phrases.push(exclusion.replace_all(&line, "").trim().trim_end_matches('.').to_owned());
    }
    phrases.retain(|phrase| !phrase.is_empty());
    (phrases.join(", "), ratio, unwanted)
}

/// Whether the words that describe something are in the new text.
fn keeps_words(old: &str, new: &str) -> bool {
    let (old, new) = (old.to_lowercase(), new.to_lowercase());
    let kept: HashSet<&str> = new.split(|c: char| !c.is_alphanumeric()).collect();
    // Words that only ask for a picture or exclude something need not stay.
    let asking = pattern!(r"^{visual.asking}$");
    let words: Vec<&str> = old
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() >= 4 && !asking.is_match(word))
        .collect();
    let found = words.iter().filter(|word| kept.contains(*word) || new.contains(**word)).count();
    found * 10 >= words.len() * WORDS_KEPT
}
