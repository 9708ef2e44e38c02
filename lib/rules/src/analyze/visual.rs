//! What the target model does not take, and what no picture or clip can show.

use super::reading::{Medium, Reading};
use super::rule::Spot;
use super::span::Span;
use engine::ModelKind;
use patterns::{Pattern, pattern, table};

/// A picture asked of a model for text, a text asked of a model for pictures.
pub fn wrong_medium(reading: &Reading<'_>) -> Vec<Spot> {
    let request = reading.source.sentences.first().map_or(Span::at(0), |first| first.span);
    let head = reading.source.prose_of(request);
    let mismatched = match reading.target.model().kind {
        ModelKind::Text => reading.asked != Medium::Text,
        ModelKind::Image | ModelKind::Video => {
            pattern!(r"(?i)^\W*{analyze_visual.text_task}\b").is_match(head)
        }
        ModelKind::Universal => false,
    };
    Spot::naming(request, reading.target.as_str()).when(mismatched)
}

/// A prompt beyond the target model's bound.
pub fn prompt_too_long(reading: &Reading<'_>) -> Vec<Spot> {
    let most = reading.target.model().max_prompt_chars;
    let behind = reading.source.text.char_indices().nth(most);
    behind.map(|(at, _)| Spot::naming(Span::at(at), most.to_string())).into_iter().collect()
}

/// Looks by name, as the wishes of [`clashes`](super::clashes).
const LOOKS: &[(&str, Pattern)] = table!("analyze_picture", r"(?i)\b(?:{})\b");

/// Two looks that no picture has together.
pub fn conflicting_picture(reading: &Reading<'_>) -> Vec<Spot> {
    super::clashes::conflicts(reading, LOOKS).collect()
}

/// `--no glasses` beside "she wears round glasses".
pub fn excluded_and_shown(reading: &Reading<'_>) -> Vec<Spot> {
    let text = reading.source.text;
    let excluded = pattern!(r"--no (?P<list>[^.!?\n]{2,200}?)(?: --|[.!?\n]|$)");
    let mut spots = Vec::new();
    for found in excluded.captures_iter(text).take(5) {
        let Some(list) = found.name("list") else { continue };
        for item in list.as_str().split(',').map(str::trim).filter(|item| item.len() > 2).take(20) {
            let letter = |text: &str| text.starts_with(char::is_alphanumeric);
            let outside = |at: usize| {
                let before = text[..at].chars().next_back().is_some_and(char::is_alphanumeric);
                !list.range().contains(&at) && !before && !letter(&text[at + item.len()..])
            };
            let mut shown = text.match_indices(item).filter(|(at, _)| outside(*at));
            let denied = |at: usize| reading.is_negated(Span::new(at, at + item.len()));
            if let Some((at, _)) = shown.find(|(at, _)| !denied(*at)) {
                spots.push(Spot::naming(Span::new(at, at + item.len()), format!("--no {item}")));
            }
        }
    }
    spots
}
