//! What pictures and frames tell without anybody looking at them.
//!
//! [`recover`] reads the prompt that a generator wrote into the file, word for word. [`decode`] makes a
//! small copy of the pixels, [`look`] measures it, and [`over_time`] measures the frames of a clip.
//! Measurements know nothing of what is shown. Every file is taken for hostile: sizes, counts and depths
//! are bounded, and whatever is broken is not recovered.

mod clip;
mod decode;
mod fit;
mod header;
mod look;
mod recover;
mod reduce;

pub use clip::{Course, Motion, Pace, Take, over_time};
pub use decode::{Picture, Undecodable, decode};
pub use fit::{Fitted, fit};
pub use header::{LARGEST_AREA, LARGEST_TOTAL, LONGEST_SIDE, dimensions, within_total};
pub use look::{Detail, Focus, Light, Look, Medium, Side, Swatch, Temperature, Tone, look};
pub use recover::{Recovered, recover};
