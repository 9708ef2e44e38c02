//! Forms of prompts for clips: one for each family of video models.

use super::craft::{self, Craft};
use super::framing;
use super::split::{capitalize, stop};
use crate::Section;
use patterns::{Pattern, pattern};

/// A clip, aspect by aspect.
pub struct Clip<'a> {
    /// Size of the shot.
    pub shot: &'a str,
    /// The camera move.
    pub camera: String,
    /// Camera moves in the user's words, in order.
    pub moves: Vec<String>,
    /// Whether the text names the camera move already.
    pub camera_stated: bool,
    /// What is to be seen.
    pub subject: String,
    /// Motion, if the goal names none.
    pub action: &'a str,
    /// Light.
    pub light: &'a str,
    /// Look.
    pub style: &'a str,
    /// Sound.
    pub sound: &'a str,
    /// Spoken lines.
    pub dialogue: &'a [String],
    /// Further statements.
    pub details: Vec<String>,
    /// What happens, step by step, if the user says so.
    pub beats: Vec<String>,
    /// Length.
    pub seconds: u32,
    /// Wording of another language than English.
    pub craft: Option<&'static Craft>,
    /// Whether the goal is in another language than English.
    pub foreign: bool,
}

fn section(heading: &str, text: &str) -> Option<Section> {
    (!text.trim().is_empty())
        .then(|| Section { heading: heading.to_owned(), text: stop(&capitalize(text.trim())) })
}

fn of(shot: &str, subject: &str) -> String {
    if shot.is_empty() {
        subject.to_owned()
    } else {
        format!("{shot}: {}", framing::inline(subject))
    }
}

fn dialogue(clip: &Clip<'_>) -> String {
    let missing: Vec<String> = clip
        .dialogue
        .iter()
        .filter(|line| {
            !clip.subject.contains(line.as_str())
                && !clip.details.iter().any(|detail| detail.contains(line.as_str()))
        })
        .map(|line| format!("\"{line}\""))
        .collect();
    if missing.is_empty() {
        if clip.dialogue.is_empty() {
            String::new()
        } else {
            "The quoted words are spoken clearly, in a natural voice with matching lip movement."
                .to_owned()
        }
    } else {
        format!("Spoken line: {}", missing.join(", then "))
    }
}

/// Shot, subject, action, one camera move, light, sound: one line each.
pub fn layered(clip: &Clip<'_>, family: &str) -> Vec<Section> {
    let camera = if clip.camera_stated {
        "camera: this one move from beginning to end".to_owned()
    } else {
        format!("camera: {}, one continuous move", clip.camera)
    };
    let sound =
        if clip.sound.is_empty() { String::new() } else { format!("audio: {}", clip.sound) };
    let mut list = vec![
        section("Shot and subject", &of(clip.shot, &clip.subject)),
        section("Details", &clip.details.join(". ")),
        section("Action", clip.action),
        section("Camera", &camera),
        section("Light and style", &join(clip.light, clip.style)),
        section("Dialogue", &dialogue(clip)),
    ];
    if family != "wan" {
        list.push(section("Sound", &sound));
    }
    list.into_iter().flatten().collect()
}

fn join(first: &str, second: &str) -> String {
    [first, second].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(", ")
}

/// The user's own words and what the language has words for: nothing is half translated.
pub fn plain(clip: &Clip<'_>, family: &str) -> Vec<Section> {
    let mut list = vec![("Subject", clip.subject.clone()), ("Details", clip.details.join(" "))];
    if let Some(craft) = clip.craft {
        let move_named = clip.camera_stated;
        let camera = if move_named { &craft.stated } else { &craft.camera };
        list.push(("Camera", camera.clone()));
        if !clip.dialogue.is_empty() {
            list.push(("Dialogue", craft.spoken.clone()));
        }
    } else if family == "minimax" && !clip.camera_stated {
        list.push(("Camera", "[Push in]".to_owned()));
    }
    list.into_iter()
        .filter(|(_, text)| !text.trim().is_empty())
        .map(|(heading, text)| Section { heading: heading.to_owned(), text: craft::stop(&text) })
        .collect()
}

/// Whether every step of a shot list names who or what it shows.
pub fn repeats(clip: &Clip<'_>) -> bool {
    let starts = pattern!(r"(?i)^(?:{footage.determiner}|(?-i:\p{Lu}\w+))\s");
    clip.beats.is_empty() || !clip.foreign && steps(clip).0.iter().all(|beat| starts.is_match(beat))
}

/// The steps as they are told in their shots, and the camera of each where one of them names the only move.
fn steps(clip: &Clip<'_>) -> (Vec<String>, Vec<Option<String>>) {
    let mut beats = clip.beats.clone();
    let mut cameras = Vec::new();
    if let [only] = &clip.moves[..]
        && !clip.foreign
        && let Some(index) = beats.iter().position(|beat| beat.contains(only.as_str()))
    {
        cameras = vec![None; beats.len()];
        cameras[index] = Some(only.clone());
        // A camera move is no event of its own.
        let rest = beats[index].replacen(only.as_str(), "", 1);
        let rest = pattern!(r"(?i)^\s*{footage.filler}\s*$").replace(&rest, "").into_owned();
        let rest = if beats[index].starts_with(only.as_str()) {
            pattern!(r"(?i)^\s*{footage.toward}\s+").replace(&rest, "").into_owned()
        } else {
            rest
        };
        let rest = framing::mended(&rest);
        if rest.split_whitespace().count() != 1 && !rest.ends_with(" a") && !rest.ends_with(" the")
        {
            beats[index] = rest;
        }
    }
    if clip.foreign {
        return (beats, cameras);
    }
    let known = subject(clip);
    let mut people = 0;
    for (index, beat) in beats.iter_mut().enumerate() {
        if let Some(name) = &known {
            let name = definite(name);
            if beat.is_empty() {
                *beat = if index == 0 { "the whole scene".to_owned() } else { name };
            } else if index > 0 && is_act(beat) {
                *beat = format!("{name} {beat}");
            } else if index > 0
                && people == 1
                && let Some(rest) = pattern!(r"(?i)^{footage.pronoun}\s+").find(beat)
            {
                *beat = format!("{name} {}", &beat[rest.end()..]);
            }
        } else if beat.is_empty() {
            *beat = if index == 0 { "the whole scene" } else { "the same subject" }.to_owned();
        }
        people += pattern!(r"(?i)\b{footage.person}\b").find_iter(beat).count();
    }
    (beats, cameras)
}

/// Verbs in the third person that things in clips do, and their participles.
fn act() -> Pattern {
    pattern!(r"(?i)\b(?:{footage.action}|{footage.more_action})\b")
}

/// Whether a step begins with what is done, so that it leaves out who does it.
fn is_act(beat: &str) -> bool {
    let first = beat.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let adverb = pattern!(r"(?i)^{footage.adverb} ");
    let beat = adverb.replace(beat, "");
    // "Unfold it" is an order and names nobody who would do it.
    let third = |word: &str| word.ends_with('s') || word.ends_with("ing");
    let first = if first.is_empty() {
        first
    } else {
        beat.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default()
    };
    third(first)
        && (act().find(&beat).is_some_and(|found| found.start() == 0)
            || first.ends_with("ing") && first.len() > 5)
}

/// Who or what the clip shows: the article and noun of its first step, up to the verb or preposition.
fn subject(clip: &Clip<'_>) -> Option<String> {
    let first = clip.beats.first().unwrap_or(&clip.subject);
    let shown = pattern!(r"(?i)\b{footage.target}\s+(?P<v>{footage.article}\s.*)$");
    named(first).or_else(|| {
        let moves = clip.moves.first().filter(|words| first.contains(words.as_str()))?;
        let rest = first.replacen(moves.as_str(), "", 1);
        named(&shown.captures(&rest)?["v"])
    })
}

fn named(text: &str) -> Option<String> {
    let article = pattern!(r"(?i)^{footage.counting}\s+").find(text)?;
    let single = pattern!(r"(?i)^{footage.one}\s").is_match(text);
    let verb = act()
        .find_iter(text)
        .find(|found| found.start() > article.end() && (!single || found.as_str().ends_with('s')))
        .map(|found| found.start());
    let ends = pattern!(r"(?i)\s{footage.after_subject}\s|\s{footage.participle}\b|[,.;:]|$");
    let end = ends.find(text).map_or(text.len(), |found| found.start());
    let name = text[..verb.unwrap_or(end).min(end)].trim();
    // A long phrase, or one with a clause inside, may end in another noun.
    let simple = (2..=6).contains(&name.split_whitespace().count())
        && !name.contains('"')
        && !pattern!(r"(?i)\b{footage.clause}\b").is_match(name);
    // Without a verb that is known, the phrase may hold one that is not.
    let sure = verb.is_some()
        || name.split_whitespace().count() <= 3 && end < text.len()
        || name.split_whitespace().count() == 2;
    (simple && sure).then(|| name.to_owned())
}

/// "An old man" becomes "the old man" once he is known.
fn definite(name: &str) -> String {
    let article = pattern!(r"(?i)^{footage.some}\s+");
    let bare = article.replace(name, "");
    let counted = pattern!(r"(?i)^{footage.several}\s").is_match(&bare);
    if counted { format!("the {}", framing::inline(&bare)) } else { format!("the {bare}") }
}

/// Numbered, timed shots that repeat the subject.
pub fn shots(clip: &Clip<'_>, family: &str) -> Vec<Section> {
    let usual = if clip.seconds <= 6 { 2 } else { 3 };
    let asked = clip.beats.len().max(if clip.moves.len() > 1 { clip.moves.len() } else { 0 });
    let number = if asked == 0 { usual } else { asked };
    let count = u32::try_from(number).unwrap_or(1).max(1);
    let (each, extra) = (clip.seconds / count, clip.seconds % count);
    let own = !clip.beats.is_empty();
    let sizes = match clip.craft {
        Some(craft) => craft.framing.each_ref().map(String::as_str),
        None => ["wide shot", "medium shot", "close-up", "detail shot"],
    };
    let (same, still) = match clip.craft {
        Some(craft) => (craft.same.as_str(), craft.still.as_str()),
        None => ("the same subject and place in every shot", "static camera"),
    };
    let (spoken, details): (Vec<&String>, Vec<&String>) = clip
        .details
        .iter()
        .partition(|detail| clip.dialogue.iter().any(|line| detail.contains(line.as_str())));
    let spoken =
        spoken.iter().map(|text| text.trim_end_matches('.')).collect::<Vec<_>>().join("; ");
    // Who speaks is seen in a shot of medium size where the goal names no steps, else in the last one.
    let speaking = if own { number - 1 } else { 1.min(number - 1) };
    let details: Vec<&str> = details.into_iter().map(String::as_str).collect();
    let (beats, cameras) = steps(clip);
    let own_words = |text: &str| Section { heading: "Subject".to_owned(), text: craft::stop(text) };
    let mut list: Vec<Option<Section>> = vec![
        match (own, clip.foreign) {
            (true, false) => section("Subject", same),
            (true, true) => clip.craft.map(|_| own_words(same)),
            (false, false) => {
                section("Subject", &format!("{}, the same in every shot", clip.subject))
            }
            (false, true) => Some(own_words(&clip.subject)),
        },
        section("Details", &details.join(". ")),
        section("Look", &join(clip.light, clip.style)),
    ];
    let again = subject(clip).map_or_else(|| "the same subject".to_owned(), |name| definite(&name));
    let first = match clip.craft {
        _ if !clip.moves.is_empty() => clip.moves[0].as_str(),
        Some(craft) => craft.camera.as_str(),
        None => clip.camera.as_str(),
    };
    let mut start = 0;
    for index in 0..number {
        let length = each + u32::from(u32::try_from(index).unwrap_or(0) < extra);
        let end = start + length;
        let mut beat = match beats.get(index) {
            Some(beat) => beat.clone(),
            None if clip.foreign => String::new(),
            None if index == 0 => "the whole scene".to_owned(),
            None => again.clone(),
        };
        if index == speaking && !spoken.is_empty() {
            let who = pattern!(r"^{footage.pronoun_first} ").replace(&spoken, format!("{again} "));
            let said = if again == "the same subject" { &spoken } else { who.as_ref() };
            beat = if own { format!("{beat}; {spoken}") } else { said.to_owned() };
        }
        let size = sizes[index.min(3)];
        let camera = match (index, clip.moves.get(index)) {
            _ if !cameras.is_empty() => cameras[index].as_deref().unwrap_or(still),
            (_, Some(stated)) => stated.as_str(),
            (0, None) => first,
            _ => still,
        };
        let size =
            if clip.foreign || family == "kling" { size.to_owned() } else { capitalize(size) };
        let text = if family == "kling" {
            let beat = if clip.foreign { beat } else { framing::inline(&beat) };
            let parts = [size.as_str(), beat.trim_end_matches('.'), camera];
            let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            format!("Shot {} ({length} s): {}", index + 1, parts.join(", "))
        } else {
            let beat =
                if beat.is_empty() { beat } else { format!(" {}", stop(&capitalize(&beat))) };
            let camera = camera.strip_prefix("camera ").unwrap_or(camera);
            format!("[{start}-{end} s] Shot {}: {size}.{beat} Camera: {camera}", index + 1)
        };
        list.push(section(&format!("Shot {}", index + 1), &text));
        start = end;
    }
    list.push(match clip.craft {
        Some(craft) if !clip.dialogue.is_empty() => section("Dialogue", &craft.spoken),
        _ if clip.foreign => None,
        _ => section("Dialogue", &dialogue(clip)),
    });
    list.push(section(
        "Sound",
        &if clip.sound.is_empty() { String::new() } else { format!("sound: {}", clip.sound) },
    ));
    list.into_iter().flatten().collect()
}

/// A few plain sentences about motion, for models that want little and positive wording.
pub fn brief_motion(clip: &Clip<'_>) -> Vec<Section> {
    let camera = match clip.camera.to_lowercase() {
        still if still.contains("static") || still.contains("locked") => {
            "the camera stays still".to_owned()
        }
        _ if clip.camera_stated => "the camera keeps this one move, steady and smooth".to_owned(),
        _ => format!("the camera performs a {} and holds", clip.camera),
    };
    [
        section("Subject motion", &clip.subject),
        section("Details", &clip.details.join(". ")),
        section("Action", clip.action),
        section("Camera motion", &camera),
        section("Light and style", &join(clip.light, clip.style)),
        section("Dialogue", &dialogue(clip)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Camera instructions in square brackets beside the action.
pub fn bracketed(clip: &Clip<'_>) -> Vec<Section> {
    let command = match clip.camera.as_str() {
        camera
            if camera.contains("push")
                || camera.contains("dolly-in")
                || camera.contains("dolly in") =>
        {
            "[Push in]"
        }
        camera if camera.contains("pull") => "[Pull out]",
        camera if camera.contains("pan left") => "[Pan left]",
        camera if camera.contains("pan") => "[Pan right]",
        camera if camera.contains("tilt down") => "[Tilt down]",
        camera if camera.contains("tilt") => "[Tilt up]",
        camera if camera.contains("zoom out") => "[Zoom out]",
        camera if camera.contains("zoom") => "[Zoom in]",
        camera if camera.contains("handheld") => "[Shake]",
        camera if camera.contains("static") || camera.contains("locked") => "[Static shot]",
        camera if camera.contains("slide") => "[Truck right]",
        _ => "[Tracking shot]",
    };
    let action = if clip.action.is_empty() {
        String::new()
    } else {
        format!(" {}", stop(&capitalize(clip.action)))
    };
    [
        section(
            "Scene",
            &format!("{} {command}{action}", stop(&capitalize(&of(clip.shot, &clip.subject)))),
        ),
        section("Details", &clip.details.join(". ")),
        section("Look", &join(clip.light, clip.style)),
        section("Dialogue", &dialogue(clip)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// One present-tense paragraph that names the camera.
pub fn flowing(clip: &Clip<'_>) -> Vec<Section> {
    let opening = if clip.shot.is_empty() {
        clip.subject.clone()
    } else {
        format!(
            "the clip opens on {}: {}",
            article(clip.shot).to_lowercase(),
            framing::inline(&clip.subject)
        )
    };
    let camera = match clip.camera.to_lowercase() {
        still if still.contains("static") || still.contains("locked") => {
            "the camera stays on a tripod and never cuts".to_owned()
        }
        _ if clip.camera_stated => "the camera keeps this one move and never cuts".to_owned(),
        _ => format!("the camera follows with a {} that never cuts", clip.camera),
    };
    let with = |lead: &str, text: &str| {
        if text.is_empty() { String::new() } else { format!("{lead} {text}") }
    };
    [
        section("Opening", &opening),
        section("Details", &clip.details.join(". ")),
        section("Action", &with("there is", clip.action)),
        section("Camera", &camera),
        section("Light", &with("the scene has", clip.light)),
        section("Style", &with("it has a", clip.style)),
        section("Dialogue", &dialogue(clip)),
        section("Sound", &with("we hear", clip.sound)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn article(phrase: &str) -> String {
    if phrase.to_lowercase().starts_with(['a', 'e', 'i', 'o', 'u']) {
        format!("an {phrase}")
    } else {
        format!("a {phrase}")
    }
}
