//! Shots of a clip: what happens step by step, and how each step is told.

use patterns::{Match, Pattern, pattern};

use super::camera;
use super::phrase::{inline, mended};
use crate::split::squeeze;

/// A shot: what happens in it, and how the camera moves, if that is said.
pub struct Shot {
    /// What happens; empty where only the camera does something.
    pub step: String,
    /// The camera move; empty where the step says it.
    pub camera: Option<String>,
}

/// The label of a shot in a list that the user wrote: "Shot 2 (4 s):".
const LABEL: Pattern = pattern!(
    r"(?i)^(?:{shots.label} ?\d+\b[^:]{0,20}|\[?\d{1,3} ?s? ?[-–] ?\d{1,3} ?(?:{video.seconds}|s)\]?):"
);

/// A text without the label of a shot.
pub fn unlabelled(text: &str) -> &str {
    LABEL.find(text).map_or(text, |label| text[label.end()..].trim_start())
}

/// Whether a step has a label of the user's own.
pub fn is_labelled(step: &str) -> bool {
    LABEL.is_match(step)
}

/// The shots that sentences set apart by a cut or by labels, if there are two or more, with the sentences before the
/// first label.
pub fn cuts(sentences: &[String]) -> Option<(Vec<String>, Vec<String>)> {
    let cut = pattern!(
        r"(?i)(?:^|[,;.:]?\s+|[，。、；])(?:{shots.cut}\b|{shots.cut_scripted})[,:：]?\s*"
    );
    let labelled = sentences.iter().any(|sentence| is_labelled(sentence));
    let (mut steps, mut before): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for sentence in sentences {
        let pieces: Vec<String> = if labelled {
            vec![sentence.clone()]
        } else {
            cut.split(sentence).map(mended).collect()
        };
        for (index, piece) in pieces.into_iter().enumerate() {
            let opens = if labelled { is_labelled(&piece) } else { index > 0 };
            match steps.last_mut() {
                _ if piece.is_empty() => {}
                None if labelled && !opens => before.push(piece),
                Some(last) if !opens => *last = format!("{}. {piece}", last.trim_end_matches('.')),
                _ => steps.push(piece),
            }
        }
    }
    (steps.len() >= 2).then_some((steps, before))
}

/// What happens, step by step; empty if the user names no steps.
pub fn steps(subject: &str) -> Vec<String> {
    let mark = pattern!(
        r"(?i)(?:,|;|\.)?\s*\b{video.then}\b,?\s+|\s*(?:->|→)\s*|[，、。]?{video.then_scripted}[，、]?"
    );
    let mut found = Vec::new();
    let mut start = 0;
    for mark in mark.find_iter(subject).filter(|mark| separates(subject, mark)) {
        found.push(squeeze(&subject[start..mark.start()]));
        start = mark.end();
    }
    found.push(squeeze(&subject[start..]));
    found.retain(|step| step.chars().filter(|c| c.is_alphanumeric()).take(2).count() == 2);
    // "Product video: unfold it, ride it, fold it": the steps behind the colon are the shots.
    if found.len() < 2 {
        let behind = subject.split_once(": ").map_or("", |(_, rest)| rest);
        found = behind.split(", ").map(squeeze).filter(|step| step.contains(' ')).collect();
    }
    if found.len() < 2 { Vec::new() } else { found }
}

/// Whether words of order set two steps apart. "Next to the boy" is a place, "now and then" a frequency.
fn separates(text: &str, mark: &Match<'_>) -> bool {
    let word = mark.as_str().trim_matches([' ', ',', ';', '.']);
    let before = text[..mark.start()].trim_end();
    let after = &text[mark.end()..];
    if pattern!(r"(?i)^{shots.next}$").is_match(word) {
        let opens = before.is_empty() || mark.as_str().starts_with([',', ';', '.']);
        return opens && !pattern!(r"(?i)^{video.after_next}\b").is_match(after);
    }
    !pattern!(r"(?i)^{video.after_that}\b").is_match(after)
        && !pattern!(r"(?i)\b{video.before_then}$").is_match(before)
}

/// The shots of English steps: the camera told apart, and who acts named in each where the first step names it.
/// Where only the camera acts, the step says who or what is seen `again`.
pub fn told(steps: &[String], again: &str) -> (Vec<Shot>, bool) {
    let mut shots: Vec<Shot> = steps
        .iter()
        .map(|step| match camera::take(step) {
            _ if is_labelled(step) => Shot { step: step.clone(), camera: Some(String::new()) },
            // "A drone shot over the bay" shows more than a move.
            (rest, Some(camera)) if rest.is_empty() && names_place(&camera) => {
                Shot { step: step.clone(), camera: Some(String::new()) }
            }
            (step, camera) => Shot { step, camera },
        })
        .collect();
    let name = shots.iter().find(|shot| !shot.step.is_empty()).and_then(|shot| named(&shot.step));
    let again = name.as_ref().map_or_else(|| again.to_owned(), |name| definite(name));
    let mut people = 0;
    for shot in &mut shots {
        let pronoun = pattern!(r"(?i)^{footage.pronoun}\s+").find(&shot.step);
        if shot.step.is_empty() {
            shot.step.clone_from(&again);
        } else if name.is_some() && is_act(&shot.step) {
            shot.step = format!("{again} {}", shot.step);
        } else if name.is_some()
            && people == 1
            && let Some(pronoun) = pronoun
        {
            shot.step = format!("{again} {}", &shot.step[pronoun.end()..]);
        }
        people += pattern!(r"(?i)\b{footage.person}\b").find_iter(&shot.step).count();
    }
    (shots, name.is_some())
}

/// Whether a camera move names what it shows, beyond a pronoun.
fn names_place(camera: &str) -> bool {
    pattern!(r"(?i)\s{footage.counting}\s+\S").is_match(camera)
}

/// Verbs in the third person that things in clips do.
const ACT: Pattern = pattern!(r"(?i)\b(?:{footage.action}|{footage.more_action})\b");

/// Whether a step begins with what is done, so that it leaves out who does it. "Unfold it" is an order.
fn is_act(step: &str) -> bool {
    let step = pattern!(r"(?i)^{footage.adverb} ").replace(step, "");
    let first = step.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    first.ends_with("ing") && first.len() > 5
        || first.ends_with('s') && ACT.find(&step).is_some_and(|found| found.start() == 0)
}

/// Who or what a step shows: its article and noun, up to the verb or preposition.
fn named(step: &str) -> Option<String> {
    let article = pattern!(r"(?i)^{footage.counting}\s+").find(step)?;
    let single = pattern!(r"(?i)^{footage.one}\s").is_match(step);
    let verb = ACT
        .find_iter(step)
        .find(|found| found.start() > article.end() && (!single || found.as_str().ends_with('s')))
        .map(|found| found.start());
    let ends = pattern!(r"(?i)\s{footage.after_subject}\s|\s{footage.participle}\b|[,.;:]|$");
    let end = ends.find(step).map_or(step.len(), |found| found.start());
    let name = step[..verb.unwrap_or(end).min(end)].trim();
    // A long phrase, or one with a clause inside, may end in another noun.
    let words = name.split_whitespace().count();
    let simple = (2..=6).contains(&words)
        && !name.contains('"')
        && !pattern!(r"(?i)\b{footage.clause}\b").is_match(name);
    (simple && (verb.is_some() || words <= 3)).then(|| name.to_owned())
}

/// "An old man" becomes "the old man" once he is known.
fn definite(name: &str) -> String {
    let bare = pattern!(r"(?i)^{footage.some}\s+").replace(name, "");
    format!("the {}", inline(&bare))
}
