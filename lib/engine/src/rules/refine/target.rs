//! Models that feedback names.

use crate::{TargetModel, catalogue};
use patterns::pattern;

/// The model that a remark wants the prompt to be for: "adapt it to Claude", "für Midjourney".
pub fn named(remark: &str) -> Option<TargetModel> {
    let found = pattern!(r"(?i)^(?:(?:adapt|rewrite|convert|redo|optimi[sz]e|make|turn|port|format|change|tailor|passe|schreibe?|optimiere|adapte[rz]?|réécris|optimise|adapta|optimiza|reescribe|adatta|ottimizza|riscrivi|otimize|reescreva)(?:[- ](?:it|this|the prompt|my prompt|den prompt|ihn|es|le prompt|le|el prompt|lo|il prompt|o prompt))? )?(?:suitable |work |an |ready )?(?:for|to|into|für|an|pour|para|per|a)(?: (?:use (?:with|in)|the|die|das))? (?P<who>[\p{L}][\p{L}\d .-]{2,40}?)(?: (?:instead|format|style|syntax|an|um))*$")
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
