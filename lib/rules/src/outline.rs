//! The headed parts of a finished prompt, in whatever dialect it is written.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::dialect::{self, OUTPUT};
use engine::Section;
use patterns::pattern;
use text::literals::scan;
use text::{Cover, language};

/// What headings mean, in every dialect and language that prompts are written in.
static NAMES: LazyLock<HashMap<String, &str>> = LazyLock::new(|| {
    let mut names = HashMap::from([("output_format".to_owned(), OUTPUT)]);
    for (name, heading) in dialect::headings().chain(language::headings()) {
        names.entry(heading.to_lowercase()).or_insert(name);
        names.entry(name.to_owned()).or_insert(name);
    }
    names
});

/// What a heading means, in any dialect and language that is known.
pub(super) fn part_of(heading: &str) -> Option<&'static str> {
    let heading = heading.trim().to_lowercase();
    NAMES.get(pattern!(r"_\d+$").replace_all(&heading, |_| "").as_str()).copied()
}

/// A part with its lines.
struct Block<'a> {
    heading: &'a str,
    lines: Vec<&'a str>,
}

/// The parts of a prompt.
pub struct Outline<'a>(Vec<Block<'a>>);

impl<'a> Outline<'a> {
    /// Finds the parts of a prompt; fenced content is never searched.
    pub fn of(prompt: &'a str) -> Self {
        let code = Cover::of(&[&scan(prompt).code]);
        let mut blocks: Vec<Block<'a>> = Vec::new();
        let (mut at, mut closing, mut open) = (0, None, false);
        for whole in prompt.split_inclusive('\n') {
            let line = whole.trim_end_matches(['\n', '\r']);
            let fenced = code.touches(&(at..at + 1));
            let found = heading_of(line);
            let is_end = closing.as_deref() == Some(line.trim());
            match found.filter(|_| !fenced && closing.is_none()) {
                Some((heading, tag)) => {
                    closing = tag.then(|| format!("</{heading}>"));
                    blocks.push(Block { heading, lines: Vec::new() });
                    open = true;
                }
                // What follows a part between tags belongs to none.
                None if is_end => (closing, open) = (None, false),
                None => blocks.last_mut().filter(|_| open).map_or((), |it| it.lines.push(line)),
            }
            at += whole.len();
        }
        Self(blocks)
    }

    /// Whether the prompt has headings at all.
    pub fn has_headings(&self) -> bool {
        !self.0.is_empty()
    }

    /// The text of a part.
    pub fn text(&self, part: &str) -> Option<String> {
        let block = self.0.iter().find(|block| part_of(block.heading) == Some(part));
        block.map(Block::text)
    }

    /// The parts as sections.
    pub fn sections(&self) -> Vec<Section> {
        let section = |block: &Block<'_>| Section {
            heading: super::split::capitalize(&block.heading.replace('_', " ")),
            text: block.text(),
        };
        self.0.iter().map(section).filter(|section| !section.text.is_empty()).collect()
    }
}

impl Block<'_> {
    fn text(&self) -> String {
        self.lines.join("\n").trim_matches(['\n', ' ']).to_owned()
    }
}

/// The heading in a line, and whether it is a tag.
fn heading_of(line: &str) -> Option<(&str, bool)> {
    let text = line.trim();
    if text.starts_with('#') && pattern!(r"^#{1,6} [^#]").is_match(text) {
        let heading = text.trim_matches(['#', ' ']).trim_end_matches(':');
        return Some((heading, false));
    }
    if pattern!(r"^<[a-z][a-z0-9_-]{1,40}>$").is_match(text) {
        return Some((text.trim_matches(['<', '>']), true));
    }
    let label = text.strip_suffix(':').filter(|name| part_of(name).is_some());
    label.map(|name| (name, false))
}
