//! Examples that contradict what the prompt says of all answers.

use patterns::{Pattern, pattern};

use super::announced::items;
use super::mask::Kind;
use super::reading::Reading;
use super::rule::Spot;
use super::span::Span;

/// Rows of labels that are looked at.
const LOOKED_AT: usize = 8;

/// Labels that are named: "Allowed tags: a, b, c", "as positive, negative or neutral".
fn named(reading: &Reading<'_>) -> Vec<String> {
    let lists = [
        pattern!(r"(?i)\b{analyze.labels}(?: {analyze.are})?: ?(?P<row>[^.:;!?\n]{5,200})"),
        pattern!(
            r"(?i)\b{analyze.as_label} (?P<row>[\p{L}-]+(?:, [\p{L}-]+)* {analyze.or} [\p{L}-]+)"
        ),
        pattern!(r"(?i)\b{analyze.one_of}:? (?P<row>[^.:;!?\n]{5,200})"),
        pattern!(r"(?:{analyze.labels_scripted})[：:。]?\s*(?P<row>[^。；;：:\n]{3,120})"),
    ];
    for list in lists {
        for found in list.captures_iter(&reading.source.prose).take(LOOKED_AT) {
            let row = items(found.name("row").map_or("", |row| row.as_str()));
            let short =
                |item: &&str| item.split_whitespace().count() <= 2 && item.chars().count() <= 24;
            if row.len() >= 2 && row.iter().all(short) {
                return row.into_iter().map(str::to_owned).collect();
            }
        }
    }
    Vec::new()
}

/// Answers that examples show, by the place where they stand: behind an arrow, below a quotation, behind a label.
fn shown(reading: &Reading<'_>) -> Vec<Vec<(Span, String)>> {
    let text = reading.source.text;
    let places = [
        pattern!(
            r"(?m)^[ \t]*(?:[-*] )?(?:[\x22“„«「][^\n]{2,300}[\x22”“»」][ \t]*(?:[:-]?->|=>|→|⇒|:|：)?|[^\n]{3,200}?(?:->|=>|→|⇒))[ \t]*(?P<label>[\p{L}_-]+(?: [\p{L}_-]+)?)[ \t]*$"
        ),
        pattern!(
            r"(?m)^[^\n]{0,30}[\x22“„«「][^\n]{2,300}[\x22”“»」][ \t]*\r?\n[ \t]*(?:\p{L}{3,12}[:：] ?)?(?P<label>[\p{L}_-]+(?: [\p{L}_-]+)?)[ \t]*$"
        ),
    ];
    let labels = |place: Pattern| {
        let found = place.captures_iter(text).filter_map(|found| found.name("label"));
        found.map(|label| (Span::from(label.range()), label.as_str().to_owned())).collect()
    };
    let mut groups: Vec<Vec<(Span, String)>> = places.into_iter().map(labels).collect();
    let mut turns: Vec<(&str, Vec<(Span, String)>)> = Vec::new();
    for span in reading.source.mask.of(Kind::Example) {
        let Some((label, value)) = reading.source.slice(span).split_once([':', '：']) else {
            continue;
        };
        let value = value.trim();
        let shown = (Span::new(span.end - value.len(), span.end), value.to_owned());
        let known = turns.iter_mut().find(|(other, _)| *other == label);
        if value.is_empty() || value.starts_with(['{', '[', '<']) {
        } else if let Some((_, group)) = known {
            group.push(shown);
        } else {
            turns.push((label, vec![shown]));
        }
    }
    groups.extend(turns.into_iter().map(|(_, group)| group));
    groups
}

/// An example's label that is none of those named, or is spelled in another way.
pub fn outside_set(reading: &Reading<'_>) -> Vec<Spot> {
    let named = named(reading);
    let is_named = |label: &str| named.iter().any(|one| one == label);
    // Several labels at once are no label of their own.
    let strange =
        |(_, label): &&(Span, String)| !items(label).into_iter().all(is_named) || label.is_empty();
    let mut spots: Vec<Spot> = Vec::new();
    for group in shown(reading).iter().filter(|_| !named.is_empty()) {
        let wrong: Vec<_> = group.iter().filter(strange).collect();
        let known = group.len() - wrong.len();
        if known > 0 && known >= wrong.len() {
            spots.extend(wrong.iter().map(|(span, _)| Spot::naming(*span, named.join(", "))));
        }
    }
    spots.dedup_by_key(|spot| spot.span);
    spots
}

/// Fields of an object that are named, and an example with others: "keys: name, age" and `{"name": "Ann", "years": 3}`.
pub fn different_fields(reading: &Reading<'_>) -> Vec<Spot> {
    other_field(reading).into_iter().collect()
}

fn other_field(reading: &Reading<'_>) -> Option<Spot> {
    let text = reading.source.text;
    let listed = pattern!(
        r"(?i)\b(?:{analyze.fields})\b[^:.\n]{0,30}?:? (?P<row>`?\w+`?(?:, `?\w+`?)+(?:,? {analyze.and} `?\w+`?)?)"
    );
    let field =
        pattern!(r"(?m)^[ \t]*[-*•] *[`\x22]?(?P<name>[a-z]\w*)[`\x22]?(?: \(|:|$| [–—-] )");
    let row = listed.captures(text).and_then(|found| Some(items(found.name("row")?.as_str())));
    let named: Vec<&str> = match row {
        Some(row) => row,
        None => field
            .captures_iter(text)
            .filter_map(|found| Some(found.name("name")?.as_str()))
            .collect(),
    };
    let object = pattern!(r"\{\s*\x22[^{}]*\}").find_iter(text).last()?;
    let keys = pattern!(r"[{,]\s*\x22(?P<key>\w+)\x22\s*:");
    let keys: Vec<(&str, Span)> = keys
        .captures_iter(object.as_str())
        .filter_map(|found| found.name("key"))
        .map(|key| (key.as_str(), Span::from(key.range()).moved(object.start())))
        .collect();
    let known = keys.iter().filter(|(key, _)| named.contains(key)).count();
    let absent = named.iter().find(|name| text.match_indices(**name).count() == 1)?;
    let (_, strange) = keys
        .iter()
        .find(|(key, _)| !named.contains(key) && text.match_indices(key).count() == 1)?;
    (known >= 1 && known * 2 >= keys.len() && keys.len() <= named.len())
        .then(|| Spot::naming(*strange, *absent))
}
