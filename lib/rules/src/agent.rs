//! Instructions for assistants: what they may use, when they hand over and when they stop.

use super::dialect::{Part, Piece};
use patterns::pattern;
use text::language::Locale;

/// Characters of a message that are searched for the description of an assistant.
const SEARCHED: usize = 2_000;
/// Words of the name of a tool.
const WORDS_OF_NAME: usize = 3;

/// Whether a message describes an assistant by giving it tools.
pub fn describes_one(message: &str) -> bool {
    let message: String = message.chars().take(SEARCHED).collect();
    pattern!(r"(?i)\b{agent.agent}\b").is_match(&message)
        && pattern!(r"(?i)\b{agent.has} (?:(?:{agent.these}|\d) )*{agent.tools}\b|\b{agent.tools}:|\b{agent.can_use} (?:{agent.the} )?(?:{agent.tools}\b|[a-z]+_[a-z_]+\b)").is_match(&message)
        && !tools(&message).is_empty()
}

/// The tools that a description of an assistant names, each once, in its words.
///
/// Where it lists them ("tools: search, refund") or names functions (`book_room`), only these count; otherwise
/// well-known products and services that it mentions.
pub fn tools(text: &str) -> Vec<String> {
    let text = pattern!(r"\{\{[^{}]*\}\}").replace_all(text, " ");
    let listed = pattern!(
        r"(?i)\b{agent.tools_or_functions}(?: {agent.available})*\s*(?:[:(–—-]|\b{agent.namely}\b)\s*(?P<v>[^.;:\n)]+)"
    );
    let mut names: Vec<&str> = Vec::new();
    if let Some(list) = listed.captures(&text).and_then(|found| found.name("v")) {
        let items = pattern!(r"(?i)\s*,\s*(?:{agent.and_or} )?| {agent.and} ").split(list.as_str());
        names.extend(items.take_while(|item| {
            item.split_whitespace().count() <= WORDS_OF_NAME
                && !pattern!(r"(?i)^{agent.rule}\b").is_match(item.trim())
        }));
    }
    let functions = pattern!(r"\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b|\b[a-z]+(?:[A-Z][a-z0-9]+)+\b");
    let functions: Vec<&str> = functions.find_iter(&text).map(|found| found.as_str()).collect();
    let speaks_of_tools = pattern!(r"(?i)\b(?:api|{agent.tool})\b").is_match(&text);
    if speaks_of_tools || functions.len() >= 2 {
        names.extend(functions.iter().filter(|name| name.contains('_') || speaks_of_tools));
    }
    if names.is_empty() {
        let known = pattern!(
            r"(?i)\b(?:crm|hubspot|salesforce|zendesk|shopify|stripe|slack|jira|notion|airtable|gmail|api|github|{agent.systems})\b"
        );
        names.extend(known.find_iter(&text).map(|found| found.as_str()));
    }
    let mut list: Vec<String> = Vec::new();
    for name in names {
        let name = name.trim().trim_matches(['`', '"', '\'', '.', ' ']);
        if !name.is_empty() && !list.iter().any(|known| known.eq_ignore_ascii_case(name)) {
            list.push(name.to_owned());
        }
    }
    list
}

/// What an assistant may use, when it hands over and when it is finished.
pub fn pieces(text: &str, locale: &Locale) -> Vec<Piece> {
    let named = tools(text);
    let tools = if named.is_empty() {
        locale.line("no_tools", "")
    } else {
        locale.line("tools", &named.join(", "))
    };
    vec![
        Piece { part: Part::Tools, text: tools },
        Piece { part: Part::Escalation, text: locale.line("escalation", "") },
        Piece { part: Part::Stop, text: locale.line("stop", "") },
    ]
}
