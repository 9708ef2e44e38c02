//! The kind of a text, where its form proves it.

use std::collections::HashMap;

use engine::page::BlockRole;
use patterns::pattern;
use serde_json::Value;

use super::document::{self, Document};
use super::found::Found;
use super::wording::said;

/// Most lines of a text that are looked at.
const LOOKED_AT: usize = 200;
/// A prompt for a picture.
pub const IMAGE_PROMPT: &str = "image_prompt";
/// Most names of columns or keys.
const MOST_NAMES: usize = 40;

/// A kind of text.
#[derive(Debug)]
pub struct Form {
    /// Its name in results.
    pub id: &'static str,
    /// What it is called in English, with an article.
    pub name: &'static str,
    /// Whether a program reads it.
    pub is_data: bool,
    /// The names of its columns or keys.
    pub names: Vec<String>,
}

impl Form {
    /// Whether the form proves the kind.
    pub fn is_proven(&self) -> bool {
        !matches!(self.id, "text" | "page")
    }
}

fn of(id: &'static str, name: &'static str, is_data: bool, names: Vec<&str>) -> Form {
    Form { id, name, is_data, names: named(names) }
}

/// The kind of a document; `own` is the prompt that it is.
pub fn recognise(document: &Document, own: Option<&Found>) -> Form {
    let raw = document.raw.trim();
    let lines = raw.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines: Vec<&str> = lines.take(LOOKED_AT).collect();
    let many = |role: BlockRole| {
        let number = document.blocks.iter().filter(|block| block.role == role).count();
        number > 2 && number * 10 >= document.blocks.len() * 6
    };
    let json = || serde_json::from_str::<Value>(raw).ok().filter(|_| raw.starts_with(['{', '[']));
    let columns = table(&lines);
    let is_table = many(BlockRole::TableRow) && !columns.is_empty();
    if let Some(own) = own {
        let [visual, any] = [(IMAGE_PROMPT, said("an image prompt")), ("prompt", said("a prompt"))];
        let (id, name) = if own.visual { visual } else { any };
        of(id, name, false, Vec::new())
    } else if document.page {
        of("page", said("a web page"), false, Vec::new())
    } else if let Some(value) = json() {
        of("json", said("a JSON document"), true, keys(&value))
    } else if raw.starts_with("<?xml") {
        of("xml", said("an XML document"), true, Vec::new())
    } else if let Some(columns) = csv(&lines) {
        of("csv", said("a CSV file"), true, columns)
    } else if document.blocks.is_empty() && !document.code.is_empty() {
        of("code", said("a program"), true, Vec::new())
    } else if is_table {
        of("table", said("a table"), false, columns)
    } else if has_headers(&lines) {
        of("email", said("an email"), false, Vec::new())
    } else if takes_turns(&lines) {
        of("dialogue", said("a dialogue"), false, Vec::new())
    } else if many(BlockRole::ListItem) {
        of("list", said("a list"), false, Vec::new())
    } else {
        of("text", said("a text"), false, Vec::new())
    }
}

/// Names that are few, short and plain, or none.
fn named(names: Vec<&str>) -> Vec<String> {
    let plain = pattern!("^[^\"`<>{}\\p{Cc}]{0,40}$");
    let fits = names.len() <= MOST_NAMES
        && names.iter().all(|name| plain.is_match(name))
        && document::commands(&names.join(" ")) == 0;
    names.into_iter().filter(|_| fits).map(|name| name.trim().to_owned()).collect()
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
