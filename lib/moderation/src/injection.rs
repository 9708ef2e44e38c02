//! Prompt injection: orders to the assistant against the interest of the prompt's user.

use std::ops::Range;
use std::sync::LazyLock;

use crate::MOST_PER_FIELD;
use crate::field::{Field, Hit};
use crate::normalization::NormalizedText;
use crate::words::{Words, regex};

const ORDER: &str =
    "This orders the reader's assistant to break its rules or to give data away. Remove it.";
const HIDDEN: &str =
    "A comment or an invisible element carries orders to the assistant. Remove it.";

/// Orders to ignore rules, to reveal instructions or to send data elsewhere.
static ORDERS: LazyLock<Words> = LazyLock::new(|| {
    Words::new(&[
        r"(?:ignor(?:e|es|ing)|disregard(?:s|ing)?|forget(?:s|ting)?|overrid(?:e|es|ing)|bypass(?:es
            |ing)?)(?: \w+){0,3} (?:previous|prior|above|earlier|preceding|system|safety|all|your|its
            |any)(?: \w+){0,3} (?:instructions?|prompts?|rules|guidelines|guardrails|directions|training
            |filters?|policies)|(?:ignore|disregard) (?:everything|all) (?:the user|above|before
            |you were told|said)
        |(?:reveal|print|show|repeat|output|leak|display|disclose)(?: \w+){0,4} (?:your
        |the) (?:\w+ )?(?:system prompt|hidden (?:prompt|instructions|rules)|initial (?:prompt|instructions))
        |you are now (?:dan|in developer mode|jailbroken|unrestricted|unfiltered)|do anything now
        |(?:enable|enter|activate) (?:developer|jailbreak|god|dan) mode
        |(?:you have )?no restrictions and never refuse
        |(?:ignorier\w*|vergiss|missachte\w*|umgeh\w*)(?: \w+){0,2} (?:vorherig\w*|bisherig\w*|obig\w*
        |vorig\w*|vorangegangen\w*|system\w*)(?: \w+){0,2} (?:anweisung\w*|instruktion\w*|regeln
        |vorgaben)|(?:gib|zeig\w*|verrat\w*)(?: \w+){0,2} (?:systemprompt|system-prompt)
        |(?:ignore[zs]?|oublie[zs]?)(?: \w+){0,3} (?:instructions|consignes|regles) (?:precedentes
        |anterieures|ci-dessus)|(?:revele[zs]?|affiche[zs]?) (?:ton|votre|le) (?:prompt systeme|prompt)
        |(?:ignora|olvida|descarta)(?: \w+){0,3} (?:instrucciones|reglas|indicaciones)(?: (?:anteriores
        |previas))?|(?:muestra|revela) (?:tu|el) prompt(?: del sistema)?
        |(?:ignora\w*|dimentica\w*|trascura\w*)(?: \w+){0,3} (?:istruzioni|regole|indicazioni)(?: (?:precedenti|sopra))?
        |(?:mostra\w*|rivela\w*) (?:il tuo|tuo|il) prompt(?: di sistema)?
        |(?:decod\w*|dekodier\w*)(?: \w+){0,4} base64(?: \w+){0,6} (?:follow|execute|obey|carry out
        |befolg\w*|suis|sigue)",
    ])
});

/// Sending what the user said or owns to an address.
static SENDING: LazyLock<Words> = LazyLock::new(|| {
    Words::new(&[
        r"(?:send|sends|post|forward|append|upload|exfiltrate|transmit|leak|submit|sende|schicke|envoie
            |envia)(?: [\w']+){0,5} (?:conversation|chat history|chat|system prompt|api keys?
            |environment variables|passwords?|cookies|credentials|secrets|private files|gesprach\w*
            |chatverlauf|conversacion)
        .{0,100}?https?",
    ])
});

/// Words before an order that forbid or only mention it.
static NEGATED: LazyLock<Words> = LazyLock::new(|| {
    Words::new(&[
        r"not|never|don't|doesn't|cannot|can't|any|such as|like|e\.g|for example|attempt\w*|try|trying
            |tries|asks?|asked|wants?|tells?|says?|whether|contain\w*|explain\w*|what is|detect\w*
            |recogni[sz]e|phrases?|attacks?|block\w*|refuse
        |non|mai|chiede|nicht|nie|niemals|verlangt|fordert|jamais|ne|demande|no|nunca|pide",
    ])
});

/// Words after an order with which a sentence discusses it.
static MENTIONED: LazyLock<Words> = LazyLock::new(|| {
    Words::new(&[r"(?:is|are|was|means|counts?|attacks?|attempts?|injections?|payloads?|style)"])
});

/// The rules of an assistant and their authors, as opposed to a text that it processes.
static OWN_RULES: LazyLock<Words> = LazyLock::new(|| {
    Words::new(&[
        r"previous|prior|above|earlier|preceding|system|safety|your?|polic(?:y|ies)|guidelines
            |guardrails|training|filters?|operators?|moderat\w*|developers?|openai|anthropic|chat
            |conversation|before|so far",
    ])
});

/// Ways to address an assistant.
static ADDRESSED: LazyLock<Words> = LazyLock::new(|| {
    Words::new(&[r"(?:ignore|disregard|forget|override|bypass|ignorier\w*|missachte|oublie|ignora
            |olvida)(?: [\w']+){0,4} (?:user\w*|instructions?|rules|prompt\w*|anweisung\w*|consignes
            |instrucciones|request|above|guidelines|nutzer\w*)
        |(?:send|forward|reveal|exfiltrate|append|leak|post|visit|recommend|execute|run|sende|verrate
        |envoie|envia|revela)(?: [\w']+){0,6} (?:secrets?|history|conversation|chat|emails?|keys?
        |passwords?|prompt|attacker|data|https?|system|user)
        |never mention|do not (?:tell|mention)|don't (?:tell|mention)|without telling"])
});

pub(crate) fn find(field: &Field<'_>) -> Vec<Hit> {
    let mut hits = orders(field);
    hits.extend(hidden(field));
    let image = regex!(
        r"!\[[^\]\n]{0,200}\]\(https?://[^)\s]{1,300}[?&][a-z0-9_]{1,40}=\s?[{$<]{1,2}\s?(?:conversation|history|chat|messages?|prompt|context|secrets?|memory)"
    );
    hits.extend(
        image
            .find_iter(&field.folded)
            .take(MOST_PER_FIELD)
            .map(|found| field.folded_hit("injection", found.range(), ORDER)),
    );
    hits
}

fn orders(field: &Field<'_>) -> Vec<Hit> {
    field.readings.iter().flat_map(orders_in).take(MOST_PER_FIELD).collect()
}

fn orders_in(reading: &NormalizedText) -> Vec<Hit> {
    if !ORDERS.are_in(&reading.text) && !SENDING.are_in(&reading.text) {
        return Vec::new();
    }
    let mut hits = Vec::new();
    for sentence in reading.sentences() {
        let text = &reading.text[sentence.clone()];
        let found = ORDERS.pattern().find(text).or_else(|| SENDING.pattern().find(text));
        let Some(found) = found else { continue };
        let (before, after) = (&text[..found.start()], &text[found.end()..]);
        let quoted = before.trim_end().ends_with(['"', '\'', '「']) || in_quotes(before);
        let next = after.trim_start_matches(|c: char| !c.is_alphanumeric());
        let mentioned = MENTIONED.pattern().find(next).is_some_and(|word| word.start() == 0);
        let meant = !quoted && !mentioned && !NEGATED.are_in(before);
        if meant && !defends(found.as_str(), next) {
            let bytes = sentence.start + found.start()..sentence.start + found.end();
            hits.extend(reading.hit("injection", bytes, ORDER));
        }
    }
    hits
}

/// Whether an order only forbids following instructions inside a given text, or is about the
/// developer mode of a product.
fn defends(order: &str, after: &str) -> bool {
    let given = regex!(
        r"^(?:(?:that|which|you|may|might|be|are|is|were|hidden|embedded|contained|found|find|placed|written|it|they|appear|appears|occur|stand|stands) )*(?:in|inside|within|between|contains?|from)(?: |[.,;:!?]|$)|^that (?:the|this|a|an|these|those) (?:\w+ ){1,3}(?:contains?|includes?|has|holds?|carr(?:y|ies))(?: |[.,;:!?]|$)"
    );
    let product =
        regex!(r"^(?:of|in|on|for) (?:our|the|my|an?|your|android|chrome|ios|windows)(?: |$)");
    if order.ends_with("developer mode") {
        return product.is_match(after);
    }
    order.starts_with("ignor")
        && given.is_match(after)
        && !OWN_RULES.are_in(order)
        && !OWN_RULES.are_in(after)
}

/// Whether a quotation is open at the end of `before`.
fn in_quotes(before: &str) -> bool {
    before.matches('"').count() % 2 == 1
}

fn hidden(field: &Field<'_>) -> Vec<Hit> {
    let text = field.folded.as_str();
    let mut places = between(text, "<!--", "-->");
    places.extend(
        regex!(r#"(?m)\[//\]: ?# ?[("'][^\n]{0,2000}"#).find_iter(text).map(|found| found.range()),
    );
    let unseen = regex!(
        r#"style ?= ?["'][^"'\n]{0,200}(?:display: ?none|visibility: ?hidden|font-size: ?0|opacity: ?0(?:[^.]|$)|color: ?(?:white|#fff\w*|transparent))[^"'\n]{0,200}["'][^>\n]{0,200}>[^<]{0,2000}"#
    );
    places.extend(unseen.find_iter(text).map(|found| found.range()));
    places
        .into_iter()
        .filter(|place| {
            let inside = &text[place.clone()];
            ADDRESSED.are_in(inside) || ORDERS.are_in(inside)
        })
        .take(MOST_PER_FIELD)
        .map(|place| field.folded_hit("hidden_instructions", place, HIDDEN))
        .collect()
}

/// Ranges from `open` to the next `close`, both included.
fn between(text: &str, open: &str, close: &str) -> Vec<Range<usize>> {
    let mut places = Vec::new();
    let mut from = 0;
    while let Some(start) = text[from..].find(open).map(|at| from + at) {
        let Some(end) = text[start..].find(close).map(|at| start + at + close.len()) else { break };
        places.push(start..end);
        from = end;
    }
    places
}
