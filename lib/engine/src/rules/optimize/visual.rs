//! Recomposing prompts for pictures and clips in the dialect of the target model.

use std::collections::HashSet;

use serde_json::{Map, Value};

use crate::rules::convert::{self, Flags};
use crate::rules::draft::{Draft, Omitted};
use crate::rules::visual::parameters::{self, Setting};
use crate::rules::visual::{self, ratio};
use crate::{
    GenerateBrief, Mode, ModelKind, OutputMode, PromptBrief, TargetModel, Technique, language,
};

/// A recomposition must keep at least so many of ten words that describe something.
const WORDS_KEPT: usize = 9;
/// Only prompts up to this length are recomposed; a longer one is no description of one picture.
pub const LONGEST: usize = 4000;

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
        return Picture {
            prompt: prompt.to_owned(),
            parameters: model.parameters.clone(),
            ..Picture::default()
        };
    }
    let (words, settings) = parameters::worded(prompt);
    let (words, mut unwanted) = parameters::take_negative(&words);
    let words = with_settings(&words, &settings, brief);
    let asked = request(&words, brief);
    let fresh = composed(&beginning(&with_statements(&words, &settings)), brief, mode);
    let picture = convert::picture(&words, &asked, mode, &fresh.parameters);
    let mut parameters = fresh.parameters;
    if !picture.flags.is_empty()
        && !picture.flags.contains("--no ")
        && Flags::take(&words).1.is_empty()
        && unwanted.is_empty()
        && let Some(list) = parameters.get("no").and_then(Value::as_str)
    {
        unwanted = list.split(", ").map(str::to_owned).collect();
    }
    if let Some(ratio) = &picture.ratio {
        for key in ["ar", "aspectRatio", "aspect_ratio", "ratio"] {
            if let Some(value) = parameters.get_mut(key) {
                *value = Value::from(ratio.as_str());
            }
        }
    }
    let mut text = if picture.flags.is_empty() {
        picture.prompt
    } else if unwanted.is_empty() {
        format!("{} {}", picture.prompt.trim_end(), picture.flags)
    } else {
        format!("{} {}", picture.prompt.trim_end(), with_no(&picture.flags, &unwanted))
    };
    let negative = model.negative_prompt.then(|| {
        let list = picture.excluded.iter().chain(&unwanted).map(String::as_str);
        let usual = fresh.negative_prompt.as_deref().unwrap_or_default();
        joined(list.chain(usual.split(", ")))
    });
    if negative.is_none() && picture.flags.is_empty() && !unwanted.is_empty() {
        text = format!("{} Leave out {}.", crate::rules::split::stop(&text), unwanted.join(", "));
    }
    // The wording stays, and with it every camera move.
    let parameters_only = |omitted: &Omitted| matches!(omitted, Omitted::Parameters(_));
    let omitted = fresh.omitted.into_iter().filter(parameters_only).collect();
    if model.family == "midjourney" {
        parameters = Flags::take(&text).1.settings();
    }
    let superseded = Flags::take(&words).1.superseded();
    Picture { prompt: text, negative, parameters, techniques: Vec::new(), omitted, superseded }
}

/// Each once, without what is empty.
fn joined<'a>(list: impl Iterator<Item = &'a str>) -> String {
    let mut seen = HashSet::new();
    let list: Vec<&str> = list
        .map(str::trim)
        .filter(|item| !item.is_empty() && seen.insert(item.to_lowercase()))
        .collect();
    list.join(", ")
}

fn with_no(flags: &str, unwanted: &[String]) -> String {
    let list = unwanted.join(", ");
    if flags.contains("--no ") {
        flags.replacen("--no ", &format!("--no {list}, "), 1)
    } else {
        format!("{flags} --no {list}")
    }
}

/// The prompt composed anew: subject, aspects, settings, each where the model reads it. `None` where the
/// prompt has that form already, or where words of it would not come through.
pub fn recomposed(prompt: &str, brief: &PromptBrief, mode: Mode) -> Option<Picture> {
    let model = brief.target_model.model();
    let written = if model.family == "midjourney" { prompt } else { &Flags::take(prompt).0 };
    if prompt.chars().count() > LONGEST
        || prompt.contains("```")
        || convert::visual_kind(written).is_some()
    {
        return None;
    }
    let (words, settings) = parameters::worded(prompt);
    let (words, unwanted) = parameters::take_negative(&words);
    let (words, mut flags) = Flags::take(&words);
    if !model.negative_prompt && model.family != "midjourney" {
        // "text" and "watermark" are one family's usual precautions, not the author's wish.
        let wishes = flags.exclusions();
        flags.remove("no");
        for item in wishes.iter().filter(|item| !matches!(item.as_str(), "text" | "watermark")) {
            flags.set("no", item);
        }
    }
    for item in &unwanted {
        flags.set("no", item);
    }
    if let Some(ratio) = ratio_of_context(&words, &brief.context, mode) {
        flags.default_to("ar", &ratio);
    }
    let stated = with_statements(words.trim_end_matches(['.', ' ']), &settings);
    let message = format!("{stated} {}", flags.trailing());
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
    keeps_words(&words, &new).then_some(picture)
}

/// The words with the settings that one model reads as parameters of the prompt.
fn with_settings(words: &str, settings: &[Setting], brief: &PromptBrief) -> String {
    let own: Vec<&Setting> = settings.iter().filter(|setting| setting.is_flag()).collect();
    if own.is_empty() || brief.target_model.model().family != "midjourney" {
        return words.to_owned();
    }
    let (words, mut flags) = Flags::take(words);
    for setting in own {
        flags.default_to(setting.name, &setting.value);
    }
    format!("{} {}", words.trim_end(), flags.trailing())
}

/// The words with their settings as they were stated, in front of trailing parameters.
fn with_statements(words: &str, settings: &[Setting]) -> String {
    if settings.is_empty() {
        return words.to_owned();
    }
    let (mut text, flags) = Flags::take(words);
    for setting in settings {
        text.push_str(", ");
        text.push_str(&setting.words);
    }
    format!("{text} {}", flags.trailing()).trim_end().to_owned()
}

fn composed(message: &str, brief: &PromptBrief, mode: Mode) -> Draft {
    let guessed = language::detect_other_than_english(message);
    visual::compose(message, guessed, mode, brief.target_model, None)
}

fn beginning(text: &str) -> String {
    text.chars().take(LONGEST).collect()
}

/// The request that would have led to such a prompt.
fn request(message: &str, brief: &PromptBrief) -> GenerateBrief {
    GenerateBrief {
        message: message.to_owned(),
        mode: Mode::Auto,
        output_mode: OutputMode::ReadyToUse,
        target_model: brief.target_model,
        language: "en".to_owned(),
        current_prompt: None,
        conversation: Vec::new(),
        previous: None,
        images: Vec::new(),
    }
}

/// The format that only the context names.
fn ratio_of_context(prompt: &str, context: &str, mode: Mode) -> Option<String> {
    let ratio = |text: &str| ratio::take(text, mode == Mode::Video).1;
    if ratio(prompt).is_some() { None } else { ratio(&beginning(context)) }
}

/// Whether the words that describe something are in the new text.
fn keeps_words(old: &str, new: &str) -> bool {
    let new = new.to_lowercase();
    let kept: HashSet<&str> = new.split(|c: char| !c.is_alphanumeric()).collect();
    let old = old.to_lowercase();
    let words: Vec<&str> = old
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() >= 4 && !is_wrapping(word))
        .collect();
    let found = words.iter().filter(|word| kept.contains(*word) || new.contains(**word)).count();
    found * 10 >= words.len() * WORDS_KEPT
}

/// Words that only ask for a picture or exclude something.
fn is_wrapping(word: &str) -> bool {
    matches!(
        word,
        "create"
            | "generate"
            | "make"
            | "draw"
            | "paint"
            | "please"
            | "image"
            | "picture"
            | "photo"
            | "video"
            | "clip"
            | "want"
            | "need"
            | "with"
            | "without"
            | "that"
            | "shows"
            | "showing"
            | "should"
            | "format"
            | "aspect"
            | "ratio"
            | "would"
            | "like"
            | "could"
            | "seed"
            | "render"
            | "produce"
            | "this"
            | "text"
            | "words"
            | "avoid"
            | "include"
            | "wide"
            | "vertical"
            | "square"
            | "portrait"
            | "landscape"
            | "have"
            | "seconds"
            | "second"
            | "then"
            | "finally"
            | "followed"
            | "erstelle"
            | "bild"
            | "crea"
            | "imagen"
            | "crée"
            | "ohne"
            | "sans"
            | "imagem"
            | "immagine"
    )
}
