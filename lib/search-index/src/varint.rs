//! Unsigned LEB128: integers of seven bits a byte, the lowest first.

/// Appends a number.
pub(crate) fn push(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Takes a number from the front of `bytes`; `None` if they end early, or go on after 64 bits.
#[inline]
pub(crate) fn take(bytes: &mut &[u8]) -> Option<u64> {
    let (&first, rest) = bytes.split_first()?;
    *bytes = rest;
    if first < 0x80 {
        return Some(first.into());
    }
    let mut value = u64::from(first & 0x7f);
    for shift in (7..64).step_by(7) {
        let (&next, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(next & 0x7f) << shift;
        if next < 0x80 {
            return Some(value);
        }
    }
    None
}
