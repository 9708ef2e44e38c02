//! A clip as a list of shots.

use super::camera;
use super::description::{self, Description};
use super::dialect::Fields;
use super::phrase::sentence;
use super::shots::{self, Shot};
use super::wording::Wording;
use engine::Section;

/// The shots: the user's steps, or as many as there are camera moves, or one; and whether each names who or what it
/// shows. The camera is told apart if the model `lists` shots. What is said in a shot is no detail any more.
pub fn told(read: &mut Description, lists: bool, again: &str) -> (Vec<Shot>, bool) {
    let Description { subject, details, steps, dialogue, foreign, cuts, .. } = read;
    let speaks = |text: &String| dialogue.iter().any(|line| text.contains(line.as_str()));
    let (mut spoken, rest): (Vec<String>, Vec<String>) =
        std::mem::take(details).into_iter().partition(speaks);
    *details = rest;
    let whole = |step: &String| Shot { step: step.clone(), camera: None };
    let moves = if foreign.is_none() { camera::all(subject) } else { Vec::new() };
    let (mut list, repeats) = if foreign.is_some() || *cuts && !lists {
        (steps.iter().map(whole).collect(), false)
    } else if !steps.is_empty() {
        shots::told(steps, again)
    } else if moves.len() > 1 {
        let mut steps = vec![String::new(); moves.len()];
        steps[0] = camera::cleared(subject);
        let (mut list, repeats) = shots::told(&steps, again);
        for (shot, camera) in list.iter_mut().zip(moves) {
            shot.camera = Some(camera);
        }
        (list, repeats)
    } else {
        let (step, camera) = camera::take(subject);
        (vec![Shot { step, camera }], false)
    };
    if list.is_empty() {
        list.push(whole(subject));
    }
    let mut joint = "; ";
    // All that is said of a single shot is said in it.
    if list.len() == 1 {
        spoken.append(details);
        joint = ". ";
    }
    if let Some(last) = list.last_mut() {
        spoken.insert(0, std::mem::take(&mut last.step));
        last.step = spoken.join(joint);
    }
    (list, repeats)
}

/// The shots as parts of a prompt, each with its share of the clip's `seconds`. The camera of the `first` one moves
/// where none is said to move.
pub fn sections(
    list: &[Shot],
    forms: &[String],
    wording: Option<&Wording>,
    first: &str,
    seconds: u32,
) -> Vec<Section> {
    let count = u32::try_from(list.len()).unwrap_or(1).max(1);
    let (each, extra) = (seconds / count, seconds % count);
    let moves = list.iter().any(|shot| shot.camera.is_some());
    let mut start = 0;
    let mut sections = Vec::new();
    for (index, (shot, number)) in list.iter().zip(1..).enumerate() {
        let length = each + u32::from(number <= extra);
        let end = start + length;
        // English alone takes moves out of steps, so its wording has a subject for what is left.
        let mut fields = Fields::new(wording.is_some_and(|wording| !wording.again.is_empty()));
        for (name, value) in
            [("number", number), ("length", length), ("start", start), ("end", end)]
        {
            fields.set(name, &value.to_string());
        }
        fields.set("step", shot.step.trim_end_matches('.'));
        if let Some(wording) = wording {
            if !description::names_view(&shot.step) {
                fields.set("size", &wording.sizes[index.min(wording.sizes.len() - 1)]);
            }
            let still = if index == 0 && !moves { first } else { wording.still.as_str() };
            let camera = shot.camera.as_deref().unwrap_or(still);
            fields.set("camera", camera);
            fields.set("move", camera.strip_prefix("camera ").unwrap_or(camera));
        }
        let text = match shots::is_labelled(&shot.step) {
            true => shot.step.clone(),
            false => fields.fill(forms).unwrap_or_default(),
        };
        sections.push(Section { heading: format!("Shot {number}"), text: sentence(&text) });
        start = end;
    }
    sections
}
