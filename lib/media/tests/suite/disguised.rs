//! Files of another type than declared, and the messages that refuse them.

#![allow(clippy::unwrap_used)]

use crate::support;

use media::MediaType::{Gif, Jpeg, Mp4, Png, Quicktime, Webm, Webp};
use support::sample;
use support::table::check;
use support::videos::{self, element, part};

#[test]
fn another_type_is_named() {
    let ftyp =
        |major: &[u8; 4]| [videos::brands(major, &[b"mif1"]), part(b"meta", &[0; 40])].concat();
    let svg = br#"<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script/></svg>"#;
    let matroska = [videos::ebml(b"matroska"), element(videos::SEGMENT, &videos::start())].concat();
    check(
        &[
            ("png as jpeg", Jpeg, sample("png"), "The file is a PNG, not the declared image/jpeg."),
            ("jpeg as png", Png, sample("jpeg"), "The file is a JPEG, not the declared image/png."),
            ("gif as webp", Webp, sample("gif"), "The file is a GIF, not the declared image/webp."),
            ("webp as gif", Gif, sample("webp"), "The file is a WebP, not the declared image/gif."),
            (
                "mov as mp4",
                Mp4,
                sample("mov"),
                "The file is a QuickTime video, not the declared video/mp4.",
            ),
            (
                "mp4 as mov",
                Quicktime,
                sample("mp4"),
                "The file is an MP4 video, not the declared video/quicktime.",
            ),
            (
                "webm as mp4",
                Mp4,
                sample("webm"),
                "The file is a WebM video, not the declared video/mp4.",
            ),
            ("svg", Png, svg.to_vec(), "The file is an SVG, not the declared image/png."),
            (
                "bare svg",
                Png,
                b" \n<svg></svg>".to_vec(),
                "The file is an SVG, not the declared image/png.",
            ),
            (
                "html",
                Jpeg,
                b"<!DOCTYPE html><p>".to_vec(),
                "The file is HTML, not the declared image/jpeg.",
            ),
            (
                "html with a mark",
                Gif,
                b"\xef\xbb\xbf<HTML>".to_vec(),
                "The file is HTML, not the declared image/gif.",
            ),
            (
                "xml",
                Gif,
                b"<?xml version='1.0'?><a/>".to_vec(),
                "The file is an XML document, not the declared image/gif.",
            ),
            (
                "php",
                Gif,
                b"<?php echo 1;".to_vec(),
                "The file is a PHP script, not the declared image/gif.",
            ),
            ("text", Jpeg, "Grüße".into(), "The file is plain text, not the declared image/jpeg."),
            (
                "text like a box",
                Quicktime,
                b"was free to go".to_vec(),
                "The file is plain text, not the declared video/quicktime.",
            ),
            ("pdf", Png, b"%PDF-1.4\n%".to_vec(), "The file is a PDF, not the declared image/png."),
            (
                "zip",
                Webp,
                b"PK\x03\x04\x14\0\0\0".to_vec(),
                "The file is a ZIP archive, not the declared image/webp.",
            ),
            (
                "mp3",
                Mp4,
                b"ID3\x04\0\0\0\0\0\0".to_vec(),
                "The file is an MP3 sound, not the declared video/mp4.",
            ),
            (
                "bare mp3",
                Mp4,
                b"\xff\xfb\x90\x64\0\0".to_vec(),
                "The file is an MP3 sound, not the declared video/mp4.",
            ),
            (
                "heic",
                Jpeg,
                ftyp(b"heic"),
                "The file is a HEIC picture, not the declared image/jpeg.",
            ),
            (
                "heic as mp4",
                Mp4,
                ftyp(b"heic"),
                "The file is a HEIC picture, not the declared video/mp4.",
            ),
            (
                "avif",
                Webp,
                ftyp(b"avif"),
                "The file is an AVIF picture, not the declared image/webp.",
            ),
            ("m4a", Mp4, ftyp(b"M4A "), "The file is an M4A sound, not the declared video/mp4."),
            (
                "heif",
                Quicktime,
                ftyp(b"mif1"),
                "The file is a HEIF picture, not the declared video/quicktime.",
            ),
            (
                "unknown brand",
                Mp4,
                ftyp(b"zzzz"),
                "The file is a container of no known brand, not the declared video/mp4.",
            ),
            (
                "matroska",
                Webm,
                matroska,
                "The file is a Matroska file, or another than WebM, not the declared video/webm.",
            ),
            (
                "avi",
                Mp4,
                b"RIFF\x04\0\0\0AVI ".to_vec(),
                "The file is an AVI video, not the declared video/mp4.",
            ),
            (
                "wav",
                Webp,
                b"RIFF\x04\0\0\0WAVE".to_vec(),
                "The file is a WAV sound, not the declared image/webp.",
            ),
            (
                "bmp",
                Png,
                b"BM\x3a\0\0\0\0\0".to_vec(),
                "The file is a BMP picture, not the declared image/png.",
            ),
            (
                "tiff",
                Jpeg,
                b"II*\0\x08\0\0\0".to_vec(),
                "The file is a TIFF picture, not the declared image/jpeg.",
            ),
            (
                "exe",
                Png,
                b"MZ\x90\0\x03\0".to_vec(),
                "The file is a Windows program, not the declared image/png.",
            ),
            (
                "elf",
                Gif,
                b"\x7fELF\x02\x01".to_vec(),
                "The file is a Linux program, not the declared image/gif.",
            ),
            (
                "shell",
                Gif,
                b"#!/bin/sh\n".to_vec(),
                "The file is a script, not the declared image/gif.",
            ),
            (
                "old gif",
                Gif,
                b"GIF88a\x01\0".to_vec(),
                "The file is a GIF of an unknown version, not the declared image/gif.",
            ),
            (
                "one byte",
                Jpeg,
                b"\xff".to_vec(),
                "The file does not begin like the declared image/jpeg.",
            ),
            (
                "noise",
                Webm,
                b"\x9c\x01\xfe\x80".to_vec(),
                "The file does not begin like the declared video/webm.",
            ),
            ("nothing", Mp4, vec![], "The file is empty."),
        ],
        37,
    );
}
