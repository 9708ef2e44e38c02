//! Where a sentence of a prompt belongs among the parts.

use crate::dialect::Part;
use crate::wording::Tongue;
use crate::{goal, imperative};
use patterns::pattern;

/// Whether a sentence says who the model is.
pub fn gives_role(sentence: &str) -> bool {
    pattern!(r"(?i)^{optimize_anatomy.role}").is_match(sentence.trim())
}

/// Where a sentence belongs, as far as its beginning tells. What cannot be told is part of the task.
pub fn place(sentence: &str, tongue: Tongue) -> Part {
    let text = sentence.trim();
    if gives_role(text) {
        // "Act as a coach and write a plan" is the task, too.
        let orders = pattern!(r"(?i)(?:,| {optimize_anatomy.and}) (?P<v>\p{L}.*)$").captures(text);
        let works = orders.is_some_and(|found| imperative::starts_work(&found["v"]));
        return if works { Part::Task } else { Part::Role };
    }
    match tongue.tag {
        "en" => english(text),
        "de" | "es" | "fr" | "it" | "pt" => romance_or_german(text),
        _ => Part::Task,
    }
}

fn english(text: &str) -> Part {
    let text = pattern!(r"(?i)^(?:{optimize_anatomy.opener_en}[,:]? )+").replace(text, "");
    let text = text.as_ref();
    let shape = pattern!(
        r"(?i)^{optimize_anatomy.answer_order_en}\b.*\b(?:json|csv|xml|yaml|html|markdown|{optimize_anatomy.answer_form_en})\b|^{optimize_anatomy.answer_label_en}\b"
    );
    if shape.is_match(text) {
        return Part::Output;
    }
    let duty = pattern!(
        r"(?i)^{optimize_anatomy.rule_en}\b|\b{optimize_anatomy.rule_inside_en}\b|^(?:[\w.]+ ){1,4}{optimize_anatomy.rule_end_en}\b|^{optimize_anatomy.rule_label_en}: "
    );
    if (goal::is_requirement(text) || duty.is_match(text)) && !text.ends_with('?') {
        return Part::Requirements;
    }
    if imperative::starts_work(text) || imperative::is_request(text) {
        return Part::Task;
    }
    let fact = pattern!(r"(?i)^{optimize_anatomy.fact_en}\b");
    // "Dates are ISO 8601", "Competitors: A, B".
    let states =
        pattern!(r"(?i)^(?:[\w'’-]+ ){1,5}{optimize_anatomy.stating_en}\b|^[\w ]{3,30}: \S");
    if (fact.is_match(text) || states.is_match(text)) && !text.ends_with([':', '?']) {
        Part::Context
    } else {
        Part::Task
    }
}

fn romance_or_german(text: &str) -> Part {
    if text.ends_with('?') {
        return Part::Task;
    }
    if pattern!(r"(?i)^{optimize_anatomy.answer_order}\b.*\b(?:json|csv|xml|yaml|html|markdown|{optimize_anatomy.answer_form})\b").is_match(text) {
        return Part::Output;
    }
    let rule = pattern!(
        r"(?i)^(?:(?:{optimize_anatomy.please} )?{optimize_anatomy.rule_with_please}|{optimize_anatomy.rule}|{optimize_anatomy.rule_word} )"
    );
    if rule.is_match(text) {
        return Part::Requirements;
    }
    let fact = pattern!(r"(?i)^(?:{optimize_anatomy.fact}|{optimize_anatomy.fact_word} )");
    if fact.is_match(text) && !text.ends_with(':') { Part::Context } else { Part::Task }
}

/// Where a list belongs whose lead tells neither a task nor a rule.
pub fn list_of_facts(lead: &str) -> Part {
    let content = pattern!(r"(?i)^(?:{optimize_anatomy.determiner} )?{optimize_anatomy.listed}:$");
    if content.is_match(lead.trim()) {
        return Part::Material;
    }
    let facts = pattern!(r"(?i)\b{optimize_anatomy.background}\b");
    if facts.is_match(lead) { Part::Context } else { Part::Requirements }
}

/// Whether a sentence only makes sense behind the one before it.
pub fn leans(sentence: &str) -> bool {
    pattern!(r"(?i)^{optimize_anatomy.leaning}\b").is_match(sentence)
        && !goal::is_requirement(sentence)
}
