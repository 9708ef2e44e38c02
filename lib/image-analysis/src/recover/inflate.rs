//! Inflates compressed texts, within bounds.

use std::io::Read;

use flate2::read::{GzDecoder, ZlibDecoder};

/// Longest text that is inflated, in bytes.
const LONGEST: u64 = 8 << 20;

/// The content of a zlib stream; `None` if it is broken or too long.
pub fn zlib(bytes: &[u8]) -> Option<Vec<u8>> {
    whole(ZlibDecoder::new(bytes))
}

/// The content of a gzip stream; `None` if it is broken or too long.
pub fn gzip(bytes: &[u8]) -> Option<Vec<u8>> {
    whole(GzDecoder::new(bytes))
}

fn whole(reader: impl Read) -> Option<Vec<u8>> {
    let mut content = Vec::new();
    reader.take(LONGEST + 1).read_to_end(&mut content).ok()?;
    (content.len() as u64 <= LONGEST).then_some(content)
}
