//! Measures the frames of a clip: cuts, camera motion, light and colours over time.

mod cut;
mod motion;

pub use self::motion::{Motion, Pace};

use image::imageops::{FilterType, resize};

use crate::features::{Plane, palette_of};
use crate::{Picture, Swatch, VisualFeatures, visual_features};

/// Width of the frames that are compared, in pixels.
const WIDTH: u32 = 96;

/// Measurements of a clip's frames.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipAnalysis {
    /// Length in seconds.
    pub seconds: f64,
    /// The shots in order, without gaps.
    pub takes: Vec<ShotAnalysis>,
    /// Colours of all frames together, the largest share first.
    pub palette: Vec<Swatch>,
}

/// A shot: the frames between two cuts.
#[derive(Clone, Debug, PartialEq)]
pub struct ShotAnalysis {
    /// Start, in seconds.
    pub starts: f64,
    /// End, in seconds.
    pub ends: f64,
    /// Index of the first frame, from 0.
    pub first: usize,
    /// Number of frames.
    pub frames: usize,
    /// How much moves; `None` for a single frame.
    pub pace: Option<Pace>,
    /// What the camera does, if that is clear.
    pub motion: Option<Motion>,
    /// Lightness of the last frame minus that of the first, −1 to 1.
    pub brightening: f64,
    /// How the middle frame looks.
    pub look: VisualFeatures,
}

/// A frame, reduced for comparison.
struct Frame {
    plane: Plane,
    brightness: f64,
}

/// Measures the frames of a clip, which are assumed to be evenly spaced over its length. Times are
/// as exact as the distance of the frames. Without frames there are no shots.
pub fn analyze_clip(frames: &[Picture], seconds: f64) -> ClipAnalysis {
    let seconds = if seconds.is_finite() { seconds.max(0.0) } else { 0.0 };
    let reduced: Vec<Frame> = reduce(frames);
    let steps: Vec<motion::Step> =
        reduced.windows(2).map(|pair| motion::between(&pair[0].plane, &pair[1].plane)).collect();
    let mut starts = vec![0];
    starts
        .extend((1..frames.len()).filter(|at| {
            cut::between(&reduced[at - 1].plane, &reduced[*at].plane, &steps[at - 1])
        }));
    let apart = seconds / frames.len().max(1) as f64;
    let ends = starts.iter().skip(1).copied().chain([frames.len()]);
    let takes = starts
        .iter()
        .zip(ends)
        .filter(|(first, end)| *first < end)
        .map(|(&first, end)| {
            let (pace, motion) = motion::summary(&steps[first..end - 1], apart);
            ShotAnalysis {
                starts: first as f64 * apart,
                ends: end as f64 * apart,
                first,
                frames: end - first,
                pace,
                motion,
                brightening: reduced[end - 1].brightness - reduced[first].brightness,
                look: visual_features(&frames[first + (end - first) / 2]),
            }
        })
        .collect();
    let planes: Vec<Plane> = reduced.into_iter().map(|frame| frame.plane).collect();
    ClipAnalysis { seconds, takes, palette: palette_of(&planes) }
}

/// All frames, with the aspect ratio of the first.
fn reduce(frames: &[Picture]) -> Vec<Frame> {
    let Some(first) = frames.first() else { return Vec::new() };
    let (width, height) = (u64::from(first.width()), u64::from(first.height()));
    let height = u32::try_from(u64::from(WIDTH) * height / width).unwrap_or(WIDTH).clamp(24, 192);
    frames
        .iter()
        .map(|frame| {
            let plane = Plane::of(&resize(frame.copy(), WIDTH, height, FilterType::Triangle));
            let sum: f64 = plane.lab.iter().map(|lab| f64::from(lab[0])).sum();
            Frame { brightness: sum / plane.lab.len() as f64, plane }
        })
        .collect()
}
