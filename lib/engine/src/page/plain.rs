//! Reading plain text and Markdown.

use super::blocks::Blocks;
use super::{Block, BlockRole, Page};
use patterns::pattern;

/// Reads a document without markup, or with Markdown's. Its title is the heading that it begins with.
pub fn read(text: &str) -> Page {
    let blocks = if text.contains('\0') { Vec::new() } else { blocks(text) };
    let first = blocks.first().filter(|block| matches!(block.role, BlockRole::Heading(_)));
    Page { title: first.map(|block| block.text.clone()), blocks, ..Page::default() }
}

/// The blocks of a text: headings with `#` or underlined, list items, table rows and paragraphs.
pub fn blocks(text: &str) -> Vec<Block> {
    budget::spend(text.len());
    let mut blocks = Blocks::default();
    let (mut open, mut fenced) = (BlockRole::Paragraph, false);
    let mut lines = text.lines().map(str::trim).peekable();
    while let Some(line) = lines.next()
        && !blocks.is_full()
    {
        let fence = line.starts_with("```") || line.starts_with("~~~");
        fenced ^= fence;
        let marked = match line {
            _ if fence || line.is_empty() => Some((BlockRole::Paragraph, "")),
            _ if fenced => None,
            _ => marked(line).or_else(|| {
                let level = underline(lines.peek()?)?;
                lines.next();
                Some((BlockRole::Heading(level), line))
            }),
        };
        let Some((role, content)) = marked else {
            blocks.push(" ");
            blocks.push(line);
            continue;
        };
        blocks.end(open);
        blocks.push(content);
        // The lines below an item go on with it.
        open = if role == BlockRole::ListItem { role } else { BlockRole::Paragraph };
        if open != role {
            blocks.end(role);
        }
    }
    blocks.end(open);
    blocks.finish()
}

/// What a line's own mark says that it is, and the rest of the line; nothing is left of a rule.
fn marked(line: &str) -> Option<(BlockRole, &str)> {
    let mark = pattern!(
        r"^(?:(#{1,6})\s+(.+?)(?:\s+#+)?|(?:[-*+•‣◦▪–]|\d{1,3}[.)、]|[a-z][.)])\s+(?:\[[ xX]\]\s+)?(.+)|[-*_ ]{3,}|\|[-|: ]*\||(\|.*\|))$"
    );
    let found = mark.captures(line)?;
    let group = |number| found.get(number).map(|group| group.as_str());
    Some(match (group(1), group(3), group(4)) {
        (Some(marks), ..) => (BlockRole::Heading(marks.len() as u8), group(2)?),
        (_, Some(item), _) => (BlockRole::ListItem, item),
        (.., Some(row)) => (BlockRole::TableRow, row.trim_matches('|')),
        _ => (BlockRole::Paragraph, ""),
    })
}

/// The level of heading that an underline makes of the line before it.
fn underline(line: &str) -> Option<u8> {
    let marks = ['=', '-'].iter().position(|mark| line.chars().all(|c| c == *mark))?;
    (line.len() >= 3).then_some(marks as u8 + 1)
}
