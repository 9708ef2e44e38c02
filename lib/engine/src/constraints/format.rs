//! The form of the answer.

use super::{
    found::Found,
    number::{self, Amount},
    statement::Statement,
    text::{Text, range},
};
use crate::ConstraintKind as Kind;
use crate::Relation;
use patterns::{Captures, Pattern, pattern, table};

const HIGHLIGHTS: [Pattern; 2] = [
    pattern!(
        r"(?i)\b{constraint_format.highlight}\s+(?:{constraint_format.in} \w+\s+)?(?:(?P<lead>{constraint_number.lead})\s*)?(?:(?P<n>{constraint_number.number})\s+|{constraint_format.some}\s+)*(?:\w+\s+){0,2}?{constraint_format.parts}\b"
    ),
    pattern!(
        r"(?i)(?:(?P<lead>{constraint_number.lead})\s*)?(?P<n>{constraint_number.number})\s+(?:\w+\s+){0,1}?(?:{constraint_format.highlighted} (?:{constraint_format.text} )?{constraint_format.parts}|(?:{constraint_format.text} )?{constraint_format.marked_parts}[^.!?\n]{0,20}?\b{constraint_format.must}? ?(?:{constraint_format.be} )?{constraint_format.marked})"
    ),
];

/// Formats and how prompts call them.
const FORMATS: &[(&str, Pattern)] = table!(
    "constraint_formats",
    r"(?i){constraint_format.asked}{constraint_format.article}\s+{}\b"
);

pub fn find(text: &Text<'_>, found: &mut Found) {
    highlights(text, found);
    titles(text, found);
    formats(text, found);
    separators(text, found);
    sections(text, found);
    choices(text, found);
}

fn highlights(text: &Text<'_>, found: &mut Found) {
    let sample = pattern!(r"(?:^|[^*\w])\*(?P<v>[^\s*][^*\n]{0,60}[^\s*])\*(?:[^*\w]|$)");
    let shown = sample.is_match(text.read());
    let marks = pattern!(r"(?i)markdown|{constraint_format.marks}|\*").is_match(text.read());
    for captures in HIGHLIGHTS.into_iter().flat_map(|rule| text.matches(rule)) {
        let range = range(&captures);
        let statement = text.at(range.clone()).to_lowercase();
        let amount = number::amount(&captures);
        // "Emphasize the key points of the report" asks for content unless marks are spoken of.
        let marked = shown
            || marks
            || amount.is_some() && statement.contains("highlight")
            || pattern!(r"{constraint_format.italic_or_bold}").is_match(&statement);
        // "*highlighted section*" shows how it looks.
        let is_sample = text.read()[..range.start].ends_with('*');
        if is_sample || !marked || text.is_negated(range.start) {
            continue;
        }
        let amount = amount.unwrap_or(Amount::of(Relation::AtLeast, 1));
        found.push(Statement::of(Kind::HighlightCount, range).counted(amount));
    }
    if found.has(Kind::HighlightCount) {
        return;
    }
    // "*3.1.1*" is the number of a heading.
    let has_letter = |found: &Captures<'_>| found["v"].chars().any(char::is_alphabetic);
    let samples: Vec<_> = text.matches(sample).filter(has_letter).collect();
    if let (Some(first), true) = (
        samples.first(),
        samples.len() > 1 || pattern!(r"(?i){constraint_format.looks}").is_match(text.read()),
    ) {
        let number = u32::try_from(samples.len()).unwrap_or(u32::MAX);
        let amount = Amount::of(Relation::AtLeast, number);
        found.push(Statement::of(Kind::HighlightCount, range(first)).counted(amount));
    }
}

fn titles(text: &Text<'_>, found: &mut Found) {
    let wrapped = pattern!(
        r"(?i)\b{constraint_format.titles}\b[^.!?\n]{0,60}?\b(?:{constraint_format.double} )?{constraint_format.angle_brackets}|\b{constraint_format.double} {constraint_format.angle_brackets}|<<[^<>\n]{1,60}>>"
    );
    for captures in text.matches(wrapped).take(1) {
        found.push(Statement::of(Kind::Title, range(&captures)).valued("<<>>"));
    }
    if found.has(Kind::Title) {
        return;
    }
    let plain = pattern!(
        r"(?i)\b{constraint_format.with_title}\s+{constraint_format.a_title}\s+(?:\w+\s+)?{constraint_format.title}\b|\b{constraint_format.give_it_a} (?:\w+ )?{constraint_format.title_given}\b"
    );
    for captures in text.matches(plain) {
        let range = range(&captures);
        let after = text.after(range.end);
        if !text.is_negated(range.start)
            && !pattern!(r"(?i)^\s*{constraint_format.other_title}\b").is_match(after)
        {
            found.push(Statement::of(Kind::Title, range));
        }
    }
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

fn separators(text: &Text<'_>, found: &mut Found) {
    let six = pattern!(
        r"(?i)\b{constraint_format.separated_by}\b[^.!?\n]{0,60}?(?:\b(?:6|{constraint_format.six}) {constraint_format.asterisks}|\*{6})|\b(?:6|{constraint_format.six}) {constraint_format.asterisk_symbols}|(?:^|\n|\s)\*{6}(?:\s|$|[.,)])"
    );
    let three = pattern!(
        r#"(?i)\b{constraint_format.divided_by}\b[^!?\n]{0,80}?(?:\b(?:3|{constraint_format.three}) {constraint_format.asterisks_or_markers}|["'\s(:]\*{3}(?:[^*]|$))|(?:^|\n)\s*\*{3}\s*(?:\n|$)|\b{constraint_format.three} "\*" {constraint_format.symbols}|\s\*{3}[,.\s]|'\*{3}'|\b(?:3|{constraint_format.three}) {constraint_format.several_asterisks}"#
    );
    for (rule, separator) in [(six, "******"), (three, "***")] {
        for captures in text.matches(rule).take(1) {
            found.push(Statement::of(Kind::Separator, range(&captures)).valued(separator));
        }
    }
    let lines = pattern!(
        r"(?i)\b{constraint_format.separated}\b[^.!?\n]{0,60}?\b{constraint_format.separated_with}\s+(?:{constraint_format.separator_article} )?(?P<v>{constraint_format.separators})"
    );
    for captures in text.matches(lines) {
        let range = range(&captures);
        let statement = text.at(range.clone()).to_lowercase();
        if !statement.contains("values") {
            found.push(
                Statement::of(Kind::Separator, range.clone()).valued(captures["v"].to_lowercase()),
            );
        }
    }
}

/// Sections whose beginning is marked.
fn sections(text: &Text<'_>, found: &mut Found) {
    let marked = pattern!(
        r#"(?i)\b{constraint_format.section_begins}\b[^.!?\n]{0,40}?\b{constraint_format.section_as}\s+["'“]?(?P<v>{constraint_format.section_name})s?\s+(?:X|\d|[ivx]+|#|N)\b"#
    );
    let beginnings = pattern!(
        r#"(?i)\b{constraint_format.mark_beginning}\b[^.!?]{0,60}?\b{constraint_format.section_with}\s+["'“]?(?P<v>\p{L}{3,15})\s+(?:X|N|#|\d)\b"#
    );
    let number =
        found.iter().filter(|one| one.kind == Kind::SectionCount).find_map(|one| one.number);
    for captures in [marked, beginnings].into_iter().flat_map(|rule| text.matches(rule)) {
        let mut constraint = Statement::of(Kind::SectionCount, range(&captures))
            .valued(captures["v"].to_lowercase());
        if let Some(number) = number {
            constraint = constraint.counted(Amount::of(Relation::Exactly, number));
        }
        found.push(constraint);
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
            found.push(Statement::of(Kind::Choice, range));
        }
    }
}
