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
        r"(?i)^(?:(?:please|now|just|can you|could you|would you|i want you to|i'd like you to|i need you to|bitte|por favor|s'il (?:te|vous) plaît),? +)*(?:(?:remove|erase|delete|replace|swap|recolou?r|retouch|restore|coloriz?s?e|upscale|sharpen|brighten|darken|straighten|crop|outpaint|inpaint|photoshop|undo|get rid of|take out|clean up|cut out|blur|unblur|denoise|relight) |change (?:only |just )?(?:the|his|her|their|its|this|that|my|all|every)\b|edit (?:the|this|my|that)\b|extend (?:the|this|my)\b|(?:entferne?|lösche?|ersetze?|ändere?|tausche?|retuschiere?|schneide?|färbe?) |(?:supprime[rz]?|enlève[rz]?|efface[rz]?|remplace[rz]?|change[rz]?|retire[rz]?|recadre[rz]?) (?:l[ea']|les|ce|cet|cette|tou)|(?:elimina|quita|borra|reemplaza|sustituye|cambia|recorta|retoca) (?:el|la|los|las|este|esta|tod)|(?:rimuovi|togli|sostituisci|cambia|ritaglia) |(?:remova|apague|substitua|mude|troque|recorte) )"
    );
    // Others do only where they name what is there.
    let naming = pattern!(
        r"(?i)^(?:(?:please|now|just|can you|could you|would you|bitte|por favor),? +)*(?:add|put|make|turn|place|give|convert|transform|change|move|insert|write|fix|improve|enhance|adjust|apply|use|take|keep|in|from|on|füge?|mach[e]?|setze?|verwandle?|ajoute[rz]?|mets|transforme[rz]?|fais|añade|agrega|pon|convierte|haz)\b.*\b(?:(?:this|the attached|the uploaded|the given|the provided|the existing|the original|my|dieses?[mn]?|das beigefügte|cette|ce|mon|ma|esta|este|mi) (?:\w+ )?(?:photo|photograph|image|picture|pic|portrait|selfie|screenshot|headshot|shot|logo|drawing|sketch|video|clip|footage|foto|bild|zeichnung|imagen|dibujo|dessin)s?)\b"
    );
    let scripted = pattern!(
        r"(?:この|その)(?:写真|画像|動画).*(?:消し|削除|変え|変更|取り除|置き換え|して)|背景を(?:削除|消|変|透明)|(?:把|将|將).{1,30}(?:换成|換成|改成|改为|变成|去掉|删除|移除|删掉)|^(?:去掉|删除|移除|去除|替换)"
    );
    let new = pattern!(r"(?i)\b(?:inspired by|based on|in the style of|like (?:in )?(?:this|my)) ");
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
    let says =
        pattern!(r"(?i)\b(?:everything else|the rest|alles andere|tout le reste|todo lo demás)\b")
            .is_match(&instruction);
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
