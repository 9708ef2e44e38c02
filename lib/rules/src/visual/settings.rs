//! The settings that a model takes beside its prompt.

use serde_json::{Map, Value, json};

use super::{family, ratio};
use engine::Model;

const RATIO: [&str; 5] = ["aspectRatio", "aspect_ratio", "ar", "ratio", "size"];
const SECONDS: [&str; 2] = ["durationSeconds", "duration"];

/// The settings of a model with a ratio and, for a clip, a length. What is not given is left to the model; so is a
/// length that is given in a way that no rule reads.
pub fn of(model: &Model, ratio: Option<&str>, seconds: Option<u32>) -> Map<String, Value> {
    let generates = family::mode_of(model).is_some();
    let mut settings = if generates { model.parameters.clone() } else { Map::new() };
    let ratio = ratio.map(|ratio| match &family::of(model).sizes {
        Some(sizes) => json!(sizes[ratio::shape(ratio)]),
        None => json!(ratio),
    });
    let is_text = settings.get(SECONDS[1]).is_some_and(Value::is_string);
    let seconds =
        seconds.map(|count| if is_text { json!(format!("{count}s")) } else { json!(count) });
    for (keys, value) in [(&RATIO[..], ratio), (&SECONDS[..], seconds)] {
        let Some(value) = value else { continue };
        // Where no model says which, the first.
        let usual = keys.iter().find(|key| settings.contains_key(**key));
        if let Some(key) = usual.or(keys.first().filter(|_| !generates)) {
            settings.insert((*key).to_owned(), value);
        }
    }
    settings
}

/// Takes out the length of a clip.
pub fn without_length(settings: &mut Map<String, Value>) {
    settings.retain(|key, _| !SECONDS.contains(&key.as_str()));
}
