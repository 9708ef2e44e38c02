//! What a prompt asks for and what it says about it.

use std::cell::OnceCell;
use std::collections::HashSet;

use super::lexicon;
use super::phrases::{self, Hit};
use super::requests;
use super::shots::{self, Shots};
use super::source::Source;
use super::span::Span;
use crate::knowledge::{self, Task};
use crate::slots::{self, Slots};
use crate::{task, visual};
use engine::constraints::{self, Statement};
use engine::{Mode, ModelKind, Severity, TargetModel};
use patterns::pattern;

/// What a prompt is to bring about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Medium {
    /// A text, code included.
    Text,
    /// A picture.
    Image,
    /// A clip.
    Video,
}

/// A prompt with what was understood of it.
pub struct Reading<'a> {
    /// The prompt taken apart.
    pub source: Source<'a>,
    /// The model that it is for.
    pub target: TargetModel,
    /// What it is to bring about, with this model.
    pub medium: Medium,
    /// What its request asks for, whatever the model.
    pub asked: Medium,
    /// The kind of task.
    pub task: &'static Task,
    /// The sentences that ask for something, by number.
    pub requests: Vec<usize>,
    /// What the prompt and the caller say about audience, length and the like; English only.
    pub slots: Slots,
    /// The `{{variables}}` with their names.
    pub variables: Vec<(Span, &'a str)>,
    /// Constraints that can be checked.
    pub constraints: Vec<Statement>,
    /// Whether pictures or files go with the prompt.
    pub attached: bool,
    /// The worked examples that the prompt brings.
    pub shots: Shots,
    /// Whether the caller's words bring what is to be worked on, or say that it comes along.
    pub brought: bool,
    /// Lines that would say in the prompt what only the caller says about the result.
    pub unstated: Vec<String>,
    hits: Vec<Hit>,
    /// What the caller says about the use of the prompt.
    about: HashSet<&'static str>,
    context: String,
    /// What several rules ask for, computed when the first of them does.
    pub(super) facts: Facts,
}

/// Facts about a prompt that are computed once at most.
#[derive(Default)]
pub struct Facts {
    pub(super) exact_length: OnceCell<bool>,
    pub(super) content_words: OnceCell<usize>,
    pub(super) has_task: OnceCell<bool>,
    pub(super) subject: OnceCell<Option<Severity>>,
    pub(super) material: OnceCell<Option<Span>>,
}

/// Bytes of prose that are read for audience, length and the like.
const READ: usize = 6000;

impl<'a> Reading<'a> {
    /// Reads a prompt by itself.
    pub fn of(prompt: &'a str, target: TargetModel, attached: bool) -> Self {
        let source = Source::of(prompt);
        let hits = phrases::hits(&source);
        let requests = requests::of(&source);
        let begin = beginning(&source.prose, READ);
        let request =
            requests.first().map(|number| source.prose_of(source.sentences[*number].span));
        let head = request.unwrap_or(begin).to_owned();
        let asked = asked(&source, &requests, &head);
        let task = if lexicon::knows(source.language) {
            task::recognise(&head, begin, Mode::Auto, source.mask.material().next().is_some())
        } else {
            knowledge::task("general")
        };
        let mut slots = Slots::default();
        if source.language == "en" {
            slots = slots::read(begin);
            slots.subject = slots::subject(&head, slots.audience.as_deref());
        }
        slots.audience = slots.audience.filter(|name| !employs(&source.prose, name));
        slots.tone = slots.tone.filter(|tone| !is_verdict(&source.prose, tone));
        Self {
            medium: medium(&source, target, asked, !requests.is_empty()),
            asked,
            variables: variables(&source),
            constraints: constraints::extract(source.text),
            context: String::new(),
            unstated: Vec::new(),
            source,
            target,
            task,
            requests,
            slots,
            attached,
            shots: shots::of(prompt),
            hits,
            about: HashSet::new(),
            brought: false,
            facts: Facts::default(),
        }
    }

    /// Reads what the caller says about the use of the prompt.
    pub fn explain(&mut self, context: &str) {
        let explained = Source::of(context);
        self.about = phrases::hits(&explained).into_iter().map(|hit| hit.rule).collect();
        self.brought = brings_material(&explained);
        self.context = beginning(&explained.prose, READ).to_lowercase();
        // What was computed without these words may be otherwise with them.
        self.facts = Facts::default();
        if explained.language == "en" {
            let mut all = slots::read(beginning(&explained.prose, READ));
            let own = std::mem::take(&mut self.slots);
            all.subject = own.subject.clone();
            all.update(Slots { subject: None, ..own });
            self.slots = all;
        }
    }

    /// The constraints that are stated without quotations and other material.
    pub fn plain_constraints(&self) -> impl Iterator<Item = &Statement> {
        let Source { text, prose, .. } = &self.source;
        self.constraints
            .iter()
            .filter(move |one| text[one.start..one.end] == prose[one.start..one.end])
    }

    /// The phrases that speak for a rule.
    pub fn phrases(&self, rule: &str) -> impl Iterator<Item = &Hit> {
        self.hits.iter().filter(move |hit| hit.rule == rule)
    }

    /// Whether the caller says something about an aspect.
    pub fn explains(&self, aspect: &str) -> bool {
        self.about.contains(aspect)
    }

    /// What the caller says, in small letters.
    pub fn context(&self) -> &str {
        &self.context
    }
}

/// Whether a name is whom the model works for rather than whom it speaks to: "You are an agent for Acme Bank".
fn employs(prose: &str, name: &str) -> bool {
    let role = pattern!(
        r"(?i)(?-u:\b){analyze_reading.you_are} {analyze_reading.a} [^.!?\n]{0,60}?(?-u:\b){analyze_reading.works_for} (?P<whom>[^.!?\n]{1,80})"
    );
    name.starts_with(char::is_uppercase)
        && role.captures_iter(prose).any(|found| {
            let whom = &found["whom"];
            pattern!(r"^(?:{analyze_reading.a} )?").replace(whom, "").starts_with(name)
        })
}

/// Whether a tone is only one of the labels to choose from: "positive, negative or neutral".
fn is_verdict(prose: &str, tone: &str) -> bool {
    let labels = pattern!(
        r"(?i)(?-u:\b)(?:{analyze_reading.pole}['\x22`]?(?:,? {analyze_reading.or} |, ?|/ ?| \| ?)['\x22`]?(?:{analyze_reading.neutral}|{analyze_reading.pole})|{analyze_reading.neutral}['\x22`]?(?:,? {analyze_reading.or} |, ?|/ ?| \| ?)['\x22`]?{analyze_reading.pole})(?-u:\b)"
    );
    pattern!(r"(?i)^(?:{analyze_reading.pole}|{analyze_reading.neutral})$").is_match(tone.trim())
        && labels.is_match(prose)
}

/// Words of the caller from which on they are more than a remark.
const MORE_THAN_A_REMARK: usize = 25;

/// Whether the caller's words bring what is to be worked on, or say that it comes along.
fn brings_material(context: &Source<'_>) -> bool {
    context.mask.material().next().is_some()
        || context.words.len() >= MORE_THAN_A_REMARK
        || pattern!(
            r"(?i)(?-u:\b){analyze_reading.attached}(?-u:\b)|{analyze_reading.attached_unspaced}"
        )
        .is_match(&context.prose)
        || pattern!(r"</[A-Za-z][\w-]{1,40}>").is_match(&context.prose)
        || pattern!(r"\p{L}\s?[:：]\s*\S+(?:\s+\S+){3}").is_match(&context.prose)
}

/// What the request asks for. Deep inside a longer prompt a picture is one of many things spoken about.
fn asked(source: &Source<'_>, requests: &[usize], head: &str) -> Medium {
    let main = source.words.len() <= 80 && requests.first().is_none_or(|number| *number <= 1);
    let drawn_in_words =
        pattern!(r"(?i)(?-u:\b)(?:ascii|svg|mermaid|{analyze_reading.drawn_in_words})(?-u:\b)");
    if !main || drawn_in_words.is_match(head) {
        Medium::Text
    } else if visual::asks::for_image(head) {
        Medium::Image
    } else if visual::asks::for_video(head) {
        Medium::Video
    } else {
        Medium::Text
    }
}

fn medium(source: &Source<'_>, target: TargetModel, asked: Medium, asks: bool) -> Medium {
    match target.model().kind {
        ModelKind::Image => Medium::Image,
        ModelKind::Video => Medium::Video,
        ModelKind::Universal if asked != Medium::Text => asked,
        // A caption of a picture to be made asks for nothing in words.
        ModelKind::Universal if !asks && source.sentences.len() <= 8 => {
            let prose = beginning(&source.prose, READ).to_lowercase();
            let marks = pattern!(r"(?-u:\b)(?:\d{2,3}mm|--ar|{analyze_reading.picture})(?-u:\b)");
            let moving = pattern!(r"(?-u:\b){analyze_reading.moving}(?-u:\b)");
            match (
                marks.find_iter(&prose).take(2).count(),
                moving.find_iter(&prose).take(2).count(),
            ) {
                (_, 2) => Medium::Video,
                (2, _) => Medium::Image,
                _ => Medium::Text,
            }
        }
        _ => Medium::Text,
    }
}

fn variables<'a>(source: &Source<'a>) -> Vec<(Span, &'a str)> {
    source
        .mask
        .of(super::mask::Kind::Variable)
        .map(|span| (span, source.slice(span).trim_matches(['{', '}']).trim()))
        .filter(|(_, name)| !name.starts_with(['#', '/', '!', '>', '^', '&']) && *name != "else")
        .collect()
}

/// The first so many bytes of a text.
fn beginning(text: &str, bytes: usize) -> &str {
    let end = bytes.min(text.len());
    &text[..(0..=end).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)]
}
