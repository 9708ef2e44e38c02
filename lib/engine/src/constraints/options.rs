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
    // "Classify it as positive, negative or neutral", or what stands behind a colon in or soon behind the statement, to the
    // end of the line: "one of these: red, green, blue".
    let named = pattern!(
        r"(?i)\b{constraint_format.classify}\b.*\b{constraint_format.as}\s+(?:{constraint_format.either_or_being}\s+)?(?P<v>.+)"
    );
    let named = named.captures(quote).and_then(|found| found.name("v"));
    let line = around.lines().next().unwrap_or_default();
    let near = |(before, _): &(&str, &str)| before.len() < quote.len() + 30;
    let behind_colon = line.split_once(':').filter(near).map_or("", |(_, rest)| rest);
    let found = [
        quoted.collect(),
        listed(quote, behind),
        known(quote),
        split(named.map_or("", |named| named.as_str())),
        split(behind_colon),
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

/// The answers of a list in a line, if all are short.
fn split(list: &str) -> Vec<String> {
    let joint = pattern!(
        r"(?i)\s*[,;/|、]\s*(?:{constraint_words.and_or}\s+)?|\s+{constraint_words.and_or}\s+|\s+{constraint_format.or}\s+"
    );
    let around = ['[', ']', '(', ')', '"', '\'', '“', '”', ' '];
    let list = list.trim().trim_end_matches(['.', '!', '?']);
    let found: Vec<String> =
        joint.split(list).map(|word| word.trim_matches(around).to_owned()).collect();
    let short = found.iter().all(|word| !word.is_empty() && word.split(' ').count() <= 5);
    if short { found } else { Vec::new() }
}
