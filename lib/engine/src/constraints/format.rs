//! The form of the answer.

use super::{
    Constraint, ConstraintKind as Kind, Relation,
    found::Found,
    number,
    text::{Text, range},
};
use patterns::{Pattern, pattern};

const HIGHLIGHTS: Pattern = pattern!(
    r"(?i)\b(?:highlight|italici[sz]e|bold|emphasi[sz]e|underline)(?:s|d|ed|ing)?(?:/bold)?\s+(?:in \w+\s+)?(?:(?P<lead>{constraint_number.lead})\s*)?(?:(?P<n>{constraint_number.number})\s+|(?:some|each|the|key|important|all|any|a few|your)\s+)*(?:\w+\s+){0,2}?{constraint_format.parts}\b|(?:(?P<lead2>{constraint_number.lead})\s*)?(?P<n2>{constraint_number.number})\s+(?:\w+\s+){0,1}?(?:(?:highlighted|italic(?:i[sz]ed)?|bold(?:ed)?|emphasi[sz]ed) (?:text )?{constraint_format.parts}|(?:text )?(?:sections?|parts?|phrases?|passages?|words?)[^.!?\n]{0,20}?\b(?:should|must|to|are|is|need to)? ?(?:be )?(?:highlighted|italici[sz]ed|italic|bolded|in (?:italics|bold)))"
);

/// A format, how prompts call it, and its name.
const FORMATS: [(Pattern, &str); 13] = [
    (
        pattern!(
            r"(?i){constraint_format.asked}{constraint_format.article}\s+(?:json(?:l)?(?:\s+(?:format|block|object|array|only|output|document))?)\b"
        ),
        "json",
    ),
    (
        pattern!(
            r"(?i){constraint_format.asked}{constraint_format.article}\s+(?:yaml(?:\s+\w+)?)\b"
        ),
        "yaml",
    ),
    (
        pattern!(
            r"(?i){constraint_format.asked}{constraint_format.article}\s+(?:xml(?:\s+(?:format|document|output))?)\b"
        ),
        "xml",
    ),
    (
        pattern!(
            r"(?i){constraint_format.asked}{constraint_format.article}\s+(?:csv(?:\s+\w+)?)\b"
        ),
        "csv",
    ),
    (
        pattern!(
            r"(?i){constraint_format.asked}{constraint_format.article}\s+(?:html(?:\s+(?:page|format|document|output|code|snippet))?)\b"
        ),
        "html",
    ),
    (pattern!(r"(?i){constraint_format.asked}{constraint_format.article}\s+(?:latex)\b"), "latex"),
    (
        pattern!(
            r"(?i){constraint_format.asked}{constraint_format.article}\s+(?:(?:markdown[- ])?(?:table|tabelle|tableau|tabla|tabella|tabela)\b(?:\s+format)?)\b"
        ),
        "table",
    ),
    (
        pattern!(
            r"(?i){constraint_format.asked}{constraint_format.article}\s+(?:markdown(?:\s+format)?)\b"
        ),
        "markdown",
    ),
    (
        pattern!(r"(?i){constraint_format.asked}{constraint_format.article}\s+(?:plain ?text)\b"),
        "plain_text",
    ),
    (
        pattern!(
            r"(?i){constraint_format.asked}{constraint_format.article}\s+(?:(?:numbered|ordered) list)\b"
        ),
        "numbered_list",
    ),
    (
        pattern!(
            r"(?i){constraint_format.asked}{constraint_format.article}\s+(?:(?:bullet(?:ed)?(?:[- ]point(?:s|ed)?)?|unordered)(?:[- ]list| points?|s\b)|bullets\b)\b"
        ),
        "bullet_list",
    ),
    (
        pattern!(r"(?i){constraint_format.asked}{constraint_format.article}\s+(?:code ?block)\b"),
        "code_block",
    ),
    (
        pattern!(
            r"(?i){constraint_format.asked}{constraint_format.article}\s+(?:(?:mermaid|plantuml)(?:\s+diagram)?)\b"
        ),
        "diagram",
    ),
];

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
    let marks = pattern!(r"(?i)markdown|asterisk|italic|\*|bold").is_match(text.read());
    for captures in text.matches(HIGHLIGHTS) {
        let range = range(&captures);
        let statement = text.at(range.clone()).to_lowercase();
        let lead = captures.name("lead").or(captures.name("lead2")).map_or("", |one| one.as_str());
        let number =
            captures.name("n").or(captures.name("n2")).and_then(|n| number::value(n.as_str()));
        // "Emphasize the key points of the report" asks for content unless marks are spoken of.
        let marked = shown
            || marks
            || number.is_some() && statement.contains("highlight")
            || pattern!(r"italic|bold").is_match(&statement);
        // "*highlighted section*" shows how it looks.
        let is_sample = text.read()[..range.start].ends_with('*');
        if is_sample || !marked || text.is_negated(range.start) {
            continue;
        }
        let amount = match number {
            Some(number) => number::amount(lead, number, None, ""),
            None => number::Amount { relation: Relation::AtLeast, number: 1, upper: None },
        };
        found.push(Constraint::stated(Kind::HighlightCount, range).counted(amount));
    }
    if found.has(Kind::HighlightCount) {
        return;
    }
    let samples: Vec<_> = text.matches(sample).collect();
    if let (Some(first), true) = (
        samples.first(),
        samples.len() > 1
            || pattern!(r"(?i)highlight|italic|bold|format|like").is_match(text.read()),
    ) {
        let number = u32::try_from(samples.len()).unwrap_or(u32::MAX);
        let amount = number::Amount { relation: Relation::AtLeast, number, upper: None };
        found.push(Constraint::stated(Kind::HighlightCount, range(first)).counted(amount));
    }
}

fn titles(text: &Text<'_>, found: &mut Found) {
    let wrapped = pattern!(
        r"(?i)\b(?:title|answer|heading|name)\b[^.!?\n]{0,60}?\b(?:double )?ang(?:le|ular) brackets|\bdouble ang(?:le|ular) brackets|<<[^<>\n]{1,60}>>"
    );
    for captures in text.matches(wrapped).take(1) {
        found.push(Constraint::stated(Kind::Title, range(&captures)).valued("<<>>"));
    }
    if found.has(Kind::Title) {
        return;
    }
    let plain = pattern!(
        r"(?i)\b(?:include|add|has|have|contain|contains|with|give (?:it|the \w+)|provide|needs?|must have|should have|start with)\s+(?:a|an|its own|a short|a catchy|a creative)\s+(?:\w+\s+)?(?:title|headline)\b|\bgive (?:it|the \w+) a (?:\w+ )?title\b"
    );
    for captures in text.matches(plain) {
        let range = range(&captures);
        let after = text.after(range.end);
        if !text.is_negated(range.start)
            && !pattern!(r"(?i)^\s*(?:page|field|column|tag|attribute|bar|case|fight|deed|track)\b")
                .is_match(after)
        {
            found.push(Constraint::stated(Kind::Title, range));
        }
    }
}

fn formats(text: &Text<'_>, found: &mut Found) {
    let cjk = pattern!(
        r"(?i)(?P<v>json|xml|yaml|csv|html|markdown|表格?|표)\s*(?:格式|形式|形式で|형식|로)|(?:以|用)(?P<w>表格|列表)"
    );
    for captures in text.matches(cjk) {
        let Some(name) = captures.name("v").or(captures.name("w")) else { continue };
        let value = match name.as_str().to_lowercase().as_str() {
            "表" | "表格" | "표" => "table".to_owned(),
            "列表" => "bullet_list".to_owned(),
            other => other.to_owned(),
        };
        found.push(Constraint::stated(Kind::Format, range(&captures)).valued(value));
    }
    for (rule, value) in FORMATS {
        for captures in text.matches(rule) {
            let range = range(&captures);
            let statement = text.at(range.clone()).to_lowercase();
            let after = text.after(range.end);
            // Programs and questions about a format do not ask for it.
            let subject = pattern!(r"(?i)^\s*(?:parser|file|files|schema|api|endpoint|response from|library|payload|column|importer|exporter|reader|editor|validator|of contents|reservation|tennis|for (?:two|four|six|\d))").is_match(after);
            let marks = value == "markdown" && pattern!(r"(?i)^\s*(?:to highlight|highlight|divider|separator|ticks|bullet|such as)|^, (?:i\b|such|for|e\b)").is_match(after);
            let input = pattern!(r"^(?:to|into) ").is_match(&statement) && !pattern!(r"(?i)\b(?:convert|turn|transform|format|put|organi[sz]e|parse|export|wrap|summari[sz]e|translate|rewrite|extract)\w*\b[^.]{0,80}$").is_match(text.before(range.start));
            // Bullets that are counted are no format beside it.
            let counted = value == "bullet_list"
                && found.iter().any(|one| {
                    one.kind == Kind::ItemCount
                        && one.values.iter().any(|unit| unit.starts_with("bullet"))
                });
            if !counted && !subject && !marks && !input && !text.is_negated(range.start) {
                found.push(Constraint::stated(Kind::Format, range).valued(value));
            }
        }
    }
}

fn separators(text: &Text<'_>, found: &mut Found) {
    let six = pattern!(
        r"(?i)\b(?:separat\w*|following|follow\w*|divid\w*|delimit\w*|between)\b[^.!?\n]{0,60}?(?:\b(?:6|six) asterisks?(?: symbols?| signs?)?|\*{6})|\b(?:6|six) asterisk symbols?|(?:^|\n|\s)\*{6}(?:\s|$|[.,)])"
    );
    for captures in text.matches(six).take(1) {
        found.push(Constraint::stated(Kind::Separator, range(&captures)).valued("******"));
    }
    let three = pattern!(
        r#"(?i)\b(?:separat\w*|divid\w*|delimit\w*|divider)\b[^!?\n]{0,80}?(?:\b(?:3|three) as?terisks?(?: symbols?| markers?)?|["'\s(:]\*{3}(?:[^*]|$))|(?:^|\n)\s*\*{3}\s*(?:\n|$)|\bthree "\*" symbols|\s\*{3}[,.\s]|'\*{3}'|\b(?:3|three) as?terisk(?:s| symbols| markers)"#
    );
    for captures in text.matches(three).take(1) {
        found.push(Constraint::stated(Kind::Separator, range(&captures)).valued("***"));
    }
    let lines = pattern!(
        r"(?i)\bseparat\w*\b[^.!?\n]{0,60}?\b(?:by|with|using)\s+(?:an? |two )?(?P<v>blank lines?|empty lines?|new ?lines?|line breaks?|horizontal (?:rules?|lines?)|dashes|commas|semicolons|pipes|tabs)"
    );
    for captures in text.matches(lines) {
        let range = range(&captures);
        let statement = text.at(range.clone()).to_lowercase();
        if !statement.contains("values") {
            found.push(
                Constraint::stated(Kind::Separator, range.clone())
                    .valued(captures["v"].to_lowercase()),
            );
        }
    }
}

/// Sections whose beginning is marked.
fn sections(text: &Text<'_>, found: &mut Found) {
    let marked = pattern!(
        r#"(?i)\b(?:mark(?:ed)?|start(?:s|ing|ed)?|begin(?:s|ning)?|noted|label(?:l?ed)?|indicated?|denoted?|titled|named)\b[^.!?\n]{0,40}?\b(?:as|with|by)\s+["'“]?(?P<v>section|day|part|chapter|paragraph|step|round|act|scene|week)s?\s+(?:X|\d|[ivx]+|#|N)\b"#
    );
    for captures in text.matches(marked) {
        let range = range(&captures);
        let number =
            found.iter().filter(|one| one.kind == Kind::SectionCount).find_map(|one| one.number);
        let mut constraint =
            Constraint::stated(Kind::SectionCount, range).valued(captures["v"].to_lowercase());
        constraint.number = number;
        constraint.relation = number.map(|_| Relation::Exactly);
        found.push(constraint);
    }
    let beginnings = pattern!(
        r#"(?i)\bmark(?:ing)? (?:the )?(?:beginning|start)\b[^.!?]{0,60}?\b(?:with|by|as)\s+["'“]?(?P<v>\p{L}{3,15})\s+(?:X|N|#|\d)\b"#
    );
    for captures in text.matches(beginnings) {
        let range = range(&captures);
        if !found.overlaps(Kind::SectionCount, &range) {
            let constraint = Constraint::stated(Kind::SectionCount, range);
            found.push(constraint.valued(captures["v"].to_lowercase()));
        }
    }
}

fn choices(text: &Text<'_>, found: &mut Found) {
    let rule = pattern!(
        r#"(?i)\b(?:answer|respond|reply|response|choose|pick|select|say|output|return|classify|label)\w*\b[^.!?\n]{0,60}?\b(?:(?:only |exactly |just )?(?:one|1) of (?:the )?(?:following|these|those)\b[^.!?\n]{0,40}|from (?:the )?(?:following|these|those|these options|the options)\b|from:|(?:with|from|between|of|be|is)\s*:?\s*\(?(?:only |just |either )?["'“][^"'”\n]{1,40}["'”](?:\s*,\s*["'“][^"'”\n]{1,40}["'”]){0,9}\s*,?\s*(?:or|and|/)\s*["'“]|one of:|only one of)|\b(?:answer|respond|reply)(?: only)? with (?:only )?(?:a )?(?:yes or no|true or false|yes/no|true/false)\b|\banswer (?:only )?yes or no\b|\beither\s+["'“][^"'”\n]{1,40}["'”]\s+or\s+["'“]|\b(?:respond|answer|reply|output|return) (?:only |just )?(?:with )?(?:only |either )?(?:true or false|yes or no)\b|\b(?:classify|label|categori[sz]e|tag|rate|mark|flag|judge|grade)\b[^.!?\n:]{0,80}?\bas\s+(?:either\s+|being\s+)?["'“]?[\p{L}-]{2,20}["'”]?(?:,\s*["'“]?[\p{L}-]{2,20}["'”]?){0,8},?\s+or\s+["'“]?[\p{L}-]{2,20}|\b(?:say|answer|reply|respond)\b[^.!?\n]{0,20}["'“”][^"'”\n]{1,40}["'”]\s*or\s+["'“”]"#
    );
    for captures in text.matches(rule) {
        let range = range(&captures);
        let after = text.after(range.end);
        let topic = pattern!(
            r"(?i)^\s*(?:topics|books|articles|passages|prompts|tasks|examples|sentences|texts)\b"
        )
        .is_match(after)
            || pattern!(r"(?i)(?:topics|books|articles|passages|prompts|sentences|texts)\s*$")
                .is_match(text.at(range.clone()));
        let words =
            pattern!(r"(?i)contains?\b.{0,20}\b(?:key)?words").is_match(text.at(range.clone()));
        if !topic && !words {
            found.push(Constraint::stated(Kind::Choice, range));
        }
    }
}
