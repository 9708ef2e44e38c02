//! Words about pictures and clips.

use patterns::{Pattern, pattern};

/// Where something is, and pictures that need no place.
pub const PLACE: Pattern = pattern!(
    r"(?i)(?-u:\b){analyze_visual.place}(?-u:\b)|(?-u:\b){analyze_visual.placeless}(?-u:\b)"
);

/// Styles and techniques.
pub const STYLE: Pattern = pattern!(r"(?i)(?-u:\b)(?:3d|35mm|{analyze_visual.style})(?-u:\b)");

/// Light.
pub const LIGHT: Pattern = pattern!(r"(?i)(?-u:\b){analyze_visual.light}(?-u:\b)");

/// Pictures that need no light.
pub const FLAT: Pattern = pattern!(r"(?i)(?-u:\b){analyze_visual.flat}(?-u:\b)");

/// Framing and format.
pub const COMPOSITION: Pattern = pattern!(
    r"(?i)(?-u:\b)(?:\d{2,3}mm|f/\d|{analyze_visual.composition})(?-u:\b)|--ar(?-u:\b)|(?-u:\b)\d{1,2}:\d{1,2}(?-u:\b)"
);

/// Pictures that need no framing.
pub const PLACELESS: Pattern = pattern!(r"(?i)(?-u:\b){analyze_visual.placeless}(?-u:\b)");

/// What happens in a clip.
pub const MOTION: Pattern = pattern!(r"(?i)(?-u:\b){analyze_visual.motion}(?-u:\b)");

/// Ways in which a camera moves or stays.
pub const CAMERA: Pattern = pattern!(r"(?i)(?-u:\b){analyze_visual.camera}(?-u:\b)");

/// Whether clips of a family of models keep to one movement of the camera.
pub fn takes_one_move(family: &str) -> bool {
    matches!(family, "veo" | "runway" | "ray")
}

/// Different movements of the camera that are named.
pub fn moves(prose: &str) -> usize {
    [
        pattern!(r"(?i)(?-u:\b){analyze_fit.pan}(?-u:\b)"),
        pattern!(r"(?i)(?-u:\b){analyze_fit.tilt}(?-u:\b)"),
        pattern!(r"(?i)(?-u:\b){analyze_fit.zoom}(?-u:\b)"),
        pattern!(r"(?i)(?-u:\b){analyze_fit.dolly}(?-u:\b)"),
        pattern!(r"(?i)(?-u:\b){analyze_fit.orbit}(?-u:\b)"),
        pattern!(r"(?i)(?-u:\b){analyze_fit.crane}(?-u:\b)"),
        pattern!(r"(?i)(?-u:\b){analyze_fit.track}(?-u:\b)"),
        pattern!(r"(?i)(?-u:\b){analyze_fit.other_move}(?-u:\b)"),
    ]
    .into_iter()
    .filter(|pattern| pattern.is_match(prose))
    .count()
}
