//! Byte-pair encoding of one piece with the vocabulary `o200k_base`.
//!
//! The algorithm is that of Sennrich, Haddow and Birch, "Neural Machine Translation of Rare Words with
//! Subword Units" (2016): the neighbours that make the oldest token are merged, the leftmost first,
//! until no two neighbours make a token. Possible merges wait in a heap, so that long pieces take no quadratic time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Bits of a token's number.
const TOKEN_BITS: u32 = 18;
/// No token, or no place.
const NONE: u32 = u32::MAX;
/// Steps that a byte takes: it makes two pairs at most, and one more when it is merged.
const STEPS_A_BYTE: usize = 32;

/// Token of every byte, then the merges; `build.rs` describes the layout.
static VOCABULARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/o200k_base.merges"));
static BYTES: &[[u8; 4]] = VOCABULARY.split_at(256 * 4).0.as_chunks().0;
static MERGES: &[[u8; 8]] = VOCABULARY.split_at(256 * 4).1.as_chunks().0;

/// Token that two neighbours make, if they make one.
fn merged(left: u32, right: u32) -> Option<u32> {
    let key = u64::from(left) << TOKEN_BITS | u64::from(right);
    let hash = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut slot = ((u128::from(hash) * MERGES.len() as u128) >> 64) as usize;
    loop {
        let entry = u64::from_le_bytes(MERGES[slot]);
        if entry >> TOKEN_BITS == key {
            return Some((entry & ((1 << TOKEN_BITS) - 1)) as u32);
        }
        if entry == u64::MAX {
            return None;
        }
        slot = if slot + 1 == MERGES.len() { 0 } else { slot + 1 };
    }
}

/// A token of a piece; one that was merged into the token before it is [`NONE`].
#[derive(Clone, Copy)]
struct Place {
    token: u32,
    previous: u32,
    next: u32,
}

/// Counts the tokens of pieces and keeps its working memory from one piece to the next.
#[derive(Default)]
pub(super) struct Merger {
    /// By the byte at which they begin.
    places: Vec<Place>,
    /// What two neighbours make and where the left one is: the oldest token first, of equal ones the leftmost.
    merges: BinaryHeap<Reverse<(u32, u32)>>,
}

impl Merger {
    /// Tokens of `piece`.
    pub(super) fn count(&mut self, piece: &[u8]) -> usize {
        budget::spend(STEPS_A_BYTE * piece.len());
        self.places.clear();
        self.places.extend(piece.iter().zip(0u32..).map(|(byte, at)| Place {
            token: u32::from_le_bytes(BYTES[usize::from(*byte)]),
            previous: at.wrapping_sub(1),
            next: at + 1,
        }));
        (0..piece.len() as u32).for_each(|at| self.pair(at));
        let mut count = piece.len();
        while let Some(Reverse((token, at))) = self.merges.pop() {
            // A merge is out of date if an older one has taken one of its two tokens.
            if self.made_at(at) != Some(token) {
                continue;
            }
            let Place { previous, next, .. } = self.places[at as usize];
            let behind = self.places[next as usize].next;
            self.places[next as usize].token = NONE;
            self.places[at as usize] = Place { token, previous, next: behind };
            if let Some(place) = self.places.get_mut(behind as usize) {
                place.previous = at;
            }
            self.pair(at);
            self.pair(previous);
            count -= 1;
        }
        count
    }

    /// What the token at `at` and its neighbour make.
    fn made_at(&self, at: u32) -> Option<u32> {
        let place = self.places.get(at as usize).filter(|place| place.token != NONE)?;
        merged(place.token, self.places.get(place.next as usize)?.token)
    }

    fn pair(&mut self, at: u32) {
        if let Some(token) = self.made_at(at) {
            self.merges.push(Reverse((token, at)));
        }
    }
}
