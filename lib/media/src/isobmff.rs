//! The outer boxes of MP4 (ISO/IEC 14496-12 and -14) and of its predecessor, Apple's QuickTime.

use crate::MediaType;
use crate::error::MediaError;
use crate::info::MediaInfo;
use crate::moov;
use crate::polyglot::refuse_payload;
use crate::sniff::Found;
use crate::source::{Reader, Source, Stop};
use memchr::memmem;

/// The first boxes that a QuickTime file without a list of brands may have.
const OLD_STARTS: [&[u8; 4]; 6] = [b"moov", b"mdat", b"wide", b"free", b"skip", b"pnot"];
/// The longest `ftyp` that is read: 32 brands.
const MAX_BRANDS: usize = 32;

/// The kinds of boxes that make up a video.
const MEDIA: [&[u8; 4]; 13] = [
    b"ftyp", b"styp", b"moov", b"mdat", b"moof", b"mfra", b"sidx", b"ssix", b"prft", b"emsg",
    b"pdin", b"pnot", b"PICT",
];

pub(crate) fn damaged(fault: &'static str) -> MediaError {
    MediaError::Damaged { format: "video", fault }
}

pub(crate) fn ensure(rule: bool, fault: &'static str) -> Result<(), MediaError> {
    if rule { Ok(()) } else { Err(damaged(fault)) }
}

/// The type of a file that begins with a box.
pub(crate) fn sniff(head: &[u8]) -> Option<Found> {
    let kind = head.get(4..8)?;
    if kind != b"ftyp" {
        // No text begins with a byte this small.
        let old = head[0] < 0x10 && OLD_STARTS.iter().any(|start| kind == *start);
        return old.then_some(Found::Media(MediaType::Quicktime));
    }
    let size = u32::from_be_bytes(head.get(..4)?.try_into().ok()?) as usize;
    let list = head.get(8..size.min(head.len())).unwrap_or_default();
    let mut brands =
        list.chunks_exact(4).take(MAX_BRANDS + 2).enumerate().filter(|(index, _)| *index != 1);
    let Some((_, major)) = brands.next() else {
        return Some(Found::Other("a container of no known brand"));
    };
    let others = brands.map(|(_, brand)| brand);
    Some(match named(major) {
        Some(found) => found,
        None => match others
            .map(named)
            .find(|found| matches!(found, Some(Found::Media(MediaType::Mp4))))
        {
            Some(Some(found)) => found,
            _ => Found::Other("a container of no known brand"),
        },
    })
}

/// The type of a brand.
fn named(brand: &[u8]) -> Option<Found> {
    Some(match brand {
        b"qt  " => Found::Media(MediaType::Quicktime),
        b"isom" | b"avc1" | b"mp41" | b"mp42" | b"mp71" | b"M4V " | b"M4VH" | b"M4VP" | b"f4v "
        | b"dash" | b"msdh" | b"msix" | b"msnv" | b"cmfc" | b"cmf2" | b"cmfv" | b"mmp4"
        | b"MSNV" | b"NDSC" | b"XAVC" => Found::Media(MediaType::Mp4),
        [b'i', b's', b'o', b'2'..=b'9' | b'a'..=b'c'] => Found::Media(MediaType::Mp4),
        b"heic" | b"heix" | b"heim" | b"heis" | b"hevc" | b"hevx" | b"hevm" | b"hevs" => {
            Found::Other("a HEIC picture")
        }
        b"mif1" | b"mif2" | b"msf1" | b"miaf" => Found::Other("a HEIF picture"),
        b"avif" | b"avis" => Found::Other("an AVIF picture"),
        b"M4A " | b"M4B " | b"M4P " | b"F4A " | b"F4B " => Found::Other("an M4A sound"),
        b"jp2 " | b"jpx " | b"jpm " => Found::Other("a JPEG 2000 picture"),
        b"crx " => Found::Other("a raw picture of a camera"),
        _ => return None,
    })
}

/// One box; its content is `body..end`.
pub(crate) struct Part {
    pub(crate) kind: [u8; 4],
    pub(crate) body: u64,
    pub(crate) end: u64,
}

/// Reads the header of the box at `start`, which may extend to `limit`.
pub(crate) async fn part<S: Source>(
    reader: &mut Reader<'_, S>,
    start: u64,
    limit: u64,
) -> Result<Part, Stop<S::Error>> {
    let header = reader.some(start, 16.min(limit - start)).await?;
    let mut cursor = crate::cursor::Cursor::new(&header);
    let size = cursor.be32()?;
    let kind: [u8; 4] = cursor.array()?;
    let (size, header) = match size {
        0 if &kind == b"mdat" && limit == reader.size => (limit - start, 8),
        0 => return Err(damaged("a part has no size").into()),
        1 => (cursor.be64()?, 16),
        _ => (size.into(), 8),
    };
    ensure(size >= header, "a part is smaller than its header")?;
    let end = start.checked_add(size).filter(|end| *end <= limit).ok_or(MediaError::Truncated)?;
    Ok(Part { kind, body: start + header, end })
}

/// The outer boxes so far.
#[derive(Default)]
struct Outer {
    movie: Option<moov::Movie>,
    data: bool,
    fragments: bool,
}

/// Walks all outer boxes, and the movie's own.
pub(crate) async fn verify<S: Source>(
    reader: &mut Reader<'_, S>,
) -> Result<MediaInfo, Stop<S::Error>> {
    let mut outer = Outer::default();
    let mut at = 0;
    while at < reader.size {
        if !reader.room() {
            // A video of very many fragments: the walked ones are sound, so only check its end.
            if outer.movie.as_ref().is_some_and(|movie| movie.fragmented) && outer.fragments {
                ends_soundly(&reader.tail(TAIL).await?)?;
                break;
            }
            return Err(MediaError::TooComplex.into());
        }
        let complete = outer.movie.is_some() && outer.data;
        let part = match part(reader, at, reader.size).await {
            Err(Stop::Refused(_)) if complete && !begins_media(&reader.some(at, 8).await?) => {
                return Err(MediaError::Trailing("video").into());
            }
            result => result?,
        };
        outer_part(reader, &part, at, &mut outer).await?;
        at = part.end;
    }
    let movie = outer.movie.ok_or(damaged("it has no description of its content"))?;
    ensure(outer.data, "it has no data")?;
    ensure(movie.has_samples || (movie.fragmented && outer.fragments), "its video has no frames")?;
    Ok(MediaInfo::video(movie.width, movie.height, movie.duration)?)
}

/// Whether this is the header of a box of a video.
fn begins_media(header: &[u8]) -> bool {
    header.get(4..8).is_some_and(|kind| MEDIA.iter().any(|media| kind == *media))
}

async fn outer_part<S: Source>(
    reader: &mut Reader<'_, S>,
    part: &Part,
    at: u64,
    outer: &mut Outer,
) -> Result<(), Stop<S::Error>> {
    match &part.kind {
        b"ftyp" => {
            ensure(at == 0, "its list of brands is misplaced")?;
            brands(reader, part).await?;
        }
        b"moov" => {
            ensure(outer.movie.is_none(), "it has two descriptions of its content")?;
            outer.movie = Some(moov::read(reader, part).await?);
        }
        b"moof" => outer.fragments = true,
        b"mdat" => {
            outer.data |= part.end > part.body;
            payload(reader, part).await?;
        }
        kind => {
            // Apple's own kinds may begin with a copyright sign.
            let valid = kind.iter().all(|byte| matches!(byte, b' '..=b'~' | 0xa9));
            if !valid && outer.movie.is_some() && outer.data {
                return Err(MediaError::Trailing("video").into());
            }
            ensure(valid, "a part has no valid name")?;
            payload(reader, part).await?;
        }
    }
    Ok(())
}

async fn payload<S: Source>(reader: &mut Reader<'_, S>, part: &Part) -> Result<(), Stop<S::Error>> {
    let start = reader.some(part.body, 512.min(part.end - part.body)).await?;
    Ok(refuse_payload(&start)?)
}

/// Refuses a list of brands that is too long, or that also declares a still picture.
async fn brands<S: Source>(reader: &mut Reader<'_, S>, part: &Part) -> Result<(), Stop<S::Error>> {
    let length = part.end - part.body;
    ensure(
        length >= 8 && length.is_multiple_of(4) && length <= 8 + 4 * MAX_BRANDS as u64,
        "its list of brands is invalid",
    )?;
    let list = reader.bytes(part.body, length).await?;
    let still = |brand: &&[u8]| {
        matches!(
            *brand,
            b"heic" | b"heix" | b"heim" | b"heis" | b"mif1" | b"mif2" | b"avif" | b"jp2 " | b"crx "
        )
    };
    if list.chunks_exact(4).find(still).is_some() {
        return Err(MediaError::Hidden("a still picture").into());
    }
    Ok(())
}

/// Bytes of the end of a long recording that are checked.
const TAIL: u64 = 1024 * 1024;

/// Requires fragments that begin somewhere in `tail` and end exactly where it ends.
fn ends_soundly(tail: &[u8]) -> Result<(), MediaError> {
    let leads_to_end = |start: usize| {
        let mut rest = &tail[start..];
        while let Some((header, _)) = rest.split_first_chunk::<8>() {
            if !begins_media(header) {
                return false;
            }
            let size = u32::from_be_bytes([header[0], header[1], header[2], header[3]]) as usize;
            match rest.get(size..) {
                Some(next) if size >= 8 => rest = next,
                _ => return false,
            }
        }
        rest.is_empty()
    };
    // The last few are enough: a longer sound chain contains a shorter one.
    let sound = memmem::rfind_iter(tail, b"moof")
        .take(16)
        .any(|name| name.checked_sub(4).is_some_and(leads_to_end));
    if sound { Ok(()) } else { Err(MediaError::Trailing("video")) }
}
