//! The forms in which feedback says what takes the place of what, and where it is passed on.
#![allow(clippy::expect_used)]

use crate::common;

use common::refine_for;
use engine::FeedbackStatus;

/// What feedback makes of a prompt, with the statuses of its points.
fn made(prompt: &str, feedback: &str) -> (String, Vec<FeedbackStatus>) {
    let result = refine_for("Universal", prompt, feedback);
    (result.prompt, result.feedback_items.into_iter().map(|item| item.status).collect())
}

#[test]
fn nothing_is_added_to_a_chat_in_yaml() {
    let prompt = "messages:\n  - role: system\n    content: |\n      You write reports.\n      Use 3 sections.\n  - role: user\n    content: |\n      {{notes}}\n";
    let (made, status) = made(prompt, "be kinder to the builders");
    assert_eq!((made.as_str(), status), (prompt, vec![FeedbackStatus::NotApplied]));
}

#[test]
fn what_is_said_behind_a_new_quotation_is_passed_on() {
    let (made, status) = made(
        "Write a memo.\n\n1. Risks\n2. Management Tone\n\nQuarter: {{quarter}}",
        "Replace \"Management Tone\" with \"Changes\" and give it last year's memo to compare with.",
    );
    assert!(made.contains("2. Changes") && made.contains("last year's memo"), "{made}");
    assert_eq!(status, [FeedbackStatus::PartlyApplied]);
}

#[test]
fn the_marker_of_a_role_stays_alone_on_its_line() {
    let prompt = "system:\nYou route mails.\nqueue: <queue>\n\nuser:\n{{mail}}\n";
    let (made, _) = made(prompt, "be kinder");
    assert!(made.starts_with("system:\nFollow this"), "{made}");
}

#[test]
fn a_new_name_of_a_variable_is_never_passed_on_as_one_that_is_empty() {
    let (made, _) = made(
        "Print the result.\n\nQuestion: {{q}}",
        "rename {{q}} to {{question}}, and draw a chart if the question asks for one",
    );
    assert!(made.contains("Question: {{question}}") && !made.contains("{{q}}"), "{made}");
    assert_eq!(made.matches("{{").count(), 1, "{made}");
}

#[test]
fn what_leans_on_another_word_takes_no_place() {
    let (made, _) =
        made("A barn at sunset, oil painting, waves", "I want it in the morning instead of sunset");
    assert!(made.contains("at sunset"), "{made}");
    let (made, _) =
        self::made("Languages: Java and Spring Boot.", "change Java and Spring to Python");
    assert!(made.contains("Java and Spring Boot."), "{made}");
}

#[test]
fn a_number_keeps_its_bound_and_the_case_of_its_place() {
    for (prompt, feedback, expected) in [
        ("Describe a pan in 120 words.", "make it 80 words max", "Describe a pan in 80 words max."),
        ("Write a post with five hashtags.", "max 2 hashtags", "Write a post with max 2 hashtags."),
        ("Give exactly 5 tips.", "max 3 tips", "Give exactly 5 tips."),
        ("Offer three slots first.", "Two slots are enough", "Offer two slots first."),
        ("Grade the essay: <sum>/20 as total of the scores.", "so total out of 25", "<sum>/20"),
    ] {
        let (made, _) = made(prompt, feedback);
        assert!(made.contains(expected), "{feedback}: {made}");
    }
}

#[test]
fn a_line_that_announces_points_is_none() {
    let prompt = "Write a report of 5 pages.";
    for lead in ["A few things:", "ok so just these changes:", "Ein paar Sachen:"] {
        let (_, status) = made(prompt, &format!("{lead}\n- 3 pages\n- be kinder"));
        assert_eq!(status.len(), 2, "{lead}");
    }
    let (_, status) = made(prompt, "add these sections:\n- sources\n- costs");
    assert_eq!(status.len(), 3);
}

#[test]
fn other_forms_name_an_old_thing_and_a_new_one() {
    for (prompt, feedback, expected) in [
        ("Mark gaps with \"n. a.\".", "instead of \"n. a.\" use \"unknown\"", "with \"unknown\"."),
        (
            "Return {\"desc\": string, \"item_no\": string}.",
            "rename desc to description and item_no to item_number",
            "{\"description\": string, \"item_number\": string}",
        ),
        (
            "Fields: genre, language",
            "rename language to original_language",
            "genre, original_language",
        ),
        ("The session ends at 100 coins.", "100 coins takes ages so make it 50", "at 50 coins."),
        (
            "The AI is called VESPER.",
            "the AI should be called ORRIN, vesper is taken",
            "called ORRIN.",
        ),
        ("Suggest up to 3 titles.", "can it suggest 5 titles instead of 3?", "up to 5 titles"),
    ] {
        let (made, status) = made(prompt, feedback);
        let applied = status.iter().all(|status| *status == FeedbackStatus::Applied);
        assert!(made.contains(expected) && applied, "{feedback}: {made}");
    }
    let (made, _) =
        made("Sections:\n- costs\n- lost revenue\n- gains", "lost revenue: remove, others do that");
    assert_eq!(made, "Sections:\n- costs\n- gains");
}

#[test]
fn feedback_follows_prose_with_bullets() {
    for (prompt, end) in [
        (
            "---\nname: x\ndescription: |\n  Foo\n---\n# Title\n- Be brief\n- Use {{x}}",
            "  Foo\n---\nFollow",
        ),
        ("# Title\n- Be brief\n- As so:\n  text: |\n    Foo", "  Foo\n\nFollow"),
    ] {
        let (made, _) = made(prompt, "be kinder to the builders");
        assert!(made.contains(end), "{made}");
    }
}

#[test]
fn feedback_on_a_prompt_with_feedback_joins_it_in_every_container() {
    for prompt in [
        "[{\"role\": \"system\", \"content\": \"You write reports.\"}]",
        "You write reports.\r\nUse the notes.\r\n",
    ] {
        let (once, _) = made(prompt, "be kinder to the builders");
        let (twice, _) = made(&once, "name the weather");
        assert_eq!(twice.matches("<feedback>").count(), 1, "{twice}");
        assert!(twice.contains("name the weather"), "{twice}");
    }
    let (made, _) = made("  - Look at this.\n\nText: {{text}}\nAnswer:", "be kinder");
    assert!(made.starts_with("Follow") && made.contains("\n  - Look"), "{made}");
}

#[test]
fn a_number_keeps_its_case_and_is_never_without_its_bound() {
    for (prompt, feedback, expected) in [
        ("Nenne drei Gründe für den Plan.", "Fünf Gründe reichen", "Nenne fünf Gründe für"),
        ("Collect five PDFs.", "Max 2 PDFs", "Collect max 2 PDFs."),
        ("Write about the sea, 40 words", "At most 40 words", "the sea, at most 40 words"),
        ("Use exactly 120 words.", "change 120 to at most 80", "Use exactly 120 words."),
        ("Write a 120-word text.", "change 120 words to 80 words max", "a 120-word text."),
        ("Give 5 tips.", "exactly 3 tips", "Give 3 tips."),
        ("Give 5 tips.", "just 3 tips", "Give 3 tips."),
        ("Give at most 5 tips.", "exactly 3 tips", "Give at most 5 tips."),
        ("Give 5 tips at most 2 sentences each.", "4 tips", "Give 4 tips at most 2 sentences"),
        ("Give 5 tips at most 2 sentences each.", "at most 4 tips", "at most 4 tips at most 2"),
        (
            "Write 3 posts with 90 words.",
            "3 posts and every post should have 80",
            "Write 3 posts with",
        ),
    ] {
        let (made, _) = made(prompt, feedback);
        assert!(made.contains(expected), "{feedback}: {made}");
    }
}

#[test]
fn a_line_that_limits_its_points_or_orders_is_one() {
    for lead in ["For the appendix:", "remove these:", "the intro:"] {
        let (made, status) =
            made("Write a report of 5 pages.", &format!("{lead}\n- 3 pages\n- be kinder"));
        assert!(status.len() == 3 && made.contains("of 5 pages"), "{lead}: {made}");
    }
}

#[test]
fn what_orders_something_is_not_taken_for_leaving_it_or_taking_it_out() {
    let prompt = "Write names of steps in a list. Keep it short.";
    for feedback in ["keep all lowercase", "name the steps: remove, rinse, repeat"] {
        let (made, status) = made(prompt, feedback);
        assert_eq!(status, [FeedbackStatus::PartlyApplied], "{feedback}: {made}");
        assert!(made.starts_with(prompt), "{made}");
    }
}

#[test]
fn a_rename_that_is_passed_on_keeps_the_variables_of_the_prompt() {
    let (made, _) = made("Print {{q}}.", "rename {{z}} to {{y}} but print {{q}} too");
    assert!(made.contains("{{q}} too") || !made.contains("<feedback>"), "{made}");
    assert!(!made.contains("{{y}}"), "{made}");
}

#[test]
fn a_point_of_many_commas_and_courtesies_is_read_in_time() {
    let feedback = format!("use {} if it rains{}", "tea, ".repeat(3000), " please".repeat(3000));
    let (made, _) = made("Write a post about tea.", &feedback);
    assert!(made.contains("<feedback>"), "{made}");
}
