//! The form of the answer.

use super::{
    found::Found,
    options::options,
    statement::Statement,
    text::{Text, range},
};
use crate::ConstraintKind as Kind;
use patterns::{Pattern, pattern, table};

/// Formats and how prompts call them.
const FORMATS: &[(&str, Pattern)] = table!(
    "constraint_formats",
    r"(?i){constraint_format.asked}{constraint_format.article}\s+{}\b"
);

pub fn find(text: &Text<'_>, found: &mut Found) {
    formats(text, found);
    choices(text, found);
}

fn formats(text: &Text<'_>, found: &mut Found) {
    let cjk = pattern!(
        r"(?i)(?P<v>json|xml|yaml|csv|html|markdown|{constraint_format.table_before_format})\s*{constraint_format.format_behind}|{constraint_format.in_form_of}(?P<w>{constraint_format.form})"
    );
    for captures in text.matches(cjk) {
        let Some(name) = captures.name("v").or(captures.name("w")) else { continue };
        let value = match name.as_str().to_lowercase().as_str() {
            "表" | "表格" | "표" => "table".to_owned(),
            "列表" => "bullet_list".to_owned(),
            other => other.to_owned(),
        };
        found.push(Statement::of(Kind::Format, range(&captures)).valued(value));
    }
    // Bullets that are counted are no format beside it.
    let counts_bullets = found.iter().any(|one| {
        one.kind == Kind::ItemCount && one.values.iter().any(|unit| unit.starts_with("bullet"))
    });
    for (value, rule) in FORMATS {
        for captures in text.matches(*rule) {
            let range = range(&captures);
            let statement = text.at(range.clone()).to_lowercase();
            let after = text.after(range.end);
            // Programs and questions about a format do not ask for it.
            let subject = pattern!(r"(?i)^\s*{constraint_format.other_format}").is_match(after);
            let marks = *value == "markdown" && pattern!(r"(?i)^\s*{constraint_format.markdown_used}|^, {constraint_format.markdown_example}").is_match(after);
            let input = pattern!(r"^{constraint_format.to_format} ").is_match(&statement)
                && !pattern!(r"(?i)\b{constraint_format.convert}\w*\b[^.]{0,80}$")
                    .is_match(text.before(range.start));
            let counted = *value == "bullet_list" && counts_bullets;
            if !counted && !subject && !marks && !input && !text.is_negated(range.start) {
                found.push(Statement::of(Kind::Format, range).valued(*value));
            }
        }
    }
}

fn choices(text: &Text<'_>, found: &mut Found) {
    let rule = pattern!(
        r#"(?i)\b{constraint_format.choose}\w*\b[^.!?\n]{0,60}?\b(?:{constraint_format.one_of_these}\b[^.!?\n]{0,40}|{constraint_format.from_these}\b|{constraint_format.from}:|{constraint_format.choice_between}\s*:?\s*\(?(?:{constraint_format.choice_only} )?["'“„][^"'”“\n]{1,40}["'”“](?:\s*,\s*["'“„][^"'”“\n]{1,40}["'”“]){0,9}\s*,?\s*(?:{constraint_format.or_and}|/)\s*["'“„]|{constraint_format.one_of}:|{constraint_format.only_one_of})|\b{constraint_format.answer_with_yes_or_no}\b|\b{constraint_format.answer_yes_or_no}\b|\b{constraint_format.either}\s+["'“„][^"'”“\n]{1,40}["'”“]\s+{constraint_format.or}\s+["'“]|\b{constraint_format.return_yes_or_no}\b|\b{constraint_format.classify}\b[^.!?\n:]{0,80}?\b{constraint_format.as}\s+(?:{constraint_format.either_or_being}\s+)?["'“]?[\p{L}-]{2,20}["'”]?(?:,\s*["'“]?[\p{L}-]{2,20}["'”]?){0,8},?\s+{constraint_format.or}\s+["'“]?[\p{L}-]{2,20}|\b{constraint_format.say}\b[^.!?\n]{0,20}["'“”][^"'”\n]{1,40}["'”]\s*{constraint_format.or}\s+["'“”]"#
    );
    for captures in text.matches(rule) {
        let range = range(&captures);
        let after = text.after(range.end);
        let topic = pattern!(r"(?i)^\s*{constraint_format.materials}\b").is_match(after)
            || pattern!(r"(?i){constraint_format.materials_chosen}\s*$")
                .is_match(text.at(range.clone()));
        let words =
            pattern!(r"(?i){constraint_format.contain}\b.{0,20}\b{constraint_format.keywords}")
                .is_match(text.at(range.clone()));
        if !topic && !words {
            let values = options(text.at(range.clone()), &text.whole()[range.end..]);
            found.push(Statement { values, ..Statement::of(Kind::Choice, range) });
        }
    }
}
