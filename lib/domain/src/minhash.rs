//! How much alike two texts are: MinHash over shingles.
//!
//! Two texts resemble each other as far as they share their shingles, here runs of four characters. The share of equal
//! values in two signatures estimates it (Broder, "On the resemblance and containment of documents", 1997). Signatures
//! are found by their bands: two texts that are much alike have at least one band in common (Leskovec, Rajaraman and
//! Ullman, "Mining of Massive Datasets", section 3.4).

/// Bands of a signature.
pub const BANDS: usize = 16;
/// Values of a band.
const ROWS: usize = 4;
/// Values of a signature. The estimate has a standard error of 6 % at most.
const VALUES: usize = BANDS * ROWS;
/// Characters of a shingle.
const SHINGLE: usize = 4;
/// Estimated resemblance from which two texts are nearly the same. A letter changed among forty leaves 0.8.
const NEARLY_THE_SAME: f64 = 0.7;

/// The signature of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature([u32; VALUES]);

impl Signature {
    /// The signature of a text, in a time that is linear in its length.
    pub fn of(text: &str) -> Self {
        let characters: Vec<char> = text.chars().collect();
        let mut values = [u32::MAX; VALUES];
        for shingle in characters.windows(SHINGLE.min(characters.len()).max(1)) {
            let shingle = shingle.iter().fold(0, |hash, c| mixed(hash ^ u64::from(u32::from(*c))));
            for (value, function) in values.iter_mut().zip(1u64..) {
                *value = (*value).min((mixed(shingle ^ mixed(function)) >> 32) as u32);
            }
        }
        Self(values)
    }

    /// The bands, in their order, in hexadecimal.
    pub fn bands(&self) -> [String; BANDS] {
        std::array::from_fn(|band| {
            let rows = &self.0[band * ROWS..(band + 1) * ROWS];
            rows.iter().map(|value| format!("{value:08x}")).collect()
        })
    }

    /// Whether the texts are nearly the same, as far as the signatures tell.
    pub fn is_near(&self, other: &Self) -> bool {
        let equal = self.0.iter().zip(&other.0).filter(|(one, two)| one == two).count();
        equal as f64 >= NEARLY_THE_SAME * VALUES as f64
    }

    /// As bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|value| value.to_le_bytes()).collect()
    }

    /// From what [`to_bytes`](Self::to_bytes) has made; `None` if it was not.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut values = [0; VALUES];
        if bytes.len() != 4 * VALUES {
            return None;
        }
        for (value, bytes) in values.iter_mut().zip(bytes.chunks_exact(4)) {
            *value = u32::from_le_bytes(bytes.try_into().ok()?);
        }
        Some(Self(values))
    }
}

/// A hash of a number: the finalizer of SplitMix64 (Steele, Lea and Flood, 2014).
fn mixed(number: u64) -> u64 {
    let mut number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}
