//! WebP, by RFC 9649.

use crate::cursor::Cursor;
use crate::error::MediaError;
use crate::info::MediaInfo;
use crate::polyglot::refuse_payload;
use crate::vp8;

/// More chunks than any writer puts into five megabytes.
const MAX_CHUNKS: usize = 50_000;

const ICC: u8 = 0x20;
const EXIF: u8 = 0x08;
const XMP: u8 = 0x04;
const ANIMATION: u8 = 0x02;

fn damaged(fault: &'static str) -> MediaError {
    MediaError::Damaged { format: "WebP", fault }
}

fn ensure(rule: bool, fault: &'static str) -> Result<(), MediaError> {
    if rule { Ok(()) } else { Err(damaged(fault)) }
}

/// Walks all chunks of a file that begins with the signature.
pub(crate) fn verify(file: &[u8]) -> Result<MediaInfo, MediaError> {
    let mut cursor = Cursor::new(file);
    cursor.take(4)?;
    let size = u64::from(cursor.le32()?) + 8;
    cursor.take(4)?;
    ensure(size % 2 == 0, "its size is odd")?;
    if (file.len() as u64) < size {
        return Err(MediaError::Truncated);
    }
    if (file.len() as u64) > size {
        return Err(MediaError::Trailing("picture"));
    }
    let (kind, body) = chunk(&mut cursor)?;
    let (width, height) = match &kind {
        b"VP8 " => vp8::lossy(body)?,
        b"VP8L" => vp8::lossless(body)?,
        b"VP8X" => return extended(body, cursor),
        _ => return Err(damaged("it does not begin with a picture")),
    };
    ensure(cursor.is_done(), "it has more than its picture")?;
    MediaInfo::image(width, height, 1)
}

fn chunk<'a>(cursor: &mut Cursor<'a>) -> Result<([u8; 4], &'a [u8]), MediaError> {
    let kind = cursor.array()?;
    let length = cursor.le32()?;
    let body = cursor.take(length as usize)?;
    if length % 2 == 1 {
        ensure(cursor.u8()? == 0, "a part is not filled up with zero")?;
    }
    Ok((kind, body))
}

/// Order of the chunks of an extended file's picture.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Place {
    Header,
    Profile,
    Animation,
    Alpha,
    Picture,
}

impl Place {
    fn of(kind: &[u8; 4]) -> Option<Self> {
        match kind {
            b"ICCP" => Some(Self::Profile),
            b"ANIM" => Some(Self::Animation),
            b"ALPH" => Some(Self::Alpha),
            b"ANMF" | b"VP8 " | b"VP8L" => Some(Self::Picture),
            _ => None,
        }
    }
}

fn extended(header: &[u8], mut cursor: Cursor<'_>) -> Result<MediaInfo, MediaError> {
    ensure(header.len() == 10, "its header has a wrong length")?;
    let mut fields = Cursor::new(header);
    let flags = fields.u8()?;
    fields.take(3)?;
    let (width, height) = (fields.le24()? + 1, fields.le24()? + 1);
    MediaInfo::image(width, height, 1)?;
    let mut place = Place::Header;
    let mut seen = 0;
    let mut frames = 0;
    for _ in 0..MAX_CHUNKS {
        if cursor.is_done() {
            ensure(frames > 0, "it has no picture")?;
            // The flag for transparency is only a hint (RFC 9649); the others list the parts.
            ensure(
                (flags ^ seen) & (ICC | EXIF | XMP | ANIMATION) == 0,
                "its header does not tell of its parts",
            )?;
            return MediaInfo::image(width, height, frames);
        }
        let (kind, body) = chunk(&mut cursor)?;
        let animated = flags & ANIMATION != 0;
        let before = place;
        // Metadata and unknown chunks may be anywhere.
        if let Some(next) = Place::of(&kind) {
            ensure(
                next > place || (next == place && &kind == b"ANMF"),
                "its parts are out of order",
            )?;
            place = next;
        }
        match &kind {
            b"ICCP" => {
                refuse_payload(body)?;
                seen |= ICC;
            }
            b"ANIM" => {
                ensure(animated && body.len() == 6, "its animation's header is wrong")?;
                seen |= ANIMATION;
            }
            b"ALPH" => {
                ensure(!animated, "it is both still and animated")?;
                alpha(body)?;
            }
            b"ANMF" => {
                ensure(seen & ANIMATION != 0, "it has a frame, but no animation")?;
                frame(body, width, height)?;
                frames += 1;
            }
            b"VP8 " | b"VP8L" => {
                ensure(!animated, "it is both still and animated")?;
                ensure(
                    &kind == b"VP8 " || before != Place::Alpha,
                    "its transparency is given twice",
                )?;
                let size = if &kind == b"VP8 " { vp8::lossy(body)? } else { vp8::lossless(body)? };
                ensure(
                    size == (width, height),
                    "its picture is not of the size that its header tells",
                )?;
                frames += 1;
            }
            b"VP8X" => return Err(damaged("it has two headers")),
            _ => {
                let flag = match &kind {
                    b"EXIF" => EXIF,
                    b"XMP " => XMP,
                    _ => 0,
                };
                ensure(
                    kind.iter().all(|byte| (b' '..=b'~').contains(byte)),
                    "a part has no valid name",
                )?;
                ensure(flag == 0 || seen & flag == 0, "it has the same metadata twice")?;
                refuse_payload(body)?;
                seen |= flag;
            }
        }
    }
    Err(MediaError::TooComplex)
}

fn alpha(body: &[u8]) -> Result<(), MediaError> {
    let compression = body.first().map(|flags| flags & 3);
    ensure(
        body.len() > 1 && compression.is_some_and(|method| method <= 1),
        "its transparency is invalid",
    )
}

/// One frame of an animation: its rectangle, and its picture as a small file.
fn frame(body: &[u8], canvas_width: u32, canvas_height: u32) -> Result<(), MediaError> {
    let mut cursor = Cursor::new(body);
    let (x, y) = (cursor.le24()? * 2, cursor.le24()? * 2);
    let (width, height) = (cursor.le24()? + 1, cursor.le24()? + 1);
    cursor.take(4)?;
    ensure(x + width <= canvas_width && y + height <= canvas_height, "a frame lies outside of it")?;
    let (mut kind, mut data) = chunk(&mut cursor)?;
    if &kind == b"ALPH" {
        alpha(data)?;
        (kind, data) = chunk(&mut cursor)?;
        ensure(&kind == b"VP8 ", "a frame's transparency is given twice")?;
    }
    let size = match &kind {
        b"VP8 " => vp8::lossy(data)?,
        b"VP8L" => vp8::lossless(data)?,
        _ => return Err(damaged("a frame has no picture")),
    };
    ensure(size == (width, height), "a frame is not of the size that its header tells")?;
    while !cursor.is_done() {
        let (_, unknown) = chunk(&mut cursor)?;
        refuse_payload(unknown)?;
    }
    Ok(())
}
