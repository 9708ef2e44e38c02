//! The edits that lead from one text to another.

use std::ops::Range;

use ::text::code_points::{CodePoints, byte_at};
use imara_diff::{Algorithm, Diff, InternedInput};
use unicode_segmentation::UnicodeSegmentation;

use crate::{Change, ChangeOp};

/// An unchanged stretch with fewer letters and digits than this does not keep two edits apart.
const SHORTEST_REST: usize = 4;
/// Steps that it takes to compare a piece: the heuristics of the diff bound its work.
const STEPS_A_PIECE: usize = 16;

/// The edits that lead from `old` to `new`, each for `reason`, or for none if that is empty: in order, without overlap, and such that
/// [`apply`] gives exactly `new`.
///
/// Words after Unicode Standard Annex #29 are compared by a histogram of them, as Git can do with lines.
pub fn between(old: &str, new: &str, reason: &str) -> Vec<Change> {
    let mut list = Edits::new(old);
    for (from, to) in pieces(old, new) {
        list.add(from, &new[to], reason, None);
    }
    list.changes()
}

/// The bytes of `old` and those of `new` that take their place, in order.
pub(crate) fn pieces(old: &str, new: &str) -> Vec<(Range<usize>, Range<usize>)> {
    let before: Vec<_> = old.split_word_bound_indices().collect();
    let after: Vec<_> = new.split_word_bound_indices().collect();
    budget::spend(STEPS_A_PIECE * (before.len() + after.len()));
    let mut input = InternedInput::default();
    input.update_before(before.iter().map(|(_, word)| *word));
    input.update_after(after.iter().map(|(_, word)| *word));
    let places = |list: &[(usize, &str)], hunk: Range<u32>, length: usize| {
        let place = |index: u32| list.get(index as usize).map_or(length, |(at, _)| *at);
        place(hunk.start)..place(hunk.end)
    };
    let mut edits: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    for hunk in Diff::compute(Algorithm::Histogram, &input).hunks() {
        let from = places(&before, hunk.before, old.len());
        let to = places(&after, hunk.after, new.len());
        // Neighbours that leave next to nothing between them read better as one.
        match edits.last_mut() {
            Some((known, given)) if is_slight(&old[known.end..from.start]) => {
                (known.end, given.end) = (from.end, to.end);
            }
            _ => edits.push((from, to)),
        }
    }
    edits
}

/// Whether what is left between two edits may go with them.
fn is_slight(rest: &str) -> bool {
    !rest.contains('\n') && rest.chars().filter(|c| c.is_alphanumeric()).count() < SHORTEST_REST
}

/// `old` with `changes` applied; `None` if they do not fit it. This is what a client does with a result's changes: the
/// tests hold that it gives the new text.
pub fn apply(old: &str, changes: &[Change]) -> Option<String> {
    let mut result = String::with_capacity(old.len());
    let mut rest = old;
    let mut at = 0;
    for change in changes {
        let (kept, tail) = rest.split_at(byte_at(rest, change.start.checked_sub(at)?));
        let gone = change.end.checked_sub(change.start)?;
        rest = tail.strip_prefix(change.old_text.as_str())?;
        if change.old_text.chars().count() != gone {
            return None;
        }
        result.extend([kept, &change.new_text]);
        at = change.end;
    }
    Some(result + rest)
}

/// Edits of a text that are known one by one, in any order.
#[derive(Clone, Debug)]
pub struct Edits<'a> {
    text: &'a str,
    /// In the order of their places, without overlap; insertions before what is replaced behind them.
    list: Vec<Edit>,
}

#[derive(Clone, Debug)]
struct Edit {
    range: Range<usize>,
    text: String,
    reason: String,
    rule: Option<String>,
}

impl<'a> Edits<'a> {
    /// No edits of `text` yet.
    pub const fn new(text: &'a str) -> Self {
        Self { text, list: Vec::new() }
    }

    /// Adds an edit of the bytes in `range`. Tells whether it was taken: one that changes nothing, cuts a
    /// character, or touches what another edit changes, is not.
    pub fn add(
        &mut self,
        range: Range<usize>,
        new: &str,
        reason: &str,
        rule: Option<&str>,
    ) -> bool {
        if self.text.get(range.clone()).is_none_or(|old| old == new) || !self.is_free(&range) {
            return false;
        }
        let key = |range: &Range<usize>| (range.start, !range.is_empty());
        let at = self.list.partition_point(|edit| key(&edit.range) <= key(&range));
        let (text, reason) = (new.to_owned(), reason.to_owned());
        self.list.insert(at, Edit { range, text, reason, rule: rule.map(str::to_owned) });
        true
    }

    /// Whether nothing in `range` is changed yet. Insertions at one place stand side by side.
    pub fn is_free(&self, range: &Range<usize>) -> bool {
        let next = self.list.partition_point(|edit| edit.range.end <= range.start);
        self.list.get(next).is_none_or(|edit| range.end <= edit.range.start)
    }

    /// The edits as changes, in the order of their offsets.
    pub fn changes(&self) -> Vec<Change> {
        let mut points = CodePoints::of(self.text);
        self.list
            .iter()
            .map(|edit| {
                let old = &self.text[edit.range.clone()];
                Change {
                    op: match (old.is_empty(), edit.text.is_empty()) {
                        (true, _) => ChangeOp::Insert,
                        (false, true) => ChangeOp::Delete,
                        (false, false) => ChangeOp::Replace,
                    },
                    start: points.at(edit.range.start),
                    end: points.at(edit.range.end),
                    old_text: old.to_owned(),
                    new_text: edit.text.clone(),
                    reason: Some(edit.reason.clone()).filter(|reason| !reason.is_empty()),
                    rule_id: edit.rule.clone(),
                }
            })
            .collect()
    }

    /// The text with all edits.
    pub fn result(&self) -> String {
        let mut result = String::with_capacity(self.text.len());
        let mut at = 0;
        for edit in &self.list {
            result.extend([&self.text[at..edit.range.start], &edit.text]);
            at = edit.range.end;
        }
        result + &self.text[at..]
    }
}
