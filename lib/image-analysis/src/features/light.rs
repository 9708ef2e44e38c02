//! Brightness, contrast, colour temperature and the side that the light comes from.

use super::colour::Plane;
use super::composition::Side;

/// The light in a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Light {
    /// Mean perceived lightness, 0 to 1.
    pub brightness: f64,
    /// Doubled standard deviation of the lightness: 0 if flat, 1 for half black and half white.
    pub contrast: f64,
    /// The distribution of light and dark.
    pub tone: Tone,
    /// Warm or cool.
    pub temperature: Temperature,
    /// The brighter side, if the lightness rises steadily towards one.
    pub from: Option<Side>,
}

/// How light and dark are distributed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Dark on the whole.
    LowKey,
    /// Bright on the whole, without dark parts.
    HighKey,
    /// Bright and dark parts beside each other.
    Contrasting,
    /// Neither.
    Even,
}

/// Whether yellow and red or blue prevail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Temperature {
    /// Yellow, orange or red.
    Warm,
    /// Blue or cyan.
    Cool,
    /// Neither.
    Neutral,
}

/// Measures the light.
pub fn measure(plane: &Plane) -> Light {
    let mut light: Vec<f32> = plane.seen().map(|lab| lab[0]).collect();
    light.sort_by(f32::total_cmp);
    let count = light.len().max(1) as f64;
    let quantile = |share: f64| {
        light.get((share * (count - 1.0)) as usize).map_or(0.0, |value| f64::from(*value))
    };
    let mean = light.iter().map(|value| f64::from(*value)).sum::<f64>() / count;
    let variance =
        light.iter().map(|value| (f64::from(*value) - mean).powi(2)).sum::<f64>() / count;
    let deviation = variance.sqrt();
    let tone = if mean < 0.36 && quantile(0.5) < 0.36 {
        Tone::LowKey
    } else if mean > 0.8 && quantile(0.1) > 0.6 {
        Tone::HighKey
    } else if deviation > 0.22 {
        Tone::Contrasting
    } else {
        Tone::Even
    };
    Light {
        brightness: mean,
        contrast: (deviation * 2.0).min(1.0),
        tone,
        temperature: temperature(plane, count),
        from: from(plane, deviation),
    }
}

fn temperature(plane: &Plane, count: f64) -> Temperature {
    let sum = plane.seen().map(|[_, a, b]| f64::from(*b) + 0.4 * f64::from(*a)).sum::<f64>();
    match sum / count {
        warm if warm > 0.02 => Temperature::Warm,
        cool if cool < -0.02 => Temperature::Cool,
        _ => Temperature::Neutral,
    }
}

/// The side towards which the lightness rises: the slope of the best fitting plane, if that
/// explains a third of the variance and differs by at least 0.12 from one side to the other.
fn from(plane: &Plane, deviation: f64) -> Option<Side> {
    let (width, height) = (plane.width as f64, plane.height as f64);
    let (mut across, mut down, mut count) = (0.0, 0.0, 0.0);
    let (mut squares_x, mut squares_y) = (0.0, 0.0);
    for y in 0..plane.height {
        for x in 0..plane.width {
            if plane.visible[y * plane.width + x] {
                let horizontal = (x as f64 + 0.5) / width - 0.5;
                let vertical = (y as f64 + 0.5) / height - 0.5;
                let light = f64::from(plane.light(x, y));
                across += horizontal * light;
                down += vertical * light;
                squares_x += horizontal * horizontal;
                squares_y += vertical * vertical;
                count += 1.0;
            }
        }
    }
    if squares_x == 0.0 || squares_y == 0.0 || plane.transparent() > 0.05 {
        return None;
    }
    let (across, down) = (across / squares_x, down / squares_y);
    let explained = (across * across * squares_x + down * down * squares_y) / count;
    if explained < 0.33 * deviation * deviation || across.abs().max(down.abs()) < 0.12 {
        return None;
    }
    match (across.abs() > 1.5 * down.abs(), down.abs() > 1.5 * across.abs()) {
        (true, _) => Some(if across > 0.0 { Side::Right } else { Side::Left }),
        (_, true) => Some(if down > 0.0 { Side::Bottom } else { Side::Top }),
        _ => None,
    }
}
