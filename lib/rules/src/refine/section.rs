//! Sections, paragraphs, sentences and items of a prompt that are named.

use std::ops::Range;

use super::work::Work;
use patterns::{Pattern, pattern};

/// The headed section that is named, with its heading.
pub fn named(work: &Work<'_>, what: &str) -> Option<Range<usize>> {
    let name = pattern!(r"(?i)\s*{refine_remove.section}$").replace(what, "").trim().to_lowercase();
    let tag = pattern!(r"^<(?P<t>[A-Za-z][\w-]*)>$");
    let heading = pattern!(r"^(?P<l>#{1,6}) +(?P<t>.*?)(?: #+)?:?$");
    let mut open: Option<(usize, usize)> = None;
    let mut at = 0;
    for line in work.prompt.split_inclusive('\n') {
        let (start, text) = (at, line.trim());
        at += line.len();
        if let Some(found) = tag.captures(text)
            && found["t"].to_lowercase().replace('_', " ") == name.replace('_', " ")
        {
            let close = format!("</{}>", &found["t"]);
            let end = work.prompt[at..].find(&close)? + at + close.len();
            return Some(trimmed(work.prompt, start..end));
        }
        let is_held = work.is_held(&(start..start + line.trim_end().len().max(1)));
        let Some(found) = heading.captures(text).filter(|_| !is_held || open.is_some()) else {
            continue;
        };
        let level = found["l"].len();
        match open {
            Some((from, depth)) if level <= depth => {
                return Some(trimmed(work.prompt, from..start));
            }
            None if found["t"].to_lowercase() == name => open = Some((start, level)),
            _ => {}
        }
    }
    open.map(|(from, _)| trimmed(work.prompt, from..work.prompt.len()))
}

/// A section with the blank lines on one side of it.
fn trimmed(prompt: &str, range: Range<usize>) -> Range<usize> {
    let rest = &prompt[range.end..];
    let end = range.end + (rest.len() - rest.trim_start_matches(['\n', '\r']).len());
    if prompt[end..].trim().is_empty() {
        return prompt[..range.start].trim_end().len()..prompt.trim_end().len();
    }
    range.start..end
}

/// "The last sentence", "the second bullet point".
pub fn by_order(work: &Work<'_>, remark: &str) -> Option<Range<usize>> {
    let found = pattern!(
        r"(?i)\b(?:(?P<n>{refine_remove.first})|(?P<o>{refine_remove.second})|(?P<p>{refine_remove.third})|(?P<q>{refine_remove.fourth})|(?P<r>{refine_remove.fifth})|(?P<l>{refine_remove.last})) (?:(?P<a>{refine_remove.paragraph})|(?P<b>{refine_remove.line})|(?P<c>{refine_remove.sentence})|{refine_remove.item})(?: {refine_remove.of_the_prompt})?[.!]*$"
    )
    .captures(remark)?;
    let matches = |blocks: Pattern| -> Vec<Range<usize>> {
        blocks.find_iter(work.prompt).map(|block| block.range()).collect()
    };
    let ranges = if found.name("a").is_some() {
        matches(pattern!(r"[^\n]+(?:\n[^\n]+)*"))
    } else if found.name("b").is_some() {
        matches(pattern!(r"[^\n]*\S[^\n]*"))
    } else if found.name("c").is_some() {
        work.sentences().to_vec()
    } else {
        work.sentences().iter().filter(|range| work.is_item(range)).cloned().collect()
    };
    let order = ["n", "o", "p", "q", "r"].into_iter().position(|name| found.name(name).is_some());
    let at = order.or_else(|| ranges.len().checked_sub(1))?;
    ranges.get(at).map(|range| work.whole(range))
}
