//! How the content is built: its parts in order, and its sizes.

use super::findings::Findings;
use super::noise::quotable;
use super::wording::{Words, said};
use engine::page::BlockRole;
use engine::{Heading, TextStructure};

/// Most headings and parts that are listed.
const MOST_PARTS: usize = 40;
/// Longest heading that is listed, in characters.
const LONGEST_HEADING: usize = 200;

/// What a part holds, in the order in which it is said: one of it, and several.
const CONTENTS: [(&str, &str); 5] = [
    (said("one paragraph"), said("{1} paragraphs")),
    (said("one list item"), said("a list of {1} items")),
    (said("one table row"), said("a table of {1} rows")),
    (said("one form field"), said("a form with {1} fields")),
    (said("one button or link"), said("{1} buttons or links")),
];

/// How the content is built.
pub fn structure(findings: &Findings, words: &Words) -> TextStructure {
    let counts = &findings.counts;
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let headings = findings.document.blocks.iter().filter_map(|block| match block.role {
        BlockRole::Heading(level) => {
            let text = block.text.chars().take(LONGEST_HEADING).collect();
            Some(Heading { level: level.clamp(1, 6), text })
        }
        _ => None,
    });
    TextStructure {
        format: findings.genre.id.clone(),
        words: number(counts.words),
        sentences: number(counts.sentences),
        paragraphs: number(counts.paragraphs),
        list_items: number(counts.items),
        headings: headings.take(MOST_PARTS).collect(),
        outline: outline(findings, words),
    }
}

/// What the content is made of, in order.
pub fn outline(findings: &Findings, words: &Words) -> Vec<String> {
    let (greets, closes) = findings.framed;
    let mut parts = parts(findings);
    let mut list = Vec::new();
    if greets {
        list.push(words.name("Salutation"));
        let framing = 1 + usize::from(closes);
        let paragraphs = &mut parts[0].1[0];
        *paragraphs = paragraphs.saturating_sub(framing).max(1);
    }
    let alone = parts.len() == 1;
    for (heading, counts) in &parts {
        let contents: Vec<String> = CONTENTS
            .iter()
            .zip(counts)
            .filter(|(_, count)| **count > 0)
            .map(|((one, several), count)| counted(words, *count, one, several))
            .collect();
        match heading {
            Some(heading) if contents.is_empty() => list.push(format!("\"{heading}\"")),
            Some(heading) => list.push(format!("\"{heading}\": {}", contents.join(", "))),
            None if contents.is_empty() => {}
            None if alone || greets => list.extend(contents),
            None => list.push(words.say("Introduction: {1}", &[&contents.join(", ")])),
        }
    }
    let code = findings.document.code.len();
    if code > 0 {
        list.push(counted(words, code, said("one code block"), said("{1} code blocks")));
    }
    if closes {
        list.push(words.name("Closing formula"));
    }
    list.truncate(MOST_PARTS);
    list
}

fn counted(words: &Words, count: usize, one: &str, several: &str) -> String {
    if count == 1 { words.name(one) } else { words.say(several, &[&count.to_string()]) }
}

/// What stands before the first heading and below each, with how much of [`CONTENTS`] it holds.
fn parts(findings: &Findings) -> Vec<(Option<String>, [usize; 5])> {
    let mut parts = vec![(None, [0; 5])];
    for block in &findings.document.blocks {
        let place = match block.role {
            BlockRole::Heading(_) => {
                let heading = Some(quotable(&block.text)).filter(|text| !text.is_empty());
                parts.push((heading, [0; 5]));
                continue;
            }
            BlockRole::Paragraph => 0,
            BlockRole::ListItem => 1,
            BlockRole::TableRow => 2,
            BlockRole::Field => 3,
            BlockRole::Action => 4,
        };
        if let Some((_, counts)) = parts.last_mut() {
            counts[place] += 1;
        }
    }
    parts
}
