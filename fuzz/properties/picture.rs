//! What is true of every picture that is analysed, whatever its metadata say.

use image_analysis::{decode, dimensions, fit, recover, settings, visual_features};

const TYPES: [&str; 4] = ["image/png", "image/jpeg", "image/webp", "image/gif"];
/// Larger ones only take more time.
const PIXELS: u64 = 1 << 20;
/// Longest side and most bytes of the fitted copy.
const SIDE: u32 = 64;
const BYTES: usize = 4096;

/// A file has at most one type, measurements are shares, a fitted picture fits, and a recovered prompt is within bounds.
pub fn hold(file: &[u8]) {
    if let Ok(line) = std::str::from_utf8(file) {
        let _ = settings(line);
    }
    let (width, height) = dimensions(file).unwrap_or_default();
    if u64::from(width) * u64::from(height) > PIXELS {
        return;
    }
    if let Some(found) = recover(file) {
        assert!(!found.prompt.trim().is_empty() && found.prompt.len() <= 400_000);
        assert!(found.negative_prompt.as_ref().is_none_or(|text| !text.trim().is_empty()));
        assert!(TYPES.contains(&format!("image/{}", found.container).as_str()));
    }
    let decoded: Vec<_> =
        TYPES.into_iter().filter_map(|media| Some((media, decode(file, media).ok()?))).collect();
    assert!(decoded.len() <= 1);
    let Some((media, picture)) = decoded.first() else { return };
    let (a, b) = (picture.width(), picture.height());
    assert!([(width, height), (height, width)].contains(&(a, b)), "{width}×{height}, {a}×{b}");
    let features = visual_features(picture);
    let shares = [features.saturation, features.negative_space, features.transparent];
    assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)), "{features:?}");
    assert!(features.palette.len() <= 6);
    if let Some(fitted) = fit(file, media, SIDE, BYTES).expect("a picture that was decoded") {
        let (width, height) = dimensions(&fitted.bytes).expect("a picture");
        assert!(width.max(height) <= SIDE, "{width}×{height}");
        assert!(fitted.bytes.len() <= BYTES || width.max(height) == 1);
        assert!(decode(&fitted.bytes, fitted.media_type).is_ok());
    }
}
