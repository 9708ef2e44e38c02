//! How long an answer is, and how many parts it has.

use std::ops::Range;

use engine::CountParameters;
use patterns::{Pattern, pattern, table};

use super::judgement::Judgement;
use super::{emoji, letters};
use crate::Reason;
use crate::output::{LineKind, Output, is_unspaced};

/// What prompts call the things that a list has, where they are counted in a way of their own.
const UNITS: &[(&str, Pattern)] = table!("check_units", r"(?i)^{}$");

/// What items of an answer are counted.
pub enum Unit {
    /// Those of lists, whatever stands before them.
    Items,
    /// Those with a sign before them.
    Bullets,
    /// What is no item of a list, such as lines or hashtags.
    Other,
}

/// What a prompt means that counts things by this name.
pub fn unit(name: &str) -> Unit {
    match UNITS.iter().find(|(_, names)| names.is_match(name.trim())) {
        None => Unit::Items,
        Some((known, _)) if *known == "bullets" => Unit::Bullets,
        Some(_) => Unit::Other,
    }
}

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
            Judgement::places(&questions, count)
        }
        Some("hashtags") => Judgement::places(&letters::hashtags(output), count),
        Some("emojis") => Judgement::places(&emoji::all(output.text), count),
        _ => of_list(output, count),
    }
}

/// The items of a list, the nested ones aside: those that are numbered if there are as many as wanted of them, else
/// all; in an answer without list its headings, rows, paragraphs or lines, if they are as many.
fn of_list(output: &Output<'_>, count: &CountParameters) -> Judgement {
    let (least, most) = count.bounds();
    let fits = |number: usize| (least..=most).contains(&number);
    let items: Vec<_> = output.markdown().items().collect();
    let numbered: Vec<_> = outermost(items.iter().filter(|(_, _, numbered)| *numbered));
    let all = outermost(items.iter());
    let bulleted = outermost(items.iter().filter(|(_, _, numbered)| !numbered));
    for list in [&numbered, &bulleted, &all] {
        if !list.is_empty() && fits(list.len()) {
            return Judgement::places(list, count);
        }
    }
    if !all.is_empty() {
        return Judgement::places(&all, count);
    }
    let headings: Vec<_> =
        output.markdown().headings().into_iter().map(|(range, _)| range).collect();
    if !headings.is_empty() && fits(headings.len()) {
        return Judgement::places(&headings, count);
    }
    let rows = output.markdown().tables.iter().map(|table| table.rows).find(|rows| fits(*rows));
    if let Some(rows) = rows {
        return Judgement::number(rows, count);
    }
    let lines: Vec<Range<usize>> = output
        .markdown()
        .lines
        .iter()
        .filter(|line| line.kind == LineKind::Text)
        .map(|line| line.range.clone())
        .collect();
    for parts in [&lines, output.paragraphs()] {
        if parts.len() > 1 && fits(parts.len()) {
            return Judgement::places(parts, count);
        }
    }
    // What is asked for may stand in running text.
    Judgement::undecided(Reason::Unmarked).found("0")
}

/// The items that are indented as little as any.
fn outermost<'i>(
    items: impl Iterator<Item = &'i (Range<usize>, usize, bool)> + Clone,
) -> Vec<Range<usize>> {
    let least = items.clone().map(|(_, indent, _)| *indent).min().unwrap_or_default();
    items.filter(|(_, indent, _)| *indent <= least + 1).map(|(range, ..)| range.clone()).collect()
}

/// Sections with a name and a number, if the prompt gives them one, else those below headings, else the parts between
/// separators.
pub fn sections(output: &Output<'_>, count: &CountParameters, quote: &str) -> Judgement {
    // The number may stand in one statement, the name in another.
    let own = count.of.as_deref().map(|name| (name, quote)).or_else(|| output.section());
    if let Some((name, quote)) = own.filter(|(name, _)| !name.trim().is_empty()) {
        return Judgement::places(&named(output, name.trim(), quote), count);
    }
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
    if let [first, ..] = output.separators() {
        return Judgement::places(&output.parts(first), count);
    }
    let dividers = output.markdown().lines.iter().any(|line| line.kind == LineKind::Break);
    if dividers {
        return Judgement::places(&between_dividers(output), count);
    }
    Judgement::undecided(Reason::Unmarked).found("0")
}

/// Lines that begin with a name and a number behind it, "Section 2" or "**Day two**"; a Roman one or a letter where the
/// prompt shows one.
fn named(output: &Output<'_>, name: &str, quote: &str) -> Vec<Range<usize>> {
    let shown = quote.split_whitespace().next_back().unwrap_or_default();
    let lettered = pattern!(r"(?i)^[ivabc]{1,3}\W*$").is_match(shown);
    let name = crate::output::lowered(name);
    let mut found = Vec::new();
    for line in &output.markdown().lines {
        let range = line.range.clone();
        let text = &output.lower()[range.clone()];
        let bare = text.trim_start_matches(|c: char| !c.is_alphanumeric());
        let Some(rest) = bare.strip_prefix(name.as_str()) else { continue };
        let number = rest.trim_start_matches(['s', ' ', ':', '#', '-', '\u{a0}', '*']);
        let counted = pattern!(r"^(?:\d|{constraint_number.number_word}\b|[一二三四五六七八九十])");
        let roman = pattern!(r"^(?:[ivxlc]+|[a-z])\b");
        if counted.is_match(number) || lettered && roman.is_match(number) {
            found.push(range);
        }
    }
    found
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

/// Answers between separators or dividers, or with a number each; all of them different.
pub fn responses(output: &Output<'_>, count: &CountParameters) -> Judgement {
    let parts = match output.separators() {
        [first, ..] => output.parts(first),
        [] => {
            let labelled = labelled(output);
            let divided = between_dividers(output);
            match (labelled.len(), divided.len()) {
                (2.., _) => labelled,
                (_, 2..) => divided,
                _ => return of_list(output, count),
            }
        }
    };
    let mut seen = std::collections::HashSet::new();
    let repeated = parts.iter().find(|part| !seen.insert(output.at(part)));
    match repeated {
        Some(part) => Judgement::number(seen.len(), count).at(Some(part.clone())),
        None => Judgement::places(&parts, count),
    }
}

/// Lines that call themselves answers: "Response 1:", "**Version B**".
fn labelled(output: &Output<'_>) -> Vec<Range<usize>> {
    let rule = pattern!(
        r"(?i)^[\s*#_>]*(?:{check_units.response})\s*[#:]?\s*(?:\d{1,2}|[a-e]|{constraint_number.number_word})\b"
    );
    let lines = output.markdown().lines.iter().map(|line| line.range.clone());
    lines.filter(|line| rule.is_match(output.at(line))).collect()
}
