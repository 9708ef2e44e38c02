//! Byte-pair encoding of one piece with the vocabulary `o200k_base`.
//!
//! The algorithm is that of Sennrich, Haddow and Birch, "Neural Machine Translation of Rare Words with
//! Subword Units" (2016): the neighbours that make the oldest token are merged, the leftmost first,
//! until no two neighbours make a token. Looking through all pairs before each merge is quadratic.
//! Long pieces therefore keep their possible merges in one list per token. A merge only makes pairs of
//! tokens younger than itself, so the lists are emptied in one sweep from the oldest to the youngest.

/// Tokens in the vocabulary.
const TOKENS: usize = 199_998;
/// Bits of a token's number.
const TOKEN_BITS: u32 = 18;
/// Says that two tokens do not make one.
const NONE: u32 = u32::MAX;
/// Up to this many bytes, looking through all pairs is faster than lists.
const SHORT: usize = 96;

/// Pairs that are looked at in a step, and steps for a byte of a long piece.
const PAIRS_A_STEP: usize = 4;
const STEPS_A_BYTE: usize = 32;

/// Token of every byte, then the merges; `build.rs` describes the layout.
static VOCABULARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/o200k_base.merges"));
static BYTES: &[[u8; 4]] = VOCABULARY.split_at(256 * 4).0.as_chunks().0;
static MERGES: &[[u8; 8]] = VOCABULARY.split_at(256 * 4).1.as_chunks().0;

/// Token of a single byte.
fn token_of(byte: u8) -> u32 {
    u32::from_le_bytes(BYTES[usize::from(byte)])
}

/// Token that two neighbours make, [`NONE`] if they make none.
fn merged(left: u32, right: u32) -> u32 {
    let key = u64::from(left) << TOKEN_BITS | u64::from(right);
    let hash = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut slot = ((u128::from(hash) * MERGES.len() as u128) >> 64) as usize;
    loop {
        let entry = u64::from_le_bytes(MERGES[slot]);
        if entry >> TOKEN_BITS == key {
            return (entry & ((1 << TOKEN_BITS) - 1)) as u32;
        }
        if entry == u64::MAX {
            return NONE;
        }
        slot = if slot + 1 == MERGES.len() { 0 } else { slot + 1 };
    }
}

/// Counts the tokens of pieces and keeps its working memory from one piece to the next.
#[derive(Default)]
pub(super) struct Merger {
    long: Option<Box<Lists>>,
}

impl Merger {
    /// Tokens of `piece`.
    pub(super) fn count(&mut self, piece: &[u8]) -> usize {
        if piece.len() <= SHORT {
            count_short(piece)
        } else {
            self.long.get_or_insert_default().count(piece)
        }
    }
}

/// Merges at most [`SHORT`] bytes, looking for the oldest merge each time.
fn count_short(piece: &[u8]) -> usize {
    let mut tokens = [0; SHORT];
    let mut pairs = [NONE; SHORT];
    let mut length = piece.len();
    for (token, byte) in tokens.iter_mut().zip(piece) {
        *token = token_of(*byte);
    }
    for i in 1..length {
        pairs[i - 1] = merged(tokens[i - 1], tokens[i]);
    }
    while length > 1 {
        let mut oldest = NONE;
        let mut at = 0;
        for (i, pair) in pairs[..length - 1].iter().enumerate() {
            if *pair < oldest {
                (oldest, at) = (*pair, i);
            }
        }
        if oldest == NONE {
            break;
        }
        tokens[at] = oldest;
        tokens.copy_within(at + 2..length, at + 1);
        pairs.copy_within(at + 1..length - 1, at);
        length -= 1;
        if at > 0 {
            pairs[at - 1] = merged(tokens[at - 1], oldest);
        }
        pairs[at] = if at + 1 < length { merged(oldest, tokens[at + 1]) } else { NONE };
    }
    budget::spend((piece.len() - length + 1) * piece.len() / PAIRS_A_STEP);
    length
}

/// A place in a piece where a token begins.
#[derive(Clone, Copy)]
struct Place {
    token: u32,
    /// Token that this one and the next make.
    pair: u32,
    previous: u32,
    next: u32,
}

/// A possible merge in the list of its token.
#[derive(Clone, Copy)]
struct Entry {
    place: u32,
    /// Rest of the list, [`NONE`] at its end.
    next: u32,
}

/// The possible merges of a long piece by the token that they make.
struct Lists {
    places: Vec<Place>,
    entries: Vec<Entry>,
    /// First entry of every token's list.
    heads: Vec<u32>,
    /// One bit per token whose list is not empty.
    filled: Vec<u64>,
    /// The list that is being emptied.
    current: Vec<u32>,
}

impl Default for Lists {
    fn default() -> Self {
        Self {
            places: Vec::new(),
            entries: Vec::new(),
            heads: vec![NONE; TOKENS],
            filled: vec![0; TOKENS.div_ceil(64)],
            current: Vec::new(),
        }
    }
}

impl Lists {
    fn count(&mut self, piece: &[u8]) -> usize {
        // Each byte makes two pairs at most, and one more when it is merged.
        budget::spend(self.filled.len() / PAIRS_A_STEP + STEPS_A_BYTE * piece.len());
        self.places.clear();
        self.entries.clear();
        let end = piece.len() as u32;
        self.places.extend(piece.iter().zip(0u32..).map(|(byte, at)| Place {
            token: token_of(*byte),
            pair: NONE,
            previous: at.wrapping_sub(1),
            next: at + 1,
        }));
        // From the back, so that each list begins with its leftmost place.
        for at in (0..end).rev() {
            self.pair(at);
        }
        let mut count = piece.len();
        for word in 0..self.filled.len() {
            while self.filled[word] != 0 {
                let bit = self.filled[word].trailing_zeros();
                self.filled[word] &= self.filled[word] - 1;
                count -= self.merge_all(word as u32 * 64 + bit);
            }
        }
        count
    }

    /// Looks up what the token at `at` and its neighbour make, and lists it.
    fn pair(&mut self, at: u32) {
        let place = self.places[at as usize];
        let pair = match self.places.get(place.next as usize) {
            Some(next) => merged(place.token, next.token),
            None => NONE,
        };
        self.places[at as usize].pair = pair;
        if pair != NONE {
            let head = &mut self.heads[pair as usize];
            self.entries.push(Entry { place: at, next: *head });
            *head = self.entries.len() as u32 - 1;
            self.filled[pair as usize / 64] |= 1 << (pair % 64);
        }
    }

    /// Empties the list of `token`; returns how many pairs became it.
    fn merge_all(&mut self, token: u32) -> usize {
        let mut current = std::mem::take(&mut self.current);
        let mut entry = std::mem::replace(&mut self.heads[token as usize], NONE);
        while let Some(listed) = self.entries.get(entry as usize) {
            current.push(listed.place);
            entry = listed.next;
        }
        // The leftmost goes first: in "aaa" it takes the middle one away from the right.
        current.sort_unstable();
        let mut merges = 0;
        for at in current.drain(..) {
            let place = self.places[at as usize];
            // The entry is out of date if an older merge has taken one of its two tokens.
            if place.pair != token {
                continue;
            }
            let gone = self.places[place.next as usize];
            self.places[place.next as usize].pair = NONE;
            self.places[at as usize].token = token;
            self.places[at as usize].next = gone.next;
            if let Some(next) = self.places.get_mut(gone.next as usize) {
                next.previous = at;
            }
            self.pair(at);
            if place.previous != NONE {
                self.pair(place.previous);
            }
            merges += 1;
        }
        self.current = current;
        merges
    }
}
