//! Changing a prompt that exists already, as an instruction says.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::change::{bans_emojis, language_wanted};
use super::convert;
use super::dialect::Part;
use super::draft::{Draft, technique};
use super::edit::Edit;
use super::goal::{self, Goal};
use super::outline::Outline;
use super::refine::{instead, points};
use super::slots;
use super::split::{self, stop};
use super::task;
use super::title;
use crate::{GenerateBrief, Mode, ModelKind};
use patterns::pattern;

/// Later clauses of a message are taken as they are.
const MOST_CLAUSES: usize = 60;

/// The prompt to change and what is known about it.
pub struct Base<'a> {
    /// Its text.
    pub prompt: &'a str,
    /// Its title, if it has one.
    pub title: Option<&'a str>,
    /// The goal it was made for, if known.
    pub goal: Option<&'a str>,
}

/// Applies the instruction in `brief.message` to a prompt.
///
/// What the instruction names literally (replace A by B, a language, a length, an audience, a tone, a format,
/// emojis) is changed in place or added; everything else becomes a requirement. Nothing is removed that the
/// instruction does not name.
pub fn apply(base: &Base<'_>, brief: &GenerateBrief, mode: Mode) -> Draft {
    let task = Outline::of(base.prompt).text(Part::Task);
    let subject = base.goal.or(task.as_deref()).unwrap_or(base.prompt);
    let goal = goal::read(subject, mode);
    let mut known = slots::read(base.goal.unwrap_or_default());
    if let Some(task) = &task {
        known.update(slots::read(task));
    }
    let stated = slots::read(base.prompt);
    known.budget = known.budget.or(stated.budget);
    known.deadline = known.deadline.or(stated.deadline);
    if let Some(found) = pattern!(r"(?m)^- Audience: (?P<v>[^\n]+?)\.(?: |$)").captures(base.prompt)
    {
        known.audience = Some(found["v"].to_owned());
    }
    let model = brief.target_model.model();
    let kind = model.kind;
    let resolved = match kind {
        ModelKind::Image if mode == Mode::Auto => Mode::Image,
        ModelKind::Video if mode == Mode::Auto => Mode::Video,
        _ if mode == Mode::Auto => kind_of(base, task.as_deref(), &goal),
        _ => mode,
    };
    let visual = matches!(kind, ModelKind::Image | ModelKind::Video)
        || matches!(resolved, Mode::Image | Mode::Video);
    let mut edit = Edit {
        prompt: base.prompt.replace("\r\n", "\n"),
        known,
        title: base.title.map(str::to_owned),
        moving: resolved == Mode::Video,
        has_negative: visual && model.negative_prompt,
        ..Edit::default()
    };
    if visual {
        let fresh = fresh(&goal, brief, resolved).parameters;
        let picture = convert::picture(&edit.prompt, brief, resolved, &fresh);
        edit.prompt = picture.prompt;
        edit.flags = picture.flags;
        edit.ratio = picture.ratio;
        edit.excluded = picture.excluded;
    } else if (base.title.is_some() || brief.target_model.as_str() != "Universal")
        && let Some(converted) = convert::text(&edit.prompt, brief, resolved)
    {
        edit.prompt = converted;
    }
    let parts = split::separate(&brief.message);
    // Repetition changes nothing, and this keeps long messages cheap.
    let mut seen = HashSet::new();
    for sentence in split::sentences(&parts.prose) {
        let apart = visual && instead::is_wish(&sentence) && sentence.contains(',');
        let list = if apart {
            points::split(&sentence, base.prompt).into_iter().map(|point| point.text).collect()
        } else {
            clauses(&sentence)
        };
        for clause in list {
            if seen.insert(clause.clone()) {
                if visual || seen.len() <= MOST_CLAUSES {
                    edit.instruct(&clause, visual);
                } else {
                    edit.require(&clause);
                }
            }
        }
    }
    let wants_improvement = pattern!(r"(?i)\b(?:improve|better|optimi[sz]e|enhance|strengthen|upgrade|refine|professional(?:ize)?|restructure|polish|rework|fix|verbesser\w*|mejora\w*|améliore\w*|migliora\w*|melhor\w*)\b").is_match(&brief.message);
    if !visual && base.title.is_none() && wants_improvement {
        edit.strengthen(&goal, brief);
    }
    let (parameters, negative_prompt) = settings(&edit, &goal, brief, resolved);
    if !visual {
        edit.settle_language(brief, base.title.is_some());
    }
    let (prompt, sections) =
        if visual { edit.finish_visual() } else { edit.finish(brief, &parts.material) };
    let mut techniques = vec![technique(
        "minimal_change",
        "Minimal change",
        "Keeps your prompt as it is and changes only what you asked for, so that nothing that worked is lost.",
    )];
    if !edit.added.is_empty() {
        techniques.push(technique(
            "explicit_constraints",
            "Explicit constraints",
            "States each change as a requirement of its own, so that it can be checked.",
        ));
    }
    let mut assumptions = Vec::new();
    if edit.added.iter().any(|(_, made)| *made) {
        assumptions.push(
            "Criteria that fit the task were added; the wording of your prompt was kept."
                .to_owned(),
        );
    }
    assumptions.extend(edit.done.iter().cloned());
    Draft {
        title: edit.title.as_deref().map_or_else(|| title::of(&goal), title::shorten),
        mode: resolved,
        prompt,
        parameters,
        negative_prompt,
        sections,
        assumptions,
        techniques,
        usage: vec![
            "Compare the new prompt with the old one on the same input.".to_owned(),
            format!(
                "Paste it as a whole into {}.",
                if brief.target_model.as_str() == "Universal" {
                    "your model"
                } else {
                    brief.target_model.as_str()
                }
            ),
        ],
        language: edit.language.clone(),
        ..Draft::default()
    }
}

/// The kind of the prompt that is continued.
fn kind_of(base: &Base<'_>, task: Option<&str>, goal: &Goal) -> Mode {
    if let Some(kind) = convert::visual_kind(base.prompt) {
        return kind;
    }
    // The goal may be an earlier instruction ("shorter, please"); then the task itself tells more.
    match task.map(|task| goal::read(task, Mode::Auto).task.mode) {
        Some(mode) if mode != Mode::General => mode,
        _ => goal.task.mode,
    }
}

/// What would be composed for the goal today.
fn fresh(goal: &Goal, brief: &GenerateBrief, mode: Mode) -> Draft {
    match mode {
        Mode::Video => super::video::compose(goal, brief),
        _ => super::image::compose(goal, brief),
    }
}

/// The goal of a message that asks for another deliverable about the same matter.
///
/// "Instead write a press release about the same product": the task is stated anew, and what is known about
/// the matter stays.
pub fn restated(base: &Base<'_>, brief: &GenerateBrief) -> Option<Goal> {
    let parts = split::separate(&brief.message);
    let sentences = split::sentences(&parts.prose);
    let first = sentences.first()?;
    let asked = pattern!(r"(?i)^(?:(?:ok(?:ay)?|now|please|actually|great|thanks?|perfect|good|no)[,!.]? )*(?P<lead>instead,? |rather,? )?(?:please |can you |could you |i'd rather have |i (?:now )?(?:want|need) (?:you to )?)*(?:(?:write|create|make|draft|compose|generate|prepare|design|build|develop|produce|plan|give)(?: me| us)? |(?:turn|convert|transform|change|make|rewrite) (?:it|this|that) (?:in)?to )(?P<what>(?:an?|the|some|\d+|two|three|four|five|six) [^?]+?)(?P<trail>,? instead)?[.!?]?$")
        .captures(first)?;
    let what = &asked["what"];
    if pattern!(r"(?i)^(?:an? |the |some )?(?:bit|little|lot|\w+er\b|more|less|table|list|bullet|json|csv|version|second|third|new version|variant)").is_match(what) {
        return None;
    }
    let outline = Outline::of(base.prompt);
    let before = outline.text(Part::Task).or_else(|| base.goal.map(str::to_owned))?;
    let before = goal::read(&before, Mode::Auto);
    let insists = asked.name("lead").is_some() || asked.name("trail").is_some();
    let request = format!("Write {what}");
    let wanted = task::recognise(&request, "", brief.mode, false);
    if !insists && (wanted.id == "general" || wanted.id == before.task.id) {
        return None;
    }
    let subject = before.slots.subject.clone();
    let refers = pattern!(
        r"(?i)\b(?:(?:the|this|that) same (?:\w+)|(?P<lead>about|for|on|of) (?:it|this|that|them))\b"
    );
    let request = match &subject {
        Some(subject) if refers.is_match(&request) => refers
            .replace(&request, |found: &patterns::Captures<'_>| {
                found
                    .name("lead")
                    .map_or_else(|| subject.clone(), |lead| format!("{} {subject}", lead.as_str()))
            })
            .into_owned(),
        Some(subject)
            if !pattern!(r"(?i)\b(?:about|for|on|of|announcing)\b").is_match(&request) =>
        {
            format!("{request} about {subject}")
        }
        None if refers.is_match(&request) => refers
            .replace(&request, |found: &patterns::Captures<'_>| {
                format!(
                    "{} the matter described in the context",
                    found.name("lead").map_or("", |lead| lead.as_str())
                )
            })
            .replace("  ", " "),
        _ => request,
    };
    let mut message = stop(&request);
    for sentence in &sentences[1..] {
        message.push(' ');
        message.push_str(sentence);
    }
    let mut goal = goal::read(&message, brief.mode);
    goal.material = parts.material;
    goal.keep_facts_of(&before, &outline, base.goal.map(|goal| goal::read(goal, Mode::Auto)));
    Some(goal)
}

/// Parameters and negative prompt of the picture or clip that is continued, with the changes applied.
fn settings(
    edit: &Edit,
    goal: &Goal,
    brief: &GenerateBrief,
    mode: Mode,
) -> (Map<String, Value>, Option<String>) {
    if !matches!(mode, Mode::Image | Mode::Video) {
        return (brief.target_model.model().parameters.clone(), None);
    }
    let fresh = fresh(goal, brief, mode);
    let mut parameters = fresh.parameters;
    if let Some(ratio) = &edit.ratio {
        for key in ["ar", "aspectRatio", "aspect_ratio", "ratio"] {
            if let Some(value) = parameters.get_mut(key) {
                *value = Value::from(ratio.as_str());
            }
        }
    }
    if let Some(found) =
        pattern!(r" --no (?P<v>[^-]+?)(?: --|\s*$)").captures(&format!(" {}", edit.flags))
    {
        parameters.insert("no".to_owned(), Value::from(&found["v"]));
    }
    let negative = fresh.negative_prompt.map(|known| {
        let mut list: Vec<&str> = edit.excluded.iter().map(String::as_str).collect();
        for item in known.split(", ") {
            if !list.contains(&item) {
                list.push(item);
            }
        }
        list.join(", ")
    });
    (parameters, negative)
}

fn clauses(sentence: &str) -> Vec<String> {
    let text = pattern!(r"(?i)^(?:can|could|would|will) you (?:please )?|^please |^(?:ok(?:ay)?|great|nice|perfect|thanks|now|and|also|but|then|actually)[,!]? ").replace(sentence, "");
    let split: Vec<String> = pattern!(r"(?i)(?:,\s*|\s+)and (?:(?:also|then) )?(?P<v>(?:make|add|remove|keep|use|don'?t|include|change|replace|write|translate|avoid|drop|mention|put|turn|address|set|send|sign|start|end|begin|mention|switch|shorten|limit|delete|ask)\b)")
        .replace_all(&text, "\u{1}$v")
        .split('\u{1}')
        .map(|clause| clause.trim().to_owned())
        .collect();
    split
        .into_iter()
        .flat_map(|clause| settings_of(&clause).unwrap_or_else(|| vec![clause]))
        .collect()
}

/// The parts of a clause that only lists settings: "more formal and under 80 words".
fn settings_of(clause: &str) -> Option<Vec<String>> {
    if clause.split_whitespace().take(26).count() > 25 {
        return None;
    }
    let parts: Vec<String> = pattern!(r"(?i),? (?:and|but) |, ")
        .split(clause)
        .map(|part| part.trim().to_owned())
        .filter(|part| !matches!(part.to_lowercase().as_str(), "please" | "thanks" | "bitte"))
        .collect();
    let sets = |part: &String| {
        let found = slots::read(part);
        part.split_whitespace().count() <= 7
            && (found.length.is_some() || found.tone.is_some() || found.format.is_some() || found.language.is_some() || found.duration.is_some() || found.budget.is_some() || found.deadline.is_some()
                || bans_emojis(part) && part.split(' ').count() <= 4
                || language_wanted(part).is_some()
                || pattern!(r"(?i)^(?:make it |now )?(?:for|in) \w+|^(?:make it )?(?:more|less|shorter|longer)\b").is_match(part))
    };
    let kinds = |part: &String| {
        let found = slots::read(part);
        (
            found.length.is_some(),
            found.tone.is_some(),
            found.format.is_some(),
            found.duration.is_some(),
            found.budget.is_some(),
            bans_emojis(part),
            language_wanted(part),
        )
    };
    (parts.len() > 1
        && parts.iter().all(sets)
        && parts.windows(2).all(|pair| kinds(&pair[0]) != kinds(&pair[1])))
    .then_some(parts)
}
