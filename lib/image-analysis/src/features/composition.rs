//! Where the detail of a picture is.

use super::colour::{Plane, distance};

/// Cells per side of the grid on which detail is summed up.
const CELLS: usize = 12;

/// Where the detail is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Focus {
    /// There is no detail.
    Nowhere,
    /// In the middle.
    Centre,
    /// Near an intersection of the lines that divide the picture into thirds; the nearer sides.
    Third(Side, Side),
    /// Mostly at one side.
    Towards(Side),
    /// All over.
    Spread,
}

/// A side of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Left.
    Left,
    /// Right.
    Right,
    /// Top.
    Top,
    /// Bottom.
    Bottom,
}

/// How a picture is composed.
pub struct Composition {
    pub focus: Focus,
    /// Whether the left half mirrors the right one.
    pub symmetric: bool,
    /// Share of cells without detail.
    pub negative_space: f64,
    /// Height of an edge from side to side, 0 at the top to 1 at the bottom.
    pub horizon: Option<f64>,
}

/// Measures the composition.
pub fn measure(plane: &Plane) -> Composition {
    let cells = cells(plane);
    let total: f32 = cells.iter().sum();
    // An empty cell has less than a tenth of the mean detail.
    let floor = (0.1 * total / cells.len() as f32).max(0.002);
    let empty = cells.iter().filter(|cell| **cell < floor).count();
    Composition {
        focus: focus(&cells, total),
        symmetric: symmetric(plane),
        negative_space: empty as f64 / cells.len() as f64,
        horizon: horizon(plane),
    }
}

/// Mean difference between neighbouring pixels, cell by cell.
fn cells(plane: &Plane) -> Vec<f32> {
    let mut sums = vec![0.0_f32; CELLS * CELLS];
    let mut counts = vec![0.0_f32; CELLS * CELLS];
    for y in 0..plane.height.saturating_sub(1) {
        for x in 0..plane.width.saturating_sub(1) {
            let at = y * plane.width + x;
            let here = plane.lab[at];
            let change =
                distance(here, plane.lab[at + 1]) + distance(here, plane.lab[at + plane.width]);
            let cell = y * CELLS / plane.height * CELLS + x * CELLS / plane.width;
            sums[cell] += change;
            counts[cell] += 1.0;
        }
    }
    sums.iter()
        .zip(counts)
        .map(|(sum, count)| if count > 0.0 { sum / count } else { 0.0 })
        .collect()
}

/// Decided by the detail's centre of mass and its mean distance from there.
fn focus(cells: &[f32], total: f32) -> Focus {
    if total / (cells.len() as f32) < 0.002 {
        return Focus::Nowhere;
    }
    let place = |index: usize| {
        let middle = |cell: usize| (cell as f32 + 0.5) / CELLS as f32;
        (middle(index % CELLS), middle(index / CELLS))
    };
    let weighted = |value: &dyn Fn(usize) -> f32| {
        cells.iter().enumerate().map(|(index, cell)| cell * value(index)).sum::<f32>() / total
    };
    let x = weighted(&|index| place(index).0);
    let y = weighted(&|index| place(index).1);
    let radius = weighted(&|index| (place(index).0 - x).hypot(place(index).1 - y));
    let (left, top) = (x < 0.5, y < 0.5);
    let (beside, above) =
        (if left { Side::Left } else { Side::Right }, if top { Side::Top } else { Side::Bottom });
    let off = ((x - 0.5).abs(), (y - 0.5).abs());
    // Evenly spread detail has a mean distance of 0.38.
    if radius < 0.25 && off.0 < 0.09 && off.1 < 0.09 {
        Focus::Centre
    } else if radius < 0.25 && (0.09..0.25).contains(&off.0) && (0.09..0.25).contains(&off.1) {
        Focus::Third(above, beside)
    } else if off.0.max(off.1) > 0.1 {
        Focus::Towards(if off.0 >= off.1 { beside } else { above })
    } else {
        Focus::Spread
    }
}

/// Whether the difference to the mirror image is small compared with the contrast.
fn symmetric(plane: &Plane) -> bool {
    let count = plane.lab.len().max(1) as f32;
    let mean = plane.lab.iter().map(|lab| lab[0]).sum::<f32>() / count;
    let contrast = plane.lab.iter().map(|lab| (lab[0] - mean).abs()).sum::<f32>() / count;
    let mut difference = 0.0;
    for row in plane.lab.chunks_exact(plane.width) {
        difference += row.iter().zip(row.iter().rev()).map(|(a, b)| distance(*a, *b)).sum::<f32>();
    }
    // A plain area mirrors itself, which means nothing.
    contrast > 0.02 && difference / count < 0.3 * contrast
}

/// The only height at which more than two thirds of the columns change much.
fn horizon(plane: &Plane) -> Option<f64> {
    const STEP: usize = 2;
    let (width, height) = (plane.width, plane.height);
    if height < 16 || width < 16 {
        return None;
    }
    let shares: Vec<f64> = (STEP..height - STEP)
        .map(|y| {
            let changed = (0..width).filter(|x| {
                let above = plane.lab[(y - STEP) * width + x];
                distance(above, plane.lab[(y + STEP - 1) * width + x]) > 0.08
            });
            changed.count() as f64 / width as f64
        })
        .collect();
    let best = shares.iter().copied().fold(0.0, f64::max);
    let strong: Vec<usize> = (0..shares.len()).filter(|y| shares[*y] > 0.5 * best).collect();
    let (first, last) = (*strong.first()?, *strong.last()?);
    let middle = ((first + last) as f64 / 2.0 + STEP as f64) / height as f64;
    (best > 0.66 && last - first <= height / 20 + 2 * STEP && (0.1..=0.9).contains(&middle))
        .then_some(middle)
}
