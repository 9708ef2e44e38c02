//! Prompt injection: orders to the assistant against the interest of the prompt's user.

use std::ops::Range;
use std::sync::LazyLock;

use patterns::expression;

use crate::MOST_PER_FIELD;
use crate::field::{Field, Hit};
use crate::normalization::NormalizedText;
use crate::words::{Words, regex};

const ORDER: &str =
    "This orders the reader's assistant to break its rules or to give data away. Remove it.";
const HIDDEN: &str =
    "A comment or an invisible element carries orders to the assistant. Remove it.";

/// Orders to ignore rules, to reveal instructions or to send data elsewhere.
static ORDERS: LazyLock<Words> =
    LazyLock::new(|| Words::new(expression!("{moderation_injection.orders}")));

/// Sending what the user said or owns to an address.
static SENDING: LazyLock<Words> =
    LazyLock::new(|| Words::new(expression!("{moderation_injection.sending}")));

/// Words before an order that forbid or only mention it.
static NEGATED: LazyLock<Words> =
    LazyLock::new(|| Words::new(expression!("{moderation_injection.negated}")));

/// Words after an order with which a sentence discusses it.
static MENTIONED: LazyLock<Words> =
    LazyLock::new(|| Words::new(expression!("{moderation_injection.mentioned}")));

/// The rules of an assistant and their authors, as opposed to a text that it processes.
static OWN_RULES: LazyLock<Words> =
    LazyLock::new(|| Words::new(expression!("{moderation_injection.own_rules}")));

/// Ways to address an assistant.
static ADDRESSED: LazyLock<Words> =
    LazyLock::new(|| Words::new(expression!("{moderation_injection.addressed}")));

pub(crate) fn find(field: &Field<'_>) -> Vec<Hit> {
    let mut hits = orders(field);
    hits.extend(hidden(field));
    let image = regex!(expression!(
        r"!\[[^\]\n]{0,200}\]\(https?://[^)\s]{1,300}[?&][a-z0-9_]{1,40}=\s?[{$<]{1,2}\s?{moderation_injection.context}"
    ));
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
    let given = regex!(expression!(r"^{moderation_injection.given}(?: |[.,;:!?]|$)"));
    let product = regex!(expression!(r"^{moderation_injection.product}(?: |$)"));
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
