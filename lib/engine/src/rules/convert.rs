//! Bringing a prompt that was written for one model into the form that another model reads.

use serde_json::{Map, Value};

use super::dialect::{self, Piece};
use super::outline::Outline;
use super::split::stop;
use super::visual::exclude;
pub use super::visual::parameters::Flags;
use crate::{GenerateBrief, Mode, catalogue, language};
use patterns::pattern;

/// Whether a remark only names the model that the prompt is for: "Same, but for Claude".
pub fn names_target(clause: &str) -> bool {
    let Some(found) = pattern!(r"(?i)^(?:{convert.same}[,:]? ?|{convert.now} |{convert.adapt_it} ?)*{convert.to} (?:{convert.the} )?(?P<who>[\p{L}][\w .-]{1,40}?)(?: {convert.behind_model})*[.!]?$").captures(clause.trim()) else {
        return false;
    };
    let who = found["who"].to_lowercase();
    let who = pattern!(r"[^a-z0-9]+").replace_all(&who, " ").trim().to_owned();
    let known = catalogue().iter().any(|model| {
        let name = model.name.to_lowercase();
        let name = pattern!(r"[^a-z0-9]+").replace_all(&name, " ").into_owned();
        // "universal" and "muse" are words of their own: only the whole name will do.
        name == who
            || !matches!(who.as_str(), "universal" | "muse" | "ray" | "image" | "wan")
                && (name.starts_with(&format!("{who} "))
                    || name.contains(&format!(" {who} ")) && who == "ray")
    });
    known
        || matches!(
            who.as_str(),
            "chatgpt"
                | "gpt"
                | "luma"
                | "runway"
                | "dall e"
                | "flux"
                | "gemini"
                | "stable diffusion"
                | "midjourney"
        )
}

/// What kind of prompt this is, if its form tells.
pub fn visual_kind(prompt: &str) -> Option<Mode> {
    if Outline::of(prompt).has_headings() {
        return None;
    }
    if !Flags::split(prompt).1.is_empty()
        && pattern!(r"--(?:ar|no|s|c|v|seed|stylize|chaos|aspect)\b").is_match(prompt)
    {
        return Some(Mode::Image);
    }
    if pattern!(r"(?m)^(?:\[\d+-\d+ s\] )?{convert.shot} \d+\b|^{convert.camera_move}|\b{convert.video_phrase}\b|\[{convert.camera_command}\]").is_match(prompt) {
        return Some(Mode::Video);
    }
    pattern!(r"(?m)^{convert.subject_label}: .+\n(?:.*\n)*{convert.picture_label}: |\b(?:{convert.photograph_of}|\d+mm (?:[\w-]+ )?{convert.lens}|\d+:\d+ {refine_picture.aspect_ratio})\b")
        .is_match(prompt)
        .then_some(Mode::Image)
}

/// A prompt for a picture or clip, with what its form kept apart from its words.
pub struct Picture {
    /// The words.
    pub prompt: String,
    /// Trailing parameters that stay in the prompt.
    pub flags: String,
    /// Aspect ratio that was in the prompt.
    pub ratio: Option<String>,
    /// Exclusions that belong in a field of their own now.
    pub excluded: Vec<String>,
}

/// Moves trailing parameters to where the target model wants them.
pub fn picture(
    prompt: &str,
    brief: &GenerateBrief,
    mode: Mode,
    fresh: &Map<String, Value>,
) -> Picture {
    let model = brief.target_model.model();
    let (mut words, flags) = Flags::take(prompt);
    let mut ratio = flags.ratio();
    let mut excluded = flags.exclusions();
    if model.family == "midjourney" {
        if !flags.is_empty() {
            let flags = flags.trailing();
            return Picture { prompt: words, flags, ratio, excluded: Vec::new() };
        }
        let (plain, stated, unwanted) = unlabelled(&words);
        let ratio = stated.or_else(|| fresh.get("ar").and_then(Value::as_str).map(str::to_owned));
        let mut flags = format!("--ar {}", ratio.as_deref().unwrap_or("1:1"));
        for (flag, key) in [("s", "s"), ("c", "c")] {
            if let Some(value) = fresh.get(key) {
                flags.push_str(&format!(" --{flag} {value}"));
            }
        }
        if !unwanted.is_empty() {
            flags.push_str(&format!(" --no {}", unwanted.join(", ")));
        }
        return Picture { prompt: plain, flags, ratio, excluded: Vec::new() };
    }
    match &ratio {
        // What a parameter said is said in words.
        Some(ratio) => {
            words = format!("{}, {ratio} aspect ratio", words.trim_end_matches([',', '.', ' ']))
        }
        None => ratio = stated_ratio(&words),
    }
    if !flags.is_empty() && !model.negative_prompt {
        // "text" and "watermark" are the other family's usual precautions, not the user's wish.
        excluded.retain(|item| !matches!(item.as_str(), "text" | "watermark"));
        if !excluded.is_empty() {
            let list = excluded.join(", ");
            let free = match mode {
                Mode::Video => format!("The frame stays free of {list}"),
                _ if excluded.iter().all(|item| exclude::is_people(item)) => {
                    format!("An empty scene, free of {list}")
                }
                _ => format!("The picture is free of {list}"),
            };
            words = format!("{} {}", stop(&words), stop(&free));
        }
        excluded.clear();
    }
    Picture { prompt: words, flags: String::new(), ratio, excluded }
}

fn stated_ratio(words: &str) -> Option<String> {
    pattern!(r"\b(\d{1,2}:\d{1,2}) {refine_picture.aspect_ratio}")
        .captures(words)
        .map(|found| found[1].to_owned())
}

/// A prompt with labelled lines as one line of phrases, its ratio and its exclusions.
fn unlabelled(words: &str) -> (String, Option<String>, Vec<String>) {
    let ratio = stated_ratio(words);
    let mut unwanted = Vec::new();
    let label = pattern!(r"^{convert.label}: ");
    let exclusion = pattern!(r"(?i)(?:\s|^){convert.free_of} (?P<v>[^.;]+)\.?");
    let mut phrases = Vec::new();
    for line in words.lines() {
        let line = label.replace(line.trim(), "");
        let line = pattern!(r"(?i)\s*\b\d{1,2}:\d{1,2} {refine_picture.aspect_ratio}\.?")
            .replace(&line, "");
        let excluded = exclusion
            .captures_iter(&line)
            .flat_map(|found| found["v"].split(", ").map(str::to_owned).collect::<Vec<_>>());
        unwanted.extend(excluded);
        let line = exclusion.replace_all(&line, "").trim().trim_end_matches('.').to_owned();
        if !line.is_empty() {
            phrases.push(line);
        }
    }
    (phrases.join(", "), ratio, unwanted)
}

/// A prompt with headings in the form that the target model's family expects.
///
/// `None` if it has that form already, or if it has parts that are none of the known ones.
pub fn text(prompt: &str, brief: &GenerateBrief, mode: Mode) -> Option<String> {
    let source = dialect::without_closing(prompt);
    let parts = Outline::of(&source).parts()?;
    let locale = language::locale_of_text(&source).unwrap_or_else(|| {
        language::locale_of_headings(parts.iter().map(|(_, heading, _)| heading.as_str()))
    });
    let pieces: Vec<Piece> = parts
        .into_iter()
        .map(|(part, _, text)| Piece { part, text: unquoted(&text).to_owned() })
        .collect();
    let (converted, _) = dialect::lay_out(&pieces, brief.target_model, locale, mode);
    let form = |prompt: &str| {
        prompt
            .lines()
            .filter(|line| pattern!(r"^(?:#{1,6} |</?[a-z_]+(?:_\d+)?>$|[\w ]+:$)").is_match(line))
            .map(str::to_owned)
            .collect::<std::collections::BTreeSet<String>>()
    };
    (form(&converted) != form(prompt)).then_some(converted)
}

/// Content without the triple quotation marks that one family puts around it.
fn unquoted(text: &str) -> &str {
    text.strip_prefix("\"\"\"\n").and_then(|rest| rest.strip_suffix("\n\"\"\"")).unwrap_or(text)
}
