//! A configuration for promptfoo.

use std::fmt::Write as _;

use domain::preset::{self, Piece, Values};
use serde::de::IgnoredAny;
use serde_json::Value;

use super::quoting::{javascript, untemplated, yaml};
use super::rule::{HEADING_LINE, Rule, Rules, SENTENCE_END, TABLE_HEAD, WORD, unspaced};
use crate::Check;

/// Takes code out of the fence that encloses it.
const UNFENCED: &str = r"output.trim().replace(/^```\w*\s*\n([\s\S]*?)\n?```$/, '$1')";

/// Words that are no names of variables to promptfoo: its templates read a constant or an operator, and a name of its
/// own or of JavaScript has another value.
const RESERVED: [&str; 7] = ["true", "false", "none", "null", "not", "_conversation", "__proto__"];

/// Leaves the words of the answer, with a space between them: promptfoo takes what spaces divide for words. `{U}` stands
/// for the characters that are words.
const WORDS: &str = r"(output.match(/[{U}]|(?:(?:(?![{U}])[\p{L}\p{M}\p{N}_])+(?:['’\u00ad](?=[\p{L}\p{N}])|(?<=[0-9])[.,:](?=[0-9]))?)+/gu) || []).join(' ')";

/// A configuration for the command line of promptfoo (`promptfoo eval -c file`): the prompt, a test with the values of
/// its variables, and an assertion for each check, with promptfoo's own types where they mean the same. It runs as it is,
/// with a provider that echoes the prompt, in whose place the model to be tested goes.
pub(super) fn promptfoo(prompt: &str, values: &Values, filled: &str, checks: &[Check]) -> String {
    let mut file = String::from(
        "# yaml-language-server: $schema=https://promptfoo.dev/config-schema.json\n\
         # Run it with: npx promptfoo eval -c <this file>\n\
         # In the place of \"echo\" goes the model to be tested: https://www.promptfoo.dev/docs/providers\n\
         description: \"Checks of a prompt\"\n\
         providers:\n  - \"echo\"\n\
         prompts:\n",
    );
    let raw = text_of(template(prompt, values));
    // Writing to a string cannot fail.
    let _ = writeln!(file, "  - label: \"prompt\"\n    raw: {}", yaml(&raw));
    file.push_str("tests:\n  - description: \"Every check\"\n");
    let named: Vec<_> = values.iter().filter(|(name, _)| is_name(name)).collect();
    if !named.is_empty() {
        file.push_str("    vars:\n");
        for (name, value) in named {
            let _ = writeln!(file, "      {}: {}", yaml(name), yaml(&value_of(value)));
        }
    }
    let mut asserted = String::new();
    let mut left_out = String::new();
    let mut rules = Rules::of(checks, filled);
    for check in checks {
        match rules.next(check) {
            Some(rule) => asserted.push_str(&assertion(check, &rule)),
            None => {
                let line = format!("{} {}: {}", check.id, check.kind.as_str(), check.description);
                let _ = writeln!(left_out, "    # not tested here: {}", yaml(&line));
            }
        }
    }
    file.push_str(&left_out);
    if asserted.is_empty() {
        file.push_str("    assert: []\n");
    } else {
        file.push_str("    assert:\n");
        file.push_str(&asserted);
    }
    file
}

fn assertion(check: &Check, rule: &Rule) -> String {
    let metric = format!("{} {}", check.id, check.kind.as_str());
    let mut lines = format!("      # {}\n", yaml(&check.description));
    let (kind, value, transform) = typed(rule);
    let _ = writeln!(lines, "      - type: {kind}\n        metric: {}", yaml(&metric));
    if let Some(value) = value {
        let _ = writeln!(lines, "        value: {value}");
    }
    if let Some(transform) = transform {
        let _ = writeln!(lines, "        transform: {}", yaml(&transform));
    }
    lines
}

/// The type of an assertion, its value, and what is done to the answer before.
fn typed(rule: &Rule) -> (&'static str, Option<String>, Option<String>) {
    let code = |code: String| ("javascript", Some(yaml(&code)), None);
    let bounded = |number: &str, least: usize, most: usize| {
        code(format!("(n => {})({number})", range("n", least, most)))
    };
    let regex = |pattern: &str, flags: &str| {
        let pattern = pattern.replace(WORD, r"[\p{L}\p{M}\p{N}_]");
        format!("/{}/{flags}", without_templates(&pattern))
    };
    let matched = |pattern: &str, flags: &str| {
        format!("[...output.matchAll({})].length", regex(pattern, flags))
    };
    match rule {
        Rule::Words { least, most } => {
            let bounds = match (*least, *most) {
                (least, usize::MAX) => format!("{{min: {least}}}"),
                (0, most) => format!("{{max: {most}}}"),
                (least, most) => format!("{{min: {least}, max: {most}}}"),
            };
            ("word-count", Some(bounds), Some(WORDS.replace("{U}", &unspaced())))
        }
        Rule::Count { pattern, least, most } => bounded(&matched(pattern, "giu"), *least, *most),
        Rule::Lines { pattern, least, most } => {
            bounded(&matched(&format!("^{pattern}$"), "gimu"), *least, *most)
        }
        Rule::Sentences { least, most } => bounded(&matched(SENTENCE_END, "gu"), *least, *most),
        Rule::Paragraphs { headed, least, most } => {
            bounded(&format!("{}.length", paragraphs(*headed)), *least, *most)
        }
        Rule::Paragraph { headed, index, start } => {
            code(format!("{}.test({}[{index}] || '')", regex(start, "iu"), paragraphs(*headed)))
        }
        Rule::Characters { unspaced: false, least, most } => {
            bounded("[...output.trim()].length", *least, *most)
        }
        Rule::Characters { unspaced: true, least, most } => {
            let characters = format!(
                r"(all => all.filter(c => /[{}]/u.test(c)).length * 2 > all.length ? all.filter(c => /\S/.test(c)) : all)([...output.trim()])",
                unspaced()
            );
            bounded(&format!("{characters}.length"), *least, *most)
        }
        Rule::Capitals { least, most } => bounded(
            r"(output.match(/[\p{L}\p{M}\p{N}_'’]+/gu) || []).filter(w => w !== w.toLowerCase() && w === w.toUpperCase()).length",
            *least,
            *most,
        ),
        Rule::Contains(words) if words.iter().all(|word| is_plain_word(word)) => {
            let words: Vec<String> = words.iter().map(|word| yaml(word)).collect();
            ("icontains-all", Some(format!("[{}]", words.join(", "))), None)
        }
        Rule::Contains(words) => {
            let words: Vec<String> =
                words.iter().map(|word| javascript(&word.to_lowercase())).collect();
            code(format!("[{}].every(w => output.toLowerCase().includes(w))", words.join(", ")))
        }
        Rule::Columns(names) => {
            let of_length = format!("row.length === {}", names.len());
            let names: Vec<String> = names.iter().map(|name| javascript(name)).collect();
            code(format!(
                r"[...output.matchAll(/^{TABLE_HEAD}$/gm)].map(m => m[1].trim().replace(/^\||\|$/g, '').split('|').map(cell => cell.replace(/[^\p{{L}}\p{{N}}]/gu, '').toLowerCase())).some(row => {of_length} && [{}].every(name => row.some(cell => cell.startsWith(name))))",
                names.join(", ")
            ))
        }
        Rule::OneOf(pattern) => code(format!(
            "new Set([...output.matchAll({})].map(m => m[0].toLowerCase())).size === 1",
            regex(pattern, "giu")
        )),
        Rule::Matches(pattern) => code(format!("{}.test(output)", regex(pattern, "iu"))),
        Rule::Lacks(pattern) => code(format!("!{}.test(output)", regex(pattern, "iu"))),
        Rule::Lowercase => code("output === output.toLowerCase()".to_owned()),
        Rule::Uppercase => code("output === output.toUpperCase()".to_owned()),
        Rule::Json(schema) => {
            let schema =
                schema.as_deref().and_then(|text| serde_json::from_str::<Value>(text).ok());
            let schema = schema.map(|mut schema| {
                // The validator there knows one draft and refuses the names of others.
                schema.as_object_mut().and_then(|members| members.shift_remove("$schema"));
                // As text: promptfoo takes what a value refers to by "$ref" from the configuration.
                yaml(&untemplated(&schema.to_string()))
            });
            ("is-json", schema, Some(UNFENCED.to_owned()))
        }
    }
}

/// The paragraphs of the answer.
fn paragraphs(headed: bool) -> String {
    let text = match headed {
        true => "output".to_owned(),
        false => format!("output.replace(/{HEADING_LINE}/gm, '')"),
    };
    format!(r"{text}.trim().split(/\n\s*\n/).filter(p => /[\p{{L}}\p{{N}}]/u.test(p))")
}

/// Whether a word can be an element of a value of promptfoo: it would fill templates and read files.
fn is_plain_word(word: &str) -> bool {
    !word.contains(['{', '}']) && !word.starts_with("file://")
}

/// An expression in which nothing opens a template.
fn without_templates(pattern: &str) -> String {
    pattern
        .replace("{%", r"{\x25")
        .replace("{#", r"{\x23")
        .replace("{{", r"{\x7b")
        .replace("#}", r"\x23}")
}

/// A condition on a number.
fn range(name: &str, least: usize, most: usize) -> String {
    match (least, most) {
        (least, usize::MAX) => format!("{name} >= {least}"),
        (0, most) => format!("{name} <= {most}"),
        (least, most) if least == most => format!("{name} === {least}"),
        (least, most) => format!("{name} >= {least} && {name} <= {most}"),
    }
}

/// Whether promptfoo's templates can name a variable so.
fn is_name(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && characters.all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !RESERVED.contains(&name)
}

/// A prompt as promptfoo's templates fill it: variables with a value stand as they do; those whose names templates do
/// not allow have their value already; all other braces are literal.
fn template(prompt: &str, values: &Values) -> String {
    let mut out = String::with_capacity(prompt.len());
    // Signs of two pieces may open a template together, so these are escaped as one.
    let mut text = String::new();
    for piece in preset::pieces(prompt) {
        match piece {
            Piece::Text(plain) => text.push_str(plain),
            Piece::Marker { name, .. } if is_name(name) && values.contains_key(name) => {
                out.push_str(&escaped(&text));
                text.clear();
                let _ = write!(out, "{{{{ {name} }}}}");
            }
            Piece::Marker { name, verbatim } => {
                text.push_str(values.get(name).map_or(verbatim, String::as_str));
            }
        }
    }
    out + &escaped(&text)
}

/// A prompt that is taken for a text. promptfoo reads or runs a file if a prompt of one line looks like a path, and
/// fetches or runs what some prefixes name; it writes JSON anew.
fn text_of(template: String) -> String {
    let path = !template.contains('\n') && {
        let end: String = template.chars().rev().take(4).skip(1).collect();
        let extension =
            template.split('.').skip(1).any(|part| part.starts_with(char::is_alphabetic));
        template.contains(['*', '/', '\\']) || end.contains('.') || extension
    };
    let word = template.trim_start_matches(|c: char| c.is_ascii_lowercase());
    let prefix = word.len() < template.len() && word.starts_with(':');
    let json = serde_json::from_str::<IgnoredAny>(&template).is_ok();
    if !(path || prefix || json) {
        return template;
    }
    // The sign at the end of the expression takes the line break away, and every other space with it.
    let text = template.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    let space = &template[..template.len() - text.len()];
    let space = space.replace('\n', r"\n").replace('\r', r"\r").replace('\t', r"\t");
    format!("{{{{ '{space}' -}}}}\n{text}")
}

/// The value of a variable as it is, of which promptfoo would read a file or load a package by its prefix, and take the
/// last line break away.
fn value_of(value: &str) -> String {
    let named = value.starts_with("file://") || value.starts_with("package:");
    let before = if named { "{{ '' }}" } else { "" };
    let behind = if value.ends_with('\n') { "{{ '' }}" } else { "" };
    format!("{before}{}{behind}", escaped(value))
}

/// A text in which nothing opens a template, or closes a remark in one.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match (c, characters.peek()) {
            ('{', Some('{')) => {
                out.push_str("{{ '{{' }}");
                characters.next();
            }
            // Signs of other templates are divided: promptfoo takes a text for literal where they open and do not close.
            ('{', Some('%' | '#') | None) => out.push_str("{{ '{' }}"),
            ('#', Some('}')) => {
                out.push_str("#{{ '}' }}");
                characters.next();
            }
            _ => out.push(c),
        }
    }
    out
}
