//! The one way in which prompts for pictures and clips are made, from goals, from prompts and from what is changed.

use serde_json::{Map, Value};

use super::edit;
use super::family::{self, Family};
use super::flags::{self, Flags};
use super::phrase;
use super::read::{self, Description, Taking};
use super::settings;
use crate::draft::Omitted;
use crate::split::capitalize;
use engine::{Mode, Model, ModelKind, TargetModel};
use text::language;

/// Only texts up to this length are read, in characters; a longer one describes no single picture.
const LONGEST: usize = 4000;

/// A prompt for a picture or clip with its settings.
#[derive(Debug, Default)]
pub struct Picture {
    /// The prompt.
    pub prompt: String,
    /// What must not be seen, where the model has a field for it.
    pub negative: Option<String>,
    /// Settings.
    pub parameters: Map<String, Value>,
    /// Parameters at the end of the prompt.
    pub trailing: String,
    /// What the model has no place for.
    pub omitted: Vec<Omitted>,
    /// Statements whose words are settings now, and values that were given twice.
    pub superseded: String,
    /// What was read.
    pub read: Description,
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

/// Makes the prompt of a text: settings and exclusions go where the model reads them, and the words stay. For a goal,
/// which is `asked`, the words that only ask for a picture are left out, and what the model wants of lettering
/// and of edits is said.
pub fn of(text: &str, mode: Mode, target: TargetModel, asked: bool) -> Picture {
    let model = target.model();
    let family = family::of(model);
    if is_held(text) {
        let parameters = if family.flags {
            Flags::take(text).1.settings()
        } else {
            settings::of(model, None, None)
        };
        return Picture { prompt: text.trim().to_owned(), parameters, ..Picture::default() };
    }
    let moving = mode == Mode::Video;
    let is_edit = edit::is_edit(text);
    let taking = match model.kind {
        ModelKind::Text | ModelKind::Universal => Taking::Nothing,
        _ if !is_edit && (family.flags || model.negative_prompt) => Taking::Exclusions,
        _ => Taking::Settings,
    };
    let read = read::read(text, moving, taking);
    let generates = taking != Taking::Nothing;
    let words = match asked {
        true => phrase::without_request(&read.words, moving, generates),
        false => read.words.clone(),
    };
    let mut picture = Picture { prompt: words, read, ..Picture::default() };
    let says = additions(&picture.read, model, taking, asked.then_some((moving, is_edit)));
    for phrase in says {
        picture.prompt = if family.phrases {
            format!("{}, {phrase}", picture.prompt)
        } else {
            format!(
                "{} {}",
                phrase::sentence(&picture.prompt),
                phrase::sentence(&capitalize(&phrase))
            )
        };
    }
    picture.set(family, model);
    picture
}

/// Whether a text is no description of one picture: long, code, JSON, or in parts with headings.
fn is_held(text: &str) -> bool {
    let json = text.trim_start().starts_with(['{', '['])
        && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
    json || text.contains("```")
        || text.chars().nth(LONGEST).is_some()
        || crate::outline::Outline::of(text).has_headings()
}

/// What is said behind the words, in their language: what must not be seen where a label or a parameter of another
/// model said so; of a goal that is for a clip or not and an edit or not, also what its model wants said.
fn additions(
    read: &Description,
    model: &Model,
    taking: Taking,
    asked: Option<(bool, bool)>,
) -> Vec<String> {
    let tag = language::told(&read.words).unwrap_or("en");
    let Some(wording) = phrase::wording(tag) else { return Vec::new() };
    let mut list = Vec::new();
    match asked {
        Some((_, true)) if !edit::says_what_stays(&read.words) => list.push(wording.keep.clone()),
        Some((false, false)) if phrase::quotes(&read.words) => list.push(wording.lettering.clone()),
        _ => {}
    }
    let has_place = model.negative_prompt || family::of(model).flags;
    if taking != Taking::Nothing && !has_place && !read.unwanted.is_empty() {
        list.push(wording.free.replace("{}", &read.unwanted.join(", ")));
    }
    list
}

impl Picture {
    /// Puts what was read into parameters and into the field for exclusions.
    fn set(&mut self, family: &Family, model: &Model) {
        let mut unread = self.read.unread.clone();
        unread.extend(if family.flags { self.set_flags() } else { self.set_fields(model) });
        // A model of text is told all that the words say.
        unread.retain(|_| family::mode_of(model).is_some());
        let read = &self.read;
        let taken = read.taken.iter().chain(&read.flags.superseded);
        self.superseded = taken.map(String::as_str).collect::<Vec<_>>().join("\n");
        let excluded = family.positive && !read.excluded.is_empty();
        self.omitted = [
            (!unread.is_empty()).then_some(Omitted::Parameters(unread)),
            excluded.then(|| Omitted::Exclusions(read.excluded.clone())),
        ]
        .into_iter()
        .flatten()
        .collect();
    }

    /// Parameters at the end of one line; gives the statements that are none.
    fn set_flags(&mut self) -> Vec<String> {
        let (read, mut unread) = (&self.read, Vec::new());
        let mut flags = read.flags.clone();
        for (name, value, words) in &read.settings {
            match flags::known(name) {
                Some(_) if flags.get(name).is_none() => flags.set(name, &value.to_string()),
                Some(_) => {}
                None => unread.push(words.clone()),
            }
        }
        if let Some(ratio) = read.ratio.as_ref().filter(|_| flags.get("ar").is_none()) {
            flags.set("ar", ratio);
        }
        for item in &read.unwanted {
            flags.set("no", item);
        }
        self.parameters = flags.settings();
        self.trailing = flags.trailing();
        let words = self.prompt.split_whitespace().collect::<Vec<_>>().join(" ");
        self.prompt = format!("{words} {}", self.trailing).trim_end().to_owned();
        unread
    }

    /// Parameters beside the prompt; gives the statements that the model has none for.
    fn set_fields(&mut self, model: &Model) -> Vec<String> {
        let (read, mut unread) = (&self.read, Vec::new());
        self.parameters = settings::of(model, read.ratio.as_deref(), read.seconds);
        if read.is_timed && read.seconds.is_none() {
            settings::without_length(&mut self.parameters);
        }
        self.negative =
            (model.negative_prompt && !read.unwanted.is_empty()).then(|| read.unwanted.join(", "));
        let seed = read.flags.get("seed").map(flags::number);
        let seed = seed.map(|value| ("seed".to_owned(), value, String::new()));
        for (name, value, words) in read.settings.iter().chain(&seed) {
            if name == "seed" || self.parameters.contains_key(name) {
                self.parameters.insert(name.clone(), value.clone());
            } else {
                unread.push(words.clone());
            }
        }
        unread.extend(read.flags.untranslatable());
        unread
    }
}
