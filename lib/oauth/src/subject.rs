//! Subjects of tokens and the accounts derived from them.

use domain::AccountId;
use sha2::{Digest, Sha256};

/// Set in every account identifier that is derived from a subject. Identifiers from the clock would
/// have this bit in the year 6429.
const DERIVED: u128 = 1 << 127;

/// A user of an issuer: the pair is unique, the name alone is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// `iss`
    pub issuer: String,
    /// `sub`
    pub name: String,
}

impl Subject {
    /// The subject's account, always the same, so that nothing must be looked up: 127 bits of a
    /// SHA-256 over both names, disjoint from the identifiers of accounts that an operator creates.
    /// No secret goes into it: accounts must survive a change of the server secret.
    pub fn account(&self) -> AccountId {
        let mut hash = Sha256::new();
        for part in ["oauth-subject", &self.issuer, &self.name] {
            // Lengths keep ("ab", "c") and ("a", "bc") apart.
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        let digest = hash.finalize();
        let bits = digest.iter().take(16).fold(0u128, |bits, byte| bits << 8 | u128::from(*byte));
        AccountId::from_bits(bits | DERIVED)
    }
}
