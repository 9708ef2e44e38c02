//! Damaged PNG and GIF files, and the messages that refuse them.

#![allow(clippy::unwrap_used)]

use crate::support;

use media::MediaType::{Gif, Png};
use support::pictures::{comment, with_block};
use support::table::check;
use support::{pngs, sample};

#[test]
fn what_is_wrong_with_a_png_is_reported() {
    use pngs::{chunk, file, frame, header, rows};
    let png = sample("png");
    let data = || chunk(b"IDAT", &rows(4, 3));
    let grey = || header(4, 3, 8, 0, 0);
    let mut sum = png.clone();
    sum[31] ^= 1;
    let mut endless = png.clone();
    endless[33..37].copy_from_slice(&[0xff; 4]);
    let acts = |frames: u8| chunk(b"acTL", &[0, 0, 0, frames, 0, 0, 0, 0]);
    check(
        &[
            ("wrong sum", Png, sum, "The file is not a sound PNG: a part's checksum is wrong."),
            (
                "endless part",
                Png,
                endless,
                "The file is not a sound PNG: a part is longer than allowed.",
            ),
            (
                "cut",
                Png,
                png[..png.len() - 12].to_vec(),
                "The file is cut off: it ends before its content does.",
            ),
            (
                "text behind",
                Png,
                [&png[..], b"text"].concat(),
                "The file goes on after the end of the picture.",
            ),
            (
                "zeros behind",
                Png,
                [&png[..], &[0; 16]].concat(),
                "The file goes on after the end of the picture.",
            ),
            (
                "no header",
                Png,
                file(&[data()]),
                "The file is not a sound PNG: it does not begin with its header.",
            ),
            (
                "two headers",
                Png,
                file(&[grey(), grey(), data()]),
                "The file is not a sound PNG: it has two headers.",
            ),
            ("no data", Png, file(&[grey()]), "The file is not a sound PNG: it has no data."),
            (
                "interrupted",
                Png,
                file(&[grey(), data(), chunk(b"tEXt", b"a\0b"), data()]),
                "The file is not a sound PNG: its data is interrupted.",
            ),
            (
                "not compressed",
                Png,
                file(&[grey(), chunk(b"IDAT", b"<b>not compressed</b>")]),
                "The file is not a sound PNG: its data is not compressed as it must be.",
            ),
            (
                "no palette",
                Png,
                file(&[header(4, 3, 8, 3, 0), data()]),
                "The file is not a sound PNG: it has no palette.",
            ),
            (
                "long palette",
                Png,
                file(&[header(4, 3, 1, 3, 0), chunk(b"PLTE", &[0; 9]), data()]),
                "The file is not a sound PNG: its palette has a wrong length.",
            ),
            (
                "grey palette",
                Png,
                file(&[grey(), chunk(b"PLTE", &[0; 9]), data()]),
                "The file is not a sound PNG: it is grey, but has a palette.",
            ),
            (
                "late palette",
                Png,
                file(&[header(4, 3, 8, 2, 0), data(), chunk(b"PLTE", &[0; 9])]),
                "The file is not a sound PNG: its palette comes after its data.",
            ),
            (
                "wrong depth",
                Png,
                file(&[header(4, 3, 4, 2, 0), data()]),
                "The file is not a sound PNG: its header names no valid kind of pixels.",
            ),
            (
                "wrong interlace",
                Png,
                file(&[header(4, 3, 8, 0, 2), data()]),
                "The file is not a sound PNG: its header names an unknown method.",
            ),
            (
                "unknown critical",
                Png,
                file(&[grey(), chunk(b"CGBI", b""), data()]),
                "The file is not a sound PNG: it has an unknown part that it calls critical.",
            ),
            (
                "invalid name",
                Png,
                file(&[grey(), chunk(b"te t", b""), data()]),
                "The file is not a sound PNG: a part has no valid name.",
            ),
            (
                "full end",
                Png,
                [pngs::SIGNATURE.to_vec(), grey(), data(), chunk(b"IEND", b"x")].concat(),
                "The file is not a sound PNG: its end has content.",
            ),
            (
                "no frames",
                Png,
                file(&[grey(), acts(2), frame(0, 4, 3, 0, 0), data()]),
                "The file is not a sound PNG: its frames are not all there.",
            ),
            (
                "frame outside",
                Png,
                file(&[grey(), acts(2), frame(0, 4, 3, 0, 0), data(), frame(1, 4, 3, 1, 0)]),
                "The file is not a sound PNG: a frame lies outside of it.",
            ),
            (
                "frame out of order",
                Png,
                file(&[grey(), acts(1), frame(1, 4, 3, 0, 0), data()]),
                "The file is not a sound PNG: its frames are out of order.",
            ),
            (
                "too many parts",
                Png,
                file(&[grey(), chunk(b"tIME", b"").repeat(60_000), data()]),
                "The file is made of too many parts to be checked.",
            ),
        ],
        23,
    );
}

#[test]
fn what_is_wrong_with_a_gif_is_reported() {
    let gif = sample("gif of 1987");
    let edited = |at: usize, value: u8| {
        let mut file = gif.clone();
        file[at] = value;
        file
    };
    let image = &gif[19..gif.len() - 1];
    let empty = [&gif[..29], &[2, 0, b';']].concat();
    check(
        &[
            (
                "text behind",
                Gif,
                [&gif[..], b"text"].concat(),
                "The file goes on after the end of the picture.",
            ),
            (
                "zero behind",
                Gif,
                [&gif[..], &[0]].concat(),
                "The file goes on after the end of the picture.",
            ),
            (
                "cut",
                Gif,
                gif[..gif.len() - 1].to_vec(),
                "The file is cut off: it ends before its content does.",
            ),
            (
                "no picture",
                Gif,
                [&gif[..19], b";"].concat(),
                "The file is not a sound GIF: it has no picture.",
            ),
            ("no data", Gif, empty, "The file is not a sound GIF: a picture has no data."),
            (
                "unknown block",
                Gif,
                edited(19, 0x2d),
                "The file is not a sound GIF: it has an unknown block.",
            ),
            (
                "extended too early",
                Gif,
                with_block(&gif, &comment(b"x")),
                "The file is not a sound GIF: it has a block that its version does not know.",
            ),
            (
                "unknown extension",
                Gif,
                with_block(&sample("gif"), &[0x21, 0x55, 0]),
                "The file is not a sound GIF: it has an unknown extension.",
            ),
            (
                "wrong control",
                Gif,
                with_block(&sample("gif"), &[0x21, 0xf9, 3, 0, 0, 0, 0]),
                "The file is not a sound GIF: a control block has a wrong length.",
            ),
            (
                "frame outside",
                Gif,
                edited(20, 1),
                "The file is not a sound GIF: a picture lies outside of the screen.",
            ),
            (
                "frame of nothing",
                Gif,
                edited(24, 0),
                "The file is not a sound GIF: a picture has no pixels.",
            ),
            (
                "code size",
                Gif,
                edited(29, 12),
                "The file is not a sound GIF: a picture's code size is invalid.",
            ),
            (
                "no width",
                Gif,
                edited(6, 0),
                "The picture is 0 × 1 pixels; each side must be 1 to 8192 pixels.",
            ),
            (
                "many pictures",
                Gif,
                with_block(&gif, &image.repeat(120_000)),
                "The file is made of too many parts to be checked.",
            ),
        ],
        14,
    );
}
