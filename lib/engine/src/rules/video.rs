//! Composing prompts for video models.

use std::sync::LazyLock;

use patterns::{Pattern, pattern, table};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::camera;
use super::craft;
use super::draft::{Draft, Omitted, technique};
use super::footage::{self, Clip};
use super::framing;
use super::goal::Goal;
use super::image;
use super::knowledge::{Cues, cue};
use super::quotes::Quotes;
use super::retouch;
use super::split::squeeze;
use super::title;
use super::visual::{self, Vision};
use crate::{GenerateBrief, Mode, ModelKind, Section};

/// What is sensible for one kind of subject.
#[derive(Deserialize)]
struct Kind {
    id: String,
    shot: String,
    camera: String,
}

/// What is said of light, style, motion and sound where the goal says nothing: nothing that could be seen.
const LIGHT: &str = "soft directional light with gentle contrast";
const STYLE: &str = "cinematic look, natural colours";
const ACTION: &str = "subtle, natural motion throughout";
const SOUND: &str = "the natural sound of the scene";

const CUES: Cues = table!("video_kinds", r"\b{}(?:\b|$)");

static KINDS: LazyLock<Vec<(Option<Pattern>, Kind)>> = LazyLock::new(|| {
    let kinds: Vec<Kind> = serde_json::from_str(include_str!("../../knowledge/videos.json"))
        .expect("videos.json is compiled in");
    kinds.into_iter().map(|kind| (cue(CUES, &kind.id), kind)).collect()
});

/// Writes the prompt for a clip.
pub fn compose(goal: &Goal, brief: &GenerateBrief) -> Draft {
    if retouch::is_edit(&goal.text) {
        return retouch::compose(goal, brief, Mode::Video);
    }
    let vision = visual::read(goal, &goal.text, true);
    let model = brief.target_model.model();
    let family = if model.kind == ModelKind::Video { model.family.as_str() } else { "universal" };
    let asked = asked_seconds(&vision.lower);
    let shot_list = matches!(family, "kling" | "seedance");
    let (clip, left_out) = clip(&vision, goal, asked.unwrap_or(default_seconds(brief)), shot_list);
    let ratio = vision.ratio.clone().unwrap_or_else(|| "16:9".to_owned());
    let mut parameters = settings(brief, Some(&ratio), Some(clip.seconds), vision.seed);
    let unread = visual::apply(&vision.sampling, &mut parameters);
    let mut sections = match family {
        "kling" | "seedance" => footage::shots(&clip, family),
        _ if clip.foreign => footage::plain(&clip, family),
        "runway" | "ray" => footage::brief_motion(&clip),
        "minimax" => footage::bracketed(&clip),
        "ltx" => footage::flowing(&clip),
        _ => footage::layered(&clip, family),
    };
    if !vision.exclusions.is_empty() && !model.negative_prompt {
        let list = vision.exclusions.join(", ");
        sections.push(Section {
            heading: "Limits".to_owned(),
            text: match clip.craft {
                Some(craft) => {
                    let list: Vec<&str> =
                        vision.exclusions.iter().map(|item| craft.name(item)).collect();
                    craft::stop(&craft.free.replace("{}", &list.join(", ")))
                }
                None if matches!(family, "runway" | "ray" | "ltx" | "minimax") => {
                    format!("The frame stays free of {list}.")
                }
                None => format!("Leave out {list}."),
            },
        });
    }
    let separator = if matches!(family, "kling" | "seedance" | "veo" | "universal" | "omni") {
        "\n"
    } else {
        " "
    };
    let prompt = craft::joined(&sections, separator);
    let negative = model.negative_prompt.then(|| {
        let deserted = vision.exclusions.iter().any(|item| framing::is_people(item));
        let faults = ["blurry", "distorted hands", "warped faces", "flicker", "watermark"]
            .into_iter()
            .filter(|fault| !(deserted && pattern!("{video.body}").is_match(fault)));
        let silent = clip.dialogue.is_empty() && vision.lettering.is_empty();
        let usual = faults.chain(silent.then_some("subtitles")).map(str::to_owned);
        visual::each_once(vision.exclusions.iter().cloned().chain(usual)).join(", ")
    });
    let mut omitted: Vec<Omitted> = visual::omitted(&vision.flags, &unread).into_iter().collect();
    if !left_out.is_empty() {
        omitted.push(Omitted::Moves(left_out));
    }
    let mut assumptions: Vec<String> =
        omitted.iter().map(|omitted| omitted.told(&model.name)).collect();
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
    if shot_list {
        techniques.push(technique(
            "shot_list",
            "Shots in order",
            if footage::repeats(&clip) {
                "Splits the clip into timed shots that repeat the subject, so that it stays the same."
            } else {
                "Splits the clip into timed shots, in the order in which things happen."
            },
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
        title: if visual::language(goal).is_some() { title::shorten(&vision.subject) } else { title::of_phrase(&vision.subject) },
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
        omitted,
        ..Draft::default()
    }
}

fn default_seconds(brief: &GenerateBrief) -> u32 {
    let model = brief.target_model.model();
    ["durationSeconds", "duration"]
        .iter()
        .find_map(|key| model.parameters.get(*key))
        .and_then(|value| {
            value.as_u64().or_else(|| value.as_str()?.trim_end_matches('s').parse().ok())
        })
        .and_then(|seconds| u32::try_from(seconds).ok())
        .unwrap_or(8)
}

/// The settings of a video model; what is not given is left to the model.
pub fn settings(
    brief: &GenerateBrief,
    ratio: Option<&str>,
    seconds: Option<u32>,
    seed: Option<u32>,
) -> Map<String, Value> {
    let model = brief.target_model.model();
    let mut parameters = model.parameters.clone();
    if model.kind != ModelKind::Video {
        parameters.clear();
        parameters.insert("aspectRatio".to_owned(), Value::Null);
        parameters.insert("durationSeconds".to_owned(), Value::Null);
    }
    for key in ["aspectRatio", "aspect_ratio", "ratio", "size"] {
        match (ratio, parameters.get_mut(key)) {
            (Some(ratio), Some(value)) => *value = json!(ratio),
            (None, Some(_)) => {
                parameters.remove(key);
            }
            _ => {}
        }
    }
    for key in ["durationSeconds", "duration"] {
        match (seconds, parameters.get_mut(key)) {
            (Some(seconds), Some(value)) if value.is_string() => {
                *value = json!(format!("{seconds}s"));
            }
            (Some(seconds), Some(value)) => *value = json!(seconds),
            (None, Some(_)) => {
                parameters.remove(key);
            }
            _ => {}
        }
    }
    if let Some(seed) = seed {
        parameters.insert("seed".to_owned(), json!(seed));
    }
    parameters
}

/// How long the clip is to be; "after 3 seconds" says something else.
fn asked_seconds(lower: &str) -> Option<u32> {
    let inside = pattern!(r"{video.moment}\s+(?:{video.the} )?$");
    pattern!(r"\b(\d{1,3})[- ]?(?:{video.seconds}\b|s\b|{video.seconds_scripted})")
        .captures_iter(lower)
        .filter(|found| found.get(0).is_none_or(|whole| !inside.is_match(&lower[..whole.start()])))
        .find_map(|found| found[1].parse().ok().filter(|seconds| (1..=120).contains(seconds)))
}

/// The text without the statement of the clip's length.
fn without_seconds(text: &str) -> String {
    let alone = pattern!(
        r"(?i)(?:^|[,;、，]\s*|\s)(?:{video.lasting} )*\d{1,3}[- ]?(?:{video.seconds}|s|{video.seconds_scripted})(?: {video.long})?(?P<end>[.,;、，]|$)"
    );
    let inside = pattern!(r"(?i){video.moment}(?: {video.the})?$");
    let text = alone.replace_all(text, |found: &patterns::Captures<'_>| {
        let before = found.get(0).map_or("", |whole| &text[..whole.start()]);
        if inside.is_match(before.trim_end()) {
            found[0].to_owned()
        } else {
            found["end"].to_owned()
        }
    });
    framing::mended(&text)
}

fn clip<'a>(
    vision: &'a Vision,
    goal: &Goal,
    seconds: u32,
    shot_list: bool,
) -> (Clip<'a>, Vec<String>) {
    let kinds = &*KINDS;
    let deserted = vision.exclusions.iter().any(|item| framing::is_people(item));
    let kind = kinds
        .iter()
        .filter(|(_, kind)| !(deserted && kind.id == "people"))
        .filter_map(|(cue, kind)| Some((image::head((*cue)?, &vision.seen)?, kind)))
        .min_by_key(|(start, _)| *start)
        .map_or(&kinds[kinds.len() - 1].1, |(_, kind)| kind);
    let foreign = visual::language(goal).is_some();
    let mut subject = without_seconds(&vision.subject);
    let mut details: Vec<String> =
        vision.details.iter().map(|text| without_seconds(text)).collect();
    details.retain(|text| text.chars().any(char::is_alphanumeric));
    // A shot list has room for all moves, each in a shot of its own; other prompts keep one.
    let (moves, left_out) = camera::settle(&mut subject, &mut details, shot_list);
    let camera = moves.first().map_or_else(|| kind.camera.clone(), Clone::clone);
    let camera_stated = !(moves.is_empty() || shot_list && moves.len() > 1)
        || foreign && camera::is_named_abroad(&vision.lower);
    let camera = if pattern!("(?i){video.camera}").is_match(&camera) {
        camera
    } else {
        format!("{camera} camera move")
    };
    let acts = pattern!(r"(?i)\b{footage.participle}\b|\b(?:{footage.action}|{video.change})\b")
        .is_match(&subject);
    let beats = beats(&subject);
    let said = |words: Pattern| words.is_match(&vision.lower) || foreign;
    let clip = Clip {
        shot: if vision.stated.framing || !moves.is_empty() || foreign { "" } else { &kind.shot },
        camera,
        camera_stated,
        moves,
        action: if acts || camera_stated || foreign { "" } else { ACTION },
        light: if vision.stated.light || foreign { "" } else { LIGHT },
        style: if said(pattern!(r"\b{video.style}\b")) { "" } else { STYLE },
        sound: if said(pattern!(r"\b{video.sound}\b")) { "" } else { SOUND },
        dialogue: &vision.dialogue,
        subject,
        details,
        beats,
        seconds,
        craft: visual::language(goal).and_then(craft::of),
        foreign,
    };
    (clip, left_out)
}

/// What happens, step by step; empty if the user names no steps.
fn beats(subject: &str) -> Vec<String> {
    let (masked, quotes) = Quotes::mask(subject, true);
    let steps = |pattern: Pattern| -> Vec<String> {
        let mut pieces = Vec::new();
        let mut start = 0;
        for mark in pattern.find_iter(&masked) {
            if separates(&masked, &mark) {
                pieces.push(&masked[start..mark.start()]);
                start = mark.end();
            }
        }
        pieces.push(&masked[start..]);
        pieces
            .into_iter()
            .map(squeeze)
            .filter(|beat| beat.chars().filter(|c| c.is_alphanumeric()).take(2).count() == 2)
            .map(|beat| quotes.unmask(&beat))
            .collect()
    };
    let found = steps(pattern!(
        r"(?i)(?:,|;|\.)?\s*\b{video.then}\b,?\s+|\s*(?:->|→)\s*|[，、。]?{video.then_scripted}[，、]?"
    ));
    if found.len() >= 2 {
        return found;
    }
    // "product video: unfold it, ride it, fold it": the steps after the colon are the shots.
    if let Some((_, rest)) = masked.split_once(": ") {
        let found: Vec<String> =
            rest.split(", ").map(squeeze).filter(|step| step.contains(' ')).collect();
        if found.len() >= 2 {
            return found.iter().map(|step| quotes.unmask(step)).collect();
        }
    }
    Vec::new()
}

/// Whether words of order set two steps apart. "Next to the boy" is a place, "now and then" a frequency.
fn separates(text: &str, mark: &patterns::Match<'_>) -> bool {
    let word = mark.as_str().trim_matches([' ', ',', ';', '.']).to_lowercase();
    let before = text[..mark.start()].trim_end();
    let after = &text[mark.end()..];
    match word.as_str() {
        "next" => {
            let opens = before.is_empty() || mark.as_str().starts_with([',', ';', '.']);
            opens && !pattern!(r"(?i)^{video.after_next}\b").is_match(after)
        }
        "after that" | "finally" | "afterwards" => {
            !pattern!(r"(?i)^{video.after_that}\b").is_match(after)
        }
        "then" | "and then" => !pattern!(r"(?i)\b{video.before_then}$").is_match(before),
        _ => true,
    }
}
