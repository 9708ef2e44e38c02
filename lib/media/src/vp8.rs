//! The frame headers of VP8 (RFC 6386) and of lossless WebP.

use crate::cursor::Cursor;
use crate::error::MediaError;

fn ensure(rule: bool, fault: &'static str) -> Result<(), MediaError> {
    if rule { Ok(()) } else { Err(MediaError::Damaged { format: "WebP", fault }) }
}

/// The size of a lossy frame, which must be a key frame.
pub(crate) fn lossy(frame: &[u8]) -> Result<(u32, u32), MediaError> {
    let mut cursor = Cursor::new(frame);
    let tag = cursor.le24()?;
    let (inter_frame, version, shown) = (tag & 1 == 1, tag >> 1 & 7, tag >> 4 & 1 == 1);
    ensure(!inter_frame && version <= 3 && shown, "its frame is not a picture of its own")?;
    ensure(cursor.array()? == *b"\x9d\x01\x2a", "its frame has no start code")?;
    let (width, height) = (cursor.le16()? & 0x3fff, cursor.le16()? & 0x3fff);
    let first_partition = (tag >> 5) as usize;
    ensure(
        first_partition > 0 && first_partition <= cursor.rest().len(),
        "its frame's first part has a wrong length",
    )?;
    Ok((width.into(), height.into()))
}

/// The size of a lossless frame.
pub(crate) fn lossless(frame: &[u8]) -> Result<(u32, u32), MediaError> {
    let mut cursor = Cursor::new(frame);
    ensure(cursor.u8()? == 0x2f, "its frame has no signature")?;
    let header = cursor.le32()?;
    ensure(header >> 29 == 0, "its frame is of an unknown version")?;
    ensure(!cursor.is_done(), "its frame has no data")?;
    Ok(((header & 0x3fff) + 1, (header >> 14 & 0x3fff) + 1))
}
