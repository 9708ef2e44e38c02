//! Collecting visible text into blocks, within bounds.

use super::{Block, BlockRole};

/// Most blocks of a page.
pub const MOST_BLOCKS: usize = 2000;
/// Most characters of all blocks of a page together.
pub const MOST_CHARACTERS: usize = 100_000;

/// Blocks under construction.
#[derive(Debug, Default)]
pub struct Blocks {
    done: Vec<Block>,
    text: String,
    /// Characters of all blocks.
    taken: usize,
    /// White space that becomes one space if more text follows.
    space: bool,
}

impl Blocks {
    /// Whether no more is taken.
    pub fn is_full(&self) -> bool {
        self.taken >= MOST_CHARACTERS || self.done.len() >= MOST_BLOCKS
    }

    /// Adds text to the open block.
    pub fn push(&mut self, text: &str) {
        for character in text.chars().filter(|character| !is_invisible(*character)) {
            if character.is_whitespace() || character.is_control() {
                self.space = true;
                continue;
            }
            let space = std::mem::take(&mut self.space) && !self.text.is_empty();
            for character in space.then_some(' ').into_iter().chain([character]) {
                if self.is_full() {
                    return;
                }
                self.taken += 1;
                self.text.push(character);
            }
        }
    }

    /// Separates two cells of a row.
    pub fn next_cell(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('|') {
            self.push(" | ");
        }
    }

    /// Ends the open block.
    pub fn end(&mut self, role: BlockRole) {
        let text = std::mem::take(&mut self.text);
        self.space = false;
        let text = text.trim_matches(|c: char| c == '|' || c.is_whitespace());
        let visible = text.chars().any(|c| !c.is_whitespace() && !c.is_ascii_punctuation());
        if visible && self.done.len() < MOST_BLOCKS {
            self.done.push(Block { role, text: text.to_owned() });
        }
    }

    /// The blocks, the last one ended.
    pub fn finish(mut self) -> Vec<Block> {
        self.end(BlockRole::Paragraph);
        self.done
    }
}

/// Marks that take no room: zero-width characters, direction marks, soft hyphens and tag characters, which can
/// carry text that nobody sees. Joiners stay, since some scripts and emoji need them.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}'
    )
}
