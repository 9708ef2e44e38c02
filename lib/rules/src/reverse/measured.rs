//! What was measured of a text or a page.

use engine::page::BlockRole;
use engine::{Heading, KeyElement, TextStructure};
use patterns::pattern;
use text::{Cover, variables};

use super::code;
use super::document::{self, Document};
use super::form::{self, Form};
use super::found::Found;
use super::result::hundredths;
use super::wording::{Words, said};

/// Most headings and parts that are listed.
const MOST_PARTS: usize = 40;
/// Longest heading that is listed, in characters.
const LONGEST_HEADING: usize = 200;
/// Fewest and most variables of a template.
const VARIABLES: std::ops::RangeInclusive<usize> = 2..=40;

/// What a part holds, in the order in which it is said: one of it, and several.
const CONTENTS: [(&str, &str); 5] = [
    (said("one paragraph"), said("{} paragraphs")),
    (said("one list item"), said("a list of {} items")),
    (said("one table row"), said("a table of {} rows")),
    (said("one form field"), said("a form with {} fields")),
    (said("one button or link"), said("{} buttons or links")),
];

/// A text or a page, and what was measured of it.
#[derive(Debug)]
pub struct Measured {
    /// The content.
    pub document: Document,
    /// Its kind.
    pub form: &'static Form,
    /// The names of its columns or keys.
    pub names: Vec<String>,
    /// The language of its code.
    pub programming_language: Option<&'static str>,
    /// Names of its `{{variables}}`, if it is a template.
    pub variables: Vec<String>,
    /// Its words; its characters where words are not written apart.
    pub words: usize,
    in_characters: bool,
    sentences: usize,
    lines: usize,
}

impl Measured {
    /// Measures a document.
    pub fn of(document: Document) -> Self {
        let (form, names) = form::recognise(&document);
        let in_characters = mostly_unspaced(&document.raw);
        let uses = |role| matches!(role, BlockRole::Action | BlockRole::Field);
        let prose = document.blocks.iter().filter(|block| !uses(block.role));
        let words = if in_characters {
            document.raw.chars().filter(|c| c.is_alphanumeric()).count()
        } else if document.blocks.is_empty() {
            words_of(&document.raw)
        } else {
            prose.clone().map(|block| words_of(&block.text)).sum()
        };
        let said =
            prose.filter(|block| matches!(block.role, BlockRole::Paragraph | BlockRole::ListItem));
        let sentences =
            said.map(|block| text::sentences(&block.text, &Cover::default()).len().max(1));
        Self {
            form,
            names,
            programming_language: code::language(&document.code),
            variables: placeholders(&document.raw),
            words,
            in_characters,
            sentences: sentences.sum(),
            lines: document.raw.lines().filter(|line| !line.trim().is_empty()).count(),
            document,
        }
    }

    fn count(&self, role: BlockRole) -> usize {
        self.document.blocks.iter().filter(|block| block.role == role).count()
    }

    /// How it is built.
    pub fn structure(&self, words: &Words) -> TextStructure {
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let headings = self.document.blocks.iter().filter_map(|block| match block.role {
            BlockRole::Heading(level) => {
                let text = block.text.chars().take(LONGEST_HEADING).collect();
                Some(Heading { level: level.clamp(1, 6), text })
            }
            _ => None,
        });
        TextStructure {
            format: self.form.id.to_owned(),
            words: number(self.words),
            sentences: number(self.sentences),
            paragraphs: number(self.count(BlockRole::Paragraph)),
            list_items: number(self.count(BlockRole::ListItem)),
            headings: headings.take(MOST_PARTS).collect(),
            outline: self.outline(words),
        }
    }

    /// What it is made of, in order.
    pub fn outline(&self, words: &Words) -> Vec<String> {
        let parts = self.parts();
        let alone = parts.len() == 1;
        let mut list = Vec::new();
        for (is_headed, counts) in parts {
            let contents: Vec<String> = CONTENTS
                .iter()
                .zip(counts)
                .filter(|(_, count)| *count > 0)
                .map(|((one, several), count)| counted(words, count, one, several))
                .collect();
            match (is_headed, contents.join(", ")) {
                (true, said) if said.is_empty() => list.push(words.name("Heading")),
                (true, said) => list.push(words.say("Heading: {}", &[&said])),
                (false, said) if said.is_empty() => {}
                (false, _) if alone => list.extend(contents),
                (false, said) => list.push(words.say("Introduction: {}", &[&said])),
            }
        }
        let code = self.document.code.len();
        if code > 0 && !self.form.is_data {
            list.push(counted(words, code, said("one code block"), said("{} code blocks")));
        }
        list.truncate(MOST_PARTS);
        list
    }

    /// What stands before the first heading and below each, with how much of [`CONTENTS`] it holds.
    fn parts(&self) -> Vec<(bool, [usize; 5])> {
        let mut parts = vec![(false, [0; 5])];
        for block in &self.document.blocks {
            let place = match block.role {
                BlockRole::Heading(_) => {
                    parts.push((true, [0; 5]));
                    continue;
                }
                BlockRole::Paragraph => 0,
                BlockRole::ListItem => 1,
                BlockRole::TableRow => 2,
                BlockRole::Field => 3,
                BlockRole::Action => 4,
            };
            if let Some((_, counts)) = parts.last_mut() {
                counts[place] += 1;
            }
        }
        parts
    }

    /// The length in words, in characters or in lines.
    pub fn size(&self, words: &Words) -> String {
        if self.form.is_data {
            return counted(words, self.lines, said("one line"), said("about {} lines"));
        }
        let count = round(self.words).to_string();
        match (self.in_characters, self.count(BlockRole::Paragraph)) {
            (true, _) => words.say("about {} characters", &[&count]),
            (false, 0 | 1) => words.say("about {} words", &[&count]),
            (false, paragraphs) => {
                words.say("about {} words in {2} paragraphs", &[&count, &paragraphs.to_string()])
            }
        }
    }

    /// What is told of it, the surest first, and the sentences that say it.
    pub fn told(&self, own: Option<&Found>, words: &Words) -> (Vec<KeyElement>, String) {
        let evidence = (self.words as f64 / 200.0).min(1.0);
        let name = match own {
            Some(own) if own.visual => said("an image prompt"),
            Some(_) => said("a prompt"),
            None => self.form.name,
        };
        let kind =
            if self.document.page { said("Kind of page: {}.") } else { said("Kind of text: {}.") };
        let is_sure = own.is_some() || self.form.is_proven();
        let language = self.document.language.as_deref().map(|tag| words.language(tag));
        let commands = match self.document.commands {
            0 => String::new(),
            count => {
                words.say("sentences that command a language model: {}", &[&count.to_string()])
            }
        };
        let variables = match own {
            Some(own) => {
                variables::find(&own.prompt).iter().map(|one| one.name.to_owned()).collect()
            }
            None => self.variables.clone(),
        };
        let exclusions = own.and_then(|own| own.negative.clone()).unwrap_or_default();
        let speaks = !self.form.is_data && own.is_none_or(|own| !own.visual);
        let list = [
            ("format", words.label(name), if is_sure { 0.95 } else { 0.5 }, kind),
            ("length", self.size(words), 0.95, said("Length: {}.")),
            ("variables", variables.join(", "), 0.95, ""),
            ("exclusions", exclusions, 0.95, ""),
            ("names", self.names.join(", "), 0.9, ""),
            (
                "programming_language",
                self.programming_language.unwrap_or_default().to_owned(),
                0.85,
                said("Programming language: {}."),
            ),
            (
                "language",
                language.filter(|_| speaks).unwrap_or_default(),
                0.6 + 0.35 * evidence,
                said("Language: {}."),
            ),
            ("embedded_instructions", commands, 0.9, ""),
        ];
        said_of(list.into_iter().filter(|(_, value, ..)| !value.is_empty()).collect(), words)
    }
}

/// What is told, the surest first, and the sentences that say it: a category, its value, how sure it is, and its saying.
fn said_of(list: Vec<(&str, String, f64, &str)>, words: &Words) -> (Vec<KeyElement>, String) {
    let said = list.iter().filter(|(.., saying)| !saying.is_empty());
    let said: Vec<String> = said.map(|(_, value, _, saying)| words.say(saying, &[value])).collect();
    let elements = list.into_iter().map(|(category, value, confidence, _)| KeyElement {
        category: category.to_owned(),
        value,
        confidence: hundredths(confidence),
    });
    let mut elements: Vec<KeyElement> = elements.collect();
    elements.sort_by(|one, other| other.confidence.total_cmp(&one.confidence));
    (elements, said.join(" "))
}

fn counted(words: &Words, count: usize, one: &str, several: &str) -> String {
    if count == 1 { words.name(one) } else { words.say(several, &[&count.to_string()]) }
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

/// The number of words.
fn words_of(text: &str) -> usize {
    let word = pattern!(
        r"[\p{Alphabetic}\p{M}\p{N}]+(?:[-'’\x{200d}][\p{Alphabetic}\p{N}][\p{Alphabetic}\p{M}\p{N}]*)*"
    );
    word.find_iter(text).count()
}

/// Whether most of a text is in scripts that put no spaces between words, so that its length is counted in characters.
fn mostly_unspaced(text: &str) -> bool {
    let unspaced = pattern!(
        r"[\x{e00}-\x{eff}\x{1000}-\x{109f}\x{1780}-\x{17ff}\x{3040}-\x{30ff}\x{3400}-\x{4dbf}\x{4e00}-\x{9fff}\x{f900}-\x{faff}\x{20000}-\x{323af}]"
    );
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    unspaced.find_iter(text).count() * 10 > letters * 3
}

/// The variables of a template, whose names cannot be taken for anything else. A single marker makes no template.
fn placeholders(text: &str) -> Vec<String> {
    let names: Vec<String> = variables::find(text)
        .into_iter()
        .map(|found| found.name.to_owned())
        .filter(|name| name.split_whitespace().count() <= 4 && name.chars().count() <= 60)
        .filter(|name| !document::commands_a_model(name))
        .take(*VARIABLES.end())
        .collect();
    if names.len() < *VARIABLES.start() { Vec::new() } else { names }
}
