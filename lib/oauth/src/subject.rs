//! Whom a token speaks for.

use domain::AccountId;
use sha2::{Digest, Sha256};

/// Set in every account identifier that is derived from a subject. Identifiers that are made by the
/// clock would have it in the year 6429.
const DERIVED: u128 = 1 << 127;

/// Somebody, as an issuer calls them: the pair is unique, the name alone is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// `iss`
    pub issuer: String,
    /// `sub`
    pub name: String,
}

impl Subject {
    /// The subject's account: the same wherever and whenever it is asked for, so that nothing has to be
    /// looked up. 127 bits of a SHA-256 over both names, apart from the identifiers of all accounts that
    /// an operator makes. No secret goes into it: an account must outlive a change of the server's.
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
