//! Taking one thing out of an enumeration, so that what is left is one, too.

use std::ops::Range;

use crate::imperative;
use patterns::pattern;

/// Words of an element at most; a longer one is a clause.
const LONGEST_ELEMENT: usize = 6;

/// Edits of a sentence in byte ranges, each with its new text.
pub type Cut = Vec<(Range<usize>, String)>;

/// What stands between two elements.
struct Separator {
    range: Range<usize>,
    /// Whether it has an "and".
    joins: bool,
}

/// The edits that take what stands in `place` out of the enumeration around it, with its article and one of
/// the separators. `None` if it is no element of one, or if the rest would not read well.
pub fn without(sentence: &str, place: &Range<usize>) -> Option<Cut> {
    let separators = separators(sentence, place);
    let at = separators.partition_point(|separator| separator.range.end <= place.start);
    let before = at.checked_sub(1).map(|at| &separators[at]);
    let after = separators.get(at);
    let from = before.map_or(0, |separator| separator.range.end);
    let to = after.map_or(sentence.len(), |separator| separator.range.start);
    let tail = sentence.get(place.end..to)?;
    let bare =
        |text: &str| text.trim().trim_matches(['.', '!', '?', ':', ';', '"', '”']).is_empty();
    let end =
        if bare(tail) { place.end } else { return tailed(sentence, place, from, before, tail) };
    if let Some(before) = before
        && is_lead(&sentence[from..place.start])
    {
        return match after {
            Some(after)
                if !before.joins && (after.joins || is_element(sentence, &separators, at + 1)) =>
            {
                let mut cut = vec![(before.range.start..end, String::new())];
                if after.joins && at == 1 {
                    cut.extend(plain(sentence, after));
                }
                Some(cut)
            }
            _ => Some(last(sentence, &separators, at, end)),
        };
    }
    // The first element stands behind a preposition or a verb.
    let after = after?;
    if !is_element(sentence, &separators, at + 1) {
        return None;
    }
    let start = from + first_lead(&sentence[from..place.start])?;
    let mut cut = vec![(start..after.range.end, String::new())];
    if let Some(next) = separators.get(at + 1)
        && !after.joins
        && next.joins
    {
        cut.extend(plain(sentence, next));
    }
    Some(cut)
}

/// The last element goes with what stands before it; the one before takes over the "and".
fn last(sentence: &str, separators: &[Separator], at: usize, end: usize) -> Cut {
    let own = &separators[at - 1];
    let mut cut = Vec::new();
    if own.joins && at >= 2 && !separators[at - 2].joins && is_element(sentence, separators, at - 1)
    {
        let joint = &sentence[own.range.clone()];
        let joint = if at == 2 { without_comma(joint) } else { joint.to_owned() };
        cut.push((separators[at - 2].range.clone(), joint));
    }
    cut.push((own.range.start..end, String::new()));
    cut
}

/// A last element before the rest of its sentence: "and {{team}} today".
fn tailed(
    sentence: &str,
    place: &Range<usize>,
    from: usize,
    before: Option<&Separator>,
    tail: &str,
) -> Option<Cut> {
    let marker = sentence[place.clone()].starts_with("{{");
    let before = before.filter(|before| before.joins && marker)?;
    let short = tail.split_whitespace().count() <= LONGEST_ELEMENT && tail.starts_with(' ');
    if !short || !is_lead(&sentence[from..place.start]) {
        return None;
    }
    let separators = separators(sentence, place);
    let at = separators.iter().position(|known| known.range == before.range)? + 1;
    Some(last(sentence, &separators, at, place.end))
}

fn separators(sentence: &str, place: &Range<usize>) -> Vec<Separator> {
    pattern!(
        r"(?i)\s*[,，、،]\s*(?P<a>{refine_enumeration.joint}\s+)?|\s+(?P<b>{refine_enumeration.joint}\s+)"
    )
    .captures_iter(sentence)
    .filter_map(|found| {
        let range = found.get(0)?.range();
        let joins = found.name("a").or(found.name("b")).is_some();
        let figure = range.len() == 1
            && sentence[..range.start].ends_with(|c: char| c.is_ascii_digit())
            && sentence[range.end..].starts_with(|c: char| c.is_ascii_digit());
        let inside = range.start < place.end && place.start < range.end;
        (!figure && !inside).then_some(Separator { range, joins })
    })
    .collect()
}

/// Whether an element is a thing and not a clause.
fn is_element(sentence: &str, separators: &[Separator], at: usize) -> bool {
    let from = at.checked_sub(1).map_or(0, |before| separators[before].range.end);
    let to = separators.get(at).map_or(sentence.len(), |after| after.range.start);
    let text = sentence.get(from..to).unwrap_or_default().trim();
    let clause = pattern!(r"(?i)^{refine_enumeration.clause}\b \S");
    !text.is_empty()
        && text.split_whitespace().count() <= LONGEST_ELEMENT
        && !clause.is_match(text)
        && !imperative::starts_work(text)
}

/// Whether nothing but an article and a few adjectives stands before the thing.
fn is_lead(text: &str) -> bool {
    pattern!(r"(?i)^(?:{refine_enumeration.with} )?(?:(?:(?:\d+|{refine_enumeration.article}) |{refine_enumeration.elided})(?:[\p{L}%-]+ ){0,2}|[\p{L}%-]+ )?[\x22“„«]?$")
    .is_match(text)
        && !pattern!(r"(?i)^{refine_enumeration.verb}\b").is_match(text)
}

/// Where the first element of an enumeration begins, if what stands before it asks for one.
fn first_lead(text: &str) -> Option<usize> {
    let found = pattern!(r"(?i)(?:^|[ (:]){refine_enumeration.lead}:? (?P<v>(?:(?:(?:\d+|{refine_enumeration.article}) )(?:[\p{L}%-]+ )?|{refine_enumeration.elided})?)[\x22“„«]?$")
    .captures(text)?;
    found.name("v").map(|lead| lead.start())
}

/// The "and" between the last two without its comma.
fn plain(sentence: &str, separator: &Separator) -> Option<(Range<usize>, String)> {
    let text = &sentence[separator.range.clone()];
    let bare = without_comma(text);
    (bare != text).then(|| (separator.range.clone(), bare))
}

fn without_comma(joint: &str) -> String {
    format!(" {}", joint.trim_start_matches([',', ' ', '，', '،']))
}
