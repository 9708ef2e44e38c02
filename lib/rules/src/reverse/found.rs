//! A text that is a prompt itself: an image prompt with its settings, or instructions with variables.
//!
//! The forms are those that people copy from the programs: trailing parameters, and the `parameters` text of the
//! AUTOMATIC1111 web UI.

use serde_json::{Map, Value};

use crate::outline::part_of;
use crate::visual::family;
use crate::visual::flags::Flags;
use engine::TargetModel;
use patterns::pattern;
use text::{imperative, variables};

/// A longer text is no prompt for one picture, in characters.
const LONGEST: usize = 8000;

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
pub fn find(text: &str, target: TargetModel) -> Option<Found> {
    let text = text.trim();
    let short = text.chars().nth(LONGEST).is_none();
    let picture = || infotext(text).or_else(|| trailing(text, target));
    let is_text = family::mode_of(target.model()).is_none();
    short.then(picture).flatten().or_else(|| is_text.then(|| template(text))?)
}

/// A prompt for a picture.
fn found(tool: &'static str, prompt: &str, negative: Option<&str>) -> Found {
    let negative = negative.map(str::trim).filter(|negative| !negative.is_empty());
    let (prompt, negative) = (prompt.trim().to_owned(), negative.map(str::to_owned));
    Found { tool, prompt, negative, parameters: Map::new(), visual: true }
}

/// The prompt, "Negative prompt: …" and "Steps: …, Sampler: …", on lines of their own or behind each other.
pub fn infotext(text: &str) -> Option<Found> {
    let steps = pattern!(r"(?:^|\s)Steps: ?\d{1,4}\s*(?:,|$)").find_iter(text).last();
    let settings = steps.and_then(|found| {
        let line = text[found.start()..].trim().replace('\n', ",");
        Some((found.start(), image_analysis::settings(&line)?))
    });
    let head = settings.as_ref().map_or(text, |(start, _)| &text[..*start]);
    let negative = pattern!(r"(?i)(?:^|\s)negative prompt: ?").find(head);
    let prompt = negative.map_or(head, |found| &head[..found.start()]);
    if settings.is_none() && negative.is_none() || !prompt.contains(char::is_alphanumeric) {
        return None;
    }
    let tool = if settings.is_some() { "AUTOMATIC1111" } else { family::tool(false) };
    let parameters = settings.map(|(_, map)| map).unwrap_or_default();
    Some(Found { parameters, ..found(tool, prompt, negative.map(|found| &head[found.end()..])) })
}

/// "… --ar 16:9 --s 250": words, then parameters that are all known.
fn trailing(text: &str, target: TargetModel) -> Option<Found> {
    let text = pattern!(r"(?i)^/?imagine(?: prompt)?:?\s+").replace_all(text, |_| "");
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

/// Instructions with `{{variables}}`, whatever they are about.
fn template(text: &str) -> Option<Found> {
    let first = text.lines().find(|line| line.contains(char::is_alphanumeric))?;
    let plain = first.trim_matches(['#', '*', '-', '<', '>', ':', '：', ' ']);
    let start = pattern!(r"(?i)^(?:{reverse_found.prompt_start}|{reverse_found.order} )");
    let orders =
        imperative::starts_work(plain) || start.is_match(plain) || part_of(plain).is_some();
    let is_template = orders && !variables::find(text).is_empty();
    is_template.then(|| Found { visual: false, ..found("text", text, None) })
}
