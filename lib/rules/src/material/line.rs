//! What each line of a prompt is, as far as worked examples go.

use std::ops::Range;

use crate::imperative;
use patterns::pattern;
use text::{Cover, list::is_item};

/// Whether a line announces or names examples.
pub fn announces(line: &str) -> bool {
    pattern!(r"(?i)\b{optimize_examples.announcing}\b|{optimize_examples.announcing_scripted}")
        .is_match(line)
}

/// What a line of a prompt is.
#[derive(Debug, PartialEq)]
pub enum Kind<'a> {
    /// Nothing but space.
    Blank,
    /// "Example 1", by itself or with a text behind it.
    Heading,
    /// "Here are two examples:"
    Lead,
    /// "Input: …", with its name and whether anything follows.
    Label(String, bool),
    /// "Q: … A: …" on one line.
    Pair(String),
    /// "great movie -> positive"
    Arrow,
    /// An item of a list.
    Item,
    /// Anything else.
    Other(&'a str),
    /// Inside code.
    Code,
    /// Inside other content.
    Held,
}

/// A line and where it stands, without the space behind it.
pub struct Line<'a> {
    /// Where it stands.
    pub range: Range<usize>,
    /// What it is.
    pub kind: Kind<'a>,
}

impl<'a> Line<'a> {
    /// Reads a line beside `code` and other content that is `held`.
    pub fn read(line: &'a str, range: Range<usize>, code: &Cover, held: &Cover) -> Self {
        let plain = line.trim();
        let kind = if plain.is_empty() {
            // A blank line inside code separates nothing.
            let gap = range.start..range.start + line.len();
            if code.touches(&gap) { Kind::Code } else { Kind::Blank }
        } else if held.touches(&range) {
            Kind::Held
        } else if plain.starts_with("```")
            || plain.starts_with("~~~")
            || code.touches(&(range.start..range.start + 1)) && !line.starts_with('`')
        {
            Kind::Code
        } else {
            kind_of(plain)
        };
        Self { range, kind }
    }
}

fn kind_of(line: &str) -> Kind<'_> {
    let heading = pattern!(
        r"(?i)^(?:#{1,6} |[-*•] )?\*{0,2}(?:{optimize_examples.title} ?(?:#|{optimize_examples.number}\.? ?)?\d{0,3}(?: \([^)]{1,60}\))?\*{0,2}(?:[:：]|\d\.|$)|{optimize_examples.title_scripted} ?\d{0,3}[:：])"
    );
    if heading.is_match(line) {
        return Kind::Heading;
    }
    let label = pattern!(
        r"^(?:[-*•] |\d{1,2}[.)] )?\*{0,2}(?P<l>\p{L}[\p{L}-]{0,23}) ?#?\d{0,3}\*{0,2}[:：]\*{0,2}[ \t]*(?P<v>.*)$"
    );
    if let Some(found) = label.captures(line) {
        let name = found["l"].to_lowercase();
        let value = &found["v"];
        if wanted_inside(value) && is_given(&name) {
            return Kind::Pair(name);
        }
        if !(value.is_empty() && announces(line)) {
            return Kind::Label(name, !value.is_empty());
        }
    }
    if line.ends_with([':', '：']) && announces(line) && line.chars().count() <= 160 {
        return Kind::Lead;
    }
    if pattern!(r"^[^→⇒]{1,300}?\S ?(?:->|=>|→|⇒|⟶) ?\S[^→⇒]{0,300}$").is_match(line)
        && pattern!(r"->|=>|→|⇒|⟶").find_iter(line).take(2).count() == 1
    {
        return Kind::Arrow;
    }
    if is_item(line) { Kind::Item } else { Kind::Other(line) }
}

fn wanted_inside(value: &str) -> bool {
    pattern!(r"[\s|/>→-](?P<l>\p{L}[\p{L}-]{0,23})[:：] ?\S")
        .captures_iter(value)
        .take(20)
        .any(|found| is_wanted(&found["l"].to_lowercase()))
}

/// Whether a label names what is given.
pub fn is_given(name: &str) -> bool {
    pattern!(r"^{optimize_examples.given}$").is_match(name)
}

/// Whether a label names what should come out.
pub fn is_wanted(name: &str) -> bool {
    pattern!(r"^{optimize_examples.wanted}$").is_match(name)
}

/// Whether a line below an answer is the author of the prompt again.
pub fn speaks(line: &str) -> bool {
    imperative::starts_work(line) || pattern!(r"(?i)^{optimize_examples.speaking}\b").is_match(line)
}
