//! The kind of a text, where its form proves it.

use std::collections::HashMap;

use engine::page::BlockRole;
use patterns::pattern;
use serde::de::IgnoredAny;

use super::document::Document;
use super::found::Found;
use crate::wording::said;

/// Most lines of a text that are looked at.
const LOOKED_AT: usize = 200;
/// A prompt for a picture.
pub const IMAGE_PROMPT: &str = "image_prompt";

/// A kind of text.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// Its name in results.
    pub id: &'static str,
    /// What it is called in English, with an article.
    pub name: &'static str,
    /// Whether a program reads it.
    pub is_data: bool,
}

impl Form {
    /// Whether the form proves the kind.
    pub fn is_proven(&self) -> bool {
        !matches!(self.id, "text" | "page")
    }
}

/// The kind of a document; `own` is the prompt that it is.
pub fn recognise(document: &Document, own: Option<&Found>) -> Form {
    let raw = document.raw.trim();
    let lines = raw.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines: Vec<&str> = lines.take(LOOKED_AT).collect();
    let many = |role: BlockRole| {
        let number = document.count(role);
        number > 2 && number * 10 >= document.blocks.len() * 6
    };
    let is_json = raw.starts_with(['{', '[']) && serde_json::from_str::<IgnoredAny>(raw).is_ok();
    let is_code = document.blocks.is_empty() && !document.code.is_empty();
    let of = |id, name, is_data| Form { id, name, is_data };
    let kinds = [
        (own.is_some_and(|own| own.visual), of(IMAGE_PROMPT, said("an image prompt"), false)),
        (own.is_some(), of("prompt", said("a prompt"), false)),
        (document.page, of("page", said("a web page"), false)),
        (is_json, of("json", said("a JSON document"), true)),
        (raw.starts_with("<?xml"), of("xml", said("an XML document"), true)),
        (is_csv(&lines), of("csv", said("a CSV file"), true)),
        (is_code, of("code", said("a program"), true)),
        (many(BlockRole::TableRow), of("table", said("a table"), false)),
        (is_email(&lines), of("email", said("an email"), false)),
        (takes_turns(&lines), of("dialogue", said("a dialogue"), false)),
        (many(BlockRole::ListItem), of("list", said("a list"), false)),
    ];
    let proven = kinds.into_iter().find_map(|(holds, form)| holds.then_some(form));
    proven.unwrap_or_else(|| of("text", said("a text"), false))
}

/// Whether all lines have the same number of separators, and fields rather than clauses between them.
fn is_csv(lines: &[&str]) -> bool {
    lines.len() > 2
        && [',', ';', '\t'].into_iter().any(|separator| {
            let fields = lines[0].matches(separator).count();
            let clause = format!("{separator} ");
            let is_prose =
                |line: &&&str| line.contains(&clause) || line.ends_with(['.', '!', '?', ';', '{']);
            fields > 0
                && lines.iter().all(|line| line.matches(separator).count() == fields)
                && lines.iter().filter(is_prose).count() * 5 <= lines.len()
        })
}

/// Whether a text begins with header lines of an e-mail, its subject among them.
fn is_email(lines: &[&str]) -> bool {
    let header = pattern!(r"(?i)^(?:{reverse_form.header})\s*[:：]\s*\S");
    let subject = pattern!(r"(?i)^(?:{reverse_form.subject})\s*[:：]\s*\S");
    lines.iter().take_while(|line| header.is_match(line)).any(|line| subject.is_match(line))
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
    turns.values().filter(|turns| **turns > 1).count() > 1 && spoken * 10 >= lines.len() * 8
}
