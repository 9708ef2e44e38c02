//! Models that feedback names.

use engine::{TargetModel, catalogue};
use patterns::pattern;

/// The model that a remark wants the prompt to be for: "adapt it to Claude", "für Midjourney".
pub fn named(remark: &str) -> Option<TargetModel> {
    let found = pattern!(r"(?i)^(?:{refine_target.adapt_verb}(?:[- ]{refine_target.adapt_object})? )?(?:{refine_target.ready} )?{refine_target.for}(?: {refine_target.after_for})? (?P<who>[\p{L}][\p{L}\d .-]{2,40}?)(?: {refine_target.target_tail})*$")
        .captures(remark)?;
    let plain = |name: &str| {
        pattern!(r"[^a-z0-9]+").replace_all(&name.to_lowercase(), " ").trim().to_owned()
    };
    let who = plain(&found["who"]);
    let who = match who.as_str() {
        "chatgpt" | "openai" => "gpt".to_owned(),
        "dall e" => "gpt image".to_owned(),
        "sd" => "stable diffusion".to_owned(),
        "wan" | "ray" | "muse" | "universal" | "recraft model" => return None,
        "luma" => "luma ray".to_owned(),
        _ => who,
    };
    let fits = |name: &str| {
        let name = plain(name);
        name == who || name.starts_with(&format!("{who} "))
    };
    let model = catalogue().iter().find(|model| fits(&model.name))?;
    TargetModel::try_from(model.name.as_str()).ok()
}
