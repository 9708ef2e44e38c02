//! How the answer begins, ends and is enclosed.

use super::{
    found::Found,
    owner::{is_of_a_part, names_a_part},
    statement::Statement,
    text::{Text, range},
    words::unquoted,
};
use crate::ConstraintKind as Kind;
use patterns::pattern;

pub fn find(text: &Text<'_>, found: &mut Found) {
    ends(text, found);
    starts(text, found);
    quotation_marks(text, found);
}

fn ends(text: &Text<'_>, found: &mut Found) {
    let rules = [
        pattern!(
            r#"(?i)\b{constraint_edges.ending}\b(?:\s+{constraint_edges.ended_text}){0,5}?\s+{constraint_edges.with_ending}\s*:?\s+(?:{constraint_edges.exactly}\s+)?(?:{constraint_edges.ending_words}\s*)*[:,]?\s*(?P<v>"[^"\n]{1,300}"|“[^”\n]{1,300}”|„[^“”\n]{1,300}[“”]|'[^'\n]{2,200}'|«[^»\n]{1,200}»)"#
        ),
        pattern!(
            r#"(?i)\b{constraint_edges.last}\s+{constraint_edges.last_part}\b[^.!?\n"“]{0,50}?\b{constraint_edges.last_must_be}\b[^.!?\n"“]{0,20}(?P<v>"[^"\n]{1,300}"|“[^”\n]{1,300}”|'[^'\n]{2,200}')"#
        ),
        pattern!(
            r"(?i)\b{constraint_edges.ends}\s+(?:{constraint_edges.whole} )?{constraint_edges.with}\s+{constraint_edges.one_ending}\s+(?P<v>(?:\w+\s+){0,2}{constraint_edges.endings})\b"
        ),
    ];
    for rule in rules {
        for captures in text.matches(rule) {
            let range = range(&captures);
            // "Mark it by starting and ending with an asterisk" bounds a passage.
            let both = pattern!(r"(?i)\b{constraint_edges.starting_and}\s*$")
                .is_match(text.before(range.start));
            let both = both
                || is_of_a_part(text.before(range.start))
                || names_a_part(text.after(range.end));
            if !both && !found.overlaps(Kind::EndsWith, &range) && !text.is_negated(range.start) {
                found.push(Statement::of(Kind::EndsWith, range).valued(unquoted(&captures["v"])));
            }
        }
    }
}

fn starts(text: &Text<'_>, found: &mut Found) {
    let whole = pattern!(
        r#"(?i)\b{constraint_edges.starting}\b(?:\s+{constraint_edges.started_text}){0,4}?\s+{constraint_edges.with_beginning}\s+(?:{constraint_edges.exactly}\s+)?(?:{constraint_edges.beginning_words}\s*)*[:,]?\s*(?P<v>"[^"\n]{1,200}"|“[^”\n]{1,200}”|„[^“”\n]{1,200}[“”]|'[^'\n]{2,120}')|\b{constraint_edges.start}\s+(?:{constraint_edges.whole} )?{constraint_edges.with}\s+{constraint_edges.one_beginning}\s+(?P<w>(?:\w+\s+){0,2}{constraint_edges.beginnings})\b"#
    );
    let first = pattern!(
        r#"(?i)\b(?:{constraint_edges.very} )?{constraint_edges.opening} {constraint_edges.opening_part}\b[^.!?\n"“:]{0,40}?\b{constraint_edges.opening_must_be}\b[^.!?\n"“]{0,20}?(?P<v>"[^"\n]{1,200}"|“[^”\n]{1,200}”|'[^'\n]{2,120}')"#
    );
    for captures in [first, whole].into_iter().flat_map(|rule| text.matches(rule)) {
        let range = range(&captures);
        let Some(value) = captures.name("v").or(captures.name("w")) else { continue };
        let of_a_part = is_of_a_part(text.before(range.start))
            || names_a_part(text.after(range.end))
            || pattern!(r"(?i)\b(?:{check_scope.each}|{constraint_count.paragraphs}|{constraint_count.sections})\b")
                .is_match(lead(text, &range));
        if !found.overlaps(Kind::SectionCount, &range)
            && !of_a_part
            && !text.is_negated(range.start)
        {
            found.push(Statement::of(Kind::StartsWith, range).valued(unquoted(value.as_str())));
        }
    }
}

/// What a statement says before its value.
fn lead<'t>(text: &'t Text<'_>, range: &std::ops::Range<usize>) -> &'t str {
    let stated = text.at(range.clone());
    stated.split(['"', '“', '\'']).next().unwrap_or(stated)
}

fn quotation_marks(text: &Text<'_>, found: &mut Found) {
    let rule = pattern!(
        r"(?i)\b{constraint_edges.put}\b[^.!?\n]{0,20}?\b{constraint_edges.quotation_marks}\b[^.!?\n]{0,20}?\b{constraint_edges.around}\b[^.!?\n]{0,30}?\b{constraint_edges.entire} ?(?:{constraint_edges.whole_or_entire} )?{constraint_edges.enclosed_text}\b|\b{constraint_edges.enclose}\b[^.!?\n]{0,120}?\b{constraint_edges.enclose_in}?\s*{constraint_edges.double_or_single}?{constraint_edges.marks_enclosing}\b|\b{constraint_edges.double_or_single}?{constraint_edges.marks_enclosed}\b[^.!?\n]{0,40}?\b{constraint_edges.marks_must}[^.!?\n]{0,40}?\b{constraint_edges.everything}|\b{constraint_edges.put_marks_around}\b"
    );
    for captures in text.matches(rule) {
        let range = range(&captures);
        let statement = text.at(range.clone()).to_lowercase();
        let answer = pattern!(r"{constraint_edges.quoted_answer}").is_match(&statement);
        // "Your whole response should be wrapped in quotation marks" names it before.
        let named = answer
            || pattern!(r"(?i)\b{constraint_edges.answer_before}\b")
                .is_match(text.before(range.start));
        let strings = pattern!(r"{constraint_edges.quoted_string}").is_match(&statement)
            || !answer
                && pattern!(r"(?i)\b{constraint_edges.quoted_string_before}\b")
                    .is_match(text.before(range.start));
        let denied = pattern!(r"(?i)\b{constraint_text.negation}\b").is_match(&statement);
        if named && !strings && !denied && !text.is_negated(range.start) {
            found.push(Statement::of(Kind::QuotationMarks, range));
        }
    }
}
