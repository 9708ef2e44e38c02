//! Reading plain text and Markdown.

use super::blocks::Blocks;
use super::{Block, BlockRole, Page};
use patterns::pattern;

/// Reads a document without markup, or with Markdown's.
pub fn read(text: &str) -> Page {
    if text.contains('\0') {
        return Page::default();
    }
    let blocks = blocks(text);
    let title = blocks
        .first()
        .filter(|block| matches!(block.role, BlockRole::Heading(_)))
        .map(|block| block.text.clone());
    Page { title, blocks, ..Page::default() }
}

/// The blocks of a text: headings with `#` or underlined, list items, table rows and paragraphs.
pub fn blocks(text: &str) -> Vec<Block> {
    budget::spend(text.len());
    let mut blocks = Blocks::default();
    let mut open = BlockRole::Paragraph;
    let mut fenced = false;
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let bare = line.trim();
        if bare.starts_with("```") || bare.starts_with("~~~") {
            fenced = !fenced;
            blocks.end(open);
            open = BlockRole::Paragraph;
            continue;
        }
        if bare.is_empty() {
            blocks.end(open);
            open = BlockRole::Paragraph;
            continue;
        }
        let role = if fenced { None } else { marked(bare) };
        let underlined = (!fenced && role.is_none())
            .then(|| lines.peek().and_then(|next| underline(next)))
            .flatten();
        if let Some((role, content)) = role {
            blocks.end(open);
            blocks.push(content, false);
            if role == BlockRole::ListItem {
                // Indented lines below go on with it.
                open = role;
            } else {
                blocks.end(role);
                open = BlockRole::Paragraph;
            }
        } else if let Some(level) = underlined {
            blocks.end(open);
            blocks.push(bare, false);
            blocks.end(BlockRole::Heading(level));
            open = BlockRole::Paragraph;
            lines.next();
        } else {
            blocks.separate();
            blocks.push(bare, false);
        }
        if blocks.is_full() {
            break;
        }
    }
    blocks.end(open);
    blocks.finish()
}

/// What a line's own mark says that it is, and the rest of the line.
fn marked(line: &str) -> Option<(BlockRole, &str)> {
    if let Some(found) = pattern!(r"^(#{1,6})\s+(.+?)(?:\s+#+)?$").captures(line) {
        let level = u8::try_from(found[1].len()).unwrap_or(6);
        return Some((BlockRole::Heading(level), found.get(2)?.as_str()));
    }
    if let Some(found) =
        pattern!(r"^(?:[-*+•‣◦▪–]|\d{1,3}[.)、]|[a-z][.)])\s+(?:\[[ xX]\]\s+)?(.+)$").captures(line)
    {
        return Some((BlockRole::ListItem, found.get(1)?.as_str()));
    }
    if line.len() > 1 && line.starts_with('|') && line.ends_with('|') {
        let rule = line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '));
        return Some((BlockRole::TableRow, if rule { "" } else { line.trim_matches('|') }));
    }
    // A rule between sections.
    let ruled = line.len() >= 3 && line.chars().all(|c| matches!(c, '-' | '*' | '_' | ' '));
    ruled.then_some((BlockRole::Paragraph, ""))
}

/// The level of heading that an underline makes of the line before it.
fn underline(line: &str) -> Option<u8> {
    let line = line.trim();
    if line.len() < 3 {
        return None;
    }
    if line.chars().all(|c| c == '=') {
        return Some(1);
    }
    line.chars().all(|c| c == '-').then_some(2)
}
