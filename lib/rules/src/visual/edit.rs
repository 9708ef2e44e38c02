//! Changes to a picture or clip that is there already: "remove the background from this photo".

use patterns::pattern;

/// Characters of a goal in which the request stands.
const BEGINNING: usize = 400;

/// Whether a goal asks for a change of a picture or clip instead of a new one.
pub fn is_edit(message: &str) -> bool {
    let text: String = message.trim().chars().take(BEGINNING).collect();
    // Verbs that always work on something that is there.
    let always = pattern!(
        r"(?i)^(?:(?:{retouch.please}|{retouch.request}),? +)*(?:{retouch.edit} |{retouch.edit_of}\b|{retouch.edit_beginning})"
    );
    // Others do only where they name what is there.
    let naming = pattern!(
        r"(?i)^(?:{retouch.please},? +)*{retouch.change}\b.*\b(?:{retouch.this} (?:\w+ )?{retouch.picture}s?)\b"
    );
    let scripted = pattern!(r"{retouch.edit_scripted}");
    let new = pattern!(r"(?i)\b{retouch.after_model} ");
    (always.is_match(&text) || naming.is_match(&text) || scripted.is_match(&text))
        && !new.is_match(&text)
}

/// Whether an instruction says itself what is to stay.
pub fn says_what_stays(instruction: &str) -> bool {
    pattern!(r"(?i)\b{retouch.rest}\b").is_match(instruction)
}
