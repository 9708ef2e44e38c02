//! A text that is a prompt itself: an image prompt with its settings, or instructions with variables.
//!
//! The forms are those that people copy from the programs: trailing parameters as Midjourney takes them, the
//! `parameters` text of the AUTOMATIC1111 web UI, and lists of weighted tags.

use serde_json::{Map, Value};

use super::document::Document;
use crate::rules::imperative;
use crate::{ModelKind, Provenance, TargetModel, variables};
use patterns::pattern;

/// A longer text is no prompt for one picture, in characters.
const LONGEST: usize = 8000;
/// Fewer settings than this behind the steps are not taken for any.
const FEWEST_SETTINGS: usize = 2;
/// Fewer tags than this are no list of them.
const FEWEST_TAGS: usize = 3;
/// Longest tag on average, in words.
const LONGEST_TAG: usize = 6;

/// The parameters that Midjourney documents.
const FLAGS: &str = "ar aspect c chaos cref cw draft exp fast fps hd iw loop motion niji no ow oref p personalize profile q quality r raw relax repeat s seed sref stop style stylize sv sw tile turbo v version video w weird";

/// A prompt that stood in a text.
#[derive(Debug)]
pub struct Found {
    /// The prompt.
    pub prompt: String,
    /// What must not be seen.
    pub negative: Option<String>,
    /// Settings by the names that the text gives them.
    pub parameters: Map<String, Value>,
    /// Where it was found.
    pub provenance: Provenance,
    /// Whether it is for a picture.
    pub visual: bool,
}

/// The prompt that a text is, if it is one. A text that commands a language model is taken for content.
pub fn find(document: &Document, text: &str, target: TargetModel) -> Option<Found> {
    if document.page || document.commands > 0 {
        return None;
    }
    let visual = matches!(target.model().kind, ModelKind::Image | ModelKind::Video);
    let short = text.chars().take(LONGEST + 1).count() <= LONGEST;
    let picture = || {
        let text = text.trim();
        let flagged = || trailing(text, target);
        infotext(text)
            .or_else(|| flagged().filter(|_| document.code.is_empty()))
            .or_else(|| tags(text).filter(|_| document.code.is_empty()))
    };
    short.then(picture).flatten().or_else(|| template(text).filter(|_| !visual))
}

fn provenance(tool: &str, field: &str) -> Provenance {
    Provenance { tool: tool.to_owned(), container: "text".to_owned(), field: field.to_owned() }
}

/// The prompt, "Negative prompt: …" and "Steps: …, Sampler: …", on lines of their own or behind each other.
fn infotext(text: &str) -> Option<Found> {
    let steps = pattern!(r"(?:^|\s)(?P<s>Steps: ?\d{1,4}\s*(?:,|$))");
    let negative = pattern!(r"(?i)(?:^|\s)(?P<n>negative prompt: ?)");
    let place = steps.captures_iter(text).filter_map(|found| found.name("s")).last();
    let parameters = place.and_then(|place| settings(&text[place.start()..]));
    let head = match (&parameters, place) {
        (Some(_), Some(place)) => &text[..place.start()],
        _ => text,
    };
    let split = negative.captures(head).and_then(|found| found.name("n"));
    if parameters.is_none() && split.is_none_or(|split| split.start() == 0) {
        return None;
    }
    let (prompt, excluded) = match split {
        Some(split) => (&head[..split.start()], head[split.end()..].trim()),
        None => (head, ""),
    };
    Some(Found {
        prompt: prompt.trim().to_owned(),
        negative: (!excluded.is_empty()).then(|| excluded.to_owned()),
        provenance: provenance(
            if parameters.is_some() { "AUTOMATIC1111" } else { "Stable Diffusion" },
            if parameters.is_some() { "parameters" } else { "prompt" },
        ),
        parameters: parameters.unwrap_or_default(),
        visual: true,
    })
    .filter(|found| found.prompt.chars().any(char::is_alphanumeric))
}

/// "Name: value, Name: "value, with a comma"", if there are enough of them.
fn settings(text: &str) -> Option<Map<String, Value>> {
    let pair = pattern!(
        r#"\s*(?P<k>[\p{L}][\p{L}\d ()/_.+-]{0,60}):\s*(?P<v>"(?:[^"\\]|\\.)*"|[^,\n]*)(?:,|\n|$)"#
    );
    let parameters: Map<String, Value> = pair
        .captures_iter(text)
        .map(|found| (found["k"].trim().to_owned(), scalar(found["v"].trim())))
        .collect();
    (parameters.len() > FEWEST_SETTINGS).then_some(parameters)
}

fn scalar(text: &str) -> Value {
    let plain = text.trim_matches('"');
    if let Ok(number) = plain.parse::<i64>() {
        return Value::from(number);
    }
    match plain.parse::<f64>() {
        Ok(number) if number.is_finite() && plain.starts_with(|c: char| c.is_ascii_digit()) => {
            Value::from(number)
        }
        _ => Value::from(plain),
    }
}

/// "… --ar 16:9 --s 250": words, then parameters that are all known.
fn trailing(text: &str, target: TargetModel) -> Option<Found> {
    let text = pattern!(r"(?i)^/?imagine(?: prompt)?:?\s+").replace(text, "");
    let text = text.trim();
    let flag = pattern!(r"(?:^|\s)(?:--|—|–)(?P<f>[a-z]{1,12})(?:\s|$)");
    let first = flag.find(text)?.start();
    let words = text[..first].trim();
    let mut parameters = Map::new();
    let mut negative: Option<String> = None;
    for part in pattern!(r"(?:^|\s)(?:--|—|–)").split(&text[first..]).skip(1) {
        let (name, value) = part.split_once(char::is_whitespace).unwrap_or((part, ""));
        let value = value.trim();
        // What follows a parameter is its value and no further sentence.
        if !FLAGS.split(' ').any(|known| known == name)
            || name != "no" && value.split_whitespace().count() > 4
        {
            return None;
        }
        if name == "no" {
            negative = Some(value.to_owned()).filter(|value| !value.is_empty());
        }
        let value = if value.is_empty() { Value::from(true) } else { scalar(value) };
        parameters.insert(name.to_owned(), value);
    }
    let told = parameters.len() >= 2
        || ["ar", "aspect", "v", "niji", "no", "s", "stylize"]
            .iter()
            .any(|name| parameters.contains_key(*name));
    let described = words.split_whitespace().count() >= 2 && !words.starts_with(['$', '#', '>']);
    (told && described).then(|| Found {
        // Only there are parameters read where they stand.
        prompt: if target.model().family == "midjourney" { text } else { words }.to_owned(),
        negative,
        parameters,
        provenance: provenance("Midjourney", "prompt"),
        visual: true,
    })
}

/// "(masterpiece:1.2), 1girl, …": tags with weights, or with the words that only such lists use.
fn tags(text: &str) -> Option<Found> {
    let tags: Vec<&str> =
        text.split([',', '\n']).map(str::trim).filter(|tag| !tag.is_empty()).collect();
    let words: usize = tags.iter().map(|tag| tag.split_whitespace().count()).sum();
    let weights = pattern!(r"\([^():]{1,80}:\d(?:\.\d+)?\)|<lora:[^<>]{1,80}>").is_match(text);
    let usual =
        pattern!(r"(?i)\b(?:{reverse_found.usual_tag}|absurdres|8k(?: uhd)?|score_\d(?:_up)?)\b")
            .find_iter(text)
            .take(2)
            .count();
    let list = tags.len() >= FEWEST_TAGS && words <= tags.len() * LONGEST_TAG;
    (list && (weights || usual >= 2)).then(|| Found {
        prompt: text.to_owned(),
        negative: None,
        parameters: Map::new(),
        provenance: provenance("Stable Diffusion", "prompt"),
        visual: true,
    })
}

/// Instructions with `{{variables}}`, whatever they are about.
fn template(text: &str) -> Option<Found> {
    if variables::find(text).is_empty() {
        return None;
    }
    let first = text.lines().map(str::trim).find(|line| {
        line.chars().any(char::is_alphanumeric) && !crate::rules::goal::is_pleasantry(line)
    })?;
    let plain = first.trim_start_matches(['#', '*', '-', '>', ' ']);
    let plain = pattern!(r"(?i)^{reverse_found.request_lead},? ").replace(plain, "");
    let orders = imperative::starts_work(&plain)
        || pattern!(r"(?i)^(?:{reverse_found.prompt_start}|{reverse_found.order} )")
            .is_match(&plain)
        || crate::rules::outline::part_of(
            plain
                .trim_end_matches([':', '：', '*', ' ', '#'])
                .trim_start_matches('<')
                .trim_end_matches('>'),
        )
        .is_some();
    orders.then(|| Found {
        prompt: text.trim().to_owned(),
        negative: None,
        parameters: Map::new(),
        provenance: provenance("text", "text"),
        visual: false,
    })
}
