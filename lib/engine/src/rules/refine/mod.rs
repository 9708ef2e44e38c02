//! Changing a prompt as feedback asks.
//!
//! Feedback is split into [`points`], each is read as one of the [`asks`] that rules can tell apart, and carried
//! out on the prompt as [`work`] of single edits. What rules cannot do is said for each point.

mod apply;
pub mod asks;
mod conflicts;
mod earlier;
mod enumeration;
mod figures;
pub mod instead;
mod picture;
mod place;
pub mod points;
mod removal;
pub mod scene;
mod sentences;
mod settings;
mod steering;
mod target;
pub mod values;
mod variable;
mod work;

use std::collections::HashMap;

use self::asks::Ask;
use self::points::Point;
use self::work::Work;
use super::optimize::{self, list_variables};
use super::wording::Voice;
use crate::{
    Change, EngineError, FeedbackItem, FeedbackStatus, Integrity, ModelKind, PromptBrief,
    RefineBrief, Refinement, TargetModel, VersionLabel, changes, integrity, tokens,
};

/// Changes a prompt as feedback asks: each point of the feedback is carried out if rules can do it, and
/// reported with the reason if not. What the feedback does not name stays as it is.
///
/// Linear in the length of the prompt and of the feedback, of which only so many points are worked on.
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
    let outcome = change(brief, &Further::default());
    let changed = outcome
        .items
        .iter()
        .filter(|item| item.status == FeedbackStatus::Applied)
        .count()
        .to_string();
    let reasoning = voice.say(
        "Points in the feedback: {}; met in the prompt now: {2}. What it does not name stays as it was.",
        &[&outcome.items.len().to_string(), &changed],
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

/// What a prompt is to have besides what feedback asks for.
#[derive(Default)]
pub struct Further {
    /// Requirements, where the feedback asks for a better prompt without saying how.
    pub criteria: Vec<String>,
    /// Tag of the language that answers are to be in, unless the feedback names one.
    pub language: Option<String>,
}

/// What came of a feedback.
pub struct Refined {
    /// The prompt.
    pub prompt: String,
    /// What became of each point.
    pub items: Vec<FeedbackItem>,
    /// Edits that lead from the old prompt to the new one.
    pub changes: Vec<Change>,
    /// Words that the prompt had and has no longer, and what stands there now.
    pub replaced: Vec<(String, String)>,
    /// What a picture or clip is not to show any more.
    pub excluded: Vec<String>,
    /// What each point asks for; nothing if the prompt is as it was.
    pub asks: Vec<Ask>,
    /// Whether criteria were added.
    pub adds_criteria: bool,
    integrity: Integrity,
}

/// Changes a prompt as feedback asks; feedback without text changes nothing.
pub fn change(brief: &RefineBrief, further: &Further) -> Refined {
    let voice = Voice::of(&brief.language);
    let points = points::split(&brief.feedback, &brief.prompt);
    let visual = matches!(brief.target_model.model().kind, ModelKind::Image | ModelKind::Video)
        || super::convert::visual_kind(&brief.prompt).is_some();
    [true, false]
        .into_iter()
        .map(|rewords| attempt(brief, &points, &voice, rewords, visual, further))
        .find(|outcome| outcome.integrity.passed)
        .unwrap_or_else(|| untouched(brief, &points, &voice))
}

fn attempt(
    brief: &RefineBrief,
    points: &[Point],
    voice: &Voice,
    rewords: bool,
    visual: bool,
    further: &Further,
) -> Refined {
    let mut work = Work::new(&brief.prompt, &brief.feedback, voice, rewords);
    let mut items: Vec<FeedbackItem> = Vec::new();
    let mut layout = None;
    let mut picture = visual.then(|| picture::Picture::of(&brief.prompt, brief.target_model));
    let mut known: HashMap<&str, usize> = HashMap::new();
    let mut asks: Vec<Ask> = points.iter().map(|point| asks::read(point, &brief.prompt)).collect();
    for at in 1..asks.len() {
        if asks[at - 1] == Ask::Steering && steering::goes_on(&points[at].text) {
            asks[at] = Ask::Steering;
        }
    }
    let asked = asks.clone();
    let replaced = asks.iter().filter_map(|ask| match ask {
        Ask::Replace { old, new, .. } | Ask::Value { noun: old, value: new } => {
            Some((instead::bare(old).to_owned(), new.clone()))
        }
        _ => None,
    });
    let mut replaced: Vec<(String, String)> = replaced.collect();
    let overruled = conflicts::overruled(&asks, |one, other| {
        picture.as_ref().is_some_and(|picture| {
            !matches!(asks[one], Ask::Steering)
                && picture.clashes(&points[one].text, &points[other].text)
        })
    });
    let part_of = match picture {
        Some(_) => vec![None; asks.len()],
        None => conflicts::join_tones(&mut asks, &overruled),
    };
    for ((at, point), ask) in points.iter().enumerate().zip(asks) {
        // What is said twice is done once.
        let same = known.get(point.text.as_str()).copied().or(part_of[at]);
        if let Some(first) = same {
            let FeedbackItem { status, reason, .. } = items[first].clone();
            items.push(FeedbackItem { text: point.shown.clone(), status, reason });
            continue;
        }
        if let Some(later) = overruled[at] {
            let (status, reason) = work.refused(
                "A later point asks for something else, which was done instead: \"{}\".",
                &[&apply::brief(&points[later].shown)],
            );
            items.push(FeedbackItem { text: point.shown.clone(), status, reason });
            continue;
        }
        known.insert(&point.text, items.len());
        let (status, reason) = match (ask, &mut picture) {
            (Ask::Target(target), _) => {
                let own = brief.target_model;
                let alike = target.model().family == own.model().family;
                layout = Some((items.len(), if alike { own } else { target }));
                (FeedbackStatus::NotApplied, String::new())
            }
            (Ask::Structure, None) => {
                layout = Some((items.len(), brief.target_model));
                (FeedbackStatus::NotApplied, String::new())
            }
            (ask, Some(picture)) => picture.carry_out(&mut work, ask, point),
            (ask, None) => apply::carry_out(&mut work, ask, point),
        };
        items.push(FeedbackItem { text: point.shown.clone(), status, reason });
    }
    let excluded = picture.as_ref().map(|picture| picture.excluded.clone()).unwrap_or_default();
    if let Some(picture) = picture {
        picture.finish(&mut work);
    }
    let mut adds_criteria = false;
    for line in further.criteria.iter().filter(|_| asked.contains(&Ask::Improve)) {
        adds_criteria |= work.add_line(line, "");
    }
    let names_language = asked.iter().any(|ask| matches!(ask, Ask::Language(..)));
    if let Some(tag) = further.language.as_deref().filter(|_| !names_language) {
        values::set_language(&mut work, tag, false);
    }
    let (mut prompt, mut list, gone) = work.finish();
    if let Some((at, target)) = layout {
        let (status, reason, laid) = lay_out(brief, &prompt, target, voice);
        if let Some(laid) = laid {
            list = changes::between(&brief.prompt, &laid, &reason);
            prompt = laid;
        }
        (items[at].status, items[at].reason) = (status, reason);
    }
    let (before, after) = (brief.prompt.to_lowercase(), prompt.to_lowercase());
    replaced.retain(|(old, _)| {
        let old = old.to_lowercase();
        before.contains(&old) && !after.contains(&old)
    });
    let waived = format!("{}\n{gone}", brief.feedback);
    let mut integrity = integrity::check(&brief.prompt, &prompt, &waived);
    if !integrity.passed && loses_nothing(&integrity) && keeps_words(&brief.prompt, &list) {
        // Requirements in the feedback's language may outweigh a short prompt, but translate nothing.
        integrity.language_out.clone_from(&integrity.language_in);
        integrity.passed = true;
    }
    if integrity.passed {
        integrity.variables.lost = gone_variables(&brief.prompt, &prompt);
    }
    Refined {
        integrity,
        prompt,
        items,
        changes: list,
        replaced,
        excluded,
        asks: asked,
        adds_criteria,
    }
}

/// The variables that the prompt has no longer, which was asked for.
fn gone_variables(old: &str, new: &str) -> Vec<String> {
    integrity::check(old, new, "").variables.lost
}

/// Whether the language alone is in question.
fn loses_nothing(integrity: &Integrity) -> bool {
    integrity.variables.lost.is_empty()
        && integrity.code_blocks.lost == 0
        && integrity.numbers_lost.is_empty()
        && integrity.quoted_literals_lost.is_empty()
        && integrity.urls_lost.is_empty()
        && integrity.constraints.lost.is_empty()
}

/// Whether most of a prompt stands unchanged.
fn keeps_words(prompt: &str, list: &[Change]) -> bool {
    let gone: usize = list.iter().map(|change| change.end - change.start).sum();
    gone * 2 <= prompt.chars().count()
}

/// Lays the prompt out as a model reads best.
fn lay_out(
    brief: &RefineBrief,
    prompt: &str,
    target: TargetModel,
    voice: &Voice,
) -> (FeedbackStatus, String, Option<String>) {
    let request = PromptBrief {
        prompt: prompt.to_owned(),
        context: String::new(),
        language: brief.language.clone(),
        target_model: target,
        variations: 1,
        images: Vec::new(),
    };
    let laid = optimize::optimize(&request)
        .ok()
        .and_then(|result| result.versions.into_iter().next())
        .filter(|version| version.label == VersionLabel::Restructured && version.prompt != prompt);
    match laid {
        Some(version) => {
            let reason = voice.say("The prompt is laid out for {} now.", &[target.as_str()]);
            (FeedbackStatus::Applied, reason, Some(version.prompt))
        }
        None => {
            let reason = voice
                .say("Nothing in the prompt has to be laid out anew for {}.", &[target.as_str()]);
            (FeedbackStatus::NotApplied, reason, None)
        }
    }
}

/// The prompt as it was, where every change would lose something.
fn untouched(brief: &RefineBrief, points: &[Point], voice: &Voice) -> Refined {
    let reason = voice.say("It would have lost something that the feedback does not name.", &[]);
    Refined {
        prompt: brief.prompt.clone(),
        items: points
            .iter()
            .map(|point| FeedbackItem {
                text: point.shown.clone(),
                status: FeedbackStatus::NotApplied,
                reason: reason.clone(),
            })
            .collect(),
        changes: Vec::new(),
        replaced: Vec::new(),
        excluded: Vec::new(),
        asks: Vec::new(),
        adds_criteria: false,
        integrity: integrity::check(&brief.prompt, &brief.prompt, ""),
    }
}
