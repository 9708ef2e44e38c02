//! What the target model does not take, and what no picture or clip can show.

use std::collections::HashMap;

use super::reading::{Medium, Reading};
use super::rule::Spot;
use super::span::Span;
use crate::visual::{family, flags};
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

/// Whether clips of a family of models keep to one movement of the camera.
pub fn takes_one_move(family: &str) -> bool {
    family::named(family).one_move
}

/// Movements of a camera, by kind.
const MOVES: &[(&str, Pattern)] = table!("analyze_moves", r"(?i)(?-u:\b)(?:{})(?-u:\b)");

/// Different movements of the camera that are named.
pub fn moves(prose: &str) -> usize {
    MOVES.iter().filter(|(_, pattern)| pattern.is_match(prose)).count()
}

/// Movements of a clip from which on a model that keeps to one drops some.
const TOO_MANY: usize = 3;

/// More movements than the model takes in one clip.
pub fn camera_moves(reading: &Reading<'_>) -> Vec<Spot> {
    let bound = reading.medium == Medium::Video && takes_one_move(&reading.target.model().family);
    let many = bound && moves(&reading.source.prose) >= TOO_MANY;
    Spot::new(Span::at(reading.source.end())).when(many)
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

/// A parameter that is given twice with different values.
pub fn repeated_parameter(reading: &Reading<'_>) -> Vec<Spot> {
    let given = pattern!(r"(?:^|\s)--(?P<name>[a-z]{1,12}) +(?P<value>[\d:.]+)");
    let mut known: HashMap<String, (String, Span)> = HashMap::new();
    let mut spots = Vec::new();
    for found in given.captures_iter(&reading.source.prose) {
        let Some(flag) = flags::known(&found["name"]) else { continue };
        let span = Span::from(found.get_match().range());
        let value = found["value"].to_owned();
        let (first, place) =
            known.entry(flag.name.clone()).or_insert_with(|| (value.clone(), span));
        if *first != value {
            spots.push(Spot::naming(span, reading.source.slice(*place).trim()));
        }
    }
    spots
}

/// A value of a parameter that the model does not take.
pub fn parameter_out_of_range(reading: &Reading<'_>) -> Vec<Spot> {
    if !family::of(reading.target.model()).flags {
        return Vec::new();
    }
    let given = pattern!(r"(?:^|\s)--(?P<name>[a-z]{1,12}) +(?P<value>\d{1,6})\b");
    let beyond = given.captures_iter(&reading.source.prose).filter_map(|found| {
        let most = flags::known(&found["name"])?.most?;
        let value: u32 = found["value"].parse().ok()?;
        (value > most).then(|| Spot::naming(found.get_match().range().into(), format!("0–{most}")))
    });
    beyond.collect()
}
