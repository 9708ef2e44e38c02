//! Rules about the request itself: whether there is one, about what, and with what.

use super::jobs;
use super::mask::Kind;
use super::reading::{Medium, Reading};
use super::rule::{Rule, Spot};
use super::span::Span;
use engine::MetricName::{Context, GoalOrientation, Specificity};
use engine::Severity::{High, Low, Medium as Middling};
use patterns::pattern;

/// The rules of this file.
pub const RULES: &[Rule] = &[
    Rule::code("missing_task", GoalOrientation, High, missing_task),
    Rule::code("wrong_medium", GoalOrientation, High, wrong_medium),
    Rule::code("unspecified_result", GoalOrientation, High, unspecified_result),
    Rule::code("only_variables", GoalOrientation, High, only_variables),
    Rule::code("unrelated_tasks", GoalOrientation, High, jobs::unrelated_tasks),
    Rule::code("missing_subject", Specificity, High, missing_subject),
    Rule::code("missing_material", Context, High, missing_material),
    Rule::code("underspecified", Context, Middling, underspecified),
    Rule::code("unfilled_placeholder", Context, Middling, unfilled_placeholder),
    Rule::code("link_as_material", Context, Low, link_as_material),
];

fn missing_task(reading: &Reading<'_>) -> Vec<Spot> {
    Spot::new(Span::at(reading.source.end())).when(!reading.has_task())
}

/// A picture asked of a model for text, a text asked of a model for pictures.
fn wrong_medium(reading: &Reading<'_>) -> Vec<Spot> {
    let target = reading.target.as_str().to_owned();
    Spot::naming(reading.request(), target).when(reading.is_mismatched())
}

fn missing_subject(reading: &Reading<'_>) -> Vec<Spot> {
    let place = Spot::new(reading.behind_request());
    reading.lack_of_subject().map(|severity| place.at(severity)).into_iter().collect()
}

fn missing_material(reading: &Reading<'_>) -> Vec<Spot> {
    reading.lack_of_material().map(Spot::new).into_iter().collect()
}

/// Words of a prompt without a request up to which it says next to nothing.
const NEXT_TO_NOTHING: usize = 5;

/// Characters of a request up to which it says little in a language that writes no spaces: in Chinese, and in others.
const SAYS_LITTLE: (usize, usize) = (6, 10);

/// "Hello", "marketing", "Write a text", "Summarize".
fn underspecified(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    if reading.medium != Medium::Text {
        return Vec::new();
    }
    let few = source.words.len() <= NEXT_TO_NOTHING && source.mask.parts.is_empty();
    let spot = Spot::new(Span::at(source.end()));
    if !reading.has_task() {
        return spot.at(High).when(few);
    }
    let explained = reading.context().split_whitespace().count() >= NEXT_TO_NOTHING;
    let bare = source.words.len() <= 2 && reading.lack_of_material().is_some();
    let open = reading.phrases("unspecified_result").next().is_some()
        && reading.content_words() <= 3
        && !reading.has_exact_length()
        && !reading.has_material()
        && !reading.states("audience");
    let silent = few
        && reading.requests.is_empty()
        && reading.has_known_words()
        && !reading.shots.open
        && !reading.is_mismatched();
    let empty = reading.lack_of_subject().is_some();
    // "Help", "Write": a verb alone.
    let severity = if empty && source.words.len() <= 2 { High } else { Middling };
    spot.at(severity).when((bare || open || is_terse(reading) || silent || empty) && !explained)
}

/// Whether a prompt in a language that no rule reads, of which only the length is known, is very short.
fn is_terse(reading: &Reading<'_>) -> bool {
    let source = &reading.source;
    let few = || {
        if source.is_spaced() {
            return source.words.len() <= 3;
        }
        let most = if source.language == "zh" { SAYS_LITTLE.0 } else { SAYS_LITTLE.1 };
        source.prose.chars().filter(|c| c.is_alphanumeric()).count() <= most
    };
    !reading.has_known_words()
        && source.mask.parts.is_empty()
        && !reading.attached
        && !source.prose.contains(|c: char| c.is_numeric() || matches!(c, '?' | '？' | '؟'))
        && few()
}

/// Words up to which a prompt that names no kind of result says too little about it.
const BRIEF: usize = 40;
/// Words about a subject from which on it is described.
const TOLD: usize = 6;

/// "Write something about dogs", "a text", "help me with marketing": what is to come out stays open, the more so the
/// less is said about it.
fn unspecified_result(reading: &Reading<'_>) -> Vec<Spot> {
    let open = reading.medium == Medium::Text
        && reading.source.words.len() <= BRIEF
        && !reading.has_material()
        && !reading.shots.shown
        && !reading.states("example");
    let Some(hit) = reading.phrases("unspecified_result").next().filter(|_| open) else {
        return Vec::new();
    };
    let slots = &reading.slots;
    let said = [
        reading.states("audience") || slots.audience.is_some() || slots.level.is_some(),
        reading.states("format") || slots.format.is_some(),
        reading.has_exact_length() || slots.length.is_some(),
        reading.states("purpose") || reading.states("criterion"),
        slots.tone.is_some(),
        reading.content_words() >= TOLD,
    ];
    match said.iter().filter(|said| **said).count() {
        0 => vec![Spot::new(hit.span)],
        1 => vec![Spot::new(hit.span).at(Middling)],
        _ => Vec::new(),
    }
}

/// "TODO", "[insert name]", "<your company>", "lorem ipsum".
fn unfilled_placeholder(reading: &Reading<'_>) -> Vec<Spot> {
    let prose = &reading.source.prose;
    let asked = |found: &patterns::Match<'_>| {
        // "Find all TODO comments" is about them.
        let word = found.as_str().chars().all(char::is_alphanumeric);
        let spoken_of = pattern!(r"^(?i:{analyze_context.todo_noun})(?-u:\b)")
            .is_match(prose[found.end()..].trim_start())
            || prose[..found.start()].trim_end().ends_with(['/', '#']);
        !(word && spoken_of)
    };
    pattern!(r"(?-u:\b)(?:TODO|TBD|FIXME|XXX+)(?-u:\b)|(?i:(?-u:\b)lorem ipsum(?-u:\b))|[\[<](?i:{analyze_context.blank})(?: [^\[\]<>\n]{1,60})?[\]>]")
        .find_iter(prose)
        .filter(asked)
        .map(|found| Spot::new(found.range().into()))
        .collect()
}

/// An address in place of the text that the request is about.
fn link_as_material(reading: &Reading<'_>) -> Vec<Spot> {
    let needs = reading.medium == Medium::Text
        && (reading.task.needs_material || reading.phrases("material_reference").next().is_some())
        && reading.source.mask.material().next().is_none()
        && !reading.carries_loose_text();
    let links = reading.source.mask.of(Kind::Url);
    links.take(usize::from(needs)).map(Spot::new).collect()
}

/// "{{a}} {{b}}": nothing says what is to be done with them.
fn only_variables(reading: &Reading<'_>) -> Vec<Spot> {
    let mask = &reading.source.mask;
    let bare = mask.material().next().is_none()
        && mask.of(Kind::Url).next().is_none()
        && !reading.source.prose.chars().any(char::is_alphanumeric);
    let first = reading.variables.first().filter(|_| bare);
    first.map(|(span, _)| Spot::new(*span)).into_iter().collect()
}
