//! What becomes of feedback on prompts for pictures and clips.
#![allow(clippy::expect_used)]

use crate::common;

use common::refine_for as refine;
use engine::FeedbackStatus;

#[test]
fn descriptions_stay_before_trailing_parameters() {
    let result = refine(
        "Midjourney V8.1",
        "a red fox in snow, with a kite, soft light --ar 1:1 --no text",
        "make it darker, remove the kite, 16:9, no people, add a wooden cabin",
    );
    assert_eq!(
        result.prompt,
        "a red fox in snow, soft light, darker, a wooden cabin --ar 16:9 --no text, kite, people"
    );
    let bare = refine("Midjourney V8.1", "a red fox", "16:9; no text, no people");
    assert_eq!(bare.prompt, "a red fox --ar 16:9 --no text, people");
}

#[test]
fn what_may_contradict_the_description_is_left() {
    let prompt = "a red fox in snow at dawn, photo --ar 1:1";
    for feedback in [
        "make the light warmer",
        "remove them",
        "at night",
        "blue",
        "watercolour",
        "no snow",
        "fox from behind",
        "less red",
    ] {
        let result = refine("Midjourney V8.1", prompt, feedback);
        assert_eq!(result.prompt, prompt, "{feedback}");
        assert_eq!(result.feedback_items[0].status, FeedbackStatus::NotApplied, "{feedback}");
    }
}

#[test]
fn a_colour_takes_no_place_of_a_thing() {
    let result = refine("Veo 3.1", "a canoe on a lake, a green hut", "canoe → yellow");
    assert_eq!(result.prompt, "a canoe on a lake, a green hut");
    assert_eq!(result.feedback_items[0].status, FeedbackStatus::NotApplied);
}

#[test]
fn prose_gets_sentences() {
    let result = refine(
        "FLUX.2",
        "A red fox in snow at dawn.",
        "night instead of dawn; replace the fox with a wolf; add a lantern",
    );
    assert_eq!(result.prompt, "A red wolf in snow at night. A lantern.");
}

#[test]
fn clips_change_their_length_and_format() {
    let result = refine(
        "Veo 3.1",
        "Wide shot of a red fox in snow, 16:9 aspect ratio. The camera pans left for 8 seconds.",
        "Make it 5 seconds. vertical",
    );
    assert_eq!(
        result.prompt,
        "Wide shot of a red fox in snow, 9:16 aspect ratio. The camera pans left for 5 seconds."
    );
}

#[test]
fn a_bare_number_describes_nothing() {
    let clip = "A vineyard at sunrise, golden light, 30 seconds";
    let result = refine("Veo 3.1", clip, "30 sec is not possible with our tool, make it 8.");
    assert_eq!(result.prompt, clip);
    let statuses: Vec<_> = result.feedback_items.iter().map(|item| item.status).collect();
    assert_eq!(statuses, [FeedbackStatus::NotApplied; 2]);
    let birds = refine("Veo 3.1", "A vineyard at sunrise, golden light", "add 3 birds");
    assert_eq!(birds.prompt, "A vineyard at sunrise, golden light, 3 birds");
}

#[test]
fn exclusions_go_where_the_model_takes_them() {
    let field = refine("Stable Diffusion 3.5", "portrait of a sailor, pipe, storm", "no hats");
    assert_eq!(field.prompt, "portrait of a sailor, pipe, storm");
    assert_eq!(field.feedback_items[0].status, FeedbackStatus::NotApplied);
    assert!(field.feedback_items[0].reason.contains("hats"));
    let cut =
        refine("Stable Diffusion 3.5", "portrait of a sailor, pipe, storm", "remove the pipe");
    assert_eq!(cut.prompt, "portrait of a sailor, storm");
    let free = refine("FLUX.2", "A street at night.", "without cars");
    assert_eq!(free.prompt, "A street at night. Free of cars.");
}
