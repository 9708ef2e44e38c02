//! The one way in which prompts for pictures and clips are made, from goals, from prompts and from what is changed.

use serde_json::{Map, Value};

use super::asks;
use super::family::{self, Family};
use super::flags::{self, Flags};
use super::phrase;
use super::read::{self, Description, Taking};
use super::settings;
use crate::split::capitalize;
use crate::wording::{Tongue, Voice};
use engine::{Beside, Mode, Model, TargetModel};
use patterns::pattern;

/// Only texts up to this length are read, in characters; a longer one describes no single picture.
const LONGEST: usize = 4000;

/// A prompt for a picture or clip with its settings.
#[derive(Debug, Default)]
pub struct Picture {
    /// The prompt.
    pub prompt: String,
    /// What must not be seen, where the model has a field for it, and settings.
    pub beside: Beside,
    /// Parameters of another model.
    pub omitted: Vec<String>,
    /// Statements whose words are settings now, and values that were given twice.
    pub superseded: String,
    /// What was read.
    pub read: Description,
}

/// Makes the prompt of a text: settings and exclusions go where the model reads them, and the words stay. For a goal,
/// which is `asked`, the words that only ask for a picture are left out, and an edit says what stays.
pub fn of(text: &str, mode: Mode, target: TargetModel, asked: bool) -> Picture {
    if is_held(text) {
        return unchanged(text.trim(), mode, target);
    }
    let model = target.model();
    let family = family::of(model);
    let generates = family::mode_of(model).is_some();
    let is_edit = asks::is_edit(text);
    let has_place = family.flags || model.negative_prompt;
    let taking = match generates {
        false => Taking::Nothing,
        true if has_place && !is_edit => Taking::Exclusions,
        true => Taking::Settings,
    };
    let read = read::read(text, mode == Mode::Video, taking);
    let words = if asked { phrase::without_request(&read.words, generates) } else { &read.words };
    let mut picture = Picture { prompt: words.to_owned(), ..Picture::default() };
    // What no place is for is said behind the words, in their language.
    let tongue = Tongue::of(&read.words);
    let stays = pattern!(r"(?i)\b{retouch.rest}\b").is_match(&read.words);
    if asked && is_edit && !stays {
        picture.add(family, &tongue.line("keep", ""));
    }
    if generates && !has_place && !read.unwanted.is_empty() {
        picture.add(family, &tongue.line("avoid", &read.unwanted.join(", ")));
    }
    picture.read = read;
    picture.set(family, model);
    picture
}

/// A prompt as it stands, with the settings that it states beside it.
pub fn unchanged(prompt: &str, mode: Mode, target: TargetModel) -> Picture {
    let model = target.model();
    let parameters = if family::of(model).flags {
        Flags::take(prompt).1.settings()
    } else {
        let read = read::read(prompt, mode == Mode::Video, Taking::Nothing);
        settings::of(model, read.ratio.as_deref(), read.seconds)
    };
    Picture::with(prompt, parameters)
}

/// Whether a text is no description of one picture: long, code, JSON, or in parts with headings.
fn is_held(text: &str) -> bool {
    let json = text.trim_start().starts_with(['{', '['])
        && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
    json || text.contains("```")
        || text.chars().nth(LONGEST).is_some()
        || crate::outline::Outline::of(text).has_headings()
}

impl Picture {
    /// A prompt with settings and nothing else.
    pub fn with(prompt: &str, parameters: Map<String, Value>) -> Self {
        let beside = Beside { parameters, ..Beside::default() };
        Self { prompt: prompt.to_owned(), beside, ..Self::default() }
    }

    /// What is said of the parameters that are left out.
    pub fn left_out(&self, target: TargetModel, voice: &Voice) -> Option<String> {
        let values = [target.as_str(), &self.omitted.join(", ")];
        let said = || voice.say("Left out because {} has nothing like it: {2}.", &values);
        (!self.omitted.is_empty()).then(said)
    }

    /// Adds a phrase, or a sentence for models that read such.
    fn add(&mut self, family: &Family, phrase: &str) {
        let sentence = phrase::sentence(&capitalize(phrase));
        self.prompt = match family.phrases {
            true => format!("{}, {phrase}", self.prompt),
            false => format!("{} {sentence}", phrase::sentence(&self.prompt)),
        };
    }

    /// Puts what was read into parameters and into the field for exclusions.
    fn set(&mut self, family: &Family, model: &Model) {
        // A model of text is told all that the words say.
        let told = family.flags || family::mode_of(model).is_none();
        if family.flags {
            self.set_flags();
        } else {
            self.set_fields(model);
        }
        self.omitted.extend(self.read.flags.untranslatable().into_iter().filter(|_| !told));
        let read = &self.read;
        for (name, value) in &read.pasted {
            let key = name.to_lowercase().replace(' ', "_");
            if !family.flags && (key == "seed" || self.beside.parameters.contains_key(&key)) {
                self.beside.parameters.insert(key, value.clone());
            } else if name != "Size" || read.ratio.is_none() {
                self.omitted.push(format!("{name}: {value}"));
            }
        }
        let taken = read.taken.iter().chain(&read.flags.superseded);
        self.superseded = taken.map(String::as_str).collect::<Vec<_>>().join("\n");
    }

    /// Parameters at the end of one line.
    fn set_flags(&mut self) {
        let read = &self.read;
        let mut flags = read.flags.clone();
        if let Some(ratio) = read.ratio.as_ref().filter(|_| flags.get("ar").is_none()) {
            flags.set("ar", ratio);
        }
        flags.set("no", &read.unwanted.join(","));
        self.beside.parameters = flags.settings();
        let words = self.prompt.split_whitespace().collect::<Vec<_>>().join(" ");
        self.prompt = format!("{words} {}", flags.trailing()).trim_end().to_owned();
    }

    /// Parameters beside the prompt.
    fn set_fields(&mut self, model: &Model) {
        let read = &self.read;
        self.beside.parameters = settings::of(model, read.ratio.as_deref(), read.seconds);
        if read.is_timed && read.seconds.is_none() {
            settings::without_length(&mut self.beside.parameters);
        }
        self.beside.negative_prompt =
            (model.negative_prompt && !read.unwanted.is_empty()).then(|| read.unwanted.join(", "));
        if let Some(seed) = read.flags.get("seed") {
            self.beside.parameters.insert("seed".to_owned(), flags::number(seed));
        }
    }
}
