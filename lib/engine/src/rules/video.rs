//! Composing prompts for video models.

use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;
use serde_json::json;

use super::draft::{Draft, technique};
use super::framing;
use super::goal::Goal;
use super::knowledge::any_of;
use super::pattern::regex;
use super::split::{capitalize, squeeze, stop};
use super::title;
use super::visual::{self, Vision};
use crate::{GenerateBrief, Mode, ModelKind, Section};

/// What is sensible for one kind of subject.
#[derive(Deserialize)]
struct Kind {
    id: String,
    cues: Vec<String>,
    shot: String,
    camera: String,
    action: String,
    setting: String,
    light: String,
    style: String,
    sound: String,
    beats: Vec<String>,
}

static KINDS: LazyLock<Vec<(Option<Regex>, Kind)>> = LazyLock::new(|| {
    let kinds: Vec<Kind> = serde_json::from_str(include_str!("../../knowledge/videos.json"))
        .expect("videos.json is compiled in");
    kinds.into_iter().map(|kind| (any_of(&kind.cues), kind)).collect()
});

/// A clip, aspect by aspect.
struct Clip<'a> {
    shot: &'a str,
    camera: String,
    /// Whether the subject names the camera move already.
    camera_stated: bool,
    subject: String,
    action: &'a str,
    setting: &'a str,
    light: &'a str,
    style: &'a str,
    sound: &'a str,
    dialogue: &'a [String],
    details: &'a [String],
    beats: Vec<String>,
    seconds: u32,
    /// Whether people are the subject.
    peopled: bool,
}

/// Writes the prompt for a clip.
pub fn compose(goal: &Goal, brief: &GenerateBrief) -> Draft {
    let vision = visual::read(goal, &goal.text, true);
    let model = brief.target_model.model();
    let family = if model.kind == ModelKind::Video { model.family.as_str() } else { "universal" };
    let default_seconds = ["durationSeconds", "duration"]
        .iter()
        .find_map(|key| model.parameters.get(*key))
        .and_then(|value| {
            value.as_u64().or_else(|| value.as_str()?.trim_end_matches('s').parse().ok())
        })
        .and_then(|seconds| u32::try_from(seconds).ok())
        .unwrap_or(8);
    let asked = asked_seconds(&vision.lower);
    let clip = clip(&vision, asked.unwrap_or(default_seconds));
    let ratio = vision.ratio.clone().unwrap_or_else(|| "16:9".to_owned());
    let mut parameters = model.parameters.clone();
    if model.kind != ModelKind::Video {
        parameters.clear();
        parameters.insert("aspectRatio".to_owned(), json!(ratio));
        parameters.insert("durationSeconds".to_owned(), json!(clip.seconds));
    }
    for key in ["aspectRatio", "aspect_ratio", "ratio"] {
        if parameters.contains_key(key) {
            parameters.insert(key.to_owned(), json!(ratio));
        }
    }
    for key in ["durationSeconds", "duration"] {
        if let Some(value) = parameters.get_mut(key) {
            *value = if value.is_string() {
                json!(format!("{}s", clip.seconds))
            } else {
                json!(clip.seconds)
            };
        }
    }
    if let Some(seed) = vision.seed {
        parameters.insert("seed".to_owned(), json!(seed));
    }
    let mut sections = match family {
        "kling" | "seedance" => shots(&clip, family),
        "runway" | "ray" => brief_motion(&clip),
        "minimax" => bracketed(&clip),
        "ltx" => flowing(&clip),
        _ => layered(&clip, family),
    };
    if !vision.exclusions.is_empty() && !model.negative_prompt {
        let list = vision.exclusions.join(", ");
        sections.push(Section {
            heading: "Limits".to_owned(),
            text: if matches!(family, "runway" | "ray" | "ltx" | "minimax") {
                format!("The frame stays free of {list}.")
            } else {
                format!("Leave out {list}.")
            },
        });
    }
    let separator = if matches!(family, "kling" | "seedance" | "veo" | "universal" | "omni") {
        "\n"
    } else {
        " "
    };
    let prompt =
        sections.iter().map(|section| section.text.as_str()).collect::<Vec<_>>().join(separator);
    let negative = model.negative_prompt.then(|| {
        let mut list = vision.exclusions.clone();
        let deserted = list.iter().any(|item| framing::is_people(item));
        list.extend(
            ["blurry", "distorted hands", "warped faces", "flicker", "watermark"]
                .into_iter()
                .filter(|fault| !(deserted && regex!("hands|faces").is_match(fault)))
                .map(str::to_owned),
        );
        if clip.dialogue.is_empty() && vision.lettering.is_empty() {
            list.push("subtitles".to_owned());
        }
        list.join(", ")
    });
    let mut assumptions = Vec::new();
    if asked.is_none() {
        assumptions
            .push(format!("No duration was given, so {} seconds are assumed.", clip.seconds));
    }
    if vision.ratio.is_none() {
        assumptions.push("No format was given, so 16:9 is used.".to_owned());
    }
    assumptions.push(
        "Camera, light and sound that the goal does not describe were chosen to suit the subject."
            .to_owned(),
    );
    let mut questions = vec![
        "Where will the clip be shown, and in which format?".to_owned(),
        "Is there an exact line to be spoken, or a sound that matters?".to_owned(),
    ];
    if vision.ratio.is_some() {
        questions.remove(0);
    }
    if !clip.dialogue.is_empty() {
        questions.pop();
    }
    let mut techniques = vec![
        technique(
            "one_camera_move",
            "One camera move per shot",
            format!("Keeps the motion readable: {}.", clip.camera),
        ),
        technique(
            "motion_first",
            "Action as visible motion",
            "Describes what can be seen moving, from first to last frame.",
        ),
    ];
    if matches!(family, "kling" | "seedance") {
        techniques.push(technique(
            "shot_list",
            "Shots in order",
            "Splits the clip into timed shots that repeat the subject, so that it stays the same.",
        ));
    }
    if !clip.dialogue.is_empty() {
        techniques.push(technique(
            "quoted_dialogue",
            "Dialogue in quotation marks",
            "Quotes spoken lines so that they are said word for word.",
        ));
    }
    Draft {
        title: if goal.language.is_some() { title::shorten(&vision.subject) } else { title::of_phrase(&vision.subject) },
        mode: Mode::Video,
        usage: vec![
            match model.kind {
                ModelKind::Video => format!("Paste the prompt into {} and set duration and format as in the parameters.", brief.target_model),
                _ => "Paste the prompt into a video generator and set duration and format as in the parameters.".to_owned(),
            },
            "Make two or three takes before you change a word; then change one thing at a time.".to_owned(),
            "For a fixed look, start from a still image of the first frame.".to_owned(),
        ],
        prompt,
        negative_prompt: negative,
        parameters,
        sections,
        assumptions,
        questions,
        techniques,
        ..Draft::default()
    }
}

fn asked_seconds(lower: &str) -> Option<u32> {
    let found = regex!(r"\b(\d{1,3})[- ]?(?:seconds?|secs?|s)\b").captures(lower)?;
    found[1].parse().ok().filter(|seconds| (1..=120).contains(seconds))
}

fn clip<'a>(vision: &'a Vision, seconds: u32) -> Clip<'a> {
    let kinds = &*KINDS;
    let deserted = vision.exclusions.iter().any(|item| framing::is_people(item));
    let kind = kinds
        .iter()
        .filter(|(_, kind)| !(deserted && kind.id == "people"))
        .filter_map(|(cue, kind)| Some((cue.as_ref()?.find(&vision.seen)?.start(), kind)))
        .min_by_key(|(start, _)| *start)
        .map_or(&kinds[kinds.len() - 1].1, |(_, kind)| kind);
    let moves = regex!(
        r"(?i)\b(?:slow |smooth |gentle |handheld |fast )?(?:dolly(?: |-)?(?:in|out|zoom)?|push(?:-| )in|pull(?:-| )(?:back|out)|pan(?:ning)?(?: left| right)?|tilt(?:ing)?(?: up| down)?|tracking shot|crane shot|orbit(?:ing)?(?: shot)?|drone (?:shot|flight|flyover)|zoom(?:ing)?(?: in| out)?|static (?:shot|camera)|locked-off|handheld|pov|follow shot|whip pan|360|camera (?:circles|orbits|follows|tracks|pans|tilts|zooms|pushes|pulls|glides|rises|moves|flies|descends|cranes)[^,.;]*|(?:circles|orbits|follows) (?:around )?(?:him|her|them|it))\b"
    );
    let camera = moves
        .find(&vision.lower)
        .map_or_else(|| kind.camera.clone(), |found| found.as_str().to_owned());
    let camera = if camera.contains("shot")
        || camera.contains("camera")
        || camera.contains("flight")
        || camera.contains("dolly")
        || camera.contains("push")
        || camera.contains("slide")
    {
        camera
    } else {
        format!("{camera} camera move")
    };
    let subject = regex!(
        r"(?i)[,;]?\s*(?:for |lasting |about )?\b\d{1,3}[- ]?(?:seconds?|secs?|s)\b(?: long)?[.,]?$"
    )
    .replace(&vision.subject, "")
    .into_owned();
    let camera_stated = moves.is_match(&subject);
    let acts = regex!(r"(?i)\b\w+ing\b|\b(?:walks?|runs?|jumps?|flies|swims?|dances?|turns?|opens?|drives?|falls?|rises?|looks?|says?|pours?|explodes?|melts?|plays?|sits?|stands?|moves?|spins?|drifts?|grows?|crashes|holds?|smiles?|eats?|drinks?|reveals?|transforms?|becomes?|floats?|enters?|leaves?|rotates?|tosses|throws?|catches|crosses|rides?|unfolds?|folds?|climbs?|cuts?|mixes|stirs?|kisses|hugs?|waves?|shakes?|lifts?|rolls?|slides?|glides?|chases|sings?|paints?|writes?|reads?|builds?|laughs?|cries|wakes?|breaks?|bursts?|blooms?|lands?|takes? off|passes|arrives?|pulls?|pushes|kicks?|hits?|time ?-?lapse|timelapse|from day to night)\b").is_match(&subject);
    let shot = if vision.stated.framing { "" } else { kind.shot.as_str() };
    let mut beats: Vec<String> = regex!(r"(?i)(?:,|;|\.)?\s*\b(?:and then|then|after that|afterwards|finally|next)\b,?\s+|\s*(?:->|→)\s*")
        .split(&subject)
        .map(squeeze)
        .filter(|beat| beat.split_whitespace().count() >= 2)
        .collect();
    // "product video: unfold it, ride it, fold it": the steps after the colon are the shots.
    if beats.len() < 2
        && let Some((_, steps)) = subject.split_once(": ")
    {
        let steps: Vec<String> =
            steps.split(", ").map(squeeze).filter(|step| step.contains(' ')).collect();
        if steps.len() >= 2 {
            beats = steps;
        }
    }
    if beats.len() < 2 {
        beats = kind
            .beats
            .iter()
            .filter(|beat| !deserted || !regex!(r"\b(?:hands|person|face|people)\b").is_match(beat))
            .take(if seconds <= 6 { 2 } else { 3 })
            .cloned()
            .collect();
    }
    Clip {
        shot,
        camera,
        camera_stated,
        subject,
        action: if acts || camera_stated { "" } else { &kind.action },
        setting: if vision.stated.place { "" } else { &kind.setting },
        light: if vision.stated.light { "" } else { &kind.light },
        style: if regex!(r"\b(?:cinematic|anime|pixar|documentary|vhs|claymation|stop motion|cartoon|style|photorealistic|black and white|3d|noir|vintage|retro)\b").is_match(&vision.lower) { "" } else { &kind.style },
        sound: if regex!(r"\b(?:music|sound|sounds|audio|silent|soundtrack|voice-?over|narrat\w+)\b").is_match(&vision.lower) { "" } else { &kind.sound },
        dialogue: &vision.dialogue,
        details: &vision.details,
        beats,
        seconds,
        peopled: kind.id == "people",
    }
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
fn layered(clip: &Clip<'_>, family: &str) -> Vec<Section> {
    let subject = of(clip.shot, &clip.subject);
    let action =
        if clip.action.is_empty() { String::new() } else { format!("the subject {}", clip.action) };
    let camera = if clip.camera_stated {
        "camera: this one move from beginning to end".to_owned()
    } else {
        format!("camera: {}, one continuous move", clip.camera)
    };
    let sound =
        if clip.sound.is_empty() { String::new() } else { format!("audio: {}", clip.sound) };
    let mut list = vec![
        section("Shot and subject", &subject),
        section("Details", &clip.details.join(". ")),
        section("Action", &action),
        section("Setting", clip.setting),
    ];
    if family == "wan" {
        list.extend([
            section("Camera", &camera),
            section("Light", clip.light),
            section("Style", clip.style),
            section("Dialogue", &dialogue(clip)),
        ]);
    } else {
        list.extend([
            section("Camera", &camera),
            section("Light and style", &join(clip.light, clip.style)),
            section("Dialogue", &dialogue(clip)),
            section("Sound", &sound),
        ]);
    }
    list.into_iter().flatten().collect()
}

fn join(first: &str, second: &str) -> String {
    [first, second].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(", ")
}

/// Numbered, timed shots that repeat the subject.
fn shots(clip: &Clip<'_>, family: &str) -> Vec<Section> {
    let number = u32::try_from(clip.beats.len()).unwrap_or(1).max(1);
    let (each, extra) = (clip.seconds / number, clip.seconds % number);
    let own = clip.beats.iter().any(|beat| clip.subject.contains(beat.as_str()));
    let mut list: Vec<Option<Section>> = vec![
        section(
            "Subject",
            &if own {
                format!(
                    "the same {} and place in every shot",
                    if clip.peopled { "people, clothing" } else { "subject, light" }
                )
            } else {
                format!("{}, the same in every shot", clip.subject)
            },
        ),
        section("Details", &clip.details.join(". ")),
        section("Look", &join(&join(clip.setting, clip.light), clip.style)),
    ];
    let framing = ["wide shot", "medium shot", "close-up", "detail shot"];
    let moves = [clip.camera.as_str(), "static camera", "slow push-in", "static camera"];
    let mut start = 0;
    for (index, beat) in clip.beats.iter().enumerate() {
        let length = each + u32::from((index as u32) < extra);
        let end = start + length;
        let beat = if own || index > 0 {
            beat.clone()
        } else {
            format!(
                "{beat}: the subject {}",
                if clip.action.is_empty() { "begins to move" } else { clip.action }
            )
        };
        let text = if family == "kling" {
            format!(
                "Shot {} ({length} s): {}, {}, {}",
                index + 1,
                framing[index.min(3)],
                beat,
                moves[index.min(3)]
            )
        } else {
            format!(
                "[{start}-{end} s] Shot {}: {}. {}. Camera: {}",
                index + 1,
                capitalize(framing[index.min(3)]),
                capitalize(&beat),
                moves[index.min(3)]
            )
        };
        list.push(section(&format!("Shot {}", index + 1), &text));
        start = end;
    }
    list.push(section("Dialogue", &dialogue(clip)));
    list.push(section(
        "Sound",
        &if clip.sound.is_empty() { String::new() } else { format!("sound: {}", clip.sound) },
    ));
    list.into_iter().flatten().collect()
}

/// A few plain sentences about motion, for models that want little and positive wording.
fn brief_motion(clip: &Clip<'_>) -> Vec<Section> {
    let camera = format!(
        "the camera performs a {} and holds",
        clip.camera.replace("static shot", "static hold")
    );
    let camera = match clip.camera.as_str() {
        still if still.starts_with("static") || still.starts_with("locked") => {
            "the camera stays still".to_owned()
        }
        _ if clip.camera_stated => "the camera keeps this one move, steady and smooth".to_owned(),
        _ => camera,
    };
    let action =
        if clip.action.is_empty() { String::new() } else { format!("the subject {}", clip.action) };
    [
        section("Subject motion", &clip.subject),
        section("Details", &clip.details.join(". ")),
        section("Action", &action),
        section("Camera motion", &camera),
        section("Scene", &join(clip.setting, clip.light)),
        section("Style", clip.style),
        section("Dialogue", &dialogue(clip)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Camera instructions in square brackets beside the action.
fn bracketed(clip: &Clip<'_>) -> Vec<Section> {
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
        format!(" The subject {}.", clip.action)
    };
    [
        section(
            "Scene",
            &format!("{} {command}{action}", stop(&capitalize(&of(clip.shot, &clip.subject)))),
        ),
        section("Details", &clip.details.join(". ")),
        section("Look", &join(&join(clip.setting, clip.light), clip.style)),
        section("Dialogue", &dialogue(clip)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// One present-tense paragraph that names the camera.
fn flowing(clip: &Clip<'_>) -> Vec<Section> {
    let opening = if clip.shot.is_empty() {
        clip.subject.clone()
    } else {
        format!(
            "the clip opens on {}: {}",
            article(clip.shot).to_lowercase(),
            framing::inline(&clip.subject)
        )
    };
    let action = if clip.action.is_empty() {
        String::new()
    } else {
        format!("as the moment goes on, the subject {}", clip.action)
    };
    let camera = format!("the camera follows with a {} that never cuts", clip.camera);
    let camera = if clip.camera.starts_with("static") || clip.camera.starts_with("locked") {
        "the camera stays on a tripod and never cuts".to_owned()
    } else {
        camera
    };
    let light = if clip.light.is_empty() {
        String::new()
    } else {
        format!("the scene is lit by {}", clip.light)
    };
    let style =
        if clip.style.is_empty() { String::new() } else { format!("it has a {}", clip.style) };
    let sound =
        if clip.sound.is_empty() { String::new() } else { format!("we hear {}", clip.sound) };
    [
        section("Opening", &opening),
        section("Details", &clip.details.join(". ")),
        section(
            "Setting",
            &if clip.setting.is_empty() {
                String::new()
            } else {
                format!("it takes place {}", clip.setting)
            },
        ),
        section("Action", &action),
        section("Camera", &camera),
        section("Light", &light),
        section("Style", &style),
        section("Dialogue", &dialogue(clip)),
        section("Sound", &sound),
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
