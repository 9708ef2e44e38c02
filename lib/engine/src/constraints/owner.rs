//! Whose a statement is: the answer's, or that of something which is told of.

use patterns::pattern;

use super::statement::Statement;
use super::text::Text;
use crate::ConstraintKind as Kind;

/// Whether a statement is asked about, as in "why does a sonnet have 14 lines?", or tells of something that exists: "the
/// novel starts with", "a teacher who wants" 2 sections. Nothing before it names the answer, or says what must be.
pub fn is_told(text: &Text<'_>, one: &Statement) -> bool {
    let before = text.before(one.start);
    let mut sentence = before.to_owned();
    match one.kind {
        Kind::Tone | Kind::JsonSchema => return false,
        Kind::StartsWith | Kind::EndsWith | Kind::TableColumns => {
            sentence.push_str(text.at(one.start..one.end));
        }
        _ => {}
    }
    let is_asked = pattern!(r"(?i){constraint_owner.clause}{constraint_owner.question}\b");
    let is_question = pattern!(r"^(?:\d\.|[^.!?\n;]){0,240}?\?").is_match(&text.blanked[one.end..]);
    if is_question && is_asked.is_match(&sentence)
        || pattern!(r"(?i)\b{constraint_owner.third}\b[^,;:]{0,80}$").is_match(before)
    {
        return !pattern!(r"(?i){constraint_owner.before_length}\s*$").is_match(before);
    }
    let is_of_answer = pattern!(r"(?i)\b(?:{constraint_owner.answer}|{constraint_count.must})\b");
    one.kind != Kind::Audience
        && !is_of_answer.is_match(&sentence)
        && pattern!(r"(?i){constraint_owner.new_clause}{constraint_owner.other}\b[^,;:]{0,80}?\b{constraint_owner.told}\b")
            .is_match(&sentence)
}

/// Whether a number stands in a sentence without conditions, and without figures of something else than its `unit` before
/// it, as in "chapter 3 has two sections", unless it is that of all.
pub fn is_plain(before: &str, after: &str, unit: &str) -> bool {
    let holds_sometimes = pattern!(r"(?i)\b{check_scope.condition}\b");
    let clause = before[::text::list::marker(before)..].rsplit([',', ':']).next();
    let is_second = clause.is_some_and(|clause| clause.contains(|c: char| c.is_ascii_digit()));
    // "Each answer" is the whole one.
    let one = pattern!(r"(?i)\b{check_scope.every_answer}\b").replace_all(before, |_| " ");
    let is_total = pattern!(r"(?i)^[^,;:]{0,20}\b{check_scope.total}\b").is_match(after);
    (!is_second || is_total || before.to_lowercase().contains(unit))
        && !pattern!(r"(?i)\b{check_scope.each}\b").is_match(&one)
        && ![before, after].iter().any(|text| holds_sometimes.is_match(text))
}

/// Whether what stands before a statement names a part of the answer, or something in it.
pub fn is_of_a_part(before: &str) -> bool {
    pattern!(r#"(?i)\b{constraint_owner.part}\b[^,;:"“”»]{0,60}$"#).is_match(before)
        && !pattern!(r"(?i)\b{constraint_owner.all_of_it}\b[^,;:]{0,40}$").is_match(before)
}

/// Whether what stands around a statement in its clause names nothing but the answer.
pub fn is_of_the_answer(before: &str, after: &str) -> bool {
    let clause = before.rsplit([',', ':']).next().unwrap_or(before);
    let end = pattern!(r"(?i)[,;:)]|\b(?:{constraint_count.new_clause}|{constraint_words.no})\b");
    let rest = end.split(after).next().unwrap_or(after);
    let names = pattern!(
        r"(?i)^\W*(?:(?:{check_scope.whole}|{check_scope.answer}|{check_scope.output}|{check_scope.total}|{check_scope.polite}|{check_scope.write}|{constraint_letters.all_words})(?:\W+|$))*$"
    );
    let text =
        pattern!(r"(?i)\b(?:{check_scope.output}|{check_scope.answer}|{check_scope.total})\b");
    names.is_match(rest)
        && (names.is_match(clause) || !is_of_a_part(before) && text.is_match(clause))
}
