//! Bringing a prompt that was written for one model into the form that another model reads.

use super::dialect::{self, Piece};
use super::outline::Outline;
use engine::{GenerateBrief, Mode, catalogue};
use patterns::pattern;
use text::language;

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
    if pattern!(r"(?:^|\s)--(?:ar|no|s|c|v|seed|stylize|chaos|aspect)\b").is_match(prompt) {
        return Some(Mode::Image);
    }
    if pattern!(r"(?m)^(?:\[\d+-\d+ s\] )?{convert.shot} \d+\b|^{convert.camera_move}|\b{convert.video_phrase}\b|\[{convert.camera_command}\]").is_match(prompt) {
        return Some(Mode::Video);
    }
    pattern!(r"(?m)^{convert.subject_label}: .+\n(?:.*\n)*{convert.picture_label}: |\b(?:{convert.photograph_of}|\d+mm (?:[\w-]+ )?{convert.lens}|\d+:\d+ {refine_picture.aspect_ratio})\b")
        .is_match(prompt)
        .then_some(Mode::Image)
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
