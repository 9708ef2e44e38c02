//! Analysis of pictures and frames without a model.
//!
//! [`recover`] reads the prompt that a generator wrote into the file, word for word. [`decode`]
//! makes a small copy of the pixels, [`visual_features`] measures it, and [`analyze_clip`] measures
//! the frames of a clip. Measurements know nothing of the subject. Every file is assumed to be
//! hostile: sizes, counts and depths are bounded, the work is in proportion to the length and spends steps of the
//! [`budget`], and broken data is not recovered.

mod clip;
mod decode;
mod decode_error;
mod features;
mod fit;
mod header;
mod recover;
mod reduce;

pub use clip::{ClipAnalysis, Motion, Pace, ShotAnalysis, analyze_clip};
pub use decode::{Picture, decode};
pub use decode_error::DecodeError;
pub use features::{
    Detail, Focus, Light, Medium, Side, Swatch, Temperature, Tone, VisualFeatures, visual_features,
};
pub use fit::{Fitted, fit};
pub use header::{LARGEST_AREA, LARGEST_TOTAL, LONGEST_SIDE, dimensions, within_total};
pub use recover::{Recovered, recover, settings};
