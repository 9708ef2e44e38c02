//! What an optimization says about itself, and the lines that a corrected prompt may get.

use super::facts::Facts;
use super::layout::{self, Layout};
use crate::changes::Edits;
use crate::rules::dialect::{self, Part};
use crate::rules::draft::technique;
use crate::rules::outline::Outline;
use crate::rules::split::stop;
use crate::rules::wording::{Tongue, Voice};
use crate::rules::{analyze, text};
use crate::{
    Change, Finding, Mode, OptimizedVersion, PromptBrief, Severity, TargetModel, Technique,
    VersionLabel, messages, variables,
};
use ::text::literals::scan;

/// Reason of the edits that move settings to where a model wants them.
pub const SETTLED: &str = "Moves settings and exclusions to where {} wants them.";
/// Reason of the edits of a new layout.
pub const LAID_OUT: &str = "Laid out as {} reads it best.";
/// Why there is one version where two were asked for.
const ONE_VERSION: &str = "There is one version only: the prompt is short or well structured already, so a new layout would not differ.";
/// The same where more is wrong with the prompt than its layout.
const OPEN_VERSION: &str = "There is one version only: what the prompt leaves open has to be settled first, a new layout would not help.";
/// So many open points are named.
const MOST_OPEN: usize = 3;

/// Shorter prompts than this get no line about the shape of the answer, in words.
const FEWEST_WORDS: usize = 12;

/// Adds the few lines that the task clearly needs and that nothing in the prompt gives; tells whether there
/// were any.
pub fn supplement(
    edits: &mut Edits<'_>,
    brief: &PromptBrief,
    facts: &Facts,
    before: &[Finding],
    tongue: Tongue,
    voice: &Voice,
) -> bool {
    let prompt = brief.prompt.trim_end();
    // The analysis says what is missing.
    let lacks = |rule: &str| before.iter().any(|finding| finding.rule_id == rule);
    // A colon at the end announces content that is pasted behind it.
    if prompt.ends_with([':', '：']) || prompt.ends_with("```") {
        return false;
    }
    let goal = layout::goal_of(prompt);
    let literals = scan(prompt);
    let mut lines: Vec<(String, &str, Option<&str>)> = facts
        .lines(tongue)
        .into_iter()
        .map(|line| (line, "The context names it, the prompt does not.", None))
        .collect();
    let words = prompt.split_whitespace().take(FEWEST_WORDS).count();
    let known = goal.task.id != "general" && goal.language.is_none_or(|tag| tag == tongue.tag);
    if let Some(locale) = tongue.full_locale().filter(|_| known) {
        if goal.task.needs_material
            && lacks("missing_material")
            && goal.material.is_empty()
            && facts.sentences.is_empty()
            && !goal.has_inline_material()
            && variables::find(prompt).is_empty()
            && literals.quotations.is_empty()
            && literals.addresses.is_empty()
            && literals.code.is_empty()
            && prompt.chars().count() < 400
            && goal.slots.subject.is_none()
        {
            let why = "Says what to do when the content to work on is missing.";
            lines.push((locale.supplied.clone(), why, Some("missing_material")));
        } else if lacks("missing_output_format")
            && words >= FEWEST_WORDS
            && facts.format.is_none()
            && matches!(goal.task.family.as_str(), "code" | "data" | "research" | "transform")
            && !layout::shapes_its_answer(prompt, &goal)
        {
            let why = "Fixes the shape of the answer, which was left open.";
            lines.push((text::output(&goal, locale), why, Some("missing_output_format")));
        }
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
        edits.add(end..end, &format!("{lead}{line}"), &voice.say(why, &[]), *rule);
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
        (
            has(Part::Examples),
            "few_shot",
            "Examples apart from the rules",
            "Examples are copied in form and not taken for requirements.",
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

/// What is to be summed up.
pub struct Made<'a> {
    /// How far it goes.
    pub label: VersionLabel,
    /// What kind of visual prompt it is, if it is one.
    pub mode: Option<Mode>,
    /// What was edited.
    pub changes: &'a [Change],
    /// Its layout, if it has a new one.
    pub layout: Option<Layout>,
    /// What is still wrong with it.
    pub left: &'a [Finding],
}

/// Sums up a version.
pub fn summary(made: &Made<'_>, target: TargetModel, voice: &Voice) -> Summary {
    let model = target.as_str();
    let count = made.changes.len().to_string();
    let mut open: Vec<&Finding> =
        made.left.iter().filter(|finding| finding.severity >= Severity::Medium).collect();
    open.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let (mut rationale, impact, best_for) = match (made.label, &made.layout) {
        (VersionLabel::Conservative, _) if made.changes.is_empty() && !open.is_empty() => (
            voice.say("Nothing was changed: what is still open, only you can settle.", &[]),
            voice.say("None until the open points are settled: the prompt stays as it was.", &[]),
            voice.say("As a starting point: settle the open points first.", &[]),
        ),
        (VersionLabel::Conservative, _)
            if made.changes.is_empty()
                && made.left.iter().any(|finding| finding.rule_id == analyze::UNJUDGED) =>
        {
            (
                voice.say("Nothing was changed: the wording was not judged.", &[]),
                voice.say("None: the prompt stays as it was.", &[]),
                voice.say("As it is; whether its wording could be better was not judged.", &[]),
            )
        }
        (VersionLabel::Conservative, _) if made.changes.is_empty() => (
            voice.say("The prompt is clear as it is: nothing had to be changed.", &[]),
            voice.say("None: the prompt stays as it was.", &[]),
            voice.say("Use it as it is.", &[]),
        ),
        (VersionLabel::Conservative, _) => (
            voice.say("Places corrected: {}. Wording and order stay as they were.", &[&count]),
            voice.say("Fewer misreadings at the places that were changed; all else should behave as before.", &[]),
            voice.say("When the prompt is in use already and should behave as before.", &[]),
        ),
        (VersionLabel::Restructured, Some(layout)) => (
            laid_out(layout, model, voice),
            if layout.parts.contains(&Part::Requirements) {
                voice.say("Instructions, facts and material can no longer be mistaken for each other, and each requirement can be checked.", &[])
            } else {
                voice.say("Instructions, facts and material can no longer be mistaken for each other.", &[])
            },
            voice.say("When the prompt is used again and again, extended, or read by others.", &[]),
        ),
        (VersionLabel::Restructured, None) => (
            voice.say("What is to be seen is unchanged; it is put together in the order and form that {} expects, with light, framing and settings filled in where they were open.", &[model]),
            voice.say("{} finds subject, style and settings where it looks for them, so less is left to chance.", &[model]),
            voice.say("When the prompt goes straight into {}.", &[model]),
        ),
    };
    if made.mode.is_none() && !open.is_empty() {
        let messages: Vec<&str> =
            open.iter().take(MOST_OPEN).map(|finding| finding.message.as_str()).collect();
        rationale.push(' ');
        rationale.push_str(&voice.say("Still open: {}", &[&messages.join(" ")]));
    }
    Summary { rationale, impact, best_for }
}

/// Which parts a layout has, and which of them are new.
fn laid_out(layout: &Layout, model: &str, voice: &Voice) -> String {
    // The role has no heading of its own, and tags are the same in every language.
    let headings: Vec<String> = Outline::of(&layout.prompt)
        .sections()
        .into_iter()
        .map(|section| match messages::phrase(voice.tag(), &section.heading) {
            Some(translated) => translated.to_owned(),
            None => section.heading,
        })
        .collect();
    let mut text = voice.say(
        "The same words, laid out in separate parts for {}: {2}.",
        &[model, &headings.join(", ")],
    );
    let added: Vec<String> = layout
        .added
        .iter()
        .filter_map(|part| match part {
            Part::Role => Some("Role"),
            Part::Output => Some("Output format"),
            Part::Check => Some("Final check"),
            _ => None,
        })
        .map(|name| voice.say(name, &[]))
        .collect();
    if !added.is_empty() {
        text.push(' ');
        text.push_str(&voice.say("Added: {}.", &[&added.join(", ")]));
    }
    text
}

/// How to put the versions to use: two to four sentences.
///
/// `is_open` tells whether anything of weight is still wrong with the prompt.
pub fn advice(
    versions: &[OptimizedVersion],
    brief: &PromptBrief,
    is_open: bool,
    voice: &Voice,
) -> Vec<String> {
    let target = brief.target_model;
    let mut list = Vec::new();
    if versions.len() < usize::from(brief.variations) {
        let why = if is_open { OPEN_VERSION } else { ONE_VERSION };
        list.push(voice.say(why, &[]));
    }
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
