//! How an answer begins and ends.

use std::ops::Range;

use patterns::pattern;

use super::judgement::Judgement;
use crate::Reason;
use crate::output::{Output, is_word, lowered};

/// Signs around a beginning or an end that are none of its words.
const AROUND: &str = "\"“”„«»'‘’`*_#>「」『』~";
/// Signs that end a sentence.
const STOPS: [char; 9] = ['.', '!', '?', '…', '。', '！', '？', '．', '؟'];

/// Whether a character may stand around a beginning or an end.
fn is_around(character: char) -> bool {
    character.is_whitespace() || AROUND.contains(character)
}

/// Whether a beginning or an end is described, such as "a question", and not given by its words.
fn is_described(text: &str, quote: &str) -> bool {
    let quoted = quote.trim_end().ends_with(['"', '”', '»', '\'', '’', '」', '“']);
    !quoted
        && pattern!(
            r"(?i)^(?:\w+\s+){0,2}(?:{constraint_edges.endings}|{constraint_edges.beginnings})$"
        )
        .is_match(text)
}

/// Whether a program can tell a beginning or an end.
pub fn is_decidable(text: &str, quote: &str) -> bool {
    !is_described(text, quote) || is_question(text)
}

/// Whether a beginning or an end is described as a question.
pub fn is_question(text: &str) -> bool {
    pattern!(r"(?i)\b(?:{check_units.question})$").is_match(text)
}

pub fn starts(output: &Output<'_>, text: &str, quote: &str) -> Judgement {
    if is_described(text, quote) {
        let first = output.sentences().first().cloned();
        return asked(output, text, first);
    }
    let place = begins(output, output.trimmed(), text);
    Judgement::present(text, place)
}

pub fn ends(output: &Output<'_>, text: &str, quote: &str) -> Judgement {
    if is_described(text, quote) {
        let last = output.sentences().last().cloned();
        return asked(output, text, last);
    }
    let wanted = lowered(text);
    let wanted = wanted.trim_matches(is_around);
    if wanted.is_empty() {
        return Judgement::undecided(Reason::Unclear);
    }
    let range = output.trimmed();
    let body = &output.lower()[range.clone()];
    let body = body.trim_end_matches(is_around);
    // Who gives no sign that ends the sentence leaves it to the answer.
    let stopped = body.strip_suffix(STOPS).map(str::trim_end);
    let found = [Some(body), stopped.filter(|_| !wanted.ends_with(STOPS))];
    let found = found.into_iter().flatten().find(|body| body.ends_with(wanted));
    let start = found.map(|body| range.start + body.len() - wanted.len());
    let whole = start.filter(|start| {
        let before = output.lower()[..*start].chars().next_back();
        !(wanted.starts_with(is_word) && before.is_some_and(is_word))
            || wanted.starts_with(crate::output::is_unspaced)
    });
    Judgement::present(text, whole.map(|start| start..start + wanted.len()))
}

/// Whether a sentence is a question.
fn asked(output: &Output<'_>, wanted: &str, sentence: Option<Range<usize>>) -> Judgement {
    let Some(sentence) = sentence else { return Judgement::of(false, wanted) };
    let body = output.at(&sentence);
    let body = body.trim_end_matches(|c: char| AROUND.contains(c) || c == ')');
    Judgement::of(body.ends_with(['?', '？', '؟']), wanted).at(Some(sentence))
}

/// Where a text begins with another one, behind its marks and apart from capitals.
fn begins(output: &Output<'_>, range: Range<usize>, text: &str) -> Option<Range<usize>> {
    let wanted = lowered(text);
    let wanted = wanted.trim_matches(is_around);
    let body = &output.lower()[range.clone()];
    let bare = body.trim_start_matches(is_around);
    let start = range.end - bare.len();
    let rest = bare.strip_prefix(wanted)?;
    let goes_on = rest.starts_with(is_word)
        && wanted.ends_with(is_word)
        && !wanted.ends_with(crate::output::is_unspaced);
    (!goes_on && !wanted.is_empty()).then(|| start..start + wanted.len())
}

/// Whether quotation marks enclose the answer.
pub fn quoted(output: &Output<'_>, quote: &str) -> Judgement {
    const PAIRS: [(&str, &str); 10] = [
        ("\"", "\""),
        ("“", "”"),
        ("„", "“"),
        ("„", "”"),
        ("«", "»"),
        ("»", "«"),
        ("'", "'"),
        ("‘", "’"),
        ("「", "」"),
        ("『", "』"),
    ];
    let range = output.trimmed();
    let body = output.at(&range);
    let is_double = pattern!(r"(?i)\b{check_units.double}\b").is_match(quote);
    let enclosed = PAIRS.iter().any(|(open, close)| {
        !(is_double && matches!(*open, "'" | "‘"))
            && body.len() > open.len() + close.len()
            && body.starts_with(open)
            && body.ends_with(close)
    });
    let first: String = body.chars().take(1).chain(body.chars().last()).collect();
    Judgement::of(enclosed, "\"…\"").found(first)
}
