//! Names of colours.

use image_analysis::Swatch;

use crate::wording::{Voice, said};

/// Most colours that are named.
const MOST_COLOURS: usize = 4;

/// Hues by the angle at which they end, in degrees, from red over green and blue back to red.
const HUES: [(f64, &str); 9] = [
    (15.0, said("red")),
    (45.0, said("orange")),
    (70.0, said("yellow")),
    (160.0, said("green")),
    (195.0, said("turquoise")),
    (255.0, said("blue")),
    (290.0, said("purple")),
    (345.0, said("pink")),
    (360.0, said("red")),
];

/// The main colours by name and code, for people.
pub fn described(palette: &[Swatch], words: &Voice) -> String {
    let colours = palette.iter().take(MOST_COLOURS).map(|swatch| {
        let percent = (swatch.share * 100.0).round();
        format!("{} {} ({percent} %)", words.name(named(&swatch.hex).0), swatch.hex)
    });
    colours.collect::<Vec<_>>().join(", ")
}

/// The main colours for a prompt: in English, and with their codes for models that read them.
pub fn prompted(palette: &[Swatch], codes: bool) -> String {
    let colours = palette.iter().take(MOST_COLOURS).map(|swatch| {
        let (name, light) = named(&swatch.hex);
        let shade = match light {
            _ if name == "black" || name == "white" => "",
            dark if dark < 0.3 => "dark ",
            light if light > 0.7 => "light ",
            _ => "",
        };
        let code = if codes { format!(" {}", swatch.hex) } else { String::new() };
        format!("{shade}{name}{code}")
    });
    let mut colours: Vec<String> = colours.collect();
    colours.dedup();
    colours.join(", ")
}

/// The English name of a colour with a code such as `#1f6feb`, without its shade, and its lightness from 0 to 1.
fn named(hex: &str) -> (&'static str, f64) {
    let value = u32::from_str_radix(hex.trim_start_matches('#'), 16).unwrap_or_default();
    let [red, green, blue] = [16, 8, 0].map(|shift| f64::from(value >> shift & 0xff) / 255.0);
    let (most, least) = (red.max(green).max(blue), red.min(green).min(blue));
    let (chroma, light) = (most - least, f64::midpoint(most, least));
    let angle = match most {
        most if most == red => (60.0 * (green - blue) / chroma + 360.0) % 360.0,
        most if most == green => 60.0 * (blue - red) / chroma + 120.0,
        _ => 60.0 * (red - green) / chroma + 240.0,
    };
    let hue = HUES.iter().find(|(end, _)| angle < *end).map_or("red", |(_, name)| name);
    let grey = chroma < 0.08 || light < 0.06 || light > 0.95 && chroma < 0.1;
    let name = match hue {
        _ if grey && light < 0.12 => said("black"),
        _ if grey && light > 0.92 => said("white"),
        _ if grey => said("grey"),
        "orange" if light < 0.4 => said("brown"),
        "red" if light > 0.72 => said("pink"),
        _ => hue,
    };
    (name, light)
}
