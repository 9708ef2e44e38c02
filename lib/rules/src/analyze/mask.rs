//! Telling what a prompt says from what it carries: quotations, code, documents, variables.

use std::collections::HashMap;
use std::ops::Range;

use super::announced::items;
use super::object;
use super::span::Span;
use patterns::{Pattern, pattern};
use text::literals::scan;
use text::{head, tail};

/// What a part of a prompt is when it is not the author speaking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Between fences or triple quotation marks.
    Fence,
    /// Between tags that name a document.
    Tag,
    /// Below or behind a line such as "Summarize this text:", or marked as a quotation by `>`.
    Pasted,
    /// In quotation marks.
    Quote,
    /// Between backticks.
    Code,
    /// A `{{variable}}`.
    Variable,
    /// An address.
    Url,
    /// A worked example: labelled lines in turns.
    Example,
    /// What a program reads: front matter, marks of turns, tags of templates, the frame of an object.
    Markup,
}

/// The parts that are not prose.
#[derive(Debug, Default)]
pub struct Mask {
    /// The parts in order, without overlap, and what each of them is.
    pub parts: Vec<(Span, Kind)>,
    /// Whether the whole prompt is an object or a list in JSON.
    pub is_object: bool,
}

impl Mask {
    /// The text with spaces, one a byte, in place of the parts; line breaks stay, and so does a quoted word or two.
    pub fn blank(&self, text: &str) -> String {
        let mut prose = String::with_capacity(text.len());
        let mut done = 0;
        for (span, kind) in &self.parts {
            if *kind == Kind::Quote && span.end - span.start <= QUOTED_WORD {
                continue;
            }
            prose.push_str(&text[done..span.start]);
            prose.extend(
                text[span.start..span.end]
                    .bytes()
                    .map(|byte| if byte == b'\n' { '\n' } else { ' ' }),
            );
            done = span.end;
        }
        prose.push_str(&text[done..]);
        // A break in a string of an object ends a line as well.
        if self.is_object { prose.replace("\\n", " \n") } else { prose }
    }

    /// The parts of a kind.
    pub fn of(&self, kind: Kind) -> impl Iterator<Item = Span> {
        self.parts.iter().filter(move |(_, other)| *other == kind).map(|(span, _)| *span)
    }

    /// Content to work on: documents, code and quotations.
    pub fn material(&self) -> impl Iterator<Item = (Span, Kind)> {
        self.parts
            .iter()
            .filter(|(_, kind)| !matches!(kind, Kind::Variable | Kind::Url | Kind::Markup))
            .map(|part| (part.0, part.1))
    }

    /// Takes the parts of `found` that lie outside the known ones.
    fn add(&mut self, found: Vec<(Span, Kind)>) {
        let mut merged = Vec::with_capacity(self.parts.len() + found.len());
        let mut known = self.parts.iter().copied().peekable();
        let mut last = 0;
        for part in found {
            while let Some(next) = known.next_if(|next| next.0.start <= part.0.start) {
                last = next.0.end;
                merged.push(next);
            }
            let free = known.peek().is_none_or(|next| part.0.end <= next.0.start);
            if part.0.start >= last && free {
                last = part.0.end;
                merged.push(part);
            }
        }
        merged.extend(known);
        self.parts = merged;
    }
}

/// Bytes of a quotation up to which it is a word that is spoken of, not a text.
const QUOTED_WORD: usize = 20;

/// Finds the parts of a prompt that are not prose.
pub fn of(text: &str) -> Mask {
    let mut mask = Mask { is_object: object::is_object(text), ..Mask::default() };
    mask.add(if mask.is_object { object::frame(text) } else { object::markup(text) });
    let literals = scan(&mask.blank(text));
    let code = |range: &Range<usize>| {
        let fenced = text[range.clone()].contains('\n') || text[range.clone()].starts_with("```");
        (range.clone().into(), if fenced { Kind::Fence } else { Kind::Code })
    };
    mask.add(literals.code.iter().map(code).collect());
    let rest = mask.blank(text);
    mask.add(found(pattern!("(?s)\"{3}.{1,20000}?\"{3}"), &rest, Kind::Fence));
    let rest = mask.blank(text);
    mask.add(tagged(&rest));
    let rest = mask.blank(text);
    mask.add(pasted(&rest, text));
    let rest = mask.blank(text);
    mask.add(examples(&rest));
    let rest = mask.blank(text);
    mask.add(found(pattern!(r"\{\{[^{}\n]{1,160}\}\}"), &rest, Kind::Variable));
    let of = |ranges: &[Range<usize>], kind| {
        ranges.iter().map(|range| (range.clone().into(), kind)).collect()
    };
    mask.add(of(&literals.addresses, Kind::Url));
    if !mask.is_object {
        mask.add(of(&literals.quotations, Kind::Quote));
    }
    mask
}

/// The matches of a pattern as parts of a kind.
fn found(pattern: Pattern, text: &str, kind: Kind) -> Vec<(Span, Kind)> {
    pattern.find_iter(text).map(|found| (found.range().into(), kind)).collect()
}

/// Lines in turns such as "Q: …" and "A: …", from the second label that comes again on. What a prompt says of all inputs
/// stands before them.
fn examples(rest: &str) -> Vec<(Span, Kind)> {
    let mut lines: Vec<(String, Span)> = Vec::new();
    let mut offset = 0;
    for line in rest.split_inclusive('\n') {
        let span = Span::new(offset, offset + line.trim_end().len());
        offset += line.len();
        if let Some(found) =
            pattern!(r"^[-*#> ]{0,6}\**(?P<l>\p{L}[\p{L}_ ]{0,24}?) ?\d{0,3}\** ?[:：]")
                .captures(line)
        {
            lines.push((found["l"].to_lowercase(), span));
        }
    }
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for (label, _) in &lines {
        *counts.entry(label).or_default() += 1;
    }
    if counts.values().filter(|count| **count >= 2).count() < 2 {
        return Vec::new();
    }
    let turns = lines.iter().filter(|(label, _)| counts[label.as_str()] >= 2);
    turns.map(|(_, span)| (*span, Kind::Example)).collect()
}

/// Blocks between tags that name a document.
fn tagged(text: &str) -> Vec<(Span, Kind)> {
    let tag = pattern!(
        r"<(?P<close>/)?(?P<name>(?i:{analyze_mask.document_tags})(?:_\d{1,3})?)(?: [^<>\n]{0,200})?>"
    );
    let mut found = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for tag in tag.captures_iter(text) {
        let (whole, name) = (tag.get_match(), tag["name"].to_lowercase());
        match &open {
            Some((start, known)) if *known == name && tag.name("close").is_some() => {
                found.push((Span::new(*start, whole.start()), Kind::Tag));
                open = None;
            }
            None if tag.name("close").is_none() => open = Some((whole.end(), name)),
            _ => {}
        }
    }
    found
}

/// A line that introduces content to work on, in the languages that rules know.
const LEAD: Pattern = pattern!(
    r"(?i)(?-u:\b)(?:{analyze_mask.which} (?:\S+ ){0,3})?(?:csv|json|{analyze_mask.document})(?: {analyze_mask.below})?\s?:\s*$"
);

/// Verbs that ask for another form of a text.
const TRANSFORMS: Pattern = pattern!(r"(?i)(?-u:\b){analyze_mask.transforms}(?-u:\b)");

/// Content below a line that announces it, or behind such a line's colon, and lines marked by `>`.
fn pasted(rest: &str, text: &str) -> Vec<(Span, Kind)> {
    let mut found = Vec::new();
    let mut offset = 0;
    for line in rest.split_inclusive('\n') {
        let start = offset;
        offset += line.len();
        if line.starts_with("> ") {
            found.push((Span::new(start, offset), Kind::Pasted));
            continue;
        }
        if line.len() > 600 && !head(line, 600).contains(':') {
            continue;
        }
        let head = line.trim_end();
        let announces = head.ends_with([':', '：'])
            && !head.starts_with('#')
            && (LEAD.is_match(tail(head, 160))
                || TRANSFORMS.is_match(tail(head, 160)) && is_plain(&rest[offset..]));
        if announces {
            let block = &rest[offset..];
            // An object ends where its paragraph does; what follows is the author again.
            let object = block.trim_start().starts_with(['{', '[']);
            let first = block.trim_end().find("\n\n").filter(|_| object);
            let kept = first.unwrap_or_else(|| trailing_request(block));
            let end = offset + kept;
            if !text[offset..end].trim().is_empty() {
                found.push((Span::new(offset, end), Kind::Pasted));
            }
            if first.is_some() {
                continue;
            }
            return found;
        }
        // "Reply to this email.", and an email below an empty line.
        if offset <= HEAD
            && rest[offset..].trim_start_matches(['\r', ' ']).starts_with('\n')
            && pattern!(r"(?i)\b{analyze.this_material}\b").is_match(line)
            && is_plain(&rest[offset..])
        {
            let end = offset + trailing_request(&rest[offset..]);
            found.push((Span::new(offset, end), Kind::Pasted));
            return found;
        }
        if let Some(after) = behind_colon(head) {
            let end = offset + trailing_request(&rest[offset..]);
            found.push((Span::new(start + after, end.max(start + head.len())), Kind::Pasted));
            return found;
        }
    }
    found
}

/// Bytes from the beginning in which a request names the content that follows it.
const HEAD: usize = 600;

/// Whether a text has neither lists, headings, tags nor variables of a prompt.
fn is_plain(text: &str) -> bool {
    !pattern!(r"(?m)^\s*(?:[-*•#<]|\d{1,3}[.)])|\{[\p{L}_{]|^[^\n]{1,40}[:：]\s*$").is_match(text)
}

/// Where content begins that follows a request on the same line: "Proofread: …".
fn behind_colon(line: &str) -> Option<usize> {
    let (head, rest) = line.split_once(": ")?;
    let words = rest.split_whitespace().count();
    let spaceless = rest.chars().filter(|c| *c > '\u{2e80}').count() >= 8;
    // "Classify as one of: positive, negative" names labels.
    let row = items(rest.split(['.', '。']).next().unwrap_or_default());
    let labels = row.len() >= 2 && row.iter().all(|item| item.split_whitespace().count() <= 3);
    (!labels
        && head.chars().count() <= 160
        && TRANSFORMS.is_match(head)
        && (words >= 4 || spaceless)
        && !rest.starts_with(['"', '“', '„', '«', '\'']))
    .then(|| line.len() - rest.len())
}

/// Bytes of a block without a short last paragraph in which its author speaks again.
fn trailing_request(block: &str) -> usize {
    let body = block.trim_end();
    let Some(cut) = body.rfind("\n\n").or_else(|| body.rfind("\n\r\n")) else { return block.len() };
    let last = body[cut..].trim_start();
    let speaks = last.len() < 600 && pattern!(r"(?i)^(?:{analyze_mask.speaks}|#)").is_match(last);
    if speaks { cut } else { block.len() }
}
