//! Rules about what the work that a prompt asks for needs to be told.

use super::mask::Kind;
use super::reading::{Medium, Reading};
use super::rule::{Edit, Rule, Spot};
use super::span::Span;
use super::work::{
    BY_EXAMPLE, FOR_READERS, OF_ANY_LENGTH, OFTEN_FOR_READERS, OFTEN_SHAPED, PERSONAL, PROGRAMS,
    REPAIRS, SERVING, SHAPED, SORTING, Work,
};
use engine::ConstraintKind::{
    Audience, Choice, Format, IncludeWords, SectionCount, Separator, Title, Tone,
};
use engine::MetricName::{Context, GoalOrientation, Specificity};
use engine::ModelKind;
use engine::Severity::{self, Info, Low, Medium as Middling};
use patterns::pattern;

/// The rule for what only the context demands.
pub const UNSTATED: &str = "unstated_context";

/// The rules of this file.
pub const RULES: &[Rule] = &[
    Rule::code("few_details", Specificity, Low, few_details),
    Rule::code("missing_length", Specificity, Low, missing_length),
    Rule::code("missing_technology", Specificity, Middling, missing_technology),
    Rule::code("missing_categories", Specificity, Middling, missing_categories),
    Rule::code(UNSTATED, Context, Info, unstated_context).mended(state),
    Rule::code("missing_audience", Context, Middling, missing_audience),
    Rule::code("missing_background", Context, Middling, missing_background),
    Rule::code("missing_examples", Context, Low, missing_examples),
    Rule::code("missing_output_format", GoalOrientation, Middling, missing_output_format),
    Rule::code("missing_criterion", GoalOrientation, Middling, missing_criterion),
    Rule::code("missing_purpose", GoalOrientation, Low, missing_purpose),
];

/// The place of what the first of these groups of work lacks, with its severity.
fn missing(
    reading: &Reading<'_>,
    works: &[(&Work, Severity)],
    place: Span,
    is_told: impl Fn() -> bool,
) -> Vec<Spot> {
    let asked = || works.iter().find(|(work, _)| work.is_asked(reading));
    match asked().filter(|_| reading.asks_for_text() && !is_told()) {
        Some((_, severity)) => vec![Spot::new(place).at(*severity)],
        None => Vec::new(),
    }
}

/// Aspects that a prompt tells from which on one more weighs less.
const WELL_TOLD: usize = 5;

/// The spots, a step less grave where much else is told.
fn eased(spots: Vec<Spot>, reading: &Reading<'_>) -> Vec<Spot> {
    let eased = |severity: Option<Severity>| match severity {
        Some(Middling) => Low,
        _ => Info,
    };
    if spots.is_empty() || details(reading) < WELL_TOLD {
        return spots;
    }
    spots.into_iter().map(|spot| Spot { severity: Some(eased(spot.severity)), ..spot }).collect()
}

/// Where the prompt ends.
fn end(reading: &Reading<'_>) -> Span {
    Span::at(reading.source.end())
}

fn names_audience(reading: &Reading<'_>) -> bool {
    reading.slots.audience.is_some()
        || reading.slots.level.is_some()
        || reading.states("audience")
        || reading.is_constrained(&[Audience])
        || pattern!(r"(?i){analyze_context.years_old}(?-u:\b)|{analyze_context.school_year}(?-u:\b)|(?-u:\b){analyze_context.to} (?-i:[A-Z])|(?-u:\b){analyze_context.dear}(?-u:\b)").is_match(&reading.source.prose)
}

fn names_format(reading: &Reading<'_>) -> bool {
    reading.slots.format.is_some()
        || reading.shots.shown
        || reading.states("format")
        || reading.is_constrained(&[Format, Choice, Separator, SectionCount, Title])
        || pattern!(r"(?i)<{analyze_goal.format_tag}>").is_match(reading.source.text)
}

fn names_length(reading: &Reading<'_>) -> bool {
    reading.has_exact_length() || reading.slots.length.is_some()
}

fn names_tone(reading: &Reading<'_>) -> bool {
    reading.slots.tone.is_some() || reading.is_constrained(&[Tone])
}

/// Words about the subject from which on it is described, and from which on it is described at length.
const DESCRIBED: [usize; 3] = [6, 11, 18];

/// How much the prompt tells about the result and its circumstances: a point for each aspect.
fn details(reading: &Reading<'_>) -> usize {
    let source = &reading.source;
    let content = reading.content_words();
    let names = || {
        let inside = |word: &&super::source::Word| word.span.start > reading.request().start;
        source.language != "de"
            && source
                .words
                .iter()
                .filter(inside)
                .any(|word| source.slice(word.span).starts_with(char::is_uppercase))
    };
    let told = [
        names_audience(reading),
        names_format(reading),
        names_length(reading),
        names_tone(reading),
        reading.states("purpose") || reading.states("criterion"),
        reading.shots.shown || reading.states("example"),
        !source.mask.parts.is_empty() || reading.attached || reading.brought,
        reading.has_number(),
        reading.slots.stack.is_some() || names(),
        reading.is_constrained(&[IncludeWords]) || reading.list_items() >= 2,
        source.sentences.len() >= 3,
        !reading.context().is_empty(),
        reading.task.family == "creative",
    ];
    told.iter().filter(|told| **told).count()
        + DESCRIBED.iter().filter(|least| content >= **least).count()
}

/// Whether a prompt asks for work that can be done in many ways.
fn is_open(reading: &Reading<'_>) -> bool {
    let requested =
        |number: &usize| reading.phrases("open_work").any(|hit| hit.sentence == *number);
    reading.asks_for_text() && !reading.asks() && reading.requests.iter().any(requested)
}

/// Words of a prompt from which on something is said beyond the subject.
const AT_LENGTH: usize = 40;

/// "Explain inflation", "Write a newsletter": hardly anything is said beyond the subject.
fn few_details(reading: &Reading<'_>) -> Vec<Spot> {
    if !reading.asks_for_text() || reading.source.words.len() > AT_LENGTH {
        return Vec::new();
    }
    let content = reading.content_words();
    let severity = if is_open(reading) {
        match details(reading) {
            0 if content <= 2 => Middling,
            0 | 1 => Low,
            2 if !reading.has_material() => Info,
            _ => return Vec::new(),
        }
    } else if reading.asks()
        && reading.source.words.len() <= 2
        && content <= 2
        && details(reading) == 0
    {
        // "Boiling point?"
        Low
    } else {
        return Vec::new();
    };
    vec![Spot::new(reading.behind_request()).at(severity)]
}

fn missing_length(reading: &Reading<'_>) -> Vec<Spot> {
    let told = || {
        let vague = ["vague_length", "wants_brief", "wants_long"];
        names_length(reading) || vague.into_iter().any(|rule| reading.states(rule))
    };
    let place = reading.behind_request();
    let spots = eased(missing(reading, &[(&OF_ANY_LENGTH, Low)], place, told), reading);
    // Neither its length nor its form tells where the answer ends.
    let shapeless = || {
        is_open(reading)
            && !told()
            && !names_format(reading)
            && reading.slots.stack.is_none()
            && reading.task.family != "code"
            && reading.task.family != "creative"
            && !reading.has_short_material()
    };
    if spots.is_empty() { Spot::new(place).at(Info).when(shapeless()) } else { spots }
}

/// Words of a request from which on it tells more than its kind.
const BRIEF: usize = 16;

fn missing_audience(reading: &Reading<'_>) -> Vec<Spot> {
    // Who asks a question is the reader; what is quoted brings its readers along.
    let plain = reading.asks() || reading.source.mask.material().next().is_some();
    let sure = if reading.slots.platform.is_some() { Low } else { Middling };
    let works = [(&FOR_READERS, sure), (&OFTEN_FOR_READERS, Low)];
    let works = if plain { &works[..1] } else { &works[..] };
    let spots = missing(reading, works, reading.behind_request(), || names_audience(reading));
    eased(spots, reading)
}

fn missing_background(reading: &Reading<'_>) -> Vec<Spot> {
    let severity = if reading.asks() { Low } else { Middling };
    missing(reading, &[(&PERSONAL, severity)], reading.behind_request(), || {
        reading.source.words.len() >= BRIEF
            || reading.has_number()
            || reading.attached
            || !reading.source.mask.parts.is_empty()
            || !reading.context().is_empty()
            || reading.content_words() >= DESCRIBED[0]
            || reading.states("background")
    })
}

fn missing_examples(reading: &Reading<'_>) -> Vec<Spot> {
    let spots = missing(reading, &[(&BY_EXAMPLE, Low)], end(reading), || {
        reading.has_short_material()
            || reading.shots.shown
            || reading.states("example")
            || pattern!(r"(?i)<{analyze_examples.tag}(?-u:\b)").is_match(reading.source.text)
    });
    eased(spots, reading)
}

fn missing_output_format(reading: &Reading<'_>) -> Vec<Spot> {
    // A plain question wants a plain answer.
    let sure = if reading.has_short_material() { Low } else { Middling };
    let spots = missing(reading, &[(&SHAPED, sure), (&OFTEN_SHAPED, Low)], end(reading), || {
        reading.asks() || reading.has_exact_length() || names_format(reading)
    });
    eased(spots, reading)
}

/// "Improve this text" does not say what would be better.
fn missing_criterion(reading: &Reading<'_>) -> Vec<Spot> {
    let told = reading.states("criterion") || names_tone(reading) || REPAIRS.is_asked(reading);
    if reading.medium != Medium::Text || told {
        return Vec::new();
    }
    let first = reading.requests.first().copied().unwrap_or(0);
    // One finding is enough for "make it better".
    let judged = |span: Span| {
        let mut others = reading.phrases("vague_quality");
        others.any(|other| other.span.start <= span.start && span.start < other.span.end)
    };
    let mut hits = reading.phrases("unimprovable").take(20);
    let found = hits.find(|hit| hit.sentence == first && !judged(hit.span));
    found.map(|hit| Spot::new(hit.span)).into_iter().collect()
}

/// Lists of ideas that serve nothing that was named.
fn missing_purpose(reading: &Reading<'_>) -> Vec<Spot> {
    missing(reading, &[(&SERVING, Low)], reading.behind_request(), || {
        reading.source.words.len() >= BRIEF
            || reading.states("purpose")
            || !reading.source.mask.parts.is_empty()
    })
}

fn missing_technology(reading: &Reading<'_>) -> Vec<Spot> {
    missing(reading, &[(&PROGRAMS, Middling)], reading.behind_request(), || {
        let text = || format!("{}\n{}", reading.source.text, reading.context());
        reading.slots.stack.is_some()
            || reading.slots.platform.is_some()
            || reading.has_variable("language")
            || reading.source.mask.material().next().is_some()
            || pattern!(r"(?i)(?-u:\b){analyze_specificity.spoken_script}(?-u:\b)")
                .is_match(&reading.source.prose)
            || pattern!(r"(?i)(?-u:\b){analyze_specificity.technology}(?-u:\b)|(?-u:\b)c\+\+|(?-u:\b)c#|\.net(?-u:\b)").is_match(&text())
    })
}

fn missing_categories(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    missing(reading, &[(&SORTING, Middling)], reading.behind_request(), || {
        reading.shots.shown
            || !reading.variables.is_empty() && reading.source.words.len() > BRIEF
            || source.mask.of(Kind::Quote).count() >= 2 && source.words.len() > BRIEF
            || reading.is_constrained(&[Choice])
            || pattern!(r"(?i)(?-u:\b){analyze_specificity.choice}(?-u:\b).{0,80}(?:,|/|(?-u:\b){analyze_specificity.or}(?-u:\b)|:)|(?-u:\b)\w+, \w+(?:,| {analyze_specificity.or} | {analyze_specificity.and} )|{analyze_specificity.polarity}|(?-u:\b){analyze_specificity.or}(?-u:\b)").is_match(&source.prose)
            || pattern!(r"(?-u:\b){analyze_specificity.label}\w*(?-u:\b)").is_match(reading.context())
    })
}

/// What the caller demands of the result, and the prompt does not say. A colon or a fence at the end announces
/// content that is pasted behind it.
fn unstated_context(reading: &Reading<'_>) -> Vec<Spot> {
    let text = reading.source.text.trim_end();
    let visual = matches!(reading.target.model().kind, ModelKind::Image | ModelKind::Video);
    if visual || text.ends_with([':', '：']) || text.ends_with("```") {
        return Vec::new();
    }
    let end = Span::at(text.len());
    reading.unstated.iter().map(|line| Spot::naming(end, line.clone())).collect()
}

/// Adds the line: to running text as a sentence, else below it.
fn state(reading: &Reading<'_>, spot: &Spot) -> Vec<Edit> {
    let Some(line) = &spot.value else { return Vec::new() };
    let text = &reading.source.text[..spot.span.end];
    let lead = match reading.unstated.first() {
        _ if !text.contains('\n') && text.ends_with(['.', '!', '?', '。', '！', '？']) => " ",
        Some(first) if first == line => "\n\n",
        _ => "\n",
    };
    vec![Edit::new(spot.span, format!("{lead}{line}"))]
}
