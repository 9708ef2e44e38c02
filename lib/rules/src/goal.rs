//! Understanding a goal: what is wanted, what is given, what is required, in the user's own words.

use std::collections::HashSet;
use std::ops::Range;

use super::agent;
use super::frame::{self, Lead};
use super::imperative;
use super::knowledge::{self, Cues, Task};
use super::outline::Outline;
use super::sentence::{behind_label, is_ban, is_rule, without_joint};
pub(super) use super::sentence::{is_pleasantry, is_requirement, is_takeover};
use super::slots::{self, Slots};
use super::split::{self, capitalize, stop};
use super::task;
use engine::Mode;
use patterns::{pattern, table};
use text::{language, variables};

/// A goal taken apart. Everything that the user said is in exactly one of the lists.
#[derive(Debug)]
pub struct Goal {
    /// The kind of task.
    pub task: &'static Task,
    /// What makes a task of the objective.
    pub lead: Lead,
    /// What is wanted, in the user's words; empty where the message wants nothing.
    pub objective: String,
    /// Facts and circumstances.
    pub context: Vec<String>,
    /// What the result must and must not be.
    pub requirements: Vec<String>,
    /// Code and texts to work on, verbatim.
    pub material: Vec<String>,
    /// Sentences that try to command the model that reads the prompt; quoted, never obeyed.
    pub quoted: Vec<String>,
    /// What was said about audience, tone and so on.
    pub slots: Slots,
    /// Role that the user gives the model, with its article.
    pub role: Option<String>,
    /// Language of the goal, when it is surely not English.
    pub language: Option<&'static str>,
    /// Everything the user wrote, for looking up words.
    pub text: String,
    /// Number of words of the message.
    pub words: usize,
}

/// Words that a request keeps at least when rules are cut off its end.
const FEWEST_WORDS: usize = 2;
/// What tells the language of a goal that is too short for statistics.
const OPENINGS: Cues = table!("opening", r"(?i)^\s*{}\s");

/// Reads one message on its own.
pub fn read(message: &str, mode: Mode) -> Goal {
    let tag = language::detect_other_than_english(message);
    let opening = || OPENINGS.iter().find(|(_, words)| words.is_match(message));
    let language = tag.or_else(|| opening().map(|(tag, _)| *tag));
    let mut goal = Goal {
        task: knowledge::task("general"),
        lead: Lead::Plain,
        objective: String::new(),
        context: Vec::new(),
        requirements: Vec::new(),
        material: Vec::new(),
        quoted: Vec::new(),
        slots: Slots::default(),
        role: None,
        language,
        text: message.to_owned(),
        words: message.split_whitespace().count(),
    };
    goal.take(message, mode);
    goal
}

impl Goal {
    /// Whether the goal is too small to deserve a long prompt.
    pub fn is_trivial(&self) -> bool {
        self.words <= 7
            && self.context.is_empty()
            && self.material.is_empty()
            && self.requirements.is_empty()
    }

    /// Whether the message asks for nothing and gives nothing: a greeting, a sign.
    pub fn is_open(&self) -> bool {
        self.objective.is_empty() && self.material.is_empty() && self.quoted.is_empty()
    }

    /// The address of a page, if the message is nothing else.
    pub fn page(&self) -> Option<&str> {
        let text = self.text.trim();
        pattern!(r"^https?://\S+$").is_match(text).then_some(text)
    }

    fn take(&mut self, message: &str, mode: Mode) {
        let mut parts = split::separate(message);
        // A prompt with headings has its order already.
        if Outline::of(&parts.prose).has_headings() {
            self.task = task::recognise(message, "", mode, false);
            self.slots = slots::read(&parts.prose);
            message.trim().clone_into(&mut self.objective);
            return;
        }
        let prose = take_marker(&parts.prose, &mut parts.material);
        self.material = parts.material;
        self.slots = slots::read(&prose);
        let (quoted, mut sentences): (Vec<_>, Vec<_>) = split::statements(&prose)
            .into_iter()
            .filter(|sentence| !is_pleasantry(sentence) && !self.is_label(sentence))
            .partition(|sentence| is_takeover(sentence));
        self.quoted = quoted;
        self.role = take_role(&mut sentences);
        let head = sentences.iter().position(|sentence| imperative::is_request(sentence));
        let head = head.unwrap_or(0);
        let mut further = sentences.into_iter();
        let before: Vec<String> = further.by_ref().take(head).collect();
        let Some(request) = further.next() else { return };
        let behind: Vec<String> = further.collect();
        self.want(&request, &[before.join(" "), behind.join(" ")].join(" "), mode);
        for sentence in before.iter().chain(&behind) {
            self.place(sentence);
        }
        self.slots.subject = slots::subject(&self.objective, self.slots.audience.as_deref());
    }

    /// Whether a sentence only names the material: "Text:".
    fn is_label(&self, sentence: &str) -> bool {
        !self.material.is_empty()
            && pattern!(r"(?i)^{goal.content}:?$").is_match(sentence.trim())
            && !imperative::is_request(sentence)
    }

    /// Takes the request and decides the kind of task.
    fn want(&mut self, request: &str, rest: &str, mode: Mode) {
        let language = self.language.unwrap_or("en");
        let (core, rules) = split_rules(request);
        let of_prompt = frame::of_prompt(core, language);
        let head = of_prompt.as_ref().map_or(request, |wanted| &wanted.text);
        self.task = task::recognise(head, rest, mode, !self.material.is_empty());
        if (self.task.family != "agent" || self.task.id == "roleplay")
            && agent::describes_one(&self.text)
        {
            self.task = knowledge::task("agent");
        }
        let is_known = self.task.id != "general";
        let wanted = of_prompt.unwrap_or_else(|| frame::of_sentence(core, is_known, language));
        self.lead = wanted.lead;
        self.objective = wanted.text;
        self.requirements = rules;
        let mut seen = HashSet::new();
        self.requirements.retain(|rule| seen.insert(rule.clone()));
    }

    /// Puts a further sentence where it belongs.
    pub fn place(&mut self, sentence: &str) {
        if is_pleasantry(sentence) {
            return;
        }
        let is_order = imperative::is_request(sentence);
        let labelled = behind_label(sentence);
        let is_rule = labelled.is_some()
            || is_requirement(sentence)
            || is_order && self.task.family == "agent" && !sentence.trim_end().ends_with('?');
        if is_rule {
            let rule = as_sentence(labelled.unwrap_or(sentence));
            push_new(&mut self.requirements, rule);
        } else if is_order {
            let language = self.language.unwrap_or("en");
            let wanted = frame::of_sentence(sentence, true, language);
            let text = if wanted.lead == Lead::Plain { wanted.text } else { as_sentence(sentence) };
            if !self.objective.is_empty() {
                self.objective.push(' ');
            }
            self.objective.push_str(text.trim());
        } else {
            push_new(&mut self.context, as_sentence(sentence));
        }
    }
}

fn push_new(list: &mut Vec<String>, item: String) {
    if !list.contains(&item) {
        list.push(item);
    }
}

/// The sentence on its own, without what joined it to others.
pub(super) fn as_sentence(text: &str) -> String {
    let text = imperative::unwrapped(without_joint(text));
    stop(&capitalize(text))
}

/// Takes "{{report}}" off the end of "Summarize in two sentences, no bullet points: {{report}}".
///
/// A variable that only fills in a value ("Tone: {{tone}}") stays where it is.
fn take_marker(prose: &str, material: &mut Vec<String>) -> String {
    let found = pattern!(
        r"(?s)^(?P<head>.*?)(?P<line>[^\n]*?)\s*(?::|\n)\s*(?P<v>(?:\{\{[^{}\n]+\}\}\s*)+)[.!]?\s*$"
    )
    .captures(prose);
    let Some(found) = found.filter(|_| prose.contains("}}")) else { return prose.to_owned() };
    let line = pattern!(r"^.*[.!?] ").replace(&found["line"], "");
    let before = &found["line"][..found["line"].len() - line.len()];
    let is_value = variables::find(&found["v"])
        .iter()
        .any(|variable| slots::is_setting(&variable.name.to_lowercase()));
    let asks = imperative::is_request(&line);
    if !is_value && !asks && pattern!(r"(?i)^{goal.content}$").is_match(line.trim()) {
        material.push(format!("{}: {}", line.trim(), found["v"].trim()));
        return format!("{}{before}", &found["head"]).trim_end().to_owned();
    }
    let is_label = line.split_whitespace().count() < 3 && !asks
        || pattern!(r"(?i)\b{goal.value_lead}$").is_match(line.trim());
    if is_value || is_label && !is_requirement(&line) {
        return prose.to_owned();
    }
    material.push(found["v"].trim().to_owned());
    format!("{}{}", &found["head"], &found["line"])
}

/// Takes "You are a …" or "Act as a … and" off a message that goes on to ask for something.
fn take_role(sentences: &mut Vec<String>) -> Option<String> {
    let found = pattern!(
        r"(?i)^{goal.role} (?P<role>{goal.article} ?[^.,;!?]{3,90}?)(?:(?:,? {goal.and}|[,;]) (?P<rest>\p{L}.*)|[.!])$"
    )
    .captures(sentences.first()?)?;
    let role = found["role"].to_owned();
    match found.name("rest").map(|rest| rest.as_str().to_owned()) {
        Some(rest) if imperative::starts_work(&rest) => sentences[0] = rest,
        None if sentences.iter().skip(1).any(|sentence| imperative::is_request(sentence)) => {
            sentences.remove(0);
        }
        _ => return None,
    }
    Some(role)
}

/// Cuts rules off the end of a request: "…, under 120 words, friendly tone".
fn split_rules(sentence: &str) -> (&str, Vec<String>) {
    let mut core = sentence.trim();
    let mut rules = Vec::new();
    for joint in joints(core).into_iter().rev() {
        // The comma of ", and keep it short" went with its "and".
        if joint.end > core.len() {
            continue;
        }
        let clause = core[joint.end..].trim().trim_end_matches(['.', '!', '?', ' ']);
        let before = &core[..joint.start];
        let is_short = before.split_whitespace().take(FEWEST_WORDS).count() < FEWEST_WORDS;
        if clause.is_empty() || is_short || !is_rule(clause) {
            break;
        }
        rules.push(as_sentence(clause));
        core = before.trim_end_matches([',', ';', ' ', '-', '–', '—']);
    }
    rules.reverse();
    (core, rules)
}

/// What separates the clauses of a sentence, outside quotations and parentheses: commas, dashes, and "and" before a ban.
fn joints(sentence: &str) -> Vec<Range<usize>> {
    let mut joints = Vec::new();
    let (mut quoted, mut depth) = (false, 0usize);
    let pairs_up = sentence.matches('"').count().is_multiple_of(2);
    for (at, character) in sentence.char_indices() {
        let rest = &sentence[at..];
        match character {
            '"' if pairs_up => quoted = !quoted,
            '“' | '„' | '«' => quoted = true,
            '”' | '»' => quoted = false,
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' | ';' if !quoted && depth == 0 && rest[1..].starts_with(' ') => {
                joints.push(at..at + 1);
            }
            ' ' if !quoted && depth == 0 => {
                let dash = pattern!(r"^ [-–—] ").find(rest);
                let and = pattern!(r"(?i)^ {sentence.joint} ").find(rest);
                let and = and.filter(|and| is_ban(&rest[and.end()..]));
                joints.extend(dash.or(and).map(|joint| at..at + joint.end()));
            }
            _ => {}
        }
    }
    joints
}
