//! What is said about a prompt as a whole.

use super::degenerate::UNJUDGED;
use super::mask::Kind;
use super::matters;
use super::reading::{Medium, Reading};
use super::scene::{COMPOSITION, LIGHT};
use super::texts::{self, Texts};
use super::work::INVOLVED;
use engine::{Difficulty, Finding, Rating, Severity};
use patterns::pattern;

/// The analysis in a few sentences: the rating, what to do first, what was not judged, whether the caller's words
/// counted.
pub fn summary(
    reading: &Reading<'_>,
    findings: &[Finding],
    rating: Rating,
    texts: &Texts,
) -> String {
    let key = match rating {
        Rating::Poor => "poor",
        Rating::Fair => "fair",
        Rating::Good => "good",
        Rating::Excellent => "excellent",
    };
    let mut sentences = vec![texts::get(&texts.ratings, key).to_owned()];
    let worst = findings
        .iter()
        .filter(|finding| matters(finding))
        .rev()
        .max_by_key(|finding| finding.severity);
    sentences.push(match worst {
        Some(finding) => {
            texts::fill(&texts.begin, &format!("{} {}", finding.message, finding.suggestion), "")
        }
        None if findings.iter().any(|finding| finding.severity > Severity::Info) => {
            texts.minor.clone()
        }
        None => texts.nothing.clone(),
    });
    if let Some(unjudged) = findings.iter().find(|finding| finding.rule_id == UNJUDGED) {
        // Where little was judged, finding nothing is no praise.
        if findings.iter().all(|finding| finding.severity == Severity::Info) {
            sentences.clear();
        }
        sentences.push(unjudged.message.clone());
    }
    if !reading.context().trim().is_empty() {
        sentences.push(texts.considered.clone());
    }
    sentences.join(" ")
}

/// What weighs at least medium, each rule once.
pub fn weaknesses(findings: &[Finding]) -> Vec<String> {
    let mut worst: Vec<&Finding> = findings.iter().filter(|finding| matters(finding)).collect();
    worst.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let mut rules: Vec<&str> = Vec::new();
    worst.retain(|finding| {
        let is_new = !rules.contains(&finding.rule_id.as_str());
        rules.push(&finding.rule_id);
        is_new
    });
    worst.into_iter().map(|finding| finding.message.clone()).collect()
}

/// What is really there: the key of a text and what it names.
type Strength<'r> = (&'static str, bool, &'r str);

/// What is really there.
pub fn strengths(reading: &Reading<'_>, findings: &[Finding], texts: &Texts) -> Vec<String> {
    let mut names: Vec<&str> = Vec::new();
    for (_, name) in &reading.variables {
        if !names.contains(name) && names.len() < 5 {
            names.push(name);
        }
    }
    let names = names.join(", ");
    let has = |rule: &str| findings.iter().any(|finding| finding.rule_id == rule);
    let mut all = if reading.medium == Medium::Text {
        of_text(reading, has("conflicting_counts"))
    } else {
        of_picture(reading, has)
    };
    all.extend([
        ("variables", !names.is_empty(), names.as_str()),
        ("sections", reading.sections() >= 2, ""),
        ("list", reading.list_items() >= 3, ""),
    ]);
    all.into_iter()
        .filter(|(_, is_there, _)| *is_there)
        .map(|(key, _, value)| texts::fill(texts::get(&texts.strengths, key), value, ""))
        .collect()
}

fn of_text<'r>(reading: &'r Reading<'_>, clashes: bool) -> Vec<Strength<'r>> {
    let (source, slots) = (&reading.source, &reading.slots);
    let named = |slot: &'r Option<String>| slot.as_deref().unwrap_or_default();
    let begins = reading.requests.first() == Some(&0)
        && source.words.len() <= 40
        && reading.content_words() > 0;
    // "Give some examples" asks for them.
    let examples = pattern!(
        r"(?i){analyze_verdict.examples}(?: \d+)?\s?:|<{analyze_examples.tag}(?-u:\b)|{analyze_verdict.eg} |{analyze_verdict.for_instance},|{analyze_verdict.for_example}"
    );
    let material = source
        .mask
        .material()
        .any(|(span, kind)| matches!(kind, Kind::Fence | Kind::Tag) || span.end - span.start > 40);
    vec![
        ("request", begins, ""),
        ("role", pattern!(r"(?im)^\W*{analyze_verdict.you_are} \p{L}").is_match(&source.prose), ""),
        ("named_audience", slots.audience.is_some(), named(&slots.audience)),
        ("audience", slots.audience.is_none() && reading.states("audience"), ""),
        ("format", slots.format.is_some() || reading.states("format"), ""),
        ("length", reading.has_exact_length() && !clashes, ""),
        ("tone", slots.tone.is_some(), named(&slots.tone)),
        ("technology", slots.stack.is_some(), named(&slots.stack)),
        ("examples", examples.is_match(source.text), ""),
        ("material", material, ""),
        (
            "purpose",
            pattern!(r"(?i)(?-u:\b){analyze_verdict.purpose}(?-u:\b)").is_match(&source.prose),
            "",
        ),
    ]
}

fn of_picture<'r>(reading: &Reading<'_>, lacks: impl Fn(&str) -> bool) -> Vec<Strength<'r>> {
    if !reading.has_known_words() {
        return Vec::new();
    }
    let prose = &reading.source.prose;
    let is_clip = reading.medium == Medium::Video;
    // A logo needs neither light nor framing, and describes neither.
    vec![
        ("style", !lacks("visual_style"), ""),
        ("light", LIGHT.is_match(prose), ""),
        ("composition", COMPOSITION.is_match(prose), ""),
        ("camera", is_clip && !lacks("video_camera"), ""),
        ("motion", is_clip && !lacks("video_motion"), ""),
    ]
}

/// The groups of tasks that are used for the same things.
const USES: &[(&str, &str)] = &[
    ("support", "support_reply review_reply faq troubleshooting"),
    ("speech", "speech spoken_script video_script presentation"),
    ("summary", "summary"),
    ("translation", "translation"),
    ("editing", "edit repurpose"),
    ("extraction", "extraction"),
    ("classification", "classification"),
    ("review", "code_debug code_review code_refactor code_test code_explain"),
    ("data", "sql spreadsheet data_analysis data_cleaning dashboard regex"),
    ("quiz", "quiz question_list"),
    ("ideas", "brainstorm naming list"),
    ("legal", "contract hr_document document_template"),
    ("research", "comparison decision market_research research requirements"),
    ("question", "question health_question advice"),
    ("teaching", "explanation lesson_plan study_plan"),
];

/// What the prompt can be used for, by its kind of task.
pub fn uses(reading: &Reading<'_>, texts: &Texts) -> Vec<String> {
    let task = reading.task;
    let grouped = USES.iter().find(|(_, tasks)| tasks.split(' ').any(|other| other == task.id));
    let key = match reading.medium {
        Medium::Image => "image",
        Medium::Video => "video",
        // Where the subject is left open, so is the work.
        Medium::Text if reading.lack_of_subject() == Some(Severity::High) => "general",
        Medium::Text => grouped.map_or(task.family.as_str(), |(key, _)| *key),
    };
    let own = texts.uses.get(key).unwrap_or(&texts.uses["general"]);
    let mut said = vec![own.clone()];
    if let Some((_, name)) = reading.variables.first() {
        said.push(texts::fill(texts::get(&texts.uses, "template"), name, ""));
        if task.needs_material {
            said.push(texts::get(&texts.uses, "batch").to_owned());
        }
    }
    said
}

/// How much the prompt asks of the model: by its requests, rules and length.
pub fn difficulty(reading: &Reading<'_>) -> Difficulty {
    let size = reading.source.words.len();
    let rules = reading.list_items() + reading.requests.len() + reading.plain_constraints().count();
    let involved = INVOLVED.is_asked(reading);
    if size > 250 || rules >= 12 || involved && (size > 60 || rules >= 5) {
        Difficulty::Advanced
    } else if size > 45 || rules >= 4 || involved || reading.variables.len() >= 2 {
        Difficulty::Intermediate
    } else {
        Difficulty::Beginner
    }
}
