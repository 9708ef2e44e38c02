//! What the target model does not take, and what no picture or clip can show.

use super::reading::{Medium, Reading};
use super::rule::Spot;
use engine::ModelKind;
use engine::prompt::Span;
use patterns::{Table, pattern, table};

/// A picture asked of a model for text, a text asked of a model for pictures.
pub fn wrong_medium(reading: &Reading<'_>) -> Vec<Spot> {
    let request = reading.source.sentences.first().copied().unwrap_or(Span::at(0));
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
const LOOKS: &Table = table!("analyze_picture", r"(?i)\b(?:{})\b");

/// Two looks that no picture has together.
pub fn conflicting_picture(reading: &Reading<'_>) -> Vec<Spot> {
    super::clashes::conflicts(reading, LOOKS).collect()
}
