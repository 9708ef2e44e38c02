//! Numbers that do not fit what is listed: how many items there are, and what parts add up to.

use patterns::{Captures, pattern};

use super::reading::Reading;
use super::rule::Spot;
use engine::constraints::number_of;
use engine::prompt::Span;
use engine::prompt::mask::lines;
use text::{head, list, tail};

/// The value of a number in figures or words.
pub fn value(text: &str) -> Option<usize> {
    number_of(text).and_then(|number| usize::try_from(number).ok())
}

/// A number that announces another number of things than there are, and parts that miss their whole.
pub fn wrong_number(reading: &Reading<'_>) -> Vec<Spot> {
    let sentences = reading.source.sentences.iter();
    let rows = sentences
        .filter_map(|sentence| announced(reading, *sentence).or_else(|| row(reading, *sentence)));
    rows.chain(blocks(reading)).collect()
}

/// The first number of a sentence that announces another number of items than the row or the list behind it has: "three
/// sections:" above four items.
fn announced(reading: &Reading<'_>, sentence: Span) -> Option<Spot> {
    let text = reading.source.prose_of(sentence);
    let number = pattern!(r"(?i)\b(?:\d{1,2}|{analyze.number})\b");
    number.find_iter(text).find_map(|found| {
        let (before, rest) = (tail(&text[..found.start()], 8), &text[found.end()..]);
        // "0 to 5 points" is a scale.
        let is_end = pattern!(r"(?i)\d ?(?:[-–]|{analyze.to}) ?$").is_match(before);
        let announced = value(found.as_str()).filter(|n| (2..=20).contains(n));
        let announced = announced.filter(|_| !is_end && !is_measure(rest))?;
        let named = in_row(rest).or_else(|| in_lines(reading, rest, sentence.end))?;
        let noun = pattern!(r"^(?: \p{L}[\p{L}-]*){0,2}").find(rest)?;
        let place = Span::new(found.start(), found.end() + noun.end()).moved(sentence.start);
        (named != announced).then(|| Spot::naming(place, named.to_string()))
    })
}

/// Whether the noun behind a number is a measure, which announces nothing.
fn is_measure(rest: &str) -> bool {
    pattern!(r"(?i)^[ -]{0,2}(?:\p{L}+ )?{analyze.measure}\b|^[ -]{analyze.little}\b|^ {sentences.month}|^[.,:]?\d|^ ?[%°:€$£]").is_match(rest)
}

/// Whether an item begins with a count: "4 easy", "8 on grammar".
fn is_counted(item: &str) -> bool {
    item.trim_start_matches(['-', '*', '•', ' ']).starts_with(|c: char| c.is_ascii_digit())
}

/// Items behind the number in its sentence: "5 categories: a, b, c", and marks in brackets: "3 options (a, b, c, d)".
fn in_row(rest: &str) -> Option<usize> {
    let row = pattern!(
        r"(?i)^ [\p{L}’'-]+(?: [\p{L}’'-]+){0,3}(?: ?\((?P<marks>[^()]{3,200})\)|(?: ?: | {analyze.in_order}:? )(?P<row>[^.:;!?\n]{3,200}))"
    );
    let found = row.captures(rest)?;
    let marks = found.name("marks");
    let row = list::row(marks.or_else(|| found.name("row"))?.as_str());
    let short = |item: &&str| match marks {
        Some(_) => item.chars().count() <= 2,
        None => item.split_whitespace().count() <= 3 && !is_counted(item),
    };
    (row.len() >= 2 && row.iter().all(short)).then_some(row.len())
}

/// Items of the list below the number: "the six criteria below and", "three sections:", "three questions before you start:", "three steps, in this order:".
fn in_lines(reading: &Reading<'_>, rest: &str, end: usize) -> Option<usize> {
    let leads = pattern!(
        r"(?i)^ [\p{L}’'-]+(?: [\p{L}’'-]+){0,2}(?: \d{1,2} ?(?:[-–]|{analyze.to}) ?\d{1,3} \p{L}+|,? {analyze.announcing}(?: [\p{L}’'-]+){0,4})? ?:\s*$"
    );
    let listed_below = pattern!(r"(?i)^ [\p{L}’'-]+(?: [\p{L}’'-]+)? {analyze.listed_below}\b");
    let below = reading.source.text[end..].split_once('\n')?.1;
    let mut near = lines(head(below, NEAR)).filter(|(_, line)| list::is_item(line));
    let below = match leads.is_match(rest) {
        true => below.strip_prefix('\n').unwrap_or(below),
        false => &below[listed_below.find(rest).and_then(|_| near.next())?.0.start..],
    };
    let depth = below.len() - below.trim_start().len();
    let own = |line: &&str| {
        let lead = line.len() - line.trim_start().len();
        lead == depth && (list::is_item(line) || line.trim_start().starts_with("**"))
    };
    let block = below.find("\n\n").map_or(below, |end| &below[..end]);
    let listed: Vec<&str> = block.lines().filter(own).collect();
    block.lines().next().filter(own)?;
    // Items go on behind an empty line.
    let more = below[block.len()..].lines().find(|line| !line.trim().is_empty()).filter(own);
    let counted = listed.iter().all(|line| is_counted(&line[list::marker(line)..]));
    (more.is_none() && listed.len() >= 2 && !counted).then_some(listed.len())
}

/// A number with its unit: a sign, a noun in small letters without its plural, or nothing.
struct Amount {
    number: usize,
    unit: String,
    span: Span,
}

fn amounts(text: &str) -> Vec<Amount> {
    let amount = pattern!(
        r"(?P<s>[$€£])?(?P<n>\d{1,3}(?:[.,]\d{3})+|\d{1,6}(?P<d>[.,]\d{1,2})?)(?: ?(?P<u>[$€£%])| (?P<w>\p{L}{2,}))?"
    );
    let read = |found: Captures<'_>| {
        let unit = ["s", "u", "w"].iter().find_map(|name| found.name(name));
        let unit = unit.map_or(String::new(), |unit| unit.as_str().to_lowercase());
        let unit = unit.strip_suffix('s').unwrap_or(&unit).to_owned();
        let span = found.get_match().range().into();
        found.name("d").is_none().then_some(Amount { number: value(&found["n"])?, unit, span })
    };
    amount.captures_iter(text).filter_map(read).collect()
}

/// Parts that a whole is said to have.
const FEWEST_PARTS: usize = 3;
/// Words of a line that says a part and its share.
const SHORT: usize = 16;
/// Bytes around parts in which their whole is named.
const NEAR: usize = 300;

/// A sentence whose parts miss their whole: all of it, or what stands behind its last colon or bracket.
fn row(reading: &Reading<'_>, sentence: Span) -> Option<Spot> {
    let body = reading.source.prose_of(sentence).trim_end_matches(['.', ' ', ')']);
    let behind = body.rfind([':', '(']).map(|at| at + 1);
    [behind, Some(0)].into_iter().flatten().find_map(|from| {
        let place = Span::new(from, body.len()).moved(sentence.start);
        let sum = sum(reading, place, &list::row(&body[from..]))?;
        Some(Spot::naming(sentence, sum.to_string()))
    })
}

/// Short lines below each other, each with an amount, whose parts miss their whole.
fn blocks(reading: &Reading<'_>) -> Vec<Spot> {
    let prose = &reading.source.prose;
    let is_part = |line: &str| {
        let few = line.split_whitespace().count() <= SHORT || line.starts_with('|');
        few && !line.ends_with([':', '：']) && line.contains(|c: char| c.is_ascii_digit())
    };
    let all: Vec<(Span, &str)> = lines(prose).collect();
    let blocks = all.chunk_by(|one, other| is_part(one.1) == is_part(other.1));
    let missed = blocks.filter_map(|block| {
        let ((first, _), (last, _)) = (block.first()?, block.last()?);
        let items: Vec<&str> = block.iter().map(|(_, line)| *line).collect();
        let place = Span::new(first.start, last.end);
        Some(Spot::naming(place, sum(reading, place, &items)?.to_string()))
    });
    missed.collect()
}

/// The sum of the parts that items say, if it misses their whole: shares of a hundred, points, a budget, counts.
fn sum(reading: &Reading<'_>, place: Span, items: &[&str]) -> Option<usize> {
    let prose = &reading.source.prose;
    let (above, below) = (tail(&prose[..place.start], NEAR), head(&prose[place.end..], NEAR));
    let own = head(&prose[place.start..place.end], NEAR);
    // Bare numbers of a table have the unit that its head names.
    let is_table = own.trim_start().starts_with('|');
    let header = above.lines().rev().find(|line| line.contains('|') && !line.contains("--"));
    let header = header.filter(|_| is_table).unwrap_or_default().to_lowercase();
    let read: Vec<Vec<Amount>> = items.iter().map(|item| parts(item)).collect();
    let units = read.iter().take(FEWEST_PARTS).flat_map(|found| found.iter().take(FEWEST_PARTS));
    let units = units.map(|one| one.unit.as_str()).filter(|unit| is_table || !unit.is_empty());
    let missed = units.into_iter().find_map(|unit| {
        let of = |found: &Vec<Amount>| {
            let mut own = found.iter().filter(|one| one.unit == unit).map(|one| one.number);
            own.next().filter(|_| own.next().is_none())
        };
        let others = read.iter().skip_while(|found| of(found).is_none());
        let numbers: Vec<usize> = others.map_while(of).collect();
        let is_row = numbers.len() >= FEWEST_PARTS;
        if !is_row || read.iter().filter_map(of).count() > numbers.len() {
            return None;
        }
        let weighs = [above, own, below].iter().any(|text| {
            pattern!(r"(?i)\b{analyze.weights}\b|{analyze.weights_scripted}").is_match(text)
        });
        let is_unit =
            |one: &Amount| one.unit == unit || unit.is_empty() && header.contains(&one.unit);
        let total = |text| totals(text).find(|one| one.unit.is_empty() || is_unit(one));
        let before = total(above).or_else(|| total(own));
        // "A lesson of 45 minutes" above a column of minutes.
        let column = || {
            let mut same = amounts(above).into_iter().filter(is_unit);
            same.next().filter(|one| is_table && !one.unit.is_empty() && same.next().is_none())
        };
        let sure = before.is_some() || weighs;
        let whole = before.or_else(|| total(below)).or_else(column).map(|one| one.number);
        misses(&numbers, whole.or((unit == "%" && weighs).then_some(100))?, sure)
    });
    missed.or_else(|| counts(reading, place, items))
}

/// Bytes around an amount that say what it is.
const BESIDE: usize = 40;

/// The amounts of an item that may be parts: neither bounds nor the whole.
fn parts(item: &str) -> Vec<Amount> {
    let before = pattern!(r"(?i)\b(?:{analyze.each_bound})\b[^,;.(–—]{0,20}$");
    let behind = pattern!(r"(?i)^[^,;.)]{0,20}\b(?:{analyze.each_bound})\b");
    let is_part = |one: &Amount| {
        !before.is_match(tail(&item[..one.span.start], BESIDE))
            && !behind.is_match(head(&item[one.span.end..], BESIDE))
    };
    if totals(item).next().is_some() {
        return Vec::new();
    }
    amounts(item).into_iter().filter(is_part).collect()
}

/// The amounts of a text that are said to be a whole, the last one first. A percentage below 100 is a share.
fn totals(text: &str) -> impl Iterator<Item = Amount> {
    let total = pattern!(r"(?i)\b(?:{analyze.total})\b[^.;|\d\n]{0,30}$");
    let behind = pattern!(r"(?i)^[^.;,\d\n]{0,8}\b(?:{analyze.total})\b");
    let own = amounts(text).into_iter().rev().filter(|one| one.unit != "%" || one.number >= 100);
    own.filter(move |one| {
        total.is_match(tail(&text[..one.span.start], 2 * BESIDE))
            || behind.is_match(head(&text[one.span.end..], BESIDE))
    })
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

/// The sum of items that all begin with a count, where another number of things is asked for before them: "10 questions"
/// and "4 easy, 4 medium, 5 hard"; before lines, right above them.
fn counts(reading: &Reading<'_>, place: Span, items: &[&str]) -> Option<usize> {
    let prose = &reading.source.prose;
    let is_row = !prose[place.start..place.end].contains('\n');
    let count = pattern!(
        r"^\W*(?P<n>\d{1,2})(?P<rest> \p{L}[\p{L}-]*(?: \p{L}[\p{L}-]*){0,2})(?P<more>.?)"
    );
    let read = |item: &&str| {
        let found = count.captures(item)?;
        let is_whole = !is_row || found["more"].is_empty();
        value(&found["n"]).filter(|_| is_whole && !is_measure(&found["rest"]))
    };
    let counts: Vec<usize> = items.iter().map(read).collect::<Option<_>>()?;
    let sum: usize = counts.iter().sum();
    let above = tail(&prose[..place.start], NEAR);
    let leads = above.trim_end().rsplit('\n').next().filter(|line| line.ends_with([':', '：']));
    let above = if is_row { above } else { leads? };
    let asked = pattern!(r"(?i)\b(?P<n>\d{1,3})(?: (?:[\p{L}-]+ ){0,2}[\p{L}-]{3,}\b| ?\($)");
    let asked: Vec<usize> = asked
        .captures_iter(above)
        .filter(|it| !is_measure(&above[it.name("n").map_or(0, |n| n.end())..]))
        .filter_map(|it| value(&it["n"]))
        .collect();
    let near = |n: &usize| *n > 3 && sum < n * 2 && sum * 2 > *n;
    let beside = !asked.contains(&sum) && asked.iter().any(near) && counts.len() >= 2;
    (beside && !reading.is_conditional(place)).then_some(sum)
}

/// A day that no year has: "31 September".
pub fn impossible_date(reading: &Reading<'_>) -> Vec<Spot> {
    let date = pattern!(
        r"(?i)\b(?:(?:3[01](?:st|th|\.|º)? {analyze.february}|31(?:st|\.|º)? {analyze.short_month}|{analyze.february} 3[01]|{analyze.short_month} 31|\d{4}-(?:02-3[01]|(?:0[469]|11)-31))\b|(?:3[01]\.0?2|31\.(?:0?[469]|11))\.)"
    );
    reading.all(date).map(Spot::new).collect()
}
