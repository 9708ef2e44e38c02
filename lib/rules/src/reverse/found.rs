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
/// Fewer tags than this are no list of them, and longer ones on average, in words.
const FEWEST_TAGS: usize = 3;
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
    /// A prompt for a picture.
    fn new(
        tool: &str,
        prompt: &str,
        negative: Option<&str>,
        parameters: Map<String, Value>,
    ) -> Self {
        let negative = negative.map(str::trim).filter(|negative| !negative.is_empty());
        Self {
            prompt: prompt.trim().to_owned(),
            negative: negative.map(str::to_owned),
            parameters,
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
    if document.commands > 0 {
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
    let settings = pasted.settings.unwrap_or_default();
    Some(Found::new(tool, pasted.prompt, pasted.negative, settings))
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
    // Only there are parameters read where they stand.
    let prompt = if family::of(target.model()).flags { text } else { &words };
    Some(Found::new(family::tool(true), prompt, found.get("no"), found.settings()))
}

/// "(masterpiece:1.2), 1girl, …": tags, and weights as only such lists have them.
fn tags(text: &str) -> Option<Found> {
    let tags = text.split([',', '\n']).filter(|tag| !tag.trim().is_empty()).count();
    let short = text.split_whitespace().count() <= tags * LONGEST_TAG;
    let weights = pattern!(r"\([^():]{1,80}:\d(?:\.\d+)?\)|<lora:[^<>]{1,80}>");
    (tags >= FEWEST_TAGS && short && weights.is_match(text))
        .then(|| Found::new(family::tool(false), text, None, Map::new()))
}

/// Instructions with `{{variables}}`, whatever they are about, or under the headings of a prompt.
fn template(text: &str) -> Option<Found> {
    let part = |line: &str| part_of(line.trim_matches(['#', '*', '-', '<', '>', ':', '：', ' ']));
    let marked = text.lines().filter(|line| line.starts_with(['#', '<', '*'])).filter_map(part);
    let marked: Vec<Part> = marked.collect();
    let headed = marked.contains(&Part::Role) && marked.contains(&Part::Task);
    if !headed && variables::find(text).is_empty() {
        return None;
    }
    let first = text.lines().find(|line| line.chars().any(char::is_alphanumeric))?.trim();
    let plain = first.trim_start_matches(['#', '*', '-', '>', ' ']);
    let plain = pattern!(r"(?i)^{reverse_found.request_lead},? ").replace(plain, "");
    let start = pattern!(r"(?i)^(?:{reverse_found.prompt_start}|{reverse_found.order} )");
    let orders =
        imperative::starts_work(&plain) || start.is_match(&plain) || part(&plain).is_some();
    orders.then(|| Found { visual: false, ..Found::new("text", text, None, Map::new()) })
}
