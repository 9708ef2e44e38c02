//! What of a prompt is no instruction.

use std::ops::Range;

use engine::prompt::Mask;
use patterns::pattern;

/// What a prompt carries to work on, what stands in brackets of templates, and lines of examples.
pub fn of(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<_> = Mask::of(text).supplied().collect();
    let template = pattern!(r"\{[^{}\n]*[^{}\s][^{}\n]*\}|<[^<>\n]+>|\[[^\[\]\n]*\]");
    found.extend(template.find_iter(text).map(|block| block.range()));
    let example = pattern!(r"(?im)^\W*{check_scope.example}s?\b[^:：\n]{0,40}[:：][^\n]*");
    found.extend(example.find_iter(text).map(|line| line.range()));
    found
}
