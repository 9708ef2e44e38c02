//! Lines that stand in a prompt over and over.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use text::literals::scan;

/// So often a line may follow itself.
const LONGEST_RUN: usize = 4;
/// So often a line may occur at all.
const MOST_REPETITIONS: usize = 200;

/// Lines of the prose that repeat others beyond what can be meant, each with the break before it; neighbours are
/// one range.
pub fn lines(prompt: &str) -> Vec<Range<usize>> {
    let held = scan(prompt).cover(prompt.len());
    let mut lines: Vec<(&str, Range<usize>)> = Vec::new();
    let mut at = 0;
    for line in prompt.split_inclusive('\n') {
        let range = at..at + line.trim_end().len();
        if !line.trim().is_empty() && !held.touches(&range) {
            lines.push((line.trim(), range));
        }
        at += line.len();
    }
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for (line, _) in &lines {
        *counts.entry(line).or_default() += 1;
    }
    let mut seen: HashSet<&str> = HashSet::new();
    let mut run = 0;
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, (line, range)) in lines.iter().enumerate() {
        run = if at > 0 && lines[at - 1].0 == *line { run + 1 } else { 1 };
        let flood = run > LONGEST_RUN || counts[line] > MOST_REPETITIONS;
        if !seen.insert(line) && flood {
            let from = prompt[..range.start].trim_end_matches([' ', '\t', '\r', '\n']).len();
            match found.last_mut().filter(|last| last.end == from) {
                Some(last) => last.end = range.end,
                None => found.push(from..range.end),
            }
        }
    }
    found
}

/// A prompt without these lines, which say nothing about its language.
pub fn without(prompt: &str) -> String {
    let mut text = String::with_capacity(prompt.len());
    let mut at = 0;
    for range in lines(prompt) {
        text.push_str(&prompt[at..range.start]);
        at = range.end;
    }
    text + &prompt[at..]
}
