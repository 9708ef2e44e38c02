//! The kind of a text, where its form proves it.

use std::collections::HashMap;

use engine::page::BlockRole;
use patterns::pattern;
use serde_json::Value;

use super::document::Document;
use super::wording::said;

/// Most lines of a text that are looked at.
const LOOKED_AT: usize = 200;
/// Most names of columns or keys.
const MOST_NAMES: usize = 40;
/// Longest name of a column or key, in characters.
const LONGEST_NAME: usize = 40;

/// A kind of text.
#[derive(Debug, PartialEq, Eq)]
pub struct Form {
    /// Its name in results.
    pub id: &'static str,
    /// What it is called in English, with an article.
    pub name: &'static str,
    /// Whether a program reads it.
    pub is_data: bool,
}

const fn of(id: &'static str, name: &'static str, is_data: bool) -> Form {
    Form { id, name, is_data }
}

static JSON: Form = of("json", said("a JSON document"), true);
static XML: Form = of("xml", said("an XML document"), true);
static CSV: Form = of("csv", said("a CSV file"), true);
static CODE: Form = of("code", said("a program"), true);
static EMAIL: Form = of("email", said("an email"), false);
static DIALOGUE: Form = of("dialogue", said("a dialogue"), false);
static TABLE: Form = of("table", said("a table"), false);
static LIST: Form = of("list", said("a list"), false);
static PAGE: Form = of("page", said("a web page"), false);
static TEXT: Form = of("text", said("a text"), false);

impl Form {
    /// Whether the form proves the kind.
    pub fn is_proven(&self) -> bool {
        *self != TEXT && *self != PAGE
    }
}

/// The kind of a document, and the names of its columns or keys.
pub fn recognise(document: &Document) -> (&'static Form, Vec<String>) {
    if document.page {
        return (&PAGE, Vec::new());
    }
    let raw = document.raw.trim();
    let lines = raw.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines: Vec<&str> = lines.take(LOOKED_AT).collect();
    let is_object = raw.starts_with(['{', '[']);
    if let Some(value) = is_object.then(|| serde_json::from_str::<Value>(raw).ok()).flatten() {
        return (&JSON, named(keys(&value)));
    }
    if raw.starts_with("<?xml") {
        return (&XML, Vec::new());
    }
    if let Some(columns) = csv(&lines) {
        return (&CSV, named(columns));
    }
    if document.blocks.is_empty() && !document.code.is_empty() {
        return (&CODE, Vec::new());
    }
    let many = |is: fn(BlockRole) -> bool| {
        let number = document.blocks.iter().filter(|block| is(block.role)).count();
        number > 2 && number * 10 >= document.blocks.len() * 6
    };
    let columns = table(&lines);
    if many(|role| role == BlockRole::TableRow) && !columns.is_empty() {
        return (&TABLE, named(columns));
    }
    let form = match () {
        () if has_headers(&lines) => &EMAIL,
        () if takes_turns(&lines) => &DIALOGUE,
        () if many(|role| role == BlockRole::ListItem) => &LIST,
        () => &TEXT,
    };
    (form, Vec::new())
}

/// Names that are short and plain, or none.
fn named<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let plain = |name: &&str| {
        name.chars().count() <= LONGEST_NAME && !pattern!("[\"`<>{}\\p{Cc}]").is_match(name)
    };
    let names: Vec<&str> = names.into_iter().map(str::trim).take(MOST_NAMES + 1).collect();
    let fits = names.len() <= MOST_NAMES && names.iter().all(plain);
    let commands = || super::document::commands_a_model(&names.join(" "));
    if fits && !commands() { names.into_iter().map(str::to_owned).collect() } else { Vec::new() }
}

/// The keys of an object, or of the first one of a list.
fn keys(value: &Value) -> Vec<&str> {
    let first = value.as_array().and_then(|list| list.first()).unwrap_or(value);
    first.as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect()
}

/// The columns of a table in Markdown: what stands above its ruler.
fn table<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    let ruler = pattern!(r"^[|:\s-]*-[|:\s-]*$");
    let head = lines.windows(2).find(|pair| pair[0].contains('|') && ruler.is_match(pair[1]));
    head.map_or_else(Vec::new, |pair| pair[0].trim_matches('|').split('|').collect())
}

/// The first row of a text whose lines all have the same number of separators, and fields rather than clauses between
/// them.
fn csv<'a>(lines: &[&'a str]) -> Option<Vec<&'a str>> {
    let first = lines.first().filter(|_| lines.len() > 2)?;
    [',', ';', '\t'].into_iter().find_map(|separator| {
        let fields = first.matches(separator).count();
        let clause = format!("{separator} ");
        let is_prose =
            |line: &&&str| line.contains(&clause) || line.ends_with(['.', '!', '?', ';', '{']);
        let is_even = lines.iter().all(|line| line.matches(separator).count() == fields);
        let prose = lines.iter().filter(is_prose).count();
        (fields > 0 && is_even && prose * 5 <= lines.len())
            .then(|| first.split(separator).map(|name| name.trim_matches('"')).collect())
    })
}

/// Whether a text begins with the subject of an e-mail, or with other header lines of one.
fn has_headers(lines: &[&str]) -> bool {
    let header = pattern!(r"(?i)^(?:{reverse_form.header})\s*[:：]\s*\S");
    let subject = pattern!(r"(?i)^(?:{reverse_form.subject})\s*[:：]\s*\S");
    let headers: Vec<_> = lines.iter().take_while(|line| header.is_match(line)).collect();
    lines.len() > headers.len()
        && (headers.len() > 1 || headers.iter().any(|line| subject.is_match(line)))
}

/// Whether two names before colons or more take turns, and nearly all lines are theirs.
fn takes_turns(lines: &[&str]) -> bool {
    let name =
        pattern!(r"^(?:\[[^\]]{1,20}\] ?)?(\p{Lu}[\p{L} .'-]{0,24}?)(?: \([^)]{1,30}\))?[:：] ?\S");
    let mut turns: HashMap<&str, usize> = HashMap::new();
    for name in lines.iter().filter_map(|line| name.captures(line)?.get(1)) {
        *turns.entry(name.as_str()).or_default() += 1;
    }
    let spoken: usize = turns.values().sum();
    let speakers = turns.values().filter(|turns| **turns > 1).count();
    speakers > 1 && spoken * 10 >= lines.len() * 8
}
