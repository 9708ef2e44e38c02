//! Rules about form: what stands there twice, or is opened and never closed.

use super::mask::Kind;
use super::reading::Reading;
use super::rule::{Edit, Spot};
use super::span::Span;
use patterns::pattern;

/// "The the".
pub fn doubled_word(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    let words: Vec<Span> = reading.all(pattern!(r"(?i)\b{analyze.doubled}\b")).collect();
    let said_twice = |pair: &&[Span]| {
        source.slice(pair[0]).to_lowercase() == source.slice(pair[1]).to_lowercase()
            && source.text[pair[0].end..pair[1].start].chars().all(|c| c == ' ')
            && !source.text[pair[1].end..].starts_with(['-', '\'', '’'])
    };
    words.windows(2).filter(said_twice).map(|pair| Spot::new(pair[1])).collect()
}

/// Takes a place out of its sentence with the space before it.
pub fn cut(reading: &Reading<'_>, spot: &Spot) -> Option<Edit> {
    let before = &reading.source.text[..spot.span.start];
    Some((Span::new(before.trim_end_matches(' ').len(), spot.span.end), String::new()))
}

/// Tags that are looked at.
const MOST_TAGS: usize = 60;

/// A tag on a line of its own that nothing closes, where other tags are closed; or one that is closed and never opened.
pub fn unclosed_tag(reading: &Reading<'_>) -> Vec<Spot> {
    let text = reading.source.text;
    let tag = pattern!(r"(?m)^[ \t]*(?P<t></?(?P<n>[a-z][a-z0-9_-]{1,40})>)[ \t]*\r?$");
    let form = |mark: &str, name: &str| {
        let marked = format!("{mark}{name}");
        let behind = text.match_indices(&marked).map(|(at, mark)| &text[at + mark.len()..]);
        behind.filter(|rest| rest.starts_with(['>', ' '])).count()
    };
    let pairs = |name: &str| (form("<", name), form("</", name));
    let found: Vec<patterns::Captures<'_>> = tag.captures_iter(text).take(MOST_TAGS).collect();
    if !found.iter().any(|one| matches!(pairs(&one["n"]), (open, close) if open == close)) {
        return Vec::new();
    }
    let torn = found.iter().filter(|one| matches!(pairs(&one["n"]), (1 | 2, 0) | (0, 1)));
    let in_code = |span: Span| reading.source.mask.holds(span, &[Kind::Fence, Kind::Example]);
    let spans = torn.filter_map(|one| Some(Span::from(one.name("t")?.range())));
    // What stands last begins the answer.
    let last = |span: Span| text[span.end..].trim().is_empty();
    spans.filter(|span| !in_code(*span) && !last(*span)).map(Spot::new).collect()
}

/// Steps of a list, but the first, from which on one that does not count on is a slip.
const FEWEST_STEPS: usize = 3;

/// A step that is skipped or comes twice in a numbered list which otherwise counts on.
pub fn wrong_numbering(reading: &Reading<'_>) -> Vec<Spot> {
    let item = pattern!(r"(?m)^(?P<lead>[ \t]*)(?P<mark>(?P<n>\d{1,2})[.)])[ \t]+\S");
    // The numbers of each list that begins with one, with their places.
    let mut lists: Vec<(String, Vec<(usize, Span)>)> = Vec::new();
    for found in item.captures_iter(&reading.source.prose) {
        let (Ok(number), Some(mark)) = (found["n"].parse(), found.name("mark")) else { continue };
        let lead = &found["lead"];
        if number == 1 {
            lists.push((lead.to_owned(), Vec::new()));
        }
        // The list of this indent that was begun last.
        if let Some((_, list)) = lists.iter_mut().rev().take(3).find(|(own, _)| own == lead) {
            list.push((number, mark.range().into()));
        }
    }
    let slip = |(_, list): &(String, Vec<(usize, Span)>)| {
        let mut slips = list.windows(2).filter(|two| two[1].0 != two[0].0 + 1);
        // "1. 2. 3. … 10." leaves out on purpose.
        let slip = slips.next().filter(|two| [two[0].0, two[0].0 + 2].contains(&two[1].0))?;
        let lone = slips.next().is_none() && list.len() > FEWEST_STEPS;
        lone.then(|| Spot::naming(slip[1].1, (slip[0].0 + 1).to_string()))
    };
    lists.iter().filter_map(slip).collect()
}

/// An object of an example whose braces are not closed up to the end of the prompt. One that ends the prompt begins the
/// answer.
pub fn torn_object(reading: &Reading<'_>) -> Vec<Spot> {
    let text = reading.source.text;
    let object = pattern!(r"\{\s{0,8}\x22\w{1,40}\x22\s?:");
    let (mut depth, mut end, mut last) = (0_usize, 0, None);
    for found in object.find_iter(text) {
        if found.start() < end {
            continue;
        }
        depth = 0;
        last = Some(found.range());
        for (at, sign) in text[found.start()..].char_indices() {
            match sign {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => continue,
            }
            end = found.start() + at;
            if depth == 0 {
                break;
            }
        }
    }
    let goes_on = |range: &std::ops::Range<usize>| text[range.end..].contains("\n\n");
    let torn = last.filter(|range| depth > 0 && goes_on(range) && !reading.source.mask.is_object);
    torn.map(|range| Spot::new(range.into())).into_iter().collect()
}
