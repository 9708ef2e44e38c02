//! The structure of the answer: the columns of its table, the range of its numbers.

use super::{found::Found, number, statement::Statement, text::Text};
use crate::{ConstraintKind as Kind, CountParameters};
use patterns::{Captures, pattern};

/// Most columns that a table is read to have.
const MOST_COLUMNS: usize = 20;
/// Longest name of a column, in bytes.
const LONGEST_COLUMN: usize = 60;

/// "A table with the columns Name, Price and Stock".
pub fn columns(text: &Text<'_>, found: &mut Found) {
    let rule = pattern!(
        r"(?i)\b{constraint_structure.table}\b[^.!?\n]{0,40}?\b{constraint_structure.columns}\s*(?::\s*|\s)(?P<v>[^.!?;:\n]{3,400})"
    );
    let joint = pattern!(
        r"(?i)\s*(?:[,、/|]\s*(?:{constraint_words.and_or}\s+)?|\s{constraint_words.and_or}\s)\s*"
    );
    let behind = pattern!(r"(?i)\s+{constraint_structure.behind_columns}\b");
    // "Probability (1–5)" is the column "Probability".
    let remark = pattern!(r"\s*\([^()]*\)");
    for captures in text.matches(rule) {
        let Some(list) = captures.name("v") else { continue };
        let blank = |found: &Captures<'_>| " ".repeat(found.get_match().range().len());
        let bare = remark.replace_all(list.as_str(), blank);
        let cut = behind.find(&bare).map_or(bare.len(), |found| found.start());
        let named: Vec<String> = joint
            .split(&bare[..cut])
            .map(super::wordings::unquoted)
            .map(|name| name.trim_matches(['[', ']', '|']).trim().to_owned())
            // "… and 7 rows" is no column.
            .take_while(|name| !name.starts_with(|c: char| c.is_ascii_digit()))
            .filter(|name| !name.is_empty())
            .collect();
        let readable = (2..=MOST_COLUMNS).contains(&named.len())
            && named.iter().all(|name| name.len() <= LONGEST_COLUMN && !name.contains('"'));
        let range = captures.get_match().start()..list.start() + cut;
        if readable && !text.is_negated(range.start) {
            found.push(Statement::naming(Kind::TableColumns, range, named));
        }
    }
}

/// "A score from 1 to 10": a number that the answer has to give.
pub fn ranges(text: &Text<'_>, found: &mut Found) {
    let rule = pattern!(
        r"(?i)\b(?P<v>{constraint_structure.number})\b(?:\s+{constraint_structure.number_joined}){0,5}?\s*\(?\s*(?:{constraint_structure.number_from}\s+)?(?P<n>\d{1,7})\s*(?:-|–|{constraint_structure.number_until}|{constraint_number.until})\s*(?P<m>\d{1,7})\b"
    );
    let counted = pattern!(
        r"(?i)^\s*(?:%|[\p{L}’'-]+\s+)?(?:{constraint_count.words}|{constraint_count.sentences}|{constraint_count.paragraphs}|{constraint_count.characters}|{constraint_count.things})\b"
    );
    for captures in text.matches(rule) {
        let range = captures.get_match().range();
        let sentence = format!("{}{}", text.before(range.start), text.at(range.clone()));
        let asked = pattern!(r"(?i)\b{constraint_structure.number_asked}\b").is_match(&sentence);
        if !asked || counted.is_match(text.after(range.end)) || text.is_negated(range.start) {
            continue;
        }
        if let Some(amount) = number::amount(&captures) {
            let amount = CountParameters { of: Some(captures["v"].to_lowercase()), ..amount };
            found.push(Statement::counting(Kind::NumberRange, range, amount));
        }
    }
}
