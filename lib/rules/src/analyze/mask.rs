//! Telling what a prompt says from what it carries: quotations, code, documents, variables.

use super::span::Span;
use patterns::{Pattern, pattern};
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
}

/// The parts that are not prose.
#[derive(Debug, Default)]
pub struct Mask {
    /// The parts in order, without overlap, and what each of them is.
    pub parts: Vec<(Span, Kind)>,
    /// A fence without an end.
    pub open_fence: Option<Span>,
    /// A quotation mark without its counterpart.
    pub open_quote: Option<Span>,
    /// Whether the whole prompt is an object or a list in JSON.
    pub is_object: bool,
}

impl Mask {
    /// The text with spaces, one a byte, in place of the parts; line breaks stay.
    pub fn blank(&self, text: &str) -> String {
        let mut prose = String::with_capacity(text.len());
        let mut done = 0;
        for (span, _) in &self.parts {
            prose.push_str(&text[done..span.start]);
            prose.extend(
                text[span.start..span.end]
                    .bytes()
                    .map(|byte| if byte == b'\n' { '\n' } else { ' ' }),
            );
            done = span.end;
        }
        prose.push_str(&text[done..]);
        prose
    }

    /// The parts of a kind.
    pub fn of(&self, kind: Kind) -> impl Iterator<Item = Span> {
        self.parts.iter().filter(move |(_, other)| *other == kind).map(|(span, _)| *span)
    }

    /// Content to work on: documents, code and quotations.
    pub fn material(&self) -> impl Iterator<Item = (Span, Kind)> {
        self.parts
            .iter()
            .filter(|(_, kind)| !matches!(kind, Kind::Variable | Kind::Url))
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

/// Finds the parts of a prompt that are not prose.
pub fn of(text: &str) -> Mask {
    let mut mask = Mask::default();
    fences(text, &mut mask);
    let rest = mask.blank(text);
    mask.add(tagged(&rest));
    let rest = mask.blank(text);
    mask.add(pasted(&rest, text));
    let rest = mask.blank(text);
    mask.add(
        pattern!(r"\{\{[^{}\n]{1,160}\}\}")
            .find_iter(&rest)
            .map(|found| part(&found, Kind::Variable))
            .collect(),
    );
    let rest = mask.blank(text);
    mask.add(
        pattern!(r"`[^`\n]+`").find_iter(&rest).map(|found| part(&found, Kind::Code)).collect(),
    );
    mask.add(
        pattern!(r#"https?://[^\s<>"'）」]+"#)
            .find_iter(&rest)
            .map(|found| part(&found, Kind::Url))
            .collect(),
    );
    let rest = mask.blank(text);
    quotes(&rest, &mut mask);
    if is_object(text) {
        mask.parts.retain(|(span, kind)| *kind != Kind::Quote || holds_document(text, *span));
        mask.open_quote = None;
        mask.is_object = true;
    }
    mask
}

/// Whether a prompt is an object or a list in JSON.
fn is_object(text: &str) -> bool {
    let text = text.trim();
    (text.starts_with('{') && text.ends_with('}') && !text.starts_with("{{")
        || text.starts_with('[') && text.ends_with(']'))
        && pattern!(r#""[^"\n]{1,60}"\s*:\s*["\[{\d]"#).is_match(text)
}

/// Whether a quotation of a JSON object is the value of a key that names content to work on. All other keys and
/// values are the author's words.
fn holds_document(text: &str, span: Span) -> bool {
    let before = tail(&text[..span.start], 80);
    pattern!(r#"(?i)"{analyze_mask.document_tags}"\s*:\s*$"#).is_match(before)
}

fn part(found: &patterns::Match<'_>, kind: Kind) -> (Span, Kind) {
    (Span::new(found.start(), found.end()), kind)
}

/// Blocks between fences or lines of triple quotation marks.
fn fences(text: &str, mask: &mut Mask) {
    let mut open: Option<(usize, usize, char)> = None;
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim();
        let sign = bare.chars().next().unwrap_or(' ');
        let length = bare.chars().take_while(|c| *c == sign).count();
        let fence = matches!(sign, '`' | '~' | '"') && length >= 3;
        let at = offset + (line.len() - line.trim_start().len());
        offset += line.len();
        match open {
            Some((start, least, mark))
                if sign == mark && length >= least && bare.len() == length * sign.len_utf8()
                    || mark == '"' && bare.ends_with("\"\"\"") =>
            {
                mask.parts.push((Span::new(start, offset), Kind::Fence));
                open = None;
            }
            Some(_) => {}
            // A block may begin and end on one line.
            None if fence
                && bare
                    .get(length..)
                    .is_some_and(|rest| rest.len() > 3 && rest.ends_with(&bare[..3])) =>
            {
                mask.parts.push((Span::new(at, offset), Kind::Fence));
            }
            None if fence => open = Some((at, length, sign)),
            // "Text: \"\"\"" opens a block, too.
            None => {
                let mark = ["\"\"\"", "```"]
                    .into_iter()
                    .find(|mark| bare.ends_with(mark) && bare.matches(mark).count() % 2 == 1);
                if let Some(mark) = mark {
                    let start = at + bare.len() - mark.len();
                    open = Some((start, mark.len(), if mark == "```" { '`' } else { '"' }));
                }
            }
        }
    }
    if let Some((start, length, _)) = open {
        mask.parts.push((Span::new(start, text.len()), Kind::Fence));
        mask.open_fence = Some(Span::new(start, start + length));
    }
}

/// Blocks between tags that name a document.
fn tagged(text: &str) -> Vec<(Span, Kind)> {
    let tag = pattern!(
        r"<(?P<close>/)?(?P<name>(?i:{analyze_mask.document_tags})(?:_\d{1,3})?)(?: [^<>\n]{0,200})?>"
    );
    let mut found = Vec::new();
    let mut open: Option<(usize, String, usize)> = None;
    for tag in tag.captures_iter(text) {
        let (Some(whole), name) = (tag.get(0), tag["name"].to_lowercase()) else { continue };
        let closing = tag.name("close").is_some();
        match &mut open {
            Some((start, known, depth)) if *known == name => {
                if !closing {
                    *depth += 1;
                } else if *depth == 0 {
                    found.push((Span::new(*start, whole.start()), Kind::Tag));
                    open = None;
                } else {
                    *depth -= 1;
                }
            }
            Some(_) => {}
            None if !closing => open = Some((whole.end(), name, 0)),
            None => {}
        }
    }
    found
}

/// A line that introduces content to work on, in the languages that rules know.
const LEAD: Pattern = pattern!(
    r"(?i)(?-u:\b)(?:{analyze_mask.which} (?:\S+ ){0,3})?(?:csv|json|{analyze_mask.document})(?: {analyze_mask.below})?\s?:\s*$"
);

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
        if head.ends_with(':') && !head.starts_with('#') && LEAD.is_match(tail(head, 160)) {
            let block = &rest[offset..];
            let kept = trailing_request(block);
            let end = offset + kept;
            if !text[offset..end].trim().is_empty() {
                found.push((Span::new(offset, end), Kind::Pasted));
            }
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

/// Where content begins that follows a request on the same line: "Proofread: …".
fn behind_colon(line: &str) -> Option<usize> {
    let (head, rest) = line.split_once(": ")?;
    let transforms = pattern!(r"(?i)(?-u:\b){analyze_mask.transforms}(?-u:\b)");
    let words = rest.split_whitespace().count();
    let spaceless = rest.chars().filter(|c| *c > '\u{2e80}').count() >= 8;
    (head.chars().count() <= 160
        && transforms.is_match(head)
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

/// Quotations, which do not go on over an empty line.
fn quotes(rest: &str, mask: &mut Mask) {
    let mut found = Vec::new();
    let mut open: Option<(usize, char)> = None;
    let mut before = '\n';
    let mut characters = rest.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let next = characters.peek().map_or('\n', |(_, next)| *next);
        let end = at + character.len_utf8();
        match open {
            Some((start, closing))
                if character == closing
                    || closing == '”'
                        && character == '“'
                        && at > start + 3
                        && !next.is_alphanumeric() =>
            {
                // An apostrophe inside a word ends nothing.
                if closing != '\'' || !next.is_alphanumeric() {
                    found.push((Span::new(start, end), Kind::Quote));
                    open = None;
                }
            }
            Some((start, closing))
                if character == '\n' && (next == '\n' || next == '\r' || closing == '\'') =>
            {
                if closing != '\'' {
                    mask.open_quote.get_or_insert(Span::new(
                        start,
                        start + rest[start..].chars().next().map_or(1, char::len_utf8),
                    ));
                }
                open = None;
            }
            Some(_) => {}
            None => {
                let free = !before.is_alphanumeric();
                open = match character {
                    // "5\" pipe" is no quotation.
                    '"' if !before.is_ascii_digit() => Some((at, '"')),
                    '“' => Some((at, '”')),
                    '„' => Some((at, '”')),
                    '«' => Some((at, '»')),
                    '»' if free && next.is_alphanumeric() => Some((at, '«')),
                    '「' => Some((at, '」')),
                    '『' => Some((at, '』')),
                    '‘' if free => Some((at, '’')),
                    '\'' if free && next.is_alphanumeric() && closes(&rest[end..]) => {
                        Some((at, '\''))
                    }
                    _ => None,
                };
            }
        }
        before = character;
    }
    if let Some((start, closing)) = open
        && closing != '\''
        && closing != '’'
    {
        let length = rest[start..].chars().next().map_or(1, char::len_utf8);
        mask.open_quote.get_or_insert(Span::new(start, start + length));
    }
    mask.add(found);
}

/// Whether a quotation in apostrophes that begins here ends soon.
fn closes(rest: &str) -> bool {
    let mut before = ' ';
    let mut characters = rest.chars().take(200).peekable();
    while let Some(character) = characters.next() {
        if character == '\n' {
            return false;
        }
        if character == '\''
            && !before.is_whitespace()
            && characters.peek().is_none_or(|next| !next.is_alphanumeric())
        {
            return true;
        }
        before = character;
    }
    false
}
