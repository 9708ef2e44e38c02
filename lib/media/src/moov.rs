//! The description of a movie's content: `moov` and the boxes in it.

use crate::cursor::Cursor;
use crate::error::MediaError;
use crate::isobmff::{Part, damaged, ensure, part};
use crate::source::{Reader, Source, Stop};
use std::time::Duration;

/// A movie's description.
#[derive(Default)]
pub(crate) struct Movie {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) duration: Option<Duration>,
    /// Whether its video's frames are listed in the description.
    pub(crate) has_samples: bool,
    /// Whether fragments may list frames.
    pub(crate) fragmented: bool,
}

/// A track's description.
#[derive(Default)]
struct Track {
    header: bool,
    handler: Option<[u8; 4]>,
    tables: Option<Tables>,
}

/// The tables of a track's samples.
#[derive(Default)]
struct Tables {
    width: u32,
    height: u32,
    samples: u32,
    description: bool,
    times: bool,
    chunks: bool,
    offsets: bool,
    sizes: bool,
}

/// A walk over the boxes inside a box.
struct Children {
    at: u64,
    end: u64,
}

impl Children {
    fn of(part: &Part) -> Self {
        Self { at: part.body, end: part.end }
    }

    async fn next<S: Source>(
        &mut self,
        reader: &mut Reader<'_, S>,
    ) -> Result<Option<Part>, Stop<S::Error>> {
        // QuickTime ends some lists with four bytes of zero.
        let rest = self.end - self.at;
        if rest == 0 || (rest == 4 && reader.bytes(self.at, 4).await?[..] == [0; 4]) {
            return Ok(None);
        }
        if !reader.room() {
            return Err(MediaError::TooComplex.into());
        }
        let part = part(reader, self.at, self.end).await.map_err(|stop| match stop {
            Stop::Refused(MediaError::Truncated) => {
                damaged("a part is longer than the one around it").into()
            }
            stop => stop,
        })?;
        self.at = part.end;
        Ok(Some(part))
    }
}

/// The beginning of a box's content.
async fn start<S: Source>(
    reader: &mut Reader<'_, S>,
    part: &Part,
) -> Result<bytes::Bytes, Stop<S::Error>> {
    reader.some(part.body, 128.min(part.end - part.body)).await
}

const SHORT: &str = "a part of its description is too short";

fn short(_: MediaError) -> MediaError {
    damaged(SHORT)
}

/// Reads a `moov`.
pub(crate) async fn read<S: Source>(
    reader: &mut Reader<'_, S>,
    moov: &Part,
) -> Result<Movie, Stop<S::Error>> {
    let mut movie = Movie::default();
    let mut header = false;
    let mut video = None;
    let mut children = Children::of(moov);
    while let Some(child) = children.next(reader).await? {
        match &child.kind {
            b"mvhd" => {
                ensure(!header, "it has two headers")?;
                header = true;
                movie.duration = duration(&start(reader, &child).await?).map_err(short)?;
            }
            b"trak" => {
                let track = track(reader, &child).await?;
                if track.handler == Some(*b"vide") && video.is_none() {
                    video = track.tables;
                }
            }
            b"mvex" => movie.fragmented = true,
            b"cmov" => return Err(damaged("its description is compressed").into()),
            _ => {}
        }
    }
    ensure(header, "it has no header")?;
    let video = video.ok_or(MediaError::NoVideo)?;
    (movie.width, movie.height) = (video.width, video.height);
    movie.has_samples = video.samples > 0;
    Ok(movie)
}

/// The duration in an `mvhd`; `None` if it is unknown or only in the fragments.
fn duration(header: &[u8]) -> Result<Option<Duration>, MediaError> {
    let mut cursor = Cursor::new(header);
    let (scale, ticks) = match cursor.be32()? >> 24 {
        0 => {
            cursor.take(8)?;
            (
                cursor.be32()?,
                Some(u64::from(cursor.be32()?)).filter(|ticks| *ticks != u32::MAX.into()),
            )
        }
        1 => {
            cursor.take(16)?;
            (cursor.be32()?, Some(cursor.be64()?).filter(|ticks| *ticks != u64::MAX))
        }
        _ => return Err(damaged("its header is of an unknown version")),
    };
    ensure(scale > 0, "its header has no unit of time")?;
    let scale = u64::from(scale);
    let nanoseconds = |ticks: u64| (ticks % scale) * 1_000_000_000 / scale;
    Ok(ticks
        .filter(|ticks| *ticks > 0)
        .map(|ticks| Duration::new(ticks / scale, nanoseconds(ticks) as u32)))
}

async fn track<S: Source>(
    reader: &mut Reader<'_, S>,
    trak: &Part,
) -> Result<Track, Stop<S::Error>> {
    let mut track = Track::default();
    let mut children = Children::of(trak);
    while let Some(child) = children.next(reader).await? {
        match &child.kind {
            b"tkhd" => track.header = true,
            b"mdia" => media(reader, &child, &mut track).await?,
            _ => {}
        }
    }
    ensure(track.header, "a track has no header")?;
    if track.handler == Some(*b"vide") {
        let tables = track.tables.as_ref().ok_or(damaged("its video has no tables"))?;
        let complete =
            tables.description && tables.times && tables.chunks && tables.offsets && tables.sizes;
        ensure(complete, "its video's tables are not all there")?;
    }
    Ok(track)
}

async fn media<S: Source>(
    reader: &mut Reader<'_, S>,
    mdia: &Part,
    track: &mut Track,
) -> Result<(), Stop<S::Error>> {
    ensure(track.handler.is_none() && track.tables.is_none(), "a track has two contents")?;
    let mut header = false;
    let mut tables = None;
    let mut children = Children::of(mdia);
    while let Some(child) = children.next(reader).await? {
        match &child.kind {
            b"mdhd" => header = true,
            b"hdlr" => {
                let start = start(reader, &child).await?;
                let mut cursor = Cursor::new(&start);
                cursor.take(8).map_err(short)?;
                track.handler = Some(cursor.array().map_err(short)?);
            }
            b"minf" => tables = Some(child),
            _ => {}
        }
    }
    ensure(header, "a track's content has no header")?;
    if let Some(minf) = tables.filter(|_| track.handler == Some(*b"vide")) {
        let mut children = Children::of(&minf);
        while let Some(child) = children.next(reader).await? {
            if &child.kind == b"stbl" {
                track.tables = Some(sample_tables(reader, &child).await?);
            }
        }
    }
    Ok(())
}

async fn sample_tables<S: Source>(
    reader: &mut Reader<'_, S>,
    stbl: &Part,
) -> Result<Tables, Stop<S::Error>> {
    let mut tables = Tables::default();
    let mut children = Children::of(stbl);
    while let Some(child) = children.next(reader).await? {
        match &child.kind {
            b"stsd" => {
                let start = start(reader, &child).await?;
                (tables.width, tables.height) = description(&start, child.end - child.body)?;
                tables.description = true;
            }
            b"stts" => tables.times = true,
            b"stsc" => tables.chunks = true,
            b"stco" => tables.offsets = offsets(reader, &child, 4).await?,
            b"co64" => tables.offsets = offsets(reader, &child, 8).await?,
            b"stsz" | b"stz2" => {
                let start = start(reader, &child).await?;
                let mut cursor = Cursor::new(&start);
                cursor.take(8).map_err(short)?;
                tables.samples = cursor.be32().map_err(short)?;
                tables.sizes = true;
            }
            _ => {}
        }
    }
    Ok(tables)
}

/// Checks that the last chunk begins inside the file.
async fn offsets<S: Source>(
    reader: &mut Reader<'_, S>,
    table: &Part,
    width: u64,
) -> Result<bool, Stop<S::Error>> {
    let start = start(reader, table).await?;
    let mut cursor = Cursor::new(&start);
    cursor.take(4).map_err(short)?;
    let count = u64::from(cursor.be32().map_err(short)?);
    if count > 0 {
        let last = table.body + 8 + (count - 1) * width;
        ensure(last + width <= table.end, SHORT)?;
        let offset = reader
            .bytes(last, width)
            .await?
            .iter()
            .fold(0, |offset, byte| offset << 8 | u64::from(*byte));
        if offset >= reader.size {
            return Err(MediaError::Truncated.into());
        }
    }
    Ok(true)
}

/// Width and height in the first sample description of an `stsd` with `length` bytes of content.
fn description(content: &[u8], length: u64) -> Result<(u32, u32), MediaError> {
    let mut cursor = Cursor::new(content);
    cursor.take(4).map_err(short)?;
    let count = cursor.be32().map_err(short)?;
    ensure(count > 0, "its video has no description")?;
    let size = u64::from(cursor.be32().map_err(short)?);
    ensure(size >= 86 && size <= length - 8, "its video's description has a wrong length")?;
    let coding: [u8; 4] = cursor.array().map_err(short)?;
    ensure(
        coding.iter().all(|byte| matches!(byte, b' '..=b'~')),
        "its video's coding has no valid name",
    )?;
    // Reserved bytes, the data reference's index, and QuickTime's fields before the size.
    cursor.take(6 + 2 + 16).map_err(short)?;
    Ok((cursor.be16().map_err(short)?.into(), cursor.be16().map_err(short)?.into()))
}
