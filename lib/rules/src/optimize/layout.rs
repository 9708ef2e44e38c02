//! The conventions of a target model, in a prompt whose parts its own headings tell apart.

use crate::dialect;
use engine::TargetModel;
use patterns::pattern;

/// The prompt with tags in place of the headings that it consists of, for models that read tags best. `None` where the
/// model reads headings, and where plain headings, each with its own text, do not divide the prompt surely.
pub fn tagged(prompt: &str, target: TargetModel) -> Option<String> {
    let mark = pattern!(r"^#{1,6} ").find(prompt)?.as_str();
    let held = pattern!(r"(?m)^\s*(?:</?[A-Za-z]|```|~~~)").is_match(prompt);
    let above = |line: &str| line.starts_with('#') && !line.starts_with(mark.trim_end());
    if held || !dialect::uses_tags(target) || prompt.lines().any(above) {
        return None;
    }
    let (mut names, mut parts) = (Vec::new(), Vec::new());
    for part in prompt[mark.len()..].split(&format!("\n{mark}")) {
        let (title, text) = part.split_once('\n')?;
        let name = title.trim().to_lowercase().replace(' ', "_");
        let text = text.trim_matches('\n');
        let is_plain = pattern!(r"^[a-z][a-z0-9_]{0,59}$").is_match(&name);
        if !is_plain || names.contains(&name) || text.trim().is_empty() {
            return None;
        }
        parts.push(format!("<{name}>\n{text}\n</{name}>"));
        names.push(name);
    }
    (parts.len() > 1).then(|| parts.join("\n\n"))
}
