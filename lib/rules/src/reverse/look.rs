//! How a picture or a clip looks, in the terms of results and of prompts.

use image_analysis::{Medium, VisualFeatures};

use super::names::{Names, colourfulness, composition, lighting, rendering};
use super::wording::Words;
use super::{colours, hundredths};
use crate::visual::family;
use engine::{Model, Reversal, Style, Swatch};
use patterns::pattern;

/// What stands for the things that measures cannot see.
pub const SUBJECT: &str = "{{subject}}";
/// A larger share of the area that is transparent is told.
const TRANSPARENT: f64 = 0.02;

/// The look of a picture, or of a clip by its shots.
#[derive(Clone, Debug)]
pub struct Look<'a> {
    /// That of the picture, or of the longest shot.
    pub main: &'a VisualFeatures,
    /// Those of the shots in order.
    pub takes: Vec<&'a VisualFeatures>,
    /// The colours of all together.
    pub palette: &'a [image_analysis::Swatch],
}

impl<'a> Look<'a> {
    /// The look of a picture.
    pub fn of(main: &'a VisualFeatures) -> Self {
        Self { main, takes: vec![main], palette: &main.palette }
    }

    /// What holds for all shots, or what holds for each of them that has it.
    fn tell(&self, aspect: fn(&VisualFeatures) -> Names, words: &Words) -> String {
        let all: Vec<String> = self.takes.iter().map(|take| words.list(&aspect(take))).collect();
        if all.iter().all(|text| *text == all[0]) {
            return all.into_iter().next().unwrap_or_default();
        }
        let told = all.iter().enumerate().filter(|(_, text)| !text.is_empty());
        let told = told.map(|(at, text)| words.say("shot {}: {2}", &[&(at + 1).to_string(), text]));
        told.collect::<Vec<_>>().join("; ")
    }

    /// A result with what is told of the look: behind what is `said` first, and with what else is `known`.
    pub fn told<'b>(
        &self,
        said: String,
        known: impl IntoIterator<Item = (&'b str, String, f64)>,
        words: &Words,
        made: Reversal,
    ) -> Reversal {
        let made_so = if self.main.medium.0 == Medium::Unclear { 0.5 } else { self.main.medium.1 };
        let colours = colours::described(self.palette, words);
        let (light, composed) = (self.tell(lighting, words), self.tell(composition, words));
        let description =
            [said, words.say("Main colours: {}.", &[&colours]), words.say("Light: {}.", &[&light])];
        let own = [
            ("aspect_ratio", self.main.aspect_ratio.clone(), 0.95),
            ("palette", colours, 0.85),
            ("lighting", light.clone(), 0.6),
            ("composition", composed.clone(), 0.5),
            ("colour", self.tell(colourfulness, words), 0.8),
            ("rendering", self.tell(rendering, words), made_so),
        ];
        let swatches = self.palette.iter();
        let style = Style {
            palette: swatches.map(|s| Swatch { hex: s.hex.clone(), share: s.share }).collect(),
            aspect_ratio: self.main.aspect_ratio.clone(),
            lighting: light,
            composition: composed,
        };
        let key_elements = super::key_elements(own.into_iter().chain(known));
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
        let english = Words::of("en");
        let mut style = rendering(self.main);
        if self.main.transparent > TRANSPARENT {
            style.push("transparent background");
        }
        let mut palette = vec![colours::prompted(self.palette, family::of(model).codes)];
        if !listed {
            palette.extend(colourfulness(self.main).into_iter().map(str::to_owned));
        }
        let light = if listed { String::new() } else { self.tell(lighting, &english) };
        let aspects = [
            ("Style", style.join(", ")),
            ("Composition", self.tell(composition, &english)),
            ("Lighting", light),
            ("Palette", palette.join(", ")),
        ];
        let joined = |between: &str, form: fn(&(&str, String)) -> String| {
            let told = aspects.iter().filter(|(_, text)| !text.is_empty());
            told.map(form).collect::<Vec<_>>().join(between)
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

    /// How much of the look is clear, for the confidence: 0.2 to 0.4.
    pub fn clarity(&self) -> f64 {
        use image_analysis::Focus::{Nowhere, Spread};
        let clear = [
            self.main.light.from.is_some(),
            !matches!(self.main.focus, Spread | Nowhere),
            self.main.medium.0 != Medium::Unclear,
            self.main.horizon.is_some() || self.main.symmetric,
        ];
        hundredths(0.2 + 0.05 * clear.iter().filter(|is| **is).count() as f64)
    }
}

/// A template with values in its places.
pub fn filled(template: &str, values: &[(&str, String)]) -> String {
    let place = |found: &patterns::Captures<'_>| {
        let value = values.iter().find(|(name, _)| *name == &found[1]);
        value.map_or_else(String::new, |(_, value)| value.clone())
    };
    pattern!(r"\{(\w+)\}").replace_all(template, place).into_owned()
}
