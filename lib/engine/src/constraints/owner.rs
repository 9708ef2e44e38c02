//! Whose a statement is: the answer's, or that of something which is told of.

use patterns::pattern;

use super::statement::Statement;
use super::text::Text;
use crate::{ConstraintKind as Kind, Relation};

/// Whether a statement tells of something that exists, or asks about it: "the novel starts with", "my essay has".
pub fn is_told(text: &Text<'_>, one: &Statement) -> bool {
    let (before, stated) = (text.before(one.start), text.at(one.start..one.end));
    let demands = pattern!(r"(?i)\b(?:{constraint_count.must}|{constraint_owner.answer})\b");
    if demands.is_match(before) {
        return false;
    }
    match one.kind {
        Kind::Audience | Kind::Tone | Kind::JsonSchema => false,
        Kind::StartsWith | Kind::EndsWith => {
            pattern!(r"(?i)^\W*{constraint_owner.other}\b[^,;:]{0,60}$").is_match(before)
                && pattern!(r"(?i)^{constraint_owner.told}\b").is_match(stated)
                || is_asked(text, one, before)
        }
        Kind::Language | Kind::Format => is_asked(text, one, before),
        _ => {
            one.relation == Some(Relation::Exactly) && tells(before) || is_asked(text, one, before)
        }
    }
}

/// Whether the words before a number tell of something that exists: "our page has" 2 sections.
pub fn tells(before: &str) -> bool {
    pattern!(r"(?i)^\W*{constraint_owner.other}\b[^,;:]{0,60}?\b{constraint_owner.told}\s+(?:\p{L}+\s+){0,2}$")
        .is_match(before)
        && !pattern!(r"(?i)\b(?:{constraint_count.must}|{constraint_owner.answer})\b").is_match(before)
}

/// Whether a statement stands in a question that asks for no text.
fn is_asked(text: &Text<'_>, one: &Statement, before: &str) -> bool {
    text.ends_in_question(one.end)
        && pattern!(r"(?i)^\W*{constraint_owner.question}\b|[,:] {constraint_owner.question}\b")
            .is_match(before)
}

/// Whether a quotation is the name of a part: a "Recommendation" section.
pub fn names_a_part(after: &str) -> bool {
    pattern!(r"(?i)^\s*{constraint_owner.part}\b").is_match(after)
}

/// Whether what stands before a statement names a part of the answer, or something in it.
pub fn is_of_a_part(before: &str) -> bool {
    pattern!(r"(?i)\b{constraint_owner.part}\b[^,;:]{0,60}$").is_match(before)
        && !pattern!(
            r"(?i)\b(?:{constraint_letters.all_words}|{constraint_owner.whole})\b[^,;:]{0,40}$"
        )
        .is_match(before)
}
