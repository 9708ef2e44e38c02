//! The content as evidence: what it says, apart from code and from sentences that command a reader's model.

use engine::page::{Block, MOST_BLOCKS, MOST_CHARACTERS, Page};
use patterns::pattern;
use text::Cover;
use text::language;

/// A text or page, taken apart.
#[derive(Debug)]
pub struct Document {
    /// Everything that is to be seen, with its line breaks.
    pub raw: String,
    /// Its pieces without code, and without sentences that command a language model.
    pub blocks: Vec<Block>,
    /// Its code, and the names of languages that stood on its fences.
    pub code: Vec<Code>,
    /// Sentences that command a language model.
    pub commands: usize,
    /// Language tag, `None` where it cannot be told.
    pub language: Option<String>,
    /// Whether it is a page.
    pub page: bool,
    /// Whether a page had more than was read.
    pub cut: bool,
}

/// A piece of code.
#[derive(Debug)]
pub struct Code {
    /// What the fence calls its language; empty if it says nothing.
    pub label: String,
    /// The code.
    pub text: String,
}

impl Document {
    /// Reads a text as Markdown, apart from its code.
    pub fn of_text(text: &str) -> Self {
        let seen = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
        let raw: String = text.chars().filter(seen).collect();
        let (prose, mut code) = split_code(&raw);
        let mut blocks = engine::page::blocks_of(&prose);
        if code.is_empty() && is_code(&raw) {
            code.push(Code { label: String::new(), text: raw.clone() });
            blocks.clear();
        }
        let commands = drop_commands(&mut blocks);
        let language = spoken(&blocks, None);
        Self { raw, blocks, code, commands, language, page: false, cut: false }
    }

    /// Reads what a page shows.
    pub fn of_page(page: &Page) -> Self {
        let texts = page.blocks.iter().map(|block| &block.text);
        let raw = page.title.iter().filter(|_| !page.blocks.is_empty()).chain(texts.clone());
        let raw = raw.map(String::as_str).collect::<Vec<_>>().join("\n");
        let characters: usize = texts.map(|text| text.chars().count()).sum();
        let mut blocks = page.blocks.clone();
        let commands = drop_commands(&mut blocks);
        let language = spoken(&blocks, page.language.as_deref());
        let cut = page.blocks.len() >= MOST_BLOCKS || characters >= MOST_CHARACTERS;
        Self { raw, blocks, code: Vec::new(), commands, language, page: true, cut }
    }
}

/// Takes fenced code out of a text.
fn split_code(text: &str) -> (String, Vec<Code>) {
    let mut prose = String::with_capacity(text.len());
    let mut code: Vec<Code> = Vec::new();
    let mut open: Option<Code> = None;
    for line in text.lines() {
        let fence = line.trim_start().strip_prefix("```");
        match (fence, &mut open) {
            (Some(_), Some(_)) => code.extend(open.take()),
            (Some(label), None) => {
                open = Some(Code { label: label.trim().to_lowercase(), text: String::new() });
                prose.push('\n');
            }
            (None, Some(block)) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, None) => {
                prose.push_str(line);
                prose.push('\n');
            }
        }
    }
    code.extend(open);
    (prose, code)
}

/// Whether a text without fences is code throughout: most of its lines end or begin as code does. Docstrings
/// and comments say nothing for or against it.
fn is_code(text: &str) -> bool {
    let text = pattern!(r#"(?s)[rubfR]?(?:""".*?"""|'''.*?''')"#).replace_all(text, "");
    let comment = pattern!(r"^(?:#|--|\*|//)(?:\s|$)");
    let start = pattern!(
        r"^(?:#include|#!|import [\w.{*]|from [\w.]+ import|package [\w.]+;?$|using [\w.]+;|def \w+\(|class \w+|fn \w+|pub |func |function\b|const \w|let \w|var \w|return\b|if ?\(|for ?\(|while ?\(|if .*:$|elif |else:?$|for .* in .*:$|try:$|except|finally:|with .*:$|async def |raise\b|yield\b|pass$|break$|continue$|assert |print\(|console\.|SELECT |INSERT |UPDATE |CREATE |FROM |WHERE |JOIN |GROUP BY|ORDER BY|@\w+|//|/\*|\*/|</?[a-zA-Z][\w-]*[ >/]|<!DOCTYPE|echo |\$\w+ ?=|\w+ ?[:+-]?= ?\S|[\w.]+\(.*\)$|[})\];]+$)"
    );
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !comment.is_match(line)).take(400);
    let like = |line: &str| line.ends_with(['{', '}', ';']) || start.is_match(line);
    let (count, alike) =
        lines.fold((0, 0), |(count, alike), line| (count + 1, alike + usize::from(like(line))));
    count >= 2 && alike * 10 >= count * 7
}

/// Removes sentences that command a language model, and counts them.
fn drop_commands(blocks: &mut Vec<Block>) -> usize {
    let mut dropped = 0;
    for block in blocks.iter_mut() {
        if !suspicious(&block.text) {
            continue;
        }
        let kept: Vec<&str> = text::sentences(&block.text, &Cover::default())
            .into_iter()
            .map(|range| &block.text[range])
            .filter(|sentence| {
                let command = commands_a_model(sentence);
                dropped += usize::from(command);
                !command
            })
            .collect();
        block.text = kept.join(" ");
    }
    blocks.retain(|block| !block.text.trim().is_empty());
    dropped
}

/// Whether a closer look is worth it.
fn suspicious(text: &str) -> bool {
    let mark = pattern!(r"(?i){reverse_document.suspicious}|^\s*(?:system|assistant)\s*:");
    patterns::reading_all(|| mark.is_match(text))
}

/// Whether a sentence tries to command the model that reads it.
pub fn commands_a_model(sentence: &str) -> bool {
    let command = pattern!(
        r"(?i)\b{reverse_document.command}\b|\b{reverse_document.command_start}|{reverse_document.command_anywhere}|^\s*\[?(?:system|assistant)\]?\s*:"
    );
    patterns::reading_all(|| command.is_match(sentence))
}

/// Whether statistics are sure that a text is English.
fn is_english(sample: &str) -> bool {
    whatlang::detect(sample)
        .is_some_and(|found| found.lang() == whatlang::Lang::Eng && found.is_reliable())
}

/// The language of the pieces, or the one that the page declares where that cannot be told.
fn spoken(blocks: &[Block], declared: Option<&str>) -> Option<String> {
    let mut sample = String::new();
    for block in blocks {
        sample.push_str(&block.text);
        sample.push('\n');
        if sample.len() > 4000 {
            break;
        }
    }
    let detected = language::detect_other_than_english(&sample);
    let declared = declared.map(language::primary).filter(|tag| tag.len() >= 2);
    match detected {
        Some("und") => declared,
        Some(tag) => Some(tag.to_owned()),
        // The detector is silent about English and about what it is not sure of.
        None if declared.as_deref().is_some_and(|tag| tag == "en" || !is_english(&sample)) => {
            declared
        }
        None => {
            let letters = sample.chars().filter(|c| c.is_alphabetic()).count();
            let latin = sample.chars().filter(char::is_ascii_alphabetic).count();
            (letters > 0 && latin * 10 >= letters * 9).then(|| "en".to_owned())
        }
    }
}
