//! Telling what a prompt says from what it carries: quotations, code, documents, examples, variables.

use std::collections::HashMap;
use std::ops::Range;

use super::Span;
use super::container::{Container, Role, Text};
use patterns::{Pattern, pattern};
use text::{head, list::row, literals::scan, tail};

/// What a part of a prompt is when it is not the author speaking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Between fences or triple quotation marks.
    Fence,
    /// Between tags that name no part of a prompt.
    Tag,
    /// Below or behind a line such as "Summarize this text:", or marked as a quotation by `>`.
    Pasted,
    /// In quotation marks.
    Quote,
    /// Between backticks, or an address.
    Code,
    /// A worked example: labelled lines in turns, answers of the model.
    Example,
    /// What a program reads: variables, front matter, marks of turns, tags of templates, the frame of an object.
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
    /// Finds the parts of a prompt that are not prose.
    pub fn of(text: &str) -> Self {
        let container = Container::of(text);
        let mut mask = Self { is_object: container.is_object(), ..Self::default() };
        mask.add(markup(text, &container));
        let tags = pattern!(
            r"\{%(?:[^\n{]|\{[^%]){0,300}?%\}|\{#(?:[^\n{]|\{[^#]){0,300}?#\}|<%(?:[^\n<]|<[^%]){0,300}?%>|<!--(?:[^\n<]|<[^!]){0,300}?-->|<\|[a-z_]{1,40}\|>"
        );
        let literals = scan(&mask.blank(text));
        let code = |range: &Range<usize>| {
            let fenced =
                text[range.clone()].contains('\n') || text[range.clone()].starts_with("```");
            (range.clone().into(), if fenced { Kind::Fence } else { Kind::Code })
        };
        mask.add(literals.code.iter().map(code).collect());
        mask.add(matches(tags, text, Kind::Markup));
        let triple = pattern!("(?s)\"{3}.{1,20000}?\"{3}|'{3}.{1,20000}?'{3}");
        mask.add(matches(triple, &mask.blank(text), Kind::Fence));
        mask.add(tagged(&mask.blank(text)));
        mask.add(pasted(&mask.blank(text), text));
        mask.add(examples(&mask.blank(text)));
        mask.add(matches(pattern!(r"\{\{[^{}\n]{1,160}\}\}"), &mask.blank(text), Kind::Markup));
        let of = |ranges: &[Range<usize>], kind| {
            ranges.iter().map(|range| (range.clone().into(), kind)).collect()
        };
        mask.add(of(&literals.addresses, Kind::Code));
        mask.add(of(&literals.quotations, Kind::Quote));
        mask
    }

    /// The text with spaces, one a byte, in place of the parts; line breaks stay, and so does a quoted word or two.
    pub fn blank(&self, text: &str) -> String {
        let mut prose = String::with_capacity(text.len());
        let mut done = 0;
        for (span, kind) in &self.parts {
            if *kind == Kind::Quote && span.end - span.start <= QUOTED_WORD {
                continue;
            }
            prose.push_str(&text[done..span.start]);
            let space = |byte| if byte == b'\n' { '\n' } else { ' ' };
            prose.extend(text[span.start..span.end].bytes().map(space));
            done = span.end;
        }
        prose.push_str(&text[done..]);
        prose
    }

    /// Content to work on and examples.
    pub fn supplied(&self) -> impl Iterator<Item = Range<usize>> {
        let carried = [Kind::Fence, Kind::Tag, Kind::Pasted, Kind::Example];
        let found = self.parts.iter().filter(move |(_, kind)| carried.contains(kind));
        found.map(|(span, _)| span.start..span.end)
    }

    /// Where examples stand in the text: lines in turns, answers of the model, tags that are called so.
    pub fn shown(&self, text: &str) -> Vec<Range<usize>> {
        let holds = pattern!(
            r"(?i)^<(?:{optimize_material.few_shot_tag}|(?:\w+[_-])?{optimize_material.example_tag}(?:[_-]\w+)?)\b"
        );
        let opening = |at: usize| &text[text[..at].rfind('<').unwrap_or(at)..];
        let is_shown = |(span, kind): &&(Span, Kind)| {
            *kind == Kind::Example || *kind == Kind::Tag && holds.is_match(opening(span.start))
        };
        self.parts.iter().filter(is_shown).map(|(span, _)| span.start..span.end).collect()
    }

    /// The parts of a kind.
    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = Span> {
        self.parts.iter().filter(move |(_, other)| *other == kind).map(|(span, _)| *span)
    }

    /// The part that holds a place or ends behind it first.
    fn around(&self, place: Span) -> Option<&(Span, Kind)> {
        self.parts.get(self.parts.partition_point(|(part, _)| part.end <= place.start))
    }

    /// Whether a part of one of these kinds holds a place.
    pub fn holds(&self, place: Span, kinds: &[Kind]) -> bool {
        self.around(place).is_some_and(|(part, kind)| part.holds(place) && kinds.contains(kind))
    }

    /// Takes the parts of `found` that lie outside the known ones and those before them.
    fn add(&mut self, found: Vec<(Span, Kind)>) {
        for part in found {
            if self.around(part.0).is_none_or(|one| !one.0.meets(part.0)) {
                let at = self.parts.partition_point(|(span, _)| *span < part.0);
                self.parts.insert(at, part);
            }
        }
    }
}

/// Bytes of a quotation up to which it is a word that is spoken of, not a text.
const QUOTED_WORD: usize = 20;

/// The matches of a pattern as parts of a kind.
fn matches(pattern: Pattern, text: &str, kind: Kind) -> Vec<(Span, Kind)> {
    pattern.find_iter(text).map(|found| (found.range().into(), kind)).collect()
}

/// What stands around the texts of a prompt, its settings, and turns that show how to answer.
fn markup(text: &str, container: &Container<'_>) -> Vec<(Span, Kind)> {
    let (mut parts, mut done) = (Vec::new(), 0);
    let texts = container.texts();
    let answers = |one: &Text| one.role == Role::Assistant && !one.text.trim().is_empty();
    for (at, one) in texts.iter().enumerate() {
        parts.push((Span::new(done, one.range.start), Kind::Markup));
        done = one.range.end;
        let kind = match one.role {
            Role::Setting => Kind::Markup,
            Role::Assistant => Kind::Example,
            Role::User if texts.get(at + 1).is_some_and(answers) => Kind::Example,
            Role::User | Role::System => continue,
        };
        parts.push((one.range.clone().into(), kind));
    }
    parts.push((Span::new(done, text.len()), Kind::Markup));
    parts.retain(|(span, _)| span.start < span.end);
    parts
}

/// The lines of a text with their extent, without the space behind them.
pub fn lines(text: &str) -> impl Iterator<Item = (Span, &str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let span = Span::new(at, at + line.trim_end().len());
        at += line.len();
        (span, line.trim_end())
    })
}

/// Worked examples: lines in turns such as "Q: …" and "A: …", rows of arrows, and what a line announces as an example.
fn examples(rest: &str) -> Vec<(Span, Kind)> {
    let label = pattern!(r"^[-*#> ]{0,6}\**(?P<l>\p{L}[\p{L}_ ]{0,24}?) ?\d{0,3}\** ?[:：]");
    let labelled = |line: &str| Some(label.captures(line)?["l"].to_lowercase());
    let arrow = pattern!(r"^[^→⇒]{1,300}?\S ?(?:->|=>|→|⇒) ?\S[^→⇒]{0,300}$");
    let announces = pattern!(
        r"(?i)^\W{0,6}(?:[^:\n]{0,80} )?(?:{optimize_examples.announcing}|{optimize_examples.announcing_scripted})\b[^:：\n]{0,60}(?:[:：]\W{0,3}$|$)"
    );
    let mut counts: HashMap<String, usize> = HashMap::new();
    for name in lines(rest).filter_map(|(_, line)| labelled(line)) {
        *counts.entry(name).or_default() += 1;
    }
    let turns = counts.values().filter(|count| **count >= 2).count() >= 2;
    let arrows = lines(rest).filter(|(_, line)| arrow.is_match(line)).count() >= 2;
    let heads = |line: &str| {
        let bare = line.split_whitespace().count() <= 2;
        bare || line.starts_with('#') || line.trim_end().ends_with([':', '：'])
    };
    let (mut found, mut open, mut begun) = (Vec::new(), false, false);
    for (span, line) in lines(rest) {
        let turn = turns && labelled(line).is_some_and(|name| counts[&name] >= 2);
        // What is announced ends where its paragraph does.
        open &= !(line.trim().is_empty() && begun || line.starts_with('#'));
        if !line.trim().is_empty() && (open || turn || arrows && arrow.is_match(line)) {
            (begun, open) = (true, open || turn);
            found.push((span, Kind::Example));
        } else if heads(line) && announces.is_match(line) {
            (begun, open) = (false, true);
        }
    }
    found
}

/// Blocks between tags, unless the tag names a part of a prompt. A tag that is opened again before it is closed was only
/// spoken of: "the text in <article>".
fn tagged(text: &str) -> Vec<(Span, Kind)> {
    let tag = pattern!(r"<(?P<end>/)?(?P<name>[A-Za-z][\w-]{0,40})(?: [^<>\n]{0,200})?>");
    let part = pattern!(r"(?i)^{optimize_material.part_tag}(?:_\d+)?$");
    let mut open: HashMap<String, usize> = HashMap::new();
    let mut found: Vec<(Span, Kind)> = Vec::new();
    for tag in tag.captures_iter(text).filter(|tag| !part.is_match(&tag["name"])) {
        let (place, name) = (tag.get_match(), tag["name"].to_lowercase());
        if tag.name("end").is_none() {
            open.insert(name, place.end());
        } else if let Some(start) = open.remove(&name) {
            // What stands in it is its own.
            while found.pop_if(|(inner, _)| inner.start >= start).is_some() {}
            found.push((Span::new(start, place.start()), Kind::Tag));
        }
    }
    found
}

/// A line that introduces content to work on.
const LEAD: Pattern = pattern!(
    r"(?i)(?-u:\b)(?:{analyze_mask.which} (?:\S+ ){0,3})?(?:csv|json|{analyze_mask.document})(?: {analyze_mask.below})?\s?:\s*$"
);
/// Verbs that ask for another form of a text.
const TRANSFORMS: Pattern = pattern!(r"(?i)\b{analyze_mask.transforms}\b");
/// Bytes from the beginning in which a request names the content that follows it.
const HEAD: usize = 600;

/// Content below a line that announces it, or behind the colon of a line that is no rule of a list, and lines marked by `>`.
fn pasted(rest: &str, text: &str) -> Vec<(Span, Kind)> {
    let mut found = Vec::new();
    for (span, line) in lines(rest) {
        if line.trim_start().starts_with('>') {
            found.push((span, Kind::Pasted));
            continue;
        }
        let below = rest[span.end..].find('\n').map_or(rest.len(), |at| span.end + at + 1);
        let block = &rest[below..];
        let announces = line.ends_with([':', '：'])
            && !line.starts_with('#')
            && (LEAD.is_match(tail(line, 160))
                || TRANSFORMS.is_match(tail(line, 160)) && is_plain(block));
        // "Reply to this email.", and an email below an empty line.
        let opens = || {
            below <= HEAD
                && block.trim_start_matches(['\r', ' ']).starts_with('\n')
                && (pattern!(r"(?i)\b{analyze_mask.opening}\b").is_match(line)
                    || TRANSFORMS.is_match(line) && block.trim_start().starts_with("---"))
                && is_plain(block.trim_start().trim_start_matches('-'))
        };
        let start = match behind_colon(line) {
            _ if announces || opens() => below,
            Some(after) if !text::list::is_item(line) => span.start + after,
            _ => continue,
        };
        // A variable or an object ends where its paragraph does; what follows is the author again.
        let object = start == below && block.trim_start().starts_with(['{', '[']);
        let paragraph = block.trim_end().find("\n\n").filter(|_| object);
        let end = (below + paragraph.unwrap_or(block.len())).max(span.end);
        if text.get(start..end).is_some_and(|content| !content.trim().is_empty()) {
            found.push((Span::new(start, end), Kind::Pasted));
        }
        if paragraph.is_none() {
            break;
        }
    }
    found
}

/// Whether a text has neither lists, headings, tags nor variables of a prompt.
fn is_plain(text: &str) -> bool {
    !pattern!(r"(?m)^\s*(?:[-*•#<]|\d{1,3}[.)])|\{[\p{L}_{]|^[^\n]{1,40}[:：]\s*$").is_match(text)
}

/// Words behind a colon from which on they are content.
const FEWEST_WORDS: usize = 4;

/// Where content begins that follows a request on the same line: "Proofread: …".
fn behind_colon(line: &str) -> Option<usize> {
    let (request, rest) = head(line, HEAD).split_once(": ")?;
    // "Classify as one of: positive, negative" names labels.
    let row = row(rest.split('.').next().unwrap_or_default());
    let labels = row.len() >= 2 && row.iter().all(|item| item.split_whitespace().count() <= 3);
    let long = rest.split_whitespace().count() >= FEWEST_WORDS && request.len() <= 160;
    let ordered = text::imperative::starts_work(rest);
    (long && !labels && !ordered && TRANSFORMS.is_match(request)).then(|| request.len() + 2)
}
