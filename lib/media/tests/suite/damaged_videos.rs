//! Damaged videos, and the messages that refuse them.

#![allow(clippy::unwrap_used)]

use crate::support;

use media::MediaType::{Mp4, Quicktime, Webm};
use support::table::check;
use support::videos::{self, MOVIE, Movie, element, part};

#[test]
fn what_is_wrong_with_a_video_is_reported() {
    let (isom, moov, mdat) = (videos::isom(), videos::moov(MOVIE), part(b"mdat", &videos::data()));
    let mp4 = |parts: &[&Vec<u8>]| {
        [&isom].into_iter().chain(parts.iter().copied()).flatten().copied().collect::<Vec<u8>>()
    };
    let made = |movie: Movie| mp4(&[&videos::moov(movie), &mdat]);
    let huge = [&[0, 0, 0, 1][..], b"mdat", &[0x7f; 8]].concat();
    let mut short = mp4(&[&mdat, &moov]);
    let at = isom.len() + mdat.len();
    short[at..at + 4].copy_from_slice(&(moov.len() as u32 - 9).to_be_bytes());
    let mut nested = part(b"moov", b"");
    for _ in 0..2_000 {
        nested = part(b"moov", &nested);
    }
    check(
        &[
            (
                "text behind",
                Mp4,
                mp4(&[&moov, &mdat, &b"text".to_vec()]),
                "The file goes on after the end of the video.",
            ),
            (
                "zeros behind",
                Mp4,
                mp4(&[&moov, &mdat, &vec![0; 64]]),
                "The file goes on after the end of the video.",
            ),
            (
                "cut",
                Mp4,
                mp4(&[&moov, &mdat[..20].to_vec()]),
                "The file is cut off: it ends before its content does.",
            ),
            (
                "huge",
                Mp4,
                mp4(&[&moov, &huge]),
                "The file is cut off: it ends before its content does.",
            ),
            (
                "small",
                Mp4,
                mp4(&[&moov, &b"\0\0\0\x07mdat".to_vec()]),
                "The file is not a sound video: a part is smaller than its header.",
            ),
            (
                "open description",
                Mp4,
                mp4(&[&mdat, &b"\0\0\0\0moov".to_vec()]),
                "The file is not a sound video: a part has no size.",
            ),
            (
                "no description",
                Mp4,
                mp4(&[&mdat]),
                "The file is not a sound video: it has no description of its content.",
            ),
            (
                "two descriptions",
                Mp4,
                mp4(&[&moov, &moov, &mdat]),
                "The file is not a sound video: it has two descriptions of its content.",
            ),
            ("no data", Mp4, mp4(&[&moov]), "The file is not a sound video: it has no data."),
            (
                "empty data",
                Mp4,
                mp4(&[&moov, &part(b"mdat", b"")]),
                "The file is not a sound video: it has no data.",
            ),
            (
                "brands twice",
                Mp4,
                mp4(&[&moov, &isom, &mdat]),
                "The file is not a sound video: its list of brands is misplaced.",
            ),
            (
                "brands without end",
                Mp4,
                [videos::brands(b"isom", &[b"mp41"; 40]), moov.clone(), mdat.clone()].concat(),
                "The file is not a sound video: its list of brands is invalid.",
            ),
            (
                "short description",
                Mp4,
                short,
                "The file is not a sound video: a part is longer than the one around it.",
            ),
            (
                "only sound",
                Mp4,
                made(Movie { handler: b"soun", ..MOVIE }),
                "The file has no video in it.",
            ),
            (
                "no samples",
                Mp4,
                made(Movie { samples: 0, ..MOVIE }),
                "The file is not a sound video: its video has no frames.",
            ),
            (
                "frames elsewhere",
                Mp4,
                made(Movie { offset: 5000, ..MOVIE }),
                "The file is cut off: it ends before its content does.",
            ),
            (
                "frames far elsewhere",
                Mp4,
                made(Movie { offset: u32::MAX, large_offsets: true, ..MOVIE }),
                "The file is cut off: it ends before its content does.",
            ),
            (
                "no fragments",
                Mp4,
                made(Movie { samples: 0, fragmented: true, ..MOVIE }),
                "The file is not a sound video: its video has no frames.",
            ),
            (
                "no width",
                Mp4,
                made(Movie { width: 0, ..MOVIE }),
                "The picture is 0 × 240 pixels; each side must be 1 to 8192 pixels.",
            ),
            (
                "too high",
                Mp4,
                made(Movie { height: 8193, ..MOVIE }),
                "The picture is 320 × 8193 pixels; each side must be 1 to 8192 pixels.",
            ),
            (
                "only nests",
                Mp4,
                mp4(&[&nested, &mdat]),
                "The file is not a sound video: it has no header.",
            ),
            (
                "compressed",
                Quicktime,
                [part(b"moov", &part(b"cmov", &[0; 30])), mdat.clone()].concat(),
                "The file is not a sound video: its description is compressed.",
            ),
            (
                "only data",
                Quicktime,
                mdat.clone(),
                "The file is not a sound video: it has no description of its content.",
            ),
        ],
        23,
    );
}

#[test]
fn what_is_wrong_with_a_webm_is_reported() {
    use videos::{
        CLUSTER, SEGMENT, VOID, blocks, ebml, info, open, sound_track, start, tracks, video_track,
        webm,
    };
    let cluster = element(CLUSTER, &blocks());
    let whole = webm(&[start(), cluster.clone()]);
    let sized = |width: u16| webm(&[info(), tracks(&[video_track(width, 240)]), cluster.clone()]);
    let live = |behind: &[u8]| {
        [
            ebml(b"webm"),
            open(SEGMENT, &[start(), open(CLUSTER, &blocks()), behind.to_vec()].concat()),
        ]
        .concat()
    };
    let long_names = {
        let mut file = whole.clone();
        let at = file.windows(3).position(|window| window == [0x42, 0xf2, 0x81]).unwrap();
        file[at + 3] = 9;
        file
    };
    let attached = element(videos::ATTACHMENTS, &element(0x61a7, b"x"));
    check(
        &[
            (
                "text behind",
                Webm,
                [&whole[..], b"text"].concat(),
                "The file goes on after the end of the video.",
            ),
            (
                "two segments",
                Webm,
                [&whole[..], &element(SEGMENT, &start())].concat(),
                "The file goes on after the end of the video.",
            ),
            (
                "text behind a recording",
                Webm,
                live(b"text"),
                "The file goes on after the end of the video.",
            ),
            (
                "cut",
                Webm,
                whole[..whole.len() - 1].to_vec(),
                "The file is cut off: it ends before its content does.",
            ),
            (
                "cut recording",
                Webm,
                live(&[0xa3, 0x90, 0x81]),
                "The file is cut off: it ends before its content does.",
            ),
            (
                "another document",
                Webm,
                [ebml(b"webmx"), element(SEGMENT, &start())].concat(),
                "The file is not a sound WebM: it says that it is something else.",
            ),
            (
                "long names",
                Webm,
                long_names,
                "The file is not a sound WebM: its names are longer than allowed.",
            ),
            (
                "only a header",
                Webm,
                [ebml(b"webm"), element(VOID, &[0; 9])].concat(),
                "The file is cut off: it ends before its content does.",
            ),
            (
                "no segment",
                Webm,
                [ebml(b"webm"), cluster.clone()].concat(),
                "The file is not a sound WebM: it has no segment.",
            ),
            (
                "no description",
                Webm,
                webm(&[info(), cluster.clone()]),
                "The file is not a sound WebM: its data comes before its description.",
            ),
            (
                "no units",
                Webm,
                webm(&[tracks(&[video_track(320, 240)]), cluster.clone()]),
                "The file is not a sound WebM: it does not tell its units.",
            ),
            ("no data", Webm, webm(&[start()]), "The file is not a sound WebM: it has no data."),
            (
                "empty cluster",
                Webm,
                webm(&[start(), element(CLUSTER, b"")]),
                "The file is not a sound WebM: a cluster is empty.",
            ),
            (
                "cluster of text",
                Webm,
                webm(&[start(), element(CLUSTER, b"text")]),
                "The file is not a sound WebM: a cluster begins with an unknown part.",
            ),
            (
                "attachment",
                Webm,
                webm(&[start(), attached.clone(), cluster.clone()]),
                "The file is not a sound WebM: it has an unknown part.",
            ),
            (
                "only sound",
                Webm,
                webm(&[info(), tracks(&[sound_track()]), cluster.clone()]),
                "The file has no video in it.",
            ),
            (
                "no width",
                Webm,
                sized(0),
                "The picture is 0 × 240 pixels; each side must be 1 to 8192 pixels.",
            ),
            (
                "too wide",
                Webm,
                sized(9000),
                "The picture is 9000 × 240 pixels; each side must be 1 to 8192 pixels.",
            ),
        ],
        18,
    );
}
