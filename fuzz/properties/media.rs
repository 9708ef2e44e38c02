//! What is true of every file that someone uploads.

use media::{MAX_IMAGE_BYTES, MAX_PIXELS, MAX_SIDE, MediaType, verify_bytes};

/// A file is at most one type of media, and an accepted picture is within the bounds.
pub fn hold(file: &[u8]) {
    let verdicts = MediaType::ALL.map(|media| (media, verify_bytes(media, file)));
    let mut accepted =
        verdicts.iter().filter_map(|(media, verdict)| Some((media, verdict.as_ref().ok()?)));
    let Some((media, info)) = accepted.next() else { return };
    assert!(accepted.next().is_none(), "{verdicts:?}");
    if media.is_image() {
        assert!(file.len() as u64 <= MAX_IMAGE_BYTES);
        assert!((1..=MAX_SIDE).contains(&info.width) && (1..=MAX_SIDE).contains(&info.height));
        assert!(u64::from(info.width) * u64::from(info.height) <= MAX_PIXELS);
    }
}
