//! Changing a prompt as feedback asks.

mod apply;
mod asks;
mod items;
mod picture;
mod place;

use self::apply::Refining;
use self::asks::Ask;
use super::optimize::{self, list_variables};
use super::wording::{Tongue, Voice};
use crate::changes;
use crate::{
    Change, EngineError, FeedbackItem, FeedbackStatus, Integrity, ModelKind, RefineBrief,
    Refinement, integrity, tokens,
};

/// Changes a prompt as feedback asks: each point of the feedback is carried out if rules can do it, and
/// reported with the reason if not. All that the feedback does not name stays as it is.
///
/// # Errors
///
/// [`EngineError::Rejected`] if the prompt or the feedback has no visible text.
pub fn refine(brief: &RefineBrief) -> Result<Refinement, EngineError> {
    let visible = |text: &str| text.chars().any(|c| !c.is_whitespace() && !c.is_control());
    for (text, name) in [(&brief.prompt, "prompt"), (&brief.feedback, "feedback")] {
        if !visible(text) {
            return Err(EngineError::Rejected {
                reason: format!("the {name} has no visible text"),
            });
        }
    }
    let voice = Voice::of(&brief.language);
    let points = items::split(&brief.feedback);
    let visual = matches!(brief.target_model.model().kind, ModelKind::Image | ModelKind::Video)
        || brief.prompt.chars().count() <= optimize::LONGEST_DESCRIPTION
            && super::convert::visual_kind(&brief.prompt).is_some();
    let outcome = if visual {
        picture::refine(brief, &points, &voice)
    } else {
        [Extent::Everything, Extent::Additions]
            .into_iter()
            .map(|extent| text(brief, &points, &voice, extent))
            .find(|outcome| outcome.integrity.passed)
            .unwrap_or_else(|| untouched(brief, &points, &voice))
    };
    let done =
        outcome.items.iter().filter(|item| item.status != FeedbackStatus::NotApplied).count();
    let reasoning = voice.say(
        "The feedback was read as a list of points ({}); of these, {2} changed the prompt, and everything that they do not name stays as it was.",
        &[&outcome.items.len().to_string(), &done.to_string()],
    );
    Ok(Refinement {
        feedback_items: outcome.items,
        changes: outcome.changes,
        reasoning,
        integrity: outcome.integrity,
        variables: list_variables(&outcome.prompt),
        token_estimate: tokens::estimate(&outcome.prompt, brief.target_model),
        prompt: outcome.prompt,
        language: voice.tag().to_owned(),
        engine: super::identity(),
    })
}

/// What came of a feedback.
struct Outcome {
    prompt: String,
    items: Vec<FeedbackItem>,
    changes: Vec<Change>,
    integrity: Integrity,
}

/// How far changes go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// Words of the prompt may be changed.
    Everything,
    /// Requirements are added only.
    Additions,
}

fn text(brief: &RefineBrief, points: &[items::Point], voice: &Voice, extent: Extent) -> Outcome {
    let tongue = Tongue::of(&brief.prompt);
    let mut work = Refining::new(&brief.prompt, tongue, voice, extent);
    let mut statuses: Vec<FeedbackItem> = Vec::new();
    let mut target = None;
    for point in points {
        let ask = asks::read(point, &brief.prompt);
        let (status, reason) = match ask {
            Ask::Target(model) => {
                target = Some((statuses.len(), model));
                (FeedbackStatus::NotApplied, String::new())
            }
            ask => work.carry_out(ask, point),
        };
        statuses.push(FeedbackItem { text: point.text.clone(), status, reason });
    }
    work.add_lines(&mut statuses);
    let waived = format!("{}\n{}", brief.feedback, work.removed());
    let (mut prompt, mut changes) = work.finish();
    if let Some((at, model)) = target {
        let laid = asks::laid_out(&prompt, model);
        statuses[at].status =
            if laid.is_some() { FeedbackStatus::Applied } else { FeedbackStatus::NotApplied };
        statuses[at].reason = match &laid {
            Some(_) => voice.say("The prompt is laid out for {} now.", &[model.as_str()]),
            None => voice.say("The prompt has no parts that would have to be laid out anew.", &[]),
        };
        if let Some(laid) = laid {
            changes = changes::between(&brief.prompt, &laid, &statuses[at].reason);
            prompt = laid;
        }
    }
    Outcome {
        integrity: integrity::check(&brief.prompt, &prompt, &waived),
        prompt,
        items: statuses,
        changes,
    }
}

/// The prompt as it was, where every change would lose something.
fn untouched(brief: &RefineBrief, points: &[items::Point], voice: &Voice) -> Outcome {
    let reason = voice.say("It would have lost something that the feedback does not name.", &[]);
    Outcome {
        prompt: brief.prompt.clone(),
        items: points
            .iter()
            .map(|point| FeedbackItem {
                text: point.text.clone(),
                status: FeedbackStatus::NotApplied,
                reason: reason.clone(),
            })
            .collect(),
        changes: Vec::new(),
        integrity: integrity::check(&brief.prompt, &brief.prompt, ""),
    }
}

/// The places of a prompt that can be corrected without knowing its matter.
fn corrections<'a>(prompt: &'a str, tongue: Tongue, voice: &Voice) -> changes::Edits<'a> {
    optimize::correct(prompt, tongue, voice)
}
