//! Measures a picture's colours, light, composition and detail, without regard to its subject.

mod colour;
mod composition;
mod detail;
mod light;

pub use self::colour::Swatch;
pub use self::composition::{Focus, Side};
pub use self::detail::{Detail, Medium};
pub use self::light::{Light, Temperature, Tone};

pub(crate) use self::colour::{Plane, palette_of};

use crate::Picture;

/// How a picture looks.
#[derive(Clone, Debug, PartialEq)]
pub struct VisualFeatures {
    /// Width to height: a common ratio such as `16:9` if it is within one percent of it, else the
    /// ratio in lowest terms.
    pub aspect_ratio: String,
    /// At most six colours, the largest share of the visible area first.
    pub palette: Vec<Swatch>,
    /// Whether there is almost no hue.
    pub monochrome: bool,
    /// Mean chroma as a share of that of pure red, 0 to 1.
    pub saturation: f64,
    /// Brightness, contrast and where the light is.
    pub light: Light,
    /// Where the detail is.
    pub focus: Focus,
    /// Whether the left half mirrors the right one.
    pub symmetric: bool,
    /// Share of the area without detail, 0 to 1.
    pub negative_space: f64,
    /// Height of an edge from side to side that could be a horizon, 0 (top) to 1 (bottom).
    pub horizon: Option<f64>,
    /// Amount of fine detail.
    pub detail: Detail,
    /// Whether it seems drawn or photographed, with a confidence from 0 to 1.
    pub medium: (Medium, f64),
    /// Share of the area that is transparent, 0 to 1.
    pub transparent: f64,
}

/// Measures a picture.
pub fn visual_features(picture: &Picture) -> VisualFeatures {
    let plane = Plane::of(picture.copy());
    let (saturation, monochrome) = plane.saturation();
    let composition = composition::measure(&plane);
    let edges = detail::edge_density(&plane);
    VisualFeatures {
        aspect_ratio: aspect_ratio(picture.width(), picture.height()),
        palette: palette_of(std::slice::from_ref(&plane)),
        monochrome,
        saturation,
        light: light::measure(&plane),
        focus: composition.focus,
        symmetric: composition.symmetric,
        negative_space: composition.negative_space,
        horizon: composition.horizon,
        detail: detail::detail(edges),
        medium: detail::medium(picture.copy(), edges),
        transparent: plane.transparent(),
    }
}

/// A common ratio within one percent, else the exact one in lowest terms.
fn aspect_ratio(width: u32, height: u32) -> String {
    const COMMON: [(u32, u32); 15] = [
        (1, 1),
        (5, 4),
        (4, 5),
        (4, 3),
        (3, 4),
        (3, 2),
        (2, 3),
        (16, 10),
        (10, 16),
        (16, 9),
        (9, 16),
        (2, 1),
        (1, 2),
        (21, 9),
        (9, 21),
    ];
    let ratio = f64::from(width) / f64::from(height);
    let near = COMMON
        .iter()
        .find(|(wide, high)| (ratio / (f64::from(*wide) / f64::from(*high)) - 1.0).abs() <= 0.01);
    let (wide, high) = near.copied().unwrap_or_else(|| {
        let divisor = divisor(width, height);
        (width / divisor, height / divisor)
    });
    format!("{wide}:{high}")
}

fn divisor(one: u32, other: u32) -> u32 {
    if other == 0 { one.max(1) } else { divisor(other, one % other) }
}
