//! The cost to verify a hostile file.

#![allow(clippy::unwrap_used)]

use crate::support;

use bytes::Bytes;
use media::MediaType::{self, Gif, Jpeg, Mp4, Png, Webm, Webp};
use media::{MAX_IMAGE_BYTES, MediaError, MediaInfo, Source, verify_bytes};
use support::videos::{
    CLUSTER, MOVIE, SEGMENT, VOID, blocks, ebml, element, moov, open, part, start,
};
use support::{Endless, pictures, pngs, sample, verdict, webps};

/// The verdict on a source, within 200 reads and 8 MiB.
fn judged(media: MediaType, source: &Endless) -> Result<MediaInfo, MediaError> {
    let verdict = verdict(media, source).unwrap();
    let (reads, bytes) = *source.cost.lock().unwrap();
    println!("{media} of {} bytes: {reads} reads of {bytes} bytes: {verdict:?}", source.size());
    assert!(reads <= 200 && bytes <= 8 * 1024 * 1024, "{reads} reads of {bytes} bytes");
    verdict
}

/// The header of a box.
fn opening(kind: &[u8; 4], length: u64) -> Vec<u8> {
    [&1_u32.to_be_bytes()[..], kind, &(length + 16).to_be_bytes()].concat()
}

#[test]
fn the_data_of_a_video_is_not_read() {
    let head = [support::videos::isom(), opening(b"mdat", 100_000_000)].concat();
    let source = Endless::new(head, vec![0x42], 100_000_000, moov(MOVIE));
    assert!(judged(Mp4, &source).is_ok());
    let (reads, bytes) = *source.cost.lock().unwrap();
    assert!(reads <= 6 && bytes <= 400_000, "{reads} reads of {bytes} bytes");
}

#[test]
fn a_long_recording_in_fragments_is_judged_by_its_beginning_and_its_end() {
    let fragment = [part(b"moof", &[0; 100]), part(b"mdat", &[0x11; 100_000])].concat();
    let whole = |tail: &[u8]| {
        Endless::new(support::videos::fragmented_start(), fragment.clone(), 900, tail.to_vec())
    };
    assert!(judged(Mp4, &whole(b"")).is_ok());
    assert!(judged(Mp4, &whole(&part(b"mfra", &[0; 16]))).is_ok());
    assert_eq!(judged(Mp4, &whole(b"one thing more")), Err(MediaError::Trailing("video")));
    assert_eq!(judged(Mp4, &whole(&[0; 2_000_000])), Err(MediaError::Trailing("video")));
}

#[test]
fn a_long_live_recording_is_judged_by_its_beginning_and_its_end() {
    let block = element(0xa3, &[0x81; 6000]);
    let head =
        [ebml(b"webm"), open(SEGMENT, &[start(), open(CLUSTER, &blocks())].concat())].concat();
    let whole = |tail: &[u8]| Endless::new(head.clone(), block.clone(), 16_000, tail.to_vec());
    assert!(judged(Webm, &whole(b"")).is_ok());
    assert!(judged(Webm, &whole(&open(CLUSTER, &blocks()))).is_ok());
    assert_eq!(
        judged(Webm, &whole(b"MZ\x90\0 and the rest of a program")),
        Err(MediaError::Trailing("video"))
    );
    assert_eq!(judged(Webm, &whole(&[0x81; 2_000_000])), Err(MediaError::Trailing("video")));
}

#[test]
fn many_clusters_of_known_size_are_judged_by_their_beginning_and_their_end() {
    let cluster = element(CLUSTER, &[blocks(), element(0xa3, &[0x81; 200_000]), blocks()].concat());
    let head = [ebml(b"webm"), open(SEGMENT, &start())].concat();
    assert!(judged(Webm, &Endless::new(head.clone(), cluster.clone(), 480, vec![])).is_ok());
    let cut = Endless::new(head, cluster.clone(), 480, cluster[..9].to_vec());
    assert_eq!(judged(Webm, &cut), Err(MediaError::Trailing("video")));
}

#[test]
fn millions_of_tiny_parts_are_too_many() {
    let isom = support::videos::isom();
    let boxes = Endless::new(isom.clone(), part(b"free", b""), 12_000_000, vec![]);
    assert_eq!(judged(Mp4, &boxes), Err(MediaError::TooComplex));

    let inside = [isom.clone(), opening(b"moov", 8 * 10_000_000)].concat();
    let inside = Endless::new(inside, part(b"free", b""), 10_000_000, part(b"mdat", b"x"));
    assert_eq!(judged(Mp4, &inside), Err(MediaError::TooComplex));

    let voids = Endless::new(
        [ebml(b"webm"), open(SEGMENT, &start())].concat(),
        element(VOID, b""),
        40_000_000,
        vec![],
    );
    assert_eq!(judged(Webm, &voids), Err(MediaError::TooComplex));

    let far = Endless::new(isom, part(b"free", &[0; 60_000]), 1600, vec![]);
    assert_eq!(judged(Mp4, &far), Err(MediaError::TooComplex));
}

#[test]
fn a_description_that_claims_to_be_huge_is_not_read() {
    let size = 90_000_000_u64;
    let header = [&0x1654_ae6b_u32.to_be_bytes()[..], &(size | 1 << 56).to_be_bytes()].concat();
    let head = [ebml(b"webm"), open(SEGMENT, &[support::videos::info(), header].concat())].concat();
    assert_eq!(
        judged(Webm, &Endless::new(head, vec![0], size, vec![])),
        Err(MediaError::TooComplex)
    );
}

#[test]
fn ten_thousand_nested_parts_are_stepped_over() {
    let mut deep = Vec::new();
    for level in (0..10_000_u32).rev() {
        deep.extend(((level + 1) * 8).to_be_bytes());
        deep.extend(b"udta");
    }
    // The description with the nested boxes as its last part.
    let moov = part(b"moov", &[&moov(MOVIE)[8..], &deep].concat());
    let file = [support::videos::isom(), moov, part(b"mdat", &support::videos::data())].concat();
    assert!(judged(Mp4, &Endless::new(file, vec![0], 0, vec![])).is_ok());

    let mut deep = element(0xae, b"");
    for _ in 0..10_000 {
        deep = element(0xae, &deep);
    }
    let tracks =
        support::videos::tracks(&[support::videos::video_track(320, 240), element(VOID, &deep)]);
    let file =
        support::videos::webm(&[support::videos::info(), tracks, element(CLUSTER, &blocks())]);
    assert!(judged(Webm, &Endless::new(file, vec![0], 0, vec![])).is_ok());
}

#[test]
fn a_picture_is_read_once_and_at_most_5_megabytes_of_it() {
    let jpeg = sample("jpeg");
    let zeros = MAX_IMAGE_BYTES - jpeg.len() as u64;
    let largest = Endless::new(jpeg.clone(), vec![0], zeros, vec![]);
    assert!(judged(Jpeg, &largest).is_ok());
    assert_eq!(*largest.cost.lock().unwrap(), (2, MAX_IMAGE_BYTES));

    let larger = Endless::new(jpeg.clone(), vec![0], zeros + 1, vec![]);
    assert_eq!(judged(Jpeg, &larger), Err(MediaError::TooLarge(MAX_IMAGE_BYTES + 1)));
    assert_eq!(*larger.cost.lock().unwrap(), (1, 32 * 1024));

    let other = Endless::new(jpeg, vec![0], zeros, vec![]);
    assert!(matches!(judged(Png, &other), Err(MediaError::OtherType { .. })));
    assert_eq!(*other.cost.lock().unwrap(), (1, 32 * 1024));
}

#[test]
fn five_megabytes_of_tiny_parts_are_walked_in_one_pass() {
    let jpeg = [&b"\xff\xd8"[..], &pictures::segment(0xfe, b"").repeat(1_300_000)].concat();
    let png = pngs::file(&[pngs::header(1, 1, 8, 0, 0), pngs::chunk(b"tIME", b"").repeat(430_000)]);
    let gif = pictures::with_block(
        &sample("gif"),
        &[&[0x21, 0xfe][..], &[1, b'x'].repeat(2_500_000), &[0]].concat(),
    );
    let webp = webps::file(&[webps::header(0, 1, 1), webps::chunk(b"JUNK", b"").repeat(600_000)]);
    let fillings = [&b"\xff\xd8"[..], &[0xff; 5_000_000]].concat();
    let zips =
        pictures::with_block(&sample("gif"), &pictures::comment(&b"PK\x05\x06".repeat(1_000_000)));
    for (media, file) in
        [(Jpeg, jpeg), (Png, png), (Gif, gif), (Webp, webp), (Jpeg, fillings), (Gif, zips)]
    {
        assert!(file.len() as u64 <= MAX_IMAGE_BYTES, "{}", file.len());
        let begun = cpu_time::ThreadTime::now();
        let verdict = verify_bytes(media, &file);
        println!("{media} of {} bytes: {:?}: {verdict:?}", file.len(), begun.elapsed());
        // A walk that goes back would take hours.
        assert!(begun.elapsed().as_secs() < 5, "{media} took {:?}", begun.elapsed());
    }
}

#[test]
fn a_picture_may_have_8192_pixels_a_side_and_40_megapixels() {
    let png = |width: u32, height: u32| {
        pngs::file(&[pngs::header(width, height, 8, 0, 0), pngs::chunk(b"IDAT", &pngs::rows(4, 3))])
    };
    let gif = |width: u16, height: u16| {
        let mut gif = sample("gif of 1987");
        gif[6..8].copy_from_slice(&width.to_le_bytes());
        gif[8..10].copy_from_slice(&height.to_le_bytes());
        gif
    };
    let webp = |width: u32, height: u32| {
        let data = (width - 1) | (height - 1) << 14;
        webps::file(&[webps::chunk(b"VP8L", &[&[0x2f][..], &data.to_le_bytes(), &[0; 9]].concat())])
    };
    let jpeg = |width: u32, height: u32| pictures::progressive(width as u16, height as u16);
    for (width, height) in [(8192, 1), (1, 8192), (8192, 4882), (8000, 5000)] {
        let expected = Ok((width, height));
        let size = |facts: MediaInfo| (facts.width, facts.height);
        assert_eq!(verify_bytes(Png, &png(width, height)).map(size), expected);
        assert_eq!(verify_bytes(Gif, &gif(width as u16, height as u16)).map(size), expected);
        assert_eq!(verify_bytes(Webp, &webp(width, height)).map(size), expected);
        assert_eq!(verify_bytes(Jpeg, &jpeg(width, height)).map(size), expected);
    }
    for (width, height) in [(8193, 1), (1, 8193), (16_000, 16_000)] {
        let expected = Err(MediaError::Sides { width, height });
        assert_eq!(verify_bytes(Png, &png(width, height)), expected);
        assert_eq!(verify_bytes(Gif, &gif(width as u16, height as u16)), expected);
        assert_eq!(verify_bytes(Webp, &webp(width, height)), expected);
        assert_eq!(verify_bytes(Jpeg, &jpeg(width, height)), expected);
    }
    let (width, height) = (8192, 4883);
    let refusal = MediaError::Pixels { width, height };
    assert_eq!(
        refusal.to_string(),
        "The picture is 8192 × 4883 pixels; at most 40 megapixels are taken."
    );
    for (media, file) in [
        (Png, png(width, height)),
        (Gif, gif(width as u16, height as u16)),
        (Webp, webp(width, height)),
        (Jpeg, jpeg(width, height)),
    ] {
        assert_eq!(verify_bytes(media, &file), Err(refusal.clone()));
    }
    assert_eq!(
        verify_bytes(Png, &png(u32::MAX, u32::MAX)),
        Err(MediaError::Sides { width: u32::MAX, height: u32::MAX })
    );
}

/// A source that fails, or that returns fewer bytes than requested.
struct Faulty(Option<u64>);

impl Source for Faulty {
    type Error = &'static str;

    fn size(&self) -> u64 {
        1000
    }

    fn read(&self, _: u64, _: u64) -> impl Future<Output = Result<Bytes, &'static str>> + Send {
        std::future::ready(
            self.0.map(|length| Bytes::from(vec![0xff; length as usize])).ok_or("out of reach"),
        )
    }
}

#[test]
fn a_source_that_fails_is_no_refusal_and_one_that_is_short_is() {
    assert_eq!(verdict(Jpeg, &Faulty(None)), Err("out of reach"));
    assert_eq!(verdict(Jpeg, &Faulty(Some(999))), Ok(Err(MediaError::Truncated)));
    assert_eq!(verdict(Jpeg, &Faulty(Some(2000))), Ok(Err(MediaError::Unrecognised(Jpeg))));
}

#[test]
fn a_verification_may_move_between_threads() {
    fn moves<T: Send>(_: T) {}
    moves(media::verify(Mp4, &Faulty(None)));
}

#[test]
fn the_length_of_a_video_is_known_where_the_file_has_it() {
    let seconds = |media: MediaType, name: &str| {
        verify_bytes(media, &sample(name)).unwrap().duration.map(|it| it.as_secs_f64())
    };
    assert_eq!(seconds(Mp4, "mp4"), Some(2.5));
    assert_eq!(seconds(Mp4, "mp4, second version"), Some(2.5));
    assert_eq!(seconds(Webm, "webm"), Some(2.5));
    assert_eq!(seconds(Jpeg, "jpeg"), None);
}

#[test]
fn a_content_type_names_its_type() {
    for media in MediaType::ALL {
        assert_eq!(MediaType::of(media.content_type()), Some(media));
    }
    assert_eq!(MediaType::of("image/svg+xml"), None);
    assert_eq!(MediaType::of("IMAGE/PNG"), None);
    assert_eq!(
        MediaType::ALL.map(MediaType::is_image),
        [true, true, true, true, false, false, false]
    );
}
