//! Laying a prompt out anew, in its own words, as the target model's family reads best.

use super::anatomy::{self, Chunk, Form};
use super::facts::Facts;
use crate::rules::dialect::{self, Part, Piece, bullets};
use crate::rules::goal::{self, Goal};
use crate::rules::outline::{self, Outline};
use crate::rules::text;
use crate::rules::wording::Tongue;
use crate::{Mode, TargetModel, language};
use ::text::{Cover, literals::scan};
use patterns::{Pattern, pattern};

/// Prompts with fewer words than this are read at a glance: parts would only inflate them.
const FEWEST_WORDS: usize = 20;
/// So many requirements are worth checking at the end.
const MANY_REQUIREMENTS: usize = 3;
/// Only this much of a prompt is read to tell what kind of task it states, in characters.
const READ_FOR_TASK: usize = 3000;

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

/// Examples without the tags that the layout puts around them.
fn untagged(text: String) -> String {
    let inner =
        text.strip_prefix("<examples>\n").and_then(|rest| rest.strip_suffix("\n</examples>"));
    inner.filter(|inner| !inner.contains("<examples>")).map_or(text.clone(), str::to_owned)
}

/// Content without the triple quotation marks that one family puts around it.
fn unquoted(text: String) -> String {
    let inner = text.strip_prefix("\"\"\"\n").and_then(|rest| rest.strip_suffix("\n\"\"\""));
    inner.map_or(text.clone(), str::to_owned)
}

/// The stretches of a prompt without headings, gathered by part.
fn pieces_of(prompt: &str, chunks: &[Chunk], target: TargetModel) -> Option<Vec<Piece>> {
    let block = chunks.iter().any(|chunk| matches!(chunk.form, Form::Block | Form::Open));
    let words = prompt.split_whitespace().take(FEWEST_WORDS).count();
    let dense = prompt.chars().filter(|c| *c >= '\u{2e80}').take(2 * FEWEST_WORDS).count();
    if !block && words < FEWEST_WORDS && dense < 2 * FEWEST_WORDS
        || !chunks.iter().any(|chunk| chunk.part == Part::Task)
    {
        return None;
    }
    let parts = [
        Part::Role,
        Part::Task,
        Part::Context,
        Part::Material,
        Part::Requirements,
        Part::Guidelines,
        Part::Examples,
        Part::Output,
    ];
    let pieces: Vec<Piece> = parts
        .into_iter()
        .map(|part| Piece { part, text: gather(prompt, chunks, part, target) })
        .map(|piece| match piece.part {
            Part::Examples if dialect::uses_tags(target) => {
                Piece { text: untagged(piece.text), ..piece }
            }
            _ => piece,
        })
        .filter(|piece| !piece.text.is_empty())
        .collect();
    (pieces.len() >= 2).then_some(pieces)
}

/// The text of a part: what stood side by side stays so, requirements become items of a list.
fn gather(prompt: &str, chunks: &[Chunk], part: Part, target: TargetModel) -> String {
    let mut blocks: Vec<String> = Vec::new();
    let mut last: Option<usize> = None;
    let own = |chunk: &&Chunk| chunk.part == part && chunk.form != Form::Open;
    for (at, chunk) in chunks.iter().enumerate().filter(|(_, chunk)| own(chunk)) {
        let text = &prompt[chunk.range.clone()];
        // What it introduces stands elsewhere.
        let orphan = chunk.form == Form::Sentence
            && chunks.get(at + 1).is_some_and(|next| !own(&next) && next.form == Form::Block);
        let text = &match text.strip_suffix([':', '：']).filter(|_| orphan) {
            Some(bare) => format!("{}.", bare.trim_end()),
            None => text.to_owned(),
        };
        let follows = at.checked_sub(1).filter(|before| last == Some(*before));
        match (chunk.form, part) {
            (Form::Sentence, Part::Requirements) => {
                let item = bullets(&[text.to_owned()]);
                match blocks.last_mut().filter(|block| block.starts_with("- ")) {
                    Some(list) => *list = format!("{list}\n{item}"),
                    None => blocks.push(item),
                }
            }
            (Form::List, Part::Requirements)
                if text.starts_with("- ")
                    && blocks.last().is_some_and(|block| block.starts_with("- ")) =>
            {
                if let Some(list) = blocks.last_mut() {
                    list.push('\n');
                    list.push_str(text);
                }
            }
            (Form::Block, Part::Material | Part::Examples) => blocks.push(delimited(text, target)),
            (Form::Block, _) if text.contains('`') || text.contains("\"\"\"") => {
                blocks.push(text.to_owned())
            }
            (Form::Block, _) => blocks.push(dialect::fence(text)),
            (Form::Sentence, _) => match (follows.map(|before| &chunks[before]), blocks.last_mut())
            {
                (Some(before), Some(block)) if before.form == Form::Sentence => {
                    block.push_str(&prompt[before.range.end..chunk.range.start]);
                    block.push_str(text);
                }
                _ => blocks.push(text.to_owned()),
            },
            _ => blocks.push(text.to_owned()),
        }
        last = Some(at);
    }
    let mut text = String::new();
    let mut short = true;
    for block in blocks {
        let line = !block.contains('\n');
        if !text.is_empty() {
            let close = !matches!(part, Part::Material | Part::Examples) && short && line;
            text.push_str(if close { "\n" } else { "\n\n" });
        }
        text.push_str(&block);
        short = line;
    }
    text
}

/// Content to work on, in a fence unless it is delimited already or tags will do that.
fn delimited(text: &str, target: TargetModel) -> String {
    let own = text.starts_with(['`', '~', '<', '>', '|'])
        || text.starts_with("\"\"\"")
        || text.starts_with("'''");
    if own || dialect::uses_tags(target) || text.contains('`') {
        return text.to_owned();
    }
    dialect::fence(text)
}

/// The goal that a prompt states, as far as its beginning tells.
pub fn goal_of(prompt: &str) -> Goal {
    let beginning: String = prompt.chars().take(READ_FOR_TASK).collect();
    goal::read(&beginning, Mode::Auto)
}

/// Adds the parts that this kind of task is better with and that the prompt lacks.
fn scaffold(prompt: &str, facts: &Facts, pieces: &mut Vec<Piece>, tongue: Tongue) -> Vec<Part> {
    let Some(locale) = tongue.full_locale() else { return Vec::new() };
    let goal = goal_of(prompt);
    let mut added = Vec::new();
    let has = |pieces: &[Piece], part: Part| pieces.iter().any(|piece| piece.part == part);
    let local = locale.families.get(&goal.task.family);
    let known = goal.task.id != "general" && (local.is_some() || tongue.tag == "en");
    let cast = pieces.iter().any(|piece| piece.text.lines().any(anatomy::gives_role));
    if known && !has(pieces, Part::Role) && !cast {
        let role = local.map_or_else(|| goal.task.role.clone(), |local| local.role.clone());
        pieces.insert(0, Piece { part: Part::Role, text: locale.role.replace("{}", &role) });
        added.push(Part::Role);
    }
    // What is translated or corrected has the shape of its source.
    let shaped = facts.format.is_some()
        || facts.length.is_some()
        || matches!(goal.task.id.as_str(), "translation" | "edit");
    if known && !has(pieces, Part::Output) && !shaped && !shapes_its_answer(prompt, &goal) {
        pieces.push(Piece { part: Part::Output, text: text::output(&goal, locale) });
        added.push(Part::Output);
    }
    let requirements: usize = pieces
        .iter()
        .filter(|piece| piece.part == Part::Requirements)
        .map(|piece| piece.text.lines().filter(|line| ::text::list::is_item(line)).count())
        .sum();
    if requirements >= MANY_REQUIREMENTS
        && let Some(every) = tongue.line("every", "")
    {
        let text = format!("{}\n{}", locale.check, bullets(&[every]));
        pieces.push(Piece { part: Part::Check, text });
        added.push(Part::Check);
    }
    added
}

/// Whether a prompt says how long its answer is or in what form.
pub fn shapes_its_answer(prompt: &str, goal: &Goal) -> bool {
    goal.slots.length.is_some()
        || goal.slots.format.is_some()
        || pattern!(r"(?i)\b(?:json|csv|xml|yaml|html|markdown|{optimize_layout.shape}|{optimize_layout.in} \d+ \p{L}+)\b")
            .is_match(prompt)
}
