//! What a number in a prompt measures, and how feedback speaks of that.

use patterns::{pattern, words};

use super::clause::{Clause, Rows, has_one};

/// What stands beside a number of a kind, and what feedback about such a number has.
const QUANTITIES: [(&Rows, &Rows); 9] = [
    (words!("asked.money_near"), words!("asked.money")),
    (words!("asked.time_near"), TIME),
    (words!("asked.date_near"), words!("asked.date")),
    (words!("asked.duration_near"), words!("asked.duration")),
    (words!("asked.age_near"), words!("asked.age")),
    (words!("asked.length_near"), words!("asked.length")),
    (words!("asked.ratio_near"), words!("asked.ratio")),
    (words!("asked.lens_near"), words!("asked.lens")),
    (words!("asked.percent_near"), words!("asked.percent")),
];
const TIME: &Rows = words!("asked.time");
const RATIO: &Rows = words!("asked.ratio");
const VERSION: &Rows = words!("asked.version");
const FLAG_NEAR: &Rows = words!("asked.flag_near");
const FLAG: &Rows = words!("asked.flag");

/// Bytes before and behind a number that are read.
const NEAR: usize = 60;
/// Words before and behind it that belong to it.
const WORDS_BEFORE: usize = 4;
const WORDS_BEHIND: usize = 3;

/// What stands beside a place: up to four words before it and three behind, within its clause.
pub fn beside(text: &str, from: usize, to: usize) -> (Vec<&str>, Vec<&str>) {
    let word = pattern!(r"--\p{L}+|\p{L}+(?:['’]\p{L}+)*|[€$£¥₹%]");
    let start = text.floor_char_boundary(from.saturating_sub(NEAR));
    let before = &text[start..from];
    let cut = before.rfind(['.', '!', '?', ';', '\n', ',', '、', '。']);
    let before =
        &before[cut.map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8))..];
    let behind = &text[to..text.ceil_char_boundary(to + NEAR)];
    let behind =
        &behind[..behind.find(['.', '!', '?', ';', '\n', ',', '、', '。']).unwrap_or(behind.len())];
    let mut ahead: Vec<&str> = word.find_iter(before).map(|found| found.as_str()).collect();
    // The number of a setting belongs to its name alone.
    let is_setting = ahead.last().is_some_and(|word| word.starts_with("--"));
    let most = if is_setting { 1 } else { WORDS_BEFORE };
    let ahead = ahead.split_off(ahead.len().saturating_sub(most));
    let after = word.find_iter(behind).take(WORDS_BEHIND).map(|found| found.as_str());
    (ahead, after.collect())
}

/// Whether a clause speaks of what the number at a place measures.
pub fn is_meant(text: &str, from: usize, to: usize, clause: &Clause<'_>) -> bool {
    let (before, behind) = beside(text, from, to);
    let near: Vec<String> =
        before.iter().rev().take(2).chain(&behind).map(|word| word.to_lowercase()).collect();
    let speaks = |rows: &Rows| clause.speaks_of(rows);
    let number = &text[from..to];
    let glued = |sign: char| text[..from].ends_with(sign) || text[to..].starts_with(sign);
    let known = QUANTITIES.iter().any(|(units, subject)| has_one(&near, units) && speaks(subject));
    let flag = before.last().map(|word| word.to_lowercase());
    let is_flag = flag.as_slice().first().is_some_and(|word| word.starts_with("--"));
    let follows_name = before.last().is_some_and(|word| word.starts_with(char::is_uppercase));
    known
        || (number.contains(':') || glued(':')) && (speaks(TIME) || speaks(RATIO))
        || is_flag && has_one(flag.as_slice(), FLAG_NEAR) && speaks(FLAG)
        || number.contains('.') && follows_name && speaks(VERSION)
}
