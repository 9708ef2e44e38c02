//! Variables of a goal: the markers that people write, and the one subject of a sure recipe.

use patterns::pattern;
use text::literals::scan;
use text::variables;

/// Name, description and default value.
pub type Introduced = (String, String, Option<String>);

/// The goal with its markers as variables; where it has none and the task is sure, with its subject as one.
pub fn introduce(goal: &str, is_sure: bool) -> (String, Vec<Introduced>) {
    let (text, names) = with_markers(goal);
    if !names.is_empty() || !variables::find(goal).is_empty() {
        let described = |name: String| (name, "What to use here".to_owned(), None);
        return (text, names.into_iter().map(described).collect());
    }
    match subject(goal).filter(|_| is_sure) {
        Some(subject) => {
            let variable =
                ("topic".to_owned(), "What it is about".to_owned(), Some(subject.to_owned()));
            (goal.replacen(subject, "{{topic}}", 1), vec![variable])
        }
        None => (goal.to_owned(), Vec::new()),
    }
}

/// `[month]`, `<month>`, `{month}` and `____` in the form of a variable, outside quotations and code.
fn with_markers(goal: &str) -> (String, Vec<String>) {
    let held = scan(goal).cover(goal.len());
    let mut names: Vec<String> = Vec::new();
    let mut text = String::with_capacity(goal.len());
    let mut at = 0;
    for found in pattern!(r"\{\{[^{}]*\}\}|\{(?P<a>\p{L}[\p{L}\d _-]{0,30})\}|\[(?P<b>\p{L}[\p{L}\d _-]{0,30})\]|<(?P<c>\p{L}[\p{L}\d _-]{0,30})>|(?P<gap>_{3,})")
        .captures_iter(goal)
    {
        let range = found.get_match().range();
        let given = ["a", "b", "c"].iter().find_map(|group| found.name(group));
        let name = match (given, found.name("gap")) {
            (Some(given), _) => given.as_str().trim().to_lowercase().replace([' ', '-'], "_"),
            (None, Some(_)) => format!("blank_{}", names.len() + 1),
            (None, None) => continue,
        };
        // A link or a tag is no marker.
        if held.touches(&range) && found.name("gap").is_none() || goal[range.end..].starts_with('(') {
            continue;
        }
        text.push_str(&goal[at..range.start]);
        text.push_str(&format!("{{{{{name}}}}}"));
        at = range.end;
        if !names.contains(&name) {
            names.push(name);
        }
    }
    (text + &goal[at..], names)
}

/// What follows "about" up to the end of its clause.
fn subject(goal: &str) -> Option<&str> {
    let found = pattern!(
        r"(?i)\b{slots.about} (?P<v>[\p{L}\d'’-]+(?: [\p{L}\d'’-]+){0,5})\s*(?:[,.;:!?\n]|$)"
    )
    .captures(goal)?;
    let subject = found.name("v")?.as_str();
    (!pattern!(r"(?i)^{slots.no_subject}\b").is_match(subject)).then_some(subject)
}
