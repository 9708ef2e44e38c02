//! Whether the beginning of a goal asks for a picture or a clip.

use patterns::pattern;

/// Characters of a goal in which the request stands.
const BEGINNING: usize = 200;

/// Whether the beginning of a goal asks for a picture.
pub fn for_image(message: &str) -> bool {
    let text: String = message.chars().take(BEGINNING).collect();
    pattern!(r"(?i)\b(?:{visual.create_picture}\b[^.?!\n]{0,30}\b{visual.picture_wanted}s?\b|^(?:{visual.article} )?(?:[\w-]+ ){0,4}{visual.picture} {visual.picture_of}\b|(?:midjourney|stable diffusion|dall-?e|flux|{visual.image}) {visual.prompt}\b|{visual.request_for_picture}|^{visual.draw} |^(?:{visual.one} )?(?:[\w-]+ ){0,2}{visual.designed}\b|\b{visual.into_picture}\b)")
        .is_match(&text)
        && !pattern!(r"(?i)\b{visual.no_picture}\b").is_match(&text.replace("describing", ""))
}

/// Whether the beginning of a goal asks for a clip.
pub fn for_video(message: &str) -> bool {
    let text: String = message.chars().take(BEGINNING).collect();
    pattern!(r"(?i)\b(?:{visual.create_video}\b[^.?!\n]{0,40}\b{visual.video_wanted}\b|^(?:{visual.one} )?(?:[\w-]+ ){0,3}{visual.video} {visual.video_of}\b|(?:veo|sora|kling|runway|{visual.moving}) {visual.prompt}\b)")
        .is_match(&text)
        && !pattern!(r"(?i)\b{visual.no_video}\b").is_match(&text)
}
