//! How prompts speak: grammar, third parties, and no contradiction of what the user said.
#![allow(clippy::expect_used)]

use crate::common;

use common::{brief, corpus, for_target, generate, run};
use engine::GenerateBrief;
use regex::Regex;

fn part(goal: &str, heading: &str) -> String {
    let result = generate(goal);
    let found = result.sections.into_iter().find(|section| section.heading == heading);
    found.map(|section| section.text).unwrap_or_default()
}

#[test]
fn guidance_never_speaks_as_the_author() {
    let author = Regex::new(r"\b(?:my|our|My|Our)\b").expect("a pattern");
    let foreign = Regex::new(r"[^\x00-\x7f]").expect("a pattern");
    for case in corpus() {
        let guidance = part(&case.goal, "Guidelines");
        // "Plan …" in guidance repeats the user's own objective for trips and events.
        for line in guidance.lines().filter(|line| !foreign.is_match(line)) {
            assert!(!author.is_match(line), "{line:?} for {:?}", case.goal);
        }
    }
}

#[test]
fn a_statement_is_not_asked_for_as_a_thing() {
    for (goal, task) in [
        (
            "sourdough starter isn't rising, day 6",
            "Find out what is needed here and do it: Sourdough starter isn't rising, day 6.",
        ),
        (
            "how dental clinics can get more online reviews",
            "Answer this question: How dental clinics can get more online reviews?",
        ),
        ("best laptop for architecture students", "Best laptop for architecture students."),
        (
            "be my french conversation partner, B1 level",
            "Be my french conversation partner, B1 level.",
        ),
        ("draft minutes template for a weekly sync", "Draft minutes template for a weekly sync."),
        ("best man speech for my brother Tom", "Best man speech for my brother Tom."),
    ] {
        assert_eq!(part(goal, "Task"), task);
    }
}

#[test]
fn defaults_do_not_contradict_what_was_said() {
    for (goal, never) in [
        ("recipe for lentil soup for 12 people in a slow cooker", "four"),
        ("flashcards for 30 italian verbs", "10 questions"),
        (
            "analyze our churn: we have 3 years of data in csv with plan, start, end",
            "Return only the CSV",
        ),
        ("write 20 plot twists for a heist story", "1,200 words"),
    ] {
        let prompt = generate(goal).prompt;
        assert!(!prompt.contains(never), "{prompt}");
    }
}

#[test]
fn what_the_text_should_ask_for_is_a_requirement() {
    let requirements = part(
        "Write a cold email to HR directors about our planning software. Ask for a 15 min call next week.",
        "Requirements",
    );
    assert!(requirements.contains("Ask for a 15 min call next week."), "{requirements}");
}

#[test]
fn a_stated_camera_move_or_sequence_is_the_one_of_the_clip() {
    let circles =
        run(&for_target("a chef tosses pizza dough, camera circles around him", "Veo 3.1")).prompt;
    assert!(!circles.contains("push-in") && circles.contains("circles around him"), "{circles}");
    let steps = run(&for_target("product video for a folding bike: unfold it, ride through the city, fold it again, 15 seconds", "Seedance 2.5")).prompt;
    for step in ["Shot 1: Wide shot. Unfold it.", "Ride through the city.", "Fold it again."] {
        assert!(steps.contains(step), "{steps}");
    }
}

#[test]
fn results_speak_the_language_of_the_request() {
    let english = Regex::new(r"(?i)\b(?:the|which|with|what|does|should)\b").expect("a pattern");
    for (language, goal) in [
        ("de", "Schreibe eine Kündigung für mein Fitnessstudio"),
        ("fr", "Écris un e-mail pour annuler mon abonnement"),
        ("es", "Crea un plan de entrenamiento para correr 10 km en 8 semanas"),
        ("it", "Scrivi una lettera al condominio per le infiltrazioni"),
        ("pt", "Crie um plano de estudos para o exame de direção"),
    ] {
        for name in ["Universal", "Claude Opus 5.5", "Midjourney V8.1", "Veo 3.1"] {
            let result =
                run(&GenerateBrief { language: language.to_owned(), ..for_target(goal, name) });
            let mut texts = result.clarifying_questions.clone();
            texts.extend(result.usage_guide.clone());
            texts.extend(result.assumptions.clone());
            texts.extend(
                result.techniques.iter().map(|item| format!("{}: {}", item.label, item.why)),
            );
            assert!(!result.clarifying_questions.is_empty());
            for text in texts {
                assert!(!english.is_match(&text), "{language} {name}: {text}");
            }
        }
    }
}

#[test]
fn an_english_technique_quotes_its_requirement_once() {
    let result = run(&brief("Write an email to our supplier, under 90 words"));
    let quotes: Vec<_> =
        result.techniques.iter().filter(|item| item.id == "explicit_constraints").collect();
    assert!(quotes[0].why.ends_with("\"Under 90 words\"."), "{}", quotes[0].why);
}

#[test]
fn lines_below_a_request_to_rework_them_are_material() {
    let result = generate(
        "make this sound more professional\nhey guys, the server will be down tonight from 10 to 11",
    );
    assert!(
        result.prompt.contains("```\nhey guys, the server will be down tonight from 10 to 11\n```"),
        "{}",
        result.prompt
    );
}

#[test]
fn code_behind_a_colon_is_there_and_is_not_asked_for() {
    let result = generate("fix this python: def f(x): retrun x+1");
    assert!(result.prompt.contains("def f(x): retrun x+1"), "{}", result.prompt);
    assert!(!result.prompt.contains("follows this prompt"), "{}", result.prompt);
    let described = generate("fix this: my python script crashes with a KeyError");
    assert!(described.prompt.contains("follows this prompt"), "{}", described.prompt);
}

#[test]
fn software_for_many_tenants_is_no_matter_of_law() {
    let software =
        generate("Compare Postgres and DynamoDB for a multi-tenant SaaS with 2 engineers");
    assert!(!software.prompt.contains("jurisdiction"), "{}", software.prompt);
    let dispute = generate("Write a letter to my tenant about the unpaid rent");
    assert!(dispute.prompt.contains("jurisdiction"), "{}", dispute.prompt);
}
