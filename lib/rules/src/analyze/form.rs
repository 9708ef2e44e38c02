//! Rules about what stands there twice, and about fences.

use std::collections::HashSet;

use super::mask::Kind;
use super::reading::Reading;
use super::rule::{Edit, Spot};
use super::source::Word;
use super::span::Span;
use patterns::pattern;

/// "The the".
pub fn doubled_word(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    let said_twice = |pair: &&[Word]| {
        pair[0].lower == pair[1].lower
            && pattern!(r"^{analyze.doubled}$").is_match(&pair[0].lower)
            && source.text[pair[0].span.end..pair[1].span.start].chars().all(|c| c == ' ')
    };
    source.words.windows(2).filter(said_twice).map(|pair| Spot::new(pair[1].span)).collect()
}

/// Takes a place out of its sentence with the space before it.
pub fn cut(reading: &Reading<'_>, spot: &Spot) -> Vec<Edit> {
    let before = &reading.source.text[..spot.span.start];
    vec![Edit::new(Span::new(before.trim_end_matches(' ').len(), spot.span.end), "")]
}

/// Words of a sentence from which on its repetition is no coincidence.
const REPEATED: usize = 4;

/// Sentences that have been said before. What is quoted or filled in counts: "Mention {{a}}" is not "Mention {{b}}".
pub fn duplicate_instruction(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    let mut seen: HashSet<String> = HashSet::new();
    let mut again = |span: Span| {
        let words = source.slice(span).split(|c: char| !c.is_alphanumeric());
        !seen.insert(
            words
                .filter(|word| !word.is_empty())
                .map(str::to_lowercase)
                .collect::<Vec<_>>()
                .join(" "),
        )
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
    vec![Edit::new(Span::new(broken, end), "")]
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
    vec![Edit::new(Span::at(text.len()), format!("{lead}{}", reading.source.slice(spot.span)))]
}

/// Words from which on a sentence that ends in the middle was surely going on.
const LONG: usize = 5;

/// A sentence that ends in the middle: at "and" or "the", or at the comma behind a condition.
pub fn cut_off(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    let open = pattern!(r"(?i)\b(?:{analyze.dangling})$");
    let condition = pattern!(r"(?i)^\W*(?:{analyze.condition})\b[^.;:]*,$");
    let torn = source.sentences.iter().filter(|sentence| {
        let text = source.prose_of(sentence.span).trim_end();
        let rest = &source.text[sentence.span.start + text.len()..];
        let rest = rest.trim_start_matches([' ', '\t', '\r']);
        let ends = rest.is_empty() || rest.trim_start_matches('\n').len() + 2 <= rest.len();
        let written = source.slice(sentence.span).trim_end().len() == text.len();
        let long = sentence.words.1 - sentence.words.0 >= LONG;
        ends && written && long && (open.is_match(text) || condition.is_match(text))
    });
    torn.map(|sentence| Spot::new(sentence.span)).collect()
}
