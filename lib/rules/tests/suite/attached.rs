//! What results say of pictures that go with a request.
#![allow(missing_docs)]

use crate::common;

use std::io::Cursor;

use common::{brief, run};
use domain::Timestamp;
use engine::{
    Beside, Engine, EngineError, GenerateBrief, Image, PromptBrief, RefineBrief, TargetModel,
};
use futures::FutureExt;
use image::{ImageFormat, Rgb, RgbImage};
use rules::Rules;

const PROMPT: &str = "Write a caption of at most 20 words for the attached picture.";

const NOTE: &str =
    "What attached pictures show was not recognised: describe in words what matters.";

/// A file of `width` by `height` pixels with the colours that `paint` gives.
fn file(format: ImageFormat, width: u32, height: u32, paint: fn(u32, u32) -> [u8; 3]) -> Image {
    let picture = RgbImage::from_fn(width, height, |x, y| Rgb(paint(x, y)));
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).expect("a picture");
    Image { media_type: format.to_mime_type().to_owned(), bytes: bytes.into_inner() }
}

/// A flat red picture.
fn red(width: u32, height: u32) -> Image {
    file(ImageFormat::Png, width, height, |_, _| [200, 16, 32])
}

fn night() -> Image {
    file(ImageFormat::Jpeg, 90, 160, |x, _| [2, 4, 8 + u8::try_from(x / 9).unwrap_or(0)])
}

fn prompt(images: Vec<Image>, language: &str) -> PromptBrief {
    PromptBrief {
        prompt: PROMPT.to_owned(),
        context: String::new(),
        language: language.to_owned(),
        target_model: TargetModel::default(),
        variations: 1,
        images,
    }
}

fn feedback(images: Vec<Image>) -> RefineBrief {
    RefineBrief {
        beside: Beside::default(),
        prompt: PROMPT.to_owned(),
        feedback: "Make it friendlier.".to_owned(),
        language: "en".to_owned(),
        target_model: TargetModel::default(),
        images,
    }
}

fn now<T>(answer: engine::Answer<'_, T>) -> Result<T, EngineError> {
    answer.now_or_never().expect("rules answer at once")
}

fn until() -> Timestamp {
    Timestamp::from_millis(0)
}

fn goal(message: &str, target: &str, images: Vec<Image>) -> GenerateBrief {
    GenerateBrief { target_model: common::target(target), images, ..brief(message) }
}

/// What is said of pictures.
fn notes<'a>(said: impl IntoIterator<Item = &'a String>) -> Vec<&'a str> {
    said.into_iter().map(String::as_str).filter(|text| text.contains("ttached pictures")).collect()
}

#[test]
fn a_generation_says_in_its_assumptions_that_pictures_were_not_recognised() {
    let made = run(&goal(
        "Write a thank-you note to a colleague",
        "Universal",
        vec![red(300, 200), night()],
    ));
    let notes = notes(&made.assumptions);
    assert_eq!(notes, [NOTE]);
}

#[test]
fn an_analysis_says_it_in_its_notes_on_the_model() {
    let made = now(Rules.analyze(&prompt(vec![red(300, 200)], "en"), until())).expect("a result");
    let notes = notes(&made.model_fit.notes);
    assert_eq!(notes, [NOTE]);
}

#[test]
fn an_attached_picture_is_no_missing_material() {
    let missing = |images| {
        let made = now(Rules.analyze(&prompt(images, "en"), until())).expect("a result");
        made.findings.iter().any(|finding| finding.rule_id == "missing_reference")
    };
    assert!(missing(Vec::new()));
    assert!(!missing(vec![red(300, 200)]));
}

#[test]
fn an_optimization_says_it_in_its_advice() {
    let brief = prompt(vec![red(300, 200)], "en");
    let made = now(Rules.optimize(&brief, until())).expect("a result");
    let notes = notes(&made.implementation_advice);
    assert_eq!(notes, [NOTE]);
}

#[test]
fn doing_both_says_it_in_the_analysis_and_once() {
    let brief = prompt(vec![red(300, 200)], "en");
    let made = now(Rules.analyze_and_optimize(&brief, until())).expect("a result");
    let notes = notes(&made.analysis.model_fit.notes);
    assert_eq!(notes, [NOTE]);
}

#[test]
fn a_refinement_says_it_in_its_reasoning() {
    let made = now(Rules.refine(&feedback(vec![red(300, 200)]), until())).expect("a result");
    assert!(made.reasoning.ends_with(&format!(" {NOTE}")), "{}", made.reasoning);
}

#[test]
fn without_pictures_nothing_is_said_of_them() {
    let analysis = now(Rules.analyze(&prompt(Vec::new(), "en"), until())).expect("a result");
    assert!(notes(&analysis.model_fit.notes).is_empty());
    let refinement = now(Rules.refine(&feedback(Vec::new()), until())).expect("a result");
    assert!(!refinement.reasoning.contains("icture"));
}

#[test]
fn what_is_said_is_said_in_the_language_of_the_result() {
    for (tag, part) in [
        ("de", "wurde nicht erkannt: Beschreiben Sie"),
        ("es", "No se ha reconocido"),
        ("fr", "n’a pas été reconnu"),
        ("it", "non è stato riconosciuto"),
        ("pt-BR", "não foi reconhecido"),
        ("ja", "was not recognised"),
    ] {
        let brief = prompt(vec![red(300, 200)], tag);
        let made = now(Rules.analyze(&brief, until())).expect("a result");
        let note = made.model_fit.notes.last().expect("a note");
        assert!(note.contains(part), "{tag}: {note}");
    }
}
