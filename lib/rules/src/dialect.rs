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
    order: Vec<String>,
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
    let mut blocks = Vec::new();
    let mut sections = Vec::new();
    for part in &family.order {
        let own = pieces.iter().filter(|it| it.part == part && !it.text.trim().is_empty());
        for piece in own {
            let english = family.headings.get(part).filter(|_| locale.name == "English");
            let heading = english.or_else(|| locale.headings.get(part));
            let heading = heading.cloned().unwrap_or_default();
            blocks.push(wrap(piece, &heading, family.style, &everything));
            sections.push(Section { heading, text: piece.text.clone() });
        }
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
    let mut tag = base.to_owned();
    let mut number = 1;
    while taken(&tag) {
        number += 1;
        tag = format!("{base}_{number}");
    }
    tag
}

/// A bulleted list; line breaks inside an item are kept and indented.
pub fn bullets(items: &[String]) -> String {
    let item = |item: &String| format!("- {}", item.replace('\n', "\n  "));
    items.iter().map(item).collect::<Vec<_>>().join("\n")
}
