//! Where requirements are added to a prompt.

use std::ops::Range;

use super::words::sentence;
use crate::container::{Container, Text, blocks, lines as lines_of};
use crate::material;
use crate::outline::Outline;
use crate::wording::Tongue;
use engine::changes::Edits;
use patterns::pattern;
use text::list;

/// Paragraphs with more words than this get a paragraph rather than a further sentence.
const LONGEST_RUNNING_TEXT: usize = 120;

/// A requirement for the prompt, a sentence, and why it is added.
#[derive(Clone, Debug)]
pub struct Line {
    pub text: String,
    pub reason: String,
}

/// Where lines go, and what stands before the first of them, between two and behind the last.
struct Form {
    at: usize,
    first: String,
    between: String,
    last: String,
    /// Number of the first line in a numbered list.
    number: Option<usize>,
}

/// Adds the lines to the instructions of a prompt, in the form that its requirements have: items of a list, sentences,
/// or a part with a heading. Each line is a change of its own.
pub fn add(edits: &mut Edits<'_>, container: &Container<'_>, lines: &[Line], tongue: Tongue) {
    let at = container.instructions().or_else(|| container.texts().len().checked_sub(1));
    let (Some(text), false) = (at, lines.is_empty()) else { return };
    let own = &container.texts()[text];
    let end_of_line = if own.text.contains("\r\n") { "\r\n" } else { "\n" };
    let form = Form::of(own, lines, tongue);
    for (at, line) in lines.iter().enumerate() {
        let before = if at == 0 { &form.first } else { &form.between };
        let after = if at + 1 == lines.len() { form.last.as_str() } else { "" };
        let number = form.number.map(|number| format!("{}. ", number + at)).unwrap_or_default();
        let words = format!("{before}{number}{}{after}", sentence(&line.text));
        let words = container.written(text, &words.replace('\n', end_of_line));
        edits.add(container.span(text, &(form.at..form.at)), &words, &line.reason, None);
    }
}

impl Form {
    fn new(at: usize, first: &str, between: &str, last: &str) -> Self {
        let [first, between, last] = [first, between, last].map(str::to_owned);
        Self { at, first, between, last, number: None }
    }

    fn of(text: &Text, lines: &[Line], tongue: Tongue) -> Self {
        if let Some(inner) = root(&text.text) {
            return Self::new(inner, "\n", "\n", "");
        }
        let mut end = text.end_of_instructions();
        // Nothing comes between examples and the input that goes on with them.
        for range in material::of(&text.text).shown.iter().rev() {
            if range.start < end && end <= range.end {
                end = before_headings(&text.text[..range.start]);
            }
        }
        let (own, rest) = text.text.split_at(end);
        if own.trim().is_empty() {
            let gap = &rest[..rest.len() - rest.trim_start().len()];
            return Self::new(end + gap.len(), "", " ", "\n\n");
        }
        if let Some(item) = requirements(own) {
            return Self::item(own, item);
        }
        let outline = Outline::of(own);
        let heading = tongue.heading("requirements").unwrap_or("Requirements");
        if outline.has_headings() && own.lines().count() > 3 {
            let section = outline.in_own_style(heading, "- \u{0}");
            let (opening, closing) = section.split_once('\u{0}').unwrap_or((&section, ""));
            return Self::new(end, &format!("\n\n{opening}"), "\n- ", closing);
        }
        let paragraph = own.rfind("\n\n").map_or(own, |at| &own[at + 2..]);
        let tail = own.rfind('\n').map_or(own, |at| &own[at + 1..]);
        let unspaced = tail.chars().filter(|c| super::words::is_unspaced(*c)).count() > 3;
        let runs = paragraph.split_whitespace().nth(LONGEST_RUNNING_TEXT).is_none()
            && !list::is_item(tail)
            && !tail.ends_with(['}', '>', '|', ':', '：', '`'])
            && !tail.starts_with(['|', '#', '>', ' ', '\t'])
            && (tail.ends_with(['.', '!', '?', '。', '"', '”', '’'])
                || !tail.contains([':', '=', '`']))
            && !paragraph.contains("\n    ")
            && (tail.split_whitespace().nth(2).is_some() || unspaced);
        if runs {
            let stopped = sentence(tail);
            let mark = stopped.chars().last().filter(|mark| !tail.trim_end().ends_with(*mark));
            let closed =
                tail.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ')' | ']' | '%'));
            let mark = mark.filter(|_| closed).map(String::from).unwrap_or_default();
            let space = if unspaced { "" } else { " " };
            return Self::new(end, &format!("{mark}{space}"), space, "");
        }
        match lines.len() {
            1 => Self::new(end, "\n\n", "", ""),
            _ => Self::new(end, &format!("\n\n{heading}:\n- "), "\n- ", ""),
        }
    }

    /// Behind an item, with its marker; numbered lists are counted on.
    fn item(own: &str, line: Range<usize>) -> Self {
        let item = &own[line.clone()];
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
}

/// Where a text ends without the headings behind which nothing stands.
fn before_headings(text: &str) -> usize {
    let headings =
        pattern!(r"(?:(?:^|\n)[ \t]*(?:#{1,6} [^\n]+|\*\*[^*\n]+\*\*:?|[^.!?\n]{1,40}[:：])\s*)+$");
    headings.find(text).map_or(text, |found| &text[..found.start()]).trim_end().len()
}

/// Where the content of the only element ends that all of the text stands in, beside a declaration and comments.
fn root(own: &str) -> Option<usize> {
    let tag =
        pattern!(r"^\s*(?:<[?!][^>]*>\s*)*<(?P<t>[A-Za-z][\w:.-]*)(?:\s[^<>]*)?>").captures(own)?;
    let behind = pattern!(r"(?:\s*<!--[^>]*-->)*\s*$").find(own)?;
    let closing = format!("</{}>", &tag["t"]);
    let inner = own[..behind.start()].strip_suffix(&closing)?;
    let variable = pattern!(r"\{{1,3}[^{}\n]{1,60}\}{1,3}");
    let says = variable.replace_all(inner.get(tag.get(0)?.end()..)?, "");
    (text::is_visible(&says) && !inner.contains(&closing)).then(|| inner.trim_end().len())
}

/// The last item of the list under the heading that names requirements, outside what a template may skip.
fn requirements(own: &str) -> Option<Range<usize>> {
    let line = Outline::of(own).place_for_requirements()?;
    let range = lines_of(own).get(line)?.clone();
    let range = range.start..range.start + own[range.clone()].trim_end().len();
    let skipped = |block: Range<usize>| block.start < range.end && range.start < block.end;
    let free = !blocks(own).into_iter().any(skipped);
    (free && list::is_item(&own[range.clone()])).then_some(range)
}
