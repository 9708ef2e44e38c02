//! Carrying out feedback on a prompt for a picture or clip.

use super::asks::{self, Ask};
use super::items::Point;
use super::{Outcome, untouched};
use crate::rules::convert::{self, Flags};
use crate::rules::edit::Edit;
use crate::rules::wording::{Tongue, Voice};
use crate::{FeedbackItem, FeedbackStatus, Mode, ModelKind, RefineBrief, changes, integrity};

use FeedbackStatus::{Applied, NotApplied};

/// Changes the words and trailing parameters of a visual prompt.
pub fn refine(brief: &RefineBrief, points: &[Point], voice: &Voice) -> Outcome {
    let moving = brief.target_model.model().kind == ModelKind::Video
        || convert::visual_kind(&brief.prompt) == Some(Mode::Video);
    let (words, flags) = Flags::split(&brief.prompt);
    let trailing = if flags.is_empty() {
        String::new()
    } else {
        brief.prompt[words.len()..].trim().to_owned()
    };
    let mut edit = Edit { prompt: words, flags: trailing, moving, ..Edit::default() };
    let mut items = Vec::new();
    for point in points {
        let (status, reason) = carry_out(&mut edit, asks::read(point, &brief.prompt), point, voice);
        items.push(FeedbackItem { text: point.text.clone(), status, reason });
    }
    let (mut prompt, _) = edit.finish_visual();
    if items.iter().all(|item| item.status == NotApplied) {
        prompt.clone_from(&brief.prompt);
    }
    let reasons: Vec<&str> = items
        .iter()
        .filter(|item| item.status != NotApplied)
        .map(|item| item.reason.as_str())
        .collect();
    let reason = match reasons[..] {
        [only] => only.to_owned(),
        _ => voice.say("Carries out what the feedback asks for.", &[]),
    };
    let changes = changes::between(&brief.prompt, &prompt, &reason);
    let gone: Vec<&str> = changes.iter().map(|change| change.old_text.as_str()).collect();
    // Only words that the feedback names are cut, so what an edit took out was meant, apart from literals
    // that the feedback does not name.
    let integrity =
        integrity::check(&brief.prompt, &prompt, &format!("{}\n{}", brief.feedback, ratios(&gone)));
    if !integrity.passed {
        return untouched(brief, points, voice);
    }
    Outcome { prompt, items, changes, integrity }
}

/// The aspect ratios among what was taken out: a new one replaces them.
fn ratios(gone: &[&str]) -> String {
    let pattern = crate::rules::pattern::regex!(r"\b\d{1,2}:\d{1,2}\b|\b\d{1,2}\b");
    let text = gone.join(" ");
    pattern
        .find_iter(&text)
        .filter(|found| text.contains(':') || found.as_str().contains(':'))
        .map(|found| found.as_str().to_owned())
        .collect::<Vec<_>>()
        .join(" ")
}

fn carry_out(edit: &mut Edit, ask: Ask, point: &Point, voice: &Voice) -> (FeedbackStatus, String) {
    let no = |reason: &str| (NotApplied, voice.say(reason, &[]));
    match ask {
        Ask::Nothing => return no("It asks for no change."),
        Ask::TooMany => {
            return no(
                "There are more points than can be worked on at once; send the rest separately.",
            );
        }
        Ask::Steer => {
            return no(
                "It is meant for the service instead of the prompt, so it was not followed.",
            );
        }
        Ask::Answer => {
            return no("It asks for an answer, and this service only changes the prompt.");
        }
        Ask::Translate => {
            return no("Rules cannot translate a prompt; this takes a language model.");
        }
        Ask::Complain => return no("It does not say what should be different."),
        Ask::Question => return no("It is a question and does not say what to change."),
        Ask::Improve | Ask::ShorterPrompt => {
            return no("Rules find nothing to correct in place; more would take a language model.");
        }
        Ask::Target(_) => {
            return no(
                "Visual prompts change their dialect when they are optimized for the other model.",
            );
        }
        Ask::Variable { value, name } if edit.prompt.contains(&value) => {
            let marker = format!("{{{{{name}}}}}");
            edit.prompt = edit.prompt.replace(&value, &marker);
            return (Applied, voice.say("\"{}\" is the variable {2} now.", &[&value, &marker]));
        }
        Ask::Replace(old, new) if edit.prompt.contains(&old) => {
            edit.prompt = edit.prompt.replace(&old, &new);
            return (Applied, voice.say("\"{}\" was replaced by \"{2}\".", &[&old, &new]));
        }
        Ask::Rename(old, new) => {
            let marker = format!("{{{{{old}}}}}");
            if edit.prompt.contains(&marker) {
                edit.prompt = edit.prompt.replace(&marker, &format!("{{{{{new}}}}}"));
                return (Applied, voice.say("The variable {} is called {2} now.", &[&old, &new]));
            }
            return (
                NotApplied,
                voice.say("The prompt has no variable of this name: {}.", &[&old]),
            );
        }
        _ => {}
    }
    let state = |edit: &Edit| {
        (edit.prompt.clone(), edit.flags.clone(), edit.added.len(), edit.excluded.len())
    };
    let before = state(edit);
    let english = Tongue::of(&point.text).tag == "en";
    edit.instruct(point.text.trim().trim_end_matches(['.', '!']), true);
    if state(edit) == before {
        return no("It names nothing that this prompt shows or could show.");
    }
    let reason = if english || edit.prompt != before.0 || edit.flags != before.1 {
        "The description carries it out now."
    } else {
        "Added to the description in the words of the feedback."
    };
    (Applied, voice.say(reason, &[]))
}
