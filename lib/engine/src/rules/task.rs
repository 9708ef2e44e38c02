//! Recognising the kind of task.

use super::imperative;
use super::knowledge::{Entry, Task, task, tasks};
use crate::Mode;
use patterns::pattern;

/// Only this much of a goal is searched: what it asks for stands near the beginning.
const SEARCHED: usize = 800;

/// The task that a goal most likely means. Falls back to the general task.
///
/// Expressions that name a task count most in the request itself, more the earlier and the longer they are;
/// `head` is that request, `rest` is everything else that was said.
pub fn recognise(head: &str, rest: &str, mode: Mode, has_material: bool) -> &'static Task {
    let verb =
        imperative::unwrapped(head).split_whitespace().next().unwrap_or_default().to_lowercase();
    let head = searchable(imperative::unwrapped(head));
    let rest = searchable(rest);
    let mut best: (f64, Option<&'static Task>) = (1.9, None);
    for entry in tasks() {
        let mut score = score(entry, &head, &rest);
        if score > 0.0 && mode != Mode::Auto {
            score += match (mode, entry.task.mode) {
                (wanted, offered) if wanted == offered => 5.0,
                (Mode::Automation, Mode::Code) | (Mode::Code, Mode::Automation) => 2.0,
                (Mode::Agent, _) => -4.0,
                _ => 0.0,
            };
        }
        if score > 0.0 && entry.task.needs_material && has_material {
            score += 2.0;
        }
        if score > 0.0
            && entry.task.verb.to_lowercase() == verb
            && !matches!(verb.as_str(), "write" | "create" | "give")
        {
            score += if verb == "explain" { 5.0 } else { 3.5 };
        }
        if score > best.0 {
            best = (score, Some(&entry.task));
        }
    }
    best.1.unwrap_or_else(|| match mode {
        Mode::Auto | Mode::General => match verb.as_str() {
            "plan" => task("plan"),
            "compare" => task("comparison"),
            "explain" | "describe" => task("explanation"),
            "research" | "investigate" => task("research"),
            "fix" | "debug" => task("code_debug"),
            "suggest" | "recommend" => task("brainstorm"),
            _ => task("general"),
        },
        Mode::Research => task("research"),
        Mode::Planning => task("plan"),
        Mode::Agent => task("agent"),
        Mode::Code => task("code_write"),
        Mode::Automation => task("automation"),
        Mode::Writing => task("article"),
        _ => task("general"),
    })
}

fn searchable(text: &str) -> String {
    text.chars().take(SEARCHED).collect::<String>().to_lowercase()
}

fn score(entry: &Entry, head: &str, rest: &str) -> f64 {
    // Expressions such as "how can I" fit nearly every goal: tasks that rest on them must not outbid others.
    let generic = matches!(
        entry.task.id.as_str(),
        "advice" | "explanation" | "brainstorm" | "message" | "question"
    );
    let mut score = 0.0;
    if let Some(strong) = &entry.strong {
        // "Write the intro for a grant application" names no program although it begins and ends like one.
        let spans = |found: &patterns::Match<'_>| {
            entry.task.family == "code"
                && entry.task.id == "code_write"
                && (pattern!(r" {task.about} |\b{task.script_to_speak}$").is_match(found.as_str())
                    || pattern!(r"\b{task.service_bot}$").is_match(found.as_str())
                    || pattern!(r"\b{task.form}$").is_match(found.as_str())
                        && !pattern!(r"\b(?:html|react|vue|angular|python|php|django|javascript|typescript|{task.programming})\b").is_match(head))
        };
        let mut matches = strong.find_iter(head).filter(|found| !spans(found));
        if let Some(first) = matches.next() {
            let position = head[..first.start()].split_whitespace().count() as f64;
            let words = first.as_str().split_whitespace().count() as f64;
            score += if generic && words < 4.0 {
                3.0 + (3.0 - position * 0.5).max(0.0)
            } else {
                6.0 + (5.0 - position * 0.5).max(0.0)
            } + words.min(3.0) * 0.8;
            score += matches.take(2).count() as f64 * 0.5;
        }
        if strong.is_match(rest) {
            score += 2.0;
        }
    }
    if let Some(weak) = &entry.weak {
        score += weak.find_iter(head).take(3).count() as f64 * 0.7;
        score += weak.find_iter(rest).take(2).count() as f64 * 0.2;
    }
    score
}
