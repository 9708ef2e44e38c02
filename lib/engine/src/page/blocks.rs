//! Collecting visible text into blocks, within bounds.

use super::{Block, BlockRole};

/// Most blocks of a page.
pub const MOST_BLOCKS: usize = 2000;
/// Most characters of all blocks of a page together.
pub const MOST_CHARACTERS: usize = 100_000;

/// Blocks under construction.
#[derive(Debug)]
pub struct Blocks {
    done: Vec<Block>,
    text: String,
    /// What the links of the open block say, if it has said nothing else so far.
    links: Option<Vec<String>>,
    left: usize,
    /// White space that becomes one space if more text follows.
    space: bool,
}

impl Default for Blocks {
    fn default() -> Self {
        Self {
            done: Vec::new(),
            text: String::new(),
            links: Some(Vec::new()),
            left: MOST_CHARACTERS,
            space: false,
        }
    }
}

impl Blocks {
    /// Whether no more is taken.
    pub fn is_full(&self) -> bool {
        self.left == 0 || self.done.len() >= MOST_BLOCKS
    }

    /// Adds text to the open block; `linked` says whether it is that of a link.
    pub fn push(&mut self, text: &str, linked: bool) {
        for character in text.chars() {
            if character.is_whitespace() || character.is_control() || is_invisible(character) {
                self.space |= !is_invisible(character);
                continue;
            }
            if self.is_full() {
                return;
            }
            if std::mem::take(&mut self.space) && !self.text.is_empty() {
                self.put(' ', linked);
            }
            self.put(character, linked);
        }
    }

    fn put(&mut self, character: char, linked: bool) {
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        self.text.push(character);
        match &mut self.links {
            Some(links) if linked => {
                if links.is_empty() {
                    links.push(String::new());
                }
                if let Some(last) = links.last_mut() {
                    last.push(character);
                }
            }
            // Bars and dots between links are no text of their own.
            links if character.is_alphanumeric() => *links = None,
            _ => {}
        }
    }

    /// Says that another link begins.
    pub fn begin_link(&mut self) {
        if let Some(links) = &mut self.links
            && links.last().is_none_or(|last| !last.is_empty())
        {
            links.push(String::new());
        }
    }

    /// Separates two pieces of a block.
    pub fn separate(&mut self) {
        self.space = true;
    }

    /// Separates two cells of a row.
    pub fn next_cell(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('|') {
            self.push(" | ", false);
        }
    }

    /// Ends the open block, and says whether it had any text.
    pub fn end(&mut self, role: BlockRole) -> bool {
        let text = std::mem::take(&mut self.text);
        let links = self.links.replace(Vec::new());
        self.space = false;
        let text = text.trim_matches(|c: char| c == '|' || c.is_whitespace());
        if text.is_empty() {
            return false;
        }
        match links {
            Some(links) if role == BlockRole::Paragraph && !links.is_empty() => {
                for link in links {
                    self.add(BlockRole::Action, link.trim());
                }
            }
            _ => self.add(role, text),
        }
        true
    }

    fn add(&mut self, role: BlockRole, text: &str) {
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
