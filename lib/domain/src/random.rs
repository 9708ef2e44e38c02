//! Randomness as a capability, so that tests can repeat a run.

use std::fmt;

/// A source of cryptographically strong random bytes.
pub trait Random: Send + Sync + fmt::Debug {
    /// Fills `buffer` with random bytes.
    fn fill(&self, buffer: &mut [u8]);
}

/// `N` random bytes.
pub fn bytes<const N: usize>(random: &dyn Random) -> [u8; N] {
    let mut buffer = [0; N];
    random.fill(&mut buffer);
    buffer
}

/// A random number.
pub fn number(random: &dyn Random) -> u64 {
    u64::from_be_bytes(bytes(random))
}
