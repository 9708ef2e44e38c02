//! Files with hidden content, and the messages that refuse them.

#![allow(clippy::unwrap_used)]

use crate::support;

use media::MediaType::{Gif, Jpeg, Mp4, Png, Webm, Webp};
use support::pictures::{comment, with_block, with_segment};
use support::table::check;
use support::videos::{self, MOVIE, element, part};
use support::{pngs, sample, webps};

#[test]
fn what_is_hidden_is_named() {
    let (jpeg, png, gif) = (sample("jpeg"), sample("png"), sample("gif"));
    let (webp, mp4, webm) = (sample("webp"), sample("mp4"), sample("webm"));
    let jpeg_comment = |text: &[u8]| with_segment(&jpeg, 0xfe, text);
    let text = |content: &[u8]| pngs::with_chunk(&png, b"tEXt", content);
    let unknown = |content: &[u8]| {
        webps::file(&[
            webps::header(0, 40, 30),
            webps::picture(&webp),
            webps::chunk(b"JUNK", content),
        ])
    };
    let boxed = |kind: &[u8; 4], content: &[u8]| [&mp4[..], &part(kind, content)].concat();
    let void = |content: &[u8]| [&webm[..], &element(videos::VOID, content)].concat();
    let mut zip_in_entropy = jpeg.clone();
    zip_in_entropy
        .splice(jpeg.len() - 2..jpeg.len() - 2, *b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
    let mut tar = [&b"x"[..], &[b' '; 300]].concat();
    tar.splice(257 - 6..257 - 6, *b"ustar\x0000");
    // Its length reads "/*".
    let mut commented = vec![b' '; 0x2f2a - 2];
    commented.splice(500..514, *b"*/=alert(1);/*");
    let mut scripted = gif.clone();
    scripted[11..13].copy_from_slice(b"/*");
    let both = [
        videos::brands(b"isom", &[b"isom", b"heic"]),
        videos::moov(MOVIE),
        part(b"mdat", &videos::data()),
    ];
    let program = |at: usize| {
        let mut program = vec![0; at + 8];
        program[..2].copy_from_slice(b"MZ");
        program[0x3c] = at as u8;
        program[at..at + 4].copy_from_slice(b"PE\0\0");
        program
    };
    check(
        &[
            (
                "zip in a comment",
                Jpeg,
                jpeg_comment(b"PK\x03\x04"),
                "The file has a ZIP archive hidden in it.",
            ),
            (
                "page in a comment",
                Jpeg,
                jpeg_comment(b"<script>"),
                "The file has HTML hidden in it.",
            ),
            (
                "php in a comment",
                Jpeg,
                jpeg_comment(b"see <?php system(1);"),
                "The file has a PHP script hidden in it.",
            ),
            (
                "end of a comment",
                Jpeg,
                jpeg_comment(b"*/=alert(1)/*"),
                "The file has a script hidden in it.",
            ),
            (
                "pdf in a comment",
                Jpeg,
                jpeg_comment(b"see %PDF-1.4 obj"),
                "The file has a PDF hidden in it.",
            ),
            (
                "rar in a comment",
                Jpeg,
                jpeg_comment(b"see Rar!\x1a\x07\x01\0"),
                "The file has a RAR archive hidden in it.",
            ),
            (
                "program in a comment",
                Jpeg,
                jpeg_comment(&program(0x80)),
                "The file has a Windows program hidden in it.",
            ),
            (
                "tar in a comment",
                Jpeg,
                jpeg_comment(&tar),
                "The file has a tar archive hidden in it.",
            ),
            (
                "program behind a name",
                Jpeg,
                with_segment(&jpeg, 0xe7, b"NAME\0\x7fELF\x02"),
                "The file has a Linux program hidden in it.",
            ),
            (
                "archive behind data",
                Jpeg,
                zip_in_entropy,
                "The file has a ZIP archive hidden in it.",
            ),
            (
                "length as a comment",
                Jpeg,
                with_segment(&jpeg, 0xe7, &commented),
                "The file has a script hidden in it.",
            ),
            (
                "page in text",
                Png,
                text(b"Comment\0<html><body>"),
                "The file has HTML hidden in it.",
            ),
            (
                "svg in text",
                Png,
                text(b"Comment\0 \n<SVG onload=1>"),
                "The file has an SVG hidden in it.",
            ),
            (
                "xml in text",
                Png,
                text(b"Comment\0<?xml version='1.0'?><a/>"),
                "The file has an XML document hidden in it.",
            ),
            (
                "zip in text",
                Png,
                text(b"Comment\0PK\x03\x04"),
                "The file has a ZIP archive hidden in it.",
            ),
            (
                "7z in a private part",
                Png,
                pngs::with_chunk(&png, b"prVt", b"x7z\xbc\xaf\x27\x1c"),
                "The file has a 7-Zip archive hidden in it.",
            ),
            ("script in gif", Gif, scripted, "The file has a script hidden in it."),
            (
                "page in gif",
                Gif,
                with_block(&gif, &comment(b"<!-- x")),
                "The file has HTML hidden in it.",
            ),
            (
                "comment's end in gif",
                Gif,
                with_block(&gif, &comment(b"*/alert(1)")),
                "The file has a script hidden in it.",
            ),
            (
                "zip in gif",
                Gif,
                with_block(&gif, &comment(b"PK\x03\x04")),
                "The file has a ZIP archive hidden in it.",
            ),
            ("page in webp", Webp, unknown(b"<html>"), "The file has HTML hidden in it."),
            (
                "program in webp",
                Webp,
                unknown(b"MZ\x90\0"),
                "The file has a Windows program hidden in it.",
            ),
            (
                "zip in free space",
                Mp4,
                boxed(b"free", b"PK\x03\x04"),
                "The file has a ZIP archive hidden in it.",
            ),
            (
                "pdf in free space",
                Mp4,
                boxed(b"skip", b"%PDF-1.5"),
                "The file has a PDF hidden in it.",
            ),
            (
                "page in a private part",
                Mp4,
                boxed(b"uuid", b"<html>"),
                "The file has HTML hidden in it.",
            ),
            (
                "program in an unknown part",
                Mp4,
                boxed(b"abcd", b"\x7fELF"),
                "The file has a Linux program hidden in it.",
            ),
            (
                "zip as data",
                Mp4,
                boxed(b"mdat", b"PK\x03\x04"),
                "The file has a ZIP archive hidden in it.",
            ),
            ("heic in mp4", Mp4, both.concat(), "The file has a still picture hidden in it."),
            ("zip in void", Webm, void(b"PK\x03\x04"), "The file has a ZIP archive hidden in it."),
            ("page in void", Webm, void(b"<script>"), "The file has HTML hidden in it."),
        ],
        30,
    );
}
