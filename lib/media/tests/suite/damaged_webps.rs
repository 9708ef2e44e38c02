//! Damaged WebP files, and the messages that refuse them.

#![allow(clippy::unwrap_used)]

use crate::support;

use media::MediaType::Webp;
use support::table::check;
use support::{sample, webps};

#[test]
fn what_is_wrong_with_a_webp_is_reported() {
    use webps::{chunk, file, frame, header, picture};
    let webp = sample("webp");
    let still = picture(&webp);
    let edited = |at: usize, value: u8| {
        let mut file = webps::lossy();
        file[at] = value;
        file
    };
    let animation = chunk(b"ANIM", &[0; 6]);
    let odd = {
        let mut file = [&webp[..], b"x"].concat();
        file[4] += 1;
        file
    };
    check(
        &[
            (
                "cut",
                Webp,
                webp[..webp.len() - 2].to_vec(),
                "The file is cut off: it ends before its content does.",
            ),
            (
                "text behind",
                Webp,
                [&webp[..], b"text"].concat(),
                "The file goes on after the end of the picture.",
            ),
            ("odd", Webp, odd, "The file is not a sound WebP: its size is odd."),
            (
                "text inside",
                Webp,
                file(&[still.clone(), chunk(b"JUNK", b"text")]),
                "The file is not a sound WebP: it has more than its picture.",
            ),
            (
                "no picture",
                Webp,
                file(&[chunk(b"JUNK", b"text")]),
                "The file is not a sound WebP: it does not begin with a picture.",
            ),
            (
                "only a header",
                Webp,
                file(&[header(0, 40, 30)]),
                "The file is not a sound WebP: it has no picture.",
            ),
            (
                "other size",
                Webp,
                file(&[header(0, 41, 30), still.clone()]),
                "The file is not a sound WebP: its picture is not of the size that its header tells.",
            ),
            (
                "two pictures",
                Webp,
                file(&[header(0, 40, 30), still.clone(), still.clone()]),
                "The file is not a sound WebP: its parts are out of order.",
            ),
            (
                "metadata first",
                Webp,
                file(&[
                    header(8, 40, 30),
                    chunk(b"EXIF", b"xx"),
                    chunk(b"EXIF", b"xx"),
                    still.clone(),
                ]),
                "The file is not a sound WebP: it has the same metadata twice.",
            ),
            (
                "late profile",
                Webp,
                file(&[header(0x20, 40, 30), still.clone(), chunk(b"ICCP", b"xx")]),
                "The file is not a sound WebP: its parts are out of order.",
            ),
            (
                "missing EXIF",
                Webp,
                file(&[header(8, 40, 30), still.clone()]),
                "The file is not a sound WebP: its header does not tell of its parts.",
            ),
            (
                "untold EXIF",
                Webp,
                file(&[header(0, 40, 30), still.clone(), chunk(b"EXIF", b"xx")]),
                "The file is not a sound WebP: its header does not tell of its parts.",
            ),
            (
                "untold animation",
                Webp,
                file(&[header(0, 40, 30), animation.clone()]),
                "The file is not a sound WebP: its animation's header is wrong.",
            ),
            (
                "no animation",
                Webp,
                file(&[header(2, 40, 30), frame(0, 0, 40, 30, &still)]),
                "The file is not a sound WebP: it has a frame, but no animation.",
            ),
            (
                "frame outside",
                Webp,
                file(&[header(2, 40, 30), animation.clone(), frame(2, 0, 40, 30, &still)]),
                "The file is not a sound WebP: a frame lies outside of it.",
            ),
            (
                "other frame",
                Webp,
                file(&[header(2, 40, 30), animation, frame(0, 0, 39, 30, &still)]),
                "The file is not a sound WebP: a frame is not of the size that its header tells.",
            ),
            (
                "inter frame",
                Webp,
                edited(20, 0x31),
                "The file is not a sound WebP: its frame is not a picture of its own.",
            ),
            (
                "no start code",
                Webp,
                edited(23, 0),
                "The file is not a sound WebP: its frame has no start code.",
            ),
            (
                "long first part",
                Webp,
                edited(22, 0x7f),
                "The file is not a sound WebP: its frame's first part has a wrong length.",
            ),
            (
                "long chunk",
                Webp,
                edited(19, 0x7f),
                "The file is cut off: it ends before its content does.",
            ),
            (
                "no width",
                Webp,
                edited(26, 0),
                "The picture is 0 × 1 pixels; each side must be 1 to 8192 pixels.",
            ),
        ],
        21,
    );
}
