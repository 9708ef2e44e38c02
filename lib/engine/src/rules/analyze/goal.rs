//! Rules about what is to come out.

use super::clarity::phrases;
use super::reading::{Medium, Reading};
use super::rule::{Rule, Spot, spot_if};
use super::span::Span;
use crate::MetricName::GoalOrientation;
use crate::ModelKind;
use crate::Severity::{High, Low, Medium as Middling};
use patterns::pattern;

/// The rules of this file.
pub const RULES: &[Rule] = &[
    Rule { id: "missing_task", metric: GoalOrientation, severity: High, find: missing_task },
    Rule { id: "wrong_medium", metric: GoalOrientation, severity: High, find: wrong_medium },
    Rule {
        id: "missing_output_format",
        metric: GoalOrientation,
        severity: Middling,
        find: missing_output_format,
    },
    Rule {
        id: "missing_criterion",
        metric: GoalOrientation,
        severity: Middling,
        find: missing_criterion,
    },
    Rule {
        id: "unspecified_result",
        metric: GoalOrientation,
        severity: High,
        find: unspecified_result,
    },
    Rule { id: "missing_purpose", metric: GoalOrientation, severity: Low, find: missing_purpose },
];

/// Words that nothing is asked with: "marketing", "my startup".
pub fn missing_task(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    let instructs = || pattern!(r"(?i)(?-u:\b){analyze_goal.task}(?-u:\b)").is_match(&source.prose);
    let silent = !source
        .sentences
        .iter()
        .any(|sentence| source.prose_of(sentence.span).ends_with(['?', '？', '؟']));
    // Of a language that no rule reads only a single word is surely no request.
    let unknown = !reading.has_known_words()
        && (source.is_spaced() && source.words.len() >= 2
            || source.prose.chars().filter(|c| c.is_alphanumeric()).count() >= 5);
    let missing = reading.medium == Medium::Text
        && !mismatched(reading)
        && reading.requests.is_empty()
        && !reading.shots.open
        && silent
        && !unknown
        && !instructs();
    spot_if(missing, Span::at(source.end()))
}

/// A picture asked of a model for text, a text asked of a model for pictures.
fn wrong_medium(reading: &Reading<'_>) -> Vec<Spot> {
    let request = reading.request();
    if mismatched(reading) {
        vec![Spot::naming(request, reading.target.as_str().to_owned())]
    } else {
        Vec::new()
    }
}

/// Whether the target model makes something else than what is asked for.
pub fn mismatched(reading: &Reading<'_>) -> bool {
    let head = reading.source.prose_of(reading.request());
    match reading.target.model().kind {
        ModelKind::Text => reading.asked != Medium::Text,
        ModelKind::Image | ModelKind::Video => {
            reading.is_english()
                && pattern!(r"(?i)^\W*(?:{analyze_goal.please} )?{analyze_goal.text_task}(?-u:\b)")
                    .is_match(head)
                && !pattern!(r"(?i)(?-u:\b){analyze_goal.pictured}(?-u:\b)").is_match(head)
        }
        ModelKind::Universal => false,
    }
}

/// Tasks whose result is read by a program or compared line by line, and those with a usual shape.
const SHAPED: &[&str] = &["extraction", "classification", "data_analysis", "market_research"];
const OFTEN_SHAPED: &[&str] = &[
    "report",
    "meal_plan",
    "itinerary",
    "content_calendar",
    "budget_plan",
    "requirements",
    "quiz",
    "lesson_plan",
    "study_plan",
    "plan",
    "research",
    "comparison",
    "decision",
    "workout_plan",
    "code_review",
    "summary",
];

fn missing_output_format(reading: &Reading<'_>) -> Vec<Spot> {
    let (sure, likely) = (reading.is_about(SHAPED), reading.is_about(OFTEN_SHAPED));
    let missing = reading.medium == Medium::Text
        && reading.has_known_words()
        && !reading.requests.is_empty()
        && (sure || likely)
        && reading.slots.format.is_none()
        && !reading.shots.shown
        && !super::specificity::has_exact_length(reading)
        && !reading.states("format")
        && !pattern!(r"(?i)<{analyze_goal.format_tag}>").is_match(reading.source.text);
    let mut spots = spot_if(missing, Span::at(reading.source.end()));
    // A plain question wants a plain answer.
    if !sure || reading.asks() || super::context::has_short_material(reading) {
        spots = spots.into_iter().map(|spot| spot.at(Low)).collect();
    }
    spots
}

/// "Improve this text" does not say what would be better.
fn missing_criterion(reading: &Reading<'_>) -> Vec<Spot> {
    if reading.medium != Medium::Text || reading.states("criterion") || reading.slots.tone.is_some()
    {
        return Vec::new();
    }
    let first = reading.requests.first().copied().unwrap_or(0);
    let judged = |hit: &&super::phrases::Hit| {
        reading
            .phrases("vague_quality")
            .any(|other| other.span.start <= hit.span.start && hit.span.start < other.span.end)
    };
    let in_request =
        reading.phrases("unimprovable").take(20).find(|hit| hit.sentence == first && !judged(hit));
    let spots: Vec<Spot> = in_request.map(|hit| Spot::new(hit.span)).into_iter().collect();
    if reading.is_english()
        && !spots.is_empty()
        && reading.is_about(&["sql", "regex", "code_debug"])
    {
        return Vec::new();
    }
    spots
}

/// Words up to which a prompt that names no kind of result says too little about it.
const BRIEF: usize = 40;

/// "Write something about dogs", "a text", "help me with marketing": what is to come out stays open, the more so the
/// less is said about it.
fn unspecified_result(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    if reading.medium != Medium::Text
        || source.words.len() > BRIEF
        || reading.has_material()
        || reading.shots.shown
        || reading.states("example")
    {
        return Vec::new();
    }
    let said = [
        reading.states("audience")
            || reading.slots.audience.is_some()
            || reading.slots.level.is_some(),
        reading.states("format") || reading.slots.format.is_some(),
        super::specificity::has_exact_length(reading) || reading.slots.length.is_some(),
        reading.states("purpose") || reading.states("criterion"),
        reading.slots.tone.is_some(),
        reading.content_words() >= TOLD,
    ];
    let severity = match said.iter().filter(|said| **said).count() {
        0 => High,
        1 => Middling,
        _ => return Vec::new(),
    };
    let found = reading.phrases("unspecified_result").next();
    found.map(|hit| Spot::new(hit.span).at(severity)).into_iter().collect()
}

/// Words about a subject from which on it is described.
const TOLD: usize = 6;

/// Lists of ideas that serve nothing that was named.
fn missing_purpose(reading: &Reading<'_>) -> Vec<Spot> {
    let open = reading.medium == Medium::Text
        && reading.is_english()
        && !reading.requests.is_empty()
        && reading.is_about(&[
            "brainstorm",
            "naming",
            "marketing_copy",
            "business_plan",
            "presentation",
            "social_post",
            "report",
        ])
        && reading.source.words.len() < 16
        && !reading.states("purpose")
        && reading.source.mask.parts.is_empty();
    let vague = phrases(reading, "purpose").is_empty();
    spot_if(open && vague, reading.behind_request())
}
