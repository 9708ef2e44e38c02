//! Putting what the goal says into prepared sentences.

use super::goal::Goal;
use patterns::pattern;

/// Replaces `{slot|fallback}` by what the goal says.
pub fn fill(template: &str, goal: &Goal) -> String {
    pattern!(r"\{(\w+)\|([^{}]*)\}")
        .replace_all(template, |found: &patterns::Captures<'_>| {
            let value = goal.slots.get(&found[1]);
            value.and_then(as_third_party).unwrap_or_else(|| found[2].to_owned())
        })
        .into_owned()
}

/// A phrase of the user's as guidance can speak about it: without "my" and with an article.
///
/// `None` where only the user could say it ("my brother Tom"), so that neutral words are used.
fn as_third_party(value: &str) -> Option<String> {
    if value.starts_with("{{") {
        return Some(value.to_owned());
    }
    if pattern!(r"(?i)\b(?:my|our) (?:\w+ )?(?:{fill.relatives})\b").is_match(value) {
        return None;
    }
    let value =
        &*pattern!(r"(?i)^(?:his|her|their|your) |\b(?:my|our) ").replace_all(value, "the ");
    let bare_person = pattern!(
        r"^(?:[a-z-]+ )?(?:landlord|airline|bank|company|school|university|insurer|hotel|agency|client|customer|manager|teacher|professor|doctor|supplier|editor|recruiter|neighbou?r|tenant|employer|investor|principal|boss|owner|board|council|committee|user|reader|buyer)$"
    );
    Some(if bare_person.is_match(value) && !pattern!(r"^(?:an?|the|every|each) ").is_match(value) {
        format!("the {value}")
    } else {
        value.to_owned()
    })
}
