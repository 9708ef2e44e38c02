//! Numbers with their nouns: what they announce, and what they add up to.

use patterns::{Pattern, pattern, table};

use super::mask::lines;
use super::reading::Reading;
use super::rule::Spot;
use super::span::Span;
use text::list;

/// The words for numbers.
const VALUES: &[(&str, Pattern)] = table!("number_values", r"^{}$");

/// The value of a number in figures or words.
pub fn value(text: &str) -> Option<usize> {
    let text = text.trim().to_lowercase();
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        return text.parse().ok();
    }
    VALUES.iter().find(|(_, words)| words.is_match(&text))?.0.parse().ok()
}

/// The items of a row, unless it is left open.
pub fn items(row: &str) -> Vec<&str> {
    if pattern!(r"(?i)\b{analyze.open_end}\b|…|\.\.\.|{analyze.open_end_scripted}").is_match(row)
    {
        return Vec::new();
    }
    let apart = pattern!(r"(?i)\s*(?:[,;、，/|]\s*(?:{analyze.and}\s+)?|\s{analyze.and}\s)\s*");
    apart
        .split(row.trim())
        .map(|item| item.trim_matches(['"', '“', '”', '„', '«', '»', ' ', '`', '\'']))
        .filter(|item| !item.is_empty())
        .collect()
}

/// A number that announces another number of things than there are: "three sections:" above four items.
pub fn wrong_number(reading: &Reading<'_>) -> Vec<Spot> {
    let mut spots = Vec::new();
    let number = pattern!(r"(?i)\b(?:\d{1,2}|{analyze.number})\b");
    for sentence in &reading.source.sentences {
        let text = reading.source.prose_of(sentence.span);
        for found in number.find_iter(text) {
            let place = Span::from(found.range()).moved(sentence.span.start);
            let rest = &text[found.end()..];
            let announced = value(found.as_str()).filter(|n| (2..=20).contains(n));
            let Some(announced) = announced.filter(|_| !is_measure(rest)) else { continue };
            let named = in_row(rest).or_else(|| in_lines(reading, rest, sentence.span.end));
            if let Some(named) = named.filter(|named| *named != announced) {
                let noun = pattern!(r"^(?: \p{L}[\p{L}-]*){0,2}").find(rest);
                let end = place.end + noun.map_or(0, |noun| noun.len());
                spots.push(Spot::naming(Span::new(place.start, end), named.to_string()));
                break;
            }
        }
    }
    spots
}

/// Whether the noun behind a number is a measure, which announces nothing.
fn is_measure(rest: &str) -> bool {
    pattern!(r"(?i)^[ -]{0,2}(?:\p{L}+ )?{analyze.measure}\b|^[ -]{analyze.little}\b|^[.,:]?\d|^ ?[%°:€$£]").is_match(rest)
}

/// Items behind the number in its sentence: "5 categories: a, b, c" and "3 options (a, b, c, d)".
fn in_row(rest: &str) -> Option<usize> {
    let bracketed = pattern!(r"^ [\p{L}’'-]+(?: [\p{L}’'-]+){0,2} ?\((?P<row>[^()]{3,200})\)");
    let behind = pattern!(
        r"(?i)^ [\p{L}’'-]+(?: [\p{L}’'-]+){0,3}(?: ?: | {analyze.in_order}:? )(?P<row>[^.:;!?\n]{3,200})"
    );
    if let Some(found) = bracketed.captures(rest) {
        let row = items(found.name("row")?.as_str());
        let marks = row.iter().all(|item| item.chars().count() <= 2);
        return (row.len() >= 3 && marks).then_some(row.len());
    }
    let found = behind.captures(rest)?;
    let row = items(found.name("row")?.as_str());
    // "12 questions: 4 easy, 8 hard" are counts themselves.
    let short = |item: &&str| {
        item.split_whitespace().count() <= 3 && !item.starts_with(|c: char| c.is_ascii_digit())
    };
    (row.len() >= 2 && row.iter().all(short)).then_some(row.len())
}

/// Items of the list below the number: "three sections:", "three questions before you start:".
fn in_lines(reading: &Reading<'_>, rest: &str, end: usize) -> Option<usize> {
    let leads = pattern!(
        r"(?i)^ [\p{L}’'-]+(?: [\p{L}’'-]+){0,2}(?: {analyze.announcing}(?: [\p{L}’'-]+){0,4})? ?:\s*$"
    );
    let below = leads.find(rest).and(reading.source.text[end..].split_once('\n'))?.1;
    let below = below.strip_prefix('\n').unwrap_or(below);
    let depth = |line: &str| line.len() - line.trim_start().len();
    let shape = |line: &str| match line.trim_start() {
        line if list::is_item(line) => 1,
        line if line.starts_with("**") => 2,
        _ => 0,
    };
    let block: Vec<&str> =
        below.lines().take(100).take_while(|line| !line.trim().is_empty()).collect();
    let first = *block.first()?;
    let own = |line: &&&str| depth(line) == depth(first) && shape(line) == shape(first);
    let count = block.iter().filter(own).count();
    // Items go on behind an empty line.
    let more = below.lines().skip(block.len()).find(|line| !line.trim().is_empty());
    let goes_on =
        more.is_some_and(|line| depth(line) == depth(first) && shape(line) == shape(first));
    (shape(first) > 0 && count >= 2 && !goes_on).then_some(count)
}

/// A number with its unit.
struct Amount {
    number: usize,
    /// A sign or a noun in small letters, without its plural.
    unit: String,
    span: Span,
}

fn amounts(text: &str) -> Vec<Amount> {
    let amount = pattern!(
        r"(?P<s>[$€£])?(?P<n>\d{1,3}(?:[.,]\d{3})+|\d{1,6}(?P<d>[.,]\d{1,2})?)(?: ?(?P<u>[$€£%])| (?P<w>\p{L}{2,}))?"
    );
    let read = |found: patterns::Captures<'_>| {
        if found.name("d").is_some() {
            return None;
        }
        let digits: String = found["n"].chars().filter(char::is_ascii_digit).collect();
        let unit = ["s", "u", "w"].iter().find_map(|name| found.name(name))?.as_str();
        let unit = unit.to_lowercase();
        Some(Amount {
            number: digits.parse().ok()?,
            unit: unit.strip_suffix('s').unwrap_or(&unit).to_owned(),
            span: found.get_match().range().into(),
        })
    };
    amount.captures_iter(text).filter_map(read).collect()
}

/// Parts that a whole is said to have.
const FEWEST_PARTS: usize = 3;

/// Parts that do not add up to their whole: shares that miss a hundred, points, a budget, a row of counts.
pub fn wrong_sum(reading: &Reading<'_>) -> Vec<Spot> {
    let mut spots: Vec<Spot> = Vec::new();
    for sentence in &reading.source.sentences {
        let text = reading.source.prose_of(sentence.span);
        let spot = in_sentence(text).or_else(|| counted(reading, sentence.span));
        spots.extend(spot.map(|sum| Spot::naming(sentence.span, sum.to_string())));
    }
    spots.extend(below_each_other(reading));
    spots
}

/// A sentence with parts of one unit: weights that miss a hundred, amounts that miss the total.
fn in_sentence(text: &str) -> Option<usize> {
    let found = amounts(text);
    let weighs = pattern!(r"(?i)\b{analyze.weights}\b|{analyze.weights_scripted}");
    let total = pattern!(r"(?i)\b(?:{analyze.total})\b[^.;\d\n]{0,30}$");
    let behind = pattern!(r"(?i)^[^.;,\d\n]{0,8}\b(?:{analyze.total})\b");
    let is_total = |one: &&Amount| {
        total.is_match(text::tail(&text[..one.span.start], NEAR))
            || behind.is_match(text::head(&text[one.span.end..], NEAR))
    };
    let whole = found.iter().find(is_total);
    let unit = whole.map_or("%", |whole| whole.unit.as_str());
    let parts = found.iter().filter(|one| one.unit == unit);
    let parts = parts.filter(|one| whole.is_none_or(|whole| whole.span != one.span));
    let parts: Vec<usize> = parts.map(|one| one.number).collect();
    let whole = match whole {
        Some(whole) => whole.number,
        None if weighs.is_match(text) => 100,
        None => return None,
    };
    misses(&parts, whole, weighs.is_match(text))
}

/// The sum of parts, if it surely misses the whole: what is left of a budget may be spent later, what is left of weights
/// cannot.
fn misses(parts: &[usize], whole: usize, weighs: bool) -> Option<usize> {
    let sum: usize = parts.iter().sum();
    let is_whole = parts.len() >= FEWEST_PARTS && parts.iter().all(|part| *part < whole);
    let rounded = whole == 100 && (98..=102).contains(&sum);
    let beyond = sum > whole && sum < whole * 2;
    let short = weighs && sum < whole && sum * 2 > whole;
    (is_whole && !rounded && (beyond || short)).then_some(sum)
}

/// The sum of a row of nothing but counts, where the prompt asks for another number: "10 questions" and "4 easy, 4
/// medium, 5 hard".
fn counted(reading: &Reading<'_>, sentence: Span) -> Option<usize> {
    let text = reading.source.prose_of(sentence);
    let row = text.trim_end_matches(['.', ' ', ')']).rsplit([':', '(']).next()?;
    let counts: Option<Vec<usize>> = items(row)
        .into_iter()
        .map(|item| {
            let count = pattern!(r"^(?P<n>\d{1,2})(?P<rest> \p{L}[\p{L}-]*(?: \p{L}[\p{L}-]*)?)$");
            let found = count.captures(item)?;
            value(&found["n"]).filter(|_| !is_measure(&found["rest"]))
        })
        .collect();
    let sum: usize = counts.filter(|counts| counts.len() >= 2)?.iter().sum();
    let before =
        text::tail(&reading.source.prose[..sentence.end - row.len().min(sentence.end)], 240);
    let asked = pattern!(r"(?i)\b(?P<n>\d{1,2}) (?:[\p{L}-]+ ){0,2}[\p{L}-]{3,}\b");
    let asked = asked.captures_iter(before).last()?;
    let wanted = value(&asked["n"])
        .filter(|_| !is_measure(&before[asked.name("n").map_or(0, |n| n.end())..]))?;
    let beside = wanted > 3 && wanted != sum && sum < wanted * 2 && sum * 2 > wanted;
    (beside && !reading.is_conditional(sentence)).then_some(sum)
}

/// Words of a line that says a part and its share.
const SHORT: usize = 12;
/// Bytes around parts in which their whole is named.
const NEAR: usize = 300;

/// Lines below each other, each with one amount of the same unit, and a whole above them that they miss.
fn below_each_other(reading: &Reading<'_>) -> Vec<Spot> {
    let source = &reading.source;
    let mut spots = Vec::new();
    let mut block: Vec<(Span, Vec<Amount>)> = Vec::new();
    for (span, line) in lines(&source.prose).chain([(Span::at(source.prose.len()), "")]) {
        let found = amounts(line);
        let short = line.split_whitespace().count() <= SHORT && !line.ends_with([':', '：']);
        let part = short && !found.is_empty();
        let alike = |one: &Amount| {
            block.last().is_none_or(|(_, last)| last.iter().any(|other| other.unit == one.unit))
        };
        if part && found.iter().any(alike) {
            block.push((span, found));
            continue;
        }
        spots.extend(missed(reading, &block));
        block.clear();
    }
    spots
}

fn missed(reading: &Reading<'_>, block: &[(Span, Vec<Amount>)]) -> Option<Spot> {
    let source = &reading.source;
    let (first, last) = (block.first()?, block.last()?);
    let of = |unit: &str, found: &[Amount]| -> Vec<usize> {
        found.iter().filter(|one| one.unit == unit).map(|one| one.number).collect()
    };
    let shared = |one: &&Amount| block.iter().all(|(_, found)| of(&one.unit, found).len() == 1);
    let unit = first.1.iter().find(shared)?.unit.as_str();
    let parts: Vec<usize> = block.iter().flat_map(|(_, found)| of(unit, found)).collect();
    let place = Span::new(first.0.start, last.0.end);
    let above = text::tail(&source.prose[..place.start], NEAR);
    let bounds = pattern!(r"(?i)\b(?:{analyze.each_bound})\b");
    if bounds.is_match(source.prose_of(place)) {
        return None;
    }
    let weighs = pattern!(r"(?i)\b{analyze.weights}\b|{analyze.weights_scripted}").is_match(above);
    let whole = match amounts(above).into_iter().rfind(|one| one.unit == unit) {
        Some(whole) => whole.number,
        None if unit == "%" && weighs => 100,
        None => return None,
    };
    // Prices below a limit are no parts of it; what nearly adds up is meant to.
    let total = pattern!(r"(?i)\b(?:{analyze.total})\b").is_match(above) || weighs;
    let sum = misses(&parts, whole, true)?;
    (total || sum.abs_diff(whole) * 4 <= whole).then(|| Spot::naming(place, sum.to_string()))
}
