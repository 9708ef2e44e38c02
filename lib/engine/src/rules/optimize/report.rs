//! What an optimization says about itself, and the lines that a corrected prompt may get.

use super::facts::Facts;
use super::layout::{self, Layout};
use crate::changes::Edits;
use crate::integrity::scan;
use crate::rules::dialect::{self, Part};
use crate::rules::draft::technique;
use crate::rules::split::stop;
use crate::rules::text;
use crate::rules::wording::{Tongue, Voice};
use crate::{
    Change, Mode, OptimizedVersion, PromptBrief, TargetModel, Technique, VersionLabel, messages,
    variables,
};

/// Reason of the edits that move settings to where a model wants them.
pub const SETTLED: &str = "Moves settings and exclusions to where {} wants them.";
/// Reason of the edits of a new layout.
pub const LAID_OUT: &str = "Laid out as {} reads it best.";
/// Rationale where there was nothing to lay out.
pub const NOTHING_TO_LAY_OUT: &str =
    "The prompt is short or well structured already, so its layout stays as it is.";

/// Shorter prompts than this get no line about the shape of the answer, in words.
const FEWEST_WORDS: usize = 12;

/// Adds the few lines that the task clearly needs and that nothing in the prompt gives; tells whether there
/// were any.
pub fn supplement(
    edits: &mut Edits<'_>,
    brief: &PromptBrief,
    facts: &Facts,
    tongue: Tongue,
    voice: &Voice,
) -> bool {
    let prompt = brief.prompt.trim_end();
    let Some(locale) = tongue.full_locale() else { return false };
    // A colon at the end announces content that is pasted behind it.
    if prompt.ends_with([':', '：']) || prompt.ends_with("```") {
        return false;
    }
    let goal = layout::goal_of(prompt);
    let literals = scan(prompt);
    let mut lines: Vec<(String, &str, &str)> = facts
        .lines(tongue)
        .into_iter()
        .map(|line| (line, "The context names it, the prompt does not.", "missing_setting"))
        .collect();
    let words = prompt.split_whitespace().take(FEWEST_WORDS).count();
    let known = goal.task.id != "general" && goal.language.is_none_or(|tag| tag == tongue.tag);
    if known
        && goal.task.needs_material
        && goal.material.is_empty()
        && !goal.has_inline_material()
        && variables::find(prompt).is_empty()
        && literals.quotations.is_empty()
        && literals.addresses.is_empty()
        && literals.code.is_empty()
        && prompt.chars().count() < 400
        && goal.slots.subject.is_none()
    {
        let why = "Says what to do when the content to work on is missing.";
        lines.push((locale.supplied.clone(), why, "missing_material"));
    } else if known
        && words >= FEWEST_WORDS
        && facts.format.is_none()
        && matches!(goal.task.family.as_str(), "code" | "data" | "research" | "transform")
        && !layout::shapes_its_answer(prompt, &goal)
    {
        let why = "Fixes the shape of the answer, which was left open.";
        lines.push((text::output(&goal, locale), why, "missing_output_format"));
    }
    let running = !prompt.contains('\n') && stop(prompt) == prompt;
    let mut first = true;
    for (line, why, rule) in &lines {
        let lead = if running {
            " "
        } else if first {
            "\n\n"
        } else {
            "\n"
        };
        first = false;
        let end = prompt.len();
        edits.add(end..end, &format!("{lead}{line}"), &voice.say(why, &[]), Some(rule));
    }
    !lines.is_empty()
}

/// Techniques of a version that was corrected in place.
pub fn conservative(changes: &[Change], voice: &Voice) -> Vec<Technique> {
    let mut list = vec![say(
        voice,
        "minimal_change",
        "Minimal change",
        "Keeps wording and order, so that what worked goes on working.",
    )];
    let rule = |wanted: &[&str]| {
        changes
            .iter()
            .any(|change| change.rule_id.as_deref().is_some_and(|id| wanted.contains(&id)))
    };
    if rule(&["filler", "hedging", "duplicate_instruction", "over_emphasis"]) {
        list.push(say(
            voice,
            "plain_instructions",
            "Plain instructions",
            "Removes words that weaken or repeat an instruction.",
        ));
    }
    if rule(&["missing_output_format"]) {
        list.push(say(voice, "output_format", "Output format", "Fixes the shape of the answer."));
    }
    list
}

fn say(voice: &Voice, id: &str, label: &str, why: &str) -> Technique {
    technique(id, &voice.say(label, &[]), voice.say(why, &[]))
}

/// Techniques of a new layout.
pub fn techniques(layout: &Layout, target: TargetModel, voice: &Voice) -> Vec<Technique> {
    let has = |part: Part| layout.parts.contains(&part);
    let added = |part: Part| layout.added.contains(&part);
    let mut list = vec![if dialect::uses_tags(target) {
        say(
            voice,
            "xml_tags",
            "XML tags",
            "Tags keep the parts apart, as the model's vendor advises.",
        )
    } else {
        say(
            voice,
            "clear_sections",
            "Parts under headings",
            "Headings keep task, facts and rules apart.",
        )
    }];
    for (shown, id, label, why) in [
        (added(Part::Role), "role", "Role", "Names who does this kind of work for a living."),
        (
            has(Part::Context),
            "context",
            "Context apart from the task",
            "Facts cannot be mistaken for orders.",
        ),
        (
            has(Part::Material),
            "delimited_material",
            "Delimited material",
            "Sentences in the material are not taken for instructions.",
        ),
        (
            has(Part::Requirements),
            "explicit_constraints",
            "Explicit constraints",
            "Each requirement is a point of its own that can be checked.",
        ),
        (has(Part::Output), "output_format", "Output format", "Fixes the shape of the answer."),
        (
            added(Part::Check),
            "final_check",
            "Final check",
            "Lets the model check the requirements before it answers.",
        ),
    ] {
        if shown {
            list.push(say(voice, id, label, why));
        }
    }
    list
}

/// Techniques that were made for another result, in the caller's language.
pub fn voiced(list: Vec<Technique>, tag: &str) -> Vec<Technique> {
    let translated = |text: String| messages::say(tag, &text).unwrap_or(text);
    list.into_iter()
        .map(|item| Technique {
            id: item.id,
            label: translated(item.label),
            why: translated(item.why),
        })
        .collect()
}

/// What a version says about itself.
pub struct Summary {
    /// Why it is as it is.
    pub rationale: String,
    /// What it should change.
    pub impact: String,
    /// When to prefer it.
    pub best_for: String,
}

/// Sums up a version.
pub fn summary(
    label: VersionLabel,
    mode: Option<Mode>,
    changes: &[Change],
    parts: &[String],
    target: TargetModel,
    voice: &Voice,
) -> Summary {
    let model = target.as_str();
    let count = changes.len().to_string();
    let (rationale, impact, best_for) = match (label, mode) {
        (VersionLabel::Conservative, _) if changes.is_empty() => (
            voice.say("The prompt is clear as it is: nothing had to be changed.", &[]),
            voice.say("None: the prompt stays as it was.", &[]),
            voice.say("Use it as it is.", &[]),
        ),
        (VersionLabel::Conservative, _) => (
            voice.say("Places corrected: {}. Wording and order stay as they were.", &[&count]),
            voice.say("Fewer misreadings at the places that were changed; all else should behave as before.", &[]),
            voice.say("When the prompt is in use already and should behave as before.", &[]),
        ),
        (VersionLabel::Restructured, Some(_)) => (
            voice.say("What is to be seen is unchanged; it is put together in the order and form that {} expects, with light, framing and settings filled in where they were open.", &[model]),
            voice.say("{} finds subject, style and settings where it looks for them, so less is left to chance.", &[model]),
            voice.say("When the prompt goes straight into {}.", &[model]),
        ),
        (VersionLabel::Restructured, None) => (
            voice.say("The same words, laid out in separate parts for {}: {2}.", &[model, &parts.join(", ")]),
            voice.say("Instructions, facts and material can no longer be mistaken for each other, and each requirement can be checked.", &[]),
            voice.say("When the prompt is used again and again, extended, or read by others.", &[]),
        ),
    };
    Summary { rationale, impact, best_for }
}

/// How to put the versions to use: two to four sentences.
pub fn advice(versions: &[OptimizedVersion], target: TargetModel, voice: &Voice) -> Vec<String> {
    let mut list = Vec::new();
    let model = if target.as_str() == "Universal" {
        voice.say("your model", &[])
    } else {
        target.as_str().to_owned()
    };
    list.push(voice.say("Paste the prompt as a whole into {}.", &[&model]));
    let Some(last) = versions.last() else { return list };
    let names: Vec<String> = last
        .variables
        .iter()
        .take(8)
        .map(|variable| format!("{{{{{}}}}}", variable.name))
        .collect();
    if !names.is_empty() {
        list.push(voice.say("Fill in the variables first: {}.", &[&names.join(", ")]));
    }
    if last.negative_prompt.is_some() {
        list.push(voice.say("Put the negative prompt into the model's field for it.", &[]));
    }
    list.push(voice.say(
        "Try it on two or three inputs whose good answer you know, and compare with the original.",
        &[],
    ));
    if list.len() < 4 {
        list.push(voice.say("Change one thing at a time, so that you see what helped.", &[]));
    }
    list
}
