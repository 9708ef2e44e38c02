//! Composing prompts for image models.

use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;
use serde_json::{Value, json};

use super::draft::{Draft, technique};
use super::framing;
use super::goal::Goal;
use super::knowledge::any_of;
use super::pattern::regex;
use super::split::{capitalize, stop};
use super::title;
use super::visual::{self, Vision, choose};
use crate::{GenerateBrief, Mode, ModelKind, Section};

#[derive(Deserialize)]
struct Data {
    kinds: Vec<Kind>,
    styles: Vec<Style>,
}

/// What is sensible for one kind of subject.
#[derive(Deserialize)]
struct Kind {
    id: String,
    /// Whether it is drawn rather than photographed.
    #[serde(default)]
    graphic: bool,
    cues: Vec<String>,
    medium: Vec<String>,
    setting: Vec<String>,
    composition: Vec<String>,
    light: Vec<String>,
    lens: Vec<String>,
    palette: Vec<String>,
    hex: Vec<Vec<String>>,
    mood: Vec<String>,
    ratio: String,
    negative: String,
}

#[derive(Deserialize)]
struct Style {
    cues: Vec<String>,
    medium: String,
    #[serde(default)]
    photo: bool,
}

struct Knowledge {
    kinds: Vec<(Option<Regex>, Kind)>,
    styles: Vec<(Option<Regex>, Style)>,
}

static KNOWLEDGE: LazyLock<Knowledge> = LazyLock::new(|| {
    let data: Data = serde_json::from_str(include_str!("../../knowledge/images.json"))
        .expect("images.json is compiled in");
    Knowledge {
        kinds: data.kinds.into_iter().map(|kind| (any_of(&kind.cues), kind)).collect(),
        styles: data.styles.into_iter().map(|style| (any_of(&style.cues), style)).collect(),
    }
});

/// The aspects of a picture, each a phrase; empty where the user said it or it does not apply.
struct Picture<'a> {
    kind: &'a Kind,
    medium: String,
    subject: String,
    setting: &'a str,
    composition: &'a str,
    light: &'a str,
    lens: &'a str,
    palette: String,
    mood: &'a str,
    details: &'a [String],
    lettering: &'a [String],
    exclusions: &'a [String],
}

/// Writes the prompt for a picture.
pub fn compose(goal: &Goal, brief: &GenerateBrief) -> Draft {
    let vision = visual::read(goal, &goal.text, false);
    let picture = picture(&vision);
    let model = brief.target_model.model();
    let family = if model.kind == ModelKind::Image { model.family.as_str() } else { "universal" };
    let ratio = vision.ratio.clone().unwrap_or_else(|| picture.kind.ratio.clone());
    let mut parameters = model.parameters.clone();
    if model.kind != ModelKind::Image {
        parameters.clear();
        parameters.insert("aspectRatio".to_owned(), json!(ratio));
    }
    for key in ["aspectRatio", "aspect_ratio", "ar"] {
        if parameters.contains_key(key) {
            parameters.insert(key.to_owned(), json!(ratio));
        }
    }
    if family == "recraft" {
        parameters.insert("size".to_owned(), json!(ratio));
    }
    if family == "gpt_image" {
        let size = match orientation(&ratio) {
            std::cmp::Ordering::Less => "1024x1536",
            std::cmp::Ordering::Equal => "1024x1024",
            std::cmp::Ordering::Greater => "1536x1024",
        };
        parameters.insert("size".to_owned(), json!(size));
    }
    if let Some(seed) = vision.seed {
        parameters.insert("seed".to_owned(), json!(seed));
    }
    let mut sections = sections(&picture, family, &ratio);
    let mut prompt = match family {
        "gpt_image" => sections
            .iter()
            .map(|section| format!("{}: {}", section.heading, section.text))
            .collect::<Vec<_>>()
            .join("\n"),
        "stable_diffusion" | "midjourney" => {
            sections.iter().map(|section| section.text.as_str()).collect::<Vec<_>>().join(", ")
        }
        _ => sections.iter().map(|section| section.text.as_str()).collect::<Vec<_>>().join(" "),
    };
    if family == "midjourney" {
        let flags = midjourney(&picture, &ratio, vision.seed, &mut parameters);
        prompt = format!("{} {flags}", prompt.replace('\n', " "));
        sections.push(Section { heading: "Parameters".to_owned(), text: flags });
    }
    let negative = model.negative_prompt.then(|| {
        let mut list: Vec<String> = picture.exclusions.to_vec();
        list.extend(
            picture
                .kind
                .negative
                .split(", ")
                .filter(|item| !item.contains("text") || picture.lettering.is_empty())
                .map(str::to_owned),
        );
        list.dedup();
        list.join(", ")
    });
    let title = if goal.language.is_some() {
        title::shorten(&vision.subject)
    } else {
        title::of_phrase(&vision.subject)
    };
    Draft {
        title,
        mode: Mode::Image,
        assumptions: assumptions(&vision, &picture, &ratio),
        questions: questions(&vision, &picture),
        techniques: techniques(&picture, family, negative.is_some()),
        usage: usage(brief, model.kind, family),
        prompt,
        negative_prompt: negative,
        parameters,
        sections,
        ..Draft::default()
    }
}

fn orientation(ratio: &str) -> std::cmp::Ordering {
    let (width, height) = ratio.split_once(':').unwrap_or(("1", "1"));
    width.parse::<u32>().unwrap_or(1).cmp(&height.parse::<u32>().unwrap_or(1))
}

fn picture(vision: &Vision) -> Picture<'_> {
    let knowledge = &*KNOWLEDGE;
    let subject = vision.subject.to_lowercase();
    let matching = |text: &str| {
        knowledge
            .kinds
            .iter()
            .filter_map(|(cue, kind)| Some((cue.as_ref()?.find(text)?.start(), kind)))
            .min_by_key(|(start, kind)| if kind.graphic { 0 } else { *start + 1 })
            .map(|(_, kind)| kind)
    };
    let scene = &knowledge.kinds[knowledge.kinds.len() - 1].1;
    let kind = matching(&subject).or_else(|| matching(&vision.seen)).unwrap_or(scene);
    let style = knowledge.styles.iter().find_map(|(cue, style)| {
        cue.as_ref().filter(|cue| cue.is_match(&vision.lower)).map(|_| style)
    });
    // A style named in another language must not meet a photographic one.
    let styled = style.is_none()
        && regex!(r"\b(?:estilo|stil|style|stile|óleo|acuarela|aquarelle|aquarell|ölgemälde|acquerello|aquarela|dessin|zeichnung|dibujo|disegno|desenho)\b").is_match(&vision.lower)
        && !regex!(r"\b(?:in the|an?|the) [\w -]{0,30}style\b").is_match(&vision.lower);
    let drawn =
        styled || kind.graphic || style.is_some_and(|style| !style.photo) || kind.id == "character";
    let medium = match style {
        None if styled => "artwork in the style named here".to_owned(),
        Some(style) if !style.medium.is_empty() => style.medium.clone(),
        Some(style) if style.photo && kind.id == "character" => {
            "photorealistic character portrait".to_owned()
        }
        _ => choose(&kind.medium, &subject).to_owned(),
    };
    let unless = |stated: bool, options: &'static [String]| {
        if stated { "" } else { choose(options, &subject) }
    };
    let hex = kind
        .hex
        .get(usize::from(
            kind.palette.len() > 1 && choose(&kind.palette, &subject) == kind.palette[1],
        ))
        .or_else(|| kind.hex.first());
    let palette = if vision.stated.colour {
        String::new()
    } else {
        let words = choose(&kind.palette, &subject);
        match hex {
            Some(hex) => format!("{words}\u{1}{}", hex.join(", ")),
            None => words.to_owned(),
        }
    };
    let setting = unless(vision.stated.place, &kind.setting);
    let deserted = vision.exclusions.iter().any(|item| framing::is_people(item));
    Picture {
        kind,
        medium,
        subject: vision.subject.clone(),
        setting: if deserted {
            // Figures for scale would contradict "no people".
            setting.strip_suffix(", with small figures for scale").unwrap_or(setting)
        } else {
            setting
        },
        composition: unless(vision.stated.framing, &kind.composition),
        light: if drawn && kind.graphic { "" } else { unless(vision.stated.light, &kind.light) },
        lens: if drawn || vision.stated.framing { "" } else { choose(&kind.lens, &subject) },
        palette,
        mood: unless(vision.stated.mood, &kind.mood),
        details: &vision.details,
        lettering: &vision.lettering,
        exclusions: &vision.exclusions,
    }
}

fn sections(picture: &Picture<'_>, family: &str, ratio: &str) -> Vec<Section> {
    let hex = matches!(family, "flux" | "recraft");
    let (words, codes) = picture.palette.split_once('\u{1}').unwrap_or((&picture.palette, ""));
    let palette = match (words.is_empty(), hex) {
        (true, _) => String::new(),
        (_, true) => format!("{words} ({codes})"),
        _ => words.to_owned(),
    };
    let listed = matches!(family, "midjourney" | "stable_diffusion");
    let subject_says_medium = {
        let subject = picture.subject.to_lowercase();
        let noun = picture.medium.split_whitespace().find(|word| {
            matches!(
                *word,
                "photograph"
                    | "illustration"
                    | "logo"
                    | "icon"
                    | "painting"
                    | "render"
                    | "artwork"
                    | "infographic"
                    | "art"
            )
        });
        noun.is_some_and(|noun| subject.contains(noun)) && picture.kind.graphic
    };
    let mut list: Vec<(&str, String)> = Vec::new();
    let opening = if listed {
        if subject_says_medium {
            picture.subject.clone()
        } else {
            format!("{}, {}", picture.subject, picture.medium)
        }
    } else if picture.kind.graphic || names_medium(&picture.subject) {
        format!("{}, as {}", capitalize(&picture.subject), with_a(&picture.medium))
    } else {
        format!("{} of {}", capitalize(&with_a(&picture.medium)), framing::inline(&picture.subject))
    };
    let in_subject =
        picture.lettering.iter().all(|text| picture.subject.contains(&format!("\"{text}\"")));
    let lettering = if picture.lettering.is_empty() || listed && in_subject {
        String::new()
    } else {
        let quoted: Vec<String> =
            picture.lettering.iter().map(|text| format!("\"{text}\"")).collect();
        if listed {
            format!("the text {} in clear bold lettering", quoted.join(" and "))
        } else {
            format!(
                "the exact text {} is spelled correctly in a bold, clean typeface and is easy to read",
                quoted.join(" and ")
            )
        }
    };
    let add = |list: &mut Vec<(&str, String)>, heading: &'static str, text: String| {
        if !text.trim().is_empty() {
            list.push((heading, text));
        }
    };
    if family == "ideogram" && !lettering.is_empty() {
        add(&mut list, "Text", lettering.clone());
    }
    add(&mut list, "Subject", opening);
    add(&mut list, "Details", picture.details.join(if listed { ", " } else { ". " }));
    add(&mut list, "Setting", picture.setting.to_owned());
    if family != "ideogram" {
        add(&mut list, "Text", lettering);
    }
    add(&mut list, "Composition", picture.composition.to_owned());
    add(&mut list, "Light", picture.light.to_owned());
    add(
        &mut list,
        "Camera",
        if picture.lens.is_empty() || listed {
            picture.lens.to_owned()
        } else {
            format!("shot with {}", with_a(picture.lens))
        },
    );
    add(
        &mut list,
        "Colours",
        if palette.is_empty() || listed || family == "gpt_image" {
            palette
        } else {
            format!("the palette is {palette}")
        },
    );
    add(
        &mut list,
        "Mood",
        if picture.mood.is_empty() || listed || family == "gpt_image" {
            picture.mood.to_owned()
        } else {
            format!("the mood is {}", picture.mood)
        },
    );
    if !picture.exclusions.is_empty() && !listed && family != "qwen_image" {
        add(
            &mut list,
            "Constraints",
            match family {
                "flux" => picture
                    .exclusions
                    .iter()
                    .map(|item| positive(item))
                    .collect::<Vec<_>>()
                    .join("; "),
                _ => format!("leave out {}", picture.exclusions.join(", ")),
            },
        );
    }
    if family == "gpt_image" || family == "universal" || family == "grok_imagine" {
        add(&mut list, "Format", format!("{ratio} aspect ratio"));
    }
    list.into_iter()
        .map(|(heading, text)| Section {
            heading: heading.to_owned(),
            text: if listed {
                text.trim_end_matches(['.', ',', '。', '、', '，']).to_owned()
            } else {
                stop(&capitalize(&text))
            },
        })
        .collect()
}

/// Whether the subject says itself what kind of picture it is ("a watercolour painting of …").
fn names_medium(subject: &str) -> bool {
    regex!(r"(?i)^(?:an? |the )?(?:[\w'-]+ ){0,3}(?:painting|illustration|drawing|sketch|portrait|photograph|photo|render|artwork|headshot|watercolou?r|cartoon|mascot) (?:of|for|showing|with)\b").is_match(subject)
}

/// What to show instead of an exclusion, for models that only understand what is present.
fn positive(exclusion: &str) -> String {
    let lower = exclusion.to_lowercase();
    if regex!(r"\b(?:people|person|humans?|crowd)\b").is_match(&lower) {
        format!("an empty scene, free of {exclusion}")
    } else if regex!(r"\b(?:text|words?|letters?|lettering|watermarks?|logos?|writing)\b")
        .is_match(&lower)
    {
        format!("clean, blank surfaces, free of {exclusion}")
    } else if lower.contains("background") {
        "the subject isolated on pure white".to_owned()
    } else if lower.contains("shadow") {
        format!("perfectly even light, free of {exclusion}")
    } else {
        format!("only what is described here, free of {exclusion}")
    }
}

fn with_a(phrase: &str) -> String {
    let article = if phrase.starts_with(['a', 'e', 'i', 'o', 'u']) || phrase.starts_with('8') {
        "an"
    } else {
        "a"
    };
    format!("{article} {phrase}")
}

fn midjourney(
    picture: &Picture<'_>,
    ratio: &str,
    seed: Option<u32>,
    parameters: &mut serde_json::Map<String, Value>,
) -> String {
    let stylize = if picture.kind.graphic {
        50
    } else if picture.lens.is_empty() {
        250
    } else {
        100
    };
    let chaos = if picture.kind.id == "logo" || picture.kind.id == "pattern" { 10 } else { 5 };
    parameters.insert("ar".to_owned(), json!(ratio));
    parameters.insert("s".to_owned(), json!(stylize));
    parameters.insert("c".to_owned(), json!(chaos));
    let mut flags = format!("--ar {ratio} --s {stylize} --c {chaos}");
    if let Some(seed) = seed {
        flags.push_str(&format!(" --seed {seed}"));
    }
    let mut exclusions: Vec<String> = picture.exclusions.to_vec();
    if picture.lettering.is_empty() && !picture.kind.graphic {
        for word in ["text", "watermark"] {
            if !exclusions.iter().any(|item| item == word) {
                exclusions.push(word.to_owned());
            }
        }
    }
    if !exclusions.is_empty() {
        let list = exclusions.join(", ");
        flags.push_str(&format!(" --no {list}"));
        parameters.insert("no".to_owned(), json!(list));
    }
    flags
}

fn assumptions(vision: &Vision, picture: &Picture<'_>, ratio: &str) -> Vec<String> {
    let mut list = Vec::new();
    if vision.ratio.is_none() {
        list.push(format!(
            "No format was given, so {ratio} is used, which suits this kind of picture."
        ));
    }
    let filled: Vec<&str> = [
        ("setting", picture.setting),
        ("composition", picture.composition),
        ("light", picture.light),
        ("colours", picture.palette.as_str()),
        ("mood", picture.mood),
    ]
    .into_iter()
    .filter(|(_, text)| !text.is_empty())
    .map(|(name, _)| name)
    .collect();
    if !filled.is_empty() {
        list.push(format!("Not described, so chosen to suit the subject: {}.", filled.join(", ")));
    }
    list
}

fn questions(vision: &Vision, picture: &Picture<'_>) -> Vec<String> {
    let mut list = Vec::new();
    if picture.kind.graphic && vision.lettering.is_empty() {
        list.push("Should any text appear in the picture, and how is it spelled?".to_owned());
    }
    if vision.ratio.is_none() {
        list.push("Where will the picture be used, and in which format?".to_owned());
    }
    if !vision.stated.colour {
        list.push("Are there colours that it should or should not have?".to_owned());
    }
    list.truncate(3);
    list
}

fn techniques(picture: &Picture<'_>, family: &str, negative: bool) -> Vec<crate::Technique> {
    let mut list = vec![technique(
        "subject_first",
        "Subject first",
        "Names what is to be seen before style and technique, because image models weigh the beginning most.",
    )];
    list.push(technique("concrete_aspects", "Concrete aspects", format!("Setting, composition and style are described as for a {}, so that the model does not have to guess them.", picture.medium)));
    if !picture.light.is_empty() || !picture.lens.is_empty() {
        list.push(technique("photographic_terms", "Photographic terms", "Light and lens steer the picture more reliably than praise such as \"stunning\" or \"8k\"."));
    }
    if !picture.lettering.is_empty() {
        list.push(technique(
            "exact_text",
            "Exact text in quotation marks",
            format!(
                "Lettering ({}) is quoted so that it is copied and not invented.",
                picture.lettering.join(", ")
            ),
        ));
    }
    if negative {
        list.push(technique(
            "negative_prompt",
            "Separate negative prompt",
            "Typical faults of this kind of picture are excluded in the field made for it.",
        ));
    }
    if family == "midjourney" {
        list.push(technique(
            "parameters",
            "Trailing parameters",
            "Format, stylisation and variety are set by parameters instead of words.",
        ));
    }
    if family == "flux" && picture.palette.contains('#') {
        list.push(technique(
            "hex_colours",
            "Hex colours",
            "Gives exact colours, which this model understands.",
        ));
    }
    list
}

fn usage(brief: &GenerateBrief, kind: ModelKind, family: &str) -> Vec<String> {
    let mut list = vec![match kind {
        ModelKind::Image => format!("Paste the prompt into {} as it is.", brief.target_model),
        _ => {
            "Paste the prompt into an image generator, or into a chat model that can make pictures."
                .to_owned()
        }
    }];
    if family == "stable_diffusion" || family == "qwen_image" {
        list.push(
            "Put the negative prompt into its own field and start with the parameters given."
                .to_owned(),
        );
    } else if family != "midjourney" {
        list.push("Set the aspect ratio in the tool's settings as in the parameters.".to_owned());
    }
    list.push(
        "Make four versions, keep the seed of the best one and change one phrase at a time."
            .to_owned(),
    );
    list
}
