//! Rules about what the model must know.

use super::mask::Kind;
use super::phrases::Hit;
use super::reading::{Medium, Reading};
use super::rule::{Rule, Spot, spot_if};
use super::span::Span;
use crate::MetricName::Context;
use crate::Severity::{High, Low, Medium as Middling};
use patterns::pattern;

/// The rules of this file.
pub const RULES: &[Rule] = &[
    Rule { id: "missing_material", metric: Context, severity: High, find: missing_material },
    Rule { id: "underspecified", metric: Context, severity: Middling, find: underspecified },
    Rule { id: "missing_audience", metric: Context, severity: Middling, find: missing_audience },
    Rule {
        id: "missing_background",
        metric: Context,
        severity: Middling,
        find: missing_background,
    },
    Rule { id: "missing_examples", metric: Context, severity: Low, find: missing_examples },
    Rule {
        id: "unfilled_placeholder",
        metric: Context,
        severity: Middling,
        find: unfilled_placeholder,
    },
    Rule { id: "link_as_material", metric: Context, severity: Low, find: link_as_material },
];

/// "Summarize the following text" with nothing that follows.
fn missing_material(reading: &Reading<'_>) -> Vec<Spot> {
    if reading.medium != Medium::Text || reading.has_material() {
        return Vec::new();
    }
    let unfinished = |hit: &&Hit| {
        // "The report by the committee" is known elsewhere; "my essay" and "this essay" are not.
        let after = reading.source.prose[hit.span.end..].trim_start();
        let named = pattern!(r"^(?i:{analyze_context.named})(?-u:\b)").is_match(after)
            || after.starts_with(|c: char| c.is_uppercase());
        let own = pattern!(r"(?i)(?-u:\b){analyze_context.own}(?-u:\b)")
            .is_match(reading.source.slice(hit.span));
        // "Debug this: …" goes on to say what it is.
        let line = after.split('\n').next().unwrap_or_default();
        let told = line.split_once(':').is_some_and(|(lead, rest)| {
            lead.split_whitespace().count() <= 8 && rest.split_whitespace().count() >= 3
        });
        let described = reading.source.words.len() > 25;
        (own || !named) && !described && !told
    };
    // "Summarize", and no word more.
    let bare = reading.has_known_words()
        && reading.task.needs_material
        && !reading.requests.is_empty()
        && reading.source.words.len() <= 3
        && reading.content_words() == 0;
    if bare {
        return vec![Spot::new(reading.request())];
    }
    reading
        .phrases("material_reference")
        .find(unfinished)
        .map(|hit| Spot::new(hit.span))
        .into_iter()
        .collect()
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
    let place = Span::at(source.end());
    if !super::goal::missing_task(reading).is_empty() {
        let silent = source.words.len() <= NEXT_TO_NOTHING && source.mask.parts.is_empty();
        return spot_if(silent, place).into_iter().map(|spot| spot.at(High)).collect();
    }
    let explained = reading.context().split_whitespace().count() >= NEXT_TO_NOTHING;
    let bare = source.words.len() <= 2 && !missing_material(reading).is_empty();
    let open = reading.phrases("unspecified_result").next().is_some()
        && reading.content_words() <= 3
        && !super::specificity::has_exact_length(reading)
        && !reading.has_material()
        && !reading.states("audience");
    // Of a language that no rule reads only its length is known.
    let terse = !reading.has_known_words()
        && source.mask.parts.is_empty()
        && !reading.attached
        && !source.prose.contains(|c: char| c.is_numeric() || matches!(c, '?' | '？' | '؟'))
        && if source.is_spaced() {
            source.words.len() <= 3
        } else {
            let most = if source.language == "zh" { SAYS_LITTLE.0 } else { SAYS_LITTLE.1 };
            source.prose.chars().filter(|c| c.is_alphanumeric()).count() <= most
        };
    let silent = reading.requests.is_empty()
        && source.words.len() <= NEXT_TO_NOTHING
        && reading.has_known_words()
        && !reading.shots.open
        && source.mask.parts.is_empty()
        && !super::goal::mismatched(reading);
    let empty = !super::specificity::missing_subject(reading).is_empty();
    let spots = spot_if((bare || open || terse || silent || empty) && !explained, place);
    // "Help", "Write": a verb alone.
    if empty && source.words.len() <= 2 {
        return spots.into_iter().map(|spot| spot.at(High)).collect();
    }
    spots
}

/// Tasks whose result depends on its readers, and those where readers are often plain from the request.
const FOR_READERS: &[&str] = &[
    "blog_post",
    "article",
    "report",
    "presentation",
    "newsletter",
    "pitch",
    "seo",
    "lesson_plan",
];
const OFTEN_FOR_READERS: &[&str] = &[
    "essay",
    "explanation",
    "documentation",
    "story",
    "email",
    "letter",
    "message",
    "quiz",
    "cold_email",
    "faq",
    "speech",
    "announcement",
    "social_post",
    "marketing_copy",
    "product_description",
    "video_script",
    "press_release",
];

fn missing_audience(reading: &Reading<'_>) -> Vec<Spot> {
    let unknown = reading.medium == Medium::Text
        && reading.has_known_words()
        && !reading.requests.is_empty()
        && reading.slots.audience.is_none()
        && reading.slots.level.is_none()
        && !reading.states("audience")
        && !pattern!(r"(?i){analyze_context.years_old}(?-u:\b)|{analyze_context.school_year}(?-u:\b)|(?-u:\b){analyze_context.to} (?-i:[A-Z])|(?-u:\b){analyze_context.dear}(?-u:\b)").is_match(&reading.source.prose);
    // Who asks a question is the reader; what is quoted brings its readers along.
    let sure = reading.is_about(FOR_READERS);
    let likely = reading.is_about(OFTEN_FOR_READERS)
        && !reading.asks()
        && reading.source.mask.material().next().is_none();
    let mut spots = spot_if(unknown && (sure || likely), reading.behind_request());
    if !sure || reading.slots.platform.is_some() {
        spots = spots.into_iter().map(|spot| spot.at(Low)).collect();
    }
    spots
}

/// Tasks that are about the person who asks.
const PERSONAL: &[&str] = &[
    "itinerary",
    "meal_plan",
    "workout_plan",
    "study_plan",
    "event_plan",
    "budget_plan",
    "business_plan",
    "plan",
    "advice",
    "decision",
    "content_calendar",
    "cover_letter",
    "resume",
    "interview_prep",
    "grant",
    "pitch",
    "troubleshooting",
];

fn missing_background(reading: &Reading<'_>) -> Vec<Spot> {
    let unknown = reading.medium == Medium::Text
        && reading.is_english()
        && !reading.requests.is_empty()
        && reading.is_about(PERSONAL)
        && reading.source.words.len() < 16
        && !reading.has_number()
        && !reading.attached
        && reading.source.mask.parts.is_empty()
        && reading.context().is_empty()
        && reading.content_words() < 6
        && !reading.states("background");
    let spots = spot_if(unknown, reading.behind_request());
    if reading.asks() { spots.into_iter().map(|spot| spot.at(Low)).collect() } else { spots }
}

fn missing_examples(reading: &Reading<'_>) -> Vec<Spot> {
    let missing = reading.medium == Medium::Text
        && reading.has_known_words()
        && !reading.requests.is_empty()
        && reading.is_about(&["classification", "extraction"])
        && !has_short_material(reading)
        && !reading.shots.shown
        && !reading.states("example")
        && !pattern!(r"(?i)<{analyze_examples.tag}(?-u:\b)").is_match(reading.source.text);
    spot_if(missing, Span::at(reading.source.end()))
}

/// Whether all that is to be worked on is a quotation in a line: what is wanted of it is seen at a glance.
pub fn has_short_material(reading: &Reading<'_>) -> bool {
    let mut material = reading.source.mask.material().peekable();
    material.peek().is_some()
        && material.all(|(span, kind)| {
            matches!(kind, Kind::Quote | Kind::Code) && span.end - span.start < 300
        })
}

/// "TODO", "[insert name]", "<your company>", "lorem ipsum".
fn unfilled_placeholder(reading: &Reading<'_>) -> Vec<Spot> {
    let asked = |found: &patterns::Match<'_>| {
        // "Find all TODO comments" is about them.
        let before = reading.source.prose[..found.start()].trim_end();
        let word = found.as_str().chars().all(|c| c.is_alphanumeric());
        let after = reading.source.prose[found.end()..].trim_start();
        !(word
            && (pattern!(r"^(?i:{analyze_context.todo_noun})(?-u:\b)").is_match(after)
                || before.ends_with(['/', '#'])))
    };
    pattern!(r"(?-u:\b)(?:TODO|TBD|FIXME|XXX+)(?-u:\b)|(?i:(?-u:\b)lorem ipsum(?-u:\b))|[\[<](?i:{analyze_context.blank})(?: [^\[\]<>\n]{1,60})?[\]>]")
        .find_iter(&reading.source.prose)
        .filter(asked)
        .map(|found| Spot::new(Span::new(found.start(), found.end())))
        .collect()
}

/// An address in place of the text that the request is about.
fn link_as_material(reading: &Reading<'_>) -> Vec<Spot> {
    let needs = reading.medium == Medium::Text
        && (reading.task.needs_material || reading.phrases("material_reference").next().is_some())
        && reading.source.mask.material().next().is_none()
        && !reading.carries_loose_text();
    let links = reading.source.mask.of(Kind::Url);
    if needs { links.take(1).map(Spot::new).collect() } else { Vec::new() }
}
