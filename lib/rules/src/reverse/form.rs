//! The kind of a text, where its form proves it.

use engine::page::BlockRole;
use serde::de::IgnoredAny;

use super::document::Document;
use super::found::Found;
use crate::wording::said;

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
        (is_code, of("code", said("a program"), true)),
        (many(BlockRole::TableRow), of("table", said("a table"), false)),
        (many(BlockRole::ListItem), of("list", said("a list"), false)),
    ];
    let proven = kinds.into_iter().find_map(|(holds, form)| holds.then_some(form));
    proven.unwrap_or_else(|| of("text", said("a text"), false))
}
