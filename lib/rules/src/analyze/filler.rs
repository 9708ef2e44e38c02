//! The rule about words that say nothing: greetings, thanks, "please".

use super::mends;
use super::reading::{Medium, Reading};
use super::rule::{Edit, Spot};
use super::span::Span;
use crate::courtesy;
use engine::Severity;
use patterns::pattern;

/// Greetings and thanks that are sentences of their own, the greeting in front of a request, and courtesies within
/// one. Where nothing else is said, they are the request.
pub fn find(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    let idle: Vec<bool> = source
        .sentences
        .iter()
        .map(|sentence| courtesy::is_idle(source.slice(sentence.span)))
        .collect();
    let Some(first) = idle.iter().position(|idle| !idle) else { return Vec::new() };
    let last = idle.iter().rposition(|idle| !idle).unwrap_or(first);
    // A line of its own in the middle, such as "Kind regards", may belong to a letter.
    let is_filler = |number: &usize| {
        let span = source.sentences[*number].span;
        idle[*number]
            && !reading.requests.is_empty()
            && (!(first..last).contains(number) || !is_line(source.text, span))
    };
    let mut spans: Vec<Span> =
        (0..idle.len()).filter(is_filler).map(|number| source.sentences[number].span).collect();
    if let Some(end) = courtesy::greeting(source.text).filter(|_| !reading.requests.is_empty()) {
        spans.push(Span::new(0, source.text[..end].trim_end().len()));
    }
    let opening = pattern!(
        r"(?im)(?:^(?:[-*•] |\d+[.)] )?|[.!?] )(?P<x>{courtesy.lead_in} (?:{courtesy.please},? )?|{courtesy.please},? (?:{courtesy.can_you} )?)\p{L}"
    );
    // In capitals it may be a noun.
    let inside = pattern!(r"[ (](?P<x>{courtesy.inside}|{courtesy.please})(?:,? |[.!?,;)\n]|$)");
    let found = opening.captures_iter(&source.prose).chain(inside.captures_iter(&source.prose));
    spans.extend(found.filter_map(|found| {
        let words = found.name("x")?;
        let before = &source.prose[..words.start()];
        let verb = pattern!(r"(?i)(?-u:\b){courtesy.no_plea_behind} $");
        if verb.is_match(text::tail(before, 24)) {
            return None;
        }
        let length = words.as_str().trim_end_matches([' ', ',']).len();
        Some(Span::new(words.start(), words.start() + length))
    }));
    spans.retain(|span| span.start < span.end);
    spans.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
    let mut behind = 0;
    spans.retain(|span| {
        span.start >= behind && {
            behind = span.end;
            true
        }
    });
    // Phrases of the lexicon say more than a courtesy, and only some of them stand alone.
    let said: Vec<Span> = match reading.medium {
        Medium::Text => reading.phrases("filler").map(|hit| hit.span).collect(),
        Medium::Image | Medium::Video => Vec::new(),
    };
    let own = |span: &Span| !spans.iter().any(|known| known.holds(*span));
    let others: Vec<Spot> = said.iter().copied().filter(own).map(Spot::new).collect();
    let courtesy = |span: Span| match said.iter().any(|phrase| span.holds(*phrase)) {
        true => Spot::new(span),
        false => Spot::new(span).at(Severity::Info),
    };
    spans.iter().copied().map(courtesy).chain(others).collect()
}

/// Takes the words out, or the whole sentence.
pub fn leave_out(reading: &Reading<'_>, spot: &Spot) -> Vec<Edit> {
    let sentences = &reading.source.sentences;
    let said = reading.phrases("filler").any(|hit| hit.span == spot.span);
    let whole = sentences.binary_search_by_key(&spot.span, |sentence| sentence.span).is_ok();
    match (whole, said) {
        (true, _) => mends::cut_sentence(reading, spot),
        (false, false) => mends::cut(reading, spot),
        (false, true) => Vec::new(),
    }
}

/// Whether a place is a line of its own.
fn is_line(text: &str, span: Span) -> bool {
    let before = text[..span.start].rsplit('\n').next().unwrap_or_default();
    let after = text[span.end..].split('\n').next().unwrap_or_default();
    before.trim().is_empty() && after.trim().is_empty()
}
