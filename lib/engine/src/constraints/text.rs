//! A prompt as the rules read it.

use std::ops::Range;

use crate::prompt::{Mask, mask};
use patterns::{Captures, Pattern, pattern};
use text::{head, tail};

/// Shortest quotation, in bytes, that is material rather than a value.
const MATERIAL: usize = 40;

/// A prompt with its material blanked out, byte for byte.
pub struct Text<'a> {
    /// The whole text with its material.
    pub original: &'a str,
    /// What rules are matched against.
    pub blanked: String,
}

impl<'a> Text<'a> {
    pub fn new(original: &'a str) -> Self {
        let mask = Mask::of(original);
        let mut blanked = original.to_owned();
        let mut ranges: Vec<_> = mask.supplied().collect();
        let quoted = mask.of_kind(mask::Kind::Quote).map(|span| span.start..span.end);
        ranges.extend(quoted.filter(|range| {
            // A value follows what it is for: 'end with the phrase "…"' and the like.
            let lead = tail(&original[..range.start], 40);
            let is_value = pattern!(r"(?i)\b{constraint_text.value_before}\W*$").is_match(lead);
            range.len() >= MATERIAL && !is_value
        }));
        // Code without a fence, and what stands below a question about a prompt.
        let code = pattern!(r"(?m){constraint_text.code}[^\n]*(?:\n[^\n]+){0,200}");
        ranges.extend(code.find_iter(original).map(|found| found.range()));
        let reviewed = pattern!(r"(?i)^[^\n]{0,300}?\b{constraint_text.reviewing}\b[^\n]*\n");
        ranges.extend(reviewed.find(original).map(|found| found.end()..original.len()));
        for range in ranges {
            blanked.replace_range(range.clone(), &" ".repeat(range.len()));
        }
        Self { original, blanked }
    }

    /// What really stands at a range.
    pub fn at(&self, range: Range<usize>) -> &str {
        self.original.get(range).unwrap_or_default()
    }

    /// The part of the sentence before `start`, at most 120 bytes of it.
    pub fn before(&self, start: usize) -> &str {
        let lead = tail(&self.blanked[..start], 120);
        let from = lead.rfind(['.', '!', '?', '\n', ';']).map_or(0, |end| end + 1);
        lead.get(from..).unwrap_or(lead)
    }

    /// The part of the sentence from `end` on, at most 120 bytes of it.
    pub fn after(&self, end: usize) -> &str {
        let rest = head(&self.blanked[end..], 120);
        rest.split(['.', '!', '?', '\n', ';']).next().unwrap_or(rest)
    }

    /// Whether what stands at `start` is said not to be so.
    pub fn is_negated(&self, start: usize) -> bool {
        pattern!(r#"(?i)\b{constraint_text.negation}\b[^,"”“»]{0,30}$"#)
            .is_match(self.before(start))
            && !pattern!(r"(?i)\b{constraint_text.not} {constraint_text.forget}\b[^,]{0,30}$")
                .is_match(self.before(start))
    }

    /// All matches of a rule.
    pub fn matches<'t>(&'t self, rule: Pattern) -> impl Iterator<Item = Captures<'t>> + use<'t> {
        rule.captures_iter(&self.blanked)
    }
}
