//! The headed parts of a finished prompt, in whatever dialect it is written.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::dialect::{self, Part};
use engine::Section;
use patterns::pattern;
use text::language;

/// A prompt as lines, with the places of its parts.
pub struct Outline {
    lines: Vec<String>,
    blocks: Vec<Block>,
}

/// A part of a prompt.
struct Block {
    part: Option<Part>,
    heading: String,
    /// Line of the heading; none for the role, which most dialects leave without one.
    opening: Option<usize>,
    /// First line of the text.
    start: usize,
    /// Line after the text.
    end: usize,
}

/// What headings mean, in every dialect and language that prompts are written in.
static NAMES: LazyLock<HashMap<String, Part>> = LazyLock::new(|| {
    let mut names = HashMap::from([("output_format".to_owned(), Part::Output)]);
    let known = dialect::headings().chain(language::headings());
    for (name, heading) in known {
        if let Some(part) = Part::of(name) {
            names.entry(heading.to_lowercase()).or_insert(part);
            names.entry(name.to_owned()).or_insert(part);
        }
    }
    names
});

/// What a heading means, in any dialect and language that is known.
pub(super) fn part_of(heading: &str) -> Option<Part> {
    let heading = heading.trim().to_lowercase();
    let heading = pattern!(r"_\d+$").replace(&heading, "");
    NAMES.get(heading.as_ref()).copied()
}

impl Outline {
    /// Finds the parts of a prompt; fenced content is never searched.
    pub fn of(prompt: &str) -> Self {
        let lines: Vec<String> = prompt.lines().map(str::to_owned).collect();
        let mut blocks: Vec<Block> = Vec::new();
        let mut fence: Option<usize> = None;
        let mut closing: Option<String> = None;
        for (at, line) in lines.iter().enumerate() {
            let ticks = line.trim_start().chars().take_while(|c| *c == '`').count();
            if ticks >= fence.unwrap_or(3) && (fence.is_none() || line.trim().len() == ticks) {
                fence = if fence.is_none() { Some(ticks) } else { None };
                continue;
            }
            if fence.is_some() {
                continue;
            }
            if let Some(tag) = &closing {
                if line.trim() == tag {
                    if let Some(block) = blocks.last_mut() {
                        block.end = at;
                    }
                    closing = None;
                }
                continue;
            }
            let paragraph = at == 0 || lines[at - 1].trim().is_empty();
            let Some((heading, kind)) = heading_of(line, paragraph) else { continue };
            if let Some(block) = blocks.last_mut()
                && block.end == lines.len()
            {
                block.end = at;
            }
            let role = kind == Kind::Role;
            if kind == Kind::Tag {
                closing = Some(format!("</{heading}>"));
            }
            blocks.push(Block {
                part: if role { Some(Part::Role) } else { part_of(&heading) },
                heading: if role { "Role".to_owned() } else { heading },
                opening: (!role).then_some(at),
                start: if role { at } else { at + 1 },
                end: lines.len(),
            });
        }
        Self { lines, blocks }
    }

    /// Whether the prompt has headings at all.
    pub fn has_headings(&self) -> bool {
        self.blocks.iter().any(|block| block.opening.is_some())
    }

    /// The text of a part.
    pub fn text(&self, part: Part) -> Option<String> {
        self.blocks.iter().find(|block| block.part == Some(part)).map(|block| self.body(block))
    }

    fn body(&self, block: &Block) -> String {
        let body = self.lines[block.start..block.end].join("\n");
        body.trim_matches(['\n', ' ']).to_owned()
    }

    /// The parts as sections.
    pub fn sections(&self) -> Vec<Section> {
        self.blocks
            .iter()
            .map(|block| Section { heading: label(block), text: self.body(block) })
            .filter(|section| !section.text.is_empty())
            .collect()
    }
}

fn label(block: &Block) -> String {
    super::split::capitalize(&block.heading.replace('_', " "))
}

#[derive(PartialEq, Eq)]
enum Kind {
    Heading,
    Tag,
    Role,
}

/// The heading in a line, if it is one.
fn heading_of(line: &str, paragraph: bool) -> Option<(String, Kind)> {
    let text = line.trim();
    if let Some(found) = pattern!(r"^#{1,6} (?P<h>[^#\n].*?)(?: #+)?$").captures(text) {
        return Some((found["h"].trim_end_matches(':').to_owned(), Kind::Heading));
    }
    if let Some(found) = pattern!(r"^<(?P<h>[a-z][a-z0-9_-]{1,40})>$").captures(text) {
        return Some((found["h"].to_owned(), Kind::Tag));
    }
    if let Some(name) = text.strip_suffix(':')
        && part_of(name).is_some()
    {
        return Some((name.to_owned(), Kind::Heading));
    }
    (paragraph && pattern!(r"^{outline.role} [^-]").is_match(text))
        .then(|| (String::new(), Kind::Role))
}
