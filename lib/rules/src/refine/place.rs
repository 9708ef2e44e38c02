//! Where requirements are added to a prompt.

use crate::material;
use crate::outline::Outline;
use crate::split::stop;
use crate::wording::Tongue;
use engine::changes::Edits;
use patterns::pattern;
use text::{list, literals::scan};

/// Prompts with more words than this get a list of requirements rather than further sentences.
const LONGEST_RUNNING_TEXT: usize = 120;
/// More sentences than this are easier to read as a list.
const MOST_SENTENCES: usize = 4;

/// A line for the prompt and why it is added.
#[derive(Clone, Debug)]
pub struct Line {
    /// The requirement, a sentence.
    pub text: String,
    /// Reason of the change.
    pub reason: String,
}

/// Adds the lines where the prompt has its requirements, in the form that the prompt has: items of a list,
/// sentences, or a list with a heading. Each line is a change of its own.
pub fn add(edits: &mut Edits<'_>, prompt: &str, lines: &[Line], tongue: Tongue) {
    if lines.is_empty() {
        return;
    }
    let end_of_line = if prompt.contains("\r\n") { "\r\n" } else { "\n" };
    let form = Form::of(prompt, lines, tongue);
    let last = lines.len() - 1;
    for (at, line) in lines.iter().enumerate() {
        let before = if at == 0 { &form.first } else { &form.between };
        let after = if at == last { form.last.as_str() } else { "" };
        let marker = match form.number {
            Some(number) => format!("{}. ", number + at),
            None => String::new(),
        };
        let text =
            format!("{before}{marker}{}{after}", ended(&line.text)).replace('\n', end_of_line);
        edits.add(form.at..form.at, &text, &line.reason, None);
    }
}

struct Form {
    /// Byte offset of the insertion.
    at: usize,
    /// What stands before the first line, between lines and behind the last.
    first: String,
    between: String,
    last: String,
    /// Number of the first line in a numbered list.
    number: Option<usize>,
}

impl Form {
    fn new(at: usize, first: &str, between: &str, last: &str) -> Self {
        let [first, between, last] = [first, between, last].map(str::to_owned);
        Self { at, first, between, last, number: None }
    }

    fn of(prompt: &str, lines: &[Line], tongue: Tongue) -> Self {
        let outline = Outline::of(prompt);
        let end = prompt.trim_end().len();
        let before_pairs = before_pairs(prompt);
        let heading = tongue.heading("requirements").unwrap_or("Requirements");
        if outline.has_headings() {
            return match (outline.place_for_requirements(), before_pairs) {
                (Ok(line), _) => Self::behind(prompt, line),
                (Err(_), Some(at)) => Self::new(at, "", " ", "\n\n"),
                (Err(before), None) => Self::section(prompt, &outline, before, heading),
            };
        }
        if let Some(at) = before_pairs.or_else(|| before_material(prompt)) {
            return Self::new(at, "", " ", "\n\n");
        }
        let last_line = prompt[..end].rfind('\n').map_or(0, |at| at + 1);
        let tail = &prompt[last_line..end];
        if list::is_item(tail) && last_line > 0 {
            return Self::item(prompt, last_line..end);
        }
        let unspaced = is_unspaced(tail);
        let running = prompt.split_whitespace().nth(LONGEST_RUNNING_TEXT).is_none()
            && lines.len() <= MOST_SENTENCES
            && !scan(prompt).code.iter().any(|code| code.end >= end)
            && !tail.ends_with(['}', '>', '|', ':', '"', '”', '`'])
            && (tail.split_whitespace().nth(2).is_some() || unspaced);
        if running {
            let stopped = ended(tail);
            let mark = stopped.strip_prefix(tail.trim()).unwrap_or_default();
            let space = if unspaced { "" } else { " " };
            return Self::new(end, &format!("{mark}{space}"), space, "");
        }
        match lines.len() {
            1 => Self::new(end, "\n\n", "", ""),
            _ => Self::new(end, &format!("\n\n{heading}:\n- "), "\n- ", ""),
        }
    }

    /// Behind a line of the requirements that there are.
    fn behind(prompt: &str, line: usize) -> Self {
        let start: usize = prompt.split_inclusive('\n').take(line).map(str::len).sum();
        let text = prompt[start..].lines().next().unwrap_or_default().trim_end();
        let range = start..start + text.len();
        if list::is_item(text) {
            return Self::item(prompt, range);
        }
        Self::new(range.end, "\n- ", "\n- ", "")
    }

    /// Behind an item, with its marker; numbered lists are counted on.
    fn item(prompt: &str, line: std::ops::Range<usize>) -> Self {
        let item = &prompt[line.clone()];
        let numbered = pattern!(r"^(?P<indent>\s*)(?P<n>\d{1,3})\. ").captures(item);
        let marker = pattern!(r"^\s*[-*•–]\s+").find(item);
        let lead = match &numbered {
            Some(found) => &found["indent"],
            None => marker.map_or("- ", |marker| marker.as_str()),
        };
        let lead = format!("\n{lead}");
        let number = numbered.as_ref().map(|found| found["n"].parse().map_or(1, |n: usize| n + 1));
        Self { number, ..Self::new(line.end, &lead, &lead, "") }
    }

    /// A section of its own, before the line of another section or at the end.
    fn section(prompt: &str, outline: &Outline, before: Option<usize>, heading: &str) -> Self {
        let section = outline.in_own_style(heading, "- \u{0}");
        let (opening, closing) = section.split_once('\u{0}').unwrap_or((section.as_str(), ""));
        match before {
            Some(line) => {
                let at = prompt.split_inclusive('\n').take(line).map(str::len).sum();
                Self::new(at, opening, "\n- ", &format!("{closing}\n\n"))
            }
            None => {
                let opening = format!("\n\n{opening}");
                Self::new(prompt.trim_end().len(), &opening, "\n- ", closing)
            }
        }
    }
}

/// Whether a text is written without spaces between sentences.
fn is_unspaced(text: &str) -> bool {
    text.chars().filter(|c| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')).count()
        >= 4
}

/// A sentence with its full stop.
pub fn ended(text: &str) -> String {
    match text.trim().chars().last() {
        Some('\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}') => format!("{}。", text.trim()),
        _ => stop(text),
    }
}

/// The beginning of the examples of a prompt that ends with an open pair, "Review: {{review}}" and "Label:"; of
/// that pair where there are no others. What stands between them would be read as part of the input.
fn before_pairs(prompt: &str) -> Option<usize> {
    let label = |line: &str| {
        pattern!(r"^\s*\*{0,2}(?P<l>\p{L}[\p{L} -]{0,23}?)(?: ?#?\d{1,3})?\*{0,2}[:：]")
            .captures(line)
            .map(|found| found["l"].to_lowercase())
    };
    let mut at = 0;
    let lines: Vec<(usize, &str)> = prompt
        .trim_end()
        .split_inclusive('\n')
        .map(|line| {
            at += line.len();
            (at - line.len(), line.trim())
        })
        .collect();
    let (open, rest) = lines.split_last()?;
    if !open.1.trim_end_matches('*').ends_with([':', '：']) {
        return None;
    }
    label(open.1)?;
    let given = label(rest.iter().rev().find(|(_, line)| !line.is_empty())?.1)?;
    let mut first = rest.iter().position(|(_, line)| label(line).as_ref() == Some(&given))?;
    let announces = |line: &str| label(line).is_some() || material_lead(line);
    // Further labels of the same pair, and what announces examples, stand right above.
    while first > 0 && announces(rest[first - 1].1) {
        first -= 1;
    }
    if first > 1 && rest[first - 1].1.is_empty() && material_lead(rest[first - 2].1) {
        first -= 2;
    }
    (first > 0).then(|| rest[first].0)
}

/// Whether a line only announces what follows it: "Examples:".
fn material_lead(line: &str) -> bool {
    line.ends_with([':', '：']) && crate::material::announces(line)
}

/// The beginning of the line that announces pasted content, if nothing but that content follows: a
/// requirement at the end would read as part of it.
fn before_material(prompt: &str) -> Option<usize> {
    let literals = scan(prompt);
    let end = prompt.trim_end().len();
    if prompt[..end].ends_with([':', '：']) {
        // The content is pasted behind it later.
        return Some(prompt[..end].rfind('\n').map_or(0, |at| at + 1));
    }
    let pasted = material::supplied(prompt, &literals)
        .into_iter()
        .find(|range| range.end >= end && !is_delimited(&prompt[range.clone()]))?;
    let lead = prompt[..pasted.start].trim_end().len();
    Some(prompt[..lead].rfind('\n').map_or(0, |at| at + 1))
}

fn is_delimited(text: &str) -> bool {
    text.starts_with(['<', '>', '|']) || text.starts_with("\"\"\"") || text.starts_with("'''")
}
