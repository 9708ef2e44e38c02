//! How long an answer is, and how many parts it has.

use std::ops::Range;

use engine::CountParameters;
use patterns::{Pattern, table};

use super::judgement::Judgement;
use super::{emoji, letters};
use crate::Reason;
use crate::output::{LineKind, Output, is_unspaced};

/// What prompts call the things that a list has, where they are counted in a way of their own.
const UNITS: &[(&str, Pattern)] = table!("check_units", r"(?i)^{}$");

pub fn words(output: &Output<'_>, count: &CountParameters) -> Judgement {
    Judgement::places(output.words(), count)
}

/// Code points without the spaces around the answer. In scripts without spaces between words, line breaks and spaces
/// are no characters.
pub fn characters(output: &Output<'_>, count: &CountParameters) -> Judgement {
    let range = output.trimmed();
    let text = output.at(&range);
    let unspaced = text.chars().filter(|c| is_unspaced(*c)).count();
    let blank = text.chars().filter(|c| c.is_whitespace()).count();
    let all = text.chars().count();
    let found = if unspaced * 2 > all { all - blank } else { all };
    let (_, most) = count.bounds();
    let excess = text.char_indices().nth(most).filter(|_| found > most);
    let place = excess.map(|(at, _)| range.start + at..range.end);
    Judgement::number(found, count).at(place)
}

/// Items of lists, and what else prompts count.
pub fn items(output: &Output<'_>, count: &CountParameters) -> Judgement {
    let unit = count.of.as_deref().unwrap_or_default().trim();
    let markdown = output.markdown();
    let known = UNITS.iter().find(|(_, names)| names.is_match(unit));
    match known.map(|(name, _)| *name) {
        Some("bullets") => {
            let items = markdown.items().filter(|(_, _, numbered)| !numbered);
            let items: Vec<_> = items.map(|(range, ..)| range).collect();
            Judgement::places(&items, count)
        }
        Some("rows") => match markdown.tables.iter().map(|table| table.rows).max() {
            Some(rows) => Judgement::number(rows, count),
            None => of_list(output, count),
        },
        Some("columns") => match markdown.tables.iter().map(|table| table.columns.len()).max() {
            Some(columns) => Judgement::number(columns, count),
            None => Judgement::number(0, count),
        },
        Some("headings") => {
            let headings: Vec<_> =
                markdown.headings().into_iter().map(|(range, _)| range).collect();
            Judgement::places(&headings, count)
        }
        Some("lines") => {
            let lines = markdown.lines.iter().filter(|line| {
                !matches!(line.kind, LineKind::Blank | LineKind::Break | LineKind::Heading(_))
            });
            let lines: Vec<_> = lines.map(|line| line.range.clone()).collect();
            Judgement::places(&lines, count)
        }
        Some("questions") => {
            let questions: Vec<_> = output
                .sentences()
                .iter()
                .filter(|sentence| {
                    let end = output.at(sentence).trim_end_matches(['"', '”', '*', '_', '»', ')']);
                    end.ends_with(['?', '？', '؟'])
                })
                .cloned()
                .collect();
            // "Complete the sentence" may be an item of a quiz.
            let (least, most) = count.bounds();
            match (least..=most).contains(&questions.len())
                || output.markdown().items().next().is_none()
            {
                true => Judgement::places(&questions, count),
                false => of_list(output, count),
            }
        }
        Some("hashtags") => Judgement::places(&letters::hashtags(output), count),
        Some("emojis") => Judgement::places(&emoji::all(output.text), count),
        _ => of_list(output, count),
    }
}

/// The items of a list, the nested ones aside, or the headings, rows, lines or paragraphs of an answer without one: any of
/// them that are as many as wanted will do. Only an answer whose items are one list can have too many or too few.
fn of_list(output: &Output<'_>, count: &CountParameters) -> Judgement {
    let (least, most) = count.bounds();
    let markdown = output.markdown();
    let items: Vec<_> = markdown.items().collect();
    let numbered = outermost(items.iter().filter(|(_, _, numbered)| *numbered));
    let bulleted = outermost(items.iter().filter(|(_, _, numbered)| !numbered));
    let all = outermost(items.iter());
    let headings: Vec<_> = markdown.headings().into_iter().map(|(range, _)| range).collect();
    let lines = markdown.lines.iter().filter(|line| line.kind == LineKind::Text);
    let lines: Vec<_> = lines.map(|line| line.range.clone()).collect();
    let prose: &[Range<usize>] = if items.is_empty() { &lines } else { &[] };
    let paragraphs: &[Range<usize>] = if items.is_empty() { output.paragraphs() } else { &[] };
    let fits = |number: usize| number > 0 && (least..=most).contains(&number);
    for (list, fewest) in
        [(&*numbered, 1), (&bulleted, 1), (&all, 1), (&headings, 2), (prose, 2), (paragraphs, 2)]
    {
        if list.len() >= fewest && fits(list.len()) {
            return Judgement::places(list, count);
        }
    }
    if let Some(rows) = markdown.tables.iter().map(|table| table.rows).find(|rows| fits(*rows)) {
        return Judgement::number(rows, count);
    }
    // Items under several headings, or between lines of text, may be parts of what is counted.
    let first = all.first().map_or(0, |range| range.start);
    let last = all.last().map_or(0, |range| range.end);
    let within = |range: &Range<usize>| first < range.start && range.end < last;
    let is_one_list = !all.is_empty() && !headings.iter().chain(&lines).any(within);
    if is_one_list {
        Judgement::places(&all, count)
    } else {
        Judgement::undecided(Reason::Unmarked).found("0")
    }
}

/// The items that are indented as little as any.
fn outermost<'i>(
    items: impl Iterator<Item = &'i (Range<usize>, usize, bool)> + Clone,
) -> Vec<Range<usize>> {
    let least = items.clone().map(|(_, indent, _)| *indent).min().unwrap_or_default();
    items.filter(|(_, indent, _)| *indent <= least + 1).map(|(range, ..)| range.clone()).collect()
}

/// Sections below headings, else the parts between lines that divide.
pub fn sections(output: &Output<'_>, count: &CountParameters) -> Judgement {
    let headings = output.markdown().headings();
    let top = headings.iter().map(|(_, level)| *level).min().unwrap_or_default();
    let at = |level: usize| -> Vec<Range<usize>> {
        headings.iter().filter(|(_, own)| *own == level).map(|(range, _)| range.clone()).collect()
    };
    // A single heading above all others is the title.
    let all = at(top);
    let next = headings.iter().map(|(_, level)| *level).filter(|level| *level > top).min();
    let (least, most) = count.bounds();
    let fits = |list: &Vec<Range<usize>>| (least..=most).contains(&list.len());
    let below = next.map(at).filter(|list| all.len() == 1 || !fits(&all) && fits(list));
    if !headings.is_empty() {
        return Judgement::places(&below.unwrap_or(all), count);
    }
    let dividers = output.markdown().lines.iter().any(|line| line.kind == LineKind::Break);
    if dividers {
        return Judgement::places(&between_dividers(output), count);
    }
    Judgement::undecided(Reason::Unmarked).found("0")
}

/// What stands between lines that only divide.
fn between_dividers(output: &Output<'_>) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut open: Option<Range<usize>> = None;
    for line in &output.markdown().lines {
        match line.kind {
            LineKind::Break => found.extend(open.take()),
            LineKind::Blank => {}
            _ => {
                let start = open.map_or(line.range.start, |open| open.start);
                open = Some(start..line.range.end);
            }
        }
    }
    found.extend(open);
    found
}
