//! Prompts that are an object or a list in JSON, and the parts of other containers that are no words of the author.

use super::mask::Kind;
use super::span::Span;
use patterns::pattern;

/// Whether a prompt is an object or a list in JSON.
pub fn is_object(text: &str) -> bool {
    let text = text.trim();
    (text.starts_with('{') && text.ends_with('}') && !text.starts_with("{{")
        || text.starts_with('[') && text.ends_with(']'))
        && pattern!(r#""[^"\n]{1,60}"\s*:\s*["\[{\d]"#).is_match(text)
}

/// Everything of an object but the values that are words of its author.
pub fn frame(text: &str) -> Vec<(Span, Kind)> {
    let mut parts = Vec::new();
    let mut key = "";
    let mut done = 0;
    for found in pattern!(r#""(?:[^"\\]|\\.)*""#).find_iter(text) {
        let inner = &text[found.start() + 1..found.end() - 1];
        if text[found.end()..].trim_start().starts_with(':') {
            key = inner;
            continue;
        }
        if matches!(key, "role" | "model" | "name" | "type" | "id") || inner.is_empty() {
            continue;
        }
        parts.push((Span::new(done, found.start() + 1), Kind::Markup));
        done = found.end() - 1;
    }
    parts.push((Span::new(done, text.len()), Kind::Markup));
    parts.retain(|(span, _)| span.start < span.end);
    parts
}

/// Front matter, the marks of chat turns, and the tags and comments of template languages.
pub fn markup(text: &str) -> Vec<(Span, Kind)> {
    let mut parts: Vec<(Span, Kind)> =
        front_matter(text).into_iter().map(|span| (span, Kind::Markup)).collect();
    let from = parts.first().map_or(0, |(span, _)| span.end);
    let marks = pattern!(
        r"<\|[^|\n]{1,40}\|>(?:system|user|assistant|developer)?|\{%[^\n]{0,300}?%\}|\{#[^\n]{0,300}?#\}|<%[^\n]{0,300}?%>|<!--[^\n]{0,300}?-->"
    );
    let found = marks.find_iter(text).filter(|found| found.start() >= from);
    parts.extend(found.map(|found| (found.range().into(), Kind::Markup)));
    parts
}

/// The lines between `---` and `---` that a prompt begins with.
pub fn front_matter(text: &str) -> Option<Span> {
    if !text.starts_with("---\n") {
        return None;
    }
    let end = 4 + text[4..].find("\n---\n")?;
    Some(Span::new(0, end + 5))
}

/// Whether the form of a prompt is read by a program: an object, a chat, a template, front matter.
pub fn is_container(text: &str) -> bool {
    is_object(text)
        || front_matter(text).is_some()
        || pattern!(r"(?m)<\|im_start\|>|\{%|<%|\{\{[#/^!>]|^\s*(?:- )?(?:role|messages):")
            .is_match(text)
}
