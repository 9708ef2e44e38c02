//! Motion between two frames by block matching, and the camera motion that explains it.

use crate::features::Plane;

/// Blocks per side.
const BLOCKS: usize = 5;
/// Search range of a block, in pixels of the reduced frame.
const REACH: i32 = 12;

/// How much moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Nothing, or hardly anything.
    Still,
    /// Less than a quarter of the width in a second.
    Slow,
    /// More.
    Fast,
}

/// What the camera does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// Turns or moves to the left.
    PanLeft,
    /// Turns or moves to the right.
    PanRight,
    /// Turns or moves up.
    TiltUp,
    /// Turns or moves down.
    TiltDown,
    /// Comes nearer.
    ZoomIn,
    /// Goes away.
    ZoomOut,
}

/// What changed between two frames.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Mean shift of the picture to the right and down, as a share of the width.
    shift: (f64, f64),
    /// Growth from the middle: 0.1 for a tenth.
    growth: f64,
    /// Whether the blocks agree with shift and growth.
    clear: bool,
    /// Mean difference in lightness of pixels at the same position, minus that of the whole frame.
    change: f64,
    /// Correlation of the blocks with their best matches, −1 to 1.
    pub likeness: f64,
}

/// A block and its shift.
struct Block {
    /// Offset of its middle from the frame's middle, in pixels.
    from: (f64, f64),
    way: (f64, f64),
    likeness: f64,
}

/// Compares two frames of the same size.
pub fn between(before: &Plane, after: &Plane) -> Step {
    let blocks = blocks(before, after);
    let change = change(before, after);
    let width = before.width as f64;
    let count = blocks.len() as f64;
    if blocks.len() < 4 {
        return Step {
            shift: (0.0, 0.0),
            growth: 0.0,
            clear: false,
            change,
            likeness: whole(before, after),
        };
    }
    // Least squares of `way = shift + growth × from`; blocks that deviate are moving objects.
    let mut kept: Vec<&Block> = blocks.iter().collect();
    let mut fit = fitted(&kept);
    for _ in 0..3 {
        let near: Vec<&Block> = blocks.iter().filter(|block| fit.error(block) < 1.5).collect();
        if near.len() < 4 || near.len() == kept.len() {
            break;
        }
        kept = near;
        fit = fitted(&kept);
    }
    let agreeing = blocks.iter().filter(|block| fit.error(block) < 1.5).count() as f64;
    Step {
        shift: (fit.shift.0 / width, fit.shift.1 / width),
        growth: fit.growth,
        clear: agreeing >= 0.6 * count && likeness(&blocks) > 0.6,
        change,
        likeness: likeness(&blocks).max(whole(before, after)),
    }
}

fn likeness(blocks: &[Block]) -> f64 {
    blocks.iter().map(|block| block.likeness).sum::<f64>() / blocks.len() as f64
}

struct Fit {
    shift: (f64, f64),
    growth: f64,
}

impl Fit {
    fn error(&self, block: &Block) -> f64 {
        let x = self.shift.0 + self.growth * block.from.0 - block.way.0;
        let y = self.shift.1 + self.growth * block.from.1 - block.way.1;
        x.hypot(y)
    }
}

fn fitted(blocks: &[&Block]) -> Fit {
    let count = blocks.len() as f64;
    let mean = |value: &dyn Fn(&Block) -> f64| {
        blocks.iter().map(|block| value(block)).sum::<f64>() / count
    };
    let (x, y) = (mean(&|block| block.from.0), mean(&|block| block.from.1));
    let (right, down) = (mean(&|block| block.way.0), mean(&|block| block.way.1));
    let spread = mean(&|block| (block.from.0 - x).powi(2) + (block.from.1 - y).powi(2));
    let together = mean(&|block| {
        (block.from.0 - x) * (block.way.0 - right) + (block.from.1 - y) * (block.way.1 - down)
    });
    let growth = if spread > 0.0 { together / spread } else { 0.0 };
    Fit { shift: (right - growth * x, down - growth * y), growth }
}

/// Blocks that are not plain, each with the shift to its best match.
fn blocks(before: &Plane, after: &Plane) -> Vec<Block> {
    let (width, height) = (before.width as i32, before.height as i32);
    let reach = (REACH, REACH.min(height / 5));
    let side = ((width - 2 * reach.0) / BLOCKS as i32, (height - 2 * reach.1) / BLOCKS as i32);
    let mut list = Vec::new();
    for row in 0..BLOCKS as i32 {
        for column in 0..BLOCKS as i32 {
            let corner = (reach.0 + column * side.0, reach.1 + row * side.1);
            let Some(pattern) = Pattern::at(before, corner, side).filter(|it| it.deviation > 0.02)
            else {
                continue;
            };
            let mut best = (f64::MIN, (0, 0));
            for (dx, dy) in nearest_first(reach) {
                let there = (corner.0 + dx, corner.1 + dy);
                let Some(other) = Pattern::at(after, there, side) else { continue };
                budget::spend(other.values.len());
                let alike = pattern.correlation(&other);
                if alike > best.0 + 1e-6 {
                    best = (alike, (dx, dy));
                }
            }
            let middle = |corner: i32, side: i32, whole: i32| {
                f64::from(corner) + f64::from(side) / 2.0 - f64::from(whole) / 2.0
            };
            list.push(Block {
                from: (middle(corner.0, side.0, width), middle(corner.1, side.1, height)),
                way: (f64::from(best.1.0), f64::from(best.1.1)),
                likeness: best.0.max(-1.0),
            });
        }
    }
    list
}

/// All shifts within reach, the shortest first, so that a repeating pattern counts as still.
fn nearest_first(reach: (i32, i32)) -> Vec<(i32, i32)> {
    let mut ways: Vec<(i32, i32)> =
        (-reach.1..=reach.1).flat_map(|dy| (-reach.0..=reach.0).map(move |dx| (dx, dy))).collect();
    ways.sort_by_key(|(dx, dy)| dx * dx + dy * dy);
    ways
}

/// The lightness in a block, without its mean.
struct Pattern {
    values: Vec<f32>,
    deviation: f64,
}

impl Pattern {
    fn at(plane: &Plane, corner: (i32, i32), side: (i32, i32)) -> Option<Self> {
        let fits = corner.0 >= 0
            && corner.1 >= 0
            && corner.0 + side.0 <= plane.width as i32
            && corner.1 + side.1 <= plane.height as i32;
        if !fits || side.0 < 2 || side.1 < 2 {
            return None;
        }
        let mut values = Vec::with_capacity((side.0 * side.1) as usize);
        for y in corner.1..corner.1 + side.1 {
            let start = y as usize * plane.width + corner.0 as usize;
            values.extend(plane.lab[start..start + side.0 as usize].iter().map(|lab| lab[0]));
        }
        let count = values.len() as f32;
        let mean = values.iter().sum::<f32>() / count;
        values.iter_mut().for_each(|value| *value -= mean);
        let squares: f32 = values.iter().map(|value| value * value).sum();
        Some(Self { deviation: f64::from(squares / count).sqrt(), values })
    }

    fn correlation(&self, other: &Self) -> f64 {
        let product: f32 = self.values.iter().zip(&other.values).map(|(a, b)| a * b).sum();
        let scale = self.deviation * other.deviation * self.values.len() as f64;
        if scale > 1e-9 { f64::from(product) / scale } else { 0.0 }
    }
}

/// Correlation of the whole frames without a shift.
fn whole(before: &Plane, after: &Plane) -> f64 {
    let side = (before.width as i32, before.height as i32);
    match (Pattern::at(before, (0, 0), side), Pattern::at(after, (0, 0), side)) {
        (Some(before), Some(after)) => before.correlation(&after),
        _ => 0.0,
    }
}

fn change(before: &Plane, after: &Plane) -> f64 {
    let differences: Vec<f64> = before
        .lab
        .iter()
        .zip(&after.lab)
        .map(|(before, after)| f64::from(after[0]) - f64::from(before[0]))
        .collect();
    let count = differences.len().max(1) as f64;
    let mean = differences.iter().sum::<f64>() / count;
    differences.iter().map(|difference| (difference - mean).abs()).sum::<f64>() / count
}

/// Pace and motion of a shot from the steps between its frames, which are `apart` seconds apart.
pub fn summary(steps: &[Step], apart: f64) -> (Option<Pace>, Option<Motion>) {
    if steps.is_empty() {
        return (None, None);
    }
    let count = steps.len() as f64;
    let mean = |value: &dyn Fn(&Step) -> f64| steps.iter().map(value).sum::<f64>() / count;
    let clear = mean(&|step| f64::from(u8::from(step.clear))) >= 0.5;
    let (across, down) = (mean(&|step| step.shift.0), mean(&|step| step.shift.1));
    let growth = mean(&|step| step.growth);
    let speed = across.hypot(down).max(growth.abs() / 2.0) / apart.max(0.04);
    let change = mean(&|step| step.change);
    let pace = if change < 0.012 {
        Pace::Still
    } else if clear {
        if speed < 0.25 { Pace::Slow } else { Pace::Fast }
    } else if change < 0.06 {
        Pace::Slow
    } else {
        Pace::Fast
    };
    if !clear || pace == Pace::Still {
        return (Some(pace), None);
    }
    // Matching resolves half a pixel; growth moves the edge by half of its value.
    let motion = if growth.abs() / 2.0 > across.abs().max(down.abs()) && growth.abs() > 0.012 {
        Some(if growth > 0.0 { Motion::ZoomIn } else { Motion::ZoomOut })
    } else if across.abs() >= 2.0 * down.abs() && across.abs() > 0.007 {
        // The content moves against the camera.
        Some(if across < 0.0 { Motion::PanRight } else { Motion::PanLeft })
    } else if down.abs() >= 2.0 * across.abs() && down.abs() > 0.007 {
        Some(if down < 0.0 { Motion::TiltDown } else { Motion::TiltUp })
    } else {
        None
    };
    (Some(pace), motion)
}
