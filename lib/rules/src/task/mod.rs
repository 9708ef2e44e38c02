//! Recognising the kind of task.

mod classifier;

use std::sync::LazyLock;

use super::knowledge::{self, Task};
use classifier::Weights;
use engine::Mode;

const WEIGHTS: Weights<'_> =
    Weights::of(include_bytes!("../../../../knowledge/tasks.weights").as_slice());

/// The tasks in the order of their scores.
static TASKS: LazyLock<Vec<&'static Task>> =
    LazyLock::new(|| WEIGHTS.tasks().map(knowledge::task).collect());

/// The task of goals whose kind is not clear.
const GENERAL: &str = "general";
/// Only this much of a goal is read: what it asks for stands near the beginning.
const READ: usize = 800;
/// How much what is said beside a request counts for the task.
const BESIDE: f32 = 0.3;
/// How far ahead the most probable task has to be: a wrong role is worse than none.
const LEAD: f32 = 0.06;
/// What speaks for a task in the mode that the caller wants.
const WANTED: f32 = 1.5;
/// What speaks for a program in an automation, and for an automation in a program.
const RELATED: f32 = 0.7;
/// What speaks for a task that works on material if there is some.
const SUPPLIED: f32 = 0.7;

/// The task that a goal most likely means. Falls back to the general task, or to the plainest one of the mode.
///
/// `head` is the request itself, `rest` is everything else that was said.
pub fn recognise(head: &str, rest: &str, mode: Mode, has_material: bool) -> &'static Task {
    let mut scores = WEIGHTS.scores(beginning(head), beginning(rest), BESIDE);
    for (score, task) in scores.iter_mut().zip(TASKS.iter()) {
        *score += match (mode, task.mode) {
            (Mode::Auto | Mode::General, _) => 0.0,
            (wanted, offered) if wanted == offered => WANTED,
            (Mode::Automation, Mode::Code) | (Mode::Code, Mode::Automation) => RELATED,
            (Mode::Agent, _) => -WANTED,
            _ => 0.0,
        };
        if task.needs_material && has_material {
            *score += SUPPLIED;
        }
    }
    let (best, lead) = classifier::best(&scores);
    let found = TASKS[best];
    if found.id != GENERAL && lead >= LEAD { found } else { plainest(mode) }
}

/// The task of a goal of which only the mode is clear.
fn plainest(mode: Mode) -> &'static Task {
    knowledge::task(match mode {
        Mode::Research => "research",
        Mode::Planning => "plan",
        Mode::Agent => "agent",
        Mode::Code => "code_write",
        Mode::Automation => "automation",
        Mode::Writing => "article",
        _ => GENERAL,
    })
}

fn beginning(text: &str) -> &str {
    text.char_indices().nth(READ).map_or(text, |(end, _)| &text[..end])
}
