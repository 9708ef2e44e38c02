//! A parsed expression, as the compiler likes it.

use std::collections::BTreeSet;

use regex_syntax::hir::{Hir, HirKind, Look};

use crate::ranges::{self, Ranges};

/// A part of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// One character.
    One(Ranges),
    /// A place between characters.
    Place(Look),
    /// What follows is asked of texts in this language only.
    Language(u32),
    /// What a group holds.
    Group(u32, Row),
    /// Repetition: at least, at most, and whether it takes as much as it can.
    Repeat(u32, Option<u32>, bool, Row),
    /// Alternatives; the first that leads to a match wins.
    Either(Vec<Row>),
}

/// Parts behind each other.
pub type Row = Vec<Node>;

/// What an expression can begin with.
///
/// A bit for each of the [buckets](bucket), and whether it may take nothing.
#[derive(Clone, Copy)]
pub struct First {
    pub buckets: u32,
    pub empty: bool,
}

/// The first of the code points that mark alternatives with their language; they are for private use.
const MARKS: u32 = 0xf_0000;
/// Letters that tags are written with.
const LETTERS: u32 = 26;

/// The mark of a language with a tag of two letters.
pub fn mark(tag: &str) -> Option<char> {
    let [first, second] = tag.as_bytes() else { return None };
    let letter = |byte: &u8| byte.is_ascii_lowercase().then(|| u32::from(byte - b'a'));
    char::from_u32(MARKS + letter(first)? * LETTERS + letter(second)?)
}

/// Whether a character marks a language.
pub fn is_mark(c: char) -> bool {
    (MARKS..MARKS + LETTERS * LETTERS).contains(&(c as u32))
}

/// The bit for the end of the text.
pub const END: u32 = 1 << 31;

/// The bucket of a character: letters without case, figures, spaces, other ASCII, the rest.
fn bucket(code: u32) -> u32 {
    match u8::try_from(code) {
        Ok(letter) if letter.is_ascii_alphabetic() => u32::from(letter.to_ascii_lowercase() - b'a'),
        Ok(digit) if digit.is_ascii_digit() => 26,
        Ok(b' ' | b'\t' | b'\n' | b'\r') => 27,
        Ok(other) if other.is_ascii() => 28,
        _ => 29,
    }
}

/// The row of an expression.
pub fn row(hir: &Hir) -> Result<Row, String> {
    Ok(match hir.kind() {
        HirKind::Empty => Vec::new(),
        HirKind::Literal(literal) => {
            let text = std::str::from_utf8(&literal.0).map_err(|_| "bytes that are no text")?;
            let node = |c: char| match is_mark(c) {
                true => Node::Language(c as u32 - MARKS),
                false => Node::One(vec![(c as u32, c as u32)]),
            };
            text.chars().map(node).collect()
        }
        HirKind::Class(class) => vec![Node::One(ranges::of_class(class))],
        HirKind::Look(look) => vec![Node::Place(*look)],
        HirKind::Repetition(repeated) => {
            vec![Node::Repeat(repeated.min, repeated.max, repeated.greedy, row(&repeated.sub)?)]
        }
        HirKind::Capture(capture) => vec![Node::Group(capture.index, row(&capture.sub)?)],
        HirKind::Concat(parts) => {
            parts.iter().map(row).collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect()
        }
        HirKind::Alternation(parts) => {
            vec![Node::Either(parts.iter().map(row).collect::<Result<_, _>>()?)]
        }
    })
}

/// What a row can begin with.
pub fn first(row: &[Node]) -> First {
    let mut all = First { buckets: 0, empty: true };
    for node in row {
        let of_node = match node {
            Node::One(ranges) => {
                let codes = ranges.iter().flat_map(|(start, end)| {
                    let beyond = (*end >= 128).then_some(128);
                    (*start..=(*end).min(127)).chain(beyond)
                });
                let buckets = codes.fold(0, |buckets, code| buckets | 1 << bucket(code));
                First { buckets, empty: false }
            }
            Node::Place(_) | Node::Language(_) => First { buckets: 0, empty: true },
            Node::Group(_, inner) => first(inner),
            Node::Repeat(least, _, _, inner) => {
                let inner = first(inner);
                First { empty: inner.empty || *least == 0, ..inner }
            }
            Node::Either(rows) => {
                let none = First { buckets: 0, empty: false };
                rows.iter().map(|row| first(row)).fold(none, |all, one| First {
                    buckets: all.buckets | one.buckets,
                    empty: all.empty || one.empty,
                })
            }
        };
        all.buckets |= of_node.buckets;
        if !of_node.empty {
            return First { empty: false, ..all };
        }
    }
    all
}

/// Whether a repetition of `inner` before `rest` can end in one place only: where its characters end.
pub fn ends_itself(inner: &[Node], rest: &[Node]) -> bool {
    let [Node::One(repeated)] = inner else { return false };
    let meets = |(start, end): &(u32, u32)| {
        repeated.iter().any(|(first, last)| first <= end && start <= last)
    };
    characters(rest).is_some_and(|following| !following.iter().any(meets))
}

/// The characters that a row begins with, where it begins with one that is known.
fn characters(row: &[Node]) -> Option<Ranges> {
    match begin(row)? {
        Node::One(ranges) => Some(ranges.clone()),
        Node::Either(rows) => {
            let firsts = rows.iter().map(|row| characters(row)).collect::<Option<Vec<_>>>();
            firsts.map(|firsts| firsts.concat())
        }
        _ => None,
    }
}

/// What a row begins with but the mark of a language.
fn begin(row: &[Node]) -> Option<&Node> {
    row.iter().find(|node| !matches!(node, Node::Language(_)))
}

/// The languages of which a text must have one to match, the fewest that are known; none where there are no such.
pub fn needed(row: &[Node]) -> Option<BTreeSet<u32>> {
    let of_node = |node: &Node| match node {
        Node::Language(language) => Some(BTreeSet::from([*language])),
        Node::Group(_, inner) => needed(inner),
        Node::Repeat(least, _, _, inner) if *least > 0 => needed(inner),
        Node::Either(rows) => {
            let all = rows.iter().map(|row| needed(row)).collect::<Option<Vec<_>>>();
            all.map(|all| all.into_iter().flatten().collect())
        }
        _ => None,
    };
    row.iter().filter_map(of_node).min_by_key(BTreeSet::len)
}

/// Whether a match begins at the boundary of a word only.
pub fn begins_words(row: &[Node]) -> bool {
    match begin(row) {
        Some(Node::Place(Look::WordUnicode | Look::WordAscii)) => true,
        Some(Node::Group(_, inner)) => begins_words(inner),
        Some(Node::Either(rows)) => rows.iter().all(|row| begins_words(row)),
        _ => false,
    }
}

/// Whether a match can begin at the beginning of the text only.
pub fn is_anchored(row: &[Node]) -> bool {
    match begin(row) {
        Some(Node::Place(Look::Start)) => true,
        Some(Node::Group(_, inner)) => is_anchored(inner),
        Some(Node::Either(rows)) => rows.iter().all(|row| is_anchored(row)),
        _ => false,
    }
}
