//! Words around those of the user: what only asks for a picture, and sentences that are added.

use patterns::pattern;

use crate::split;

/// The words without those at their beginning that only ask for a picture or a clip: "please make me an image of".
/// A model of text is asked for a picture; only a request for a prompt of one is left out for it.
pub fn without_request(words: &str, generates: bool) -> &str {
    let asking = pattern!(
        r"(?i)^(?:(?:{visual.please}|{visual.wish}|{visual.create}(?: {visual.for_me}|{visual.for_me_joined})?)[,:!]?\s+)+"
    );
    let named = pattern!(
        r"(?i)^(?:{visual.any_article} )?(?:\d+[- ]?(?:{visual.second}|s) )?(?:{visual.picture_named}|{visual.video_named}) {visual.showing} "
    );
    let prompt = pattern!(
        r"(?i)^(?:{visual.any_article} )?(?:(?:{generators.picture}|{generators.video}|{visual.kind_of_prompt}) )+{visual.prompt} {visual.prompt_for} |^(?:{generators.picture}|{generators.video})\b[^:\n]{0,12}: "
    );
    let rest = asking.find(words).map_or(words, |found| &words[found.end()..]);
    match prompt.find(rest).or_else(|| named.find(rest).filter(|_| generates)) {
        Some(found) => &rest[found.end()..],
        None if generates => rest,
        None => words,
    }
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
