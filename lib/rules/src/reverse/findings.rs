//! What was found out about a text or a page.

use super::counts::Counts;
use super::document::{self, Document};
use super::form::{self, Form};
use super::genre::{self, Genre, Recognised};
use super::voice::{self, Voice};
use super::wording::said;
use super::{code, noise, topic, words};
use engine::page::BlockRole;
use text::variables;

/// Most phrases that tell the topic.
const MOST_PHRASES: usize = 6;
/// Fewest variables of a template.
const FEWEST_VARIABLES: usize = 2;
/// Most variables that are carried over.
const MOST_VARIABLES: usize = 40;
/// Most labels of buttons that are named.
const MOST_ACTIONS: usize = 3;
/// Longest label of a button, in characters.
const LONGEST_ACTION: usize = 40;

/// What was found out about the content.
#[derive(Debug)]
pub struct Findings {
    /// The content.
    pub document: Document,
    /// Its sizes and marks.
    pub counts: Counts,
    /// How it speaks.
    pub voice: Voice,
    /// Its kind.
    pub genre: &'static Genre,
    /// How sure the kind is, 0 to 1.
    pub certainty: f64,
    /// English name of the readers, and whether the text itself names them.
    pub readers: (&'static str, bool),
    /// Key phrases, fit to be quoted.
    pub topics: Vec<String>,
    /// What the buttons of a page say, fit to be quoted.
    pub actions: Vec<String>,
    /// Whether it calls on its readers to act.
    pub calls: bool,
    /// The language of its code.
    pub programming_language: Option<&'static str>,
    /// English names of formatting conventions.
    pub formatting: Vec<&'static str>,
    /// English names of recurring devices.
    pub devices: Vec<&'static str>,
    /// Whether it opens with a salutation, and whether it closes with a formula.
    pub framed: (bool, bool),
    /// Whether its lines are verses.
    pub verse: bool,
    /// Names of its `{{variables}}`.
    pub variables: Vec<String>,
}

impl Findings {
    /// Examines a document.
    pub fn of(document: Document) -> Self {
        let prose = document.prose();
        let list = words::words(&prose);
        let counts = Counts::of(&document, &list);
        let mut voice = voice::listen(&list, document.language.as_deref(), &counts);
        let lower = genre::sample(&document.raw);
        let form = Form::of(&document, &counts, &voice, &lower);
        let Recognised { genre, certainty } = genre::recognise(&lower, &form, document.page);
        let subject = noise::subject_matter(&document);
        let mut topics = topic::phrases(&document, &words::words(&subject), MOST_PHRASES);
        if topics.is_empty() {
            topics = code::names(&document.code, MOST_PHRASES);
        }
        if genre.family == "creative" {
            // The word lists hear everyday tones only; verse and fiction have others.
            voice.tones.retain(|tone| *tone != "factual");
        }
        let calls = form::calls(&lower) > 0;
        let (formatting, devices) = if genre.speaks() {
            (formatting(&document, &counts, &form), devices(&counts, &form, calls))
        } else {
            (Vec::new(), Vec::new())
        };
        Self {
            readers: genre::readers(&lower, genre),
            programming_language: code::language(&document.code),
            framed: (form.has("greeting"), form.has("signoff")),
            verse: form.has("verse"),
            variables: placeholders(&document.raw),
            actions: actions(&document),
            calls,
            formatting,
            devices,
            topics,
            genre,
            certainty,
            counts,
            voice,
            document,
        }
    }

    /// Whether tone, person and the like mean anything for it.
    pub fn speaks(&self) -> bool {
        self.genre.speaks()
    }
}

type Named = (&'static str, bool);

fn present(list: &[Named]) -> Vec<&'static str> {
    list.iter().filter(|(_, is)| *is).map(|(name, _)| *name).collect()
}

fn formatting(document: &Document, counts: &Counts, form: &Form) -> Vec<&'static str> {
    let marked = !document.page && document.raw.contains("# ");
    present(&[
        (said("Markdown headings"), marked && counts.headings > 0),
        (said("headings"), !marked && counts.headings > 0),
        (said("numbered lists"), counts.numbered >= 2),
        (said("bulleted lists"), counts.items >= counts.numbered + 2),
        (said("tables"), counts.rows >= 2),
        (said("bold text"), counts.bold),
        (said("code blocks"), form.has("fenced")),
        (said("emojis"), counts.emojis >= 2),
        (said("hashtags"), counts.hashtags >= 2),
        (said("links"), counts.links >= 2),
    ])
}

fn devices(counts: &Counts, form: &Form, calls: bool) -> Vec<&'static str> {
    present(&[
        (said("questions to the reader"), counts.questions >= 2),
        (said("calls to action"), calls),
        (said("figures and numbers"), counts.numbers >= 6),
        (said("direct speech"), counts.speech >= 2),
        (said("exclamations"), counts.exclamations >= 2),
        (said("rhymes"), form.has("rhyme") && form.has("verse")),
    ])
}

/// What the first buttons of a page say.
fn actions(document: &Document) -> Vec<String> {
    let mut labels: Vec<String> = Vec::new();
    for block in document.blocks.iter().filter(|block| block.role == BlockRole::Action) {
        let label = noise::quotable(&block.text);
        if label.chars().count() <= LONGEST_ACTION && !labels.contains(&label) {
            labels.push(label);
        }
    }
    labels.truncate(MOST_ACTIONS);
    labels
}

/// The first variables of a template, whose names cannot be taken for anything else. A single marker makes no
/// template.
fn placeholders(text: &str) -> Vec<String> {
    let names = variables::find(text);
    if names.len() < FEWEST_VARIABLES {
        return Vec::new();
    }
    names
        .into_iter()
        .map(|found| found.name.to_owned())
        .filter(|name| name.split_whitespace().count() <= 4 && name.chars().count() <= 60)
        .filter(|name| !document::commands_a_model(name))
        .take(MOST_VARIABLES)
        .collect()
}
