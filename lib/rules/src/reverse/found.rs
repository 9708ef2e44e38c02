//! A text that is a prompt itself: an image prompt with its settings, or instructions with variables.
//!
//! The forms are those that people copy from the programs: trailing parameters as Midjourney takes them, the
//! `parameters` text of the AUTOMATIC1111 web UI, and lists of weighted tags.

use serde_json::{Map, Value};

use super::document::Document;
use crate::dialect::Part;
use crate::outline::part_of;
use engine::{ModelKind, Provenance, TargetModel};
use patterns::pattern;
use text::{imperative, variables};

/// A longer text is no prompt for one picture, in characters.
const LONGEST: usize = 8000;
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

impl Found {
    fn new(tool: &str, prompt: &str, negative: Option<&str>) -> Self {
        let negative = negative.map(str::trim).filter(|negative| !negative.is_empty());
        Self {
            prompt: prompt.trim().to_owned(),
            negative: negative.map(str::to_owned),
            parameters: Map::new(),
            provenance: Provenance {
                tool: tool.to_owned(),
                container: "text".to_owned(),
                field: "prompt".to_owned(),
            },
            visual: true,
        }
    }
}

/// The prompt that a text is, if it is one. A text that commands a language model is taken for content.
pub fn find(document: &Document, text: &str, target: TargetModel) -> Option<Found> {
    if document.page || document.commands > 0 {
        return None;
    }
    let text = text.trim();
    let visual = matches!(target.model().kind, ModelKind::Image | ModelKind::Video);
    let short = text.chars().take(LONGEST + 1).count() <= LONGEST;
    let described = || trailing(text, target).or_else(|| tags(text));
    let picture = || infotext(text).or_else(|| document.code.is_empty().then(described)?);
    short.then(picture).flatten().or_else(|| template(text).filter(|_| !visual))
}

/// The prompt, "Negative prompt: …" and "Steps: …, Sampler: …", on lines of their own or behind each other.
fn infotext(text: &str) -> Option<Found> {
    let steps = pattern!(r"(?:^|\s)Steps: ?\d{1,4}\s*(?:,|$)").find_iter(text).last();
    let settings = steps.and_then(|found| {
        let line = text[found.start()..].trim().replace('\n', ",");
        Some((found.start(), image_analysis::settings(&line)?))
    });
    let head = settings.as_ref().map_or(text, |(start, _)| &text[..*start]);
    let negative = pattern!(r"(?i)(?:^|\s)negative prompt: ?").find(head);
    let (prompt, excluded) = match &negative {
        Some(found) => (&head[..found.start()], Some(&head[found.end()..])),
        None => (head, None),
    };
    let tool = if settings.is_some() { "AUTOMATIC1111" } else { "Stable Diffusion" };
    let mut found = Found::new(tool, prompt, excluded);
    if let Some((_, parameters)) = settings {
        found.provenance.field = "parameters".to_owned();
        found.parameters = parameters;
    } else if negative.is_none() {
        return None;
    }
    Some(found).filter(|found| found.prompt.contains(char::is_alphanumeric))
}

fn scalar(text: &str) -> Value {
    let plain = text.trim_matches('"');
    let number = serde_json::from_str(plain).ok().filter(Value::is_number);
    number.unwrap_or_else(|| Value::from(plain))
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
            negative = Some(value.to_owned());
        }
        let value = if value.is_empty() { Value::from(true) } else { scalar(value) };
        parameters.insert(name.to_owned(), value);
    }
    let told = parameters.len() >= 2
        || ["ar", "aspect", "v", "niji", "no", "s", "stylize"]
            .iter()
            .any(|name| parameters.contains_key(*name));
    let described = words.split_whitespace().count() >= 2 && !words.starts_with(['$', '#', '>']);
    if !(told && described) {
        return None;
    }
    // Only there are parameters read where they stand.
    let prompt = if target.model().family == "midjourney" { text } else { words };
    Some(Found { parameters, ..Found::new("Midjourney", prompt, negative.as_deref()) })
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
    (list && (weights || usual >= 2)).then(|| Found::new("Stable Diffusion", text, None))
}

/// Instructions with `{{variables}}`, whatever they are about, or under the headings of a prompt.
fn template(text: &str) -> Option<Found> {
    let marked = text.lines().filter(|line| line.starts_with(['#', '<', '*'])).filter_map(part);
    let marked: Vec<Part> = marked.collect();
    let headed = marked.contains(&Part::Role) && marked.contains(&Part::Task);
    if !headed && variables::find(text).is_empty() {
        return None;
    }
    let first = text.lines().find(|line| line.chars().any(char::is_alphanumeric))?.trim();
    let plain = first.trim_start_matches(['#', '*', '-', '>', ' ']);
    let plain = pattern!(r"(?i)^{reverse_found.request_lead},? ").replace(plain, "");
    let orders = imperative::starts_work(&plain)
        || pattern!(r"(?i)^(?:{reverse_found.prompt_start}|{reverse_found.order} )")
            .is_match(&plain)
        || part(&plain).is_some();
    let mut found = Found::new("text", text, None);
    found.provenance.field = "text".to_owned();
    orders.then_some(Found { visual: false, ..found })
}

/// The part of a prompt that a line is the heading of.
fn part(line: &str) -> Option<Part> {
    part_of(line.trim_matches(['#', '*', '-', '<', '>', ':', '：', ' ']))
}
