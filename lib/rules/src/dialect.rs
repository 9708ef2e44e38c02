//! Laying out the parts of a text prompt as the target model's family expects them.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::Value;

use engine::{Section, TargetModel};
use text::language::Locale;

/// Who the model is.
pub const ROLE: &str = "role";
/// What to do.
pub const TASK: &str = "task";
/// What the result must be.
pub const REQUIREMENTS: &str = "requirements";
/// How experts do it.
pub const GUIDELINES: &str = "guidelines";
/// Shape of the answer.
pub const OUTPUT: &str = "output";

/// A part with its finished text.
#[derive(Clone, Debug)]
pub struct Piece {
    /// What it is.
    pub part: &'static str,
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
    #[serde(default)]
    headings: HashMap<String, String>,
}

static FAMILIES: LazyLock<HashMap<String, Family>> = LazyLock::new(|| {
    let file = include_str!("../../../knowledge/families.json");
    let families: Value = serde_json::from_str(file).expect("families.json is compiled in");
    Deserialize::deserialize(&families["texts"]).expect("families are as they are declared")
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
    let everything: String = pieces.iter().flat_map(|piece| [piece.text.as_str(), "\n"]).collect();
    let mut stated: Vec<&Piece> = pieces.iter().filter(|it| !it.text.trim().is_empty()).collect();
    if family.style == Style::Xml {
        // What is to be done stands behind what it depends on.
        stated.sort_by_key(|piece| piece.part == TASK);
    }
    let (mut blocks, mut sections) = (Vec::new(), Vec::new());
    for piece in stated {
        let english = family.headings.get(piece.part).filter(|_| locale.name == "English");
        let heading = english.or_else(|| locale.headings.get(piece.part));
        let heading = heading.cloned().unwrap_or_default();
        blocks.push(wrap(piece, &heading, family.style, &everything));
        sections.push(Section { heading, text: piece.text.clone() });
    }
    (blocks.join("\n\n"), sections)
}

fn wrap(piece: &Piece, heading: &str, style: Style, everything: &str) -> String {
    let text = &piece.text;
    match style {
        Style::Xml => {
            let tag = free_tag(piece.part, everything);
            format!("<{tag}>\n{text}\n</{tag}>")
        }
        _ if piece.part == ROLE => text.clone(),
        Style::Markdown => format!("## {heading}\n{text}"),
        Style::Hashes => format!("### {heading} ###\n{text}"),
        Style::Labels => format!("{heading}:\n{text}"),
    }
}

/// A tag that does not occur in the prompt's text, so that the user's words cannot close it.
fn free_tag(part: &str, everything: &str) -> String {
    let base = if part == OUTPUT { "output_format" } else { part };
    let lower = everything.to_lowercase();
    let taken =
        |tag: &str| lower.contains(&format!("<{tag}")) || lower.contains(&format!("</{tag}"));
    let numbered = (2..).map(|number| format!("{base}_{number}"));
    let mut tags = std::iter::once(base.to_owned()).chain(numbered);
    tags.find(|tag| !taken(tag)).unwrap_or_default()
}

/// A bulleted list; line breaks inside an item are kept and indented.
pub fn bullets(items: &[String]) -> String {
    let item = |item: &String| format!("- {}", item.replace('\n', "\n  "));
    items.iter().map(item).collect::<Vec<_>>().join("\n")
}
