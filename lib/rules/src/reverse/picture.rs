//! A picture or clip that fits the content, for models that make nothing else.

use super::findings::Findings;
use crate::attached::Attached;
use crate::draft::Draft;
use crate::generate;
use engine::{EngineError, GenerateBrief, Mode, ModelKind, OutputMode, ReverseBrief};

/// Writes the prompt for a picture or clip about what the content is about.
pub fn compose(findings: &Findings, brief: &ReverseBrief) -> Result<Draft, EngineError> {
    let moving = brief.target_model.model().kind == ModelKind::Video;
    let goal = GenerateBrief {
        message: message(findings, moving),
        mode: Mode::Auto,
        output_mode: OutputMode::ReadyToUse,
        target_model: brief.target_model,
        language: "en".to_owned(),
        current_prompt: None,
        conversation: Vec::new(),
        previous: None,
        images: Vec::new(),
    };
    generate::draft(&goal, &Attached::default())
}

fn message(findings: &Findings, moving: bool) -> String {
    let medium = match (moving, findings.genre.id.as_str()) {
        (true, _) => "a clip of",
        (_, "product_description" | "product_page" | "advertisement") => "a product photograph of",
        (_, "recipe" | "recipe_page") => "a food photograph of",
        (_, "poem" | "story" | "song" | "script") => "an illustration of",
        _ => "an editorial photograph of",
    };
    // A photograph of a product shows one thing; a scene can hold two.
    let most = if medium.starts_with("a product") { 1 } else { 2 };
    let topics: Vec<String> = findings.topics.iter().take(most).map(|topic| plain(topic)).collect();
    let subject =
        if topics.is_empty() { "an everyday scene".to_owned() } else { topics.join(" and ") };
    let mood = findings.voice.tones.first().map(|tone| match *tone {
        "friendly" => "warm",
        "persuasive" => "inviting",
        "enthusiastic" => "energetic",
        "urgent" => "tense",
        "critical" => "sober",
        "authoritative" => "serious",
        "humorous" => "playful",
        "melancholy" => "melancholic",
        "narrative" => "mysterious",
        _ => "calm",
    });
    match mood {
        Some(mood) => format!("{medium} {subject}, {mood} mood"),
        None => format!("{medium} {subject}"),
    }
}

/// A topic without signs that steer image models, such as `--ar`.
fn plain(topic: &str) -> String {
    topic
        .replace("--", " ")
        .replace([':', ';', ',', '.', '!', '?'], " ")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}
