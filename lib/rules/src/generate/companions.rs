//! What a result says beside its prompt: questions, techniques and advice on its use.

use super::reusable::Templates;
use crate::agent;
use crate::dialect::{Part, Piece};
use crate::draft::technique;
use crate::goal::Goal;
use crate::messages;
use crate::title;
use engine::{GenerateBrief, Technique};
use patterns::pattern;

/// Words of a goal that has told most of what could be asked.
const WORDY: usize = 45;

/// Questions about slots that are empty, at most three.
pub fn questions(goal: &Goal, brief: &GenerateBrief) -> Vec<String> {
    let asked: String = brief
        .conversation
        .iter()
        .map(|turn| turn.content.as_str())
        .collect::<Vec<_>>()
        .join("\n")
        .to_lowercase();
    if goal.is_open() {
        return [
            "What should the result be: a text, a plan, an explanation, code or a picture?",
            "What is it about, and who is it for?",
            "Is there anything that it must or must not contain?",
        ]
        .map(str::to_owned)
        .to_vec();
    }
    let wordy = goal.words > WORDY;
    let ask = messages::questions(&brief.language, &goal.task.id)
        .or_else(|| messages::questions(&brief.language, &goal.task.family))
        .unwrap_or(&goal.task.ask);
    ask.iter()
        .filter(|(slot, question)| {
            let answered = match slot.as_str() {
                "material" => !goal.material.is_empty() || goal.has_inline_material(),
                "audience" | "length" | "tone" | "duration" | "period" | "budget" | "platform"
                | "stack" | "format" | "level" | "deadline" => goal.slots.get(slot).is_some(),
                "tools" => !agent::tools(&goal.text).is_empty(),
                "citation" => pattern!(r"(?i)\b(?:apa|mla|chicago|harvard|ieee|vancouver)\b")
                    .is_match(&goal.text),
                "region" => {
                    pattern!(r"\b{text.in} (?:{text.the} )?[A-Z][a-z]+").is_match(&goal.text)
                }
                "purpose" => wordy || pattern!(r"(?i)\b{text.purpose}\b").is_match(&goal.text),
                _ => wordy,
            };
            let answered = answered || goal.has_marker(slot);
            !answered && !asked.contains(&question.to_lowercase())
        })
        .map(|(_, question)| question.clone())
        .take(if wordy { 2 } else { 3 })
        .collect()
}

/// The techniques that a prompt uses, and why.
pub fn techniques(
    goal: &Goal,
    pieces: &[Piece],
    brief: &GenerateBrief,
    requirements: &[String],
) -> Vec<Technique> {
    let has = |part: Part| pieces.iter().any(|piece| piece.part == part);
    let label = &goal.task.label;
    let mut list = vec![technique(
        "role",
        "Role",
        format!(
            "Sets the standard of someone who produces this kind of result ({label}) for a living."
        ),
    )];
    if let Some(first) = requirements.first() {
        list.push(technique(
            "explicit_constraints",
            "Explicit constraints",
            format!(
                "Lists {} as points that can be checked, beginning with \"{}\".",
                plural(requirements.len(), "requirement"),
                title::shorten(first)
            ),
        ));
    }
    if has(Part::Context) {
        list.push(technique("context", "Context apart from the task", "Keeps the circumstances that you described apart from what is to be done, so that neither is mistaken for the other."));
    }
    if has(Part::Material) {
        list.push(technique(
            "delimiters",
            "Delimited material",
            "Marks supplied content off, so that sentences in it are not taken for instructions.",
        ));
    } else if brief.target_model.model().family == "claude" {
        list.push(technique(
            "xml_tags",
            "XML tags",
            "Tags separate the parts in the way that the model's vendor advises.",
        ));
    }
    list.push(technique("quality_criteria", "Expert criteria", format!("Says what makes a good result of this kind ({label}), so that the model does not fall back on a generic one.")));
    list.push(technique(
        "output_format",
        "Output format",
        "Fixes the parts of the answer and their order, so that it can be used without rework.",
    ));
    if has(Part::Check) {
        list.push(technique(
            "self_check",
            "Final check",
            format!(
                "Makes the model verify {} before it answers.",
                plural(goal.task.checks.len(), "typical weak point")
            ),
        ));
    }
    if has(Part::Escalation) {
        list.push(technique(
            "boundaries",
            "Boundaries and stop conditions",
            "States what the assistant may use, when it hands over and when it is finished.",
        ));
    }
    list
}

fn plural(number: usize, noun: &str) -> String {
    if number == 1 { format!("one {noun}") } else { format!("{number} {noun}s") }
}

/// How to use a prompt.
pub fn usage(
    goal: &Goal,
    brief: &GenerateBrief,
    as_system: bool,
    templates: &Templates,
    assumed: bool,
) -> Vec<String> {
    let model = match brief.target_model.as_str() {
        "Universal" => "the model of your choice",
        name => name,
    };
    let mut list = Vec::new();
    if !templates.variables.is_empty() {
        list.push(format!(
            "Replace the variables ({}) or render the prompt with their default values.",
            templates
                .variables
                .iter()
                .map(|(name, ..)| name.as_str())
                .collect::<Vec<_>>()
                .join(", ")
        ));
    }
    if as_system {
        list.push(format!("Put the text into the system field of {model}; where there is none, send it as the first message."));
        list.push("Add the facts that it should know (prices, policies, opening hours) under a heading of their own.".to_owned());
        list.push("Try it with one normal, one off-topic and one hostile message before it meets real people.".to_owned());
    } else {
        list.push(format!("Paste the whole prompt as one message into {model}."));
        if goal.lacks_material() && templates.material.is_none() {
            list.push(
                "Put the content to work on below the prompt, between lines of three backticks."
                    .to_owned(),
            );
        }
        list.push(follow_up(&goal.task.family).to_owned());
    }
    if assumed && list.len() < 4 {
        list.push(
            "Read the assumptions and change the lines that do not fit before sending.".to_owned(),
        );
    }
    list
}

fn follow_up(family: &str) -> &'static str {
    match family {
        "code" | "automation" => {
            "Run the result; if it fails, send the exact error message back in the same conversation."
        }
        "data" => "Recompute one figure by hand before you rely on the rest.",
        "research" => "Open two of the sources named and check that they say what is claimed.",
        "planning" => {
            "Check dates and sums, then ask for a revision with what cannot work for you."
        }
        "creative" => {
            "Ask for a second version of the passage that you like least instead of a new text."
        }
        "transform" => "Compare names and figures with the source before you use the result.",
        "teaching" => {
            "Answer the closing question yourself; if that is hard, ask for another example."
        }
        "career" => "Replace every gap note with a fact of your own before sending.",
        "marketing" => "Strike every claim that you cannot prove before publishing.",
        _ => "Read the result once aloud and ask for changes in the same conversation.",
    }
}
