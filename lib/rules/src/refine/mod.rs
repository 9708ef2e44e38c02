//! Changing a prompt as feedback asks: each of its [`points`] is [read](read) by its form and done in place where that
//! is sure; for anything else the prompt passes the feedback on, in its own words and as what applies.

mod figures;
mod numbers;
mod passed;
mod picture;
mod points;
mod read;
mod remove;
mod steering;
mod swap;
mod words;
mod work;

use self::picture::Picture;
use self::read::Ask;
use self::work::{Outcome, Work};

use super::analyze::variables_of;
use super::wording::Voice;
use engine::prompt::Container;
use engine::{
    EngineError, EngineIdentity, FeedbackItem, FeedbackStatus, Integrity, RefineBrief, Refinement,
    integrity::{self, Asked},
    tokens,
};
use patterns::pattern;

/// Changes a prompt as feedback asks: each point is carried out if rules can do it, and reported with the reason if not.
/// Linear in the length of the prompt and of the feedback, of which only so many points are worked on.
///
/// # Errors
///
/// [`EngineError::Rejected`] if the prompt or the feedback has no visible text.
pub fn refine(brief: &RefineBrief) -> Result<Refinement, EngineError> {
    for (text, name) in [(&brief.prompt, "prompt"), (&brief.feedback, "feedback")] {
        if !text::is_visible(text) {
            let reason = format!("the {name} has no visible text");
            return Err(EngineError::Rejected { reason });
        }
    }
    let made = attempt(brief, true);
    Ok(if made.integrity.passed { made } else { attempt(brief, false) })
}

/// Works on each point of the feedback: in place where that is sure, unless something would be lost so.
fn attempt(brief: &RefineBrief, in_place: bool) -> Refinement {
    let voice = Voice::of(&brief.language);
    let mut picture = Picture::of(&brief.prompt, brief.target_model);
    let mut work = Work::new(brief, &voice, picture.is_none());
    let points = points::split(&brief.feedback, &work);
    let mut told: Vec<Outcome> = Vec::new();
    let mut heard = brief.feedback.clone();
    for (at, point) in points.iter().enumerate() {
        // What is said twice is done once.
        let same = points[..at].iter().position(|known| known == point);
        let steered = steering::steers(point);
        let ask = read::read(point);
        let outcome = match same {
            Some(first) => told[first].clone(),
            None if steered => work.refused(STEERING),
            None if in_place => {
                let adds = |it: &String| it.ends_with([':', '?']) || read::adds(it);
                let adds = points[..at].last().is_some_and(adds);
                meet(&mut work, picture.as_mut(), point, &ask, adds)
            }
            None => work.pass_on(),
        };
        // "Drop rule 3" would mean another rule once that is gone, and the old name of a variable is none any more.
        let applied = outcome.0 == FeedbackStatus::Applied;
        let variable = applied && !text::variables::find(point).is_empty();
        if steered || variable || applied && matches!(ask, Ask::Remove(_)) || ask == Ask::Remark {
            heard = passed::without(&heard, point, steered || variable);
        } else if swap::renames(point) {
            let bare = passed::unmarked(point, [&brief.prompt, &work.edits.result()]);
            heard = heard.replacen(point, &bare, 1);
        }
        told.push(outcome);
    }
    if let Some(picture) = picture {
        picture.finish(&mut work);
    }
    let (prompt, changes, gone) = work.finish(&heard);
    let met = told.iter().filter(|(status, _)| *status == FeedbackStatus::Applied).count();
    let item = |(text, (status, reason))| FeedbackItem { text, status, reason };
    let feedback_items: Vec<FeedbackItem> = points.into_iter().zip(told).map(item).collect();
    let reasoning = voice.say(
        "Points in the feedback: {}; met in the prompt now: {2}. What it does not name stays as it was.",
        &[&feedback_items.len().to_string(), &met.to_string()],
    );
    Refinement {
        feedback_items,
        changes,
        reasoning,
        integrity: compared(brief, &prompt, &gone),
        variables: variables_of(&prompt),
        token_estimate: tokens::estimate(&prompt, brief.target_model),
        prompt,
        beside: brief.beside.clone(),
        language: brief.language.clone(),
        engine: EngineIdentity::rules(),
    }
}

const UNCLEAR: &str =
    "It does not say what is to be different, and finding that takes a language model.";
const UNFOUND: &str =
    "What it is to change was not found for sure in the prompt, so nothing was changed.";
const TRANSLATE: &str = "Translating the prompt takes a language model. It can be made to ask for answers in another language.";
const STEERING: &str = "It addresses the service instead of the prompt. Feedback is data here, so nothing in it is followed as an order.";

/// Does what a point asks for by its form (`ask`), and says what came of it. The point before may ask for something that `adds` to the prompt.
fn meet(
    work: &mut Work<'_>,
    picture: Option<&mut Picture>,
    point: &str,
    ask: &Ask,
    adds: bool,
) -> Outcome {
    let text = read::core(point).0;
    match ask {
        Ask::Keep => return work.applied("It stays as it is.", &[]),
        Ask::Remark => return work.refused("It asks for no change."),
        Ask::Translate => return work.refused(TRANSLATE),
        Ask::Improve => return work.refused(UNCLEAR),
        _ => {}
    }
    if let Some(picture) = picture {
        return picture.meet(work, ask, text);
    }
    // A bare number is of what the point before adds.
    let unsure = adds && numbers::is_bare(text);
    (!unsure).then(|| in_place(work, ask, text)).flatten().unwrap_or_else(|| work.pass_on())
}

/// Changes what a point names where its place is sure. What is asked, or about a case of something, names no value.
fn in_place(work: &mut Work<'_>, ask: &Ask, text: &str) -> Option<Outcome> {
    if text.ends_with(['?', '？', '؟']) {
        return None;
    }
    // "Rename x to y, and draw a chart if …" is sure up to the comma.
    let ends = text.rmatch_indices(", ").map(|(at, _)| at).take(swap::COMMAS);
    let mut parts = std::iter::once(text.len()).chain(ends).map(|end| &text[..end]);
    let sure = parts.find(|part| !read::is_special(part))?;
    let more = sure.len() < text.len();
    if let Some(done) = swap::exchange(work, sure) {
        return Some(with_rest(work, done, more));
    }
    if more {
        return None;
    }
    let Ask::Remove(what) = ask else {
        return swap::quotation(work, text).or_else(|| figures::set(work, text));
    };
    let done = remove::remove(work, what)?;
    // "Drop the tips, tell a story instead" asks for two things.
    let turns = pattern!(r"(?i),\s.*[^\p{L}](?:{refine.now})$").is_match(text);
    Some(with_rest(work, done, turns))
}

/// What came of a point that is `done`; what it says `more` is passed on.
fn with_rest(work: &mut Work<'_>, done: Outcome, more: bool) -> Outcome {
    if !more {
        return done;
    }
    let other = work.pass_on();
    let status = if done.0 == other.0 { done.0 } else { FeedbackStatus::PartlyApplied };
    (status, format!("{} {}", done.1, other.1))
}

/// What a prompt has kept, read without the escapes of its container. What the feedback named is not lost.
fn compared(brief: &RefineBrief, new: &str, gone: &str) -> Integrity {
    let asked = Asked::by(&brief.feedback, &brief.language).taking(gone);
    let plain = |prompt: &str| {
        let container = Container::of(prompt);
        let texts = container.texts().iter().map(|text| text.text.as_str());
        texts.collect::<Vec<_>>().join("\n\n")
    };
    let mut integrity = integrity::check(&plain(&brief.prompt), &plain(new), "", &asked);
    let constraints = &mut integrity.constraints;
    for one in constraints.loosened.iter_mut().chain(&mut constraints.lost) {
        let mut parts = gone.lines().map(str::trim).filter(|part| !part.is_empty());
        one.requested |= parts.any(|part| !words::find(&one.quote, part).is_empty());
    }
    let said = constraints.loosened.iter().chain(&constraints.lost).all(|one| one.requested);
    let values = [&integrity.numbers_lost, &integrity.quoted_literals_lost, &integrity.urls_lost];
    let kept = integrity.variables.lost.is_empty() && values.iter().all(|lost| lost.is_empty());
    if !integrity.passed && said && kept && integrity.code_blocks.lost == 0 {
        // Requirements in the feedback's language may outweigh a short prompt, but translate nothing.
        integrity.language_out.clone_from(&integrity.language_in);
        integrity.passed = true;
    }
    integrity
}
