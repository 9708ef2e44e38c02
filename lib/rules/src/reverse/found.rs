//! A text that is a prompt itself: an image prompt with its settings, or instructions with variables.
//!
//! The forms are those that people copy from the programs: trailing parameters, the
//! `parameters` text of the AUTOMATIC1111 web UI, and lists of weighted tags.

use serde_json::{Map, Value};

use super::document::Document;
use crate::dialect::Part;
use crate::outline::part_of;
use crate::visual::flags::{self, Flags};
use crate::visual::{family, pasted};
use engine::{ModelKind, Provenance, TargetModel};
use patterns::pattern;
use text::{imperative, variables};

/// A longer text is no prompt for one picture, in characters.
const LONGEST: usize = 8000;
/// Fewer tags than this are no list of them.
const FEWEST_TAGS: usize = 3;
/// Longest tag on average, in words.
const LONGEST_TAG: usize = 6;

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
    let pasted = pasted::read(text)?;
    let tool = if pasted.settings.is_some() { "AUTOMATIC1111" } else { family::tool(false) };
    let mut found = Found::new(tool, pasted.prompt, pasted.negative);
    if let Some(parameters) = pasted.settings {
        found.provenance.field = "parameters".to_owned();
        found.parameters = parameters;
    }
    Some(found)
}

/// "… --ar 16:9 --s 250": words, then parameters that are all known.
fn trailing(text: &str, target: TargetModel) -> Option<Found> {
    let text = pattern!(r"(?i)^/?imagine(?: prompt)?:?\s+").replace(text, "");
    let text = text.trim();
    let (words, found) = Flags::take(text);
    let known = found.names().all(|name| flags::known(name).is_some());
    let told = found.names().count() >= 2
        || ["ar", "v", "niji", "no", "s"].iter().any(|name| found.get(name).is_some());
    let described = words.split_whitespace().count() >= 2 && !words.starts_with(['$', '#', '>']);
    // They stand at the end, and nothing behind them.
    if !(known && told && described && text.starts_with(&words)) {
        return None;
    }
    let negative = found.get("no").map(str::to_owned);
    // Only there are parameters read where they stand.
    let prompt = if family::of(target.model()).flags { text } else { &words };
    let parameters = found.settings();
    Some(Found { parameters, ..Found::new(family::tool(true), prompt, negative.as_deref()) })
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
    (list && (weights || usual >= 2)).then(|| Found::new(family::tool(false), text, None))
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
