//! Analysis of synthetic clips.

use crate::files;

use files::encode;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use image_analysis::{ClipAnalysis, Motion, Pace, Picture, analyze_clip, decode};

/// The frame at an index.
type Frames = Box<dyn Fn(usize) -> Picture>;

/// A frame of a scene, seen from `offset` and enlarged by `scale`.
fn frame(scene: impl Fn(f64, f64) -> [u8; 3], offset: (f64, f64), scale: f64) -> Picture {
    let picture = RgbImage::from_fn(320, 180, |x, y| {
        let x = (f64::from(x) - 160.0) / scale + offset.0;
        let y = (f64::from(y) - 90.0) / scale + offset.1;
        Rgb(scene(x, y))
    });
    let file = encode(&DynamicImage::ImageRgb8(picture), ImageFormat::Png);
    decode(&file, "image/png").expect("a picture")
}

/// Soft hills without repetition nearby.
fn hills(x: f64, y: f64) -> [u8; 3] {
    let wave = |a: f64, b: f64, phase: f64| ((x * a + y * b + phase).sin() + 1.0) / 2.0;
    let light = 0.4 * wave(0.031, 0.013, 0.3)
        + 0.3 * wave(-0.017, 0.057, 1.1)
        + 0.3 * wave(0.071, -0.041, 2.0);
    [(light * 230.0) as u8, (light * 200.0 + 20.0) as u8, (light * 120.0 + 60.0) as u8]
}

/// Another scene: blue stripes.
fn stripes(x: f64, y: f64) -> [u8; 3] {
    let light = (((x + 2.0 * y) * 0.09).sin() + 1.0) / 2.0;
    [10, (light * 60.0) as u8, (100.0 + light * 155.0) as u8]
}

fn only(course: &ClipAnalysis) -> &image_analysis::ShotAnalysis {
    assert_eq!(course.takes.len(), 1, "{:#?}", course.takes);
    &course.takes[0]
}

#[test]
fn a_cut_is_found_between_its_frames() {
    let frames: Vec<Picture> = (0..10)
        .map(|number| {
            if number < 4 { frame(hills, (0.0, 0.0), 1.0) } else { frame(stripes, (0.0, 0.0), 1.0) }
        })
        .collect();
    let course = analyze_clip(&frames, 5.0);
    let times: Vec<(f64, f64)> = course.takes.iter().map(|take| (take.starts, take.ends)).collect();
    assert_eq!(times, [(0.0, 2.0), (2.0, 5.0)]);
    assert_eq!((course.takes[1].first, course.takes[1].frames), (4, 6));
    assert!(
        course.takes.iter().all(|take| take.pace == Some(Pace::Still) && take.motion.is_none())
    );
    assert!(!course.palette.is_empty());
}

#[test]
fn a_pan_a_tilt_and_a_zoom_are_told_apart() {
    let moved = |number: usize, way: f64| number as f64 * way;
    let cases: [(&str, Frames, Motion); 6] = [
        ("right", Box::new(move |n| frame(hills, (moved(n, 12.0), 0.0), 1.0)), Motion::PanRight),
        ("left", Box::new(move |n| frame(hills, (moved(n, -12.0), 0.0), 1.0)), Motion::PanLeft),
        ("down", Box::new(move |n| frame(hills, (0.0, moved(n, 10.0)), 1.0)), Motion::TiltDown),
        ("up", Box::new(move |n| frame(hills, (0.0, moved(n, -10.0)), 1.0)), Motion::TiltUp),
        ("in", Box::new(move |n| frame(hills, (0.0, 0.0), 1.1_f64.powi(n as i32))), Motion::ZoomIn),
        (
            "out",
            Box::new(move |n| frame(hills, (0.0, 0.0), 0.9_f64.powi(n as i32))),
            Motion::ZoomOut,
        ),
    ];
    for (name, at, motion) in cases {
        let frames: Vec<Picture> = (0..8).map(at).collect();
        let course = analyze_clip(&frames, 8.0);
        let take = only(&course);
        assert_eq!(take.motion, Some(motion), "{name}");
        assert_eq!(take.pace, Some(Pace::Slow), "{name}");
        let quick = analyze_clip(&frames, 0.8);
        assert_eq!(only(&quick).pace, Some(Pace::Fast), "{name}");
    }
}

#[test]
fn a_static_clip_does_not_move() {
    let frames: Vec<Picture> = (0..6).map(|_| frame(hills, (0.0, 0.0), 1.0)).collect();
    let course = analyze_clip(&frames, 3.0);
    let take = only(&course);
    assert_eq!((take.pace, take.motion), (Some(Pace::Still), None));
    assert!(take.brightening.abs() < 0.001);
    assert_eq!((take.starts, take.ends), (0.0, 3.0));
}

#[test]
fn a_fade_is_no_cut() {
    let dimmed = |share: f64| {
        move |x: f64, y: f64| hills(x, y).map(|value| (f64::from(value) * share) as u8)
    };
    let rising: Vec<Picture> =
        (0..9).map(|number| frame(dimmed(f64::from(number) / 8.0), (0.0, 0.0), 1.0)).collect();
    let course = analyze_clip(&rising, 4.0);
    let take = only(&course);
    assert!(take.brightening > 0.3, "{}", take.brightening);
    assert_eq!(take.motion, None);
    let falling: Vec<Picture> = rising.into_iter().rev().collect();
    assert!(only(&analyze_clip(&falling, 4.0)).brightening < -0.3);
}

#[test]
fn a_thing_that_moves_is_not_the_camera() {
    let frames: Vec<Picture> = (0..6)
        .map(|number| {
            let centre = f64::from(number) * 30.0 - 80.0;
            let scene = move |x: f64, y: f64| {
                if (x - centre).hypot(y) < 22.0 { [250, 240, 60] } else { hills(x, y) }
            };
            frame(scene, (0.0, 0.0), 1.0)
        })
        .collect();
    let course = analyze_clip(&frames, 3.0);
    let take = only(&course);
    assert_eq!(take.motion, None, "{take:?}");
    assert_ne!(take.pace, Some(Pace::Still));
}

#[test]
fn single_frames_and_none_at_all_show_no_motion() {
    assert!(analyze_clip(&[], 5.0).takes.is_empty());
    let one = analyze_clip(&[frame(hills, (0.0, 0.0), 1.0)], 5.0);
    assert_eq!((only(&one).pace, only(&one).ends), (None, 5.0));
    let two = [frame(hills, (0.0, 0.0), 1.0), frame(stripes, (0.0, 0.0), 1.0)];
    let course = analyze_clip(&two, f64::NAN);
    assert_eq!(course.takes.len(), 2);
    assert!(course.takes.iter().all(|take| take.ends == 0.0 && take.pace.is_none()));
}
