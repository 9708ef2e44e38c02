//! The content as evidence: what it says, apart from code.

use engine::page::{Block, MOST_BLOCKS, MOST_CHARACTERS, Page};
use patterns::pattern;
use text::Cover;
use text::language;

/// A text or page, taken apart.
#[derive(Debug)]
pub struct Document {
    /// Everything that is to be seen, with its line breaks.
    pub raw: String,
    /// Its pieces without code.
    pub blocks: Vec<Block>,
    /// What its pieces of code are called on their fences; empty where they say nothing.
    pub code: Vec<String>,
    /// Sentences that command a language model.
    pub commands: usize,
    /// Language tag, `None` where it cannot be told.
    pub language: Option<String>,
    /// Whether it is a page.
    pub page: bool,
    /// Whether a page had more than was read.
    pub cut: bool,
}

impl Document {
    /// Reads a text as Markdown, apart from its code.
    pub fn of_text(text: &str) -> Self {
        let seen = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
        let raw: String = text.chars().filter(seen).collect();
        let fenced = pattern!(r"(?ms)^[ \t]*```([^\n]*)$(?:.*?^[ \t]*```[^\n]*$|.*)");
        let label = |found: patterns::Captures<'_>| found[1].trim().to_lowercase();
        let mut code: Vec<String> = fenced.captures_iter(&raw).map(label).collect();
        let mut prose = fenced.replace_all(&raw, "\n");
        if code.is_empty() && is_code(&raw) {
            code.push(String::new());
            prose = "".into();
        }
        let blocks = engine::page::blocks_of(&prose);
        Self::new(raw, blocks, code, None)
    }

    /// Reads what a page shows.
    pub fn of_page(page: &Page) -> Self {
        let title = page.title.iter().filter(|_| !page.blocks.is_empty());
        let raw: Vec<String> = title.cloned().chain([page.text()]).collect();
        let characters: usize = page.blocks.iter().map(|block| block.text.chars().count()).sum();
        let cut = page.blocks.len() >= MOST_BLOCKS || characters >= MOST_CHARACTERS;
        let declared = page.language.as_deref();
        let read = Self::new(raw.join("\n"), page.blocks.clone(), Vec::new(), declared);
        Self { page: true, cut, ..read }
    }

    fn new(raw: String, blocks: Vec<Block>, code: Vec<String>, declared: Option<&str>) -> Self {
        let commands = blocks.iter().map(|block| commands(&block.text)).sum();
        let language = spoken(&blocks, declared);
        Self { raw, blocks, code, commands, language, page: false, cut: false }
    }
}

/// Whether a text without fences is code throughout: most of its lines end or begin as code does. Docstrings
/// and comments say nothing for or against it.
fn is_code(text: &str) -> bool {
    let text = pattern!(r#"(?s)[rubfR]?(?:""".*?"""|'''.*?''')"#).replace_all(text, "");
    let comment = pattern!(r"^(?:#|--|\*|//)(?:\s|$)");
    let like = pattern!(
        r"[{};]$|^(?:#include|#!|import [\w.{*]|from [\w.]+ import|package [\w.]+;?$|using [\w.]+;|def \w+\(|class \w+|fn \w+|pub |func |function\b|const \w|let \w|var \w|return\b|if ?\(|for ?\(|while ?\(|if .*:$|elif |else:?$|for .* in .*:$|try:$|except|finally:|with .*:$|async def |raise\b|yield\b|pass$|break$|continue$|assert |print\(|console\.|SELECT |INSERT |UPDATE |CREATE |FROM |WHERE |JOIN |GROUP BY|ORDER BY|@\w+|//|/\*|\*/|</?[a-zA-Z][\w-]*[ >/]|<!DOCTYPE|echo |\$\w+ ?=|\w+ ?[:+-]?= ?\S|[\w.]+\(.*\)$|[})\];]+$)"
    );
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !comment.is_match(line)).take(400);
    let (count, alike) = lines
        .fold((0, 0), |(count, alike), line| (count + 1, alike + usize::from(like.is_match(line))));
    count >= 2 && alike * 10 >= count * 7
}

/// How many sentences of a text command the model that reads it.
pub fn commands(text: &str) -> usize {
    let mark = pattern!(r"(?i){reverse_document.suspicious}|^\s*(?:system|assistant)\s*:");
    let command = pattern!(
        r"(?i)\b{reverse_document.command}\b|\b{reverse_document.command_start}|{reverse_document.command_anywhere}|^\s*\[?(?:system|assistant)\]?\s*:"
    );
    // A closer look is seldom worth it.
    if !patterns::reading_all(|| mark.is_match(text)) {
        return 0;
    }
    let sentences = text::sentences(text, &Cover::default()).into_iter();
    let commanding = |range: &std::ops::Range<usize>| command.is_match(&text[range.clone()]);
    patterns::reading_all(|| sentences.filter(commanding).count())
}

/// The language of the pieces, or the one that the page declares where that cannot be told.
fn spoken(blocks: &[Block], declared: Option<&str>) -> Option<String> {
    let sample: Vec<&str> = blocks.iter().map(|block| block.text.as_str()).collect();
    let sample = sample.join("\n");
    let declared = declared.map(language::primary).filter(|tag| tag.len() >= 2);
    let guessed = || Some(language::detect(&sample)).filter(|tag| *tag != "und").map(str::to_owned);
    language::told(&sample).map(str::to_owned).or(declared).or_else(guessed)
}
