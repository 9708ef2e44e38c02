//! What of a prompt is no instruction.

use std::{collections::HashMap, ops::Range};

use patterns::pattern;

/// What stands in tags that hold no instructions, in brackets of templates, and on lines of examples.
pub fn of(text: &str) -> Vec<Range<usize>> {
    let mut found = tagged(text);
    let template = pattern!(r"\{[^{}\n]*[^{}\s][^{}\n]*\}|<[^<>\n]+>|\[[^\[\]\n]*\]");
    found.extend(template.find_iter(text).map(|block| block.range()));
    let example = pattern!(r"(?im)^\W*{check_scope.example}s?\b[^:：\n]{0,40}[:：][^\n]*");
    found.extend(example.find_iter(text).map(|line| line.range()));
    found
}

/// What stands between tags that hold no instructions. A tag that is opened again before it is closed is only spoken of:
/// "what stands in <draft>".
fn tagged(text: &str) -> Vec<Range<usize>> {
    let tag = pattern!(r"<(?P<end>/)?(?P<name>[A-Za-z][\w-]{0,40})[^<>\n]{0,80}>");
    let instructs = |name: &str| pattern!(r"(?i)^{check_scope.instructing}$").is_match(name);
    let mut open: HashMap<String, usize> = HashMap::new();
    let mut found = Vec::new();
    for captures in tag.captures_iter(text) {
        let Some(place) = captures.get(0).map(|tag| tag.range()) else { continue };
        let name = captures["name"].to_lowercase();
        match captures.name("end") {
            None if !instructs(&name) => _ = open.insert(name, place.end),
            Some(_) => found.extend(open.remove(&name).map(|start| start..place.start)),
            None => {}
        }
    }
    found
}
