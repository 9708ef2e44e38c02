//! JPEG, by ITU-T T.81, in widely supported forms: baseline, extended, progressive; eight bits.

use crate::cursor::Cursor;
use crate::error::MediaError;
use crate::info::MediaInfo;
use crate::mpf;
use crate::polyglot::refuse_payload;
use memchr::memchr;
use std::ops::Range;

/// More segments and scans than any writer makes. Scans are costly to decode, and decoders refuse
/// more than these.
const MAX_SEGMENTS: usize = 10_000;
const MAX_SCANS: usize = 100;
const START: [u8; 2] = [0xff, 0xd8];

fn damaged(fault: &'static str) -> MediaError {
    MediaError::Damaged { format: "JPEG", fault }
}

fn ensure(rule: bool, fault: &'static str) -> Result<(), MediaError> {
    if rule { Ok(()) } else { Err(damaged(fault)) }
}

/// Walks the picture, and the further pictures after it.
pub(crate) fn verify(file: &[u8]) -> Result<MediaInfo, MediaError> {
    let mut cursor = Cursor::new(file);
    let picture = picture(&mut cursor)?;
    let facts = picture.facts()?;
    // An editor may have dropped the further pictures, but not their index.
    if padding(cursor.rest()).is_ok() {
        return Ok(facts);
    }
    for further in picture.further {
        // Between two pictures only zeros are allowed.
        let gap = file.get(cursor.at..further.start).ok_or(MediaError::Trailing("picture"))?;
        padding(gap)?;
        let Some(part) = file.get(further.clone()) else {
            let begins = file.get(further.start..).is_some_and(|rest| rest.starts_with(&START));
            return Err(if begins {
                MediaError::Truncated
            } else {
                MediaError::Trailing("picture")
            });
        };
        let mut inner = Cursor::new(part);
        self::picture(&mut inner)?.facts()?;
        padding(inner.rest())?;
        cursor.at = further.end;
    }
    padding(cursor.rest())?;
    Ok(facts)
}

fn padding(rest: &[u8]) -> Result<(), MediaError> {
    if rest.iter().all(|byte| *byte == 0) { Ok(()) } else { Err(MediaError::Trailing("picture")) }
}

/// State of the walk through one picture.
#[derive(Default)]
struct Picture {
    frame: Option<Frame>,
    quantizers: [bool; 4],
    /// By class (DC, AC) and number.
    coders: [[bool; 4]; 2],
    restarts: bool,
    scans: usize,
    further: Vec<Range<usize>>,
}

struct Frame {
    width: u32,
    height: u32,
    progressive: bool,
    components: Vec<Component>,
}

struct Component {
    id: u8,
    quantizer: u8,
    scanned: bool,
}

impl Picture {
    fn facts(&self) -> Result<MediaInfo, MediaError> {
        let frame = self.frame.as_ref().ok_or(damaged("it has no frame"))?;
        MediaInfo::image(frame.width, frame.height, 1)
    }
}

/// Walks one picture, from its start to after its end.
fn picture(cursor: &mut Cursor<'_>) -> Result<Picture, MediaError> {
    ensure(cursor.array()? == START, "it does not begin with its start")?;
    let mut picture = Picture::default();
    for _ in 0..MAX_SEGMENTS {
        let marker = marker(cursor)?;
        if marker == 0xd9 {
            let frame = picture.frame.as_ref().ok_or(damaged("it has no frame"))?;
            let complete = frame.components.iter().all(|component| component.scanned);
            ensure(complete, "a part of its colours has no data")?;
            return Ok(picture);
        }
        if !matches!(marker, 0xc0..=0xc2 | 0xc4 | 0xda..=0xdd | 0xe0..=0xef | 0xfe) {
            return Err(damaged("it has a segment of an unusual kind"));
        }
        let length =
            cursor.be16()?.checked_sub(2).ok_or(damaged("a segment has a wrong length"))?;
        let start = cursor.at;
        let body = cursor.take(length.into())?;
        match marker {
            0xc0..=0xc2 => frame(&mut picture, body, marker == 0xc2)?,
            0xc4 => coders(&mut picture, body)?,
            0xda => {
                scan(&mut picture, body)?;
                entropy(cursor, picture.restarts)?;
            }
            0xdb => quantizers(&mut picture, body)?,
            // The number of lines, which the frame must have already.
            0xdc => {
                ensure(body.len() == 2 && picture.scans > 0, "its number of lines is misplaced")?
            }
            0xdd => {
                ensure(body.len() == 2, "a segment has a wrong length")?;
                picture.restarts = body != [0, 0];
            }
            _ => application(&mut picture, marker, body, start)?,
        }
    }
    Err(MediaError::TooComplex)
}

/// The next marker's second byte, after any fill bytes.
fn marker(cursor: &mut Cursor<'_>) -> Result<u8, MediaError> {
    ensure(cursor.u8()? == 0xff, "there is something between its segments")?;
    loop {
        match cursor.u8()? {
            0xff => {}
            marker => return Ok(marker),
        }
    }
}

fn frame(picture: &mut Picture, body: &[u8], progressive: bool) -> Result<(), MediaError> {
    ensure(picture.frame.is_none(), "it has two frames")?;
    let mut cursor = Cursor::new(body);
    let precision = cursor.u8()?;
    let (height, width) = (cursor.be16()?.into(), cursor.be16()?.into());
    let count = cursor.u8()?;
    ensure(precision == 8, "its samples are not of eight bits")?;
    ensure(matches!(count, 1 | 3 | 4), "it has an unusual number of colours")?;
    ensure(body.len() == 6 + 3 * usize::from(count), "its frame has a wrong length")?;
    MediaInfo::image(width, height, 1)?;
    let mut components: Vec<Component> = Vec::new();
    for _ in 0..count {
        let [id, sampling, quantizer] = cursor.array()?;
        let sampling_valid =
            (1..=4).contains(&(sampling >> 4)) && (1..=4).contains(&(sampling & 15));
        let unique = components.iter().all(|other| other.id != id);
        ensure(sampling_valid && quantizer < 4 && unique, "its frame is invalid")?;
        components.push(Component { id, quantizer, scanned: false });
    }
    picture.frame = Some(Frame { width, height, progressive, components });
    Ok(())
}

fn quantizers(picture: &mut Picture, body: &[u8]) -> Result<(), MediaError> {
    let mut cursor = Cursor::new(body);
    while !cursor.is_done() {
        let kind = cursor.u8()?;
        let (wide, number) = (kind >> 4, kind & 15);
        ensure(wide <= 1 && number < 4, "a quantization table is invalid")?;
        let length = if wide == 1 { 128 } else { 64 };
        cursor.take(length).map_err(|_| damaged("a quantization table has a wrong length"))?;
        picture.quantizers[usize::from(number)] = true;
    }
    Ok(())
}

fn coders(picture: &mut Picture, body: &[u8]) -> Result<(), MediaError> {
    let fault = |_| damaged("a Huffman table has a wrong length");
    let mut cursor = Cursor::new(body);
    while !cursor.is_done() {
        let kind = cursor.u8()?;
        let (class, number) = (usize::from(kind >> 4), usize::from(kind & 15));
        ensure(class <= 1 && number < 4, "a Huffman table is invalid")?;
        let counts: [u8; 16] = cursor.array().map_err(fault)?;
        // The codes of each length take their share of all that there are (Kraft's inequality).
        let share: u32 =
            counts.iter().zip(1..).map(|(count, length)| u32::from(*count) << (16 - length)).sum();
        let symbols: usize = counts.iter().map(|count| usize::from(*count)).sum();
        ensure(share <= 1 << 16 && (1..=256).contains(&symbols), "a Huffman table is invalid")?;
        cursor.take(symbols).map_err(fault)?;
        picture.coders[class][number] = true;
    }
    Ok(())
}

fn scan(picture: &mut Picture, body: &[u8]) -> Result<(), MediaError> {
    picture.scans += 1;
    if picture.scans > MAX_SCANS {
        return Err(MediaError::TooComplex);
    }
    let frame = picture.frame.as_mut().ok_or(damaged("its data comes before its frame"))?;
    let mut cursor = Cursor::new(body);
    let count = cursor.u8()?;
    let fits = (1..=4).contains(&count) && body.len() == 4 + 2 * usize::from(count);
    ensure(fits, "a scan has a wrong length")?;
    let selections = cursor.take(2 * usize::from(count))?;
    let [first, last, approximation] = cursor.array()?;
    ensure(first <= last && last <= 63, "a scan is invalid")?;
    let sequential = !frame.progressive;
    let needs_dc = sequential || (first == 0 && approximation >> 4 == 0);
    let needs_ac = sequential || first > 0;
    for selection in selections.chunks_exact(2) {
        let (dc, ac) = (usize::from(selection[1] >> 4), usize::from(selection[1] & 15));
        let component = frame.components.iter_mut().find(|component| component.id == selection[0]);
        let component =
            component.ok_or(damaged("a scan is of a colour that is not in the frame"))?;
        component.scanned = true;
        let quantized = picture.quantizers[usize::from(component.quantizer)];
        ensure(quantized, "it has data before its quantization table")?;
        let table = |class: usize, number: usize| picture.coders[class].get(number) == Some(&true);
        let coded = (!needs_dc || table(0, dc)) && (!needs_ac || table(1, ac));
        ensure(coded, "it has data before its Huffman table")?;
    }
    Ok(())
}

/// Skips compressed data up to the marker that ends it.
fn entropy(cursor: &mut Cursor<'_>, restarts: bool) -> Result<(), MediaError> {
    let start = cursor.at;
    loop {
        let rest = cursor.rest();
        let found = memchr(0xff, rest).ok_or(MediaError::Truncated)?;
        match rest.get(found + 1).ok_or(MediaError::Truncated)? {
            0x00 => cursor.at += found + 2,
            0xd0..=0xd7 if restarts => cursor.at += found + 2,
            0xd0..=0xd7 => return Err(damaged("its data has restarts that were not announced")),
            _ => {
                cursor.at += found;
                return ensure(cursor.at > start, "a scan has no data");
            }
        }
    }
}

/// Application data and comments.
fn application(
    picture: &mut Picture,
    marker: u8,
    body: &[u8],
    start: usize,
) -> Result<(), MediaError> {
    const MPF: &[u8] = b"MPF\0";
    if marker == 0xe0 && body.starts_with(b"JFIF\0") {
        // The length follows from the thumbnail's size; more bytes could hide something.
        let thumbnail = match body {
            [_, _, _, _, _, _, _, _, _, _, _, _, width, height, ..] => {
                usize::from(*width) * usize::from(*height) * 3
            }
            _ => return Err(damaged("a segment has a wrong length")),
        };
        return ensure(body.len() == 14 + thumbnail, "a segment has a wrong length");
    }
    if marker == 0xe2 && body.starts_with(MPF) && picture.further.is_empty() {
        let index = mpf::further_pictures(&body[MPF.len()..], start + MPF.len());
        picture.further = index.ok_or(damaged("its index of further pictures is invalid"))?;
    }
    refuse_payload(body)
}
