//! Damaged JPEG files, and the messages that refuse them.

#![allow(clippy::unwrap_used)]

use crate::support;

use media::MediaType::Jpeg;
use support::pictures::{self, segment, with_segment};
use support::sample;
use support::table::check;

#[test]
fn what_is_wrong_with_a_jpeg_is_reported() {
    let jpeg = sample("jpeg");
    let progressive = pictures::progressive(8, 8);
    // The frame begins after the start and the quantization table.
    let frame = 2 + 69;
    let edited = |at: usize, value: u8| {
        let mut file = progressive.clone();
        file[at] = value;
        file
    };
    let without = |start: usize, length: usize| {
        [&progressive[..start], &progressive[start + length..]].concat()
    };
    let preview = pictures::jpeg(&pictures::rgb(8, 8), 50);
    let mut unsound = preview.clone();
    unsound.truncate(preview.len() - 2);
    let more =
        |further: &[Vec<u8>], announced: usize| pictures::multi_picture(&jpeg, further, announced);
    let end = jpeg.len() - 2;
    check(
        &[
            (
                "no announcement",
                Jpeg,
                [&jpeg[..], &preview].concat(),
                "The file goes on after the end of the picture.",
            ),
            (
                "more than announced",
                Jpeg,
                more(&[preview.clone(), preview.clone()], 1),
                "The file goes on after the end of the picture.",
            ),
            (
                "announced, but cut",
                Jpeg,
                more(&[unsound], 1),
                "The file is cut off: it ends before its content does.",
            ),
            (
                "announced, but no picture",
                Jpeg,
                more(&[vec![b'x'; 300]], 1),
                "The file is not a sound JPEG: it does not begin with its start.",
            ),
            (
                "no end",
                Jpeg,
                jpeg[..end].to_vec(),
                "The file is cut off: it ends before its content does.",
            ),
            (
                "two starts",
                Jpeg,
                [&jpeg[..2], &jpeg[..]].concat(),
                "The file is not a sound JPEG: it has a segment of an unusual kind.",
            ),
            (
                "only ends",
                Jpeg,
                b"\xff\xd8\xff\xd9".to_vec(),
                "The file is not a sound JPEG: it has no frame.",
            ),
            (
                "no data",
                Jpeg,
                [&progressive[..frame + 13], &[0xff, 0xd9]].concat(),
                "The file is not a sound JPEG: a part of its colours has no data.",
            ),
            (
                "endless segment",
                Jpeg,
                b"\xff\xd8\xff\xe0\xff\xff\0\0".to_vec(),
                "The file is cut off: it ends before its content does.",
            ),
            (
                "segment of nothing",
                Jpeg,
                b"\xff\xd8\xff\xe0\0\x01\0\0".to_vec(),
                "The file is not a sound JPEG: a segment has a wrong length.",
            ),
            (
                "text between",
                Jpeg,
                [&jpeg[..2], b"text", &jpeg[2..]].concat(),
                "The file does not begin like the declared image/jpeg.",
            ),
            (
                "text between segments",
                Jpeg,
                [&jpeg[..20], b"text", &jpeg[20..]].concat(),
                "The file is not a sound JPEG: there is something between its segments.",
            ),
            (
                "lossless",
                Jpeg,
                edited(frame + 1, 0xc3),
                "The file is not a sound JPEG: it has a segment of an unusual kind.",
            ),
            (
                "12 bits",
                Jpeg,
                edited(frame + 4, 12),
                "The file is not a sound JPEG: its samples are not of eight bits.",
            ),
            (
                "two colours",
                Jpeg,
                edited(frame + 9, 2),
                "The file is not a sound JPEG: it has an unusual number of colours.",
            ),
            (
                "wrong sampling",
                Jpeg,
                edited(frame + 11, 0x50),
                "The file is not a sound JPEG: its frame is invalid.",
            ),
            (
                "no height",
                Jpeg,
                edited(frame + 6, 0),
                "The picture is 8 × 0 pixels; each side must be 1 to 8192 pixels.",
            ),
            (
                "no quantization",
                Jpeg,
                without(2, 69),
                "The file is not a sound JPEG: it has data before its quantization table.",
            ),
            (
                "no Huffman table",
                Jpeg,
                without(frame + 13, 22),
                "The file is not a sound JPEG: it has data before its Huffman table.",
            ),
            (
                "no frame",
                Jpeg,
                without(frame, 13),
                "The file is not a sound JPEG: its data comes before its frame.",
            ),
            (
                "two frames",
                Jpeg,
                [&progressive[..frame + 13], &progressive[frame..]].concat(),
                "The file is not a sound JPEG: it has two frames.",
            ),
            (
                "too many codes",
                Jpeg,
                edited(frame + 13 + 5, 3),
                "The file is not a sound JPEG: a Huffman table is invalid.",
            ),
            (
                "restarts",
                Jpeg,
                [&jpeg[..end], &[0xff, 0xd0, 1, 0xff, 0xd9]].concat(),
                "The file is not a sound JPEG: its data has restarts that were not announced.",
            ),
            (
                "too long a header",
                Jpeg,
                with_segment(
                    &jpeg,
                    0xe0,
                    &[b"JFIF\0\x01\x02\0\0\x01\0\x01\0\0", &[b' '; 99][..]].concat(),
                ),
                "The file is not a sound JPEG: a segment has a wrong length.",
            ),
            (
                "too many segments",
                Jpeg,
                [&jpeg[..2], &segment(0xfe, b"").repeat(20_000), &jpeg[2..]].concat(),
                "The file is made of too many parts to be checked.",
            ),
        ],
        25,
    );
}
