//! How each family of models for pictures and clips reads its prompts.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

use patterns::pattern;
use serde::Deserialize;

use super::phrase::inline;
use crate::split::capitalize;
use engine::{Model, ModelKind};

/// A heading, then forms of the part's text: the first whose places all have a value is used.
type Part = Vec<String>;

/// How a family of models reads its prompts.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dialect {
    /// Name of the parts, in order.
    parts: String,
    /// What stands between the parts; sentences stand apart by a space or line, phrases by a comma.
    pub join: String,
    /// Whether each part begins with its heading.
    #[serde(default)]
    pub labels: bool,
    /// Whether settings and exclusions are parameters at the end of the prompt.
    #[serde(default)]
    pub flags: bool,
    /// Places that have no value here.
    #[serde(default)]
    pub without: Vec<String>,
    /// What must not be seen, in English, in place of `{}`.
    pub free: Option<String>,
    /// Whether a fault is said by its opposite, since the model would show what is named.
    #[serde(default)]
    pub opposites: bool,
    /// Forms of a shot, where every clip is a list of shots.
    #[serde(default)]
    shot: Vec<String>,
}

#[derive(Deserialize)]
struct Dialects {
    parts: HashMap<String, Vec<Part>>,
    pictures: HashMap<String, Dialect>,
    clips: HashMap<String, Dialect>,
    shot: Vec<String>,
    commands: Vec<(String, String)>,
    opposites: HashMap<String, String>,
}

static DIALECTS: LazyLock<Dialects> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../../knowledge/visual/dialects.json"))
        .expect("dialects.json is compiled in")
});

/// The dialect of a model, or a general one for models of another kind.
pub fn of(model: &Model, moving: bool) -> &'static Dialect {
    let (families, kind) = match moving {
        true => (&DIALECTS.clips, ModelKind::Video),
        false => (&DIALECTS.pictures, ModelKind::Image),
    };
    let own = families.get(&model.family).filter(|_| model.kind == kind);
    own.unwrap_or_else(|| &families["universal"])
}

/// The parts of a change to what is there.
pub fn edit() -> &'static [Part] {
    &DIALECTS.parts["edit"]
}

impl Dialect {
    /// The parts of a prompt; those of a list of shots if the clip has `cuts`.
    pub fn parts(&self, cuts: bool) -> &'static [Part] {
        &DIALECTS.parts[if cuts { "shots" } else { self.parts.as_str() }]
    }

    /// Whether every clip is a list of shots.
    pub fn lists_shots(&self) -> bool {
        !self.shot.is_empty()
    }

    /// The forms of a shot.
    pub fn shot(&self) -> &[String] {
        if self.shot.is_empty() { &DIALECTS.shot } else { &self.shot }
    }

    /// Whether the parts are phrases between commas.
    pub fn is_list(&self) -> bool {
        self.join.starts_with(',')
    }
}

/// The instruction in brackets for a camera move.
pub fn command(camera: &str) -> &'static str {
    let lower = camera.to_lowercase();
    let known = DIALECTS.commands.iter().find(|(words, _)| lower.contains(words.as_str()));
    known.map_or("", |(_, command)| command)
}

/// What to show instead of a fault.
pub fn opposite(fault: &str) -> Option<&'static str> {
    DIALECTS.opposites.get(fault).map(String::as_str)
}

/// The values of the places of a prompt, and which of them are used.
#[derive(Default)]
pub struct Fields {
    values: BTreeMap<String, String>,
    /// Whether an article inside a sentence is in lower case: other languages have it as the user wrote it.
    inlines: bool,
    /// Places whose value stands in the prompt.
    pub used: BTreeSet<String>,
}

impl Fields {
    /// No values yet, for a prompt in English or in another language.
    pub fn new(english: bool) -> Self {
        Self { inlines: english, ..Self::default() }
    }

    /// Gives a place a value; one without text is none.
    pub fn set(&mut self, name: &str, value: &str) {
        if !value.trim().is_empty() {
            self.values.insert(name.to_owned(), value.trim().to_owned());
        }
    }

    /// Takes the value of a place away.
    pub fn clear(&mut self, name: &str) {
        self.values.remove(name);
    }

    /// The text of a part, if one of its forms has all that it needs.
    pub fn fill(&mut self, forms: &[String]) -> Option<String> {
        forms.iter().find_map(|form| self.filled(form))
    }

    /// A form with its places filled. A place with a capital has its value with one, and inside a sentence a value has
    /// its article in lower case.
    fn filled(&mut self, form: &str) -> Option<String> {
        let place = pattern!(r"\{(\w+)\}");
        let names: Vec<String> =
            place.captures_iter(form).map(|found| found[1].to_lowercase()).collect();
        if !names.iter().all(|name| self.values.contains_key(name)) {
            return None;
        }
        let text = place.replace_all(form, |found: &patterns::Captures<'_>| {
            let value = &self.values[&found[1].to_lowercase()];
            match found.get(0) {
                _ if found[1].starts_with(char::is_uppercase) => capitalize(value),
                Some(whole) if whole.start() > 0 && self.inlines => inline(value),
                _ => value.clone(),
            }
        });
        let text = text.into_owned();
        self.used.extend(names);
        Some(text)
    }
}
