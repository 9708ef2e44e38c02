//! Laying a prompt out anew, in its own words, as the target model's family reads best.

use super::anatomy::{self, Form};
use super::pieces::pieces_of;
use super::scaffold::scaffold;
use crate::dialect::{self, Part, Piece};
use crate::facts::Facts;
use crate::outline::{self, Outline};
use crate::wording::Tongue;
use engine::{Mode, TargetModel};
use patterns::{Pattern, pattern};
use text::language;
use text::{Cover, literals::scan};

/// What a layout may add of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Additions {
    /// A role, the shape of the answer and a check, where they are missing and the kind of task is clear.
    Scaffold,
    /// Nothing.
    None,
}

/// A prompt laid out anew.
#[derive(Debug)]
pub struct Layout {
    /// The prompt.
    pub prompt: String,
    /// Its parts in their order.
    pub parts: Vec<Part>,
    /// Parts that the original did not have.
    pub added: Vec<Part>,
}

/// Lays out `prompt`; `None` where that would not make it clearer: it is short, has its own headings that
/// suit the model, or cannot be taken apart.
pub fn lay_out(
    prompt: &str,
    target: TargetModel,
    facts: &Facts,
    tongue: Tongue,
    additions: Additions,
) -> Option<Layout> {
    let locale = match tongue.locale() {
        Some(locale) => locale,
        None if facts.sentences.is_empty() => return None,
        None => language::locale("en"),
    };
    let outline = Outline::of(prompt);
    let structured = is_structured(prompt, &outline);
    let mut open = String::new();
    let parts = if structured {
        outline.parts().map(|parts| {
            let piece = |(part, _, text)| Piece { part, text: unquoted(text) };
            parts.into_iter().map(piece).collect()
        })
    } else {
        let chunks = anatomy::dissect(prompt, tongue);
        if let Some(last) = chunks.last().filter(|chunk| chunk.form == Form::Open) {
            prompt[last.range.clone()].clone_into(&mut open);
        }
        pieces_of(prompt, &chunks, target)
    };
    let mut pieces: Vec<Piece> = match parts {
        Some(pieces) => pieces,
        // A prompt that stays whole still needs the facts.
        None if facts.sentences.is_empty() => return None,
        None if structured => return Some(annexed(prompt, target, facts, tongue)),
        None => vec![Piece { part: Part::Task, text: prompt.trim().to_owned() }],
    };
    let stated = pieces.len();
    facts.place(&mut pieces, tongue);
    let mut added: Vec<Part> = Vec::new();
    // Examples with an open pair behind them show the form of the answer better than any description.
    if additions == Additions::Scaffold && !structured && open.is_empty() {
        added = scaffold(prompt, facts, &mut pieces, tongue);
    }
    let (laid, sections) = arranged(&pieces, &open, target, locale);
    let kinds: std::collections::HashSet<Part> = pieces.iter().map(|piece| piece.part).collect();
    let changed = if structured {
        form(&laid) != form(prompt) || pieces.len() > stated
    } else {
        sections >= 2 && kinds.len() >= 2
    };
    changed.then(|| Layout { prompt: laid, parts: in_order(&pieces), added })
}

/// The pieces in the order of the model's family, and how many sections they have, but for two things: what a
/// task calls "below" stands behind it, and what the model shall go on from stands at the end, right behind the
/// examples.
fn arranged(
    pieces: &[Piece],
    open: &str,
    target: TargetModel,
    locale: &language::Locale,
) -> (String, usize) {
    let of = |parts: &[Part], within: bool| -> Vec<Piece> {
        pieces.iter().filter(|piece| parts.contains(&piece.part) == within).cloned().collect()
    };
    let laid = |pieces: &[Piece], mode: Mode| dialect::lay_out(pieces, target, locale, mode);
    if !open.is_empty() {
        // In this mode nothing closes the prompt.
        let (rest, sections) = laid(&of(&[Part::Examples], false), Mode::Agent);
        let (shown, more) = laid(&of(&[Part::Examples], true), Mode::Agent);
        let blocks: Vec<&str> =
            [rest.as_str(), &shown, open].into_iter().filter(|block| !block.is_empty()).collect();
        return (blocks.join("\n\n"), sections.len() + more.len());
    }
    let (all, sections) = laid(pieces, Mode::General);
    let (task, _) = laid(&of(&[Part::Task], true), Mode::Agent);
    let (material, _) = laid(&of(&[Part::Material], true), Mode::Agent);
    let misplaced = match (all.find(&task), all.find(&material)) {
        (Some(task), Some(material)) => material < task,
        _ => false,
    };
    if misplaced && !material.is_empty() && points_below(&task) {
        let (rest, _) = laid(&of(&[Part::Material], false), Mode::General);
        return (rest.replacen(&task, &format!("{task}\n\n{material}"), 1), sections.len());
    }
    (all, sections.len())
}

/// Whether a task says that its content follows.
fn points_below(task: &str) -> bool {
    pattern!(r"(?i)\b{optimize_layout.below}\b|{optimize_layout.below_scripted}").is_match(task)
}

/// A prompt whose own headings stay, with the facts in a part of their own.
fn annexed(prompt: &str, target: TargetModel, facts: &Facts, tongue: Tongue) -> Layout {
    let mut pieces = Vec::new();
    facts.place(&mut pieces, tongue);
    let locale = tongue.locale().unwrap_or_else(|| language::locale("en"));
    let (sections, _) = dialect::lay_out(&pieces, target, locale, Mode::General);
    Layout {
        prompt: format!("{}\n\n{sections}", prompt.trim_end()),
        parts: in_order(&pieces),
        added: in_order(&pieces),
    }
}

/// Whether a prompt keeps its parts under headings or between tags; one label is no structure.
fn is_structured(prompt: &str, outline: &Outline) -> bool {
    let literals = scan(prompt);
    let code = Cover::of(prompt.len(), &[&literals.code]);
    let count = |pattern: Pattern| {
        let speaks = |found: &patterns::Captures<'_>| {
            // "<example>" is one of several within the part.
            let tag = found.name("tag").map_or("", |tag| tag.as_str().trim_end_matches('s'));
            let part = outline::part_of(tag).or_else(|| outline::part_of(&format!("{tag}s")));
            !matches!(part, Some(Part::Material | Part::Examples))
                && found.get(0).is_some_and(|whole| !code.touches(&whole.range()))
        };
        pattern.captures_iter(prompt).filter(speaks).take(2).count()
    };
    let headings = pattern!(r"(?m)^(?:#{1,6} \S.*|<(?P<tag>[a-z][a-z0-9_-]{1,40})>)[ \t]*$");
    let labels = pattern!(r"(?m)^[\p{L} ]{3,30}:[ \t]*$");
    outline.has_headings() && (count(headings) >= 1 || count(labels) >= 2)
}

/// The lines that shape a prompt.
fn form(prompt: &str) -> std::collections::BTreeSet<&str> {
    let shape = pattern!(r"^(?:#{1,6} .*|</?[a-z_]+(?:_\d+)?>|[\w ]+:)$");
    prompt.lines().map(str::trim).filter(|line| shape.is_match(line)).collect()
}

fn in_order(pieces: &[Piece]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for piece in pieces {
        if !parts.contains(&piece.part) {
            parts.push(piece.part);
        }
    }
    parts
}

/// Content without the triple quotation marks that one family puts around it.
fn unquoted(text: String) -> String {
    let inner = text.strip_prefix("\"\"\"\n").and_then(|rest| rest.strip_suffix("\n\"\"\""));
    inner.map_or(text.clone(), str::to_owned)
}
