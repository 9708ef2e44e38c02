//! How an answer begins and ends.

use std::ops::Range;

use patterns::pattern;

use super::judgement::Judgement;
use crate::Reason;
use crate::output::{Output, is_joined, lowered};

/// Signs around a beginning or an end that are none of its words.
const AROUND: &str = "\"“”„«»'‘’`*_#>「」『』~";
/// Signs that end a sentence.
const STOPS: [char; 9] = ['.', '!', '?', '…', '。', '！', '？', '．', '؟'];

/// Whether a character may stand around a beginning or an end.
fn is_around(character: char) -> bool {
    character.is_whitespace() || AROUND.contains(character)
}

/// Whether a beginning or an end is described as a question.
pub fn is_question(text: &str) -> bool {
    pattern!(r"(?i)\b(?:{check_units.question})$").is_match(text)
}

/// Whether a beginning or an end is described as a question, and not given by its words.
fn is_described(text: &str, quote: &str) -> bool {
    !quote.trim_end().ends_with(['"', '”', '»', '\'', '’', '」', '“']) && is_question(text)
}

/// Whether a sentence asks something.
pub fn asks(sentence: &str) -> bool {
    let body = sentence.trim_end_matches(|c: char| is_around(c) || c == ')');
    body.ends_with(['?', '？', '؟'])
}

/// Where the answer begins with a text, apart from marks and capitals.
pub fn starts(output: &Output<'_>, text: &str, quote: &str) -> Judgement {
    if is_described(text, quote) {
        return asked(output, text, output.sentences().first());
    }
    let wanted = lowered(text);
    let wanted = wanted.trim_matches(is_around);
    let body = output.lower().trim_start_matches(is_around);
    let start = output.text.len() - body.len();
    let rest = body.strip_prefix(wanted).filter(|_| !wanted.is_empty());
    let whole = rest.filter(|rest| !(rest.starts_with(is_joined) && wanted.ends_with(is_joined)));
    Judgement::present(text, whole.map(|_| start..start + wanted.len()))
}

/// Where the answer ends with a text. Who gives no sign that ends the sentence leaves it to the answer.
pub fn ends(output: &Output<'_>, text: &str, quote: &str) -> Judgement {
    if is_described(text, quote) {
        return asked(output, text, output.sentences().last());
    }
    let wanted = lowered(text);
    let wanted = wanted.trim_matches(is_around);
    if wanted.is_empty() {
        return Judgement::undecided(Reason::Unclear);
    }
    let body = output.lower().trim_end_matches(is_around);
    let stopped = body.strip_suffix(STOPS).filter(|_| !wanted.ends_with(STOPS)).map(str::trim_end);
    let before =
        [Some(body), stopped].into_iter().flatten().find_map(|body| body.strip_suffix(wanted));
    let whole =
        before.filter(|before| !(before.ends_with(is_joined) && wanted.starts_with(is_joined)));
    Judgement::present(text, whole.map(|before| before.len()..before.len() + wanted.len()))
}

/// Whether a sentence is a question.
fn asked(output: &Output<'_>, wanted: &str, sentence: Option<&Range<usize>>) -> Judgement {
    let passes = sentence.is_some_and(|sentence| asks(output.at(sentence)));
    Judgement::of(passes, wanted).at(sentence.cloned())
}
