//! Recognising the kind of task: a classifier of the whole goal, and what its beginning names.

mod classifier;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::knowledge::{self, Cues, Task};
use crate::split;
use classifier::Weights;
use engine::Mode;
use patterns::{pattern, table};
use text::imperative;

const WEIGHTS: Weights<'_> =
    Weights::of(include_bytes!("../../../../knowledge/tasks.weights").as_slice());

/// The tasks in the order of their scores.
static TASKS: LazyLock<Vec<&'static Task>> =
    LazyLock::new(|| WEIGHTS.tasks().map(knowledge::task).collect());

/// Words that name what a recipe makes, or the act of making it.
const NAMED: Cues = table!("recipe", r"(?i)(?:\b|^){}");
/// Recipes for what there is already: "this text" does not speak against them.
const ON_MATERIAL: &str = "code_review refactoring rewriting summary translation extraction \
     classification debugging code_test code_explanation data_analysis question resume reply prompt minutes \
     agent";
/// Recipes that answer.
const ANSWERS: [&str; 2] = ["question", "explanation"];
/// Recipes that a goal means that asks a question and names them.
const EXPLAINING: [&str; 4] = ["code_explanation", "research", "debugging", "sql"];

/// The task of goals whose kind is not clear.
const GENERAL: &str = "general";
/// Only this much of a goal is read: what it asks for stands near the beginning.
const READ: usize = 800;
/// Only this much of a goal names what is to be made.
const HEAD: usize = 120;
/// How much what is said beside a request counts for the task.
const BESIDE: f32 = 0.3;
/// How probable a kind of task has to be: a wrong recipe is worse than none.
const SURE: f32 = 0.85;
/// What speaks for a recipe that the beginning names, and against one whose result is there already.
const NAMES: f32 = 3.5;
/// What speaks for a task in the mode that the caller wants.
const WANTED: f32 = 1.5;
/// A shorter question is none of its own.
const FEWEST_WORDS: usize = 5;

/// The task that a goal surely means, else the general one.
///
/// `head` is the request itself, `rest` is everything else that was said.
pub fn recognise(head: &str, rest: &str, mode: Mode) -> &'static Task {
    let scores = WEIGHTS.scores(beginning(head, READ), beginning(rest, READ), BESIDE);
    let named = named(head);
    let mut kinds: BTreeMap<&str, Kind> = BTreeMap::new();
    for (score, task) in scores.into_iter().zip(TASKS.iter().copied()) {
        let name = task.recipe.as_deref().unwrap_or(&task.id);
        // The line between an answer and an explanation is thin, and both recipes serve both.
        let family = if ANSWERS.contains(&name) { ANSWERS[0] } else { name };
        let wanted = if mode == task.mode && task.id != GENERAL { WANTED } else { 0.0 };
        let weight = (score + named.weight(name) + wanted).exp();
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

/// What the beginning of a goal names.
#[derive(Default)]
struct Named {
    wanted: Vec<&'static str>,
    present: Vec<&'static str>,
}

impl Named {
    fn weight(&self, name: &str) -> f32 {
        if self.wanted.contains(&name) {
            NAMES
        } else if self.present.contains(&name) {
            -NAMES
        } else {
            0.0
        }
    }
}

/// What is named first counts, in the first clause or else behind it; a question is answered, whatever it names.
fn named(text: &str) -> Named {
    let head = beginning(text, HEAD);
    let clause = pattern!(r"(?i)^.{12,}?(?:\n|[.!?:;]\s|\b{slots.about} )").find(head);
    let clause = clause.map_or(head, |clause| clause.as_str());
    let (mut places, mut present) = places(clause);
    let mut named_in = clause.to_owned();
    if places.is_empty() {
        let request = split::sentences(text).into_iter().find(|one| imperative::is_request(one));
        named_in = request.unwrap_or_else(|| head.to_owned());
        (places, present) = self::places(&named_in);
    }
    let asks = !text.to_lowercase().contains("prompt")
        && text.split_whitespace().nth(FEWEST_WORDS - 1).is_some();
    let is_question = |(.., name): &(usize, usize, &str)| *name == "question";
    if places.iter().any(is_question) {
        if asks {
            let other = places.iter().find(|(.., name)| EXPLAINING.contains(name));
            let wanted = other.map_or("question", |(.., name)| *name);
            return Named { wanted: vec![wanted], ..Named::default() };
        }
        places.retain(|place| !is_question(place));
    }
    let Some((start, end, _)) = places.first().copied() else {
        return Named { present, ..Named::default() };
    };
    // Names within the first one say the same more exactly: "write a cover letter".
    let (within, behind): (Vec<_>, Vec<_>) =
        places.into_iter().partition(|(start, ..)| *start < usize::MAX - end);
    let wanted: Vec<&str> = within.iter().map(|(.., name)| *name).collect();
    let between = behind.first().map_or("", |(next, ..)| &named_in[start..*next]);
    let several = pattern!(r"(?i)[,;+&/]|\b{task.joint}\b").is_match(between);
    if !several {
        // What stands behind it is what it is for: "a name for my newsletter".
        present.extend(behind.iter().map(|(.., name)| *name));
    }
    present.retain(|name| !wanted.contains(name));
    Named { wanted, present }
}

/// Where a text names what is to be made, and what is there already. Of what begins at the same place, the longest is
/// the most exact and comes first.
fn places(text: &str) -> (Vec<(usize, usize, &'static str)>, Vec<&'static str>) {
    let (mut places, mut present) = (Vec::new(), Vec::new());
    for (name, words) in NAMED {
        for found in words.find_iter(text) {
            let owned = pattern!(r"(?i)(?:^|\W){task.owned}\s*$").is_match(&text[..found.start()]);
            if owned && !ON_MATERIAL.split_whitespace().any(|known| known == *name) {
                present.push(*name);
            } else {
                places.push((found.start(), usize::MAX - found.end(), *name));
                break;
            }
        }
    }
    places.sort_unstable();
    (places, present)
}

fn beginning(text: &str, characters: usize) -> &str {
    text.char_indices().nth(characters).map_or(text, |(end, _)| &text[..end])
}
