//! Composing prompts for pictures and clips.

use super::asks;
use super::family;
use super::flags::Flags;
use super::notes::Known;
use super::phrase;
use super::picture::{self, Picture};
use crate::draft::Draft;
use crate::split::capitalize;
use crate::title;
use crate::wording::Voice;
use engine::{Mode, Section, TargetModel};

/// More questions nobody answers.
const MOST_QUESTIONS: usize = 3;

/// Writes the prompt for a picture or clip.
pub fn compose(message: &str, mode: Mode, target: TargetModel, voice: Voice) -> Draft {
    let picture = picture::of(message, mode, target, true);
    let known =
        Known { facts: facts(message, &picture, mode, target), model: target.as_str(), voice };
    let told = picture.omitted.iter().map(|omitted| omitted.told(target.as_str(), &voice));
    let mut questions = known.lines("questions");
    questions.truncate(MOST_QUESTIONS);
    let (words, _) = Flags::take(&picture.read.words);
    Draft {
        title: title::of(&capitalize(phrase::without_request(&words, true))),
        mode,
        assumptions: known.lines("assumptions").into_iter().chain(told).collect(),
        questions,
        techniques: known.notes("techniques"),
        usage: known.lines("usage"),
        sections: vec![Section { heading: "Prompt".to_owned(), text: picture.prompt.clone() }],
        prompt: picture.prompt,
        negative_prompt: picture.negative,
        parameters: picture.parameters,
        ..Draft::default()
    }
}

/// What is known about the prompt, for what is said beside it.
fn facts(message: &str, picture: &Picture, mode: Mode, target: TargetModel) -> Vec<&'static str> {
    let (read, model) = (&picture.read, target.model());
    let (moving, flags) = (mode == Mode::Video, family::of(model).flags);
    let generates = family::mode_of(model).is_some();
    let is_timed = !moving || read.is_timed || read.seconds.is_some();
    let moved = !read.taken.is_empty() || !read.unwanted.is_empty() || !read.settings.is_empty();
    let facts = [
        ("picture", !moving),
        ("clip", moving),
        ("edit", asks::is_edit(message)),
        ("ratio", read.ratio.is_some()),
        ("set", read.ratio.is_some() && is_timed),
        ("quotes", phrase::quotes(&read.words)),
        ("negative", picture.negative.is_some()),
        ("flags", flags && !picture.parameters.is_empty()),
        ("fields", generates && !flags),
        ("moved", generates && moved),
        ("generator", generates),
    ];
    let holding = facts.into_iter().filter(|(_, holds)| *holds).map(|(fact, _)| fact);
    holding.chain(super::aspects(message)).collect()
}
