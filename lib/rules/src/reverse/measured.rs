//! What was measured of a text or a page.

use engine::page::BlockRole;
use engine::{Heading, KeyElement, TextStructure};
use patterns::pattern;
use text::{Cover, variables};

use super::document::{self, Document};
use super::form::{self, Form, IMAGE_PROMPT};
use super::found::Found;
use super::hundredths;
use super::wording::{Words, said};

/// Most headings and parts that are listed.
const MOST_PARTS: usize = 40;
/// Longest heading that is listed, in characters.
const LONGEST_HEADING: usize = 200;
/// Fewest variables of a template that is no prompt, and most of any.
const FEWEST_VARIABLES: usize = 2;
const MOST_VARIABLES: usize = 40;
/// Names of programming languages, each with what fences call it.
const LANGUAGES: &str = "PHP=php C#=csharp,cs Java=java Kotlin=kotlin Swift=swift Rust=rust,rs Go=go,golang \
    C++=cpp,c++ C=c TypeScript=typescript,ts,tsx JavaScript=javascript,js,jsx Python=python,py Ruby=ruby,rb SQL=sql \
    HTML=html CSS=css Bash=bash,sh,shell YAML=yaml,yml JSON=json TOML=toml";

/// What a part holds, in the order in which it is said: one of it, and several.
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
    /// The language of its code.
    pub programming_language: Option<&'static str>,
    /// Names of its `{{variables}}`, if it is a template.
    pub variables: Vec<String>,
    /// Its words; its characters where words are not written apart.
    words: usize,
    in_characters: bool,
}

impl Measured {
    /// Measures a document; `own` is the prompt that it is.
    pub fn of(document: Document, own: Option<&Found>) -> Self {
        let in_characters = mostly_unspaced(&document.raw);
        let words = if in_characters {
            document.raw.chars().filter(|c| c.is_alphanumeric()).count()
        } else if document.blocks.is_empty() {
            words_of(&document.raw)
        } else {
            let used = |role| matches!(role, BlockRole::Action | BlockRole::Field);
            let prose = document.blocks.iter().filter(|block| !used(block.role));
            prose.map(|block| words_of(&block.text)).sum()
        };
        let programming_language = document.code.first().and_then(|label| language(label));
        let variables =
            placeholders(&document.raw, if own.is_some() { 1 } else { FEWEST_VARIABLES });
        let form = form::recognise(&document, own);
        Self { document, form, programming_language, variables, words, in_characters }
    }

    fn count(&self, role: BlockRole) -> usize {
        self.document.blocks.iter().filter(|block| block.role == role).count()
    }

    /// How it is built.
    pub fn structure(&self, words: &Words) -> TextStructure {
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let blocks = &self.document.blocks;
        let headings = blocks.iter().filter_map(|block| match block.role {
            BlockRole::Heading(level) if document::commands(&block.text) == 0 => {
                let text = block.text.chars().take(LONGEST_HEADING).collect();
                Some(Heading { level: level.clamp(1, 6), text })
            }
            _ => None,
        });
        let said = [BlockRole::Paragraph, BlockRole::ListItem];
        let said = blocks.iter().filter(|block| said.contains(&block.role));
        let sentences = said.map(|block| text::sentences(&block.text, &Cover::default()).len());
        TextStructure {
            format: self.form.id.to_owned(),
            words: number(self.words),
            sentences: number(sentences.map(|count| count.max(1)).sum()),
            paragraphs: number(self.count(BlockRole::Paragraph)),
            list_items: number(self.count(BlockRole::ListItem)),
            headings: headings.take(MOST_PARTS).collect(),
            outline: self.outline(words),
        }
    }

    /// What it is made of, in order: what stands before the first heading, and below each.
    pub fn outline(&self, words: &Words) -> Vec<String> {
        let blocks = &self.document.blocks;
        let parts = blocks.split(|block| matches!(block.role, BlockRole::Heading(_)));
        let alone = parts.clone().count() == 1;
        let mut list = Vec::new();
        for (at, part) in parts.enumerate().take(MOST_PARTS + 1) {
            let said = CONTENTS.iter().filter_map(|(role, one, several)| {
                let count = part.iter().filter(|block| block.role == *role).count();
                (count > 0).then(|| words.count(count, one, several))
            });
            let said: Vec<String> = said.collect();
            match said.join(", ") {
                _ if alone => list.extend(said),
                said if at == 0 && said.is_empty() => {}
                said if at == 0 => list.push(words.say("Introduction: {}", &[&said])),
                said if said.is_empty() => list.push(words.name("Heading")),
                said => list.push(words.say("Heading: {}", &[&said])),
            }
        }
        let code = self.document.code.len();
        if code > 0 && !self.form.is_data {
            list.push(words.count(code, said("one code block"), said("{} code blocks")));
        }
        list.truncate(MOST_PARTS);
        list
    }

    /// The length in words, in characters or in lines.
    pub fn size(&self, words: &Words) -> String {
        if self.form.is_data {
            let lines = self.document.raw.lines().filter(|line| !line.trim().is_empty()).count();
            return words.count(lines, said("one line"), said("about {} lines"));
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
    pub fn told(&self, words: &Words) -> (Vec<KeyElement>, String) {
        let kind =
            if self.document.page { said("Kind of page: {}.") } else { said("Kind of text: {}.") };
        let speaks = !self.form.is_data && self.form.id != IMAGE_PROMPT;
        let language = self.document.language.as_deref().filter(|_| speaks);
        let language = language.map(|tag| words.language(tag)).unwrap_or_default();
        let code = self.programming_language.unwrap_or_default().to_owned();
        let heard = 0.6 + 0.35 * (self.words as f64 / 200.0).min(1.0);
        let list = [
            (
                "format",
                words.label(self.form.name),
                if self.form.is_proven() { 0.95 } else { 0.5 },
                kind,
            ),
            ("length", self.size(words), 0.95, said("Length: {}.")),
            ("variables", self.variables.join(", "), 0.95, ""),
            ("names", self.form.names.join(", "), 0.9, ""),
            ("programming_language", code, 0.85, said("Programming language: {}.")),
            ("language", language, heard, said("Language: {}.")),
        ];
        let told = list.iter().filter(|(_, value, _, saying)| value.len().min(saying.len()) > 0);
        let told: Vec<String> =
            told.map(|(_, value, _, saying)| words.say(saying, &[value])).collect();
        let known = list.into_iter().map(|(category, value, sure, _)| (category, value, sure));
        (super::key_elements(known), told.join(" "))
    }

    /// How sure a prompt is, from 0.2 to 0.8: 0.3, 0.3 more where the form proves the kind, and up to 0.2 for 300 words
    /// of evidence; less 0.1 if only a part was read.
    pub fn confidence(&self) -> f64 {
        let kind = if self.form.is_proven() { 0.3 } else { 0.0 };
        let unread = if self.document.cut { 0.1 } else { 0.0 };
        hundredths(0.3 + kind + 0.2 * (self.words as f64 / 300.0).min(1.0) - unread)
    }
}

/// The programming language that a fence names.
fn language(label: &str) -> Option<&'static str> {
    let label = label.split([' ', '{', ',']).next().filter(|label| !label.is_empty())?;
    let mut rows = LANGUAGES.split(' ').filter_map(|row| row.split_once('='));
    rows.find(|(_, labels)| labels.split(',').any(|known| known == label)).map(|(name, _)| name)
}

/// A number to two figures.
fn round(number: usize) -> usize {
    let unit = 10_usize.pow(number.max(10).ilog10() - 1);
    (number + unit / 2) / unit * unit
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

/// The variables of a template, whose names cannot be taken for anything else; none if there are too few.
fn placeholders(text: &str, fewest: usize) -> Vec<String> {
    let plain = |name: &&str| {
        name.split_whitespace().count() <= 4
            && name.chars().count() <= 60
            && document::commands(name) == 0
    };
    let names = variables::find(text).into_iter().map(|found| found.name).filter(plain);
    let names: Vec<String> = names.take(MOST_VARIABLES).map(str::to_owned).collect();
    if names.len() < fewest { Vec::new() } else { names }
}
