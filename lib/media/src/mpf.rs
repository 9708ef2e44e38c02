//! The index of further pictures after a JPEG, by CIPA DC-007 (multi-picture format).
//!
//! Phones append a preview or a gain map for bright screens to a photograph, and list it here.

use std::ops::Range;

/// More than any camera appends.
const MAX_PICTURES: usize = 16;
const ENTRIES: u16 = 0xb002;
const ENTRY: usize = 16;

/// The ranges of the pictures after the first one, by the index (an APP2 segment without its name)
/// that begins at `origin`. `None` if the index is not sound.
pub(crate) fn further_pictures(index: &[u8], origin: usize) -> Option<Vec<Range<usize>>> {
    let big_endian = match index.get(..4)? {
        b"MM\0*" => true,
        b"II*\0" => false,
        _ => return None,
    };
    let u16_at = |at: usize| {
        let bytes = index.get(at..at.checked_add(2)?)?.try_into().ok()?;
        Some(if big_endian { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
    };
    let u32_at = |at: usize| {
        let bytes = index.get(at..at.checked_add(4)?)?.try_into().ok()?;
        Some(
            (if big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
                as usize,
        )
    };
    let directory = u32_at(4)?;
    let fields = usize::from(u16_at(directory)?);
    let field = (0..fields)
        .map(|number| directory + 2 + number * 12)
        .find(|at| u16_at(*at) == Some(ENTRIES))?;
    let (length, start) = (u32_at(field + 4)?, u32_at(field + 8)?);
    let pictures = length / ENTRY;
    if length % ENTRY != 0 || pictures > MAX_PICTURES {
        return None;
    }
    let mut further = Vec::new();
    for number in 0..pictures {
        let entry = start.checked_add(number * ENTRY)?;
        let (size, offset) = (u32_at(entry + 4)?, u32_at(entry + 8)?);
        // The first picture holds the index; its offset is zero.
        if offset != 0 {
            let begin = origin.checked_add(offset)?;
            further.push(begin..begin.checked_add(size)?);
        }
    }
    further.sort_by_key(|range| range.start);
    Some(further)
}
