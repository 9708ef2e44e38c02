//! What is said about the content: in words, as key elements, and as a structure.

use super::Findings;
use super::found::Found;
use super::measure::Measures;
use super::prompt::quoted;
use super::topic::quotable;
use super::wording::Words;
use crate::page::BlockRole;
use crate::{Heading, KeyElement, ModelKind, ReverseBrief, TextStructure, language, variables};

/// Most headings and parts that are listed.
const MOST_PARTS: usize = 40;
/// Fewer words than this leave most things open.
const FEW_WORDS: usize = 40;

/// How sure the result is, from 0.2 to 0.9: 0.25, and up to 0.35 for the kind of text, 0.2 for 300 words of
/// evidence, 0.05 for at least three key phrases and 0.05 for a language whose voice could be measured; less
/// 0.1 if only a part was read.
pub fn confidence(findings: &Findings) -> f64 {
    let evidence = (findings.measures.words as f64 / 300.0).min(1.0);
    let mut sum = 0.25 + 0.35 * findings.certainty + 0.2 * evidence;
    sum += if findings.topics.len() >= 3 { 0.05 } else { 0.0 };
    sum += if findings.voice.known { 0.05 } else { 0.0 };
    sum -= if findings.document.cut { 0.1 } else { 0.0 };
    hundredths(sum.clamp(0.2, 0.9))
}

fn hundredths(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// The length in words.
pub fn size(findings: &Findings, words: &Words) -> String {
    let measures = &findings.measures;
    let lines = measures.lines.to_string();
    if findings.genre.id == "program" || findings.genre.family == "data" || findings.verse {
        return if measures.lines == 1 {
            words.say("one line", &[])
        } else {
            words.say("about {1} lines", &[&lines])
        };
    }
    let count = round(measures.words).to_string();
    let paragraphs = measures.paragraphs.to_string();
    match (measures.in_characters, measures.paragraphs) {
        (true, _) => words.say("about {1} characters", &[&count]),
        (false, 0 | 1) => words.say("about {1} words", &[&count]),
        _ => words.say("about {1} words in {2} paragraphs", &[&count, &paragraphs]),
    }
}

/// A number as people say it: to two figures, and to fives below a hundred.
fn round(number: usize) -> usize {
    match number {
        0..=9 => number,
        10..=99 => (number + 2) / 5 * 5,
        _ => {
            let unit = 10_usize.pow(number.ilog10().saturating_sub(1));
            (number + unit / 2) / unit * unit
        }
    }
}

/// How hard it is to read, in English.
pub fn level(measures: &Measures) -> Option<&'static str> {
    measures.grade.map(|grade| match grade {
        grade if grade < 6.5 => "easy to read",
        grade if grade < 11.0 => "of medium difficulty",
        _ => "demanding",
    })
}

/// What was sent, in a few sentences.
pub fn description(findings: &Findings, words: &Words) -> String {
    let label = words.label(&findings.genre.name);
    let mut list = vec![if findings.document.page {
        words.say("Kind of page: {1}.", &[&label])
    } else {
        words.say("Kind of text: {1}.", &[&label])
    }];
    if !findings.topics.is_empty() {
        list.push(words.say("Topic: {1}.", &[&quoted(&findings.topics)]));
    }
    list.push(words.say("Readers: {1}.", &[&words.name(findings.readers.0)]));
    if findings.speaks() && !findings.voice.tones.is_empty() {
        list.push(words.say("Tone: {1}.", &[&words.list(&findings.voice.tones)]));
    }
    if let Some(language) = findings.programming_language {
        list.push(words.say("Programming language: {1}.", &[language]));
    }
    list.push(words.say("Length: {1}.", &[&size(findings, words)]));
    if let Some(tag) = findings.document.language.as_deref().filter(|_| findings.speaks()) {
        list.push(words.say("Language: {1}.", &[&words.language(tag)]));
    }
    if !findings.formatting.is_empty() {
        list.push(words.say("Formatting: {1}.", &[&words.list(&findings.formatting)]));
    }
    list.join(" ")
}

/// What a text is that is a prompt itself.
pub fn prompt(own: &Found, findings: &Findings, words: &Words) -> String {
    let label = words.label(prompt_name(own));
    [
        words.say("Kind of text: {1}.", &[&label]),
        words.say("Length: {1}.", &[&size(findings, words)]),
    ]
    .join(" ")
}

fn prompt_name(own: &Found) -> &'static str {
    if own.visual { "an image prompt" } else { "a prompt" }
}

/// What makes a prompt what it is.
pub fn prompt_elements(own: &Found, findings: &Findings, words: &Words) -> Vec<KeyElement> {
    let mut list = vec![("format", words.label(prompt_name(own)), 0.95)];
    let names: Vec<String> =
        variables::find(&own.prompt).into_iter().map(|found| found.name.to_owned()).collect();
    if !names.is_empty() {
        list.push(("variables", names.join(", "), 0.95));
    }
    if let Some(negative) = &own.negative {
        list.push(("exclusions", negative.clone(), 0.95));
    }
    let element = |(category, value, confidence): (&str, String, f64)| KeyElement {
        category: category.to_owned(),
        value,
        confidence,
    };
    let mut list: Vec<KeyElement> = list.into_iter().map(element).collect();
    if !own.visual {
        for other in key_elements(findings, words) {
            if !list.iter().any(|known| known.category == other.category) {
                list.push(other);
            }
        }
    }
    list
}

/// What makes the content what it is, the surest first.
pub fn key_elements(findings: &Findings, words: &Words) -> Vec<KeyElement> {
    let mut list: Vec<KeyElement> = Vec::new();
    let mut add = |category: &str, value: String, confidence: f64| {
        list.push(KeyElement {
            category: category.to_owned(),
            value,
            confidence: hundredths(confidence),
        });
    };
    let evidence = (findings.measures.words as f64 / 200.0).min(1.0);
    add("format", words.label(&findings.genre.name), 0.3 + 0.65 * findings.certainty);
    add("length", size(findings, words), 0.95);
    if !findings.topics.is_empty() {
        add("topic", findings.topics.join(", "), 0.5 + 0.3 * evidence);
    }
    let (readers, named) = findings.readers;
    add("audience", words.name(readers), if named { 0.75 } else { 0.3 + 0.3 * findings.certainty });
    if let Some(language) = findings.programming_language {
        add("programming_language", language.to_owned(), 0.85);
    }
    if findings.speaks() {
        let voice = &findings.voice;
        if let Some(tag) = &findings.document.language {
            add("language", words.language(tag), 0.6 + 0.35 * evidence);
        }
        if !voice.tones.is_empty() {
            add("tone", words.list(&voice.tones), 0.4 + 0.35 * evidence);
        }
        if let Some(register) = voice.register {
            add("register", words.name(register), if register == "neutral" { 0.5 } else { 0.7 });
        }
        if let Some(person) = voice.person {
            add("point_of_view", words.name(person), 0.55 + 0.3 * evidence);
        }
        if let Some(tense) = voice.tense {
            add("tense", words.name(tense), 0.5 + 0.2 * evidence);
        }
        if let Some(level) = level(&findings.measures) {
            add("reading_level", words.name(level), 0.7);
        }
    }
    if !findings.formatting.is_empty() {
        add("formatting", words.list(&findings.formatting), 0.9);
    }
    if !findings.devices.is_empty() {
        add("devices", words.list(&findings.devices), 0.75);
    }
    if findings.calls && !findings.actions.is_empty() {
        add("call_to_action", findings.actions.join(", "), 0.85);
    }
    let names: Vec<&str> = findings.variables.iter().map(String::as_str).collect();
    if !names.is_empty() {
        add("variables", names.join(", "), 0.95);
    }
    if findings.document.commands > 0 {
        let count = findings.document.commands.to_string();
        add(
            "embedded_instructions",
            words.say("sentences that command a language model: {1}", &[&count]),
            0.9,
        );
    }
    list.sort_by(|one, other| other.confidence.total_cmp(&one.confidence));
    list
}

/// How the content is built.
pub fn structure(findings: &Findings, words: &Words) -> TextStructure {
    let measures = &findings.measures;
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let headings = findings.document.blocks.iter().filter_map(|block| match block.role {
        BlockRole::Heading(level) => {
            Some(Heading { level: level.clamp(1, 6), text: block.text.chars().take(200).collect() })
        }
        _ => None,
    });
    TextStructure {
        format: findings.genre.id.clone(),
        words: number(measures.words),
        sentences: number(measures.sentences),
        paragraphs: number(measures.paragraphs),
        list_items: number(measures.items),
        headings: headings.take(MOST_PARTS).collect(),
        outline: outline(findings, words),
    }
}

/// A part of the content between two headings.
#[derive(Default)]
struct Part {
    heading: Option<String>,
    paragraphs: usize,
    items: usize,
    rows: usize,
    actions: usize,
    fields: usize,
}

impl Part {
    fn contents(&self, words: &Words) -> Vec<String> {
        let counted = |count: usize, one: String, many: &dyn Fn(&str) -> String| match count {
            0 => None,
            1 => Some(one),
            _ => Some(many(&count.to_string())),
        };
        [
            counted(self.paragraphs, words.say("one paragraph", &[]), &|count| {
                words.say("{1} paragraphs", &[count])
            }),
            counted(self.items, words.say("one list item", &[]), &|count| {
                words.say("a list of {1} items", &[count])
            }),
            counted(self.rows, words.say("one table row", &[]), &|count| {
                words.say("a table of {1} rows", &[count])
            }),
            counted(self.fields, words.say("one form field", &[]), &|count| {
                words.say("a form with {1} fields", &[count])
            }),
            counted(self.actions, words.say("one button or link", &[]), &|count| {
                words.say("{1} buttons or links", &[count])
            }),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

/// What the content is made of, in order.
pub fn outline(findings: &Findings, words: &Words) -> Vec<String> {
    let mut parts = vec![Part::default()];
    for block in &findings.document.blocks {
        if matches!(block.role, BlockRole::Heading(_)) {
            let heading = Some(quotable(&block.text)).filter(|text| !text.is_empty());
            parts.push(Part { heading, ..Part::default() });
            continue;
        }
        let Some(part) = parts.last_mut() else { continue };
        match block.role {
            BlockRole::ListItem => part.items += 1,
            BlockRole::TableRow => part.rows += 1,
            BlockRole::Action => part.actions += 1,
            BlockRole::Field => part.fields += 1,
            BlockRole::Paragraph | BlockRole::Heading(_) => part.paragraphs += 1,
        }
    }
    let mut list = Vec::new();
    let (greets, closes) = findings.framed;
    if greets {
        list.push(words.say("Salutation", &[]));
        let framing = 1 + usize::from(closes);
        if let Some(first) = parts.first_mut() {
            first.paragraphs = first.paragraphs.saturating_sub(framing).max(1);
        }
    }
    let alone = parts.len() == 1;
    for part in &parts {
        let contents = part.contents(words);
        match &part.heading {
            Some(heading) if contents.is_empty() => list.push(format!("\"{heading}\"")),
            Some(heading) => list.push(format!("\"{heading}\": {}", contents.join(", "))),
            None if contents.is_empty() => {}
            None if alone || greets => list.extend(contents),
            None => list.push(words.say("Introduction: {1}", &[&contents.join(", ")])),
        }
    }
    if !findings.document.code.is_empty() {
        let count = findings.document.code.len();
        list.push(if count == 1 {
            words.say("one code block", &[])
        } else {
            words.say("{1} code blocks", &[&count.to_string()])
        });
    }
    if closes {
        list.push(words.say("Closing formula", &[]));
    }
    list.truncate(MOST_PARTS);
    list
}

/// What the result cannot know.
pub fn limitations(findings: &Findings, brief: &ReverseBrief, words: &Words) -> Vec<String> {
    let document = &findings.document;
    let mut list = vec![
        words.say("The author's own prompt cannot be known; this one follows from the finished content by rules, without a language model.", &[]),
        words.say("Facts in the content were not verified.", &[]),
    ];
    if document.page {
        list.push(words.say("Only what the page shows without scripts, stylesheets and a login was read; pictures and layout were not.", &[]));
    }
    if document.cut {
        list.push(words.say("The page is longer than what was read of it.", &[]));
    }
    if document.commands > 0 {
        list.push(words.say("The content has sentences that command a language model. They were treated as content: none was followed, and none is in the prompt.", &[]));
    }
    if findings.measures.words < FEW_WORDS {
        list.push(
            words.say("There is little content, so kind, tone and readers are uncertain.", &[]),
        );
    }
    if findings.certainty < 0.25 {
        list.push(words.say("The kind of text was not clearly recognised.", &[]));
    }
    if findings.speaks() && !findings.voice.known {
        list.push(words.say("Tone, point of view and tense were not measured, because there are no word lists for this language.", &[]));
    }
    let model = brief.target_model.model();
    match model.kind {
        ModelKind::Image => list.push(words.say("{1} makes pictures, so the prompt describes a picture that fits the content, not the content itself.", &[&model.name])),
        ModelKind::Video => list.push(words.say("{1} makes videos, so the prompt describes a clip that fits the content, not the content itself.", &[&model.name])),
        ModelKind::Universal | ModelKind::Text => {
            let asked = language::primary(&brief.language);
            if let Some(tag) = document.language.as_deref().filter(|tag| *tag != asked && findings.speaks()) {
                let (from, to) = (words.language(tag), words.language(&brief.language));
                list.push(words.say("The content is in {1}; the prompt asks for {2}.", &[&from, &to]));
            }
        }
    }
    list.extend(language::unspoken(&brief.language));
    list
}
