//! GIF, by CompuServe's specifications 87a and 89a.

use crate::cursor::Cursor;
use crate::error::MediaError;
use crate::info::MediaInfo;
use crate::polyglot::refuse_payload;

/// More blocks than any writer puts into five megabytes.
const MAX_BLOCKS: usize = 100_000;

const EXTENSION: u8 = 0x21;
const IMAGE: u8 = 0x2c;
const TRAILER: u8 = 0x3b;

const PLAIN_TEXT: u8 = 0x01;
const GRAPHIC_CONTROL: u8 = 0xf9;
const COMMENT: u8 = 0xfe;
const APPLICATION: u8 = 0xff;

fn damaged(fault: &'static str) -> MediaError {
    MediaError::Damaged { format: "GIF", fault }
}

fn ensure(rule: bool, fault: &'static str) -> Result<(), MediaError> {
    if rule { Ok(()) } else { Err(damaged(fault)) }
}

/// Walks all blocks of a file that begins with the signature.
pub(crate) fn verify(file: &[u8]) -> Result<MediaInfo, MediaError> {
    let mut cursor = Cursor::new(file);
    let version: [u8; 6] = cursor.array()?;
    let (width, height) = (cursor.le16()?, cursor.le16()?);
    let [flags, background, aspect] = cursor.array()?;
    MediaInfo::image(width.into(), height.into(), 1)?;
    if [flags, background] == *b"/*" || [background, aspect] == *b"/*" {
        return Err(MediaError::Hidden("a script"));
    }
    colours(&mut cursor, flags)?;
    let mut frames = 0;
    for _ in 0..MAX_BLOCKS {
        match cursor.u8()? {
            EXTENSION => {
                ensure(version == *b"GIF89a", "it has a block that its version does not know")?;
                extension(&mut cursor)?;
            }
            IMAGE => {
                frame(&mut cursor, width, height)?;
                frames += 1;
            }
            TRAILER => {
                ensure(frames > 0, "it has no picture")?;
                return if cursor.is_done() {
                    MediaInfo::image(width.into(), height.into(), frames)
                } else {
                    Err(MediaError::Trailing("picture"))
                };
            }
            _ => return Err(damaged("it has an unknown block")),
        }
    }
    Err(MediaError::TooComplex)
}

/// Skips the colour table that `flags` declare.
fn colours(cursor: &mut Cursor<'_>, flags: u8) -> Result<(), MediaError> {
    if flags & 0x80 != 0 {
        cursor.take(3 << ((flags & 7) + 1))?;
    }
    Ok(())
}

fn frame(cursor: &mut Cursor<'_>, canvas_width: u16, canvas_height: u16) -> Result<(), MediaError> {
    let [x, y, width, height] =
        [cursor.le16()?, cursor.le16()?, cursor.le16()?, cursor.le16()?].map(u32::from);
    let flags = cursor.u8()?;
    ensure(width > 0 && height > 0, "a picture has no pixels")?;
    let inside = x + width <= canvas_width.into() && y + height <= canvas_height.into();
    ensure(inside, "a picture lies outside of the screen")?;
    colours(cursor, flags)?;
    let code_size = cursor.u8()?;
    ensure((2..=8).contains(&code_size), "a picture's code size is invalid")?;
    let length = sub_blocks(cursor)?;
    ensure(length > 0, "a picture has no data")
}

fn extension(cursor: &mut Cursor<'_>) -> Result<(), MediaError> {
    let label = cursor.u8()?;
    let start = cursor.rest();
    let header = start.first().copied();
    match label {
        GRAPHIC_CONTROL => ensure(header == Some(4), "a control block has a wrong length")?,
        PLAIN_TEXT => ensure(header == Some(12), "a text block has a wrong length")?,
        APPLICATION => ensure(header == Some(11), "an application block has a wrong length")?,
        COMMENT => {}
        _ => return Err(damaged("it has an unknown extension")),
    }
    let before = cursor.at;
    let length = sub_blocks(cursor)?;
    let start = &start[..cursor.at - before];
    match label {
        GRAPHIC_CONTROL => ensure(length == 4, "a control block has a wrong length"),
        COMMENT => refuse_payload(start.get(1..).unwrap_or_default()),
        // XMP is written without sub-blocks, so the data may begin one byte earlier.
        _ => {
            let data = start.get(1 + usize::from(header.unwrap_or_default())..).unwrap_or_default();
            refuse_payload(data)?;
            refuse_payload(data.get(1..).unwrap_or_default())
        }
    }
}

/// Skips sub-blocks and the empty one that ends them; returns the length of their data.
fn sub_blocks(cursor: &mut Cursor<'_>) -> Result<usize, MediaError> {
    let mut length = 0;
    loop {
        match cursor.u8()? {
            0 => return Ok(length),
            size => {
                cursor.take(size.into())?;
                length += usize::from(size);
            }
        }
    }
}
