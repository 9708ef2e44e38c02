//! How much fine detail a picture has, and what that suggests about its medium.

use std::collections::HashMap;

use image::RgbaImage;

use super::colour::Plane;

/// Amount of fine detail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Plain areas and soft transitions.
    Smooth,
    /// Some edges.
    Moderate,
    /// Edges nearly everywhere.
    Fine,
}

/// Medium that a picture seems to be made in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Medium {
    /// Plain areas of few colours.
    Graphic,
    /// Many colours; neighbours are rarely alike.
    Photographic,
    /// It could be either.
    Unclear,
}

/// Share of pixels whose lightness differs by more than 0.06 from their neighbours.
pub fn edge_density(plane: &Plane) -> f64 {
    let (width, height) = (plane.width, plane.height);
    let mut edges = 0_u32;
    for y in 0..height.saturating_sub(1) {
        for x in 0..width.saturating_sub(1) {
            let here = plane.light(x, y);
            let across = plane.light(x + 1, y) - here;
            let down = plane.light(x, y + 1) - here;
            edges += u32::from(across.hypot(down) > 0.06);
        }
    }
    f64::from(edges) / (width * height).max(1) as f64
}

/// The level of an edge density.
pub fn detail(edges: f64) -> Detail {
    match edges {
        edges if edges < 0.04 => Detail::Smooth,
        edges if edges < 0.2 => Detail::Moderate,
        _ => Detail::Fine,
    }
}

/// Decided by the share of pixels that are like their neighbour, and that of the eight commonest
/// colours. Cannot tell a smooth gradient, a painting and a photograph apart, so the confidence
/// stays low.
pub fn medium(image: &RgbaImage, edges: f64) -> (Medium, f64) {
    let near = |one: [u8; 4], other: [u8; 4]| {
        one.iter().zip(other).all(|(one, other)| one.abs_diff(other) <= 1)
    };
    let mut colours: HashMap<[u8; 3], usize> = HashMap::new();
    let (mut alike, mut pairs) = (0_usize, 0_usize);
    for row in image.rows() {
        let mut before = None;
        for pixel in row {
            let [red, green, blue, _] = pixel.0;
            *colours.entry([red >> 3, green >> 3, blue >> 3]).or_default() += 1;
            if let Some(before) = before {
                pairs += 1;
                alike += usize::from(near(before, pixel.0));
            }
            before = Some(pixel.0);
        }
    }
    let total = (image.width() as usize * image.height() as usize).max(1) as f64;
    let alike = alike as f64 / pairs.max(1) as f64;
    let mut counts: Vec<usize> = colours.values().copied().collect();
    counts.sort_unstable_by(|one, other| other.cmp(one));
    let main = counts.iter().take(8).sum::<usize>() as f64 / total;
    if alike > 0.6 && main > 0.7 {
        (Medium::Graphic, 0.4 + 0.3 * alike.min(main))
    } else if alike < 0.35 && counts.len() > 300 && edges > 0.01 {
        (Medium::Photographic, 0.35 + 0.25 * (1.0 - alike))
    } else {
        (Medium::Unclear, 0.3)
    }
}
