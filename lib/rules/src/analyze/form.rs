//! Rules about form: what stands there twice, or is opened and never closed.

use std::collections::HashSet;

use super::mask::Kind;
use super::reading::Reading;
use super::rule::{Edit, Spot};
use super::span::Span;
use patterns::pattern;

/// "The the".
pub fn doubled_word(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    let said_twice = |pair: &&[super::source::Word]| {
        pair[0].lower == pair[1].lower
            && pattern!(r"^{analyze.doubled}$").is_match(&pair[0].lower)
            && source.text[pair[0].span.end..pair[1].span.start].chars().all(|c| c == ' ')
    };
    source.words.windows(2).filter(said_twice).map(|pair| Spot::new(pair[1].span)).collect()
}

/// Takes a place out of its sentence with the space before it.
pub fn cut(reading: &Reading<'_>, spot: &Spot) -> Vec<Edit> {
    let before = &reading.source.text[..spot.span.start];
    vec![(Span::new(before.trim_end_matches(' ').len(), spot.span.end), String::new())]
}

/// Words of a sentence from which on its repetition is no coincidence.
const REPEATED: usize = 4;

/// Sentences that have been said before. What is quoted or filled in counts: "Mention {{a}}" is not "Mention {{b}}".
pub fn duplicate_instruction(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    let mut seen: HashSet<String> = HashSet::new();
    let mut again = |span: Span| {
        let words = source.slice(span).split(|c: char| !c.is_alphanumeric());
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        !seen.insert(words.join(" ").to_lowercase())
    };
    source
        .sentences
        .iter()
        .filter(|sentence| source.words_of(sentence).len() >= REPEATED && !sentence.heading)
        .filter(|sentence| again(sentence.span))
        .map(|sentence| Spot::new(sentence.span))
        .collect()
}

/// Takes out a line that has nothing but a place and the mark of a list, with its break.
pub fn cut_line(reading: &Reading<'_>, spot: &Spot) -> Vec<Edit> {
    let text = reading.source.text;
    let Span { start, end } = spot.span;
    let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let (lead, rest) = (&text[line..start], &text[end..]);
    let alone = (rest.is_empty() || rest.starts_with(['\n', '\r'])) && line > 0;
    if !alone || !pattern!(r"^\s*(?:[-*•–])\s+$").is_match(lead) {
        return Vec::new();
    }
    let broken = line - if text[..line].ends_with("\r\n") { 2 } else { 1 };
    vec![(Span::new(broken, end), String::new())]
}

/// A fence without an end.
pub fn unclosed_fence(reading: &Reading<'_>) -> Vec<Spot> {
    let open = |span: &Span| {
        let block = reading.source.slice(*span).trim_end();
        let sign = block.chars().next().filter(|sign| matches!(sign, '`' | '~'))?;
        let length = block.chars().take_while(|c| *c == sign).count();
        let last = block.lines().last().unwrap_or_default().trim_end();
        let closed = block.len() > length && last.ends_with(&sign.to_string().repeat(3));
        (!closed).then(|| Spot::new(Span::new(span.start, span.start + length)))
    };
    reading.source.mask.of(Kind::Fence).filter_map(|span| open(&span)).collect()
}

/// The fence again, on a line of its own at the end.
pub fn close(reading: &Reading<'_>, spot: &Spot) -> Vec<Edit> {
    let text = reading.source.text;
    let lead = if text.ends_with('\n') { "" } else { "\n" };
    vec![(Span::at(text.len()), format!("{lead}{}", reading.source.slice(spot.span)))]
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
    let torn = found.iter().filter(|one| matches!(pairs(&one["n"]), (1, 0) | (0, 1)));
    let in_code = |span: Span| {
        reading.source.mask.around(span).is_some_and(|(part, kind)| {
            part.holds(span) && matches!(kind, Kind::Fence | Kind::Example)
        })
    };
    let spans = torn.filter_map(|one| Some(Span::from(one.name("t")?.range())));
    // What stands last begins the answer.
    let last = |span: Span| text[span.end..].trim().is_empty();
    spans.filter(|span| !in_code(*span) && !last(*span)).map(Spot::new).collect()
}

/// A step that is skipped or comes twice in a numbered list which otherwise counts on.
pub fn wrong_numbering(reading: &Reading<'_>) -> Vec<Spot> {
    let item = pattern!(r"(?m)^(?P<lead>[ \t]*)(?P<mark>(?P<n>\d{1,2})[.)])[ \t]+\S");
    let mut spots = Vec::new();
    // The numbers of a list that begins with one, with their places.
    let mut list: Vec<(usize, Span)> = Vec::new();
    let mut indent = String::new();
    let mut settle = |list: &mut Vec<(usize, Span)>| {
        let steps: Vec<bool> = list.windows(2).map(|pair| pair[1].0 == pair[0].0 + 1).collect();
        let slips: Vec<usize> = (0..steps.len()).filter(|at| !steps[*at]).collect();
        // "1. 2. 3. … 10." leaves out on purpose.
        let one = |at: usize| matches!(list[at + 1].0, next if next == list[at].0 || next == list[at].0 + 2);
        if let ([at], true) = (slips.as_slice(), steps.len() >= FEWEST_STEPS)
            && one(*at)
        {
            spots.push(Spot::naming(list[at + 1].1, (list[*at].0 + 1).to_string()));
        }
        list.clear();
    };
    for found in item.captures_iter(&reading.source.prose) {
        let (Ok(number), Some(mark)) = (found["n"].parse::<usize>(), found.name("mark")) else {
            continue;
        };
        let gap = list.last().is_some_and(|(_, last)| {
            pattern!(r"(?m)^#{1,6} |^\*\*").is_match(&reading.source.prose[last.end..mark.start()])
        });
        if number == 1 || gap {
            settle(&mut list);
            indent = found["lead"].to_owned();
        }
        if (number == 1 || !list.is_empty()) && found["lead"] == indent {
            list.push((number, mark.range().into()));
        }
    }
    settle(&mut list);
    spots
}

/// Steps of a list, but the first, from which on one that does not count on is a slip.
const FEWEST_STEPS: usize = 3;
