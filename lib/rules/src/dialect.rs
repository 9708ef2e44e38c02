//! Laying out the parts of a text prompt as the target model's family expects them.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

use engine::{Section, TargetModel};
use text::language::Locale;

/// What a part of a prompt is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Who the model is.
    Role,
    /// What to do.
    Task,
    /// What the result must be.
    Requirements,
    /// How experts do it.
    Guidelines,
    /// Shape of the answer.
    Output,
}

/// The parts by their names in the data files.
const NAMES: &str = "role task requirements guidelines output";

impl Part {
    /// The part with this name in the data files.
    pub fn of(name: &str) -> Option<Self> {
        serde_json::from_value(serde_json::Value::from(name)).ok()
    }

    fn name(self) -> &'static str {
        NAMES.split(' ').find(|name| Self::of(name) == Some(self)).unwrap_or_default()
    }
}

/// A part with its finished text.
#[derive(Clone, Debug)]
pub struct Piece {
    /// What it is.
    pub part: Part,
    /// Its text.
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Style {
    /// `## Heading`
    Markdown,
    /// `### Heading ###`
    Hashes,
    /// `<tag>…</tag>`
    Xml,
    /// `Heading:`
    Labels,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Family {
    style: Style,
    order: Vec<Part>,
    #[serde(default)]
    headings: HashMap<String, String>,
}

#[derive(Deserialize)]
struct Families {
    texts: HashMap<String, Family>,
}

static FAMILIES: LazyLock<HashMap<String, Family>> = LazyLock::new(|| {
    let families: Families = serde_json::from_str(include_str!("../../../knowledge/families.json"))
        .expect("families.json is compiled in");
    families.texts
});

fn family(target: TargetModel) -> &'static Family {
    FAMILIES.get(&target.model().family).unwrap_or_else(|| &FAMILIES["universal"])
}

/// The names of parts with their headings in every family of models.
pub fn headings() -> impl Iterator<Item = (&'static str, &'static str)> {
    FAMILIES.values().flat_map(|family| {
        family.headings.iter().map(|(name, heading)| (name.as_str(), heading.as_str()))
    })
}

/// Whether prompts for `target` keep their parts between XML tags.
pub fn uses_tags(target: TargetModel) -> bool {
    family(target).style == Style::Xml
}

/// Joins the pieces into a prompt and lists them as sections.
pub fn lay_out(pieces: &[Piece], target: TargetModel, locale: &Locale) -> (String, Vec<Section>) {
    let family = family(target);
    let english = locale.is_english();
    let everything: String =
        pieces.iter().map(|piece| piece.text.as_str()).collect::<Vec<_>>().join("\n");
    let mut blocks = Vec::new();
    let mut sections = Vec::new();
    for part in &family.order {
        for piece in
            pieces.iter().filter(|piece| piece.part == *part && !piece.text.trim().is_empty())
        {
            let heading = heading_of(*part, family, locale, english);
            blocks.push(wrap(piece, &heading, family.style, &everything));
            sections.push(Section { heading, text: piece.text.clone() });
        }
    }
    (blocks.join("\n\n"), sections)
}

fn heading_of(part: Part, family: &Family, locale: &Locale, english: bool) -> String {
    let name = part.name();
    let own = if english { family.headings.get(name) } else { None };
    own.or_else(|| locale.headings.get(name)).cloned().unwrap_or_default()
}

fn wrap(piece: &Piece, heading: &str, style: Style, everything: &str) -> String {
    let text = &piece.text;
    match style {
        Style::Xml => {
            let tag = free_tag(piece.part, everything);
            format!("<{tag}>\n{text}\n</{tag}>")
        }
        _ if piece.part == Part::Role => text.clone(),
        Style::Markdown => format!("## {heading}\n{text}"),
        Style::Hashes => format!("### {heading} ###\n{text}"),
        Style::Labels => format!("{heading}:\n{text}"),
    }
}

/// A tag that does not occur in the prompt's text, so that the user's words cannot close it.
fn free_tag(part: Part, everything: &str) -> String {
    let base = if part == Part::Output { "output_format" } else { part.name() };
    let lower = everything.to_lowercase();
    let taken =
        |tag: &str| lower.contains(&format!("<{tag}")) || lower.contains(&format!("</{tag}"));
    if !taken(base) {
        return base.to_owned();
    }
    (2..)
        .map(|number| format!("{base}_{number}"))
        .find(|tag| !taken(tag))
        .unwrap_or_else(|| base.to_owned())
}

/// A bulleted list; line breaks inside an item are kept and indented.
pub fn bullets(items: &[String]) -> String {
    items
        .iter()
        .map(|item| format!("- {}", item.replace('\n', "\n  ")))
        .collect::<Vec<_>>()
        .join("\n")
}
