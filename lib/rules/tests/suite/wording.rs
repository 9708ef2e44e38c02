//! How prompts speak: grammar, third parties, and no contradiction of what the user said.
#![allow(clippy::expect_used)]

use crate::common;

use common::{for_target, generate, run};
use engine::GenerateBrief;
use regex::Regex;

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
            for text in texts {
                assert!(!english.is_match(&text), "{language} {name}: {text}");
            }
        }
    }
}
