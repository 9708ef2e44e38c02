//! Composing prompts for image models.

use std::sync::LazyLock;

use patterns::{Pattern, pattern, table};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::craft::{self, Craft};
use super::draft::{Draft, Omitted, technique};
use super::exclude;
use super::flags::Flags;
use super::framing;
use super::goal::Goal;
use super::knowledge::{Cues, cue};
use super::retouch;
use super::split::{capitalize, stop};
use super::title;
use super::visual::{self, Vision};
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
    medium: String,
    composition: String,
    light: String,
    lens: String,
    hex: Vec<String>,
    ratio: String,
    negative: String,
}

#[derive(Deserialize)]
struct Style {
    id: String,
    medium: String,
    #[serde(default)]
    photo: bool,
}

struct Knowledge {
    kinds: Vec<(Option<Pattern>, Kind)>,
    styles: Vec<(Option<Pattern>, Style)>,
}

const KIND_CUES: Cues = table!("image_kinds", r"\b{}(?:\b|$)");
const STYLE_CUES: Cues = table!("image_styles", r"\b{}(?:\b|$)");

static KNOWLEDGE: LazyLock<Knowledge> = LazyLock::new(|| {
    let data: Data = serde_json::from_str(include_str!("../../knowledge/images.json"))
        .expect("images.json is compiled in");
    Knowledge {
        kinds: data.kinds.into_iter().map(|kind| (cue(KIND_CUES, &kind.id), kind)).collect(),
        styles: data.styles.into_iter().map(|style| (cue(STYLE_CUES, &style.id), style)).collect(),
    }
});

/// The aspects of a picture, each a phrase; empty where the user said it or it does not apply.
struct Picture<'a> {
    kind: &'a Kind,
    medium: String,
    /// Whether the user named the medium.
    styled: bool,
    /// Whether the words that name it are in the description.
    shown: bool,
    subject: String,
    composition: &'a str,
    light: &'a str,
    lens: &'a str,
    /// Hex codes for models that understand them.
    palette: String,
    details: &'a [String],
    lettering: &'a [String],
    exclusions: Vec<String>,
    /// Wording of another language than English.
    craft: Option<&'static Craft>,
    foreign: bool,
}

/// Writes the prompt for a picture.
pub fn compose(goal: &Goal, brief: &GenerateBrief) -> Draft {
    if retouch::is_edit(&goal.text) {
        return retouch::compose(goal, brief, Mode::Image);
    }
    let vision = visual::read(goal, &goal.text, false);
    let model = brief.target_model.model();
    let family = if model.kind == ModelKind::Image { model.family.as_str() } else { "universal" };
    let picture = picture(&vision, goal, family);
    let ratio = vision.ratio.clone().unwrap_or_else(|| picture.kind.ratio.clone());
    let mut parameters = settings(brief, Some(&ratio), vision.seed);
    let unread = visual::apply(&vision.sampling, &mut parameters);
    let mut sections = sections(&picture, family, &ratio);
    let mut prompt = match family {
        "gpt_image" if !picture.foreign => sections
            .iter()
            .map(|section| format!("{}: {}", section.heading, section.text))
            .collect::<Vec<_>>()
            .join("\n"),
        "stable_diffusion" | "midjourney" => {
            sections.iter().map(|section| section.text.as_str()).collect::<Vec<_>>().join(", ")
        }
        _ => craft::joined(&sections, " "),
    };
    let mut assumptions = assumptions(&vision, &picture, &ratio);
    let omitted;
    if family == "midjourney" {
        let flags = midjourney(&picture, &ratio, &vision);
        let trailing = flags.trailing();
        prompt = format!("{} {trailing}", prompt.replace('\n', " "));
        parameters = flags.settings();
        sections.push(Section { heading: "Parameters".to_owned(), text: trailing });
        omitted = visual::omitted(&Flags::default(), &unread);
    } else {
        omitted = visual::omitted(&vision.flags, &unread);
    }
    assumptions.extend(omitted.as_ref().map(|omitted| omitted.told(&model.name)));
    let turned: Vec<String> = if family == "flux" && !picture.foreign {
        let turned =
            |item: &&String| exclude::reversed(item).is_some() || exclude::is_quality(item);
        vision.exclusions.iter().filter(turned).cloned().collect()
    } else {
        Vec::new()
    };
    let turned = (!turned.is_empty()).then_some(Omitted::Exclusions(turned));
    assumptions.extend(turned.as_ref().map(|omitted| omitted.told(&model.name)));
    let negative = model.negative_prompt.then(|| {
        let usual = picture
            .kind
            .negative
            .split(", ")
            .filter(|item| !item.contains("text") || picture.lettering.is_empty())
            .map(str::to_owned);
        visual::each_once(vision.exclusions.iter().cloned().chain(usual)).join(", ")
    });
    let title = if visual::language(goal).is_some() {
        title::shorten(&vision.subject)
    } else {
        title::of_phrase(&vision.subject)
    };
    Draft {
        title,
        mode: Mode::Image,
        assumptions,
        questions: questions(&vision, &picture),
        techniques: techniques(&picture, family, negative.is_some()),
        usage: usage(brief, model.kind, family),
        prompt,
        negative_prompt: negative,
        parameters,
        sections,
        omitted: omitted.into_iter().chain(turned).collect(),
        ..Draft::default()
    }
}

/// The settings of an image model; without a ratio it is left to the model.
pub fn settings(
    brief: &GenerateBrief,
    ratio: Option<&str>,
    seed: Option<u32>,
) -> Map<String, Value> {
    let model = brief.target_model.model();
    let mut parameters = model.parameters.clone();
    if model.kind != ModelKind::Image {
        parameters.clear();
        parameters.insert("aspectRatio".to_owned(), Value::Null);
    }
    for key in ["aspectRatio", "aspect_ratio", "ar", "size"] {
        let Some(value) = parameters.get_mut(key) else { continue };
        match ratio {
            Some(ratio) if model.family == "gpt_image" => {
                *value = json!(match orientation(ratio) {
                    std::cmp::Ordering::Less => "1024x1536",
                    std::cmp::Ordering::Equal => "1024x1024",
                    std::cmp::Ordering::Greater => "1536x1024",
                });
            }
            Some(ratio) => *value = json!(ratio),
            None => {
                parameters.remove(key);
            }
        }
    }
    if let Some(seed) = seed {
        parameters.insert("seed".to_owned(), json!(seed));
    }
    parameters
}

fn orientation(ratio: &str) -> std::cmp::Ordering {
    let (width, height) = ratio.split_once(':').unwrap_or(("1", "1"));
    width.parse::<u32>().unwrap_or(1).cmp(&height.parse::<u32>().unwrap_or(1))
}

fn picture<'a>(vision: &'a Vision, goal: &Goal, family: &str) -> Picture<'a> {
    let knowledge = &*KNOWLEDGE;
    let subject = vision.subject.to_lowercase();
    let matching = |text: &str| {
        knowledge
            .kinds
            .iter()
            .filter_map(|(cue, kind)| Some((head((*cue)?, text)?, kind)))
            .min_by_key(|(start, kind)| if kind.graphic { 0 } else { *start + 1 })
            .map(|(_, kind)| kind)
    };
    let scene = &knowledge.kinds[knowledge.kinds.len() - 1].1;
    let kind = matching(&subject).or_else(|| matching(&vision.seen)).unwrap_or(scene);
    let named = knowledge.styles.iter().find_map(|(cue, style)| {
        cue.as_ref().filter(|cue| cue.is_match(&vision.lower)).map(|cue| (cue, style))
    });
    let (named, style) = named.unzip();
    // A style of the user's own must not meet a photographic one.
    let own = style.is_none() && pattern!(r"(?i)\b{image.style}\b").is_match(&vision.lower);
    let drawn =
        own || kind.graphic || style.is_some_and(|style| !style.photo) || kind.id == "character";
    let medium = match style {
        _ if own || visual::language(goal).is_some() => String::new(),
        Some(style) if !style.medium.is_empty() => style.medium.clone(),
        Some(style) if style.photo && kind.id == "character" => "photograph".to_owned(),
        _ => kind.medium.clone(),
    };
    let craft = visual::language(goal).and_then(craft::of);
    let foreign = visual::language(goal).is_some();
    let unless = |stated: bool, english: &'a str, other: fn(&Craft) -> &str| match craft {
        _ if stated || english.is_empty() => "",
        Some(craft) => other(craft),
        None if foreign => "",
        None => english,
    };
    // Only one model is known to read colour codes.
    let palette = if vision.stated.colour || foreign || family != "flux" {
        String::new()
    } else {
        kind.hex.join(", ")
    };
    Picture {
        kind,
        medium,
        styled: style.is_some() || own,
        shown: own
            || named.is_some_and(|cue| {
                cue.is_match(&subject)
                    || vision.details.iter().any(|detail| cue.is_match(&detail.to_lowercase()))
            }),
        subject: vision.subject.clone(),
        composition: unless(vision.stated.framing, &kind.composition, |craft| &craft.composition),
        light: if kind.graphic {
            ""
        } else {
            unless(vision.stated.light, &kind.light, |craft| &craft.light)
        },
        lens: if drawn || vision.stated.framing || foreign { "" } else { &kind.lens },
        palette,
        details: &vision.details,
        lettering: &vision.lettering,
        exclusions: vision
            .exclusions
            .iter()
            .map(|item| craft.map_or(item.as_str(), |craft| craft.name(item)).to_owned())
            .collect(),
        craft,
        foreign,
    }
}

/// Where a cue names the thing itself: "ramen" in "a bowl of ramen", not in "a ramen shop sign".
pub fn head(cue: Pattern, text: &str) -> Option<usize> {
    let modifies = pattern!(r"^[ -]{image.modified}\b");
    cue.find_iter(text)
        .find(|found| !modifies.is_match(&text[found.end()..]))
        .map(|found| found.start())
}

fn sections(picture: &Picture<'_>, family: &str, ratio: &str) -> Vec<Section> {
    let listed = matches!(family, "midjourney" | "stable_diffusion");
    let subject = picture.subject.to_lowercase();
    let said = |words: &str| {
        words.split_whitespace().any(|word| {
            matches!(
                word,
                "photograph"
                    | "illustration"
                    | "logo"
                    | "icon"
                    | "painting"
                    | "render"
                    | "artwork"
                    | "infographic"
                    | "art"
            ) && subject.contains(word)
        })
    };
    let opening = if picture.medium.is_empty()
        || names_medium(&picture.subject)
        || listed && (picture.shown || said(&picture.medium))
    {
        picture.subject.clone()
    } else if listed {
        format!("{}, {}", picture.subject, picture.medium)
    } else if picture.kind.graphic {
        format!("{}, as {}", capitalize(&picture.subject), with_a(&picture.medium))
    } else {
        format!("{} of {}", capitalize(&with_a(&picture.medium)), framing::inline(&picture.subject))
    };
    let quoted = |text: &&String| {
        let quoted = format!("\"{text}\"");
        opening.contains(&quoted) || picture.details.iter().any(|detail| detail.contains(&quoted))
    };
    let absent: Vec<String> = picture
        .lettering
        .iter()
        .filter(|text| !quoted(text))
        .map(|text| format!("\"{text}\""))
        .collect();
    let lettering = match (picture.lettering.is_empty(), picture.craft) {
        (true, _) => String::new(),
        (_, Some(craft)) => craft.lettering.clone(),
        _ if picture.foreign => String::new(),
        _ if !absent.is_empty() => {
            format!("the exact text {}, clear and easy to read", absent.join(" and "))
        }
        _ if listed => "clear, legible lettering".to_owned(),
        _ => "the quoted text appears exactly as written, clear and easy to read".to_owned(),
    };
    let mut list: Vec<(&str, String)> = vec![
        ("Subject", opening.clone()),
        ("Details", picture.details.join(if listed { ", " } else { ". " })),
        ("Text", lettering),
        ("Composition", picture.composition.to_owned()),
        ("Light", picture.light.to_owned()),
        (
            "Camera",
            if picture.lens.is_empty() || listed {
                picture.lens.to_owned()
            } else {
                format!("shot with {}", with_a(picture.lens))
            },
        ),
        (
            "Colours",
            if picture.palette.is_empty() {
                String::new()
            } else {
                format!("the palette stays close to {}", picture.palette)
            },
        ),
    ];
    if !picture.exclusions.is_empty() && !listed && family != "qwen_image" {
        let all = picture.exclusions.join(", ");
        let text = match (picture.craft, family) {
            (Some(craft), _) => craft.free.replace("{}", &all),
            (None, "flux") => positive(&picture.exclusions),
            _ => format!("leave out {all}"),
        };
        list.push(("Constraints", text));
    }
    if matches!(family, "gpt_image" | "universal" | "grok_imagine") {
        let text = match picture.craft {
            Some(craft) => craft.format.replace("{}", ratio),
            None => format!("{ratio} aspect ratio"),
        };
        list.push(("Format", text));
    }
    list.into_iter()
        .filter(|(_, text)| !text.trim().is_empty())
        .map(|(heading, text)| Section {
            heading: heading.to_owned(),
            text: if listed {
                text.trim_end_matches(['.', ',', '。', '、', '，']).to_owned()
            } else if picture.foreign {
                craft::stop(&text)
            } else {
                stop(&capitalize(&text))
            },
        })
        .collect()
}

/// Whether the subject says itself what kind of picture it is ("a watercolour painting of …").
fn names_medium(subject: &str) -> bool {
    pattern!(r"(?i)^(?:{image.article} )?(?:[\w'-]+ ){0,3}{image.picture} {image.of}\b")
        .is_match(subject)
}

/// What to show instead of exclusions, for models that only understand what is present. A quality has an
/// opposite or is not named at all; things are told in one phrase.
fn positive(exclusions: &[String]) -> String {
    let mut phrases: Vec<String> = Vec::new();
    let mut others: Vec<&str> = Vec::new();
    for exclusion in exclusions {
        let lower = exclusion.to_lowercase();
        let phrase = if let Some(instead) = exclude::reversed(exclusion) {
            instead.to_owned()
        } else if exclude::is_quality(exclusion) {
            continue;
        } else if pattern!(r"\b{image.people}\b").is_match(&lower) {
            format!("an empty scene, free of {exclusion}")
        } else if pattern!(r"\b{image.text}\b").is_match(&lower) {
            format!("clean, blank surfaces, free of {exclusion}")
        } else if lower.contains("background") {
            "the subject isolated on pure white".to_owned()
        } else if lower.contains("shadow") {
            format!("perfectly even light, free of {exclusion}")
        } else {
            others.push(exclusion);
            continue;
        };
        if !phrases.contains(&phrase) {
            phrases.push(phrase);
        }
    }
    if !others.is_empty() {
        phrases.push(format!("only what is described here, free of {}", others.join(", ")));
    }
    phrases.join("; ")
}

fn with_a(phrase: &str) -> String {
    let article = if phrase.starts_with(['a', 'e', 'i', 'o', 'u']) || phrase.starts_with('8') {
        "an"
    } else {
        "a"
    };
    format!("{article} {phrase}")
}

/// The parameters of the prompt: the user's own, then what is usual for such a picture.
fn midjourney(picture: &Picture<'_>, ratio: &str, vision: &Vision) -> Flags {
    let mut flags = vision.flags.clone();
    let own = flags.get("no").is_some();
    for item in &vision.exclusions {
        flags.set("no", item);
    }
    if !own && picture.lettering.is_empty() && !picture.kind.graphic {
        flags.set("no", "text");
        flags.set("no", "watermark");
    }
    let stylize = match (picture.kind.graphic, picture.lens.is_empty()) {
        (true, _) => "50",
        (_, true) => "250",
        _ => "100",
    };
    let chaos = if matches!(picture.kind.id.as_str(), "logo" | "pattern") { "10" } else { "5" };
    flags.default_to("ar", ratio);
    flags.default_to("s", stylize);
    flags.default_to("c", chaos);
    if let Some(seed) = vision.seed {
        flags.default_to("seed", &seed.to_string());
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
        ("medium", if picture.styled { "" } else { picture.medium.as_str() }),
        ("composition", picture.composition),
        ("light", picture.light),
        ("lens", picture.lens),
        ("colours", picture.palette.as_str()),
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
    list.push(technique("concrete_aspects", "Concrete aspects", format!("Composition and style are described as for a {}, so that the model does not have to guess them.", if picture.medium.is_empty() { "picture" } else { &picture.medium })));
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
    if !picture.palette.is_empty() {
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
