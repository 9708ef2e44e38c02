//! What becomes of a prompt when feedback wants one thing instead of another, names a part, or asks for the
//! opposite of what the prompt says.
#![allow(clippy::expect_used)]

use crate::common;

use common::refine_for;
use engine::FeedbackStatus;

/// Checks rows of prompt, feedback and the prompt that comes of it, and tells all that differ.
fn check(model: &str, rows: &[(&str, &str, &str)]) {
    let mut wrong = Vec::new();
    for (prompt, feedback, expected) in rows {
        let result = refine_for(model, prompt, feedback);
        if result.prompt != *expected {
            wrong.push(format!("{feedback}\n  is   {}\n  want {expected}", result.prompt));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_wanted_instead_takes_the_place_with_its_unit_article_and_preposition() {
    check(
        "Universal",
        &[
            (
                "Create a 45-minute lesson plan about volcanoes.",
                "Make it 60 minutes instead of 45",
                "Create a 60-minute lesson plan about volcanoes.",
            ),
            (
                "Plan a workshop of 45 minutes for 45 teachers.",
                "90 minutes instead of 45",
                "Plan a workshop of 90 minutes for 45 teachers.",
            ),
            (
                "Explain recursion. Include three examples.",
                "Two examples instead of three",
                "Explain recursion. Include two examples.",
            ),
            (
                "Explain recursion. Include one example.",
                "Three examples rather than one",
                "Explain recursion. Include three examples.",
            ),
            (
                "Write a story about a cat in a forest.",
                "Use an owl instead of the cat",
                "Write a story about an owl in a forest.",
            ),
            (
                "Write a story about a cat in a forest.",
                "Dogs instead of a cat",
                "Write a story about dogs in a forest.",
            ),
            (
                "Plan a trip to Porto for the weekend.",
                "Lisbon instead of Porto",
                "Plan a trip to Lisbon for the weekend.",
            ),
            (
                "Schreibe eine Anzeige. Zielgruppe: Singles.",
                "Zielgruppe sind Familien statt Singles",
                "Schreibe eine Anzeige. Zielgruppe: Familien.",
            ),
            (
                "Escribe un poema sobre el mar.",
                "La montaña en lugar del mar",
                "Escribe un poema sobre la montaña.",
            ),
        ],
    );
    check(
        "Veo 3.1",
        &[(
            "A lighthouse on a cliff. Slow dolly in.",
            "Handheld camera instead of the dolly",
            "A lighthouse on a cliff. Slow handheld camera.",
        )],
    );
}

#[test]
fn what_does_not_fit_is_a_requirement_and_only_partly_applied() {
    for (prompt, feedback) in [
        (
            "Write an email to customers with a discount of 10%.",
            "Mention free samples instead of the discount",
        ),
        (
            "Announce our 20% discount on everything.",
            "Mention free shipping instead of the discount",
        ),
        ("Escribe un poema sobre el mar.", "Usa montaña en lugar de mar"),
        ("Écris un poème au sujet du vent.", "La pluie au lieu du vent"),
        ("Plan a workshop of 45 hours.", "60 minutes instead of 45"),
    ] {
        let result = refine_for("Universal", prompt, feedback);
        let item = &result.feedback_items[0];
        assert_eq!(item.status, FeedbackStatus::PartlyApplied, "{feedback}: {}", result.prompt);
        assert_eq!(result.prompt, format!("{prompt} {feedback}."), "{feedback}");
    }
}

#[test]
fn a_part_gets_its_own_length() {
    check(
        "Universal",
        &[
            (
                "Create a 45-minute lesson plan about volcanoes with a group activity.",
                "Make the activity 10 minutes",
                "Create a 45-minute lesson plan about volcanoes with a group activity. Make the activity 10 minutes.",
            ),
            (
                "Create a 45-minute lesson about volcanoes with a 5-minute game.",
                "Make the game 10 minutes",
                "Create a 45-minute lesson about volcanoes with a 10-minute game.",
            ),
            (
                "Create a 45-minute lesson about volcanoes with a 5-minute game.",
                "Make the lesson 60 minutes",
                "Create a 60-minute lesson about volcanoes with a 5-minute game.",
            ),
        ],
    );
}

#[test]
fn a_scene_is_described_in_the_words_of_the_feedback() {
    check(
        "Veo 3.1",
        &[
            (
                "A cat sits by a window. Slow push in.",
                "Make it rain outside",
                "A cat sits by a window. Slow push in. Rain outside.",
            ),
            (
                "A cat sits by a window. Slow push in.",
                "Make it snow",
                "A cat sits by a window. Slow push in. Snow.",
            ),
            (
                "A cat sits by a window. Slow push in.",
                "Make it night",
                "A cat sits by a window. Slow push in. Night.",
            ),
        ],
    );
    check(
        "Midjourney V8.1",
        &[
            (
                "a lighthouse on a cliff at dawn --ar 16:9 --no people",
                "add a red boat, at night instead of dawn, no birds",
                "a lighthouse on a cliff at night, a red boat --ar 16:9 --no people, birds",
            ),
            (
                "a cozy room with a red sofa, soft light --ar 16:9",
                "Make the sofa orange",
                "a cozy room with a red sofa, soft light, the sofa orange --ar 16:9",
            ),
            (
                "a cozy room with a sofa, soft light",
                "Make the sofa blue and add a lamp",
                "a cozy room with a sofa, soft light, the sofa blue, a lamp",
            ),
        ],
    );
}

#[test]
fn requirements_stand_before_the_examples_and_the_open_pair() {
    check(
        "Universal",
        &[
            (
                "Classify the sentiment of a review.\n\nReview: Great film\nSentiment: positive\n\nReview: Bad sound\nSentiment: negative\n\nReview: {{review}}\nSentiment:",
                "Never answer with neutral",
                "Classify the sentiment of a review.\n\nNever answer with neutral.\n\nReview: Great film\nSentiment: positive\n\nReview: Bad sound\nSentiment: negative\n\nReview: {{review}}\nSentiment:",
            ),
            (
                "Classify the sentiment.\n\nExamples:\nReview: Great film\nSentiment: positive\n\nReview: {{review}}\nSentiment:",
                "Never answer with neutral",
                "Classify the sentiment.\n\nNever answer with neutral.\n\nExamples:\nReview: Great film\nSentiment: positive\n\nReview: {{review}}\nSentiment:",
            ),
            (
                "Classify the sentiment.\n\nReview: {{review}}\nSentiment:",
                "Never answer with neutral",
                "Classify the sentiment.\n\nNever answer with neutral.\n\nReview: {{review}}\nSentiment:",
            ),
        ],
    );
}

#[test]
fn the_opposite_does_not_stay_beside_a_wish() {
    check(
        "Universal",
        &[
            (
                "Extract the names and return JSON exactly as shown. Return nothing but the JSON.",
                "Return YAML instead of JSON",
                "Extract the names and return YAML exactly as shown. Return nothing but the YAML.",
            ),
            (
                "Plan a lesson for 25 students, including 5 ELL students. Keep it practical.",
                "Remove everything about ELL",
                "Plan a lesson for 25 students. Keep it practical.",
            ),
            (
                "Write a post about tea. Keep it short. End with a question.",
                "Drop the question at the end",
                "Write a post about tea. Keep it short.",
            ),
            (
                "You are an agent. Never call fetch more than 10 times. Report what you found.",
                "Max 5 fetch calls",
                "You are an agent. Never call fetch more than 5 times. Report what you found.",
            ),
            (
                "Rédige un plan pour apprendre le piano. Le plan couvre 3 mois.",
                "1 mois",
                "Rédige un plan pour apprendre le piano. Le plan couvre 1 mois.",
            ),
            (
                "Crea un menú semanal vegetariano de 2000 kcal al día para mi familia.",
                "Que sean 1800 kcal",
                "Crea un menú semanal vegetariano de 1800 kcal al día para mi familia.",
            ),
            (
                "お茶についての記事を300字以内で書いてください。",
                "200字以内にしてください",
                "お茶についての記事を200字以内で書いてください。",
            ),
        ],
    );
}

#[test]
fn what_only_history_can_undo_is_refused() {
    let prompt = "Write a post about tea.";
    for feedback in
        ["Undo the topic change", "Revert the last change", "Go back to the first version"]
    {
        let result = refine_for("Universal", prompt, feedback);
        assert_eq!(result.prompt, prompt, "{feedback}");
        assert_eq!(result.feedback_items[0].status, FeedbackStatus::NotApplied, "{feedback}");
    }
}
