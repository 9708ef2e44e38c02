//! Instructions for assistants: who they are, what they may use, when they stop.

use super::dialect::{Part, Piece};
use super::goal::Goal;
use patterns::pattern;

/// "a support chatbot for the operator's shoe shop" from "Create a support chatbot for my shoe shop that …".
pub fn identity(goal: &Goal) -> String {
    let found = pattern!(r"(?i)\b(?P<v>{agent.which} (?:[\w-]+ ){0,4}?{agent.agents}\b(?: {agent.agent_at} [\w' -]{2,60}?)?)(?: {agent.behind_agent}\b|[,.;:(]|$)")
        .captures(&goal.objective)
        .map(|found| found["v"].to_owned());
    match found {
        Some(identity) => {
            let identity = pattern!(r"(?i)\b{agent.my}\b").replace_all(&identity, "the operator's");
            pattern!(r"(?i)^{agent.the_operators} (?P<rest>(?:[\w-]+ ){0,4}{agent.helper})")
                .replace(&identity, "the $rest")
                .into_owned()
        }
        None => "an assistant with the task stated below".to_owned(),
    }
}

/// An order to build an assistant, restated as what the assistant is for.
pub fn purpose(objective: &str) -> String {
    let core = pattern!(r"(?i)^{agent.make} (?:{agent.me} )?(?:{agent.a_prompt_for} )?")
        .replace(objective, "");
    format!("What you are, in the operator's words: {core}")
}

/// Whether a message describes an assistant by giving it tools.
pub fn describes_one(message: &str) -> bool {
    let message: String = message.chars().take(2000).collect();
    pattern!(r"(?i)\b{agent.agent}\b").is_match(&message)
        && pattern!(r"(?i)\b{agent.has} (?:(?:{agent.these}|\d) )*{agent.tools}\b|\b{agent.tools}:|\b{agent.can_use} (?:{agent.the} )?(?:{agent.tools}\b|[a-z]+_[a-z_]+\b)").is_match(&message)
        && !tools(&message).is_empty()
}

/// The tools that a description of an assistant names, each once, in its words.
///
/// Where it lists them ("tools: search, refund") or names functions (`book_room`), only these count; otherwise
/// well-known products and services that it mentions.
pub fn tools(text: &str) -> Vec<String> {
    let mut list: Vec<String> = Vec::new();
    let mut add = |tool: &str| {
        let tool = tool.trim().trim_matches(['`', '"', '\'', '.', ' ']);
        if !tool.is_empty() && !list.iter().any(|known| known.eq_ignore_ascii_case(tool)) {
            list.push(tool.to_owned());
        }
    };
    let marker = pattern!(r"\{\{[^{}]*\}\}").replace_all(text, " ");
    let functions = pattern!(r"\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b|\b[a-z]+(?:[A-Z][a-z0-9]+)+\b");
    let listed = pattern!(
        r"(?i)\b{agent.tools_or_functions}(?: {agent.available})*\s*(?:[:(–—-]|\b{agent.namely}\b)\s*(?P<v>[^.;:\n)]+)"
    );
    if let Some(found) = listed.captures(&marker) {
        let items = pattern!(r"(?i)\s*,\s*(?:{agent.and_or} )?| {agent.and} ").split(&found["v"]);
        items
            .take_while(|item| {
                item.split_whitespace().count() <= 3
                    && !pattern!(r"(?i)^{agent.rule}\b").is_match(item.trim())
            })
            .for_each(&mut add);
    }
    let speaks_of_tools = pattern!(r"(?i)\b(?:api|{agent.tool})\b").is_match(&marker);
    let named: Vec<&str> = functions.find_iter(&marker).map(|found| found.as_str()).collect();
    if speaks_of_tools || named.len() >= 2 {
        named.into_iter().filter(|name| name.contains('_') || speaks_of_tools).for_each(&mut add);
    }
    if list.is_empty() {
        let known = pattern!(
            r"(?i)\b(?:crm|hubspot|salesforce|zendesk|shopify|stripe|slack|jira|notion|airtable|gmail|api|github|{agent.systems})\b"
        );
        let mut seen: Vec<String> = Vec::new();
        for found in known.find_iter(&marker) {
            if !seen.iter().any(|tool| tool.eq_ignore_ascii_case(found.as_str())) {
                seen.push(found.as_str().to_owned());
            }
        }
        return seen;
    }
    list
}

/// What an assistant may use, when it hands over and when it is finished.
pub fn pieces(goal: &Goal) -> Vec<Piece> {
    let named = tools(&goal.text);
    let tools = if named.is_empty() {
        "No tools are named: work from this text and the conversation only. If tools are connected, use them for the task above alone, read before you write, and say so when a call fails.".to_owned()
    } else {
        format!(
            "Named in the task: {}. Use each only for the task above; read before you write; state the result of a call in your own words; after two failed calls stop and say so.",
            named.join(", ")
        )
    };
    vec![
        Piece { part: Part::Tools, text: tools },
        Piece { part: Part::Escalation, text: "Hand over to a person when someone asks for one, when money, law, health or safety is at stake and the text above does not settle it, or when two attempts have failed. Say that you are handing over and pass on who asked, what for and what was tried.".to_owned() },
        Piece { part: Part::Stop, text: "The work is finished when the request is answered, the action is confirmed or the matter is handed over. Stop without a result, and say why, when a permission or a fact is missing after one question.".to_owned() },
    ]
}
