//! The answers that a prompt gives to choose from.

use std::collections::HashSet;

use ::text::{head, list};
use patterns::pattern;

/// Most answers that are read, and the bytes behind a statement that are looked at for them.
const MOST: usize = 20;
const BEHIND: usize = 400;
/// Longest line that is an answer by itself, in characters.
const LONGEST_LINE: usize = 60;

/// The answers that a prompt gives to choose from: those in quotation marks, those that its words name, or the items
/// of the list that follows; none if it does not say them plainly. `behind` is the prompt behind the statement.
pub fn options(quote: &str, behind: &str) -> Vec<String> {
    let behind = head(behind, BEHIND);
    let around = format!("{quote}{behind}");
    let paragraph = around.split("\n\n").next().unwrap_or(&around);
    // Marks are often mixed: ”yes", “no".
    let quoted = pattern!(
        r#"["”“„](?P<a>[^"”“„\n]{1,120})["”“]|«\s*(?P<d>[^»\n]{1,120})»|(?:^|[\s(,:])'(?P<e>[^'\n]{1,120})'"#
    );
    let quoted = quoted.captures_iter(paragraph).filter_map(|found| {
        let inner = ["a", "d", "e"].iter().find_map(|name| found.name(name))?;
        Some(inner.as_str().trim().to_owned())
    });
    let found: [Vec<String>; 5] = [
        quoted.collect(),
        listed(quote, behind),
        known(quote),
        named(quote),
        inline(&around, quote.len()),
    ];
    for mut found in found {
        let mut seen = HashSet::new();
        found
            .retain(|option| option.contains(char::is_alphanumeric) && seen.insert(option.clone()));
        if found.len() > 1 {
            return found.into_iter().take(MOST).collect();
        }
    }
    Vec::new()
}

/// The items of the list right behind a statement, or the lines of the paragraph there, if they are short.
fn listed(quote: &str, behind: &str) -> Vec<String> {
    let bare = |line: &str| {
        let item = line[list::marker(line)..].trim();
        item.trim_matches(['"', '“', '”', '\'', '`', '*', ',', ';']).to_owned()
    };
    let mut lines = behind.lines();
    let introduction = [quote, lines.next().unwrap_or_default()].concat();
    let introduced = introduction.trim_end().ends_with([':', '：']);
    let lines: Vec<&str> = lines.skip_while(|line| line.trim().is_empty()).collect();
    let items = lines.iter().take_while(|line| list::is_item(line));
    let items: Vec<String> = items.map(|line| bare(line)).collect();
    if items.len() > 1 || !introduced {
        return items;
    }
    let short = |line: &&&str| !line.trim().is_empty() && line.chars().count() <= LONGEST_LINE;
    // The last line may be cut, or go on about something else.
    lines.iter().take_while(short).map(|line| bare(line)).collect()
}

/// Yes and no, true and false.
fn known(quote: &str) -> Vec<String> {
    let word = pattern!(r"(?i)\b{check_answers.word}\b");
    word.find_iter(quote).map(|found| found.as_str().to_lowercase()).collect()
}

/// "Classify it as positive, negative or neutral."
fn named(quote: &str) -> Vec<String> {
    let rule = pattern!(
        r#"(?i)\b{constraint_format.as}\s+(?:{constraint_format.either_or_being}\s+)?(?P<v>["'“]?[\p{L}-]{2,20}["'”]?(?:,\s*["'“]?[\p{L}-]{2,20}["'”]?){0,8}),?\s+{constraint_format.or}\s+["'“]?(?P<w>[\p{L}-]{2,20})"#
    );
    let Some(found) = rule.captures(quote) else { return Vec::new() };
    let bare = |word: &str| word.trim().trim_matches(['"', '\'', '“', '”']).to_owned();
    found["v"].split(',').chain([&found["w"]]).map(bare).collect()
}

/// What stands behind a colon in or soon behind the statement, to the end of the line: "one of these: red, green, blue".
fn inline(around: &str, statement: usize) -> Vec<String> {
    let line = around.lines().next().unwrap_or_default();
    let near = |(before, _): &(&str, &str)| before.len() < statement + 30;
    let Some((_, rest)) = line.split_once(':').filter(near) else { return Vec::new() };
    let joint = pattern!(
        r"(?i)\s*[,;/|、]\s*(?:{constraint_words.and_or}\s+)?|\s+{constraint_words.and_or}\s+|\s+{constraint_format.or}\s+"
    );
    let rest = rest.trim().trim_end_matches(['.', '!', '?']).trim_matches(['[', ']', '(', ')']);
    let found: Vec<String> = joint.split(rest).map(|word| word.trim().to_owned()).collect();
    let short = found.iter().all(|word| !word.is_empty() && word.split(' ').count() <= 5);
    if short { found } else { Vec::new() }
}
