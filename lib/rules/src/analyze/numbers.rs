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
        let text = reading.source.prose_of(*sentence);
        for found in number.find_iter(text) {
            let place = Span::from(found.range()).moved(sentence.start);
            let rest = &text[found.end()..];
            let announced = value(found.as_str()).filter(|n| (2..=20).contains(n));
            let before = text::tail(&text[..found.start()], 8);
            // "0 to 5 points" is a scale.
            let is_end = pattern!(r"(?i)\d ?(?:[-–]|{analyze.to}) ?$").is_match(before);
            let announced = announced.filter(|_| !is_end && !is_measure(rest));
            let Some(announced) = announced else { continue };
            let named = in_row(rest).or_else(|| in_lines(reading, rest, sentence.end));
            if let Some(named) = named.filter(|named| *named != announced) {
                let noun = pattern!(r"^(?: \p{L}[\p{L}-]*){0,2}").find(rest);
                let end = place.end + noun.map_or(0, |noun| noun.as_str().len());
                spots.push(Spot::naming(Span::new(place.start, end), named.to_string()));
                break;
            }
        }
    }
    spots.extend(beyond(reading));
    spots
}

/// Whether the noun behind a number is a measure, which announces nothing.
fn is_measure(rest: &str) -> bool {
    pattern!(r"(?i)^[ -]{0,2}(?:\p{L}+ )?{analyze.measure}\b|^[ -]{analyze.little}\b|^ {sentences.month}|^[.,:]?\d|^ ?[%°:€$£]").is_match(rest)
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

/// Items of the list below the number, or the sum of the counts that they begin with: "three sections:", "three questions
/// before you start:".
fn in_lines(reading: &Reading<'_>, rest: &str, end: usize) -> Option<usize> {
    let leads = pattern!(
        r"(?i)^ [\p{L}’'-]+(?: [\p{L}’'-]+){0,2}(?: {analyze.announcing}(?: [\p{L}’'-]+){0,4})? ?:\s*$"
    );
    let below = leads.find(rest).and(reading.source.text[end..].split_once('\n'))?.1;
    let below = below.strip_prefix('\n').unwrap_or(below);
    let depth = below.len() - below.trim_start().len();
    let own = |line: &&str| {
        let lead = line.len() - line.trim_start().len();
        lead == depth && (list::is_item(line) || line.trim_start().starts_with("**"))
    };
    let block = below.find("\n\n").map_or(below, |end| &below[..end]);
    let listed = block.lines().filter(own);
    // "8 on grammar", "6 on spelling" are counts themselves.
    let part = |item: &str| {
        pattern!(r"^\W*(?P<n>\d{1,2}) \p{L}").captures(item).and_then(|it| value(&it["n"]))
    };
    let parts: Option<Vec<usize>> = listed.clone().map(part).collect();
    let count = listed.count();
    // Items go on behind an empty line.
    let more = below[block.len()..].lines().find(|line| !line.trim().is_empty());
    let is_list = block.lines().next().is_some_and(|line| own(&line));
    let is_whole = is_list && count >= 2 && !more.is_some_and(|line| own(&line));
    is_whole.then(|| parts.map_or(count, |parts| parts.iter().sum()))
}

/// How a prompt speaks of things by number: their noun, the number, and where.
type Mention<'a> = (&'a str, usize, Span);

/// "Paragraph 4" where three paragraphs are asked for, and "each of the 7 days" where five are.
fn beyond(reading: &Reading<'_>) -> Vec<Spot> {
    let prose = &reading.source.prose;
    let of = |pattern: Pattern| -> Vec<Mention<'_>> {
        let read = |found: patterns::Captures<'_>| {
            let noun = found.name("noun")?;
            let last = found["n"].rsplit([' ', ',']).next()?;
            let span = found.get_match().range().into();
            Some((&prose[noun.range()], value(last)?, span))
        };
        pattern.captures_iter(prose).take(LOOKED_AT).filter_map(read).collect()
    };
    let counted = of(pattern!(r"(?i)\b(?P<n>\d{1,2}|{analyze.number})[ -](?P<noun>\p{L}{4,})\b"));
    let each = of(pattern!(
        r"(?i)\b{analyze.each_of} (?P<n>\d{1,2}|{analyze.number}) (?P<noun>\p{L}{4,})\b"
    ));
    let numbered = of(pattern!(
        r"\b(?P<noun>\p{Lu}\p{L}{3,}) (?P<n>\d{1,2}(?:(?:, ?| {analyze.and} )\d{1,2})*)\b"
    ));
    // The only number of such things.
    let asked = |noun: &str| {
        let own = counted.iter().filter(|(_, _, span)| !each.iter().any(|it| it.2.meets(*span)));
        let mut own = own.filter(|(other, ..)| is_one_noun(noun, other)).map(|(_, n, _)| *n);
        let first = own.next().filter(|n| *n >= 2)?;
        own.all(|n| n == first).then_some(first)
    };
    // A thing of another text stands within a sentence, and alone.
    let foreign = pattern!(r"(?i)^ {analyze.of_another}\b");
    let is_own = |(noun, _, span): &&Mention<'_>| {
        let others = numbered.iter().filter(|(other, ..)| other.eq_ignore_ascii_case(noun));
        !foreign.is_match(&prose[span.end..])
            && (reading.sentence_at(span.start).1.start == span.start
                || others.count() >= 2
                || prose[span.start..span.end].contains(','))
    };
    let beyond = numbered.iter().filter(|(noun, n, _)| asked(noun).is_some_and(|most| *n > most));
    let beyond = beyond.filter(is_own);
    let other = each.iter().filter(|(noun, n, _)| asked(noun).is_some_and(|own| *n != own));
    let spot = |(noun, _, span): &Mention<'_>| {
        Spot::naming(*span, asked(noun).unwrap_or_default().to_string())
    };
    beyond.chain(other).map(spot).collect()
}

/// Mentions that are looked at.
const LOOKED_AT: usize = 60;

/// Whether two words are one noun in the singular and the plural: "Absatz" and "Absätzen".
fn is_one_noun(one: &str, other: &str) -> bool {
    let (one, other) = (one.to_lowercase(), other.to_lowercase());
    let alike =
        |(a, b): &(char, char)| a == b || ('à'..='ÿ').contains(a) || ('à'..='ÿ').contains(b);
    let same = one.chars().zip(other.chars()).take_while(alike).count();
    let longest = one.chars().count().max(other.chars().count());
    same >= 4 && same + 2 >= longest
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
        let digits: String = found["n"].chars().filter(char::is_ascii_digit).collect();
        let unit = ["s", "u", "w"].iter().find_map(|name| found.name(name))?.as_str();
        let unit = unit.to_lowercase();
        let unit = unit.strip_suffix('s').unwrap_or(&unit).to_owned();
        let span = found.get_match().range().into();
        found.name("d").is_none().then_some(Amount { number: digits.parse().ok()?, unit, span })
    };
    amount.captures_iter(text).filter_map(read).collect()
}

/// Parts that a whole is said to have.
const FEWEST_PARTS: usize = 3;
/// Words of a line that says a part and its share.
const SHORT: usize = 12;
/// Bytes around parts in which their whole is named.
const NEAR: usize = 300;

/// Parts that do not add up to their whole: shares that miss a hundred, points, a budget, a row of counts.
pub fn wrong_sum(reading: &Reading<'_>) -> Vec<Spot> {
    let mut spots: Vec<Spot> = Vec::new();
    for sentence in &reading.source.sentences {
        let text = reading.source.prose_of(*sentence);
        let around = text::head(&reading.source.prose[sentence.start..], NEAR);
        let sum = in_sentence(text, weighs(around)).or_else(|| counted(reading, *sentence));
        spots.extend(sum.map(|sum| Spot::naming(*sentence, sum.to_string())));
    }
    spots.extend(below_each_other(reading));
    spots
}

fn weighs(text: &str) -> bool {
    pattern!(r"(?i)\b{analyze.weights}\b|{analyze.weights_scripted}").is_match(text)
}

/// The amount of a text that is said to be the whole.
fn whole<'a>(text: &str, amounts: &'a [Amount]) -> Option<&'a Amount> {
    let total = pattern!(r"(?i)\b(?:{analyze.total})\b[^.;\d\n]{0,30}$");
    let behind = pattern!(r"(?i)^[^.;,\d\n]{0,8}\b(?:{analyze.total})\b");
    amounts.iter().find(|one| {
        total.is_match(text::tail(&text[..one.span.start], NEAR))
            || behind.is_match(text::head(&text[one.span.end..], NEAR))
    })
}

/// A sentence with parts of one unit: weights that miss a hundred, amounts that miss the total.
fn in_sentence(text: &str, weighs: bool) -> Option<usize> {
    let found = amounts(text);
    let whole = whole(text, &found);
    let unit = whole.map_or("%", |whole| whole.unit.as_str());
    let is_part = |one: &&Amount| one.unit == unit && whole.is_none_or(|it| it.span != one.span);
    let parts = found.iter().filter(is_part).map(|one| one.number).collect();
    misses(parts, whole.map(|whole| whole.number).or(weighs.then_some(100))?, weighs)
}

/// The sum of parts, if it surely misses the whole: what is left of a budget may be spent later, what is left of weights
/// cannot.
fn misses(parts: Vec<usize>, whole: usize, weighs: bool) -> Option<usize> {
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
    let body = text.trim_end_matches(['.', ' ', ')']);
    let row = body.rsplit([':', '(']).next()?;
    let count = pattern!(r"^(?P<n>\d{1,2})(?P<rest> \p{L}[\p{L}-]*(?: \p{L}[\p{L}-]*){0,2})$");
    let read = |item: &str| {
        let found = count.captures(item)?;
        value(&found["n"]).filter(|_| !is_measure(&found["rest"]))
    };
    let counts: Vec<usize> = items(row).into_iter().map(read).collect::<Option<_>>()?;
    let sum: usize = counts.iter().sum();
    let row_at = sentence.start + body.len() - row.len();
    let before = text::tail(&reading.source.prose[..row_at], 240);
    let asked = pattern!(r"(?i)\b(?P<n>\d{1,2}) (?:[\p{L}-]+ ){0,2}[\p{L}-]{3,}\b");
    let asked: Vec<usize> = asked
        .captures_iter(before)
        .filter(|it| !is_measure(&before[it.name("n").map_or(0, |n| n.end())..]))
        .filter_map(|it| value(&it["n"]))
        .collect();
    let near = |n: &usize| *n > 3 && sum < n * 2 && sum * 2 > *n;
    let beside = !asked.contains(&sum) && asked.iter().any(near) && counts.len() >= 2;
    (beside && !reading.is_conditional(sentence)).then_some(sum)
}

/// Lines below each other, each with one amount of the same unit, and a whole beside them that they miss.
fn below_each_other(reading: &Reading<'_>) -> Vec<Spot> {
    let prose = &reading.source.prose;
    let mut spots = Vec::new();
    let mut block: Vec<(Span, Vec<Amount>)> = Vec::new();
    for (span, line) in lines(prose).chain([(Span::at(prose.len()), "")]) {
        let found = amounts(line);
        let short = line.split_whitespace().count() <= SHORT && !line.ends_with([':', '：']);
        let alike = |one: &Amount| {
            block.last().is_none_or(|(_, last)| last.iter().any(|other| other.unit == one.unit))
        };
        if short && found.iter().any(alike) {
            block.push((span, found));
            continue;
        }
        spots.extend(missed(prose, &block));
        block.clear();
    }
    spots
}

fn missed(prose: &str, block: &[(Span, Vec<Amount>)]) -> Option<Spot> {
    let ((first, own), (last, _)) = (block.first()?, block.last()?);
    let of = |unit: &str| -> Vec<usize> {
        let all = block.iter().flat_map(|(_, found)| found);
        all.filter(|one| one.unit == unit).map(|one| one.number).collect()
    };
    let is_in = |unit: &str, found: &[Amount]| found.iter().filter(|it| it.unit == unit).count();
    let shared = |it: &&Amount| block.iter().all(|(_, found)| is_in(&it.unit, found) == 1);
    let unit = own.iter().find(shared)?.unit.as_str();
    let place = Span::new(first.start, last.end);
    if pattern!(r"(?i)\b(?:{analyze.each_bound})\b").is_match(&prose[place.start..place.end]) {
        return None;
    }
    let above = text::tail(&prose[..place.start], NEAR);
    let below = text::head(&prose[place.end..], NEAR);
    let named =
        |text: &str| whole(text, &amounts(text)).filter(|it| it.unit == unit).map(|it| it.number);
    let (before, weighs) = (named(above), weighs(above) || weighs(below));
    let whole = before.or_else(|| named(below)).or((unit == "%" && weighs).then_some(100))?;
    let sum = misses(of(unit), whole, before.is_some() || weighs)?;
    Some(Spot::naming(place, sum.to_string()))
}

/// A day that no year has: "31 September".
pub fn impossible_date(reading: &Reading<'_>) -> Vec<Spot> {
    let date = pattern!(
        r"(?i)\b(?:(?:3[01](?:st|th|\.|º)? {analyze.february}|31(?:st|\.|º)? {analyze.short_month}|{analyze.february} 3[01]|{analyze.short_month} 31|\d{4}-(?:02-3[01]|(?:0[469]|11)-31))\b|(?:3[01]\.0?2|31\.(?:0?[469]|11))\.)"
    );
    reading.all(date).map(Spot::new).collect()
}
