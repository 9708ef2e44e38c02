//! Files that are also something else.
//!
//! Formats leave room for foreign data: comments, metadata, free space. Such data are refused if
//! they begin like something that a program would run, unpack or render. Some formats have their
//! signature elsewhere (ZIP: the end, PDF: the first kilobyte, tar and ISO 9660: a fixed offset,
//! RAR and 7-Zip: anywhere after a program); these places are searched for it.

use crate::MediaError;
use crate::source::{Reader, Source, Stop};
use memchr::memmem;

/// Signatures that no picture's metadata begins with.
const SIGNATURES: [(&[u8], &str); 24] = [
    (b"PK\x03\x04", "a ZIP archive"),
    (b"PK\x05\x06", "a ZIP archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"\x1f\x8b\x08", "a gzip archive"),
    (b"\xfd7zXZ\0", "an XZ archive"),
    (b"BZh91AY&SY", "a bzip2 archive"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (b"MSCF\0\0\0\0", "a cabinet archive"),
    (b"!<arch>\n", "a library archive"),
    (b"%PDF-", "a PDF"),
    (b"%!PS", "a PostScript document"),
    (b"{\\rtf", "an RTF document"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Office document"),
    (b"SQLite format 3\0", "a database"),
    (b"MZ\x90\0", "a Windows program"),
    (b"\x7fELF", "a Linux program"),
    (b"\xca\xfe\xba\xbe", "a program"),
    (b"\xcf\xfa\xed\xfe", "a macOS program"),
    (b"\xce\xfa\xed\xfe", "a macOS program"),
    (b"\0asm\x01\0\0\0", "a WebAssembly program"),
    (b"dex\n03", "an Android program"),
    (b"#!/", "a script"),
    (b"*/", "a script"),
];

/// Beginnings of markup, in lower case.
const MARKUP: [(&[u8], &str); 12] = [
    (b"<!doctype", "HTML"),
    (b"<html", "HTML"),
    (b"<head", "HTML"),
    (b"<body", "HTML"),
    (b"<script", "HTML"),
    (b"<iframe", "HTML"),
    (b"<!--", "HTML"),
    (b"-->", "HTML"),
    (b"<svg", "an SVG"),
    (b"<?php", "a PHP script"),
    (b"<?=", "a PHP script"),
    (b"<%@", "a server page"),
];

/// What free data begin like, if that is not allowed there.
pub(crate) fn payload(data: &[u8]) -> Option<&'static str> {
    if let Some((_, found)) = SIGNATURES.iter().find(|(signature, _)| data.starts_with(signature)) {
        return Some(found);
    }
    if is_windows_program(data) {
        return Some("a Windows program");
    }
    let text = data.strip_prefix(b"\xef\xbb\xbf").unwrap_or(data).trim_ascii_start();
    let begins = |signature: &[u8]| {
        text.get(..signature.len()).is_some_and(|start| start.eq_ignore_ascii_case(signature))
    };
    if let Some((_, found)) = MARKUP.iter().find(|(signature, _)| begins(signature)) {
        return Some(found);
    }
    if begins(b"<?xml") {
        let start = &text[..text.len().min(4096)];
        // XMP is the only XML that belongs in pictures.
        if memmem::find(start, b"<svg").is_some() {
            return Some("an SVG");
        }
        if memmem::find(start, b"xmpmeta").is_none() && memmem::find(start, b"rdf:RDF").is_none() {
            return Some("an XML document");
        }
    }
    None
}

fn is_windows_program(data: &[u8]) -> bool {
    let offset = data
        .get(0x3c..0x40)
        .and_then(|bytes| <[u8; 4]>::try_from(bytes).ok())
        .map(u32::from_le_bytes);
    data.starts_with(b"MZ")
        && offset
            .and_then(|offset| data.get(offset as usize..))
            .is_some_and(|rest| rest.starts_with(b"PE\0\0"))
}

/// Most bytes of names before the foreign data.
const NAMES: usize = 128;

/// Refuses foreign data that begins like something to run, unpack or render, also after
/// NUL-terminated names.
pub(crate) fn refuse_payload(data: &[u8]) -> Result<(), MediaError> {
    let after_names = data
        .iter()
        .take(NAMES)
        .enumerate()
        .filter(|(_, byte)| **byte == 0)
        .map(|(index, _)| &data[index + 1..]);
    // After a NUL in binary data, a signature of three bytes is too weak.
    let strong = |found: &&str| !matches!(*found, "a gzip archive" | "a script");
    match payload(data).or_else(|| after_names.filter_map(payload).find(strong)) {
        Some(found) => Err(MediaError::Hidden(found)),
        None => Ok(()),
    }
}

/// Longest distance of a ZIP archive's end record from the end: the record and the longest comment.
const ZIP_END: usize = 22 + 65_535;

/// Bytes of the beginning that are searched; they include the signature of a disk image.
const BEGINNING: usize = 64 * 1024;

/// Refuses a sound picture that other readers would open as another format.
pub(crate) fn in_image(file: &[u8]) -> Result<(), MediaError> {
    beginning(&file[..file.len().min(BEGINNING)])?;
    ending(&file[file.len().saturating_sub(ZIP_END)..])?;
    for (signature, found) in [
        (&b"Rar!\x1a\x07"[..], "a RAR archive"),
        (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
        (b"<?php ", "a PHP script"),
        (b"<?php\n", "a PHP script"),
        (b"<?php\r\n", "a PHP script"),
    ] {
        if memmem::find(file, signature).is_some() {
            return Err(MediaError::Hidden(found));
        }
    }
    Ok(())
}

/// Refuses a sound video that other readers would open as another format.
pub(crate) async fn in_video<S: Source>(reader: &mut Reader<'_, S>) -> Result<(), Stop<S::Error>> {
    beginning(&reader.some(0, BEGINNING as u64).await?)?;
    ending(&reader.tail(ZIP_END as u64).await?)?;
    Ok(())
}

fn beginning(head: &[u8]) -> Result<(), MediaError> {
    if memmem::find(&head[..head.len().min(1024)], b"%PDF-").is_some() {
        return Err(MediaError::Hidden("a PDF"));
    }
    let at = |offset: usize, signature: &[u8]| {
        head.get(offset..).is_some_and(|rest| rest.starts_with(signature))
    };
    if at(257, b"ustar") {
        return Err(MediaError::Hidden("a tar archive"));
    }
    // If a length reads as the start of a comment, the signature before it begins a script. By
    // chance that happens once in tens of thousands of files, but hardly ever with the comment's
    // end as well.
    let closes =
        |end: usize| matches!(head.get(end + 2), Some(b'=' | b';' | b'(' | b' ' | b'\n' | b'\r'));
    if memmem::find(&head[..head.len().min(16)], b"/*").is_some()
        && memmem::find_iter(head, b"*/").any(closes)
    {
        return Err(MediaError::Hidden("a script"));
    }
    if at(32_769, b"CD001") {
        return Err(MediaError::Hidden("a disk image"));
    }
    Ok(())
}

/// Refuses a consistent end record of a ZIP archive; compressed data may hold the mere signature.
fn ending(tail: &[u8]) -> Result<(), MediaError> {
    for at in memmem::find_iter(tail, b"PK\x05\x06") {
        let Some(record) = tail.get(at..at + 22) else { continue };
        let le16 =
            |index: usize| usize::from(u16::from_le_bytes([record[index], record[index + 1]]));
        let le32 = |index: usize| le16(index) | le16(index + 2) << 16;
        let (entries, directory) = (le16(10), le32(12));
        let directory_found =
            at.checked_sub(directory).is_none_or(|start| tail[start..].starts_with(b"PK"));
        let sound = le16(4) == le16(6)
            && le16(8) == entries
            && directory >= entries * 46
            && directory_found;
        let comment_fits = at + 22 + le16(20) <= tail.len();
        if sound && comment_fits {
            return Err(MediaError::Hidden("a ZIP archive"));
        }
    }
    Ok(())
}
