//! The conventions of a target model, in a prompt whose parts their own form tells apart.

use crate::dialect;
use engine::TargetModel;
use patterns::pattern;

/// A part: the line of its heading, and what that says.
type Part<'a> = (std::ops::Range<usize>, &'a str);

/// The prompt with tags in place of its headings, for models that read tags best. All other text stays as it is, in
/// its order. `None` where the model reads headings, or where the headings do not divide the prompt surely.
pub fn tagged(prompt: &str, target: TargetModel) -> Option<String> {
    if !dialect::uses_tags(target)
        || pattern!(r"(?m)^\s*</?[A-Za-z][\w-]*>|^\s*(?:```|~~~)").is_match(prompt)
    {
        return None;
    }
    let parts = parts(prompt)?;
    let mut names: Vec<String> = Vec::new();
    for (_, title) in &parts {
        let name = tag(title)?;
        if names.contains(&name) {
            return None;
        }
        names.push(name);
    }
    let mut text = prompt[..parts[0].0.start].to_owned();
    for (at, ((heading, _), name)) in parts.iter().zip(&names).enumerate() {
        let end = parts.get(at + 1).map_or(prompt.len(), |next| next.0.start);
        let body = &prompt[heading.end..end];
        let kept = body.trim_end();
        text.push_str(&format!("<{name}>{kept}\n</{name}>{}", &body[kept.len()..]));
    }
    Some(text)
}

/// The parts below headings of the first level that occurs; two at least, none of them empty.
fn parts(prompt: &str) -> Option<Vec<Part<'_>>> {
    let found: Vec<patterns::Captures<'_>> =
        pattern!(r"(?m)^(?P<level>#{1,6}) (?P<title>[^\n#]{1,60}?)[ \t]*$")
            .captures_iter(prompt)
            .collect();
    let level = found.first()?.name("level")?.as_str().len();
    if found.iter().any(|one| one["level"].len() < level) {
        return None;
    }
    let own = found.iter().filter(|one| one["level"].len() == level);
    let parts: Vec<Part<'_>> = own
        .filter_map(|one| Some((one.get_match().range(), one.name("title")?.as_str())))
        .collect();
    let filled = parts.iter().enumerate().all(|(at, (heading, _))| {
        let end = parts.get(at + 1).map_or(prompt.len(), |next| next.0.start);
        !prompt[heading.end..end].trim().is_empty()
    });
    (parts.len() >= 2 && filled).then_some(parts)
}

/// The name of a tag for a title in plain letters: "What to do" is `what_to_do`.
fn tag(title: &str) -> Option<String> {
    let name = pattern!(r"[^a-z0-9]+")
        .replace_all(&title.to_lowercase(), "_")
        .trim_matches('_')
        .to_owned();
    (title.is_ascii() && name.starts_with(|c: char| c.is_ascii_lowercase())).then_some(name)
}
