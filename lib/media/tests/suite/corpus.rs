//! Every file of the corpus gets the right verdict: sound ones pass, under their own type only.

#![allow(clippy::unwrap_used)]

use crate::support;

use image::ImageFormat;
use media::{MediaError, MediaType, verify_bytes};
use support::{Sample, samples};

/// Counts files and collects wrong verdicts, so that one failure does not hide the others.
#[derive(Default)]
struct Tally {
    files: usize,
    wrong: Vec<String>,
}

impl Tally {
    fn accepted(&mut self, sample: &Sample) {
        self.files += 1;
        match verify_bytes(sample.media, &sample.file) {
            Ok(facts)
                if (facts.width, facts.height, facts.frames)
                    == (sample.width, sample.height, sample.frames) => {}
            other => self.wrong.push(format!("{} should be taken: {other:?}", sample.name)),
        }
    }

    fn refused(
        &mut self,
        name: &str,
        declared: MediaType,
        file: &[u8],
        expected: impl Fn(&MediaError) -> bool,
    ) {
        self.files += 1;
        match verify_bytes(declared, file) {
            Err(refusal) if expected(&refusal) => {}
            other => self
                .wrong
                .push(format!("{name} as {declared} should be refused otherwise: {other:?}")),
        }
    }

    fn end(self, what: &str, least: usize) {
        println!("{what}: {} files, {} wrong", self.files, self.wrong.len());
        assert!(self.wrong.is_empty(), "{}", self.wrong.join("\n"));
        assert!(self.files >= least, "{} files are fewer than {least}", self.files);
    }
}

#[test]
fn a_sound_file_is_taken_under_its_own_type_only() {
    let mut tally = Tally::default();
    let mut others = Tally::default();
    for sample in samples() {
        tally.accepted(sample);
        for declared in MediaType::ALL.into_iter().filter(|declared| *declared != sample.media) {
            others.refused(&sample.name, declared, &sample.file, |refusal| {
                matches!(refusal, MediaError::OtherType { declared: told, .. } if *told == declared)
            });
        }
    }
    tally.end("sound files", 100);
    others.end("sound files under other types", 600);
}

#[test]
fn what_is_called_a_sound_picture_can_be_decoded() {
    for sample in samples().iter().filter(|sample| sample.media.is_image()) {
        if u64::from(sample.width) * u64::from(sample.height) > 1_000_000 {
            continue;
        }
        let format = ImageFormat::from_mime_type(sample.media.content_type()).unwrap();
        match image::load_from_memory_with_format(&sample.file, format) {
            Ok(picture) => assert_eq!(
                (picture.width(), picture.height()),
                (sample.width, sample.height),
                "{}",
                sample.name
            ),
            Err(error) => panic!("{}: {error}", sample.name),
        }
    }
}

#[test]
fn a_sound_file_that_is_cut_is_refused() {
    let mut tally = Tally::default();
    for sample in samples().iter().filter(|sample| !sample.open_ended) {
        let length = sample.file.len();
        for kept in (1..8).map(|eighth| length * eighth / 8).chain([
            1,
            2,
            length - 4,
            length - 2,
            length - 1,
        ]) {
            let name = format!("{} of {kept} bytes", sample.name);
            tally.refused(&name, sample.media, &sample.file[..kept], |_| true);
        }
        tally.refused("nothing", sample.media, b"", |refusal| *refusal == MediaError::Empty);
    }
    tally.end("cut files", 1000);
}

#[test]
fn a_sound_file_with_something_behind_or_before_it_is_refused() {
    let zip = support::sample("mp4");
    let archive = archive(&zip[..100]);
    let additions: [(&str, &[u8]); 6] = [
        ("one byte", b"x"),
        ("a ZIP archive", &archive),
        ("a page", b"<html><script>alert(1)</script></html>"),
        ("a script", b"<?php system($_GET['c']); ?>"),
        ("a program", b"MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff\0\0\xb8\0\0\0"),
        ("a document", b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF"),
    ];
    let mut tally = Tally::default();
    for sample in samples() {
        for (what, addition) in additions {
            let before = [addition, &sample.file].concat();
            tally.refused(
                &format!("{what} before {}", sample.name),
                sample.media,
                &before,
                |refusal| {
                    matches!(refusal, MediaError::OtherType { .. } | MediaError::Unrecognised(_))
                },
            );
            // The last part of these extends to the end of the file, so only a check of the end
            // finds anything.
            if sample.name == "mp4, data to the end" && what != "a ZIP archive" {
                continue;
            }
            let behind = [&sample.file, addition].concat();
            tally.refused(
                &format!("{what} behind {}", sample.name),
                sample.media,
                &behind,
                |refusal| matches!(refusal, MediaError::Trailing(_) | MediaError::Hidden(_)),
            );
        }
    }
    tally.end("files with additions", 1000);
}

/// A ZIP archive of one file that is not compressed.
fn archive(content: &[u8]) -> Vec<u8> {
    let sum = crc32fast::hash(content).to_le_bytes();
    let size = (content.len() as u32).to_le_bytes();
    let common = [&[20, 0, 0, 0, 0, 0, 0, 0, 0, 0][..], &sum, &size, &size, &[5, 0, 0, 0]].concat();
    let local = [&b"PK\x03\x04"[..], &common, b"a.txt", content].concat();
    let central = [&b"PK\x01\x02\x14\0"[..], &common, &[0; 14], b"a.txt"].concat();
    let sizes = [(central.len() as u32).to_le_bytes(), (local.len() as u32).to_le_bytes()].concat();
    let end = [&b"PK\x05\x06\0\0\0\0\x01\0\x01\0"[..], &sizes, &[0, 0]].concat();
    [local, central, end].concat()
}
