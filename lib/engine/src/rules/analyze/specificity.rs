//! Rules about how much, which and how exactly.

use super::clarity::phrases;
use super::reading::{Medium, Reading};
use super::rule::{Rule, Spot, spot_if};
use crate::ConstraintKind;
use crate::MetricName::Specificity;
use crate::Severity::{High, Low, Medium as Middling};
use patterns::pattern;

/// The rules of this file.
pub const RULES: &[Rule] = &[
    Rule { id: "vague_quantity", metric: Specificity, severity: Low, find: vague_quantity },
    Rule { id: "vague_length", metric: Specificity, severity: Low, find: vague_length },
    Rule { id: "vague_subject", metric: Specificity, severity: Middling, find: vague_subject },
    Rule { id: "vague_criterion", metric: Specificity, severity: Low, find: vague_criterion },
    Rule { id: "vague_time", metric: Specificity, severity: Low, find: vague_time },
    Rule { id: "open_list", metric: Specificity, severity: Low, find: open_list },
    Rule { id: "missing_subject", metric: Specificity, severity: High, find: missing_subject },
    Rule { id: "missing_length", metric: Specificity, severity: Low, find: missing_length },
    Rule {
        id: "missing_technology",
        metric: Specificity,
        severity: Middling,
        find: missing_technology,
    },
    Rule {
        id: "missing_categories",
        metric: Specificity,
        severity: Middling,
        find: missing_categories,
    },
];

fn text_only(reading: &Reading<'_>, rule: &str) -> Vec<Spot> {
    if reading.medium == Medium::Text { phrases(reading, rule) } else { Vec::new() }
}

fn vague_quantity(reading: &Reading<'_>) -> Vec<Spot> {
    // "What are some good books?" is how people ask.
    if reading.asks() { Vec::new() } else { text_only(reading, "vague_quantity") }
}

/// Whether the length of the answer is given as a number.
pub fn has_exact_length(reading: &Reading<'_>) -> bool {
    let counted = |kind: ConstraintKind| {
        matches!(
            kind,
            ConstraintKind::WordCount
                | ConstraintKind::SentenceCount
                | ConstraintKind::ParagraphCount
                | ConstraintKind::CharacterCount
                | ConstraintKind::ItemCount
                | ConstraintKind::SectionCount
        )
    };
    reading.has_variable("length")
        || reading.plain_constraints().any(|constraint| counted(constraint.kind))
        || super::counts::of(&reading.source).next().is_some()
        || pattern!(r"(?i)(?-u:\b)(?:{analyze_specificity.number}|\d+)[ -](?:{analyze_specificity.size} )?{analyze_specificity.unit}(?-u:\b)|(?-u:\b)\d{2,5} {analyze_specificity.words}(?-u:\b)").is_match(&reading.source.prose)
        || super::counts::mentions(reading.context())
}

fn vague_length(reading: &Reading<'_>) -> Vec<Spot> {
    if has_exact_length(reading) { Vec::new() } else { text_only(reading, "vague_length") }
}

fn vague_subject(reading: &Reading<'_>) -> Vec<Spot> {
    // In a long prompt "something" has a sentence around it that says what is meant, and so does a question.
    if reading.source.words.len() > 40 || reading.asks() {
        return Vec::new();
    }
    let mut spots = text_only(reading, "vague_subject");
    // "Something to read on the train" says what for.
    spots.retain(|spot| !reading.source.prose[spot.span.end..].trim_start().starts_with("to "));
    spots
}

fn vague_criterion(reading: &Reading<'_>) -> Vec<Spot> {
    text_only(reading, "vague_criterion")
}

fn vague_time(reading: &Reading<'_>) -> Vec<Spot> {
    let dated = pattern!(
        r"(?-u:\b)(?:19|20)\d\d(?-u:\b)|(?-u:\b){analyze_specificity.last} (?:\d+|{analyze_specificity.few}) {analyze_specificity.time}(?-u:\b)"
    );
    if dated.is_match(&reading.source.prose) {
        Vec::new()
    } else {
        text_only(reading, "vague_time")
    }
}

fn open_list(reading: &Reading<'_>) -> Vec<Spot> {
    text_only(reading, "open_list")
}

/// Tasks that are complete without a subject.
const WITHOUT_SUBJECT: &[&str] = &[
    "joke",
    "agent",
    "roleplay",
    "summary",
    "translation",
    "edit",
    "repurpose",
    "extraction",
    "classification",
    "code_debug",
    "code_review",
    "code_refactor",
    "code_explain",
];

/// A task of its own without anything that it is about.
pub fn missing_subject(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    let bare = reading.medium == Medium::Text
        && reading.has_known_words()
        && !reading.requests.is_empty()
        && !reading.asks()
        && !reading.is_about(WITHOUT_SUBJECT)
        && (1..=30).contains(&source.words.len())
        && source.mask.parts.is_empty()
        && !reading.attached
        && reading.content_words() == 0
        && reading.phrases("unresolved").next().is_none()
        && reading.phrases("material_reference").next().is_none();
    let spots = spot_if(bare || says_only_to_whom(reading), reading.behind_request());
    // A poem may be about anything; whom a letter is for says something.
    if reading.task.family == "creative" || !bare {
        spots.into_iter().map(|spot| spot.at(Middling)).collect()
    } else {
        spots
    }
}

/// "Write an email to my boss": about what?
fn says_only_to_whom(reading: &Reading<'_>) -> bool {
    reading.medium == Medium::Text
        && reading.is_english()
        && reading.is_about(&["email", "letter", "message", "cold_email"])
        && reading.source.words.len() <= 12
        && reading.source.mask.parts.is_empty()
        && !reading.attached
        && reading.context().is_empty()
        && reading.content_words() <= 1
        && !reading.has_number()
        && !pattern!(r"(?i)(?-u:\b){analyze_specificity.matter}(?-u:\b)")
            .is_match(&reading.source.prose)
}

/// Tasks whose length is for their author to say.
const OF_ANY_LENGTH: &[&str] = &[
    "blog_post",
    "essay",
    "article",
    "report",
    "speech",
    "story",
    "email",
    "letter",
    "cold_email",
    "summary",
    "announcement",
    "newsletter",
    "press_release",
    "product_description",
    "video_script",
    "spoken_script",
    "cover_letter",
    "academic",
    "presentation",
];

fn missing_length(reading: &Reading<'_>) -> Vec<Spot> {
    let missing = reading.medium == Medium::Text
        && reading.is_english()
        && reading.is_about(OF_ANY_LENGTH)
        && !has_exact_length(reading)
        && reading.slots.length.is_none()
        && !["vague_length", "wants_brief", "wants_long"]
            .into_iter()
            .any(|rule| reading.states(rule));
    spot_if(missing, reading.behind_request())
}

fn missing_technology(reading: &Reading<'_>) -> Vec<Spot> {
    let named = || {
        let text = format!("{}\n{}", reading.source.text, reading.context());
        pattern!(r"(?i)(?-u:\b){analyze_specificity.technology}(?-u:\b)|(?-u:\b)c\+\+|(?-u:\b)c#|\.net(?-u:\b)").is_match(&text)
    };
    let missing = reading.medium == Medium::Text
        && reading.is_about(&["code_write", "script", "code_test", "automation", "deployment"])
        && reading.has_known_words()
        && !reading.requests.is_empty()
        && reading.slots.stack.is_none()
        && reading.slots.platform.is_none()
        && !pattern!(r"(?i)(?-u:\b){analyze_specificity.spoken_script}(?-u:\b)")
            .is_match(&reading.source.prose)
        && !reading.has_variable("language")
        && reading.source.mask.material().next().is_none()
        && !named();
    spot_if(missing, reading.behind_request())
}

fn missing_categories(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    let lists = || {
        let prose = &source.prose;
        pattern!(r"(?i)(?-u:\b){analyze_specificity.choice}(?-u:\b).{0,80}(?:,|/|(?-u:\b){analyze_specificity.or}(?-u:\b)|:)|(?-u:\b)\w+, \w+(?:,| {analyze_specificity.or} | {analyze_specificity.and} )|{analyze_specificity.polarity}|(?-u:\b){analyze_specificity.or}(?-u:\b)").is_match(prose)
            || source.mask.of(super::mask::Kind::Quote).count() >= 2
            || !reading.variables.is_empty()
    };
    let missing = reading.medium == Medium::Text
        && reading.is_english()
        && reading.is_about(&["classification"])
        && !reading.shots.shown
        && !lists()
        && !pattern!(r"(?-u:\b){analyze_specificity.label}\w*(?-u:\b)").is_match(reading.context());
    spot_if(missing, reading.behind_request())
}
