//! Taking a prompt without headings apart, word for word.

use std::ops::Range;

use super::place::{leans, list_of_facts, place};
use crate::dialect::Part;
use crate::material::announces;
use crate::wording::Tongue;
use crate::{courtesy, imperative, material, outline};
use patterns::pattern;
use text::list::is_item;
use text::{Cover, literals::scan};

/// What a stretch of a prompt is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A sentence.
    Sentence,
    /// A list with the line that introduces it.
    List,
    /// Code or supplied content.
    Block,
    /// An input without its answer, behind examples.
    Open,
}

/// A stretch of a prompt with its place among the parts.
#[derive(Clone, Debug)]
pub struct Chunk {
    /// Where it belongs.
    pub part: Part,
    /// What it is.
    pub form: Form,
    /// Where it stands.
    pub range: Range<usize>,
}

/// The stretches of a prompt in their order. Together they have everything but the space between them.
pub fn dissect(text: &str, tongue: Tongue) -> Vec<Chunk> {
    let literals = scan(text);
    let material::Brought { all: supplied, examples, open } = material::brought(text, &literals);
    let fenced: Vec<Range<usize>> = literals
        .code
        .iter()
        .filter(|range| text[(*range).clone()].contains('\n'))
        .cloned()
        .collect();
    let mut blocks: Vec<Range<usize>> =
        fenced.into_iter().chain(supplied.iter().cloned()).collect();
    blocks.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
    let held = Cover::of(
        text.len(),
        &[
            &literals.code,
            &literals.variables,
            &literals.addresses,
            &literals.quotations,
            &supplied,
        ],
    );
    let mut chunks: Vec<Chunk> = Vec::new();
    let mut at = 0;
    for block in blocks {
        // A block inside another one went with it.
        if block.start < at {
            continue;
        }
        prose(text, at..block.start, &held, tongue, &mut chunks);
        let shown = examples.binary_search_by_key(&block.start, |shown| shown.start).is_ok();
        // An input with examples before it and nothing behind it is what the model goes on from.
        let asked = !examples.is_empty()
            && open.iter().any(|open| open.start == block.start)
            && text[block.end..].trim().is_empty();
        chunks.push(Chunk {
            part: if shown || asked { Part::Examples } else { Part::Material },
            form: if asked { Form::Open } else { Form::Block },
            range: trimmed(text, block.clone()),
        });
        at = block.end;
    }
    prose(text, at..text.len(), &held, tongue, &mut chunks);
    chunks.retain(|chunk| !chunk.range.is_empty());
    settle(text, tongue, &mut chunks);
    chunks
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let body = &text[range.clone()];
    let lead = body.len() - body.trim_start_matches(['\n', '\r']).len();
    range.start + lead..range.start + lead + body[lead..].trim_end().len()
}

/// Splits a stretch without blocks into lists and sentences.
fn prose(text: &str, range: Range<usize>, held: &Cover, tongue: Tongue, chunks: &mut Vec<Chunk>) {
    let mut list: Option<Range<usize>> = None;
    let mut run = range.start..range.start;
    let mut at = range.start;
    for line in text[range.clone()].split_inclusive('\n') {
        let (start, end) = (at, at + line.len());
        at = end;
        let continues = list.is_some()
            && (line.trim().is_empty() || line.starts_with("  ") || line.starts_with('\t'));
        if is_item(line) || continues {
            if list.is_none() {
                sentences(text, run.clone(), held, tongue, chunks);
                list = Some(start..end);
            } else if let Some(list) = &mut list {
                list.end = end;
            }
            run = end..end;
            continue;
        }
        if let Some(done) = list.take() {
            push_list(text, done, tongue, chunks);
            run = start..start;
        }
        run.end = end;
    }
    match list {
        Some(done) => push_list(text, done, tongue, chunks),
        None => sentences(text, run, held, tongue, chunks),
    }
}

fn sentences(
    text: &str,
    range: Range<usize>,
    held: &Cover,
    tongue: Tongue,
    chunks: &mut Vec<Chunk>,
) {
    // Places are looked up in the whole text, so the stretch is cut out of it rather than copied.
    let mut ranges = text::sentences_in(text, range.clone(), held);
    // Signs that are no sentence, such as a closing brace, stay with the one before them.
    for at in 0..ranges.len() {
        let until = ranges.get(at + 1).map_or(range.end, |next| next.start);
        let gap = text[ranges[at].end..until].trim_end();
        if gap.trim_start().ends_with(['}', ']', ')', '>']) {
            ranges[at].end += gap.len();
        }
    }
    for found in ranges {
        let before = chunks.last().map(|chunk| {
            (
                chunk.part,
                chunk.form == Form::Sentence
                    && !text[chunk.range.end..found.start].contains("\n\n"),
            )
        });
        let sentence = &text[found.clone()];
        if courtesy::is_idle(sentence) {
            continue;
        }
        let part = match (place(sentence, tongue), before) {
            (_, Some((part @ (Part::Task | Part::Context | Part::Output), true)))
                if leans(sentence) =>
            {
                part
            }
            (part, _) => part,
        };
        chunks.push(Chunk { part, form: Form::Sentence, range: found });
    }
}

/// A list with its lead goes where the lead says; one without a lead states requirements.
fn push_list(text: &str, range: Range<usize>, tongue: Tongue, chunks: &mut Vec<Chunk>) {
    let mut range = trimmed(text, range);
    let mut part = Part::Requirements;
    if let Some(lead) = chunks.last()
        && lead.form == Form::Sentence
        && text[lead.range.clone()].ends_with([':', '：'])
    {
        let words = &text[lead.range.clone()];
        part = match place(words, tongue) {
            _ if pattern!(
                r"(?i)\b{optimize_anatomy.steps}\b|{optimize_anatomy.steps_scripted}"
            )
            .is_match(words) =>
            {
                Part::Guidelines
            }
            Part::Task if imperative::starts_work(words) || tongue.tag != "en" => Part::Task,
            Part::Context | Part::Task => list_of_facts(words),
            Part::Role => Part::Requirements,
            part => part,
        };
        // A label that only names the part gives way to its heading.
        if !names_part(words, part) {
            range.start = lead.range.start;
        }
        chunks.pop();
    }
    chunks.push(Chunk { part, form: Form::List, range });
}

fn names_part(label: &str, part: Part) -> bool {
    outline::part_of(label.trim().trim_end_matches([':', '：'])) == Some(part)
}

/// Whether a line with a colon at its end only names what follows: "Text:", "This is my code, it is slow:".
fn only_names(words: &str, tongue: Tongue) -> bool {
    let short = words.split_whitespace().count() <= 2 && !imperative::starts_work(words);
    short || tongue.tag == "en" && !imperative::is_request(words)
}

/// Makes sure that there is a task, and that what introduces supplied content stays with it or with the task.
fn settle(text: &str, tongue: Tongue, chunks: &mut [Chunk]) {
    let lead = |chunk: &Chunk| text[chunk.range.clone()].ends_with([':', '：']);
    let mut tasks = chunks.iter().filter(|chunk| chunk.part == Part::Task).count();
    for at in 1..chunks.len() {
        let (form, part) = (chunks[at].form, chunks[at].part);
        let before = &chunks[at - 1];
        if form != Form::Block || before.form != Form::Sentence || !lead(before) {
            continue;
        }
        let words = &text[before.range.clone()];
        let stated = before.part;
        let (lead, block) = if announces(words) || part == Part::Examples {
            (Part::Examples, Part::Examples)
        } else if material::shapes(words) && words.split_whitespace().count() > 2 {
            // A schema stays with the sentence that asks for it.
            (stated, stated)
        } else if stated != Part::Task || tasks > 1 && only_names(words, tongue) {
            // A label stays with what it names.
            (part, part)
        } else {
            (stated, part)
        };
        tasks -= usize::from(stated == Part::Task && lead != Part::Task);
        chunks[at - 1].part = lead;
        chunks[at].part = block;
    }
    if chunks.iter().any(|chunk| chunk.part == Part::Task) {
        return;
    }
    let asks = |chunk: &&mut Chunk| chunk.form == Form::Sentence && chunk.part == Part::Output;
    let works = |chunk: &&mut Chunk| {
        chunk.form == Form::Sentence
            && chunk.part == Part::Requirements
            && imperative::starts_work(&text[chunk.range.clone()])
    };
    let found =
        match chunks.iter().any(|chunk| chunk.form == Form::Sentence && chunk.part == Part::Output)
        {
            true => chunks.iter_mut().find(asks),
            false => chunks.iter_mut().find(works),
        };
    if let Some(chunk) = found {
        chunk.part = Part::Task;
    }
}
