//! What the first three bytes of a match can be.
//!
//! Most places of a text are ruled out by them before anything is tried. Bytes count by their [kind], as in
//! `prefix.rs` of the crate `patterns`.

use std::collections::BTreeSet;

use crate::node::Node;
use crate::ranges::Ranges;

/// Kinds of bytes.
const KINDS: usize = 32;
/// More beginnings than these are not told apart.
const MOST: usize = 4_000;
/// Stands for all kinds.
const ANY: u8 = 255;
/// Longer ranges of characters beyond ASCII are not told apart.
const LONGEST_RANGE: u32 = 64;

/// Up to three kinds of bytes, in order.
type Prefix = Vec<u8>;

/// The kind of a byte: letters without case, figures, spaces, other ASCII; beyond it the low five bits.
fn kind(byte: u8) -> u8 {
    match byte {
        b'a'..=b'z' => byte - b'a',
        b'A'..=b'Z' => byte - b'A',
        b'0'..=b'9' => 26,
        b' ' | b'\t' | b'\n' | b'\r' => 27,
        0x80.. => byte & 31,
        _ => 28,
    }
}

/// For each kind of a first byte the kinds of second bytes, a bit each; then for each second the third ones. `None`
/// where too many are possible.
pub fn pairs(row: &[Node]) -> Option<Vec<u32>> {
    let mut whole = BTreeSet::new();
    let ended = follow(row, BTreeSet::from([Prefix::new()]), &mut whole)?;
    let mut pairs = vec![0; 2 * KINDS];
    for prefix in whole.iter().chain(&ended) {
        let any = |at: usize| match prefix.get(at) {
            None | Some(&ANY) => 0..KINDS,
            Some(kind) => usize::from(*kind)..usize::from(*kind) + 1,
        };
        for first in any(0) {
            any(1).for_each(|second| pairs[first] |= 1 << second);
        }
        for second in any(1) {
            any(2).for_each(|third| pairs[KINDS + second] |= 1 << third);
        }
    }
    Some(pairs)
}

/// The prefixes behind a row that are still short of three bytes; `whole` gets those that are not.
fn follow(
    row: &[Node],
    mut open: BTreeSet<Prefix>,
    whole: &mut BTreeSet<Prefix>,
) -> Option<BTreeSet<Prefix>> {
    for node in row {
        if open.is_empty() {
            break;
        }
        open = match node {
            Node::One(ranges) => extended(&open, &characters(ranges), whole),
            Node::Place(_) | Node::Language(_) => open,
            Node::Group(_, inner) => follow(inner, open, whole)?,
            Node::Repeat(least, most, _, inner) => {
                let mut all = if *least == 0 { open.clone() } else { BTreeSet::new() };
                for turn in 1..=most.unwrap_or(3).min(3) {
                    open = follow(inner, open, whole)?;
                    if turn >= (*least).min(3) {
                        all.extend(open.iter().cloned());
                    }
                }
                all
            }
            Node::Either(rows) => {
                let mut all = BTreeSet::new();
                for row in rows {
                    all.extend(follow(row, open.clone(), whole)?);
                }
                all
            }
        };
        if open.len() + whole.len() > MOST {
            return None;
        }
    }
    Some(open)
}

fn extended(
    open: &BTreeSet<Prefix>,
    by: &BTreeSet<Prefix>,
    whole: &mut BTreeSet<Prefix>,
) -> BTreeSet<Prefix> {
    let mut still = BTreeSet::new();
    for prefix in open {
        for next in by {
            let joined: Prefix = prefix.iter().chain(next).copied().take(3).collect();
            if joined.len() == 3 {
                whole.insert(joined);
            } else {
                still.insert(joined);
            }
        }
    }
    still
}

/// The bytes of the characters of a class.
fn characters(ranges: &Ranges) -> BTreeSet<Prefix> {
    let mut found = BTreeSet::new();
    for (start, end) in ranges {
        found.extend(
            (*start..=(*end).min(0x7f))
                .filter_map(|code| Some(vec![kind(u8::try_from(code).ok()?)])),
        );
        let beyond = (*start).max(0x80)..=*end;
        if beyond.is_empty() {
            continue;
        }
        if end - beyond.start() < LONGEST_RANGE {
            let mut bytes = [0; 4];
            found.extend(
                beyond.filter_map(char::from_u32).map(|c| {
                    c.encode_utf8(&mut bytes).bytes().map(kind).take(3).collect::<Prefix>()
                }),
            );
        } else {
            found.insert(vec![ANY; if *beyond.start() < 0x800 { 2 } else { 3 }]);
        }
    }
    found
}
