//! The time that the largest pictures take.

use crate::files;

use std::time::{Duration, Instant};

use files::encode;
use image::{DynamicImage, ImageFormat};
use image_analysis::{decode, recover, visual_features};

#[test]
fn forty_megapixels_are_measured_in_time() {
    let large = image::RgbImage::from_fn(7680, 5200, |x, y| {
        image::Rgb([(x / 31) as u8, (y / 23) as u8, ((x * y) >> 12) as u8])
    });
    for (format, kind) in [(ImageFormat::Jpeg, "image/jpeg"), (ImageFormat::Png, "image/png")] {
        let file = encode(&DynamicImage::ImageRgb8(large.clone()), format);
        // The best of three, as the machine may be busy with other things.
        let took = (0..3).map(|_| {
            let started = Instant::now();
            let seen = visual_features(&decode(&file, kind).expect("a picture"));
            assert_eq!(seen.aspect_ratio, "96:65");
            started.elapsed()
        });
        let took = took.min().unwrap_or_default();
        let started = Instant::now();
        assert_eq!(recover(&file), None);
        println!("{kind}, {} bytes: look {took:?}, recover {:?}", file.len(), started.elapsed());
        assert!(took < Duration::from_millis(1500), "{kind}: {took:?}");
    }
}
