//! Capital and small letters.

use super::{
    found::Found,
    owner::is_of_the_answer,
    statement::Statement,
    text::{Text, range},
};
use crate::ConstraintKind as Kind;
use patterns::pattern;

pub fn find(text: &Text<'_>, found: &mut Found) {
    lowercase(text, found);
    uppercase(text, found);
}

fn lowercase(text: &Text<'_>, found: &mut Found) {
    let rule = pattern!(
        r"(?i)\b(?:{constraint_letters.in_case}\s+)?(?:{constraint_letters.all}\s+)?(?:{constraint_letters.the}\s+)?{constraint_letters.lowercase}\b(?: {constraint_letters.lowercase_letters})?|\b{constraint_letters.no_capitals}\b(?:\s+{constraint_letters.using}){0,4}\s+{constraint_letters.capitals_used}\b|\b{constraint_letters.capitals_forbidden}|\b{constraint_letters.letters_are_lower}|\b{constraint_letters.in_lowercase}\b"
    );
    for captures in text.matches(rule) {
        let range = range(&captures);
        let (before, after) = (text.before(range.start), text.after(range.end));
        let is_other = pattern!(r"(?i)\b(?:{constraint_letters.not_lowercase}\s*|{constraint_letters.no_letter}\b[^.]{0,60}|{constraint_letters.programs}\b[^,]{0,60})$").is_match(before)
            || pattern!(r"(?i)^(?:\s*{constraint_letters.lowercase_of}|[^,]{0,20}{constraint_letters.compared} )").is_match(after)
            || pattern!(r"(?i)^{constraint_letters.none}\b.*{constraint_letters.lower}")
                .is_match(text.at(range.clone()));
        if !is_other && is_of_the_answer(before, after) {
            found.push(Statement::of(Kind::Lowercase, range));
        }
    }
}

fn uppercase(text: &Text<'_>, found: &mut Found) {
    let rule = pattern!(
        r"(?i)\b{constraint_letters.in_capitals}\s+(?:{constraint_letters.wholly}\s+)*(?:{constraint_letters.in}\s+)?{constraint_letters.capital_letters}|\b{constraint_letters.capitalise_all}|\b{constraint_letters.all_letters} (?:[^.!?\n]{0,40})\b{constraint_letters.must_be}\b[^.!?\n]{0,12}{constraint_letters.upper}|\b{constraint_letters.in_uppercase}\b"
    );
    for captures in text.matches(rule) {
        let range = range(&captures);
        let before = text.before(range.start);
        let negated = pattern!(r"(?i)\b{constraint_letters.not_uppercase}\b(?:\s+\w+){0,2}\s*$")
            .is_match(before)
            && !pattern!(r"(?i)^{constraint_letters.no_lower}").is_match(text.at(range.clone()));
        let after = text.after(range.end);
        let of_words = pattern!(r"(?i)\b{constraint_letters.capitals_of}\s*$").is_match(before)
            && !pattern!(r"(?i)\b{constraint_letters.all_words}\s*$").is_match(before);
        let programs = pattern!(
            r"(?i)^\s*(?:{constraint_letters.uppercase_of}|{constraint_letters.only_for}\b|\w* ?{constraint_letters.word} )"
        );
        // 'The label "PURE" in capital letters' is about the label.
        let last = before.split_whitespace().last().unwrap_or_default();
        let is_label = last.ends_with(['"', '”', '\'', '’'])
            || last.len() > 1 && last.chars().all(char::is_uppercase);
        let is_other = negated || of_words || is_label || programs.is_match(after);
        if !is_other && is_of_the_answer(before, after) {
            found.push(Statement::of(Kind::Uppercase, range));
        }
    }
}
