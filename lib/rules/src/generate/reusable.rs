//! Variables of a goal: the markers that people write.

use patterns::pattern;
use text::literals::scan;

/// The goal with `[month]`, `<month>`, `{month}` and `____` in the form of variables, outside quotations and code.
pub fn introduce(goal: &str) -> String {
    let held = scan(goal).cover();
    let mut text = String::with_capacity(goal.len());
    let mut at = 0;
    for found in pattern!(r"\{\{[^{}]*\}\}|\{(?P<a>\p{L}[\p{L}\d _-]{0,30})\}|\[(?P<b>\p{L}[\p{L}\d _-]{0,30})\]|<(?P<c>\p{L}[\p{L}\d _-]{0,30})>|(?P<gap>_{3,})")
        .captures_iter(goal)
    {
        let range = found.get_match().range();
        let given = ["a", "b", "c"].iter().find_map(|group| found.name(group));
        let name = match (given, found.name("gap")) {
            (Some(given), _) => given.as_str().trim().to_lowercase().replace([' ', '-'], "_"),
            (None, Some(_)) => format!("blank_{}", text.matches("{{blank_").count() + 1),
            (None, None) => continue,
        };
        // A link or a tag is no marker.
        if held.touches(&range) && found.name("gap").is_none() || goal[range.end..].starts_with('(') {
            continue;
        }
        text.push_str(&goal[at..range.start]);
        text.push_str(&format!("{{{{{name}}}}}"));
        at = range.end;
    }
    text + &goal[at..]
}
