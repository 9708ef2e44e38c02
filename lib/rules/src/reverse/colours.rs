//! Names of colours.

use image_analysis::Swatch;

use super::wording::{Words, said};

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
pub fn described(palette: &[Swatch], words: &Words) -> String {
    let colours = palette.iter().take(MOST_COLOURS).map(|swatch| {
        let percent = (swatch.share * 100.0).round();
        format!("{} {} ({percent} %)", words.name(Colour::of(&swatch.hex).name()), swatch.hex)
    });
    colours.collect::<Vec<_>>().join(", ")
}

/// The main colours for a prompt: in English, and with their codes for models that read them.
pub fn prompted(palette: &[Swatch], codes: bool) -> String {
    let mut named: Vec<String> = Vec::new();
    for swatch in palette.iter().take(MOST_COLOURS) {
        let colour = Colour::of(&swatch.hex);
        let shade = match (colour.name(), colour.light) {
            ("black" | "white", _) => "",
            (_, dark) if dark < 0.3 => "dark ",
            (_, light) if light > 0.7 => "light ",
            _ => "",
        };
        let code = if codes { format!(" {}", swatch.hex) } else { String::new() };
        let text = format!("{shade}{}{code}", colour.name());
        if !named.contains(&text) {
            named.push(text);
        }
    }
    match named.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// A colour as people see it: hue in degrees, chroma and lightness from 0 to 1.
struct Colour {
    hue: f64,
    chroma: f64,
    light: f64,
}

impl Colour {
    /// The colour with a code such as `#1f6feb`.
    fn of(hex: &str) -> Self {
        let value = u32::from_str_radix(hex.trim_start_matches('#'), 16).unwrap_or_default();
        let [red, green, blue] = [16, 8, 0].map(|shift| f64::from(value >> shift & 0xff) / 255.0);
        let (most, least) = (red.max(green).max(blue), red.min(green).min(blue));
        let chroma = most - least;
        let hue = match most {
            _ if chroma == 0.0 => 0.0,
            most if most == red => (60.0 * (green - blue) / chroma + 360.0) % 360.0,
            most if most == green => 60.0 * (blue - red) / chroma + 120.0,
            _ => 60.0 * (red - green) / chroma + 240.0,
        };
        Self { hue, chroma, light: f64::midpoint(most, least) }
    }

    /// Its English name, without its shade.
    fn name(&self) -> &'static str {
        let grey =
            self.chroma < 0.08 || self.light < 0.06 || self.light > 0.95 && self.chroma < 0.1;
        let hue = HUES.iter().find(|(end, _)| self.hue < *end).map_or("red", |(_, name)| name);
        match (hue, self.light) {
            (_, dark) if grey && dark < 0.12 => said("black"),
            (_, bright) if grey && bright > 0.92 => said("white"),
            _ if grey => said("grey"),
            ("orange", dark) if dark < 0.4 => said("brown"),
            ("red", bright) if bright > 0.72 => said("pink"),
            _ => hue,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_have_the_names_that_people_give_them() {
        let codes = "#000000 #ffffff #808080 #ff0000 #ff8800 #6b4423 #ffee00 #228b22 #20b2aa #1f6feb #7b2fbe #ff69b4";
        let names: Vec<&str> = codes.split(' ').map(|hex| Colour::of(hex).name()).collect();
        assert_eq!(
            names.join(" "),
            "black white grey red orange brown yellow green turquoise blue purple pink"
        );
    }
}
