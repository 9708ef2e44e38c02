//! The kind of task of a goal, and the weights that decide it.

#[path = "../../src/task/classifier.rs"]
#[allow(dead_code)]
mod classifier;

const WEIGHTS: &[u8] = include_bytes!("../../../../knowledge/tasks.weights");

#[test]
fn the_weights_are_those_of_the_goals_in_the_repository() {
    let goals = include_bytes!("../../examples/tasks/training.tsv");
    assert_eq!(
        WEIGHTS[..8],
        classifier::digest(goals.iter().copied()).to_le_bytes(),
        "cargo run --release -p rules --example train_tasks"
    );
    assert!(WEIGHTS.len() <= 2_500_000, "{} bytes", WEIGHTS.len());
}

#[test]
fn every_task_of_the_weights_is_described() {
    let described = include_str!("../../../../knowledge/tasks.json");
    for task in classifier::Weights::of(WEIGHTS).tasks() {
        assert!(described.contains(&format!("{{\"id\": \"{task}\",")), "{task}");
    }
}

#[test]
fn plain_goals_of_six_languages_are_decided() {
    for (goal, task) in [
        ("Write a cover letter for a position as a nurse", "cover_letter"),
        ("Fasse den folgenden Artikel in drei Sätzen zusammen", "summary"),
        ("Traduis ce texte en anglais.", "translation"),
        ("Escribe un correo a mi jefe para pedir un día libre", "email"),
        ("Scrivi una funzione in Python che inverte una stringa.", "code_write"),
        ("Crie um plano de refeições para uma semana", "meal_plan"),
    ] {
        assert_eq!(rules::task_of(goal), task, "{goal}");
    }
}

#[test]
fn a_personal_greeting_is_no_event() {
    assert_eq!(rules::task_of("a short birthday greeting for my grandmother"), "message");
}

#[test]
fn goals_that_say_nothing_have_no_role() {
    for goal in
        ["something", "a prompt about something", "irgendwas", "write a text", "为我写点什么"]
    {
        assert_eq!(rules::task_of(goal), "general", "{goal}");
    }
}

#[test]
fn what_is_to_be_made_counts_and_not_what_it_is_for() {
    for (goal, task) in [
        ("name for my newsletter tool", "naming"),
        ("improve my cv bullet: managed a team of 5", "resume"),
        ("n8n node prompt: classify incoming mail into order, complaint or spam", "classification"),
        ("turn my messy meeting notes into minutes", "minutes"),
    ] {
        assert_eq!(rules::task_of(goal), task, "{goal}");
    }
}
