//! Recognising the kind of task of a goal, by a classifier.

mod classifier;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::knowledge::{self, Task};
use classifier::Weights;
use engine::Mode;

const WEIGHTS: Weights<'_> =
    Weights::of(include_bytes!("../../../../knowledge/tasks.weights").as_slice());

/// The tasks in the order of their scores.
static TASKS: LazyLock<Vec<&'static Task>> =
    LazyLock::new(|| WEIGHTS.tasks().map(knowledge::task).collect());

/// Recipes that answer.
const ANSWERS: [&str; 2] = ["question", "explanation"];

/// The task of goals whose kind is not clear.
const GENERAL: &str = "general";
/// Only this much of a goal is read: what it asks for stands near the beginning.
const READ: usize = 800;
/// How much what is said beside a request counts for the task.
const BESIDE: f32 = 0.3;
/// The share of all probabilities that a kind of task must have: a wrong recipe is worse than none.
const SURE: f32 = 0.58;
/// What speaks for a task in the mode that the caller wants.
const WANTED: f32 = 1.5;

/// The task that a goal surely means, else the general one.
///
/// `head` is the request itself, `rest` is everything else that was said.
pub fn recognise(head: &str, rest: &str, mode: Mode) -> &'static Task {
    let scores = WEIGHTS.scores(beginning(head, READ), beginning(rest, READ), BESIDE);
    let mut kinds: BTreeMap<&str, Kind> = BTreeMap::new();
    for (score, task) in scores.into_iter().zip(TASKS.iter().copied()) {
        let name = task.recipe.as_deref().unwrap_or(&task.id);
        // The line between an answer and an explanation is thin, and both recipes serve both.
        let family = if ANSWERS.contains(&name) { ANSWERS[0] } else { name };
        let wanted = if mode == task.mode && task.id != GENERAL { WANTED } else { 0.0 };
        let weight = 1.0 / (1.0 + (-score - wanted).exp());
        let kind = kinds.entry(family).or_insert(Kind { weight: 0.0, best: (0.0, task) });
        kind.weight += weight;
        if weight > kind.best.0 {
            kind.best = (weight, task);
        }
    }
    let all: f32 = kinds.values().map(|kind| kind.weight).sum();
    let best = kinds.values().max_by(|a, b| a.weight.total_cmp(&b.weight));
    best.filter(|best| best.weight / all >= SURE)
        .map_or_else(|| knowledge::task(GENERAL), |best| best.best.1)
}

struct Kind {
    weight: f32,
    best: (f32, &'static Task),
}

fn beginning(text: &str, characters: usize) -> &str {
    text.char_indices().nth(characters).map_or(text, |(end, _)| &text[..end])
}
