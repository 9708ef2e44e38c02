//! What is sensible for kinds of subjects, and the styles that goals name.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use patterns::{Pattern, pattern, table};
use serde::Deserialize;

use crate::knowledge::{Cues, cue};

/// What is sensible for one kind of subject.
#[derive(Deserialize)]
pub struct Kind {
    /// Its name.
    pub id: String,
    /// Whether it is drawn rather than photographed.
    #[serde(default)]
    pub graphic: bool,
    /// Width to height.
    pub ratio: String,
    /// Faults that are usual, between commas.
    pub negative: String,
    /// What is said of it where the user says nothing, by aspect: nothing that could be seen.
    pub aspects: BTreeMap<String, String>,
}

/// A style that a goal names.
#[derive(Deserialize)]
pub struct Style {
    id: String,
    /// By what it is seen; may be empty.
    pub look: String,
    /// Whether it is a manner of photographs.
    #[serde(default)]
    pub photo: bool,
}

#[derive(Deserialize)]
struct Knowledge {
    pictures: Vec<Kind>,
    clips: Vec<Kind>,
    styles: Vec<Style>,
}

static KNOWLEDGE: LazyLock<Knowledge> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../../knowledge/visual/kinds.json"))
        .expect("kinds.json is compiled in")
});

const PICTURES: Cues = table!("image_kinds", r"\b{}(?:\b|$)");
const CLIPS: Cues = table!("video_kinds", r"\b{}(?:\b|$)");
const STYLES: Cues = table!("image_styles", r"\b{}(?:\b|$)");

/// The kind of a picture, or of a clip if it is `moving`: that of its subject, else of the whole `seen`; both in
/// lower case. A clip without people is of no kind that has them.
pub fn of(subject: &str, seen: &str, moving: bool, deserted: bool) -> &'static Kind {
    let (kinds, cues) =
        if moving { (&KNOWLEDGE.clips, CLIPS) } else { (&KNOWLEDGE.pictures, PICTURES) };
    let first = |text: &str| {
        kinds
            .iter()
            .filter(|kind| !(deserted && kind.id == "people"))
            .filter_map(|kind| Some((head(cue(cues, &kind.id)?, text)?, kind)))
            .min_by_key(|(start, kind)| if kind.graphic { 0 } else { *start + 1 })
            .map(|(_, kind)| kind)
    };
    first(subject).or_else(|| first(seen)).unwrap_or(&kinds[kinds.len() - 1])
}

/// The style that a description in lower case names.
pub fn style(seen: &str) -> Option<&'static Style> {
    let named = |style: &&Style| cue(STYLES, &style.id).is_some_and(|cue| cue.is_match(seen));
    KNOWLEDGE.styles.iter().find(named)
}

/// Where a cue names the thing itself: "ramen" in "a bowl of ramen", not in "a ramen shop sign".
fn head(cue: Pattern, text: &str) -> Option<usize> {
    let modifies = pattern!(r"^[ -]{image.modified}\b");
    cue.find_iter(text)
        .find(|found| !modifies.is_match(&text[found.end()..]))
        .map(|found| found.start())
}
