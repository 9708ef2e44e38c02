//! A goal: the user's words, whole and in their order, and what is surely known about them.

use std::ops::Range;

use super::knowledge::{self, Recipe, Task};
use super::outline::Outline;
use super::task;
use engine::Mode;
use patterns::{Table, pattern, table};
use text::{imperative, language};

/// What agents do, as far as there are recipes for them.
const AGENTS: &Table = table!("agent", r"(?i)\b{}\b");
/// Words that state a fact. They may find more than there is: a line too few does no harm.
const STATED: &Table = table!("stated", r"(?i)(?:^|\W){}(?:\W|$)");

/// Shorter words may be refused in one sense and used in another.
const SHORTEST_REFUSED: usize = 5;

/// The user's words and what is known about them.
#[derive(Debug)]
pub struct Goal {
    /// The words.
    pub text: String,
    /// Their language, when it is surely not English.
    pub language: Option<&'static str>,
    /// The kind of task, the general one if it is not sure.
    pub task: &'static Task,
}

/// Reads a goal.
pub fn read(message: &str, mode: Mode) -> Goal {
    let text = message.trim();
    let work = framed(text).map(|frame| [&text[..frame.start], &text[frame.end..]].concat());
    let request = imperative::unwrapped(work.as_deref().unwrap_or(text));
    let (head, rest) = request.split_once("\n\n").unwrap_or((request, ""));
    Goal {
        text: text.to_owned(),
        language: Some(language::detect(text)).filter(|tag| !matches!(*tag, "en" | "und")),
        task: task::recognise(head, rest, mode),
    }
}

/// The words that ask for a prompt as a means: "I teach, and I need a prompt that …". One for pictures is no means.
fn framed(text: &str) -> Option<Range<usize>> {
    let frame = pattern!(
        r"(?i)^(?:[^\n]{0,200}?[\s,;.:])??(?P<f>{frame.wanted} ?{frame.prompt}\b[\s:]*)|^(?P<g>{frame.prompt}\b[\s:]*)"
    );
    let pictured = pattern!(
        r"(?i)^(?:\S+\s){0,3}(?:{generators.picture}|{generators.video}|{visual.picture})\b"
    );
    let found = frame.captures(text)?;
    let found = found.name("f").or_else(|| found.name("g"))?.range();
    (!pictured.is_match(&text[found.end..])).then_some(found)
}

/// The recipe for all work in a mode.
fn recipe_of(mode: Mode) -> Option<&'static str> {
    match mode {
        Mode::Research => Some("research"),
        Mode::Planning => Some("plan"),
        Mode::Code => Some("program"),
        Mode::Automation => Some("automation"),
        _ => None,
    }
}

impl Goal {
    /// The recipe for the kind of task in the language of `tag`, else that for all work in the mode that the caller
    /// names. A goal with headings has its own order already.
    pub fn recipe(&self, mode: Mode, tag: &str) -> Option<&'static Recipe> {
        if Outline::of(&self.text).has_headings() {
            return None;
        }
        let name = self.task.recipe.as_deref().or_else(|| recipe_of(mode))?;
        if name != "agent" {
            return knowledge::recipe(name, tag)
                .filter(|_| name != "prompt" || !self.wants_prompt());
        }
        let mut kinds = AGENTS.iter().filter(|(_, words)| words.is_match(&self.text));
        let kind =
            kinds.next().filter(|_| kinds.next().is_none()).map_or("general", |(kind, _)| kind);
        knowledge::recipe(&format!("agent_{kind}"), tag)
    }

    /// Whether the user's words say something about a fact.
    pub fn states(&self, fact: &str) -> bool {
        STATED.iter().any(|(known, words)| *known == fact && words.is_match(&self.text))
    }

    /// Whether the goal asks for a prompt as a means: "I need a prompt that …".
    pub fn wants_prompt(&self) -> bool {
        framed(&self.text).is_some()
    }

    /// Whether the goal gives the model a role itself, as a prompt that is wanted does.
    pub fn gives_role(&self) -> bool {
        self.wants_prompt() || pattern!(r"(?i)^{task.role}\b").is_match(&self.text)
    }

    /// The stems of the words that the goal refuses.
    pub fn refused(&self) -> Vec<String> {
        pattern!(r"(?i)\b{slots.refusal}\s(?P<what>[^.,;:!?\n]{3,60})")
            .captures_iter(&self.text)
            .flat_map(|found| found["what"].split_whitespace().map(stem).collect::<Vec<_>>())
            .filter(|word| word.chars().count() >= SHORTEST_REFUSED)
            .collect()
    }
}

/// A word in lower case without the ending of a plural.
fn stem(word: &str) -> String {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    word.trim_end_matches('s').to_owned()
}
