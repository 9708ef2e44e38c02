//! What an optimization says about itself.

use crate::wording::Voice;
use engine::{Change, Finding, OptimizedVersion, PromptBrief, Severity, TargetModel, VersionLabel};

/// Reason of the edits that move settings to where a model wants them.
pub const SETTLED: &str = "Moves settings and exclusions to where {} wants them.";
/// Reason of the edits that leave out what is not to be seen.
pub const SEEN: &str =
    "{} reads settings as such, and nothing but what is to be seen as description.";
/// Reason of the edits of a new layout.
pub const LAID_OUT: &str = "Tags keep the parts apart, as the model's vendor advises.";
/// So many open points are named.
const MOST_OPEN: usize = 3;

/// The technique of a version that was corrected in place: its id, its name, and why it helps.
pub const MINIMAL: Says = [
    "minimal_change",
    "Minimal change",
    "Keeps wording and order, so that what worked goes on working.",
];
/// The technique of a new layout.
pub const TAGS: Says = ["xml_tags", "XML tags", LAID_OUT];
/// The technique of a picture whose settings stand apart from its description.
pub const SETTINGS: Says = ["settings_apart", "Settings apart from the description", SETTLED];

/// What is said about a technique, or about a version: why it is as it is, what it should change, when to prefer it.
pub type Says = [&'static str; 3];

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
const NOTHING_FOUND: Says = [
    "Nothing was changed: no rule found anything that can be corrected surely.",
    "None: the prompt stays as it was.",
    "As it is; whether its wording could be better was not judged.",
];
const LAID_OUT_PARTS: Says = [
    "The same words in the same order; tags take the place of headings, as {} reads them.",
    "Instructions, facts and material can no longer be mistaken for each other.",
    "When the prompt is used again and again, extended, or read by others.",
];
const RECOMPOSED: Says = [
    "The words that describe it are unchanged; what only asks for it is left out, and settings and exclusions stand where {} reads them.",
    SEEN,
    "When the prompt goes straight into {}.",
];

/// Why a version is as it is, what it should change, and when to prefer it, with what is `left` to find in it.
pub fn summary(
    label: VersionLabel,
    is_picture: bool,
    changes: &[Change],
    left: &[Finding],
    target: TargetModel,
    voice: &Voice,
) -> [String; 3] {
    let mut open: Vec<&Finding> =
        left.iter().filter(|finding| finding.severity >= Severity::Medium).collect();
    open.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let says = match label {
        VersionLabel::Restructured if is_picture => RECOMPOSED,
        VersionLabel::Restructured => LAID_OUT_PARTS,
        VersionLabel::Conservative if !changes.is_empty() => MENDED,
        VersionLabel::Conservative if !open.is_empty() => LEFT_OPEN,
        VersionLabel::Conservative => NOTHING_FOUND,
    };
    let count = changes.len().to_string();
    let value = if label == VersionLabel::Conservative { &count } else { target.as_str() };
    let [mut rationale, impact, best_for] = says.map(|text| voice.say(text, &[value]));
    if !is_picture && !open.is_empty() {
        let messages: Vec<&str> =
            open.iter().take(MOST_OPEN).map(|finding| finding.message.as_str()).collect();
        rationale.push(' ');
        rationale.push_str(&voice.say("Still open: {}", &[&messages.join(" ")]));
    }
    [rationale, impact, best_for]
}

/// How to put the versions to use.
pub fn advice(versions: &[OptimizedVersion], brief: &PromptBrief, voice: &Voice) -> Vec<String> {
    let mut list = Vec::new();
    if versions.len() < usize::from(brief.variations) {
        list.push(voice.name("There is one version only: a second one could differ only in what rules would have to guess."));
    }
    if !brief.context.trim().is_empty() {
        list.push(voice.name(
            "The context is not part of the prompt: add to the prompt what the model must know.",
        ));
    }
    let Some(last) = versions.last() else { return list };
    let names = last.variables.iter().take(8).map(|variable| format!("{{{{{}}}}}", variable.name));
    let names: Vec<String> = names.collect();
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
    list
}
