//! Composing prompts for pictures and clips.

use super::edit;
use super::family;
use super::flags::Flags;
use super::notes::Known;
use super::phrase;
use super::picture::{self, Picture};
use super::read::{self, Taking};
use super::settings;
use crate::draft::Draft;
use crate::split::capitalize;
use crate::title;
use engine::{Mode, Section, TargetModel};

/// A format for what names none, with the remark that tells where it is from.
pub type Frame = (String, String);

/// Writes the prompt for a picture or clip; a `frame` is its format if the message states none.
pub fn compose(message: &str, mode: Mode, target: TargetModel, frame: Option<Frame>) -> Draft {
    let framed = frame.filter(|_| !states_ratio(message, mode));
    let stated = framed.as_ref().map(|(ratio, _)| format!("{message}, {ratio}"));
    let picture = picture::of(stated.as_deref().unwrap_or(message), mode, target, true);
    let words =
        picture.prompt.strip_suffix(&picture.trailing).unwrap_or(&picture.prompt).trim_end();
    let mut sections = vec![Section { heading: "Prompt".to_owned(), text: words.to_owned() }];
    if !picture.trailing.is_empty() {
        let text = picture.trailing.clone();
        sections.push(Section { heading: "Parameters".to_owned(), text });
    }
    let known = known(message, &picture, mode, target);
    let told = picture.omitted.iter().map(|omitted| omitted.told(&target.model().name));
    Draft {
        title: title::of(&capitalize(&phrase::without_request(
            &Flags::take(&picture.read.words).0,
            mode == Mode::Video,
            true,
        ))),
        mode,
        assumptions: framed
            .into_iter()
            .map(|(_, note)| note)
            .chain(known.assumptions())
            .chain(told)
            .collect(),
        questions: known.questions(),
        techniques: known.techniques(),
        usage: known.usage(),
        sections,
        prompt: picture.prompt,
        negative_prompt: picture.negative,
        parameters: picture.parameters,
        ..Draft::default()
    }
}

fn states_ratio(message: &str, mode: Mode) -> bool {
    read::read(message, mode == Mode::Video, Taking::Nothing).ratio.is_some()
}

/// What is known about the prompt, for what is said beside it.
fn known(message: &str, picture: &Picture, mode: Mode, target: TargetModel) -> Known<'static> {
    let (read, model) = (&picture.read, target.model());
    let (moving, is_edit) = (mode == Mode::Video, edit::is_edit(message));
    let usual = settings::usual_seconds(model);
    let moved = !read.taken.is_empty() || !read.unwanted.is_empty() || !read.settings.is_empty();
    let facts = [
        ("picture", !moving),
        ("clip", moving),
        ("edit", is_edit),
        ("ratio", read.ratio.is_some()),
        ("seconds", read.is_timed || read.seconds.is_some() || usual.is_none()),
        ("quotes", phrase::quotes(&read.words)),
        ("negative", picture.negative.is_some()),
        ("flags", !picture.trailing.is_empty()),
        ("fields", family::mode_of(model).is_some() && !family::of(model).flags),
        ("moved", moved && family::mode_of(model).is_some()),
        ("generator", family::mode_of(model).is_some()),
    ];
    let holding = facts.into_iter().filter(|(_, holds)| *holds).map(|(fact, _)| fact);
    Known {
        facts: holding.chain(super::aspects(message)).collect(),
        values: vec![
            ("ratio", read.ratio.clone().unwrap_or_default()),
            ("seconds", usual.unwrap_or_default()),
            ("model", target.to_string()),
        ],
    }
}
