//! Verifies the real type of an uploaded file.
//!
//! A content type is only a claim, and so are the first bytes of a file: an archive after a
//! picture, a script in a comment and a truncated video all begin well. So [`verify`] walks the
//! whole container by the rules of its format: every part has a known kind and size, the parts are
//! in order, and the last one ends where the file ends. Pictures are read whole (at most
//! [`MAX_IMAGE_BYTES`]); of videos only the headers are read, in at most 200 requests and 8 MiB for
//! any file. Pixels are not decoded.
//!
//! Places that the format leaves free, such as a comment, can hold any data. The file is refused if
//! such data begin like a program, an archive, a document or a page, or if the whole file would
//! open as a ZIP archive, a PDF or a disk image.

mod cursor;
mod error;
mod gif;
mod info;
mod isobmff;
mod jpeg;
mod media_type;
mod moov;
mod mpf;
mod png;
mod polyglot;
mod sniff;
mod source;
mod vp8;
mod webm;
mod webp;

pub use error::MediaError;
pub use info::{MAX_PIXELS, MAX_SIDE, MediaInfo};
pub use media_type::MediaType;
pub use source::Source;

use bytes::Bytes;
use source::{Reader, Stop};
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// Largest size of a picture, in bytes.
pub const MAX_IMAGE_BYTES: u64 = 5 * 1024 * 1024;

/// Bytes of the beginning that are read first.
const HEAD: u64 = source::BLOCK;

/// Checks that the file in `source` is a sound file of the declared type.
///
/// # Errors
/// The outer error is the source's own; the inner one is the reason why the file is refused.
pub async fn verify<S: Source>(
    declared: MediaType,
    source: &S,
) -> Result<Result<MediaInfo, MediaError>, S::Error> {
    match examine(declared, source).await {
        Ok(facts) => Ok(Ok(facts)),
        Err(Stop::Refused(refusal)) => Ok(Err(refusal)),
        Err(Stop::Source(error)) => Err(error),
    }
}

/// [`verify`] for a file that is in memory.
///
/// # Errors
/// The reason why the file is refused.
pub fn verify_bytes(declared: MediaType, file: &[u8]) -> Result<MediaInfo, MediaError> {
    let source = Bytes::copy_from_slice(file);
    let mut verdict = pin!(verify(declared, &source));
    match verdict.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(Ok(result)) => result,
        Poll::Ready(Err(never)) => match never {},
        Poll::Pending => unreachable!("bytes in memory are read at once"),
    }
}

/// The type that the first bytes of a file say.
pub fn sniffed(file: &[u8]) -> Option<MediaType> {
    match sniff::sniff(&file[..file.len().min(HEAD as usize)]) {
        sniff::Found::Media(found) => Some(found),
        sniff::Found::Other(_) | sniff::Found::Nothing => None,
    }
}

async fn examine<S: Source>(declared: MediaType, source: &S) -> Result<MediaInfo, Stop<S::Error>> {
    let mut reader = Reader::new(source);
    if reader.size == 0 {
        return Err(MediaError::Empty.into());
    }
    let head = reader.some(0, HEAD).await?;
    match sniff::sniff(&head) {
        sniff::Found::Media(found) if found == declared => {}
        sniff::Found::Media(found) => {
            return Err(MediaError::OtherType { found: found.name(), declared }.into());
        }
        sniff::Found::Other(found) => return Err(MediaError::OtherType { found, declared }.into()),
        sniff::Found::Nothing => return Err(MediaError::Unrecognised(declared).into()),
    }
    if !declared.is_image() {
        let facts = match declared {
            MediaType::Webm => webm::verify(&mut reader).await?,
            _ => isobmff::verify(&mut reader).await?,
        };
        polyglot::in_video(&mut reader).await?;
        return Ok(facts);
    }
    if reader.size > MAX_IMAGE_BYTES {
        return Err(MediaError::TooLarge(reader.size).into());
    }
    // The head is kept, so that no byte is requested twice.
    let mut file = Vec::with_capacity(reader.size as usize);
    file.extend_from_slice(&head);
    let rest = reader.some(head.len() as u64, reader.size).await?;
    file.extend_from_slice(&rest);
    Ok(image(declared, &file)?)
}

fn image(declared: MediaType, file: &[u8]) -> Result<MediaInfo, MediaError> {
    let facts = match declared {
        MediaType::Jpeg => jpeg::verify(file)?,
        MediaType::Png => png::verify(file)?,
        MediaType::Gif => gif::verify(file)?,
        _ => webp::verify(file)?,
    };
    polyglot::in_image(file)?;
    Ok(facts)
}
