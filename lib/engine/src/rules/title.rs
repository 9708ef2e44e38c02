//! Naming a prompt after its goal.

use super::goal::Goal;
use super::split::squeeze;
use patterns::pattern;

/// Longest title in characters.
pub const LONGEST: usize = 80;

/// A short, specific title from the goal.
pub fn of(goal: &Goal) -> String {
    let first = goal.objective.lines().next().unwrap_or_default();
    if !goal.quoted.is_empty() && first.contains("the quoted text") {
        return "Request Quoted as Text".to_owned();
    }
    if goal.language.is_some() {
        return shorten(first);
    }
    if first == super::goal::OPEN_REQUEST {
        return "Open Request".to_owned();
    }
    let first = first.trim_start_matches("Find out what is wrong here and what to do about it: ");
    let text = pattern!(r"(?i)^(?:answer this question: |(?:write|create|make|draft|generate|compose|design|build|develop|produce|prepare|suggest|give me|code|craft|find|list|show me|tell me|come up with|draw|implement|do) (?:me )?)").replace(first, "");
    let text = pattern!(r"(?i) for the situation described here:.*$| from the material below.*$")
        .replace(&text, "");
    let text = pattern!(r"(?i)^plan (?:for )?(an?|my|our|the) ").replace(&text, "$1 ");
    let text =
        pattern!(r"(?i)^[^:]{0,60}\bthis (?:situation|problem)[^:]{0,20}: ").replace(&text, "");
    let text = pattern!(r"(?i)^(?:an?|the|some|my|our|this|these|me) ").replace(&text, "");
    let text = pattern!(r"(?i) for me to ").replace(&text, " to ");
    let text = if first.ends_with('?') {
        text
    } else {
        pattern!(r"(?i)\b(for|about|to|of|with|from|on|in|between) (?:my|our|me) ")
            .replace_all(&text, "$1 ")
            .into_owned()
            .into()
    };
    let text =
        pattern!(r"(?:[.!?;:](?:\s.*)?$| - .*$|\s(?:so that|because)\s.*$)").replace(&text, "");
    let text = pattern!(r"^(?P<core>(?:[^\s,]+ ){3,}[^\s,]+),\s.*$").replace(&text, "$core");
    let text =
        if text.chars().filter(|c| c.is_alphanumeric()).count() < 3 { first.into() } else { text };
    let text = text.trim_matches(|c: char| {
        matches!(c, ' ' | '.' | ',' | '!' | '?' | ';' | ':' | '"' | '\'' | '“' | '”')
    });
    let title = title_case(text);
    let title = if title.split_whitespace().count() == 1 {
        let label = title_case(&goal.task.label);
        if title.to_lowercase().contains(&label.to_lowercase()) {
            title
        } else {
            format!("{title}: {label}")
        }
    } else {
        title
    };
    let generic = pattern!(r"(?i)^(?:\w+ )?(?:this |the |following )*(?:text|article|bug|code|email|paragraph|function|error|query|review|transcript|essay|document|message|sentence|script)s?(?: (?:to|into|in) \w+)?$").is_match(&title);
    match goal.material.first() {
        Some(material) if generic => {
            let words: Vec<&str> = material
                .split_whitespace()
                .filter(|word| !word.starts_with("```"))
                .take(6)
                .collect();
            shorten(&format!("{title}: {}…", words.join(" ").trim_matches(['"', '.', ',', '`'])))
        }
        _ => shorten(&title),
    }
}

/// Cuts at a word boundary and squeezes whitespace.
pub fn shorten(text: &str) -> String {
    let text = balanced(&squeeze(text));
    let text = text.trim_end_matches(['.', ',', ';', ':', '!']);
    if text.is_empty() {
        return "Untitled Prompt".to_owned();
    }
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    let cut: String = text.chars().take(LONGEST - 1).collect();
    let cut = match cut.rfind(' ') {
        Some(space) if space > 20 => &cut[..space],
        _ => &cut,
    };
    let cut =
        pattern!(r"(?i)(?: (?:a|an|the|of|for|to|and|or|in|on|with|by|my|from|at|that|about))+$")
            .replace(cut, "");
    let cut = balanced(&cut);
    format!("{}…", cut.trim_end_matches([',', ';', ':', ' ', '-', '–']))
}

/// Without quotation marks that have lost their partner.
fn balanced(text: &str) -> String {
    let odd = !text.matches('"').count().is_multiple_of(2);
    let curly = text.matches(['“', '„']).count() + text.matches('”').count();
    text.chars()
        .filter(|c| !(odd && *c == '"' || !curly.is_multiple_of(2) && matches!(c, '“' | '„' | '”')))
        .collect()
}

fn title_case(text: &str) -> String {
    let mut open = false;
    let mut after_number = false;
    text.split_whitespace()
        .enumerate()
        .map(|(index, word)| {
            // Names between braces and units keep their case.
            let inside = open;
            open = word.rfind("{{").map_or(open, |_| true) && !word.ends_with("}}");
            let unit = after_number
                && pattern!(r"^(?:ml|cl|l|kg|g|mg|cm|mm|km|m|px|kb|mb|gb|tb|h|min|kcal|mph|kw|kwh|hz|khz|ghz|oz|lb|lbs|ft)\b").is_match(word);
            after_number = word.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ','));
            if inside || unit {
                return word.to_owned();
            }
            let small = pattern!(
                r"^(?:a|an|the|of|for|to|and|or|in|on|with|by|from|at|vs|as|but|nor|per|via|into)$"
            );
            let plain = word
                .chars()
                .all(|c| c.is_lowercase() || matches!(c, '\'' | '’' | '-' | ',' | '"' | '(' | ')'));
            if !plain || (index > 0 && small.is_match(word)) || word.contains("{{") {
                word.to_owned()
            } else {
                match word {
                    "saas" => "SaaS".to_owned(),
                    "ai" | "sql" | "api" | "seo" | "css" | "html" | "json" | "csv" | "faq"
                    | "cv" | "ux" | "ui" | "b2b" | "diy" | "nda" | "kpi" => word.to_uppercase(),
                    _ => capitalize_word(word),
                }
            }
        })
        .collect::<Vec<_>>()
        .join(" ")
}

fn capitalize_word(word: &str) -> String {
    let mut characters = word.chars();
    let mut result = String::new();
    for character in characters.by_ref() {
        if character.is_alphabetic() {
            result.extend(character.to_uppercase());
            break;
        }
        result.push(character);
    }
    result.push_str(characters.as_str());
    result
}
