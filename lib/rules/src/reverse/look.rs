//! How a picture or a clip looks, in the terms of results and of prompts. What measures are called in English stands in
//! `knowledge/visual/looks.json`.

use std::collections::HashMap;
use std::sync::LazyLock;

use image_analysis::{Focus, Pace, ShotAnalysis, VisualFeatures};

use super::colours;
use crate::split::capitalize;
use crate::visual::family;
use crate::wording::Voice;
use engine::{Model, Reversal, Style, Swatch};
use patterns::pattern;

/// What stands for the things that measures cannot see.
pub const SUBJECT: &str = "{{subject}}";

/// The look of a picture, or of a clip.
#[derive(Clone, Copy, Debug)]
pub struct Look<'a> {
    /// That of the picture, or of the longest shot.
    pub main: &'a VisualFeatures,
    /// The colours of all shots together.
    pub palette: &'a [image_analysis::Swatch],
}

impl<'a> Look<'a> {
    /// The look of a picture.
    pub fn of(main: &'a VisualFeatures) -> Self {
        Self { main, palette: &main.palette }
    }

    /// What it is like by aspect, with how sure that is.
    fn aspects(&self, words: &Voice) -> [(&'static str, String, f64); 3] {
        [
            ("style", words.list(&rendering(self.main)), 0.5),
            ("composition", words.list(&composition(self.main)), 0.5),
            ("lighting", words.list(&lighting(self.main)), 0.6),
        ]
    }

    /// A result with what is told of the look: behind what is `said` first, and with what else is `known`.
    pub fn told<'b>(
        &self,
        said: String,
        known: impl IntoIterator<Item = (&'b str, String, f64)>,
        words: &Voice,
        made: Reversal,
    ) -> Reversal {
        let colours = colours::described(self.palette, words);
        let aspects = self.aspects(words);
        let [_, composition, lighting] = aspects.clone().map(|(_, text, _)| text);
        let description = [
            said,
            words.say("Main colours: {}.", &[&colours]),
            words.say("Light: {}.", &[&lighting]),
        ];
        let aspect_ratio = self.main.aspect_ratio.clone();
        let own = [("aspect_ratio", aspect_ratio.clone(), 0.95), ("palette", colours, 0.85)];
        let key_elements = super::key_elements(own.into_iter().chain(aspects).chain(known));
        let swatches = self.palette.iter();
        let palette = swatches.map(|s| Swatch { hex: s.hex.clone(), share: s.share }).collect();
        let style = Style { palette, aspect_ratio, lighting, composition };
        Reversal { description: description.join(" "), key_elements, style: Some(style), ..made }
    }

    /// A template for prompts of the model, filled in with the look by aspects, as lines, a list or sentences, and with
    /// `more`. Where shots are `listed` with their own light, that of all is left out.
    pub fn prompt(
        &self,
        template: &str,
        model: &Model,
        listed: bool,
        more: Vec<(&str, String)>,
    ) -> String {
        let palette = colours::prompted(self.palette, family::of(model).codes);
        let aspects = self.aspects(&Voice::of("en")).into_iter().chain([("palette", palette, 1.0)]);
        let told =
            aspects.filter(|(name, text, _)| !(text.is_empty() || listed && *name == "lighting"));
        let told: Vec<_> = told.map(|(name, text, _)| (capitalize(name), text)).collect();
        let joined = |between: &str, form: fn(&(String, String)) -> String| {
            told.iter().map(form).collect::<Vec<_>>().join(between)
        };
        let mut values = vec![
            ("subject", SUBJECT.to_owned()),
            ("list", joined(", ", |(_, text)| text.clone())),
            ("lines", joined("\n", |(name, text)| format!("{name}: {text}"))),
            ("sentences", joined(" ", |(name, text)| format!("{name}: {text}."))),
            ("ratio", self.main.aspect_ratio.clone()),
        ];
        values.extend(more);
        filled(template, &values).trim_end().to_owned()
    }
}

/// A template with values in its places.
pub fn filled(template: &str, values: &[(&str, String)]) -> String {
    let place = |found: &patterns::Captures<'_>| {
        let value = values.iter().find(|(name, _)| *name == &found["name"]);
        value.map_or_else(String::new, |(_, value)| value.clone())
    };
    pattern!(r"\{(?P<name>\w+)\}").replace_all(template, place)
}

/// The names of what was measured of one aspect.
type Names = Vec<&'static str>;

static NAMES: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../../knowledge/visual/looks.json"))
        .expect("looks.json is compiled in")
});

/// The names of measures that have one; the others are not worth a word.
fn named(measures: impl IntoIterator<Item = String>) -> Names {
    measures.into_iter().filter_map(|measure| NAMES.get(&measure).map(String::as_str)).collect()
}

/// Brightness, temperature, and where the light comes from.
pub fn lighting(look: &VisualFeatures) -> Names {
    let light = &look.light;
    let grey = if look.monochrome { " grey" } else { "" };
    named([
        format!("tone {:?}", light.tone),
        format!("temperature {:?}{grey}", light.temperature),
        light.from.map(|side| format!("from {side:?}")).unwrap_or_default(),
    ])
}

/// Where the detail is, symmetry and empty space.
fn composition(look: &VisualFeatures) -> Names {
    named([
        format!("focus {:?}", look.focus),
        format!("mirrored {}", look.symmetric),
        format!("empty {}", look.negative_space >= 0.4 && look.focus != Focus::Nowhere),
    ])
}

/// How it seems to be made, how fine it is, and how strong its colours are, where that is remarkable.
fn rendering(look: &VisualFeatures) -> Names {
    let strength = match look.saturation {
        _ if look.monochrome => "grey",
        strong if strong > 0.45 => "strong",
        weak if weak < 0.15 => "weak",
        _ => "usual",
    };
    named([
        format!("medium {:?}", look.medium.0),
        format!("detail {:?}", look.detail),
        format!("colour {strength}"),
        format!("transparent {}", look.transparent > 0.02),
    ])
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
