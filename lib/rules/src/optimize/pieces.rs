//! Gathering the stretches of a prompt without headings by the parts that they belong to.

use super::anatomy::{Chunk, Form};
use crate::dialect::{self, Part, Piece, bullets};
use engine::TargetModel;

/// Prompts with fewer words than this are read at a glance: parts would only inflate them.
const FEWEST_WORDS: usize = 20;

/// The stretches of a prompt without headings, gathered by part.
pub fn pieces_of(prompt: &str, chunks: &[Chunk], target: TargetModel) -> Option<Vec<Piece>> {
    let block = chunks.iter().any(|chunk| matches!(chunk.form, Form::Block | Form::Open));
    let words = prompt.split_whitespace().take(FEWEST_WORDS).count();
    let dense = prompt.chars().filter(|c| *c >= '\u{2e80}').take(2 * FEWEST_WORDS).count();
    if !block && words < FEWEST_WORDS && dense < 2 * FEWEST_WORDS
        || !chunks.iter().any(|chunk| chunk.part == Part::Task)
    {
        return None;
    }
    let parts = [
        Part::Role,
        Part::Task,
        Part::Context,
        Part::Material,
        Part::Requirements,
        Part::Guidelines,
        Part::Examples,
        Part::Output,
    ];
    let pieces: Vec<Piece> = parts
        .into_iter()
        .map(|part| Piece { part, text: gather(prompt, chunks, part, target) })
        .map(|piece| match piece.part {
            Part::Examples if dialect::uses_tags(target) => {
                Piece { text: untagged(piece.text), ..piece }
            }
            _ => piece,
        })
        .filter(|piece| !piece.text.is_empty())
        .collect();
    (pieces.len() >= 2).then_some(pieces)
}

/// The text of a part: what stood side by side stays so, requirements become items of a list.
fn gather(prompt: &str, chunks: &[Chunk], part: Part, target: TargetModel) -> String {
    let mut blocks: Vec<String> = Vec::new();
    let mut last: Option<usize> = None;
    let own = |chunk: &&Chunk| chunk.part == part && chunk.form != Form::Open;
    for (at, chunk) in chunks.iter().enumerate().filter(|(_, chunk)| own(chunk)) {
        let text = &prompt[chunk.range.clone()];
        // What it introduces stands elsewhere.
        let orphan = chunk.form == Form::Sentence
            && chunks.get(at + 1).is_some_and(|next| !own(&next) && next.form == Form::Block);
        let text = &match text.strip_suffix([':', '：']).filter(|_| orphan) {
            Some(bare) => format!("{}.", bare.trim_end()),
            None => text.to_owned(),
        };
        let follows = at.checked_sub(1).filter(|before| last == Some(*before));
        match (chunk.form, part) {
            (Form::Sentence, Part::Requirements) => {
                let item = bullets(&[text.to_owned()]);
                match blocks.last_mut().filter(|block| block.starts_with("- ")) {
                    Some(list) => *list = format!("{list}\n{item}"),
                    None => blocks.push(item),
                }
            }
            (Form::List, Part::Requirements)
                if text.starts_with("- ")
                    && blocks.last().is_some_and(|block| block.starts_with("- ")) =>
            {
                if let Some(list) = blocks.last_mut() {
                    list.push('\n');
                    list.push_str(text);
                }
            }
            (Form::Block, Part::Material | Part::Examples) => blocks.push(delimited(text, target)),
            (Form::Block, _) if text.contains('`') || text.contains("\"\"\"") => {
                blocks.push(text.to_owned())
            }
            (Form::Block, _) => blocks.push(dialect::fence(text)),
            (Form::Sentence, _) => match (follows.map(|before| &chunks[before]), blocks.last_mut())
            {
                (Some(before), Some(block)) if before.form == Form::Sentence => {
                    block.push_str(&prompt[before.range.end..chunk.range.start]);
                    block.push_str(text);
                }
                _ => blocks.push(text.to_owned()),
            },
            _ => blocks.push(text.to_owned()),
        }
        last = Some(at);
    }
    let mut text = String::new();
    let mut short = true;
    for block in blocks {
        let line = !block.contains('\n');
        if !text.is_empty() {
            let close = !matches!(part, Part::Material | Part::Examples) && short && line;
            text.push_str(if close { "\n" } else { "\n\n" });
        }
        text.push_str(&block);
        short = line;
    }
    text
}

/// Content to work on, in a fence unless it is delimited already or tags will do that.
fn delimited(text: &str, target: TargetModel) -> String {
    let own = text.starts_with(['`', '~', '<', '>', '|'])
        || text.starts_with("\"\"\"")
        || text.starts_with("'''");
    if own || dialect::uses_tags(target) || text.contains('`') {
        return text.to_owned();
    }
    dialect::fence(text)
}

/// Examples without the tags that the layout puts around them.
fn untagged(text: String) -> String {
    let inner =
        text.strip_prefix("<examples>\n").and_then(|rest| rest.strip_suffix("\n</examples>"));
    inner.filter(|inner| !inner.contains("<examples>")).map_or(text.clone(), str::to_owned)
}
