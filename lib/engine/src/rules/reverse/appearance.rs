//! Saying what was measured in a picture.

use image_analysis::{Detail, Focus, Medium, Side, Temperature, Tone, VisualFeatures};

use super::wording::Words;
use crate::{KeyElement, Style, Swatch};

/// Most colours that a prompt names.
const MOST_COLOURS: usize = 4;

/// The look in the terms of results.
pub fn style(look: &VisualFeatures, words: &Words) -> Style {
    Style {
        palette: swatches(&look.palette),
        aspect_ratio: look.aspect_ratio.clone(),
        lighting: lighting(look, words).join(", "),
        composition: composition(look, words).join(", "),
    }
}

/// Colours in the terms of results.
pub fn swatches(palette: &[image_analysis::Swatch]) -> Vec<Swatch> {
    let swatch =
        |swatch: &image_analysis::Swatch| Swatch { hex: swatch.hex.clone(), share: swatch.share };
    palette.iter().map(swatch).collect()
}

/// Brightness, contrast, temperature, and where the light comes from.
pub fn lighting(look: &VisualFeatures, words: &Words) -> Vec<String> {
    let light = &look.light;
    let mut list = vec![match light.tone {
        Tone::LowKey => words.name("low-key light with mostly dark tones"),
        Tone::HighKey => words.name("high-key light with mostly bright tones"),
        Tone::Contrasting => words.name("strong contrast between light and dark"),
        Tone::Even if light.contrast < 0.15 => words.name("even light with low contrast"),
        Tone::Even => words.name("even light"),
    }];
    if !look.monochrome {
        match light.temperature {
            Temperature::Warm => list.push(words.name("warm colours")),
            Temperature::Cool => list.push(words.name("cool colours")),
            Temperature::Neutral => {}
        }
    }
    if let Some(side) = light.from {
        list.push(match side {
            Side::Left => words.name("light from the left"),
            Side::Right => words.name("light from the right"),
            Side::Top => words.name("light from above"),
            Side::Bottom => words.name("light from below"),
        });
    }
    list
}

/// Where the detail is, symmetry, empty space and a horizon.
pub fn composition(look: &VisualFeatures, words: &Words) -> Vec<String> {
    let mut list = vec![match look.focus {
        Focus::Nowhere => words.name("plain area without detail"),
        Focus::Centre => words.name("detail concentrated in the centre"),
        Focus::Third(Side::Top, Side::Left) => words.name("detail near the upper left third"),
        Focus::Third(Side::Top, _) => words.name("detail near the upper right third"),
        Focus::Third(_, Side::Left) => words.name("detail near the lower left third"),
        Focus::Third(..) => words.name("detail near the lower right third"),
        Focus::Towards(Side::Left) => words.name("detail mostly at the left"),
        Focus::Towards(Side::Right) => words.name("detail mostly at the right"),
        Focus::Towards(Side::Top) => words.name("detail mostly at the top"),
        Focus::Towards(Side::Bottom) => words.name("detail mostly at the bottom"),
        Focus::Spread => words.name("detail spread over the whole frame"),
    }];
    if look.symmetric {
        list.push(words.name("left and right mirror each other"));
    }
    if look.negative_space >= 0.4 && look.focus != Focus::Nowhere {
        list.push(words.name("much empty space"));
    }
    if let Some(height) = look.horizon {
        list.push(match height {
            height if height < 0.42 => words.name("a high horizontal edge"),
            height if height > 0.58 => words.name("a low horizontal edge"),
            _ => words.name("a horizontal edge at half height"),
        });
    }
    list
}

/// How fine it is, and how it seems to be made.
pub fn rendering(look: &VisualFeatures, words: &Words) -> Vec<String> {
    let mut list = Vec::new();
    match look.medium.0 {
        Medium::Graphic => list.push(words.name("flat graphic with few colours")),
        Medium::Photographic => list.push(words.name("photographic rendering")),
        Medium::Unclear => {}
    }
    list.push(match look.detail {
        Detail::Smooth => words.name("smooth areas with little detail"),
        Detail::Moderate => words.name("moderate detail"),
        Detail::Fine => words.name("fine detail all over"),
    });
    list
}

/// The strength of the colours, where it is remarkable.
pub fn colourfulness(look: &VisualFeatures, words: &Words) -> Option<String> {
    if look.monochrome {
        Some(words.name("monochrome"))
    } else if look.saturation > 0.45 {
        Some(words.name("vivid, saturated colours"))
    } else if look.saturation < 0.15 {
        Some(words.name("muted colours"))
    } else {
        None
    }
}

/// The main colours by name and code, for people.
pub fn colours(palette: &[image_analysis::Swatch], words: &Words) -> String {
    let colours = palette.iter().take(MOST_COLOURS).map(|swatch| {
        let percent = (swatch.share * 100.0).round();
        format!("{} {} ({percent} %)", hue(&swatch.hex, words), swatch.hex)
    });
    colours.collect::<Vec<_>>().join(", ")
}

/// The main colours for a prompt: in words, and with their codes for models that read them.
pub fn palette(palette: &[image_analysis::Swatch], codes: bool) -> String {
    let words = Words::of("en");
    let mut named: Vec<String> = Vec::new();
    for swatch in palette.iter().take(MOST_COLOURS) {
        let hue = hue(&swatch.hex, &words);
        let shade = match lightness(&swatch.hex) {
            _ if matches!(hue.as_str(), "black" | "white") => "",
            dark if dark < 0.3 => "dark ",
            light if light > 0.7 => "light ",
            _ => "",
        };
        let code = if codes { format!(" {}", swatch.hex) } else { String::new() };
        let colour = format!("{shade}{hue}{code}");
        if !named.contains(&colour) {
            named.push(colour);
        }
    }
    match named.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// What makes the picture what it is as far as it was measured.
pub fn key_elements(look: &VisualFeatures, words: &Words) -> Vec<KeyElement> {
    let element = |category: &str, value: String, confidence: f64| KeyElement {
        category: category.to_owned(),
        value,
        confidence: (confidence * 100.0).round() / 100.0,
    };
    let mut list = vec![
        element("aspect_ratio", look.aspect_ratio.clone(), 0.95),
        element("palette", colours(&look.palette, words), 0.85),
        element("lighting", lighting(look, words).join(", "), 0.6),
        element("composition", composition(look, words).join(", "), 0.5),
    ];
    if let Some(colourfulness) = colourfulness(look, words) {
        list.push(element("colour", colourfulness, 0.8));
    }
    let sure = if look.medium.0 == Medium::Unclear { 0.5 } else { look.medium.1 };
    list.push(element("rendering", rendering(look, words).join(", "), sure));
    list.retain(|element| !element.value.is_empty());
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
    let sum = 0.2 + 0.05 * clear.iter().filter(|is| **is).count() as f64;
    (sum * 100.0).round() / 100.0
}

/// Red, green and blue, 0 to 1.
fn rgb(hex: &str) -> [f64; 3] {
    let value = u32::from_str_radix(hex.trim_start_matches('#'), 16).unwrap_or_default();
    [16, 8, 0].map(|shift| f64::from(value >> shift & 0xff) / 255.0)
}

fn lightness(hex: &str) -> f64 {
    let [red, green, blue] = rgb(hex);
    (red.max(green).max(blue) + red.min(green).min(blue)) / 2.0
}

/// The name of a colour, without its shade.
fn hue(hex: &str, words: &Words) -> String {
    let [red, green, blue] = rgb(hex);
    let (most, least) = (red.max(green).max(blue), red.min(green).min(blue));
    let (chroma, light) = (most - least, f64::midpoint(most, least));
    if chroma < 0.08 || light < 0.06 || (light > 0.95 && chroma < 0.1) {
        return match light {
            dark if dark < 0.12 => words.name("black"),
            bright if bright > 0.92 => words.name("white"),
            _ => words.name("grey"),
        };
    }
    let angle = if most == red {
        (60.0 * (green - blue) / chroma + 360.0) % 360.0
    } else if most == green {
        60.0 * (blue - red) / chroma + 120.0
    } else {
        60.0 * (red - green) / chroma + 240.0
    };
    match angle {
        angle if (15.0..48.0).contains(&angle) && light < 0.4 => words.name("brown"),
        angle if !(15.0..345.0).contains(&angle) && light > 0.72 => words.name("pink"),
        angle if !(15.0..345.0).contains(&angle) => words.name("red"),
        angle if angle < 45.0 => words.name("orange"),
        angle if angle < 70.0 => words.name("yellow"),
        angle if angle < 160.0 => words.name("green"),
        angle if angle < 195.0 => words.name("turquoise"),
        angle if angle < 255.0 => words.name("blue"),
        angle if angle < 290.0 => words.name("purple"),
        _ => words.name("pink"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::messages;

    #[test]
    fn everything_that_is_said_about_pictures_is_said_in_every_language() {
        let sources = [
            include_str!("appearance.rs"),
            include_str!("image.rs"),
            include_str!("video.rs"),
            include_str!("exact.rs"),
        ];
        let literal = patterns::pattern!(r#"(?s)\b(?:say|name)\(\s*"((?:[^"\\]|\\.)*)""#);
        let said: BTreeSet<String> = sources
            .iter()
            .flat_map(|source| literal.captures_iter(source))
            .map(|found| found[1].to_owned())
            .collect();
        assert!(said.len() > 50, "{}", said.len());
        for tag in ["de", "es", "fr", "it", "pt"] {
            let missing: Vec<&String> =
                said.iter().filter(|text| messages::phrase(tag, text).is_none()).collect();
            assert!(missing.is_empty(), "{tag}: {missing:#?}");
            for text in &said {
                let translated = messages::phrase(tag, text).expect("checked");
                for place in ["{1}", "{2}", "{3}"] {
                    assert_eq!(text.contains(place), translated.contains(place), "{tag}: {text}");
                }
            }
        }
    }

    #[test]
    fn colours_have_the_names_that_people_give_them() {
        let words = Words::of("en");
        for (hex, name) in [
            ("#000000", "black"),
            ("#ffffff", "white"),
            ("#808080", "grey"),
            ("#ff0000", "red"),
            ("#ff8800", "orange"),
            ("#6b4423", "brown"),
            ("#ffee00", "yellow"),
            ("#228b22", "green"),
            ("#20b2aa", "turquoise"),
            ("#1f6feb", "blue"),
            ("#7b2fbe", "purple"),
            ("#ff69b4", "pink"),
        ] {
            assert_eq!(hue(hex, &words), name, "{hex}");
        }
    }
}
