//! The edits that lead from one text to another.

use std::collections::BTreeMap;
use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput};

use crate::{Change, ChangeOp};

/// An unchanged stretch with fewer letters and digits than this does not keep two edits apart.
const SHORTEST_REST: usize = 4;
/// The same for edits that exchange at least [`LONG_EDIT`] bytes: between those, a word that happens to be
/// the same says nothing.
const SHORTEST_REST_OF_LONG: usize = 18;
/// From here on an edit is more than a change of wording.
const LONG_EDIT: usize = 30;

/// Steps that it takes to compare a piece: the heuristics of the diff bound its work.
const STEPS_A_PIECE: usize = 16;
/// Texts of more bytes than this together are compared by lines and sentences first.
const LONG_TEXTS: usize = 12_000;
/// Stretches of more bytes than this together are exchanged as a whole when they differ.
const LONG_STRETCH: usize = 6_000;

/// The edits that lead from `old` to `new`, each for `reason`, or for none if that is empty: in order, without overlap, and such that
/// [`apply`] gives exactly `new`.
///
/// Words are compared with Myers' algorithm (E. Myers, "An O(ND) Difference Algorithm", 1986). In long texts
/// sentences are compared first, and words only where sentences differ and the stretch is short, so that a
/// text which has nothing in common with another costs little more than one which has much.
pub fn between(old: &str, new: &str, reason: &str) -> Vec<Change> {
    let mut edits: Vec<Exchange> = Vec::new();
    if old.len() + new.len() <= LONG_TEXTS {
        edits = compare(old, new, words);
    } else {
        for (from, to) in compare(old, new, sentences) {
            if from.len() + to.len() > LONG_STRETCH || from.is_empty() || to.is_empty() {
                edits.push((from, to));
                continue;
            }
            let inner = compare(&old[from.clone()], &new[to.clone()], words);
            edits.extend(
                inner
                    .into_iter()
                    .map(|(inside, beside)| (moved(inside, from.start), moved(beside, to.start))),
            );
        }
    }
    let mut list = Edits::new(old);
    for (from, to) in joined(edits, old) {
        list.add(from, &new[to], reason, None);
    }
    list.changes()
}

/// Bytes of the old text and the bytes of the new one that take their place.
type Exchange = (Range<usize>, Range<usize>);

fn moved(range: Range<usize>, by: usize) -> Range<usize> {
    range.start + by..range.end + by
}

/// Where two texts differ, in the units that `cut` gives.
fn compare(old: &str, new: &str, cut: fn(&str) -> Vec<Range<usize>>) -> Vec<Exchange> {
    let (before, after) = (cut(old), cut(new));
    budget::spend(STEPS_A_PIECE * (before.len() + after.len()));
    let mut input = InternedInput::default();
    input.update_before(before.iter().map(|range| &old[range.clone()]));
    input.update_after(after.iter().map(|range| &new[range.clone()]));
    let place = |list: &[Range<usize>], index: u32, length: usize| {
        list.get(index as usize).map_or(length, |range| range.start)
    };
    Diff::compute(Algorithm::Histogram, &input)
        .hunks()
        .map(|hunk| {
            let from = place(&before, hunk.before.start, old.len())
                ..place(&before, hunk.before.end, old.len());
            let to = place(&after, hunk.after.start, new.len())
                ..place(&after, hunk.after.end, new.len());
            (from, to)
        })
        .collect()
}

/// Joins neighbours that leave next to nothing between them, so that the edits read well.
fn joined(edits: Vec<Exchange>, old: &str) -> Vec<Exchange> {
    let mut list: Vec<Exchange> = Vec::new();
    for (from, to) in edits {
        match list.last_mut() {
            Some((known, given))
                if is_slight(
                    &old[known.end..from.start],
                    known.len().max(given.len()).min(from.len().max(to.len())),
                ) =>
            {
                known.end = from.end;
                given.end = to.end;
            }
            _ => list.push((from, to)),
        }
    }
    list
}

/// Cuts a text behind line breaks and the ends of sentences.
fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut last = ' ';
    for (at, character) in text.char_indices() {
        let end = at + character.len_utf8();
        let ends = matches!(character, '\n' | '。' | '！' | '？')
            || character == ' ' && matches!(last, '.' | '!' | '?' | ':');
        if ends {
            found.push(start..end);
            start = end;
        }
        last = character;
    }
    if start < text.len() {
        found.push(start..text.len());
    }
    found
}

/// `old` with `changes` applied; `None` if they do not fit it. This is what a client does with a result's changes: the
/// tests hold that it gives the new text.
pub fn apply(old: &str, changes: &[Change]) -> Option<String> {
    let mut result = String::with_capacity(old.len());
    let mut rest = old;
    let mut at = 0;
    for change in changes {
        let (kept, tail) = rest.split_at(offset(rest, change.start.checked_sub(at)?)?);
        let (gone, tail) = tail.split_at(offset(tail, change.end.checked_sub(change.start)?)?);
        if gone != change.old_text {
            return None;
        }
        result.push_str(kept);
        result.push_str(&change.new_text);
        rest = tail;
        at = change.end;
    }
    result.push_str(rest);
    Some(result)
}

/// Edits of a text that are known one by one, in any order.
#[derive(Clone, Debug)]
pub struct Edits<'a> {
    text: &'a str,
    /// By start, whether they replace something, and their number.
    list: BTreeMap<(usize, bool, usize), Edit>,
    /// Where those end that replace something, by start.
    replaced: BTreeMap<usize, usize>,
}

#[derive(Clone, Debug)]
struct Edit {
    end: usize,
    text: String,
    reason: String,
    rule: Option<String>,
}

impl<'a> Edits<'a> {
    /// No edits of `text` yet.
    pub fn new(text: &'a str) -> Self {
        Self { text, list: BTreeMap::new(), replaced: BTreeMap::new() }
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
        let key = (range.start, range.start < range.end, self.list.len());
        let (text, reason) = (new.to_owned(), reason.to_owned());
        let rule = rule.map(str::to_owned);
        if !range.is_empty() {
            self.replaced.insert(range.start, range.end);
        }
        self.list.insert(key, Edit { end: range.end, text, reason, rule });
        true
    }

    /// The edits but for those of a rule.
    pub fn without(mut self, rule: &str) -> Self {
        self.list.retain(|_, edit| edit.rule.as_deref() != Some(rule));
        let list = &self.list;
        self.replaced.retain(|start, _| {
            list.range((*start, true, 0)..(start + 1, false, 0)).next().is_some()
        });
        self
    }

    /// Takes over the edits of the same text that are possible beside its own; tells how many.
    pub fn absorb(&mut self, others: &Self) -> usize {
        let mut count = 0;
        for ((start, ..), edit) in &others.list {
            let taken = self.add(*start..edit.end, &edit.text, &edit.reason, edit.rule.as_deref());
            count += usize::from(taken);
        }
        count
    }

    /// Whether nothing in `range` is changed yet. Insertions at one place stand side by side.
    pub fn is_free(&self, range: &Range<usize>) -> bool {
        let last = self.replaced.range(..range.end).next_back();
        last.is_none_or(|(_, end)| *end <= range.start)
            && (range.is_empty()
                || self.list.range((range.start, true, 0)..(range.end, false, 0)).next().is_none())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The edits as changes, in the order of their offsets.
    pub fn changes(&self) -> Vec<Change> {
        let (mut at, mut count) = (0, 0);
        let mut offset = |to: usize| {
            count += self.text[at..to].chars().count();
            at = to;
            count
        };
        self.list
            .iter()
            .map(|((start, ..), edit)| {
                let (from, to) = (offset(*start), offset(edit.end));
                let old = &self.text[*start..edit.end];
                Change {
                    op: match (old.is_empty(), edit.text.is_empty()) {
                        (true, _) => ChangeOp::Insert,
                        (false, true) => ChangeOp::Delete,
                        (false, false) => ChangeOp::Replace,
                    },
                    start: from,
                    end: to,
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
        for ((start, ..), edit) in &self.list {
            result.push_str(&self.text[at..*start]);
            result.push_str(&edit.text);
            at = edit.end;
        }
        result.push_str(&self.text[at..]);
        result
    }
}

/// Byte offset of a code point; the end counts as one.
fn offset(text: &str, characters: usize) -> Option<usize> {
    let mut places = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    places.nth(characters)
}

/// Whether what is left between two edits, the shorter of which has `length` bytes, may go with them.
fn is_slight(rest: &str, length: usize) -> bool {
    let most = if length >= LONG_EDIT { SHORTEST_REST_OF_LONG } else { SHORTEST_REST };
    !rest.contains('\n') && rest.chars().filter(|c| c.is_alphanumeric()).take(most).count() < most
}

/// Cuts a text into words, runs of spaces, and single other characters. Scripts that leave no space
/// between words are cut after each character.
fn words(text: &str) -> Vec<Range<usize>> {
    #[derive(Clone, Copy, PartialEq)]
    enum Kind {
        Word,
        Space,
        Single,
    }
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut last = Kind::Single;
    for (at, character) in text.char_indices() {
        let end = at + character.len_utf8();
        let kind = match character {
            '\u{2e80}'..='\u{9fff}' | '\u{20000}'.. => Kind::Single,
            // Marks and joiners stay with what they modify.
            '\u{300}'..='\u{36f}' | '\u{200d}' | '\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}' => last,
            '\n' => Kind::Single,
            c if c.is_alphanumeric() || c == '_' => Kind::Word,
            c if c.is_whitespace() => Kind::Space,
            _ => Kind::Single,
        };
        let joined = kind == last && kind != Kind::Single;
        match found.last_mut() {
            Some(range) if joined => range.end = end,
            _ => found.push(at..end),
        }
        last = kind;
    }
    found
}
