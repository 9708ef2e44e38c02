//! Features of synthetic pictures.

use crate::files;

use files::encode;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use image_analysis::{
    Detail, Focus, Medium, Side, Temperature, Tone, VisualFeatures, decode, visual_features,
};

fn measured(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 3]) -> VisualFeatures {
    let picture = RgbImage::from_fn(width, height, |x, y| Rgb(pixel(x, y)));
    let file = encode(&DynamicImage::ImageRgb8(picture), ImageFormat::Png);
    visual_features(&decode(&file, "image/png").expect("a picture"))
}

/// Deterministic noise.
fn noise(x: u32, y: u32) -> u8 {
    let mut value = x.wrapping_mul(0x9e37_79b1) ^ y.wrapping_mul(0x85eb_ca6b);
    value ^= value >> 15;
    value = value.wrapping_mul(0x2c1b_3c6d);
    (value >> 24) as u8
}

#[test]
fn aspect_ratios_are_named_when_they_are_common() {
    for (width, height, ratio) in [
        (1920, 1080, "16:9"),
        (1344, 768, "7:4"),
        (1376, 774, "16:9"),
        (1080, 1920, "9:16"),
        (1024, 1024, "1:1"),
        (1000, 1005, "1:1"),
        (1200, 1600, "3:4"),
        (600, 100, "6:1"),
        (1, 700, "1:700"),
    ] {
        assert_eq!(measured(width, height, |_, _| [9; 3]).aspect_ratio, ratio, "{width}×{height}");
    }
}

#[test]
fn a_palette_has_the_flat_colours_with_their_shares() {
    let seen = measured(400, 200, |x, _| match x {
        0..200 => [31, 111, 235],
        200..320 => [255, 200, 0],
        _ => [20, 20, 20],
    });
    let colours: Vec<&str> = seen.palette.iter().map(|swatch| swatch.hex.as_str()).collect();
    assert_eq!(colours, ["#1f6feb", "#ffc800", "#141414"]);
    for (swatch, share) in seen.palette.iter().zip([0.5, 0.3, 0.2]) {
        assert!((swatch.share - share).abs() < 0.02, "{swatch:?}");
    }
    assert!(!seen.monochrome);
    assert_eq!(seen.medium.0, Medium::Graphic);
    assert!(seen.medium.1 <= 0.7);
}

#[test]
fn shares_never_sum_to_more_than_one_and_colours_are_at_most_six() {
    for (width, height) in [(3, 3), (255, 255), (300, 77)] {
        let seen = measured(width, height, |x, y| [noise(x, y), noise(y, x), noise(x + 9, y)]);
        let sum: f64 = seen.palette.iter().map(|swatch| swatch.share).sum();
        assert!(sum <= 1.0 && seen.palette.len() <= 6, "{:?}", seen.palette);
    }
}

#[test]
fn a_gradient_is_lit_from_its_bright_side() {
    let rise = |value: u32, length: u32| [(value * 255 / length) as u8; 3];
    for (seen, side) in [
        (measured(300, 200, |x, _| rise(x, 300)), Side::Right),
        (measured(300, 200, |x, _| rise(300 - x, 300)), Side::Left),
        (measured(300, 200, |_, y| rise(200 - y, 200)), Side::Top),
        (measured(300, 200, |_, y| rise(y, 200)), Side::Bottom),
    ] {
        assert_eq!(seen.light.from, Some(side));
        assert!(seen.monochrome);
        assert_eq!(seen.detail, Detail::Smooth);
    }
}

#[test]
fn halves_contrast_and_have_a_horizon_when_they_lie_upon_each_other() {
    let upon = measured(320, 200, |_, y| if y < 80 { [140, 190, 250] } else { [40, 30, 20] });
    assert_eq!(upon.light.tone, Tone::Contrasting);
    assert_eq!(upon.light.from, Some(Side::Top));
    let horizon = upon.horizon.expect("a horizon");
    assert!((horizon - 0.4).abs() < 0.03, "{horizon}");
    assert!(upon.symmetric);
    let beside = measured(320, 200, |x, _| if x < 160 { [0; 3] } else { [255; 3] });
    assert_eq!(beside.horizon, None);
    assert_eq!(beside.light.from, Some(Side::Right));
    assert!(!beside.symmetric);
    assert!(beside.light.contrast > 0.9);
}

#[test]
fn a_chequerboard_is_full_of_edges_and_lit_from_nowhere() {
    let seen = measured(240, 240, |x, y| if (x / 4 + y / 4) % 2 == 0 { [0; 3] } else { [255; 3] });
    assert_eq!(seen.detail, Detail::Fine);
    assert_eq!(seen.focus, Focus::Spread);
    assert_eq!(seen.light.from, None);
    assert_eq!(seen.horizon, None);
    assert!(seen.negative_space < 0.05);
    assert!(seen.monochrome);
}

#[test]
fn a_bright_spot_in_the_dark_is_where_the_picture_looks() {
    let spot = |at: (i32, i32)| {
        measured(300, 300, move |x, y| {
            let far = (x as i32 - at.0).pow(2) + (y as i32 - at.1).pow(2);
            if far < 900 { [250, noise(x, y), 180] } else { [8, 8, 10] }
        })
    };
    let middle = spot((150, 150));
    assert_eq!(middle.light.tone, Tone::LowKey);
    assert_eq!(middle.focus, Focus::Centre);
    assert!(middle.negative_space > 0.7, "{}", middle.negative_space);
    assert_eq!(spot((100, 100)).focus, Focus::Third(Side::Top, Side::Left));
    assert_eq!(spot((200, 200)).focus, Focus::Third(Side::Bottom, Side::Right));
    assert_eq!(spot((40, 150)).focus, Focus::Towards(Side::Left));
}

#[test]
fn a_grey_area_says_nothing_and_claims_nothing() {
    let seen = measured(120, 90, |_, _| [128; 3]);
    assert_eq!(seen.focus, Focus::Nowhere);
    assert_eq!(seen.light.tone, Tone::Even);
    assert_eq!(seen.light.temperature, Temperature::Neutral);
    assert_eq!(seen.light.from, None);
    assert_eq!(seen.horizon, None);
    assert!(seen.monochrome && !seen.symmetric && seen.light.contrast < 0.01);
    assert_eq!(seen.palette.len(), 1);
    assert_eq!((seen.palette[0].hex.as_str(), seen.palette[0].share), ("#808080", 1.0));
}

#[test]
fn temperature_saturation_and_key_follow_the_colours() {
    assert_eq!(measured(50, 50, |_, _| [220, 150, 60]).light.temperature, Temperature::Warm);
    assert_eq!(measured(50, 50, |_, _| [60, 120, 220]).light.temperature, Temperature::Cool);
    assert_eq!(measured(50, 50, |_, _| [245, 245, 240]).light.tone, Tone::HighKey);
    let vivid = measured(50, 50, |_, _| [255, 0, 0]);
    assert!(vivid.saturation > 0.95 && !vivid.monochrome);
    assert!(measured(50, 50, |_, _| [130, 125, 120]).saturation < 0.15);
}

#[test]
fn grain_all_over_seems_photographic_and_never_sure() {
    let seen = measured(256, 256, |x, y| {
        let grain = i32::from(noise(x, y) % 24);
        [x as i32 / 2 + grain, y as i32 / 2 + grain + 20, 90 + grain + (x as i32 ^ y as i32) % 30]
            .map(|value| value.clamp(0, 255) as u8)
    });
    assert_eq!(seen.medium.0, Medium::Photographic, "{:?}", seen.medium);
    assert!(seen.medium.1 <= 0.6);
}
