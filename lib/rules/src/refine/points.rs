//! The points of a feedback: its lines, list items, sentences, and parts of these that stand alone as requests.

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
/// Most words of a point that only names a number.
const SHORT: usize = 8;
/// What stands between two points of a sentence, or between what it says of one and of another thing.
const SEPARATOR: Pattern =
    pattern!(r"(?i)\s*[;；؛]\s*|[,，、،]\s*(?:(?:{refine.joint})\s+)?|\s+(?:{refine.joint})\s+");

/// The beginning of a request.
const ORDER: Pattern =
    pattern!(r"(?i)^(?:{refine.use}|{refine.change}|{refine.add}|{refine.forbid})(?:\s|$)");

/// Whether a line says nothing but that points follow.
fn announces(line: &str) -> bool {
    let other = pattern!(r"(?i)^(?:{refine.remove})\s|(?:^|\s)(?:{refine.case})\s");
    let says = pattern!(r"(?i)^(?:{refine.announcing})$");
    let plain = !ORDER.is_match(line) && !other.is_match(line);
    plain && patterns::reading_all(|| content(line).iter().all(|word| says.is_match(word)))
}

/// The points of a feedback in its order. A sentence that tries to steer the service stays whole.
pub fn split(feedback: &str, work: &Work<'_>) -> Vec<String> {
    let held = scan(feedback).cover();
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
        // "A few things:" only announces points.
        let lists = text::list::marker(feedback[sentence.end..].trim_start()) > 0;
        let core = read::core(&feedback[sentence.clone()]).0;
        if lists && core.ends_with([':', '：']) && announces(core) {
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

/// What may stand between two points of a sentence, but not what stands in its numbers.
pub fn separators(sentence: &str) -> impl Iterator<Item = Range<usize>> {
    let numbers = figures(sentence, &Cover::default());
    let in_number =
        move |at: usize| numbers.iter().any(|it| it.range.start < at && at < it.range.end);
    let all = SEPARATOR.find_iter(sentence).map(|found| found.range());
    all.filter(move |range| !in_number(range.start))
}

/// A sentence cut at the separators that have a request on either side.
fn parts(
    feedback: &str,
    sentence: Range<usize>,
    held: &Cover,
    work: &Work<'_>,
) -> Vec<Range<usize>> {
    let cuts = separators(&feedback[sentence.clone()]);
    let cuts = cuts.map(|cut| sentence.start + cut.start..sentence.start + cut.end);
    let separators: Vec<_> = cuts.filter(|range| !held.touches(range)).take(MOST).collect();
    let swaps = |text: &str| swap::is_swap(work, read::core(text).0);
    let asks = |text: &str| stands_alone(text.trim()) || swaps(text.trim());
    let (mut found, mut from) = (Vec::new(), sentence.start);
    for (at, cut) in separators.iter().enumerate() {
        let next = separators.get(at + 1).map_or(sentence.end, |next| next.start);
        let semicolon = feedback[cut.clone()].trim_start().starts_with([';', '；', '؛']);
        // "30 minutes each – warm-up and cool-down 5": the number is of what stands before the dash.
        let part = feedback[from..cut.start].rfind(" – ").map_or(from, |dash| from + dash);
        let own = |from: usize| asks(&feedback[from..cut.start]);
        let takes_out = pattern!(r"(?i)^(?:{refine.remove})\s+\S");
        let next = feedback[cut.end..next].trim();
        let alone = || stands_alone(next) && own(from) && (part == from || own(part));
        let surely = || takes_out.is_match(next) || swaps(next);
        if cut.start > from && (semicolon || surely() || alone()) {
            found.push(from..cut.start);
            from = cut.end;
        }
    }
    found.push(from..sentence.end);
    found
}

/// Whether words are a request by themselves, other than one to exchange something.
fn stands_alone(text: &str) -> bool {
    let (core, polite) = read::core(text);
    let words = core.split_whitespace().count();
    let quotes = pattern!(r"(?i)^[^\x22“„«「]{2,40}\b(?:{refine.copula})\s+[\x22“„«「]");
    let is_figure = || {
        let most = if core.contains(['→', '>']) { 2 } else { 1 };
        (1..=most).contains(&figures(core, &Cover::default()).len()) && !content(core).is_empty()
    };
    match read(text) {
        Ask::Other => {
            polite
                || ORDER.is_match(core) && words > 1
                || quotes.is_match(core)
                || words <= SHORT && is_figure()
                || pattern!(r"^\d{1,2}:\d{1,2}$").is_match(core)
        }
        Ask::Translate => false,
        _ => true,
    }
}
