//! What an optimization says about itself.

use super::layout::Layout;
use crate::analyze;
use crate::dialect::{self, Part};
use crate::draft::technique;
use crate::messages;
use crate::outline::Outline;
use crate::wording::Voice;
use engine::{
    Change, Finding, Mode, OptimizedVersion, PromptBrief, Severity, TargetModel, Technique,
    VersionLabel,
};

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

/// The rules whose mends make an instruction plainer.
const PLAINER: [&str; 5] =
    ["filler", "hedging", "duplicate_instruction", "over_emphasis", "doubled_word"];

/// Techniques of a version that was corrected in place.
pub fn conservative(changes: &[Change], voice: &Voice) -> Vec<Technique> {
    let plainer =
        |change: &Change| change.rule_id.as_deref().is_some_and(|id| PLAINER.contains(&id));
    let rows = [
        (
            true,
            "minimal_change",
            "Minimal change",
            "Keeps wording and order, so that what worked goes on working.",
        ),
        (
            changes.iter().any(plainer),
            "plain_instructions",
            "Plain instructions",
            "Removes words that weaken or repeat an instruction.",
        ),
    ];
    said(&rows, voice)
}

/// Techniques, with whether they were used: identifier, label and reason.
type Row = (bool, &'static str, &'static str, &'static str);

fn said(rows: &[Row], voice: &Voice) -> Vec<Technique> {
    rows.iter()
        .filter(|(used, ..)| *used)
        .map(|(_, id, label, why)| technique(id, &voice.say(label, &[]), voice.say(why, &[])))
        .collect()
}

/// Techniques of a new layout.
pub fn techniques(layout: &Layout, target: TargetModel, voice: &Voice) -> Vec<Technique> {
    let has = |part: Part| layout.parts.contains(&part);
    let added = |part: Part| layout.added.contains(&part);
    let tags = dialect::uses_tags(target);
    let rows = [
        (tags, "xml_tags", "XML tags", "Tags keep the parts apart, as the model's vendor advises."),
        (
            !tags,
            "clear_sections",
            "Parts under headings",
            "Headings keep task, facts and rules apart.",
        ),
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
    ];
    said(&rows, voice)
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
    let mut open: Vec<&Finding> =
        made.left.iter().filter(|finding| finding.severity >= Severity::Medium).collect();
    open.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let unjudged = || made.left.iter().any(|finding| finding.rule_id == analyze::UNJUDGED);
    let says = match (made.label, &made.layout) {
        (VersionLabel::Conservative, _) if !made.changes.is_empty() => MENDED,
        (VersionLabel::Conservative, _) if !open.is_empty() => LEFT_OPEN,
        (VersionLabel::Conservative, _) if unjudged() => NOT_JUDGED,
        (VersionLabel::Conservative, _) => CLEAR,
        (VersionLabel::Restructured, Some(layout))
            if layout.parts.contains(&Part::Requirements) =>
        {
            LAID_OUT_RULES
        }
        (VersionLabel::Restructured, Some(_)) => LAID_OUT_PARTS,
        (VersionLabel::Restructured, None) => RECOMPOSED,
    };
    let count = made.changes.len().to_string();
    let value = if made.label == VersionLabel::Conservative { &count } else { target.as_str() };
    let [mut rationale, impact, best_for] = says.map(|text| voice.say(text, &[value]));
    if let Some(layout) = &made.layout {
        rationale = laid_out(layout, target.as_str(), voice);
    }
    if made.mode.is_none() && !open.is_empty() {
        let messages: Vec<&str> =
            open.iter().take(MOST_OPEN).map(|finding| finding.message.as_str()).collect();
        rationale.push(' ');
        rationale.push_str(&voice.say("Still open: {}", &[&messages.join(" ")]));
    }
    Summary { rationale, impact, best_for }
}

/// What is said about a version: why it is as it is, what it should change, when to prefer it.
type Says = [&'static str; 3];

const MENDED: Says = [
    "Places corrected: {}. Wording and order stay as they were.",
    "Fewer misreadings at the places that were changed; all else should behave as before.",
    "When the prompt is in use already and should behave as before.",
];
const LEFT_OPEN: Says = [
    "Nothing was changed: what is still open, only you can settle.",
    "None until the open points are settled: the prompt stays as it was.",
    "As a starting point: settle the open points first.",
];
const NOT_JUDGED: Says = [
    "Nothing was changed: the wording was not judged.",
    "None: the prompt stays as it was.",
    "As it is; whether its wording could be better was not judged.",
];
const CLEAR: Says = [
    "The prompt is clear as it is: nothing had to be changed.",
    "None: the prompt stays as it was.",
    "Use it as it is.",
];
/// Its reason names the parts.
const LAID_OUT_RULES: Says = [
    "",
    "Instructions, facts and material can no longer be mistaken for each other, and each requirement can be checked.",
    "When the prompt is used again and again, extended, or read by others.",
];
/// Its reason names the parts.
const LAID_OUT_PARTS: Says = [
    "",
    "Instructions, facts and material can no longer be mistaken for each other.",
    "When the prompt is used again and again, extended, or read by others.",
];
const RECOMPOSED: Says = [
    "What is to be seen is unchanged; it is put together in the order and form that {} expects, with light, framing and settings filled in where they were open.",
    "{} finds subject, style and settings where it looks for them, so less is left to chance.",
    "When the prompt goes straight into {}.",
];

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
