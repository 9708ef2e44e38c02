//! The content as evidence: what it says, apart from code.

use engine::page::{Block, BlockRole, Page};
use patterns::pattern;
use text::language;

/// Languages that put no spaces between words: their texts are measured in characters.
const UNSPACED: [&str; 6] = ["ja", "km", "lo", "my", "th", "zh"];

/// A text or page, taken apart.
#[derive(Debug)]
pub struct Document {
    /// Everything that is to be seen, with its line breaks.
    pub raw: String,
    /// Its pieces without code.
    pub blocks: Vec<Block>,
    /// What its pieces of code are called on their fences; empty where they say nothing.
    pub code: Vec<String>,
    /// Language tag, `None` where it cannot be told.
    pub language: Option<String>,
    /// Whether it is a page.
    pub page: bool,
}

impl Document {
    /// Reads a text as Markdown, apart from its code.
    pub fn of_text(text: &str) -> Self {
        let seen = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
        let raw: String = text.chars().filter(seen).collect();
        let fenced = pattern!(r"(?ms)^[ \t]*```(?P<label>[^\n]*)$(?:.*?^[ \t]*```[^\n]*$|.*)");
        let label = |found: patterns::Captures<'_>| found["label"].trim().to_lowercase();
        let code: Vec<String> = fenced.captures_iter(&raw).map(label).collect();
        let blocks = engine::page::blocks_of(&fenced.replace_all(&raw, |_| "\n"));
        let language = spoken(&blocks, None);
        Self { raw, blocks, code, language, page: false }
    }

    /// Reads what a page shows.
    pub fn of_page(page: &Page) -> Self {
        let title = page.title.iter().filter(|_| !page.blocks.is_empty());
        let raw: Vec<String> = title.cloned().chain([page.text()]).collect();
        let blocks = page.blocks.clone();
        let language = spoken(&blocks, page.language.as_deref());
        Self { raw: raw.join("\n"), blocks, code: Vec::new(), language, page: true }
    }

    /// How many of its pieces have a role.
    pub fn count(&self, role: BlockRole) -> usize {
        self.blocks.iter().filter(|block| block.role == role).count()
    }

    /// Whether its length is that of its characters.
    pub fn is_unspaced(&self) -> bool {
        self.language.as_deref().is_some_and(|tag| UNSPACED.contains(&tag))
    }

    /// Its words without those of buttons and forms, or its characters.
    pub fn words(&self) -> usize {
        let used = |role| matches!(role, BlockRole::Action | BlockRole::Field);
        let prose = self.blocks.iter().filter(|block| !used(block.role));
        let mut texts: Vec<&str> = prose.map(|block| block.text.as_str()).collect();
        if self.blocks.is_empty() {
            texts.push(&self.raw);
        }
        let written = |text: &str| text.contains(char::is_alphanumeric);
        let count = |text: &&str| match self.is_unspaced() {
            true => text.chars().filter(|c| c.is_alphanumeric()).count(),
            false => text.split_whitespace().filter(|word| written(word)).count(),
        };
        texts.iter().map(count).sum()
    }
}

/// The language of the pieces, or the one that the page declares where that cannot be told.
fn spoken(blocks: &[Block], declared: Option<&str>) -> Option<String> {
    let sample: Vec<&str> = blocks.iter().map(|block| block.text.as_str()).collect();
    let sample = sample.join("\n");
    let declared = declared.map(language::primary).filter(|tag| tag.len() >= 2);
    let guessed = || Some(language::detect(&sample)).filter(|tag| *tag != "und").map(str::to_owned);
    language::told(&sample).map(str::to_owned).or(declared).or_else(guessed)
}
