//! A text that is a prompt itself: an image prompt with its settings, or instructions with variables.
//!
//! The forms are those that people copy from the programs: trailing parameters, the
//! `parameters` text of the AUTOMATIC1111 web UI, and lists of weighted tags.

use serde_json::{Map, Value};

use crate::dialect::Part;
use crate::outline::part_of;
use crate::visual::flags::Flags;
use crate::visual::{family, pasted};
use engine::{ModelKind, TargetModel};
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
    /// The program whose form it has.
    pub tool: &'static str,
    /// The prompt.
    pub prompt: String,
    /// What must not be seen.
    pub negative: Option<String>,
    /// Settings by the names that the text gives them.
    pub parameters: Map<String, Value>,
    /// Whether it is for a picture.
    pub visual: bool,
}

/// The prompt that a text is, if it is one.
pub fn find(text: &str, is_code: bool, target: TargetModel) -> Option<Found> {
    let text = text.trim();
    let visual = matches!(target.model().kind, ModelKind::Image | ModelKind::Video);
    let short = text.chars().nth(LONGEST).is_none();
    let described = || trailing(text, target).or_else(|| tags(text));
    let picture = || infotext(text).or_else(|| (!is_code).then(described)?);
    short.then(picture).flatten().or_else(|| template(text).filter(|_| !visual))
}

/// A prompt for a picture.
fn found(tool: &'static str, prompt: &str, negative: Option<&str>) -> Found {
    let negative = negative.map(str::trim).filter(|negative| !negative.is_empty());
    let (prompt, negative) = (prompt.trim().to_owned(), negative.map(str::to_owned));
    Found { tool, prompt, negative, parameters: Map::new(), visual: true }
}

/// The prompt, "Negative prompt: …" and "Steps: …, Sampler: …", on lines of their own or behind each other.
fn infotext(text: &str) -> Option<Found> {
    let pasted = pasted::read(text)?;
    let tool = if pasted.settings.is_some() { "AUTOMATIC1111" } else { family::tool(false) };
    let parameters = pasted.settings.unwrap_or_default();
    Some(Found { parameters, ..found(tool, pasted.prompt, pasted.negative) })
}

/// "… --ar 16:9 --s 250": words, then parameters that are all known.
fn trailing(text: &str, target: TargetModel) -> Option<Found> {
    let text = pattern!(r"(?i)^/?imagine(?: prompt)?:?\s+").replace(text, "");
    let (words, flags) = Flags::take(text.trim());
    let described = words.split_whitespace().count() >= 2 && !words.starts_with(['$', '#', '>']);
    // They stand at the end, and nothing behind them.
    if !(flags.are_known() && described && text.trim().starts_with(&words)) {
        return None;
    }
    // Only there are parameters read where they stand.
    let prompt = if family::of(target.model()).flags { &*text } else { &words };
    let parameters = flags.settings();
    let unwanted = flags.unwanted.join(", ");
    Some(Found { parameters, ..found(family::tool(true), prompt, Some(&unwanted)) })
}

/// "(masterpiece:1.2), 1girl, …": tags, and weights as only such lists have them.
fn tags(text: &str) -> Option<Found> {
    let tags = text.split([',', '\n']).filter(|tag| !tag.trim().is_empty()).count();
    let short = text.split_whitespace().count() <= tags * LONGEST_TAG;
    let weights = pattern!(r"\([^():]{1,80}:\d(?:\.\d+)?\)|<lora:[^<>]{1,80}>");
    let listed = tags >= FEWEST_TAGS && short && weights.is_match(text);
    listed.then(|| found(family::tool(false), text, None))
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
    let first = text.lines().find(|line| line.chars().any(char::is_alphanumeric))?;
    let plain = first.trim_matches(['#', '*', '-', '>', ' ']);
    let start = pattern!(r"(?i)^(?:{reverse_found.prompt_start}|{reverse_found.order} )");
    let orders = imperative::starts_work(plain) || start.is_match(plain) || part(plain).is_some();
    orders.then(|| Found { visual: false, ..found("text", text, None) })
}
