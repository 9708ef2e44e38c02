//! Rules about wording that can be understood in more than one way.

use std::collections::HashSet;

use super::reading::{Medium, Reading};
use super::rule::{Rule, Spot};
use super::span::Span;
use crate::MetricName::Clarity;
use crate::Severity::{High, Info, Low, Medium as Middling};
use patterns::pattern;

/// The rules of this file.
pub const RULES: &[Rule] = &[
    Rule { id: "vague_quality", metric: Clarity, severity: Middling, find: vague_quality },
    Rule { id: "hedging", metric: Clarity, severity: Low, find: hedging },
    Rule {
        id: "unresolved_reference",
        metric: Clarity,
        severity: High,
        find: unresolved_reference,
    },
    Rule { id: "over_emphasis", metric: Clarity, severity: Low, find: over_emphasis },
    Rule { id: "long_sentence", metric: Clarity, severity: Low, find: long_sentence },
    Rule {
        id: "undefined_abbreviation",
        metric: Clarity,
        severity: Info,
        find: undefined_abbreviation,
    },
    Rule { id: "outdated_trick", metric: Clarity, severity: Info, find: outdated_trick },
];

/// The places of the phrases that speak for a rule.
pub fn phrases(reading: &Reading<'_>, rule: &str) -> Vec<Spot> {
    reading.phrases(rule).map(|hit| Spot::new(hit.span)).collect()
}

fn vague_quality(reading: &Reading<'_>) -> Vec<Spot> {
    if reading.medium != Medium::Text {
        return Vec::new();
    }
    let mut spots = phrases(reading, "vague_quality");
    // What follows "better" may say in which respect.
    spots.retain(|spot| {
        let rest = reading.source.prose[spot.span.end..].trim_start();
        let compares =
            pattern!(r"(?i){analyze_clarity.better}$").is_match(reading.source.slice(spot.span));
        !(compares && pattern!(r"^(?i:{analyze_clarity.measure})(?-u:\b)").is_match(rest))
    });
    spots
}

fn hedging(reading: &Reading<'_>) -> Vec<Spot> {
    // A question may well be about what is likely.
    let asks = |sentence: usize| {
        reading.source.prose_of(reading.source.sentences[sentence].span).ends_with('?')
    };
    reading
        .phrases("hedging")
        .filter(|hit| !asks(hit.sentence))
        .map(|hit| Spot::new(hit.span))
        .collect()
}

/// "Fix it" with nothing before it that "it" could be.
fn unresolved_reference(reading: &Reading<'_>) -> Vec<Spot> {
    let Some(first) = reading.source.sentences.first() else { return Vec::new() };
    if reading.has_material() || reading.medium != Medium::Text {
        return Vec::new();
    }
    let language = reading.source.language;
    let named = reading
        .source
        .words_of(first)
        .iter()
        .find(|word| !super::lexicon::is_generic(language, &word.lower))
        .map_or(first.span.end, |word| word.span.start);
    let mut hits = reading.phrases("unresolved");
    let found = hits.find(|hit| hit.sentence == 0 && hit.span.start <= named);
    found.map(|hit| Spot::new(hit.span)).into_iter().collect()
}

fn over_emphasis(reading: &Reading<'_>) -> Vec<Spot> {
    let prose = &reading.source.prose;
    let mut spots: Vec<Spot> = pattern!(r"[!！]{2,}")
        .find_iter(prose)
        .map(|found| Spot::new(Span::new(found.start(), found.end())))
        .collect();
    // Single words in capitals are names, abbreviations or a fair emphasis; many of them emphasise nothing.
    let loud: Vec<Span> = reading
        .source
        .words
        .iter()
        .filter(|word| is_loud(reading.source.slice(word.span)))
        .map(|word| word.span)
        .collect();
    if loud.len() >= LOUD {
        spots.push(Spot::new(Span::new(loud[0].start, loud[0].end)));
        if loud.len() >= 8 {
            spots.push(Spot::new(Span::new(loud[7].start, loud[7].end)));
        }
    }
    spots
}

/// Words in capitals from which on they emphasise nothing.
const LOUD: usize = 3;

fn is_loud(word: &str) -> bool {
    word.chars().count() >= 4
        && word.chars().all(char::is_uppercase)
        && !ABBREVIATIONS.contains(&word)
}

/// Words of a sentence from which on it is hard to follow.
const LONG_SENTENCE: usize = 55;

fn long_sentence(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    if !source.is_spaced() || reading.medium != Medium::Text {
        return Vec::new();
    }
    source
        .sentences
        .iter()
        .filter(|sentence| sentence.words.1 - sentence.words.0 > LONG_SENTENCE)
        .map(|sentence| {
            Spot::naming(sentence.span, (sentence.words.1 - sentence.words.0).to_string())
        })
        .collect()
}

/// Abbreviations that need no explanation.
const ABBREVIATIONS: &[&str] = &[
    "AI", "API", "APIS", "ASCII", "AWS", "BBC", "CEO", "CFO", "CI", "CLI", "CPU", "CRM", "CSS",
    "CSV", "CTA", "CTO", "CV", "DIY", "DNA", "EU", "EUR", "FAQ", "FBI", "GDP", "GDPR", "GPT",
    "GPU", "GIF", "HR", "HTML", "HTTP", "HTTPS", "IBAN", "ID", "IMAP", "IP", "ISBN", "ISO", "IT",
    "JPEG", "JPG", "JSON", "JWT", "KPI", "KPIS", "LED", "LLM", "MBA", "MIT", "MVP", "NASA", "NATO",
    "OK", "OOP", "ORM", "PDF", "PHD", "PHP", "PNG", "PR", "QA", "RAM", "RBAC", "REST", "RGB",
    "ROI", "RSS", "SAAS", "SDK", "SEO", "SMS", "SQL", "SSH", "SVG", "TCP", "TLS", "TODO", "TSV",
    "TV", "UI", "UK", "UN", "URL", "URLS", "US", "USA", "USB", "USD", "UTC", "UTF", "UX", "VAT",
    "VPN", "WHO", "WWII", "XML", "YAML", "YOLO", "ZIP", "FIXME", "TBD", "XXX", "ELI5", "AND", "OR",
    "NOT", "NULL", "SELECT", "FROM", "WHERE", "LEFT", "JOIN", "MUST", "NEVER", "ALWAYS", "ONLY",
    "GROUP", "ORDER", "BY",
];

fn undefined_abbreviation(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    let mut seen = HashSet::new();
    let mut capitals = 0;
    let mut found = Vec::new();
    for word in &source.words {
        let text = source.slice(word.span);
        let length = text.chars().count();
        if !text.chars().all(|c| c.is_ascii_uppercase()) || length < 2 {
            continue;
        }
        capitals += 1;
        // A number behind it makes it a name: "ICE 578".
        let numbered =
            source.text[word.span.end..].trim_start().starts_with(|c: char| c.is_ascii_digit());
        let explained = numbered
            || source.text[..word.span.start].ends_with('(')
            || source.text[word.span.end..].trim_start().starts_with('(');
        if (3..=6).contains(&length)
            && seen.insert(text)
            && !explained
            && !ABBREVIATIONS.contains(&text)
        {
            found.push(word.span);
        }
    }
    // A prompt in capitals has no abbreviations that could be told.
    let loud = source.words.iter().filter(|word| is_loud(source.slice(word.span))).count();
    if reading.medium != Medium::Text || capitals * 3 > source.words.len() || loud >= LOUD {
        return Vec::new();
    }
    let defined: HashSet<&str> = pattern!(r"\(([A-Z]{3,6})\)")
        .captures_iter(source.text)
        .map(|found| found.get(1).map_or("", |name| name.as_str()))
        .collect();
    found.retain(|span| !defined.contains(source.slice(*span)));
    found.truncate(3);
    found.into_iter().map(Spot::new).collect()
}

fn outdated_trick(reading: &Reading<'_>) -> Vec<Spot> {
    if reading.medium == Medium::Text { phrases(reading, "outdated_trick") } else { Vec::new() }
}
