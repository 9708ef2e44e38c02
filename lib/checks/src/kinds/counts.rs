//! How long an answer is, and how many parts it has.

use std::ops::Range;

use engine::CountParameters;
use patterns::{Table, table};

use super::edges::asks;
use super::judgement::Judgement;
use super::letters;
use crate::Reason;
use crate::output::{LineKind, Output, cells, is_unspaced};

/// What prompts call the things that a list has, where they are counted in a way of their own.
const UNITS: &Table = table!("check_units", r"(?i)^{}$");

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
    let places: Vec<Range<usize>> = match known.map(|(name, _)| *name) {
        Some("bullets") => {
            markdown.items().filter(|(_, _, numbered)| !numbered).map(|(range, ..)| range).collect()
        }
        Some("rows") => match markdown.tables.iter().map(|table| table.rows).max() {
            Some(rows) => return Judgement::number(rows, count),
            None => return of_list(output, count),
        },
        Some("columns") => {
            let columns =
                markdown.tables.iter().map(|table| cells(output.at(&table.head)).len()).max();
            return Judgement::number(columns.unwrap_or_default(), count);
        }
        Some("headings") => markdown.headings().into_iter().map(|(range, _)| range).collect(),
        Some("lines") => markdown.lines_of(|kind| {
            !matches!(kind, LineKind::Blank | LineKind::Break | LineKind::Heading(_))
        }),
        Some("questions") => {
            let all = output.sentences().iter();
            let questions: Vec<_> =
                all.filter(|sentence| asks(output.at(sentence))).cloned().collect();
            // "Complete the sentence" may be an item of a quiz, and each question a heading.
            let (least, most) = count.bounds();
            let is_marked = markdown.items().next().is_some() || !markdown.headings().is_empty();
            if !(least..=most).contains(&questions.len()) && is_marked {
                return of_list(output, count);
            }
            questions
        }
        Some("hashtags") => letters::hashtags(output),
        Some("emojis") => letters::emojis(output.text),
        _ => return of_list(output, count),
    };
    Judgement::places(&places, count)
}

/// The items of a list, the nested ones aside, or the headings, rows, lines or paragraphs of an answer without one: any of
/// them that are as many as wanted will do. Only an answer whose items are one list can have too many or too few.
fn of_list(output: &Output<'_>, count: &CountParameters) -> Judgement {
    let (least, most) = count.bounds();
    let markdown = output.markdown();
    let items: Vec<_> = markdown.items().collect();
    let all = outermost(items.iter());
    let headings: Vec<_> = markdown.headings().into_iter().map(|(range, _)| range).collect();
    let lines = markdown.lines_of(|kind| kind == LineKind::Text);
    let mut lists = vec![
        outermost(items.iter().filter(|(_, _, numbered)| *numbered)),
        outermost(items.iter().filter(|(_, _, numbered)| !numbered)),
        all.clone(),
    ];
    let mut others = vec![headings.clone()];
    if items.is_empty() {
        others.extend([lines.clone(), output.paragraphs()]);
    }
    lists.extend(others.into_iter().filter(|list| list.len() > 1));
    let fits = |number: usize| number > 0 && (least..=most).contains(&number);
    if let Some(list) = lists.iter().find(|list| fits(list.len())) {
        return Judgement::places(list, count);
    }
    if let Some(rows) = markdown.tables.iter().map(|table| table.rows).find(|rows| fits(*rows)) {
        return Judgement::number(rows, count);
    }
    // Items under several headings, or between lines of text, may be parts of what is counted.
    let first = all.first().map_or(0, |range| range.start);
    let last = all.last().map_or(0, |range| range.end);
    let within = |range: &Range<usize>| first < range.start && range.end < last;
    if all.is_empty() || headings.iter().chain(&lines).any(within) {
        return Judgement::undecided(Reason::Unmarked).found("0");
    }
    Judgement::places(&all, count)
}

/// The items that are indented as little as any.
fn outermost<'i>(
    items: impl Iterator<Item = &'i (Range<usize>, usize, bool)> + Clone,
) -> Vec<Range<usize>> {
    let least = items.clone().map(|(_, indent, _)| *indent).min().unwrap_or_default();
    items.filter(|(_, indent, _)| *indent <= least + 1).map(|(range, ..)| range.clone()).collect()
}

/// Sections below the headings of a level: as many as wanted, else those of the only level. Where there are several, nobody
/// can say which of them is meant.
pub fn sections(output: &Output<'_>, count: &CountParameters) -> Judgement {
    let headings = output.markdown().headings();
    let of = |level: usize| -> Vec<Range<usize>> {
        headings.iter().filter(|(_, own)| *own == level).map(|(range, _)| range.clone()).collect()
    };
    let lists: Vec<_> = (0..=6).map(of).filter(|list| !list.is_empty()).collect();
    let (least, most) = count.bounds();
    let fitting = lists.iter().find(|list| (least..=most).contains(&list.len()));
    match (fitting, lists.as_slice()) {
        (Some(list), _) | (None, [list]) => Judgement::places(list, count),
        _ => Judgement::undecided(Reason::Unmarked).found("0"),
    }
}
