//! PNG, by the W3C's specification (third edition), with animation.

use crate::cursor::Cursor;
use crate::error::MediaError;
use crate::info::MediaInfo;
use crate::polyglot::refuse_payload;

/// More chunks than any writer puts into five megabytes.
const MAX_CHUNKS: usize = 50_000;
const SIGNATURE: usize = 8;

fn damaged(fault: &'static str) -> MediaError {
    MediaError::Damaged { format: "PNG", fault }
}

fn ensure(rule: bool, fault: &'static str) -> Result<(), MediaError> {
    if rule { Ok(()) } else { Err(damaged(fault)) }
}

struct Header {
    width: u32,
    height: u32,
    depth: u8,
    colour: u8,
}

/// State of the walk.
#[derive(Default)]
struct State {
    palette: bool,
    /// Bytes of image data.
    data: usize,
    data_start: [u8; 2],
    data_ended: bool,
    /// Frames by the animation's header, if there is one.
    announced: Option<u32>,
    frames: u32,
    sequence: u32,
    frame_has_data: bool,
}

/// Walks all chunks of a file that begins with the signature.
pub(crate) fn verify(file: &[u8]) -> Result<MediaInfo, MediaError> {
    let mut cursor = Cursor::new(file);
    cursor.take(SIGNATURE)?;
    let (kind, body) = chunk(&mut cursor)?;
    ensure(&kind == b"IHDR", "it does not begin with its header")?;
    let header = header(body)?;
    MediaInfo::image(header.width, header.height, 1)?;
    let mut state = State::default();
    for _ in 0..MAX_CHUNKS {
        let (kind, body) = chunk(&mut cursor)?;
        if &kind != b"IDAT" && state.data > 0 {
            state.data_ended = true;
        }
        match &kind {
            b"IHDR" => return Err(damaged("it has two headers")),
            b"PLTE" => palette(&header, body, &mut state)?,
            b"IDAT" => data(&header, body, &mut state)?,
            b"IEND" => {
                ensure(body.is_empty(), "its end has content")?;
                return if cursor.is_done() {
                    end(&header, &state)
                } else {
                    Err(MediaError::Trailing("picture"))
                };
            }
            b"acTL" | b"fcTL" | b"fdAT" => animation(&kind, &header, body, &mut state)?,
            b"tRNS" => {
                ensure(state.data == 0, "its transparency comes after its data")?;
                ensure(
                    header.colour != 3 || state.palette,
                    "its transparency comes before its palette",
                )?;
            }
            _ => {
                ensure(
                    kind[0].is_ascii_lowercase(),
                    "it has an unknown part that it calls critical",
                )?;
                refuse_payload(body)?;
            }
        }
    }
    Err(MediaError::TooComplex)
}

fn chunk<'a>(cursor: &mut Cursor<'a>) -> Result<([u8; 4], &'a [u8]), MediaError> {
    let length = cursor.be32()?;
    let checked = cursor.rest();
    let kind: [u8; 4] = cursor.array()?;
    ensure(
        kind.iter().all(u8::is_ascii_alphabetic) && kind[2].is_ascii_uppercase(),
        "a part has no valid name",
    )?;
    ensure(length <= i32::MAX as u32, "a part is longer than allowed")?;
    let body = cursor.take(length as usize)?;
    let sum = cursor.be32()?;
    ensure(crc32fast::hash(&checked[..4 + body.len()]) == sum, "a part's checksum is wrong")?;
    Ok((kind, body))
}

fn header(body: &[u8]) -> Result<Header, MediaError> {
    ensure(body.len() == 13, "its header has a wrong length")?;
    let mut cursor = Cursor::new(body);
    let (width, height) = (cursor.be32()?, cursor.be32()?);
    let [depth, colour, compression, filter, interlace] = cursor.array()?;
    let depths: &[u8] = match colour {
        0 => &[1, 2, 4, 8, 16],
        3 => &[1, 2, 4, 8],
        2 | 4 | 6 => &[8, 16],
        _ => &[],
    };
    ensure(depths.contains(&depth), "its header names no valid kind of pixels")?;
    ensure(
        compression == 0 && filter == 0 && interlace <= 1,
        "its header names an unknown method",
    )?;
    Ok(Header { width, height, depth, colour })
}

fn palette(header: &Header, body: &[u8], state: &mut State) -> Result<(), MediaError> {
    ensure(!state.palette, "it has two palettes")?;
    ensure(state.data == 0, "its palette comes after its data")?;
    ensure(!matches!(header.colour, 0 | 4), "it is grey, but has a palette")?;
    let colours = body.len() / 3;
    let most = if header.colour == 3 { 1 << header.depth } else { 256 };
    ensure(
        body.len().is_multiple_of(3) && (1..=most).contains(&colours),
        "its palette has a wrong length",
    )?;
    state.palette = true;
    Ok(())
}

fn data(header: &Header, body: &[u8], state: &mut State) -> Result<(), MediaError> {
    ensure(!state.data_ended, "its data is interrupted")?;
    ensure(header.colour != 3 || state.palette, "it has no palette")?;
    for byte in body.iter().take(2) {
        if let Some(place) = state.data_start.get_mut(state.data) {
            *place = *byte;
        }
        state.data += 1;
    }
    state.data += body.len().saturating_sub(2);
    Ok(())
}

fn animation(
    kind: &[u8; 4],
    header: &Header,
    body: &[u8],
    state: &mut State,
) -> Result<(), MediaError> {
    let mut cursor = Cursor::new(body);
    if kind == b"acTL" {
        ensure(
            state.announced.is_none() && state.data == 0,
            "its animation's header is misplaced",
        )?;
        ensure(body.len() == 8, "its animation's header has a wrong length")?;
        let frames = cursor.be32()?;
        ensure(frames > 0, "its animation has no frames")?;
        state.announced = Some(frames);
        return Ok(());
    }
    ensure(state.announced.is_some(), "it has a frame, but no animation")?;
    ensure(cursor.be32()? == state.sequence, "its frames are out of order")?;
    state.sequence += 1;
    if kind == b"fdAT" {
        ensure(
            state.data_ended && state.frames > 0 && body.len() > 4,
            "a frame's data is misplaced",
        )?;
        state.frame_has_data = true;
        return Ok(());
    }
    ensure(body.len() == 26, "a frame's header has a wrong length")?;
    let [width, height, x, y] = [cursor.be32()?, cursor.be32()?, cursor.be32()?, cursor.be32()?];
    let inside = |start: u32, length: u32, whole: u32| {
        length > 0 && start.checked_add(length).is_some_and(|end| end <= whole)
    };
    ensure(
        inside(x, width, header.width) && inside(y, height, header.height),
        "a frame lies outside of it",
    )?;
    if state.data == 0 {
        let whole = (width, height) == (header.width, header.height);
        ensure(state.frames == 0 && whole, "its first frame is not the picture")?;
        // The picture's own data follows.
        state.frame_has_data = true;
    } else {
        ensure(state.frames == 0 || state.frame_has_data, "a frame has no data")?;
        state.frame_has_data = false;
    }
    state.frames += 1;
    Ok(())
}

fn end(header: &Header, state: &State) -> Result<MediaInfo, MediaError> {
    // A zlib stream is at least its header, an empty block and its checksum.
    ensure(state.data >= 8, "it has no data")?;
    let [method, flags] = state.data_start;
    let zlib = u16::from_be_bytes(state.data_start).is_multiple_of(31)
        && method & 0x0f == 8
        && method >> 4 <= 7;
    ensure(zlib && flags & 0x20 == 0, "its data is not compressed as it must be")?;
    if let Some(announced) = state.announced {
        ensure(announced == state.frames && state.frame_has_data, "its frames are not all there")?;
    }
    MediaInfo::image(header.width, header.height, state.frames.max(1))
}
