//! What is said of aspects of a picture or clip that the user does not describe.

use patterns::pattern;

use super::description::Description;
use super::kinds::{self, Kind};
use super::wording::Wording;

/// The aspects that are left to the engine, with what is said of them: in English what suits the `kind`, in other
/// languages the few phrases that there are for pictures.
pub fn aspects(
    read: &Description,
    kind: &'static Kind,
    wording: Option<&'static Wording>,
    moving: bool,
) -> Vec<(&'static str, &'static str)> {
    let english = read.foreign.is_none();
    let usual = match wording {
        _ if english => &kind.aspects,
        Some(wording) if !moving => &wording.aspects,
        _ => return Vec::new(),
    };
    let style = kinds::style(&read.seen);
    let styled = style.is_some() || pattern!(r"(?i)\b{image.style}\b").is_match(&read.seen);
    let mut list: Vec<(&'static str, &'static str)> = Vec::new();
    for (aspect, phrase) in usual {
        let said = match aspect.as_str() {
            "light" => kind.graphic,
            "medium" => styled || names_medium(&read.subject, true),
            "look" => styled || names_medium(&read.subject, false),
            _ => false,
        };
        if !said && !read.stated.contains(aspect.as_str()) {
            list.push((aspect.as_str(), phrase.as_str()));
        }
    }
    list.extend(style.filter(|_| english && !moving).map(|style| ("look", style.look.as_str())));
    list
}

/// Whether the subject says itself what kind of picture it is: "a watercolour painting of …", or, if `graphic`, also
/// "a logo for …".
fn names_medium(subject: &str, graphic: bool) -> bool {
    pattern!(r"(?i)^(?:{image.article} )?(?:[\w'-]+ ){0,3}{image.picture} {image.of}\b")
        .is_match(subject)
        || graphic
            && pattern!(r"(?i)^(?:{image.article} )?(?:[\w'-]+ ){0,3}{image.graphic} {image.of}\b")
                .is_match(subject)
}
