//! Values behind labels and between quotation marks.

use super::swap::LONGEST;
use super::words::{alike, bare, content, unquoted};
use super::work::{Outcome, Place, Work};
use patterns::pattern;

/// Puts the quotation of a point in the place of the one that its other words speak of.
pub fn quotation(work: &mut Work<'_>, point: &str) -> Option<Outcome> {
    let scanned = text::literals::scan(point);
    let [quoted] = &scanned.quoted[..] else { return None };
    let lead = &point[..scanned.quotations.first()?.start];
    let says = pattern!(r"(?i)(?:\b(?:{refine.copula}|{refine.renamed}|{refine.to})|->|→|:|=)\s*$");
    if !says.is_match(lead) || super::read::is_negated(lead) {
        return None;
    }
    let labels = content(lead);
    let all = work.own().map(|text| work.readings[text].literals.quoted.len()).sum::<usize>();
    let only = usize::from(all == 1 && labels.len() < 2);
    let mut best: Vec<(usize, Place)> = Vec::new();
    for text in work.own().collect::<Vec<_>>() {
        for range in &work.readings[text].literals.quoted {
            let place = Place { text, range: range.clone() };
            let count = work.unit_at(&place).map_or(0, |unit| unit.shares(&labels));
            let count = count.max(only);
            if count > 0 && !work.is_rigid(&place) {
                best.push((count, place));
            }
        }
    }
    let most = best.iter().map(|(count, _)| *count).max()?;
    best.retain(|(count, _)| *count == most);
    let [(_, place)] = &best[..] else { return None };
    let (place, new) = (place.clone(), &point[quoted.clone()]);
    let old = work.at(&place).to_owned();
    let same = work.places(&old);
    let all = if same.is_empty() { vec![place] } else { same };
    work.exchange_all(&all, new)
}

/// A label of the prompt with its value.
pub struct Label {
    name: String,
    value: Place,
}

/// The labels that stand once: "Topic: travel", `topic: travel`, "| Topic | travel |", "<topic>travel</topic>".
pub fn labels(work: &Work<'_>) -> Vec<Label> {
    let line = pattern!(
        r"(?m)(?:^|[.;] |<)[ \t>*\-•|#]*(?:\d+[.)] )?(?P<l>[\p{L}][\p{L}\d _/’'-]{0,30}?)(?:\*{0,2}[ \t]*[:：=>|]\*{0,2})[ \t]*(?P<v>[^\s|<>][^\n|<>]*)"
    );
    let mut found: Vec<Label> = Vec::new();
    for text in work.own() {
        let words = work.text(text);
        let key = &work.container.texts()[text].key;
        if !key.is_empty() && !words.is_empty() {
            let value = Place { text, range: 0..words.len() };
            found.push(Label { name: key.to_lowercase(), value });
        }
        for label in line.captures_iter(words) {
            let (Some(name), Some(value)) = (label.name("l"), label.name("v")) else { continue };
            let stop = pattern!(r"[.!?](?:\s|$)|[;,(|]|\s–\s|\s+$").find(value.as_str());
            let range =
                value.start()..stop.map_or(value.end(), |stop| value.start() + stop.start());
            let place = Place { text, range };
            if !place.range.is_empty() && !work.is_rigid(&place) {
                found.push(Label { name: name.as_str().to_lowercase(), value: place });
            }
        }
    }
    let names: Vec<String> = found.iter().map(|label| label.name.clone()).collect();
    found.retain(|label| names.iter().filter(|name| **name == label.name).count() == 1);
    found
}

/// The label that a point begins with, and the value that it gives it.
pub fn labelled<'p>(labels: &[Label], point: &'p str) -> Option<(Place, &'p str)> {
    let found = labels.iter().filter_map(|label| {
        let words = label.name.split_whitespace().count();
        let lead: String = point.split_inclusive(' ').take(words).collect();
        let end = lead.trim_end().len();
        let trimmed = lead.trim_end().trim_end_matches([':', '=']).to_lowercase();
        let same = trimmed == label.name
            || words == 1 && trimmed.len() > 4 && alike(&trimmed, &label.name);
        let rest = point[end..].trim_start_matches([' ', ':', '=', '：']);
        let copula = pattern!(r"(?i)^(?:(?:{refine.copula})\s+)+");
        let rest = copula.find(rest).map_or(rest, |found| &rest[found.end()..]);
        let value = bare(rest);
        // "The stickers are confusing" gives no value.
        let weak = pattern!(r"(?i)^(?:{refine.weak})\s").is_match(point[end..].trim_start());
        let literal =
            |c: char| c.is_ascii_digit() || c.is_uppercase() || matches!(c, '"' | '“' | '«');
        if weak && !value.contains(literal) {
            return None;
        }
        // Without a mark between, only a word stands for a word.
        let marked =
            value.len() < point[end..].trim().len() || lead.trim_end().ends_with([':', '=']);
        let short = label.value.range.len() < 25 && value.split_whitespace().count() < 2;
        if !marked && !short {
            return None;
        }
        let open =
            value.contains([',', ';', '(']) && !point[..end].trim_end().ends_with([':', '=']);
        let fits = !open
            && (1..=LONGEST).contains(&value.split_whitespace().count())
            && !point[..end].ends_with(',');
        (same && fits).then(|| (label.value.clone(), value))
    });
    found.max_by_key(|(place, _)| place.range.len())
}

/// Gives a label the value that a point names.
pub fn label(work: &mut Work<'_>, point: &str) -> Option<Outcome> {
    let labels = labels(work);
    let (place, value) = labelled(&labels, point)?;
    let clause = pattern!(r"(?i)(?:^|\s)(?:{refine.clause})(?:\s|$)").is_match(value);
    if clause || super::read::is_negated(value) || super::read::adds(value) {
        return None;
    }
    let value = unquoted(value).to_owned();
    let old = work.at(&place);
    let quotation = text::literals::scan(old).quoted.into_iter().next();
    let place = match quotation {
        Some(inner) => Place {
            text: place.text,
            range: place.range.start + inner.start..place.range.start + inner.end,
        },
        None => place,
    };
    work.exchange_all(&[place], &value)
}
