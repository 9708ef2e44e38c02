//! WebM: Matroska (RFC 9559) in EBML (RFC 8794), with the restrictions of the WebM project.

use crate::cursor::Cursor;
use crate::error::MediaError;
use crate::info::MediaInfo;
use crate::polyglot::refuse_payload;
use crate::source::{Reader, Source, Stop};
use std::time::Duration;

const EBML: u32 = 0x1a45_dfa3;
const SEGMENT: u32 = 0x1853_8067;
const SEEK_HEAD: u32 = 0x114d_9b74;
const INFO: u32 = 0x1549_a966;
const TRACKS: u32 = 0x1654_ae6b;
const CLUSTER: u32 = 0x1f43_b675;
const CUES: u32 = 0x1c53_bb6b;
const CHAPTERS: u32 = 0x1043_a770;
const TAGS: u32 = 0x1254_c367;
const VOID: u32 = 0xec;
const CHECKSUM: u32 = 0xbf;

const TIMESTAMP: u32 = 0xe7;
const SIMPLE_BLOCK: u32 = 0xa3;
const BLOCK_GROUP: u32 = 0xa0;
const PREVIOUS_SIZE: u32 = 0xab;
const POSITION: u32 = 0xa7;
const SILENT_TRACKS: u32 = 0x5854;
const ENCRYPTED_BLOCK: u32 = 0xaf;

/// The longest description that is read whole.
const MAX_DESCRIPTION: u64 = 1024 * 1024;
/// Bytes of the end of a long recording that are checked.
const TAIL: u64 = 1024 * 1024;

fn damaged(fault: &'static str) -> MediaError {
    MediaError::Damaged { format: "WebM", fault }
}

fn ensure(rule: bool, fault: &'static str) -> Result<(), MediaError> {
    if rule { Ok(()) } else { Err(damaged(fault)) }
}

/// An element's identifier, with its marker bits.
fn identifier(cursor: &mut Cursor<'_>) -> Result<u32, MediaError> {
    let first = cursor.u8()?;
    let length = first.leading_zeros();
    ensure(length < 4, "a part has no valid name")?;
    let more = cursor.take(length as usize)?;
    Ok(more.iter().fold(first.into(), |id, byte| id << 8 | u32::from(*byte)))
}

/// An element's size; `None` if it is unknown.
fn size(cursor: &mut Cursor<'_>) -> Result<Option<u64>, MediaError> {
    let first = cursor.u8()?;
    let length = first.leading_zeros();
    ensure(length < 8, "a part has no valid size")?;
    let unmarked = u64::from(first) & (0x7f >> length);
    let more = cursor.take(length as usize)?;
    let value = more.iter().fold(unmarked, |size, byte| size << 8 | u64::from(*byte));
    let unknown = (1 << (7 * (length + 1))) - 1;
    Ok((value != unknown).then_some(value))
}

/// An element in memory: its identifier and its content.
fn element<'a>(cursor: &mut Cursor<'a>) -> Result<(u32, &'a [u8]), MediaError> {
    let id = identifier(cursor)?;
    let size = size(cursor)?.ok_or(damaged("a part has no size"))?;
    let content =
        usize::try_from(size).map_err(|_| MediaError::Truncated).and_then(|size| cursor.take(size));
    Ok((id, content.map_err(|_| damaged("a part is longer than the one around it"))?))
}

fn unsigned(content: &[u8]) -> Result<u64, MediaError> {
    ensure(content.len() <= 8, "a number is too long")?;
    Ok(content.iter().fold(0, |value, byte| value << 8 | u64::from(*byte)))
}

fn float(content: &[u8]) -> Result<f64, MediaError> {
    if let Ok(bytes) = content.try_into() {
        Ok(f64::from_be_bytes(bytes))
    } else if let Ok(bytes) = content.try_into() {
        Ok(f32::from_be_bytes(bytes).into())
    } else {
        ensure(content.is_empty(), "a number has a wrong length").map(|()| 0.0)
    }
}

/// An element in the file. Without an end it extends to the next element that cannot be in it.
struct Part {
    id: u32,
    body: u64,
    end: Option<u64>,
}

async fn part<S: Source>(
    reader: &mut Reader<'_, S>,
    start: u64,
    limit: u64,
) -> Result<Part, Stop<S::Error>> {
    // An identifier has at most four bytes, a size eight.
    let header = reader.some(start, 12.min(limit - start)).await?;
    let mut cursor = Cursor::new(&header);
    let id = identifier(&mut cursor)?;
    let size = size(&mut cursor)?;
    let body = start + cursor.at as u64;
    let end = match size {
        None => None,
        Some(size) => {
            Some(body.checked_add(size).filter(|end| *end <= limit).ok_or(MediaError::Truncated)?)
        }
    };
    Ok(Part { id, body, end })
}

/// Walks the segment and its clusters.
pub(crate) async fn verify<S: Source>(
    reader: &mut Reader<'_, S>,
) -> Result<MediaInfo, Stop<S::Error>> {
    let header = part(reader, 0, reader.size).await?;
    let end = header.end.ok_or(damaged("its header has no size"))?;
    ensure(header.id == EBML && end <= 1024, "its header is invalid")?;
    check_header(&reader.some(header.body, end - header.body).await?)?;
    let mut segment = part(reader, end, reader.size).await?;
    while segment.id == VOID {
        let next = skip_void(reader, &segment).await?;
        segment = part(reader, next, reader.size).await?;
    }
    ensure(segment.id == SEGMENT, "it has no segment")?;
    let mut seen = Seen::default();
    let end = segment.end.unwrap_or(reader.size);
    let mut at = segment.body;
    while at < end {
        match step(reader, at, end, &mut seen).await? {
            Some(next) => at = next,
            None => break,
        }
    }
    at = end;
    while at < reader.size {
        match part(reader, at, reader.size).await {
            Ok(part) if part.id == VOID && reader.room() => at = skip_void(reader, &part).await?,
            _ => return Err(MediaError::Trailing("video").into()),
        }
    }
    let (width, height) = seen.video.ok_or(MediaError::NoVideo)?;
    ensure(seen.info, "it does not tell its units")?;
    ensure(seen.blocks, "it has no data")?;
    Ok(MediaInfo::video(width, height, seen.duration)?)
}

async fn skip_void<S: Source>(
    reader: &mut Reader<'_, S>,
    void: &Part,
) -> Result<u64, Stop<S::Error>> {
    let end = void.end.ok_or(damaged("a part has no size"))?;
    refuse_payload(&reader.some(void.body, 512.min(end - void.body)).await?)?;
    Ok(end)
}

fn check_header(header: &[u8]) -> Result<(), MediaError> {
    let mut cursor = Cursor::new(header);
    let mut doc_type = &b""[..];
    while !cursor.is_done() {
        let (id, content) = element(&mut cursor)?;
        match id {
            0x4282 => doc_type = content,
            0x4286 | 0x42f7 => ensure(unsigned(content)? == 1, "it is of an unknown version")?,
            0x42f2 => {
                ensure((1..=4).contains(&unsigned(content)?), "its names are longer than allowed")?
            }
            0x42f3 => {
                ensure((1..=8).contains(&unsigned(content)?), "its sizes are longer than allowed")?
            }
            0x4287 | 0x4285 => {
                ensure((1..=4).contains(&unsigned(content)?), "it is of an unknown version")?
            }
            VOID | CHECKSUM => refuse_payload(content)?,
            _ => return Err(damaged("its header has an unknown part")),
        }
    }
    // A string may be padded with zeros.
    let end = doc_type.iter().position(|byte| *byte == 0).unwrap_or(doc_type.len());
    ensure(&doc_type[..end] == b"webm", "it says that it is something else")
}

/// The parts of the segment so far.
#[derive(Default)]
struct Seen {
    info: bool,
    tracks: bool,
    duration: Option<Duration>,
    video: Option<(u32, u32)>,
    blocks: bool,
    /// Whether the walk is in a cluster of unknown size.
    in_open_cluster: bool,
}

/// Checks the part of the segment at `at`; returns where the next one is, `None` if the rest need
/// not be walked.
async fn step<S: Source>(
    reader: &mut Reader<'_, S>,
    at: u64,
    end: u64,
    seen: &mut Seen,
) -> Result<Option<u64>, Stop<S::Error>> {
    if !reader.room() {
        // A long recording: the walked parts are sound, so only its end is checked.
        if seen.video.is_some() && seen.blocks && end == reader.size {
            ends_soundly(&reader.tail(TAIL).await?)?;
            return Ok(None);
        }
        return Err(MediaError::TooComplex.into());
    }
    let name = identifier(&mut Cursor::new(&reader.some(at, 4.min(end - at)).await?));
    if !name
        .as_ref()
        .is_ok_and(|id| is_in_segment(*id) || (seen.in_open_cluster && is_in_cluster(*id)))
    {
        let fault = if seen.blocks {
            MediaError::Trailing("video")
        } else {
            damaged("it has an unknown part")
        };
        return Err(fault.into());
    }
    let part = part(reader, at, end).await?;
    if seen.in_open_cluster && is_in_cluster(part.id) {
        let end = part.end.ok_or(damaged("a part has no size"))?;
        seen.blocks |= is_block(part.id) && end > part.body;
        return Ok(Some(end));
    }
    seen.in_open_cluster = false;
    match part.id {
        CLUSTER => {
            ensure(seen.tracks, "its data comes before its description")?;
            let Some(end) = part.end else {
                seen.in_open_cluster = true;
                return Ok(Some(part.body));
            };
            cluster(&reader.some(part.body, 64.min(end - part.body)).await?)?;
            seen.blocks = true;
            return Ok(Some(end));
        }
        INFO | TRACKS => {
            let length = part.end.ok_or(damaged("a part has no size"))? - part.body;
            if length > MAX_DESCRIPTION {
                return Err(MediaError::TooComplex.into());
            }
            let content = reader.some(part.body, length).await?;
            if part.id == INFO {
                ensure(!seen.info, "it has two descriptions")?;
                seen.info = true;
                seen.duration = duration(&content)?;
            } else {
                ensure(!seen.tracks, "it has two descriptions")?;
                seen.tracks = true;
                seen.video = video(&content)?;
            }
        }
        VOID => return Ok(Some(skip_void(reader, &part).await?)),
        _ => {}
    }
    Ok(Some(part.end.ok_or(damaged("a part has no size"))?))
}

fn is_block(id: u32) -> bool {
    matches!(id, SIMPLE_BLOCK | BLOCK_GROUP | ENCRYPTED_BLOCK)
}

/// Whether an element may be in a segment. Attachments may not: WebM has none.
fn is_in_segment(id: u32) -> bool {
    matches!(id, SEEK_HEAD | INFO | TRACKS | CLUSTER | CUES | CHAPTERS | TAGS | VOID | CHECKSUM)
}

fn is_in_cluster(id: u32) -> bool {
    is_block(id)
        || matches!(id, TIMESTAMP | PREVIOUS_SIZE | POSITION | SILENT_TRACKS | VOID | CHECKSUM)
}

/// Checks the first part of a cluster.
fn cluster(start: &[u8]) -> Result<(), MediaError> {
    let mut cursor = Cursor::new(start);
    let fault = |_| damaged("a cluster is empty");
    let id = identifier(&mut cursor).map_err(fault)?;
    size(&mut cursor).map_err(fault)?;
    ensure(is_in_cluster(id) && !cursor.is_done(), "a cluster begins with an unknown part")
}

/// The duration in an `Info`, which also has its unit.
fn duration(info: &[u8]) -> Result<Option<Duration>, MediaError> {
    let mut cursor = Cursor::new(info);
    let (mut scale, mut ticks) = (1_000_000, 0.0);
    while !cursor.is_done() {
        match element(&mut cursor)? {
            (0x2a_d7b1, content) => scale = unsigned(content)?,
            (0x4489, content) => ticks = float(content)?,
            _ => {}
        }
    }
    ensure(scale > 0, "its unit of time is zero")?;
    ensure(ticks >= 0.0, "its duration is negative")?;
    Ok(Duration::try_from_secs_f64(ticks * scale as f64 / 1e9)
        .ok()
        .filter(|duration| !duration.is_zero()))
}

/// The size of the first video track in a `Tracks`.
fn video(tracks: &[u8]) -> Result<Option<(u32, u32)>, MediaError> {
    let mut cursor = Cursor::new(tracks);
    let mut video = None;
    while !cursor.is_done() {
        if let (0xae, content) = element(&mut cursor)? {
            video = video.or(track(content)?);
        }
    }
    Ok(video)
}

/// The size in a `TrackEntry` of a video.
fn track(entry: &[u8]) -> Result<Option<(u32, u32)>, MediaError> {
    let mut cursor = Cursor::new(entry);
    let (mut kind, mut codec, mut settings) = (0, &b""[..], None);
    while !cursor.is_done() {
        match element(&mut cursor)? {
            (0x83, content) => kind = unsigned(content)?,
            (0x86, content) => codec = content,
            (0xe0, content) => settings = Some(content),
            _ => {}
        }
    }
    if kind != 1 {
        return Ok(None);
    }
    ensure(codec.starts_with(b"V_"), "its video's coding has no valid name")?;
    let mut cursor = Cursor::new(settings.ok_or(damaged("its video has no size"))?);
    let (mut width, mut height) = (0, 0);
    while !cursor.is_done() {
        match element(&mut cursor)? {
            (0xb0, content) => width = unsigned(content)?,
            (0xba, content) => height = unsigned(content)?,
            _ => {}
        }
    }
    Ok(Some((width.try_into().unwrap_or(u32::MAX), height.try_into().unwrap_or(u32::MAX))))
}

/// Requires a chain of at least three parts that ends exactly where `tail` ends. By chance that
/// happens about once in a million times.
fn ends_soundly(tail: &[u8]) -> Result<(), MediaError> {
    const CHAIN: u8 = 3;
    // The length of the chain from each offset to the end, computed backwards, if there is one.
    let mut chains: Vec<Option<u8>> = vec![None; tail.len() + 1];
    chains[tail.len()] = Some(0);
    for start in (0..tail.len()).rev() {
        if !matches!(
            tail[start],
            0xa0 | 0xa3 | 0xa7 | 0xab | 0xaf | 0xe7 | 0xec | 0x1f | 0x1c | 0x12
        ) {
            continue;
        }
        let mut cursor = Cursor::new(&tail[start..]);
        let Ok(id) = identifier(&mut cursor) else { continue };
        if !is_in_cluster(id) && !matches!(id, CLUSTER | CUES | TAGS) {
            continue;
        }
        let next = match size(&mut cursor) {
            Ok(Some(size)) => {
                usize::try_from(size).ok().and_then(|size| (start + cursor.at).checked_add(size))
            }
            Ok(None) if id == CLUSTER => Some(start + cursor.at),
            _ => None,
        };
        let chain = next.and_then(|next| chains.get(next).copied().flatten());
        chains[start] = chain.map(|length| length.saturating_add(1));
        if chains[start] >= Some(CHAIN) {
            return Ok(());
        }
    }
    Err(MediaError::Trailing("video"))
}
