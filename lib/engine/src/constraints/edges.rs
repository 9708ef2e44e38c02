//! How the answer begins and ends.

use super::{
    found::Found,
    owner::{is_of_a_part, names_a_part},
    statement::Statement,
    text::{Text, range},
    words::unquoted,
};
use crate::ConstraintKind as Kind;
use patterns::{Pattern, pattern};

const ENDS: [Pattern; 3] = [
    pattern!(
        r#"(?i)\b{constraint_edges.ending}\b(?:\s+{constraint_edges.ended_text}){0,5}?\s+{constraint_edges.with_ending}\s*:?\s+(?:{constraint_edges.exactly}\s+)?(?:{constraint_edges.ending_words}\s*)*[:,]?\s*(?P<v>{constraint_edges.quoted})"#
    ),
    pattern!(
        r#"(?i)\b{constraint_edges.last}\s+{constraint_edges.last_part}\b[^.!?\n"“]{0,50}?\b{constraint_edges.last_must_be}\b[^.!?\n"“]{0,20}(?P<v>{constraint_edges.quoted})"#
    ),
    pattern!(
        r"(?i)\b{constraint_edges.ends}\s+(?:{constraint_edges.whole} )?{constraint_edges.with}\s+{constraint_edges.one_ending}\s+(?P<v>(?:\w+\s+){0,2}{constraint_edges.endings})\b"
    ),
];

const STARTS: [Pattern; 2] = [
    pattern!(
        r#"(?i)\b(?:{constraint_edges.very} )?{constraint_edges.opening} {constraint_edges.opening_part}\b[^.!?\n"“:]{0,40}?\b{constraint_edges.opening_must_be}\b[^.!?\n"“]{0,20}?(?P<v>{constraint_edges.quoted})"#
    ),
    pattern!(
        r#"(?i)\b{constraint_edges.starting}\b(?:\s+{constraint_edges.started_text}){0,4}?\s+{constraint_edges.with_beginning}\s+(?:{constraint_edges.exactly}\s+)?(?:{constraint_edges.beginning_words}\s*)*[:,]?\s*(?P<v>{constraint_edges.quoted})|\b{constraint_edges.start}\s+(?:{constraint_edges.whole} )?{constraint_edges.with}\s+{constraint_edges.one_beginning}\s+(?P<w>(?:\w+\s+){0,2}{constraint_edges.beginnings})\b"#
    ),
];

pub fn find(text: &Text<'_>, found: &mut Found) {
    let ends = ENDS.into_iter().map(|rule| (Kind::EndsWith, rule));
    for (kind, rule) in ends.chain(STARTS.into_iter().map(|rule| (Kind::StartsWith, rule))) {
        for captures in text.matches(rule) {
            let range = range(&captures);
            let Some(value) = captures.name("v").or(captures.name("w")) else { continue };
            let stated = text.at(range.clone());
            let lead = stated.split(['"', '“', '„', '«', '\'']).next().unwrap_or(stated);
            let before = text.before(range.start);
            // "Mark it by starting and ending with an asterisk" bounds a passage.
            let is_of_a_part = is_of_a_part(before)
                || names_a_part(text.after(range.end))
                || pattern!(r"(?i)\b{constraint_edges.starting_and}\s*$").is_match(before)
                || pattern!(r"(?i)\b(?:{check_scope.each}|{constraint_count.paragraphs}|{constraint_count.sections})\b")
                    .is_match(&pattern!(r"(?i)\b{check_scope.every_answer}\b").replace_all(lead, " "));
            let is_taken =
                found.overlaps(kind, &range) || found.overlaps(Kind::SectionCount, &range);
            if !is_taken && !is_of_a_part && !text.is_negated(range.start) {
                found.push(Statement::of(kind, range).valued(unquoted(value.as_str())));
            }
        }
    }
}
