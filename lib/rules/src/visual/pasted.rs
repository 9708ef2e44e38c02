//! What generators write beside a picture, as people paste it: the prompt, "Negative prompt: …" and
//! "Steps: 20, Sampler: …".

use patterns::pattern;
use serde_json::{Map, Value};

/// A pasted text, taken apart.
#[derive(Debug)]
pub struct Pasted<'a> {
    /// What is to be seen.
    pub prompt: &'a str,
    /// What must not be seen.
    pub negative: Option<&'a str>,
    /// The settings, by the names that the generator gives them.
    pub settings: Option<Map<String, Value>>,
}

/// Takes apart a text that ends as generators end it; `None` for any other.
pub fn read(text: &str) -> Option<Pasted<'_>> {
    let steps = pattern!(r"(?:^|\s)Steps: ?\d{1,4}\s*(?:,|$)").find_iter(text).last();
    let settings = steps.and_then(|found| {
        let line = text[found.start()..].trim().replace('\n', ",");
        Some((found.start(), image_analysis::settings(&line)?))
    });
    let head = settings.as_ref().map_or(text, |(start, _)| &text[..*start]);
    let negative = pattern!(r"(?i)(?:^|\s)negative prompt: ?").find(head);
    let (prompt, negative) = match &negative {
        Some(found) => (&head[..found.start()], Some(head[found.end()..].trim())),
        None => (head, None),
    };
    if settings.is_none() && negative.is_none() || !prompt.contains(char::is_alphanumeric) {
        return None;
    }
    let negative = negative.filter(|negative| !negative.is_empty());
    Some(Pasted { prompt: prompt.trim(), negative, settings: settings.map(|(_, map)| map) })
}
