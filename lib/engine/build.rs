//! Lays out the public `o200k_base` vocabulary as a table that the engine reads in place, so that counting tokens has
//! nothing to load when a process starts.

use std::collections::HashMap;
use std::error::Error;
use std::path::Path;

/// Tokens of `o200k_base` without the special ones, which text cannot spell.
const TOKENS: u32 = 199_998;
/// Bits of a token's number.
const TOKEN_BITS: u32 = 18;
/// Filler of slots without a merge.
const EMPTY: u64 = u64::MAX;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let out = std::env::var("OUT_DIR")?;
    std::fs::write(Path::new(&out).join("o200k_base.merges"), merges()?)?;
    Ok(())
}

/// The vocabulary as 256 little-endian `u32`, the token of each byte, and a hash table of `u64` slots
/// `left token, right token, merged token` of 18 bits each. Probing is linear; a third of the slots is
/// empty, and the slot of a pair is `hash · slots / 2⁶⁴`.
fn merges() -> Result<Vec<u8>, Box<dyn Error>> {
    let vocabulary = tiktoken_rs::o200k_base()?;
    let tokens = (0..TOKENS)
        .map(|token| vocabulary.decode_bytes(&[token]))
        .collect::<Result<Vec<_>, _>>()?;
    let ranks: HashMap<&[u8], u32> = tokens.iter().map(Vec::as_slice).zip(0..).collect();
    let mut table = Vec::new();
    for byte in 0..=u8::MAX {
        let token = ranks.get([byte].as_slice()).ok_or("a byte has no token")?;
        table.extend_from_slice(&token.to_le_bytes());
    }
    let pairs = tokens.len() - 256;
    let mut slots = vec![EMPTY; pairs + pairs / 2];
    for (bytes, token) in tokens.iter().zip(0..).filter(|(bytes, _)| bytes.len() > 1) {
        let (left, right) = halves(bytes, &ranks).ok_or("a token is not made of two tokens")?;
        // Ranks that only grow while merging are what the engine's heap of merges relies on.
        if left >= token || right >= token {
            return Err("a token is older than its halves".into());
        }
        let key = u64::from(left) << TOKEN_BITS | u64::from(right);
        let hash = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut slot = ((u128::from(hash) * slots.len() as u128) >> 64) as usize;
        while slots[slot] != EMPTY {
            slot = (slot + 1) % slots.len();
        }
        slots[slot] = key << TOKEN_BITS | u64::from(token);
    }
    table.extend(slots.iter().flat_map(|slot| slot.to_le_bytes()));
    Ok(table)
}

/// The two tokens that byte-pair encoding joins last when it makes `bytes`.
fn halves(bytes: &[u8], ranks: &HashMap<&[u8], u32>) -> Option<(u32, u32)> {
    let mut bounds: Vec<usize> = (0..=bytes.len()).collect();
    while bounds.len() > 3 {
        let lowest = (0..bounds.len() - 2)
            .filter_map(|i| Some((ranks.get(&bytes[bounds[i]..bounds[i + 2]])?, i)))
            .min()?;
        bounds.remove(lowest.1 + 1);
    }
    Some((*ranks.get(&bytes[..bounds[1]])?, *ranks.get(&bytes[bounds[1]..])?))
}
