//! Changes to a picture or clip that is there already: "remove the background from this photo".

use super::craft;
use super::draft::{Draft, technique};
use super::flags::Flags;
use super::goal::Goal;
use super::quotes::Quotes;
use super::split::{squeeze, stop};
use super::{image, title, video, visual};
use crate::{GenerateBrief, Mode, ModelKind, Section};
use patterns::pattern;

/// Whether a goal asks for a change of a picture or clip instead of a new one.
pub fn is_edit(message: &str) -> bool {
    let text: String = message.trim().chars().take(400).collect();
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

/// The instruction in the user's words; all else stays as it is.
pub fn compose(goal: &Goal, brief: &GenerateBrief, mode: Mode) -> Draft {
    let model = brief.target_model.model();
    let (masked, quotes) = Quotes::mask(&goal.text, false);
    let (mut text, mut flags) = Flags::take(&masked);
    let mut ratio = flags.ratio();
    if ratio.is_none()
        && let Some((place, stated)) = visual::stated_ratio(&text)
    {
        text.replace_range(place, "");
        ratio = Some(stated);
    }
    let ratio = ratio.or_else(|| goal.format.clone());
    let seed = flags.get("seed").and_then(|seed| seed.parse().ok());
    let instruction = stop(&quotes.unmask(&squeeze(&text)));
    let keep = match visual::language(goal) {
        None => "Keep everything else exactly as it is.",
        Some(tag) => craft::of(tag).map_or("", |craft| craft.keep.as_str()),
    };
    let mut sections = vec![Section { heading: "Edit".to_owned(), text: instruction.clone() }];
    let says = pattern!(r"(?i)\b{retouch.rest}\b").is_match(&instruction);
    if !keep.is_empty() && !says {
        sections.push(Section { heading: "Constraints".to_owned(), text: keep.to_owned() });
    }
    let mut prompt =
        sections.iter().map(|section| section.text.as_str()).collect::<Vec<_>>().join(" ");
    let mut assumptions =
        vec!["Read as an edit of what is there: everything else stays as it is.".to_owned()];
    let mut omitted = None;
    let parameters = if model.family == "midjourney" {
        if let Some(ratio) = &ratio {
            flags.default_to("ar", ratio);
        }
        if !flags.is_empty() {
            let trailing = flags.trailing();
            prompt = format!("{prompt} {trailing}");
            sections.push(Section { heading: "Parameters".to_owned(), text: trailing });
        }
        flags.settings()
    } else {
        omitted = visual::omitted(&flags, &[]);
        assumptions.extend(omitted.as_ref().map(|omitted| omitted.told(&model.name)));
        if mode == Mode::Video {
            video::settings(brief, ratio.as_deref(), None, seed)
        } else {
            image::settings(brief, ratio.as_deref(), seed)
        }
    };
    let unwanted = flags.exclusions();
    let negative = (model.negative_prompt && !unwanted.is_empty()).then(|| unwanted.join(", "));
    if !model.negative_prompt && model.family != "midjourney" && !unwanted.is_empty() {
        let text = format!("Leave out {}.", unwanted.join(", "));
        prompt = format!("{prompt} {text}");
        sections.push(Section { heading: "Limits".to_owned(), text });
    }
    let paste = match model.kind {
        ModelKind::Image | ModelKind::Video => {
            format!("Paste the prompt into {} as it is.", brief.target_model)
        }
        _ => {
            "Paste the prompt into an image generator, or into a chat model that can make pictures."
                .to_owned()
        }
    };
    Draft {
        title: if visual::language(goal).is_some() {
            title::shorten(&squeeze(&goal.text))
        } else {
            title::of_phrase(&instruction)
        },
        mode,
        prompt,
        negative_prompt: negative,
        parameters,
        sections,
        assumptions,
        omitted: omitted.into_iter().collect(),
        techniques: vec![technique(
            "minimal_change",
            "Minimal change",
            "Names the one change and keeps the rest, so that nothing that worked is lost.",
        )],
        usage: vec![paste, "Attach the picture or clip that is to be changed.".to_owned()],
        ..Draft::default()
    }
}
