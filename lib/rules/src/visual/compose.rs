//! Composing prompts for pictures and clips.

use super::asks;
use super::family;
use super::flags::Flags;
use super::notes::Known;
use super::phrase;
use super::picture::{self, Picture};
use crate::draft;
use crate::split::capitalize;
use crate::title;
use crate::wording::Voice;
use engine::{GenerateBrief, Generation, Mode, TargetModel};

/// More questions nobody answers.
const MOST_QUESTIONS: usize = 3;

/// Writes the prompt for a picture or clip.
pub fn compose(message: &str, mode: Mode, brief: &GenerateBrief) -> Generation {
    let (target, voice) = (brief.target_model, Voice::of(&brief.language));
    let picture = picture::of(message, mode, target, true);
    let facts = facts(message, &picture, mode, target);
    let known = Known { facts, model: target.as_str(), voice };
    let mut questions = known.lines("questions");
    questions.truncate(MOST_QUESTIONS);
    let (words, _) = Flags::take(&picture.read.words);
    let left_out = picture.left_out(target, &voice);
    let mut made = draft::of(picture.prompt, mode, brief);
    made.assumptions.extend(known.lines("assumptions"));
    made.assumptions.extend(left_out);
    Generation {
        title: title::of(&capitalize(phrase::without_request(&words, true))),
        clarifying_questions: questions,
        techniques: known.notes("techniques"),
        usage_guide: known.lines("usage"),
        negative_prompt: picture.beside.negative_prompt,
        parameters: picture.beside.parameters,
        ..made
    }
}

/// What is known about the prompt, for what is said beside it.
fn facts(message: &str, picture: &Picture, mode: Mode, target: TargetModel) -> Vec<&'static str> {
    let (read, model) = (&picture.read, target.model());
    let (moving, flags) = (mode == Mode::Video, family::of(model).flags);
    let generates = family::mode_of(model).is_some();
    let is_timed = !moving || read.is_timed || read.seconds.is_some();
    let moved = !read.taken.is_empty() || !read.unwanted.is_empty();
    let facts = [
        ("picture", !moving),
        ("clip", moving),
        ("edit", asks::is_edit(message)),
        ("ratio", read.ratio.is_some()),
        ("set", read.ratio.is_some() && is_timed),
        ("quotes", !text::literals::scan(&read.words).quoted.is_empty()),
        ("negative", picture.beside.negative_prompt.is_some()),
        ("flags", flags && !picture.beside.parameters.is_empty()),
        ("fields", generates && !flags),
        ("moved", generates && moved),
        ("generator", generates),
    ];
    let holding = facts.into_iter().filter(|(_, holds)| *holds).map(|(fact, _)| fact);
    holding.chain(super::aspects(message)).collect()
}
