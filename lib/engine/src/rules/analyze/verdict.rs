//! What is said about a prompt as a whole.

use super::mask::Kind;
use super::matters;
use super::reading::{Medium, Reading};
use super::specificity::has_exact_length;
use super::texts::{self, Texts};
use crate::{Difficulty, Finding, Rating, Severity};
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
    let unjudged = findings.iter().find(|finding| finding.rule_id == super::degenerate::UNJUDGED);
    if let Some(unjudged) = unjudged {
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
    let mut said = Vec::new();
    for finding in worst {
        if !rules.contains(&finding.rule_id.as_str()) {
            rules.push(&finding.rule_id);
            said.push(finding.message.clone());
        }
    }
    said
}

/// What is really there.
pub fn strengths(reading: &Reading<'_>, findings: &[Finding], texts: &Texts) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut say = |key: &str, value: &str| {
        found.push(texts::fill(texts::get(&texts.strengths, key), value, ""))
    };
    let source = &reading.source;
    let slots = &reading.slots;
    let prose = &source.prose;
    if reading.medium != Medium::Text {
        visual_strengths(reading, &mut say);
    } else {
        if reading.requests.first() == Some(&0)
            && source.words.len() <= 40
            && reading.content_words() > 0
        {
            say("request", "");
        }
        if pattern!(r"(?im)^\W*{analyze_verdict.you_are} \p{L}").is_match(prose) {
            say("role", "");
        }
        if let Some(audience) = &slots.audience {
            say("named_audience", audience);
        } else if reading.states("audience") {
            say("audience", "");
        }
        if slots.format.is_some() || reading.states("format") {
            say("format", "");
        }
        let clashes = findings.iter().any(|finding| finding.rule_id == "conflicting_counts");
        if has_exact_length(reading) && !clashes {
            say("length", "");
        }
        if let Some(tone) = &slots.tone {
            say("tone", tone);
        }
        if let Some(stack) = &slots.stack {
            say("technology", stack);
        }
        // "Give some examples" asks for them.
        if pattern!(r"(?i){analyze_verdict.examples}(?: \d+)?\s?:|<{analyze_examples.tag}(?-u:\b)|{analyze_verdict.eg} |{analyze_verdict.for_instance},|{analyze_verdict.for_example}").is_match(source.text) {
            say("examples", "");
        }
        if source.mask.material().any(|(span, kind)| {
            matches!(kind, Kind::Fence | Kind::Tag) || span.end - span.start > 40
        }) {
            say("material", "");
        }
        if pattern!(r"(?i)(?-u:\b){analyze_verdict.purpose}(?-u:\b)").is_match(prose) {
            say("purpose", "");
        }
    }
    if !reading.variables.is_empty() {
        let mut names: Vec<&str> = Vec::new();
        for (_, name) in &reading.variables {
            if !names.contains(name) && names.len() < 5 {
                names.push(name);
            }
        }
        say("variables", &names.join(", "));
    }
    if sections(reading) >= 2 {
        say("sections", "");
    }
    if list_items(reading) >= 3 {
        say("list", "");
    }
    found
}

fn visual_strengths(reading: &Reading<'_>, say: &mut impl FnMut(&str, &str)) {
    let absent = |rule: &str| {
        super::registry::rules()
            .filter(|known| known.id == rule)
            .all(|known| (known.find)(reading).is_empty())
    };
    if !reading.is_english() {
        return;
    }
    for (rule, key) in [
        ("visual_style", "style"),
        ("visual_light", "light"),
        ("visual_composition", "composition"),
    ] {
        if absent(rule) && super::visual::describes(reading, key) {
            say(key, "");
        }
    }
    if reading.medium == Medium::Video {
        for (rule, key) in [("video_camera", "camera"), ("video_motion", "motion")] {
            if absent(rule) {
                say(key, "");
            }
        }
    }
}

/// Headings and tags that set parts apart.
pub fn sections(reading: &Reading<'_>) -> usize {
    pattern!(r"(?m)^\s*(?:#{1,6} \S|<[a-z][a-z0-9_-]{1,40}>\s*$|\*\*[^*\n]{2,60}\*\*:?\s*$)")
        .find_iter(&reading.source.prose)
        .count()
        + reading
            .source
            .sentences
            .iter()
            .filter(|sentence| {
                sentence.heading && !reading.source.prose_of(sentence.span).contains('#')
            })
            .count()
            / 2
}

fn list_items(reading: &Reading<'_>) -> usize {
    pattern!(r"(?m)^\s*(?:[-*•]|\d{1,3}[.)]) +\S").find_iter(&reading.source.prose).count()
}

/// The groups of tasks that are used for the same things.
const USES: &[(&str, &[&str])] = &[
    ("support", &["support_reply", "review_reply", "faq", "troubleshooting"]),
    ("speech", &["speech", "spoken_script", "video_script", "presentation"]),
    ("summary", &["summary"]),
    ("translation", &["translation"]),
    ("editing", &["edit", "repurpose"]),
    ("extraction", &["extraction"]),
    ("classification", &["classification"]),
    ("review", &["code_debug", "code_review", "code_refactor", "code_test", "code_explain"]),
    ("data", &["sql", "spreadsheet", "data_analysis", "data_cleaning", "dashboard", "regex"]),
    ("quiz", &["quiz", "question_list"]),
    ("ideas", &["brainstorm", "naming", "list"]),
    ("legal", &["contract", "hr_document", "document_template"]),
    ("research", &["comparison", "decision", "market_research", "research", "requirements"]),
    ("question", &["question", "health_question", "advice"]),
    ("teaching", &["explanation", "lesson_plan", "study_plan"]),
];

/// What the prompt can be used for, by its kind of task.
pub fn uses(reading: &Reading<'_>, texts: &Texts) -> Vec<String> {
    let task = reading.task;
    let by_task =
        USES.iter().find(|(_, tasks)| tasks.contains(&task.id.as_str())).map(|(key, _)| *key);
    let key = match (reading.medium, by_task) {
        (Medium::Image, _) => "image",
        (Medium::Video, _) => "video",
        (Medium::Text, Some(key)) => key,
        (Medium::Text, None) => match task.family.as_str() {
            key @ ("communication" | "marketing" | "longform" | "code" | "planning"
            | "teaching" | "creative" | "research" | "agent" | "automation" | "career"
            | "data") => key,
            _ => "general",
        },
    };
    let mut said = vec![texts::get(&texts.uses, key).to_owned()];
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
    let rules = list_items(reading) + reading.requests.len() + reading.plain_constraints().count();
    let involved = reading.is_about(&["agent", "automation", "system_design", "deployment"]);
    match (size, rules) {
        _ if size > 250 || rules >= 12 || involved && (size > 60 || rules >= 5) => {
            Difficulty::Advanced
        }
        _ if size > 45 || rules >= 4 || involved || reading.variables.len() >= 2 => {
            Difficulty::Intermediate
        }
        _ => Difficulty::Beginner,
    }
}
