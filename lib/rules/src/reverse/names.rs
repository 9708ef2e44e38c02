//! English names of what was measured in a picture or a shot, from `knowledge/visual/looks.json`.

use std::collections::HashMap;
use std::sync::LazyLock;

use image_analysis::{Focus, Pace, ShotAnalysis, Tone, VisualFeatures};

/// The names of what was measured of one aspect.
pub type Names = Vec<&'static str>;

static NAMES: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../../knowledge/visual/looks.json"))
        .expect("looks.json is compiled in")
});

/// The names of measures that have one; the others are not worth a word.
fn named(measures: impl IntoIterator<Item = String>) -> Names {
    measures.into_iter().filter_map(|measure| NAMES.get(&measure).map(String::as_str)).collect()
}

/// Brightness, contrast, temperature, and where the light comes from.
pub fn lighting(look: &VisualFeatures) -> Names {
    let light = &look.light;
    let flat = light.tone == Tone::Even && light.contrast < 0.15;
    named([
        format!("tone {:?}{}", light.tone, if flat { " flat" } else { "" }),
        format!(
            "temperature {:?}{}",
            light.temperature,
            if look.monochrome { " grey" } else { "" }
        ),
        light.from.map(|side| format!("from {side:?}")).unwrap_or_default(),
    ])
}

/// Where the detail is, symmetry, empty space and a horizon.
pub fn composition(look: &VisualFeatures) -> Names {
    let edge = look.horizon.map(|height| match height {
        height if height < 0.42 => "high",
        height if height > 0.58 => "low",
        _ => "half",
    });
    named([
        format!("focus {:?}", look.focus),
        format!("mirrored {}", look.symmetric),
        format!("empty {}", look.negative_space >= 0.4 && look.focus != Focus::Nowhere),
        format!("edge {}", edge.unwrap_or_default()),
    ])
}

/// How it seems to be made, and how fine it is.
pub fn rendering(look: &VisualFeatures) -> Names {
    named([format!("medium {:?}", look.medium.0), format!("detail {:?}", look.detail)])
}

/// The strength of the colours, where it is remarkable.
pub fn colourfulness(look: &VisualFeatures) -> Names {
    let strength = match look.saturation {
        _ if look.monochrome => "grey",
        strong if strong > 0.45 => "strong",
        weak if weak < 0.15 => "weak",
        _ => "usual",
    };
    named([format!("colour {strength}")])
}

/// What the camera or the subject does; nothing for a single frame.
pub fn moving(take: &ShotAnalysis) -> Option<&'static str> {
    let pace = take.pace?;
    let measure = match take.motion {
        Some(motion) if pace == Pace::Slow => format!("camera {motion:?} Slow"),
        Some(motion) => format!("camera {motion:?} Fast"),
        None => format!("motion {pace:?}"),
    };
    named([measure]).pop()
}

/// The light of a shot, and a change of it that can be seen.
pub fn light(take: &ShotAnalysis) -> Names {
    let change = match take.brightening {
        more if more > 0.15 => "brighter",
        less if less < -0.15 => "darker",
        _ => "none",
    };
    lighting(&take.look).into_iter().chain(named([format!("change {change}")])).collect()
}
