//! The settings that a model takes beside its prompt.

use serde_json::{Map, Value, json};

use super::family;
use engine::Model;

const RATIO: [&str; 5] = ["aspectRatio", "aspect_ratio", "ar", "ratio", "size"];
const SECONDS: [&str; 2] = ["durationSeconds", "duration"];

/// The settings of a model with a ratio and, for a clip, a length. What is not given is left to the model; so is a
/// length that is given in a way that no rule reads.
pub fn of(model: &Model, ratio: Option<&str>, seconds: Option<u32>) -> Map<String, Value> {
    let mut settings = model.parameters.clone();
    let generates = family::mode_of(model).is_some();
    if !generates {
        settings.clear();
    }
    let ratio = ratio.map(|ratio| match &family::of(model).sizes {
        Some(sizes) => json!(sizes[shape(ratio)]),
        None => json!(ratio),
    });
    if let Some(ratio) = ratio {
        set(&mut settings, &RATIO, generates, |_| ratio.clone());
    }
    if let Some(seconds) = seconds {
        set(&mut settings, &SECONDS, generates, |old| match old {
            Value::String(_) => json!(format!("{seconds}s")),
            _ => json!(seconds),
        });
    }
    settings
}

/// Gives those of the `keys` that there are a new value; where no model says which, the first.
fn set(
    settings: &mut Map<String, Value>,
    keys: &[&str],
    generates: bool,
    new: impl Fn(&Value) -> Value,
) {
    if !generates {
        settings.insert(keys[0].to_owned(), new(&Value::Null));
    }
    for key in keys {
        if let Some(old) = settings.get_mut(*key) {
            *old = new(old);
        }
    }
}

/// Whether a ratio is upright, square or wide; nearly square counts as square.
fn shape(ratio: &str) -> usize {
    let (wide, high) = ratio.split_once(':').unwrap_or(("1", "1"));
    let ratio = wide.parse::<f64>().unwrap_or(1.0) / high.parse::<f64>().unwrap_or(1.0);
    match ratio {
        upright if upright < 0.9 => 0,
        wide if wide > 1.1 => 2,
        _ => 1,
    }
}

/// The usual length of the model's clips in seconds.
pub fn usual_seconds(model: &Model) -> Option<String> {
    let value = SECONDS.iter().find_map(|key| model.parameters.get(*key))?;
    Some(
        value
            .as_str()
            .map_or_else(|| value.to_string(), |text| text.trim_end_matches('s').to_owned()),
    )
}

/// Takes out the length of a clip.
pub fn without_length(settings: &mut Map<String, Value>) {
    for key in SECONDS {
        settings.remove(key);
    }
}
