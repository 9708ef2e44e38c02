//! Tells a cut from motion and from a change of light.

use super::motion::Step;
use crate::features::Plane;

/// Whether there is a cut between two frames: the distribution of colours changed, and the later
/// frame is not the earlier one shifted by the camera's motion, or made brighter or darker.
pub fn between(before: &Plane, after: &Plane, step: &Step) -> bool {
    if colours_changed(before, after) < 0.3 {
        return false;
    }
    let (plain_before, plain_after) = (deviation(before) < 0.03, deviation(after) < 0.03);
    match (plain_before, plain_after) {
        (true, true) => mean_distance(before, after) > 0.25,
        // From or to a plain frame: a fade shows a faint picture first.
        (true, false) | (false, true) => {
            deviation(before).max(deviation(after)) > 0.08 && mean_distance(before, after) > 0.1
        }
        (false, false) => step.likeness < 0.5,
    }
}

/// Share of pixels whose colour changed: half the sum of the differences of the histograms.
fn colours_changed(before: &Plane, after: &Plane) -> f64 {
    let histogram = |plane: &Plane| {
        let mut bins = [0.0_f64; 8 * 6 * 6];
        for [light, a, b] in &plane.lab {
            let light = (light * 8.0).clamp(0.0, 7.0) as usize;
            let hue = |value: f32| ((value + 0.3) * 10.0).clamp(0.0, 5.0) as usize;
            bins[light * 36 + hue(*a) * 6 + hue(*b)] += 1.0;
        }
        bins.map(|count| count / plane.lab.len() as f64)
    };
    let (before, after) = (histogram(before), histogram(after));
    before.iter().zip(after).map(|(before, after)| (before - after).abs()).sum::<f64>() / 2.0
}

fn mean(plane: &Plane) -> [f64; 3] {
    let count = plane.lab.len() as f64;
    std::array::from_fn(|index| {
        plane.lab.iter().map(|lab| f64::from(lab[index])).sum::<f64>() / count
    })
}

fn mean_distance(one: &Plane, other: &Plane) -> f64 {
    let (one, other) = (mean(one), mean(other));
    one.iter().zip(other).map(|(one, other)| (one - other).powi(2)).sum::<f64>().sqrt()
}

/// Standard deviation of the lightness.
fn deviation(plane: &Plane) -> f64 {
    let mean = mean(plane)[0];
    let squares: f64 = plane.lab.iter().map(|lab| (f64::from(lab[0]) - mean).powi(2)).sum();
    (squares / plane.lab.len() as f64).sqrt()
}
