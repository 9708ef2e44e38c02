//! Saying what was measured in a picture.

use image_analysis::{Detail, Focus, Medium, Side, Temperature, Tone, VisualFeatures};

use super::colours;
use super::result::hundredths;
use super::wording::{Words, said};
use engine::{KeyElement, Style, Swatch};

/// English names of what was measured of one aspect.
pub type Names = Vec<&'static str>;

/// The look in the terms of results.
pub fn style(look: &VisualFeatures, words: &Words) -> Style {
    Style {
        palette: swatches(&look.palette),
        aspect_ratio: look.aspect_ratio.clone(),
        lighting: words.list(&lighting(look)),
        composition: words.list(&composition(look)),
    }
}

/// Colours in the terms of results.
pub fn swatches(palette: &[image_analysis::Swatch]) -> Vec<Swatch> {
    let swatch =
        |swatch: &image_analysis::Swatch| Swatch { hex: swatch.hex.clone(), share: swatch.share };
    palette.iter().map(swatch).collect()
}

/// Brightness, contrast, temperature, and where the light comes from.
pub fn lighting(look: &VisualFeatures) -> Names {
    let light = &look.light;
    let tone = match light.tone {
        Tone::LowKey => said("low-key light with mostly dark tones"),
        Tone::HighKey => said("high-key light with mostly bright tones"),
        Tone::Contrasting => said("strong contrast between light and dark"),
        Tone::Even if light.contrast < 0.15 => said("even light with low contrast"),
        Tone::Even => said("even light"),
    };
    let temperature = match light.temperature {
        _ if look.monochrome => None,
        Temperature::Warm => Some(said("warm colours")),
        Temperature::Cool => Some(said("cool colours")),
        Temperature::Neutral => None,
    };
    let from = light.from.map(|side| match side {
        Side::Left => said("light from the left"),
        Side::Right => said("light from the right"),
        Side::Top => said("light from above"),
        Side::Bottom => said("light from below"),
    });
    [Some(tone), temperature, from].into_iter().flatten().collect()
}

/// Where the detail is, symmetry, empty space and a horizon.
pub fn composition(look: &VisualFeatures) -> Names {
    let focus = match look.focus {
        Focus::Nowhere => said("plain area without detail"),
        Focus::Centre => said("detail concentrated in the centre"),
        Focus::Third(Side::Top, Side::Left) => said("detail near the upper left third"),
        Focus::Third(Side::Top, _) => said("detail near the upper right third"),
        Focus::Third(_, Side::Left) => said("detail near the lower left third"),
        Focus::Third(..) => said("detail near the lower right third"),
        Focus::Towards(Side::Left) => said("detail mostly at the left"),
        Focus::Towards(Side::Right) => said("detail mostly at the right"),
        Focus::Towards(Side::Top) => said("detail mostly at the top"),
        Focus::Towards(Side::Bottom) => said("detail mostly at the bottom"),
        Focus::Spread => said("detail spread over the whole frame"),
    };
    let empty = look.negative_space >= 0.4 && look.focus != Focus::Nowhere;
    let horizon = look.horizon.map(|height| match height {
        height if height < 0.42 => said("a high horizontal edge"),
        height if height > 0.58 => said("a low horizontal edge"),
        _ => said("a horizontal edge at half height"),
    });
    let mirrored = look.symmetric.then_some(said("left and right mirror each other"));
    let empty = empty.then_some(said("much empty space"));
    [Some(focus), mirrored, empty, horizon].into_iter().flatten().collect()
}

/// How it seems to be made, and how fine it is.
pub fn rendering(look: &VisualFeatures) -> Names {
    let medium = match look.medium.0 {
        Medium::Graphic => Some(said("flat graphic with few colours")),
        Medium::Photographic => Some(said("photographic rendering")),
        Medium::Unclear => None,
    };
    let detail = match look.detail {
        Detail::Smooth => said("smooth areas with little detail"),
        Detail::Moderate => said("moderate detail"),
        Detail::Fine => said("fine detail all over"),
    };
    medium.into_iter().chain([detail]).collect()
}

/// The strength of the colours, where it is remarkable.
pub fn colourfulness(look: &VisualFeatures) -> Names {
    match look.saturation {
        _ if look.monochrome => vec![said("monochrome")],
        strong if strong > 0.45 => vec![said("vivid, saturated colours")],
        weak if weak < 0.15 => vec![said("muted colours")],
        _ => Names::new(),
    }
}

/// What makes a picture what it is as far as it was measured, the surest first.
pub fn measured(look: &VisualFeatures, words: &Words) -> Vec<KeyElement> {
    key_elements(look, &look.palette, words, |aspect| words.list(&aspect(look)))
}

/// The same of a picture or clip with these colours; `tell` says how each other aspect is told.
pub fn key_elements(
    look: &VisualFeatures,
    palette: &[image_analysis::Swatch],
    words: &Words,
    tell: impl Fn(fn(&VisualFeatures) -> Names) -> String,
) -> Vec<KeyElement> {
    let made = if look.medium.0 == Medium::Unclear { 0.5 } else { look.medium.1 };
    let list = [
        ("aspect_ratio", look.aspect_ratio.clone(), 0.95),
        ("palette", colours::described(palette, words), 0.85),
        ("lighting", tell(lighting), 0.6),
        ("composition", tell(composition), 0.5),
        ("colour", tell(colourfulness), 0.8),
        ("rendering", tell(rendering), made),
    ];
    let told = list.into_iter().filter(|(_, value, _)| !value.is_empty());
    let mut list: Vec<KeyElement> = told
        .map(|(category, value, confidence)| KeyElement {
            category: category.to_owned(),
            value,
            confidence: hundredths(confidence),
        })
        .collect();
    list.sort_by(|one, other| other.confidence.total_cmp(&one.confidence));
    list
}

/// How much of the look is clear, for the confidence: 0.2 to 0.4.
pub fn clarity(look: &VisualFeatures) -> f64 {
    let clear = [
        look.light.from.is_some(),
        !matches!(look.focus, Focus::Spread | Focus::Nowhere),
        look.medium.0 != Medium::Unclear,
        look.horizon.is_some() || look.symmetric,
    ];
    hundredths(0.2 + 0.05 * clear.iter().filter(|is| **is).count() as f64)
}
