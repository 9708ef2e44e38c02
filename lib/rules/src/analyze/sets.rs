//! Sets that a prompt names, and examples that break them: labels, fields, values, JSON.

use patterns::{Pattern, pattern};
use serde::de::IgnoredAny;

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
        pattern!(r"(?i)\b{analyze.labels}(?: {analyze.are})?: ?(?P<row>[^.:;!?\n]{5,200})"),
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
    let pair = pattern!(r"\x22(?P<key>\w{2,40})\x22 ?: ?\x22(?P<value>[\p{L}\d_ -]{2,24})\x22");
    for found in pair.captures_iter(text) {
        if let Some(value) = found.name("value") {
            add(&format!("\"{}", &found["key"]), value.range().into());
        }
    }
    groups.extend(named.into_iter().map(|(_, group)| group));
    groups
}

/// An example's label that is none of those named, or is spelled in another way.
pub fn example_outside_set(reading: &Reading<'_>) -> Vec<Spot> {
    let sets = named(reading);
    let mut spots: Vec<Spot> = Vec::new();
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

/// Fields and columns that are looked at.
const MOST_FIELDS: usize = 60;

/// Fields that are named, and an example with others: "keys: name, age" and `{"name": "Ann", "years": 3}`, or a row of
/// headings with one more column.
pub fn different_fields(reading: &Reading<'_>) -> Vec<Spot> {
    let text = reading.source.text;
    let listed = pattern!(
        r"(?i)\b(?:{analyze.fields})\b[^:.\n]{0,30}?:? (?P<row>`?\w+`?(?:, `?\w+`?(?: \([^()\n]{1,40}\))?)+(?:,? {analyze.and} `?\w+`?)?)"
    );
    let field =
        pattern!(r"(?m)^[ \t]*[-*•] *[`\x22]?(?P<name>[a-z]\w*)[`\x22]?(?: \(|:|$| [–—-] )");
    let bare =
        |item: &str| item.split(" (").next().unwrap_or_default().trim_matches('`').to_owned();
    let row = listed.captures(text);
    let named: Vec<String> = match &row {
        Some(row) => items(&row["row"]).into_iter().take(MOST_FIELDS).map(bare).collect(),
        None => field
            .captures_iter(text)
            .take(MOST_FIELDS)
            .map(|found| found["name"].to_owned())
            .collect(),
    };
    let behind = row.as_ref().map_or(0, |row| row.get_match().end());
    let shown = keys(text).or_else(|| header(text, behind, &named)).unwrap_or_default();
    let is_known = |key: &str| named.iter().any(|name| name == key);
    let once = |word: &str| text.match_indices(word).count() == 1;
    let known = shown.iter().filter(|(_, key)| is_known(key)).count();
    let strange = shown.iter().find(|(_, key)| !is_known(key) && once(key));
    let absent = named.iter().find(|name| once(name));
    let alike = known >= 1 && known * 2 >= shown.len();
    // One field more is as wrong in rows, where each has its place, as another name is in an object.
    let row = text[behind..].contains(';') && shown.len() > named.len() && known == named.len();
    match (strange, absent) {
        (Some((span, _)), Some(absent)) if alike && shown.len() <= named.len() => {
            vec![Spot::naming(*span, absent)]
        }
        (Some((span, _)), _) if alike && row => vec![Spot::naming(*span, named.join(", "))],
        _ => Vec::new(),
    }
}

/// The keys of the last object that is shown.
fn keys(text: &str) -> Option<Vec<Label>> {
    let object = pattern!(r"\{\s*\x22[^{}]*\}").find_iter(text).last()?;
    let key = pattern!(r"[{,]\s*\x22(?P<key>\w+)\x22\s*:");
    let keys =
        key.captures_iter(object.as_str()).take(MOST_FIELDS).filter_map(|found| found.name("key"));
    let label = |span: Span| (span, text[span.start..span.end].to_owned());
    Some(keys.map(|key| label(Span::from(key.range()).moved(object.start()))).collect())
}

/// The headings of a row behind the names of its columns, most of which it has.
fn header(text: &str, from: usize, named: &[String]) -> Option<Vec<Label>> {
    let cells = |span: Span, line: &str| -> Vec<Label> {
        let mut at = from + span.start;
        let cells = line.split([';', ',', '\t', '|']).map(|cell| {
            let label = (Span::new(at, at + cell.len()), cell.trim().to_owned());
            at += cell.len() + 1;
            label
        });
        cells.take(MOST_FIELDS).filter(|(_, cell)| !cell.is_empty()).collect()
    };
    let has = |row: &[Label]| row.iter().filter(|(_, cell)| named.contains(cell)).count();
    let mut rows = lines(&text[from..]).skip(1).map(|(span, line)| cells(span, line));
    rows.find(|row| row.len() >= 3 && has(row) * 2 >= row.len() && has(row) >= 3)
}

/// Bytes before an object in which it is announced, and of a prompt that say what is to be done.
const NEAR: usize = 200;
/// Objects that are looked at.
const MOST_OBJECTS: usize = 20;

/// An object or a list that is shown and is no valid JSON, as a program will read it: a comma too many, a brace too few.
/// One with words or marks of a template in it shows a form only.
pub fn invalid_example(reading: &Reading<'_>) -> Vec<Spot> {
    let text = reading.source.text;
    if reading.source.mask.is_object {
        return Vec::new();
    }
    // What is to be mended is broken.
    let shape = pattern!(r"(?i)\b{analyze.shape}\b");
    if pattern!(r"(?i)\b{analyze.faulty}\b").is_match(text::head(text, NEAR)) {
        return Vec::new();
    }
    let begins = pattern!(r"(?m)^[ \t]*(?P<o>\{[ \t]*(?:\x22|$)|\[[ \t]*(?:[{\[\x22]|$))");
    let (mut spots, mut done) = (Vec::new(), 0);
    for found in begins.captures_iter(text).take(MOST_OBJECTS) {
        let Some(start) = found.name("o").map(|found| found.start()).filter(|at| *at >= done)
        else {
            continue;
        };
        let rest = &text[start..];
        let fence = rest.find("\n```").unwrap_or(rest.len());
        let block = &rest[..rest.find("\n\n").unwrap_or(rest.len()).min(fence)];
        let block = block.trim_end();
        done = start + block.len();
        let strict = pattern!(
            r"^(?:\s|[{}\[\],:]|\x22(?:[^\x22\\\n]|\\.)*\x22|-?\d+(?:\.\d+)?(?:[eE]\d+)?|\btrue\b|\bfalse\b|\bnull\b)+$"
        );
        let values = serde_json::Deserializer::from_str(block).into_iter::<IgnoredAny>();
        let Some(error) = values.filter_map(Result::err).next() else { continue };
        let before = block.split_inclusive('\n').take(error.line() - 1);
        let at = before.map(str::len).sum::<usize>() + error.column().saturating_sub(1);
        let at = block.floor_char_boundary(at.min(block.len()));
        // Between objects, a comma is that of the list that they stand in.
        let strings = pattern!(r"\x22(?:[^\x22\\\n]|\\.)*\x22").replace_all(&block[..at], "");
        let depth = strings.matches(['{', '[']).count() > strings.matches(['}', ']']).count();
        let announced = shape.is_match(text::tail(&text[..start], NEAR));
        if depth && announced && strict.is_match(block) {
            let line = text[..start + at].rfind('\n').map_or(0, |at| at + 1);
            let end = text[start + at..].find('\n').map_or(text.len(), |end| start + at + end);
            spots.push(Spot::new(Span::new(line, end)));
        }
    }
    spots
}
