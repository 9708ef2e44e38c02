//! The settings that a model takes beside its prompt.

use std::cmp::Ordering;

use serde_json::{Map, Value, json};

use super::parameters::Setting;
use engine::{Model, ModelKind};

const RATIO: [&str; 5] = ["aspectRatio", "aspect_ratio", "ar", "ratio", "size"];
const SECONDS: [&str; 2] = ["durationSeconds", "duration"];
/// Length of a clip whose model has no usual one.
const USUAL_SECONDS: u32 = 8;

/// The settings of a model for pictures, or for clips if they are `moving`. Without a ratio or a length it is left
/// to the model.
pub fn of(
    model: &Model,
    moving: bool,
    ratio: Option<&str>,
    seconds: Option<u32>,
    seed: Option<u32>,
) -> Map<String, Value> {
    let kind = if moving { ModelKind::Video } else { ModelKind::Image };
    let mut settings = if model.kind == kind { model.parameters.clone() } else { Map::new() };
    if model.kind != kind {
        settings.insert("aspectRatio".to_owned(), Value::Null);
        if moving {
            settings.insert("durationSeconds".to_owned(), Value::Null);
        }
    }
    let ratio = ratio.map(|ratio| match model.family.as_str() {
        "gpt_image" => json!(pixels(ratio)),
        _ => json!(ratio),
    });
    set(&mut settings, &RATIO, |_| ratio.clone());
    set(&mut settings, &SECONDS, |old| {
        seconds.map(|seconds| match old {
            Value::String(_) => json!(format!("{seconds}s")),
            _ => json!(seconds),
        })
    });
    if let Some(seed) = seed {
        settings.insert("seed".to_owned(), json!(seed));
    }
    settings
}

/// Gives those of the `keys` that there are a new value, or takes them out.
fn set(settings: &mut Map<String, Value>, keys: &[&str], new: impl Fn(&Value) -> Option<Value>) {
    for key in keys {
        let Some(old) = settings.get_mut(*key) else { continue };
        match new(old) {
            Some(value) => *old = value,
            None => {
                settings.remove(*key);
            }
        }
    }
}

/// The size in pixels that is nearest to a ratio, for models that take only three.
fn pixels(ratio: &str) -> &'static str {
    let (width, height) = ratio.split_once(':').unwrap_or(("1", "1"));
    match width.parse().unwrap_or(1).cmp(&height.parse::<u32>().unwrap_or(1)) {
        Ordering::Less => "1024x1536",
        Ordering::Equal => "1024x1024",
        Ordering::Greater => "1536x1024",
    }
}

/// The usual length of the model's clips in seconds.
pub fn usual_seconds(model: &Model) -> u32 {
    let value = SECONDS.iter().find_map(|key| model.parameters.get(*key));
    let seconds = value.and_then(|value| {
        value.as_u64().or_else(|| value.as_str()?.trim_end_matches('s').parse().ok())
    });
    seconds.and_then(|seconds| u32::try_from(seconds).ok()).unwrap_or(USUAL_SECONDS)
}

/// Sets what the model has a parameter for; gives the statements that it has none for.
pub fn apply(stated: &[Setting], settings: &mut Map<String, Value>) -> Vec<String> {
    let mut unread = Vec::new();
    for setting in stated {
        match settings.get_mut(setting.name) {
            Some(value) => *value = setting.number(),
            None => unread.push(setting.words.clone()),
        }
    }
    unread
}
