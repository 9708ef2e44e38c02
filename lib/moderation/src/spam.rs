//! Advertising instead of a prompt.

use std::collections::HashMap;
use std::sync::LazyLock;

use patterns::expression;

use crate::field::{Field, Hit};
use crate::words::{Words, regex};

const MESSAGE: &str = "This advertises or repeats itself instead of giving a prompt.";

/// Occurrences of a sentence that count as repeated promotion.
const REPEATED: usize = 5;

/// Phrases of advertising that address the reader.
static PROMOTION: LazyLock<Words> =
    LazyLock::new(|| Words::new(expression!("{moderation_spam.promotion}")));

/// Words that present advertising as the text to work on.
static COPY: LazyLock<Words> = LazyLock::new(|| Words::new(expression!("{moderation_spam.copy}")));

pub(crate) fn find(field: &Field<'_>) -> Vec<Hit> {
    let whole = 0..field.text.len();
    if only_links(field.text, &field.folded) || promotes(&field.folded) || repeats(field) {
        vec![field.hit("spam", whole, MESSAGE)]
    } else {
        Vec::new()
    }
}

/// Whether the text is hardly more than links.
fn only_links(text: &str, folded: &str) -> bool {
    let link = regex!(r"(?i)(?:https?://|www\.|(?-u:\b)t\.me/)[^\s<>]{3,500}");
    let links = link.find_iter(text).count();
    let words =
        link.replace_all(text, " ").split_whitespace().filter(|word| has_letter(word)).count();
    let asked = COPY.are_in(folded);
    (links >= 3 && words <= 2 * links && !asked) || (links >= 1 && words <= 2)
}

fn has_letter(word: &str) -> bool {
    word.chars().any(char::is_alphabetic)
}

/// Whether most of the text is promotion: several phrases, close together.
fn promotes(folded: &str) -> bool {
    let phrases = PROMOTION.pattern().find_iter(folded).count();
    let linked = regex!(r"https?://|www\.|t\.me/|@\w{4,}|whatsapp").is_match(folded);
    let words = folded.split_whitespace().count();
    let enough = match () {
        () if COPY.are_in(folded) => 5,
        () if linked => 2,
        () => 3,
    };
    phrases >= enough && words <= 30 * phrases
}

/// Whether a repeated sentence makes up much of the text.
fn repeats(field: &Field<'_>) -> bool {
    let sentences = field.sentences();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for sentence in &sentences {
        let text = field.folded[sentence.clone()].trim();
        if text.chars().filter(|c| c.is_alphabetic()).count() >= 10 && text.contains(' ') {
            *counts.entry(text).or_default() += 1;
        }
    }
    let most = counts.values().copied().max().unwrap_or(0);
    most >= REPEATED && most * 2 >= sentences.len()
}
