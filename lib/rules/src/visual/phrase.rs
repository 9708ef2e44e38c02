//! Words around those of the user: what only asks for a picture, and the few phrases that a prompt gets.

use std::collections::HashMap;
use std::sync::LazyLock;

use patterns::pattern;
use serde::Deserialize;

use crate::split;

/// What is said in one language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wording {
    /// What must not be seen, in place of `{}`.
    pub free: String,
    /// That quoted text is lettering.
    pub lettering: String,
    /// That an edit leaves everything else as it is; a sentence.
    pub keep: String,
}

static WORDING: LazyLock<HashMap<String, Wording>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../../knowledge/visual/wording.json"))
        .expect("wording.json is compiled in")
});

/// The phrases of a language, if there are any.
pub fn wording(tag: &str) -> Option<&'static Wording> {
    WORDING.get(tag)
}

/// Whether a text has words between quotation marks.
pub fn quotes(text: &str) -> bool {
    pattern!(r#""[^"\n]+"|“[^”\n]+”|„[^“”"\n]+[“”"]|«[^»\n]+»|「[^」\n]+」"#).is_match(text)
}

/// The words without those at their beginning that only ask for a picture, or for a clip: "please make me an image of".
/// A model of text is asked for a picture; only a request for a prompt of one is left out for it.
pub fn without_request(words: &str, moving: bool, generates: bool) -> String {
    let asking = pattern!(
        r"(?i)^(?:(?:{visual.please}|{visual.wish}|{visual.create}(?: {visual.for_me}|{visual.for_me_joined})?)[,:]?\s+)+(?P<a>{visual.any_article} )?"
    );
    // "Draw" and "paint" say what kind of picture it is.
    let drawn = pattern!(r"(?i)^(?:{visual.please},? )*{visual.draw}\b").is_match(words);
    let asks = asking.captures(words).filter(|_| !drawn);
    let behind = asks.as_ref().and_then(|found| Some(&words[found.get(0)?.end()..]));
    let named = if moving {
        pattern!(
            r"(?i)^(?:{visual.any_article} )?(?:\d+[- ]?(?:{visual.second}|s) )?{visual.video_named} {visual.video_showing} "
        )
    } else {
        pattern!(r"(?i)^(?:{visual.any_article} )?{visual.picture_named} {visual.picture_showing} ")
    };
    let prompt = pattern!(
        r"(?i)^(?:{visual.any_article} )?(?:(?:{generators.picture}|{generators.video}|{visual.kind_of_prompt}) )+{visual.prompt} {visual.prompt_for} |^(?:{generators.picture}|{generators.video})\b[^:\n]{0,12}: "
    );
    let rest = behind.unwrap_or(words);
    if let Some(found) = prompt.find(rest).or_else(|| named.find(rest).filter(|_| generates)) {
        return rest[found.end()..].to_owned();
    }
    if !generates {
        return words.to_owned();
    }
    let article =
        asks.as_ref().and_then(|found| found.name("a")).map_or("", |found| found.as_str());
    format!("{article}{rest}")
}

/// A sentence of its own, with the full stop of its script.
pub fn sentence(text: &str) -> String {
    let text = text.trim().trim_end_matches(['、', '，']);
    let wide = |c: char| matches!(u32::from(c), 0x3040..=0x30FF | 0x4E00..=0x9FFF);
    match text.chars().last() {
        Some(last) if wide(last) => format!("{text}。"),
        Some(']') => text.to_owned(),
        _ => split::stop(text),
    }
}
