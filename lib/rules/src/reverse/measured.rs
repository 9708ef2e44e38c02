//! What was measured of a text or a page.

use engine::page::BlockRole;
use engine::{Heading, KeyElement, TextStructure};
use patterns::pattern;
use text::{Cover, variables};

use super::document::Document;
use super::form::{self, Form, IMAGE_PROMPT};
use super::found::Found;
use crate::split::capitalize;
use crate::wording::{Voice, said};

/// Most headings, parts and variables that are listed.
const MOST: usize = 40;
/// Longest heading that is listed, in characters.
const LONGEST_HEADING: usize = 200;

/// What a run of blocks is called: one of them, and several.
const CONTENTS: [(BlockRole, &str, &str); 5] = [
    (BlockRole::Paragraph, said("one paragraph"), said("{} paragraphs")),
    (BlockRole::ListItem, said("one list item"), said("a list of {} items")),
    (BlockRole::TableRow, said("one table row"), said("a table of {} rows")),
    (BlockRole::Field, said("one form field"), said("a form with {} fields")),
    (BlockRole::Action, said("one button or link"), said("{} buttons or links")),
];

/// A text or a page, and what was measured of it.
#[derive(Debug)]
pub struct Measured {
    /// The content.
    pub document: Document,
    /// Its kind.
    pub form: Form,
    /// What its code is called on its fence.
    pub code: String,
    /// Names of its `{{variables}}`.
    pub variables: Vec<String>,
    words: usize,
}

impl Measured {
    /// Measures a document; `own` is the prompt that it is.
    pub fn of(document: Document, own: Option<&Found>) -> Self {
        // Nothing that could be a sentence reaches the prompt.
        let plain = |name: &&str| pattern!(r"^[\w-]{1,40}$").is_match(name);
        let names = variables::find(&document.raw).into_iter().map(|found| found.name);
        let variables = names.filter(plain).take(MOST).map(str::to_owned).collect();
        let label = document.code.first().map(String::as_str).unwrap_or_default();
        let code = pattern!(r"^[a-z0-9+#]{1,20}\b").find(label).map_or("", |found| found.as_str());
        let (code, form) = (code.to_owned(), form::recognise(&document, own));
        Self { form, code, variables, words: document.words(), document }
    }

    /// How it is built.
    pub fn structure(&self, words: &Voice) -> TextStructure {
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let headings = self.document.blocks.iter().filter_map(|block| match block.role {
            BlockRole::Heading(level) => {
                let text = block.text.chars().take(LONGEST_HEADING).collect();
                Some(Heading { level: level.clamp(1, 6), text })
            }
            _ => None,
        });
        let said = [BlockRole::Paragraph, BlockRole::ListItem];
        let said = self.document.blocks.iter().filter(|block| said.contains(&block.role));
        let sentences = said.map(|block| text::sentences(&block.text, &Cover::default()).len());
        TextStructure {
            format: self.form.id.to_owned(),
            words: number(self.words),
            sentences: number(sentences.map(|count| count.max(1)).sum()),
            paragraphs: number(self.document.count(BlockRole::Paragraph)),
            list_items: number(self.document.count(BlockRole::ListItem)),
            headings: headings.take(MOST).collect(),
            outline: self.outline(words),
        }
    }

    /// What it is made of, in order: headings, and runs of what stands below them.
    pub fn outline(&self, words: &Voice) -> Vec<String> {
        let runs = self.document.blocks.chunk_by(|one, next| one.role == next.role);
        let said = runs.map(|run| match CONTENTS.iter().find(|(role, ..)| *role == run[0].role) {
            Some((_, one, several)) => words.count(run.len(), one, several),
            None => words.name("Heading"),
        });
        said.take(MOST).collect()
    }

    /// The length in words, in characters or in lines.
    pub fn size(&self, words: &Voice) -> String {
        if self.form.is_data {
            let lines = self.document.raw.lines().filter(|line| !line.trim().is_empty()).count();
            return words.count(lines, said("one line"), said("about {} lines"));
        }
        let count = round(self.words).to_string();
        match (self.document.is_unspaced(), self.document.count(BlockRole::Paragraph)) {
            (true, _) => words.say("about {} characters", &[&count]),
            (false, 0 | 1) => words.say("about {} words", &[&count]),
            (false, paragraphs) => {
                words.say("about {} words in {2} paragraphs", &[&count, &paragraphs.to_string()])
            }
        }
    }

    /// What is told of it, the surest first, and the sentences that say it.
    pub fn told(&self, words: &Voice) -> (Vec<KeyElement>, String) {
        let kind =
            if self.document.page { said("Kind of page: {}.") } else { said("Kind of text: {}.") };
        let speaks = !self.form.is_data && self.form.id != IMAGE_PROMPT;
        let language = self.document.language.as_deref().filter(|_| speaks);
        let language = language.map(|tag| words.language(tag)).unwrap_or_default();
        let sure = if self.form.is_proven() { 0.95 } else { 0.5 };
        let name = words.name(self.form.name);
        // Without its article.
        let label = name.split_once(' ').map_or(name.as_str(), |(_, label)| label);
        let list = [
            ("format", capitalize(label), sure, kind),
            ("length", self.size(words), 0.95, said("Length: {}.")),
            ("variables", self.variables.join(", "), 0.95, ""),
            ("programming_language", self.code.clone(), 0.85, said("Programming language: {}.")),
            ("language", language, 0.8, said("Language: {}.")),
        ];
        let told = list.iter().filter(|(_, value, _, saying)| value.len().min(saying.len()) > 0);
        let told: Vec<String> =
            told.map(|(_, value, _, saying)| words.say(saying, &[value])).collect();
        let known = list.into_iter().map(|(category, value, sure, _)| (category, value, sure));
        (super::key_elements(known), told.join(" "))
    }
}

/// A number to two figures.
fn round(number: usize) -> usize {
    let unit = 10_usize.pow(number.max(10).ilog10() - 1);
    (number + unit / 2) / unit * unit
}
