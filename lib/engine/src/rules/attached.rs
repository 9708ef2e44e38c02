//! What is said about pictures that go with a request.
//!
//! They are measured and not recognised: results name size, colours and light, and claim nothing about what
//! is shown. The one thing that is taken from them is the format of a new picture or clip.

use image_analysis::{Medium, Picture, Side, Temperature, Tone, VisualFeatures};

use super::wording::Voice;
use crate::{EngineError, Image};

/// Most colours that are named.
const MOST_COLOURS: usize = 3;
/// Formats that generators of pictures take.
const OF_PICTURES: [(u32, u32); 13] = [
    (1, 1),
    (5, 4),
    (4, 5),
    (4, 3),
    (3, 4),
    (3, 2),
    (2, 3),
    (16, 9),
    (9, 16),
    (2, 1),
    (1, 2),
    (21, 9),
    (9, 21),
];
/// Formats that generators of clips take.
const OF_CLIPS: [(u32, u32); 6] = [(16, 9), (9, 16), (1, 1), (4, 3), (3, 4), (21, 9)];

/// The pictures of a request, measured.
#[derive(Debug, Default)]
pub struct Attached {
    pictures: Vec<Measured>,
}

#[derive(Debug)]
struct Measured {
    width: u32,
    height: u32,
    look: VisualFeatures,
}

/// Checks that pictures are not too much work together, before any is decoded.
///
/// # Errors
///
/// [`EngineError::Rejected`] for more than 120 megapixels.
pub fn within_total(images: &[Image]) -> Result<(), EngineError> {
    image_analysis::within_total(images.iter().map(|image| image.bytes.as_slice()))
        .map_err(|error| EngineError::Rejected { reason: error.to_string() })
}

impl Attached {
    /// Measures the pictures.
    ///
    /// # Errors
    ///
    /// [`EngineError::Rejected`] for a picture that cannot be decoded, and for too many pixels together.
    pub fn read(images: &[Image]) -> Result<Self, EngineError> {
        within_total(images)?;
        let measured = |(at, image): (usize, &Image)| {
            image_analysis::decode(&image.bytes, &image.media_type)
                .map(|picture| Measured::of(&picture))
                .map_err(|error| EngineError::Rejected {
                    reason: format!("attached picture {} cannot be read: {error}", at + 1),
                })
        };
        let pictures = images.iter().enumerate().map(measured).collect::<Result<_, _>>()?;
        Ok(Self { pictures })
    }

    /// One sentence about each picture, in the language of `tag` where there are texts in it.
    pub fn notes(&self, tag: &str) -> Vec<String> {
        let voice = Voice::of(tag);
        let number = |(at, picture): (usize, &Measured)| picture.note(at + 1, &voice);
        self.pictures.iter().enumerate().map(number).collect()
    }

    /// The format that the first picture suggests for a new picture, or a clip if it is `moving`: of those
    /// that generators take, the one that is nearest to its own. With it comes a remark about that.
    pub fn frame(&self, moving: bool, tag: &str) -> Option<(String, String)> {
        let picture = self.pictures.first()?;
        let own = f64::from(picture.width) / f64::from(picture.height);
        let distance =
            |(wide, high): (u32, u32)| (own / (f64::from(wide) / f64::from(high))).ln().abs();
        let formats: &[(u32, u32)] = if moving { &OF_CLIPS } else { &OF_PICTURES };
        let nearest =
            formats.iter().min_by(|one, other| distance(**one).total_cmp(&distance(**other)));
        let frame = nearest.map(|(wide, high)| format!("{wide}:{high}"))?;
        let own = &picture.look.aspect_ratio;
        let voice = Voice::of(tag);
        let note = if *own == frame {
            voice.say(
                "No format was given, so {} is used, the format of the attached picture.",
                &[&frame],
            )
        } else {
            voice.say(
                "No format was given, so {} is used, the usual format nearest to that of the attached picture, {2}.",
                &[&frame, own],
            )
        };
        Some((frame, note))
    }
}

impl Measured {
    fn of(picture: &Picture) -> Self {
        Self {
            width: picture.width(),
            height: picture.height(),
            look: image_analysis::visual_features(picture),
        }
    }

    fn note(&self, number: usize, voice: &Voice) -> String {
        let look = &self.look;
        let size = format!("{} × {}", self.width, self.height);
        let mut parts = vec![voice.say(
            "Attached picture {}: {2} pixels, aspect ratio {3}",
            &[&number.to_string(), &size, &look.aspect_ratio],
        )];
        let colours: Vec<&str> =
            look.palette.iter().take(MOST_COLOURS).map(|swatch| swatch.hex.as_str()).collect();
        if !colours.is_empty() {
            parts.push(voice.say("main colours {}", &[&colours.join(", ")]));
        }
        parts.push(light(look, voice));
        let (medium, confidence) = look.medium;
        let confidence = format!("{:.0}", confidence * 100.0);
        parts.push(match medium {
            Medium::Graphic => {
                voice.say("by its pixels a flat graphic (confidence {}%)", &[&confidence])
            }
            Medium::Photographic => {
                voice.say("by its pixels a photograph (confidence {}%)", &[&confidence])
            }
            Medium::Unclear => {
                voice.say("its pixels do not tell whether it is a photograph or a graphic", &[])
            }
        });
        parts.push(voice.say("what it shows was not recognised", &[]));
        format!("{}.", parts.join("; "))
    }
}

fn light(look: &VisualFeatures, voice: &Voice) -> String {
    let light = &look.light;
    let mut parts = vec![match light.tone {
        Tone::LowKey => voice.say("dark on the whole", &[]),
        Tone::HighKey => voice.say("bright on the whole", &[]),
        Tone::Contrasting => voice.say("light and dark parts beside each other", &[]),
        Tone::Even => voice.say("of medium brightness", &[]),
    }];
    parts.extend(match light.temperature {
        Temperature::Warm => Some(voice.say("warm in tone", &[])),
        Temperature::Cool => Some(voice.say("cool in tone", &[])),
        Temperature::Neutral => None,
    });
    parts.extend(light.from.map(|side| match side {
        Side::Left => voice.say("brighter on the left", &[]),
        Side::Right => voice.say("brighter on the right", &[]),
        Side::Top => voice.say("brighter at the top", &[]),
        Side::Bottom => voice.say("brighter at the bottom", &[]),
    }));
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use crate::messages;

    #[test]
    fn everything_that_is_said_is_said_in_every_language() {
        let source = include_str!("attached.rs").split("#[cfg(test)]").next().unwrap_or_default();
        let literal = patterns::pattern!(r#"(?s)\bsay\(\s*"([^"]*)""#);
        let said: Vec<&str> = literal
            .captures_iter(source)
            .filter_map(|found| found.get(1))
            .map(|text| text.as_str())
            .collect();
        assert_eq!(said.len(), source.matches("say(").count());
        for tag in ["de", "es", "fr", "it", "pt"] {
            for text in &said {
                let translated =
                    messages::phrase(tag, text).unwrap_or_else(|| panic!("{tag}: {text}"));
                for place in ["{}", "{2}", "{3}"] {
                    assert_eq!(text.contains(place), translated.contains(place), "{tag}: {text}");
                }
            }
        }
    }
}
