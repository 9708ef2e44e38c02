//! The points of a feedback by its own form: lines, list items, sentences, and parts between commas or conjunctions
//! where both stand alone as requests.

use std::ops::Range;

use super::numbers::figures;
use super::read::{self, Ask, read};
use super::words::content;
use super::work::Work;
use super::{steering, swap};
use patterns::{Pattern, pattern};
use text::{Cover, literals::scan};

/// So many points are worked on; what follows them is one last point.
const MOST: usize = 60;

/// What may stand between two points of a sentence.
const SEPARATOR: Pattern =
    pattern!(r"(?i)\s*[;；؛]\s*|[,，、،]\s*(?:(?:{refine.joint})\s+)?|\s+(?:{refine.joint})\s+");

/// The points of a feedback in its order. A sentence that tries to steer the service stays whole.
pub fn split(feedback: &str, work: &Work<'_>) -> Vec<String> {
    let held = scan(feedback).cover(feedback.len());
    let mut points: Vec<String> = Vec::new();
    for sentence in text::sentences(feedback, &held) {
        if points.len() >= MOST {
            points.push(feedback[sentence.start..].trim().to_owned());
            break;
        }
        if steering::steers(&feedback[sentence.clone()]) {
            points.push(feedback[sentence].to_owned());
            continue;
        }
        for part in parts(feedback, sentence, &held, work) {
            let text = feedback[part].trim().trim_matches([',', ';', '，', '、']).trim();
            if text.chars().any(|c| c.is_alphanumeric() || !c.is_ascii()) {
                points.push(text.to_owned());
            }
        }
    }
    if points.is_empty() {
        points.push(feedback.trim().to_owned());
    }
    points
}

/// A sentence cut at the separators that have a request on either side.
fn parts(
    feedback: &str,
    sentence: Range<usize>,
    held: &Cover,
    work: &Work<'_>,
) -> Vec<Range<usize>> {
    let separators: Vec<Range<usize>> = SEPARATOR
        .find_iter(&feedback[sentence.clone()])
        .map(|found| sentence.start + found.start()..sentence.start + found.end())
        .filter(|range| !held.touches(range) && !is_in_number(feedback, range))
        .take(MOST)
        .collect();
    let asks = |range: Range<usize>| stands_alone(feedback[range].trim(), work);
    let mut found = Vec::new();
    let mut from = sentence.start;
    for (at, cut) in separators.iter().enumerate() {
        let next = separators.get(at + 1).map_or(sentence.end, |next| next.start);
        let digit = feedback[cut.end..].starts_with(|c: char| c.is_ascii_digit());
        // "6 and 10" are one value.
        let pair = feedback[..cut.start].ends_with(|c: char| c.is_ascii_digit())
            && pattern!(r"^\d[\d.,]*(?:\s*$|\s*[,.;]|\s+[^\s\p{L}%])")
                .is_match(&feedback[cut.end..]);
        let semicolon = feedback[cut.clone()].trim_start().starts_with([';', '；', '؛']);
        let both = || {
            asks(from..cut.start) && (asks(cut.end..next) || !digit && asks(cut.end..sentence.end))
        };
        let surely = || is_order(feedback[cut.end..next].trim(), work);
        if cut.start > from && !pair && (semicolon || both() || surely()) {
            found.push(from..cut.start);
            from = cut.end;
        }
    }
    found.push(from..sentence.end);
    found
}

/// Whether a separator is the comma of a decimal.
fn is_in_number(text: &str, range: &Range<usize>) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    range.len() == 1
        && text[..range.start].ends_with(is_digit)
        && text[range.end..].starts_with(is_digit)
}

/// Whether words begin with an order to take something out, give something its quotation, or name an exchange.
fn is_order(text: &str, work: &Work<'_>) -> bool {
    let takes_out = pattern!(r"(?i)^(?:{refine.remove}|{refine.forbid})\s+\S");
    let quotes = pattern!(r"(?i)^[^\x22“„«「]{2,40}\b(?:{refine.copula})\s+[\x22“„«「]");
    takes_out.is_match(text) || quotes.is_match(text) || swap::is_swap(work, text)
}

/// Whether words are a request by themselves.
fn stands_alone(text: &str, work: &Work<'_>) -> bool {
    let (core, polite) = read::core(text);
    let words = core.split_whitespace().count();
    let order =
        pattern!(r"(?i)^(?:{refine.use}|{refine.change}|{refine.add}|{refine.forbid})(?:\s|$)");
    let is_figure = || {
        let count = figures(core, &Cover::default()).len();
        let exchange = count == 2 && core.contains(['→', '>']);
        (count == 1 || exchange) && !content(core).is_empty()
    };
    match read(text) {
        Ask::Other => {
            polite
                || read::adds(text)
                || order.is_match(core) && words > 1
                || swap::is_swap(work, core)
                || pattern!(r"^\d{1,2}:\d{1,2}$").is_match(core)
                || words < 9 && is_figure()
        }
        Ask::Translate => false,
        _ => true,
    }
}
