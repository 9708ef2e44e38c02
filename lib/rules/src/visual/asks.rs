//! Whether the beginning of a goal asks for a picture or a clip, or for a change of one.

use patterns::{Pattern, pattern};
use text::imperative;

/// Characters of a goal in which the request stands.
const BEGINNING: usize = 200;

/// Whether the beginning of a goal asks for a picture.
pub fn for_image(message: &str) -> bool {
    let asked = pattern!(
        r"(?i)\b(?:{visual.create_picture}\b[^.?!\n]{0,30}\b{visual.picture_wanted}s?\b|(?:{generators.picture}|{visual.image}) {visual.prompt}\b|{visual.request_for_picture}|^{visual.draw} |\b{visual.into_picture}\b|^{generators.picture}\b[^:]{0,12}: )"
    );
    let named = pattern!(
        r"(?i)^(?:(?:{visual.article} )?(?:[\w-]+ ){0,4}{visual.picture}(?: {visual.picture_of}\b|\s*[:,] )|(?:{visual.one} )?(?:[\w-]+ ){0,2}{visual.designed}\b|{visual.named_picture}(?: {visual.named_of}|\s*[:,]) )"
    );
    asks(message, asked, named, pattern!(r"(?i)\b{visual.no_picture}\b"))
}

/// Whether the beginning of a goal asks for a clip.
pub fn for_video(message: &str) -> bool {
    let asked = pattern!(
        r"(?i)\b(?:{visual.create_video}\b[^.?!\n]{0,40}\b{visual.video_wanted}\b|(?:{generators.video}|{visual.moving}) {visual.prompt}\b|^{generators.video}\b[^:]{0,12}: )"
    );
    let named = pattern!(
        r"(?i)^(?:(?:{visual.one} )?(?:[\w-]+ ){0,3}{visual.video}(?: {visual.video_of}\b|\s*[:,] )|{visual.named_video}(?: {visual.named_of}|\s*[:,]) )"
    );
    asks(message, asked, named, pattern!(r"(?i)\b{visual.no_video}\b"))
}

/// Whether a text asks for what is to be seen, or begins with the name of it and what it shows. Words before that
/// make it the subject of something else; "explain the painting of …" wants words about it.
fn asks(message: &str, asked: Pattern, named: Pattern, other: Pattern) -> bool {
    let text = beginning(message);
    asked.is_match(&text) && !other.is_match(&text)
        || named.find(&text).is_some_and(|name| {
            !other.is_match(name.as_str()) && !imperative::is_request(&text) && !is_edit(&text)
        })
}

/// Whether the beginning of a goal asks for a change of a picture that is there.
pub fn for_edit(message: &str) -> bool {
    let text = beginning(message);
    is_edit(&text)
        && pattern!(r"(?i)\b{retouch.picture}s?\b").is_match(&text)
        && !pattern!(r"(?i)\b{retouch.program}\b").is_match(&text)
}

/// Whether a goal asks for a change of a picture or clip instead of a new one: "remove the background from this photo".
pub fn is_edit(message: &str) -> bool {
    let text = beginning(message);
    // Verbs that always work on something that is there.
    let always = pattern!(
        r"(?i)^(?:(?:{retouch.please}|{retouch.request}),? +)*(?:{retouch.edit} |{retouch.edit_of}\b|{retouch.edit_beginning})|{retouch.edit_scripted}"
    );
    // Others do only where they name what is there.
    let naming = pattern!(
        r"(?i)^(?:{retouch.please},? +)*{retouch.change}\b.*\b(?:{retouch.this} (?:\w+ )?{retouch.picture}s?)\b"
    );
    (always.is_match(&text) || naming.is_match(&text))
        && !pattern!(r"(?i)\b{retouch.after_model} ").is_match(&text)
}

fn beginning(message: &str) -> String {
    message.trim().chars().take(BEGINNING).collect()
}
