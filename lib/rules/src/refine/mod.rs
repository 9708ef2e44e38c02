//! Changing a prompt as feedback asks.
//!
//! Feedback is split once into [`wishes`]; each is read once, as an [`op`] by the table of [`intents`] or a reason why it
//! is none; each operation makes edits over spans of the prompt, as [`work`] on it. What came of it is said for each wish.

mod apply;
mod asked;
mod conflicts;
mod courtesy;
mod enumeration;
mod exchange;
mod intents;
mod layout;
mod lengths;
pub mod op;
mod picture;
mod place;
mod remove;
mod replace;
mod section;
mod sentences;
mod set;
mod settings;
mod size;
mod speech;
mod state;
mod steering;
mod target;
mod value;
mod variable;
mod visual;
mod wishes;
mod work;

use self::op::{Op, Refusal};
use self::picture::Picture;
use self::wishes::Wish;
use self::work::{Outcome, Work};
use super::optimize::list_variables;
use super::wording::Voice;
use engine::{
    Change, EngineError, EngineIdentity, FeedbackItem, FeedbackStatus, Integrity, RefineBrief,
    Refinement, TargetModel, changes,
    integrity::{self, Asked},
    tokens,
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
    for (text, name) in [(&brief.prompt, "prompt"), (&brief.feedback, "feedback")] {
        if !text::is_visible(text) {
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
        beside: brief.beside.clone(),
        language: brief.language.clone(),
        engine: EngineIdentity::rules(),
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
    /// What the wishes ask for; nothing if the prompt is as it was.
    pub ops: Vec<Op>,
    /// Whether criteria were added.
    pub adds_criteria: bool,
    integrity: Integrity,
}

/// Changes a prompt as feedback asks; feedback without text changes nothing.
pub fn change(brief: &RefineBrief, further: &Further) -> Refined {
    let voice = Voice::of(&brief.language);
    let wishes = wishes::split(&brief.feedback, &brief.prompt);
    let picture = Picture::of(&brief.prompt, brief.target_model);
    let mut read: Vec<Result<Op, Refusal>> =
        wishes.iter().map(|wish| intents::read(wish, &brief.prompt, picture.as_ref())).collect();
    for at in 1..read.len() {
        if read[at - 1] == Err(Refusal::Steering) && steering::goes_on(&wishes[at].text) {
            read[at] = Err(Refusal::Steering);
        }
    }
    let attempt = |rewords| attempt(brief, &wishes, &read, &voice, rewords, further);
    [true, false]
        .into_iter()
        .map(attempt)
        .find(|outcome| outcome.integrity.passed)
        .unwrap_or_else(|| untouched(brief, &wishes, &voice))
}

fn attempt(
    brief: &RefineBrief,
    wishes: &[Wish],
    read: &[Result<Op, Refusal>],
    voice: &Voice,
    rewords: bool,
    further: &Further,
) -> Refined {
    let mut work = Work::new(&brief.prompt, &brief.feedback, voice, rewords);
    let mut picture = Picture::of(&brief.prompt, brief.target_model);
    let mut laid_out: Option<Option<TargetModel>> = None;
    let ops: Vec<Option<Op>> = read.iter().map(|read| read.clone().ok()).collect();
    let overruled = conflicts::overruled(&ops);
    let (joined, first_tone) = conflicts::join_tones(&ops, &overruled);
    let mut told: Vec<Outcome> = Vec::new();
    for (at, wish) in wishes.iter().enumerate() {
        // What is said twice is done once, and tones that go together are one.
        let same = wishes[..at].iter().position(|known| known.text == wish.text);
        let is_tone = matches!(ops[at], Some(Op::Tone(_))) && overruled[at].is_none();
        let part = first_tone.filter(|first| is_tone && *first < at);
        let outcome = match (same.or(part), overruled[at], &read[at]) {
            (Some(first), ..) => told[first].clone(),
            (_, Some(later), _) => work.refused(
                "A later point asks for something else, which was done instead: \"{}\".",
                &[&state::brief(&wishes[later].shown)],
            ),
            (.., Err(refusal)) => work.refused(refusal.reason(), &[]),
            (.., Ok(Op::LayOut(target))) => {
                // "Use headings" names no model, so one that is named before stays.
                laid_out = Some(target.or(laid_out.flatten()));
                work.refused("", &[])
            }
            (.., Ok(op)) => {
                let op = if is_tone { Op::Tone(joined.clone()) } else { op.clone() };
                match &mut picture {
                    Some(picture) => picture.apply(&mut work, op, &wish.text),
                    None => apply::apply(&mut work, op, &wish.text),
                }
            }
        };
        told.push(outcome);
    }
    let excluded = picture.as_ref().map(|picture| picture.excluded.clone()).unwrap_or_default();
    if let Some(picture) = picture {
        picture.finish(&mut work);
    }
    let ops: Vec<Op> = ops.into_iter().flatten().collect();
    let mut adds_criteria = false;
    for line in further.criteria.iter().filter(|_| ops.contains(&Op::Improve)) {
        adds_criteria |= work.add_line(line, "");
    }
    let names_language = ops.iter().any(|op| matches!(op, Op::Language { .. }));
    if let Some(tag) = further.language.as_deref().filter(|_| !names_language) {
        set::language(&mut work, tag, false);
    }
    let (mut prompt, mut list, gone) = work.finish();
    if let Some(target) = laid_out {
        let target = target.unwrap_or(brief.target_model);
        let (outcome, laid) = layout::lay_out(brief, &prompt, target, voice);
        if let Some(laid) = laid {
            list = changes::between(&brief.prompt, &laid, &outcome.1);
            prompt = laid;
        }
        for (told, read) in told.iter_mut().zip(read) {
            if matches!(read, Ok(Op::LayOut(_))) && told.1.is_empty() {
                told.clone_from(&outcome);
            }
        }
    }
    let asked = Asked::by(&brief.feedback, &brief.language).trusting().taking(&gone);
    let mut integrity = integrity::check(&brief.prompt, &prompt, "", &asked);
    if !integrity.passed && loses_nothing(&integrity) && keeps_words(&brief.prompt, &list) {
        // Requirements in the feedback's language may outweigh a short prompt, but translate nothing.
        integrity.language_out.clone_from(&integrity.language_in);
        integrity.passed = true;
    }
    Refined {
        integrity,
        items: wishes.iter().zip(told).map(|(wish, told)| item(wish, told)).collect(),
        changes: list,
        replaced: replaced(&ops, &brief.prompt, &prompt),
        excluded,
        ops,
        adds_criteria,
        prompt,
    }
}

fn item(wish: &Wish, (status, reason): Outcome) -> FeedbackItem {
    FeedbackItem { text: wish.shown.clone(), status, reason }
}

/// Words that were exchanged everywhere, and what stands there now.
fn replaced(ops: &[Op], old: &str, new: &str) -> Vec<(String, String)> {
    let (before, after) = (old.to_lowercase(), new.to_lowercase());
    let gone = |words: &str| {
        let words = words.to_lowercase();
        before.contains(&words) && !after.contains(&words)
    };
    let pairs = ops.iter().filter_map(|op| match op {
        Op::Replace(exchange) => Some((replace::bare(&exchange.old), &exchange.new)),
        Op::Value { noun, value } => Some((replace::bare(noun), value)),
        _ => None,
    });
    let gone = pairs.filter(|(words, _)| gone(words));
    gone.map(|(old, new)| (old.to_owned(), new.clone())).collect()
}

/// Whether the language alone is in question.
fn loses_nothing(integrity: &Integrity) -> bool {
    let constraints = &integrity.constraints;
    integrity.variables.lost.is_empty()
        && integrity.code_blocks.lost == 0
        && integrity.numbers_lost.is_empty()
        && integrity.quoted_literals_lost.is_empty()
        && integrity.urls_lost.is_empty()
        && constraints.loosened.iter().chain(&constraints.lost).all(|one| one.requested)
}

/// Whether most of a prompt stands unchanged.
fn keeps_words(prompt: &str, list: &[Change]) -> bool {
    let gone: usize = list.iter().map(|change| change.end - change.start).sum();
    gone * 2 <= prompt.chars().count()
}

/// The prompt as it was, where every change would lose something.
fn untouched(brief: &RefineBrief, wishes: &[Wish], voice: &Voice) -> Refined {
    let reason = voice.say("It would have lost something that the feedback does not name.", &[]);
    let told = || (FeedbackStatus::NotApplied, reason.clone());
    Refined {
        prompt: brief.prompt.clone(),
        items: wishes.iter().map(|wish| item(wish, told())).collect(),
        changes: Vec::new(),
        replaced: Vec::new(),
        excluded: Vec::new(),
        ops: Vec::new(),
        adds_criteria: false,
        integrity: integrity::check(&brief.prompt, &brief.prompt, "", &Asked::by("", "")),
    }
}
