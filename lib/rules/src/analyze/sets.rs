//! Sets that a prompt names, and examples that break them.

use patterns::{Pattern, pattern};

use super::mask::{Kind, lines};
use super::numbers::items;
use super::reading::Reading;
use super::rule::Spot;
use super::span::Span;

/// Rows of labels that are looked at.
const LOOKED_AT: usize = 8;
/// Characters of a label.
const LONGEST_LABEL: usize = 24;

/// Sets of labels that are named: "Allowed tags: a, b, c", "as positive, negative or neutral".
fn named(reading: &Reading<'_>) -> Vec<Vec<String>> {
    let rows = [
        pattern!(
            r"(?i)\b{analyze.labels}(?: {analyze.are})?(?: \([^()\n]{1,40}\)| \p{L}{1,12})?:(?: ?|[ \t]*\r?\n)(?P<row>[^.:;!?\n]{5,200})"
        ),
        pattern!(
            r"(?i)\b{analyze.as_label} (?P<row>[\p{L}-]+(?:, [\p{L}-]+)* {analyze.or} [\p{L}-]+)"
        ),
        pattern!(r"(?i)\b{analyze.one_of}:? (?P<row>[^.:;!?\n]{5,200})"),
        pattern!(r"(?:{analyze.labels_scripted})[：:。]?\s*(?P<row>[^。；;：:\n]{3,120})"),
    ];
    let short =
        |item: &&str| item.split_whitespace().count() <= 2 && item.chars().count() <= LONGEST_LABEL;
    let mut sets = Vec::new();
    for found in
        rows.iter().flat_map(|row| row.captures_iter(&reading.source.prose).take(LOOKED_AT))
    {
        let row = items(found.name("row").map_or("", |row| row.as_str()));
        if row.len() >= 2 && row.iter().all(short) {
            sets.push(row.into_iter().map(str::to_owned).collect());
        }
    }
    sets
}

/// A key with a value.
const PAIR: Pattern =
    pattern!(r"\x22(?P<key>\w{2,40})\x22 ?: ?\x22(?P<value>[\p{L}\d_ -]{2,24})\x22");

/// Values that a form names for a key, and an example that has another one there: `"kind": "a" | "b"`, then `"kind": "c"`.
fn outside_form(reading: &Reading<'_>) -> Vec<Spot> {
    let text = reading.source.text;
    let form = pattern!(
        r"\x22(?P<key>\w{2,40})\x22 ?: ?(?P<row>\x22[\p{L}\d_ -]{1,24}(?:\x22? ?\| ?\x22?[\p{L}\d_ -]{1,24}){1,20}\x22)"
    );
    let mut spots = Vec::new();
    for form in form.captures_iter(text).take(LOOKED_AT) {
        let values: Vec<&str> =
            form["row"].split('|').map(|it| it.trim_matches(['"', ' '])).collect();
        let own = form.get_match().start();
        let pairs = PAIR.captures_iter(text).filter(|pair| pair["key"] == form["key"]);
        for value in
            pairs.filter(|pair| pair.get_match().start() != own).filter_map(|it| it.name("value"))
        {
            if !values.contains(&value.as_str()) {
                spots.push(Spot::naming(value.range().into(), values.join(", ")));
            }
        }
    }
    spots
}

/// A label of an example and where it stands.
type Label = (Span, String);

/// Labels that examples show, by the place where they stand: behind an arrow, below a quotation, behind a name or a key.
fn shown(reading: &Reading<'_>) -> Vec<Vec<Label>> {
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
    let mut groups: Vec<Vec<Label>> = places.into_iter().map(labels).collect();
    let mut named: Vec<(String, Vec<Label>)> = Vec::new();
    let mut add = |name: &str, span: Span| {
        let label = (span, text[span.start..span.end].to_owned());
        match named.iter_mut().find(|(other, _)| other == name) {
            Some((_, group)) => group.push(label),
            None => named.push((name.to_owned(), vec![label])),
        }
    };
    for part in reading.source.mask.of(Kind::Example) {
        for (span, line) in lines(reading.source.slice(part)) {
            let Some((name, value)) = line.split_once([':', '：']) else { continue };
            let end = part.start + span.end;
            let value = value.trim();
            if !value.is_empty() && !value.starts_with(['{', '[', '<']) {
                add(name.trim(), Span::new(end - value.len(), end));
            }
        }
    }
    for found in PAIR.captures_iter(text) {
        if let Some(value) = found.name("value") {
            add(&format!("\"{}", &found["key"]), value.range().into());
        }
    }
    let list = pattern!(r"\[(?:\x22[\p{L}\d_ -]{2,24}\x22,? ?){2,12}\]");
    let item = pattern!(r"\x22(?P<v>[^\x22]+)\x22");
    for found in list.find_iter(text) {
        for item in item.captures_iter(found.as_str()).filter_map(|item| item.name("v")) {
            add("[", Span::from(item.range()).moved(found.start()));
        }
    }
    groups.extend(named.into_iter().map(|(_, group)| group));
    groups
}

/// An example's label that is none of those named, or is spelled in another way.
pub fn example_outside_set(reading: &Reading<'_>) -> Vec<Spot> {
    let sets = named(reading);
    let mut spots = outside_form(reading);
    for group in shown(reading) {
        for set in &sets {
            let is_named = |label: &str| set.iter().any(|one| one == label);
            // Several labels at once are no label of their own.
            let strange = |(_, label): &&Label| !items(label).into_iter().all(is_named);
            let wrong: Vec<&Label> = group.iter().filter(strange).collect();
            let known = group.len() - wrong.len();
            if known > 0 && known >= wrong.len() {
                spots.extend(wrong.iter().map(|(span, _)| Spot::naming(*span, set.join(", "))));
            }
        }
    }
    spots.sort_by_key(|spot| spot.span);
    spots.dedup_by_key(|spot| spot.span);
    spots
}
