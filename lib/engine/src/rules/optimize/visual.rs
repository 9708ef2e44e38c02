//! Recomposing prompts for pictures and clips in the dialect of the target model.

use std::collections::HashSet;

use serde_json::{Map, Value};

use crate::rules::convert::{self, Flags};
use crate::rules::draft::Draft;
use crate::rules::pattern::regex;
use crate::rules::{framing, goal, image, video};
use crate::{GenerateBrief, Mode, ModelKind, OutputMode, PromptBrief, TargetModel, Technique};

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
}

/// What kind of visual prompt a model takes, if it takes only such.
pub fn mode_of(target: TargetModel) -> Option<Mode> {
    match target.model().kind {
        ModelKind::Image => Some(Mode::Image),
        ModelKind::Video => Some(Mode::Video),
        ModelKind::Text | ModelKind::Universal => None,
    }
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
    let (words, mut unwanted) = without_negative(prompt);
    let asked = request(&words, brief);
    let fresh = composed(&beginning(&words), brief, mode);
    let picture = convert::picture(&words, &asked, mode, &fresh.parameters);
    let mut parameters = fresh.parameters;
    if picture.flags.is_empty() {
        record(&Flags::split(&words).1, &mut parameters);
    } else if !picture.flags.contains("--no ")
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
    Picture { prompt: text, negative, parameters, techniques: Vec::new() }
}

/// Keeps settings on record that were given for another model.
fn record(flags: &Flags, parameters: &mut Map<String, Value>) {
    for (name, value) in flags.list() {
        if !matches!(name.as_str(), "ar" | "aspect" | "no") {
            parameters.entry(name.clone()).or_insert_with(|| Value::from(value.as_str()));
        }
    }
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

/// The prompt without its line "Negative prompt: …", and what that line names.
fn without_negative(prompt: &str) -> (String, Vec<String>) {
    let line = regex!(
        r"(?im)^[ \t]*(?:negative(?:[ _]prompt)?|negativer prompt|prompt négatif|prompt negativo)[ \t]*[:：][ \t]*(?P<v>[^\n]+)\n?"
    );
    let unwanted = line
        .captures_iter(prompt)
        .flat_map(|found| {
            found["v"].split(',').map(|item| item.trim().to_owned()).collect::<Vec<_>>()
        })
        .filter(|item| !item.is_empty())
        .collect();
    (line.replace_all(prompt, "").trim_end().to_owned(), unwanted)
}

/// The prompt composed anew: subject, aspects, settings, each where the model reads it. `None` where the
/// prompt has that form already, or where words of it would not come through.
pub fn recomposed(prompt: &str, brief: &PromptBrief, mode: Mode) -> Option<Picture> {
    let family = brief.target_model.model().family.as_str();
    let written = if family == "midjourney" { prompt } else { &Flags::split(prompt).0 };
    if prompt.chars().count() > LONGEST
        || prompt.contains("```")
        || convert::visual_kind(written).is_some()
    {
        return None;
    }
    let (words, mut unwanted) = without_negative(prompt);
    let (words, flags) = Flags::split(&words);
    // "text" and "watermark" are one family's usual precautions, not the author's wish.
    let wish = |item: &String| !matches!(item.as_str(), "text" | "watermark");
    unwanted.extend(flags.exclusions().into_iter().filter(wish));
    let ratio = flags.ratio().or_else(|| ratio_of_context(&words, &brief.context, mode));
    let mut message = words.trim_end_matches(['.', ' ']).to_owned();
    if let Some(ratio) = ratio {
        message.push_str(&format!(", {ratio} aspect ratio"));
    }
    // Without a field for it, an exclusion is worded by the dialect.
    if !brief.target_model.model().negative_prompt && family != "midjourney" {
        for item in unwanted.drain(..) {
            message.push_str(&format!(", no {item}"));
        }
    }
    let draft = composed(&message, brief, mode);
    let usual = draft.negative_prompt.as_deref();
    let negative =
        usual.map(|usual| joined(unwanted.iter().map(String::as_str).chain(usual.split(", "))));
    let mut text = draft.prompt;
    if negative.is_none() && !unwanted.is_empty() {
        text = if family == "midjourney" {
            with_no(&text, &unwanted)
        } else {
            format!("{} Leave out {}.", crate::rules::split::stop(&text), unwanted.join(", "))
        };
    }
    let mut parameters = draft.parameters;
    record(&flags, &mut parameters);
    let picture = Picture { prompt: text, negative, parameters, techniques: draft.techniques };
    keeps_words(&words, &format!("{}\n{}", picture.prompt, picture.beside())).then_some(picture)
}

fn composed(message: &str, brief: &PromptBrief, mode: Mode) -> Draft {
    let goal = goal::read(message, mode);
    let brief = request(message, brief);
    if mode == Mode::Video { video::compose(&goal, &brief) } else { image::compose(&goal, &brief) }
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
    }
}

/// The format that only the context names.
fn ratio_of_context(prompt: &str, context: &str, mode: Mode) -> Option<String> {
    let ratio = |text: &str| {
        crate::rules::visual::stated_ratio(text)
            .map(|(_, ratio)| ratio)
            .or_else(|| framing::format_in(text, mode == Mode::Video).map(|(_, ratio)| ratio))
    };
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
