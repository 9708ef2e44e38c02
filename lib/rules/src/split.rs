//! Taking a message apart: prose, supplied material, sentences.

use super::sentence;
use engine::{ConstraintKind, constraints};
use patterns::pattern;
use text::literals;

/// A message taken apart.
#[derive(Debug, Default)]
pub struct Message {
    /// What the user says, without the material.
    pub prose: String,
    /// Code, quoted documents and other things to work on, verbatim.
    pub material: Vec<String>,
}

/// Separates prose from fenced code, unfenced code and pasted text.
pub fn separate(message: &str) -> Message {
    let mut result = Message::default();
    let mut lines = message.lines().peekable();
    let mut block: Option<String> = None;
    while let Some(line) = lines.next() {
        let fence = line.trim_start().starts_with("```");
        if let Some(open) = &mut block {
            open.push('\n');
            // What follows the closing fence on its line is the user speaking again.
            let behind = line.trim_start().strip_prefix("```").unwrap_or_default().trim();
            if fence && behind.contains(' ') && !behind.contains('`') {
                open.push_str("```");
                push_line(&mut result.prose, behind);
            } else {
                open.push_str(line);
            }
            if fence {
                result.material.extend(block.take());
            }
            continue;
        }
        let one_line_block = fence && line.trim_start()[3..].contains("```");
        if fence && !one_line_block {
            block = Some(line.to_owned());
            continue;
        }
        let opening =
            pattern!(r"^(?P<before>[^`]*[^`\s])[ \t]*(?P<fence>```[\w+#-]*)[ \t]*$").captures(line);
        if let Some(opening) = opening.filter(|_| lines.peek().is_some()) {
            push_line(&mut result.prose, opening["before"].trim_end_matches([':', ' ']));
            block = Some(opening["fence"].to_owned());
            continue;
        }
        if pattern!(r"(?i)\b{split.material}\b[^.!?\n]{0,60}:\s*$").is_match(line)
            && lines.peek().is_some()
            && !gives_choice(line)
        {
            push_line(&mut result.prose, line.trim_end().trim_end_matches(':'));
            let rest: Vec<&str> = lines.by_ref().collect();
            let rest = rest.join("\n");
            let (material, trailing) = split_trailing_request(rest.trim_matches('\n'));
            if !material.trim().is_empty() {
                result.material.push(material.to_owned());
            }
            push_line(&mut result.prose, trailing);
            break;
        }
        push_line(&mut result.prose, line);
    }
    result.material.extend(block);
    lift_loose_code(&mut result);
    lift_after_colon(&mut result);
    lift_next_lines(&mut result);
    result.prose = result.prose.trim().to_owned();
    result
}

/// Paragraphs behind pasted material that may be the user speaking again.
const MOST_AFTERWORDS: usize = 3;
/// A longer paragraph is material, in characters.
const LONGEST_AFTERWORD: usize = 300;

/// What follows pasted material is again the user speaking, if it asks for something.
fn split_trailing_request(text: &str) -> (&str, &str) {
    let (material, behind) = text.split_at(end_of_material(text));
    (material.trim_end(), behind.trim())
}

/// Where pasted material ends: behind its delimiter or variable, or before the last paragraphs that tell how
/// to answer.
pub(super) fn end_of_material(text: &str) -> usize {
    if let Some(end) = end_of_delimited(text) {
        return end;
    }
    let mut end = text.len();
    for _ in 0..MOST_AFTERWORDS {
        let Some(at) = text[..end].trim_end().rfind("\n\n") else { break };
        if text[..at].trim().is_empty() || !is_afterword(&text[at..end]) {
            break;
        }
        end = at;
    }
    if end == text.len() { end_of_code(text) } else { end }
}

fn is_afterword(paragraph: &str) -> bool {
    let paragraph = paragraph.trim();
    let asks = pattern!(r"(?i)^{split.instruction_behind}\b");
    paragraph.chars().count() < LONGEST_AFTERWORD
        && !sentence::is_takeover(paragraph)
        && (asks.is_match(paragraph) || instructs(paragraph))
}

/// The end of what stands between delimiters at the beginning of a text, or of the variables that it begins
/// with; what is behind them is not content.
fn end_of_delimited(text: &str) -> Option<usize> {
    let variables = pattern!(
        r"^\s*(?:[\p{L} ]{1,30}:[ \t]*)?\{\{[^{}\n]{1,60}\}\}(?:\s*\n\s*(?:[\p{L} ]{1,30}:[ \t]*)?\{\{[^{}\n]{1,60}\}\})*"
    );
    if let Some(found) = variables.find(text) {
        let rest = &text[found.end()..];
        let apart = pattern!(r"^[ \t]*\r?\n[ \t]*\r?\n").is_match(rest);
        let next = sentences(rest).into_iter().next().unwrap_or_default();
        // A letter with a variable in its first line goes on behind it.
        let own = apart && !rest.contains("{{") || rest.trim().is_empty() || directs(&next);
        return own.then_some(found.end());
    }
    let lead = text.len() - text.trim_start().len();
    let body = &text[lead..];
    for mark in ["```", "~~~", "\"\"\"", "'''"] {
        if let Some(inner) = body.strip_prefix(mark) {
            return Some(lead + 2 * mark.len() + inner.find(mark)?);
        }
    }
    for (open, close) in [('"', '"'), ('“', '”'), ('«', '»'), ('„', '“')] {
        if let Some(inner) = body.strip_prefix(open) {
            let end = lead + open.len_utf8() + inner.find(close)? + close.len_utf8();
            let rest = &text[end..];
            let own = rest.trim().is_empty() || !rest.contains([open, close]) && instructs(rest);
            return own.then_some(end);
        }
    }
    None
}

/// Where code ends and the user speaks again.
fn end_of_code(text: &str) -> usize {
    if text.lines().filter(|line| is_code(line)).take(2).count() < 2 {
        return text.len();
    }
    let mut end = text.len();
    for _ in 0..MOST_AFTERWORDS {
        let body = text[..end].trim_end();
        let Some(at) = body.rfind('\n') else { break };
        let line = &body[at + 1..];
        let speaks = line.starts_with(char::is_alphabetic)
            && line.split_whitespace().take(3).count() == 3
            && !line.contains(['{', '}', ';', '=', '<', '>', '(', '[', '+', '*', '/'])
            && !is_code(line)
            && instructs(line);
        if !speaks {
            break;
        }
        end = at;
    }
    end
}

/// Whether every sentence of a text tells how to answer: "Use short sentences. Do not add facts."
pub(super) fn instructs(text: &str) -> bool {
    let all = sentences(text);
    !all.is_empty() && all.iter().all(|sentence| directs(sentence))
}

/// Whether a sentence tells how to answer, in the languages that prompts are often written in.
fn directs(sentence: &str) -> bool {
    let text = sentence.trim().trim_start_matches([',', ';', '-', '–', '—', ' ']);
    !sentence::is_takeover(text)
        && pattern!(r"(?i)^(?:{split.please},? )*(?:{split.instruction}\b|\d+ {split.unit}\b|{split.instruction_beginning}|{split.instruction_before_space} )").is_match(text)
}

fn push_line(text: &mut String, line: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(line);
}

/// Whether a line looks like code.
fn is_code(line: &str) -> bool {
    pattern!(r"(?:[;{}]\s*$|^\s*(?:def |class |import |from \w+ import|function\b|const |let |var |return\b|public |private |#include|SELECT |FROM |WHERE |CREATE TABLE|INSERT |at \w+[.(]|File \x22|Traceback|\}|\)|</?\w+))|^\s{2,}\S+.*[=(]|\w+Error: ")
        .is_match(line)
}

/// Moves runs of at least two lines that look like code out of the prose.
fn lift_loose_code(message: &mut Message) {
    let lines: Vec<&str> = message.prose.lines().collect();
    if lines.iter().filter(|line| is_code(line)).count() < 2 {
        return;
    }
    let first = lines.iter().position(|line| is_code(line)).unwrap_or(0);
    let last = lines.iter().rposition(|line| is_code(line)).unwrap_or(0);
    let code = lines[first..=last].join("\n");
    let mut prose = lines[..first].join("\n");
    for line in &lines[last + 1..] {
        push_line(&mut prose, line);
    }
    message.material.push(code);
    message.prose = prose;
}

/// Moves the lines below "make this sound more professional" out of the prose.
fn lift_next_lines(message: &mut Message) {
    if !message.material.is_empty() {
        return;
    }
    let Some((first, rest)) = message.prose.trim().split_once('\n') else { return };
    let asks =
        pattern!(r"(?i)^(?:{split.courtesy} )?{split.revise} {split.this}\b[^.:!?]{0,60}[.:!?]?$");
    if asks.is_match(first.trim()) && rest.split_whitespace().count() >= 4 {
        let (first, rest) = (first.to_owned(), rest.trim_matches('\n').to_owned());
        message.material.push(rest);
        message.prose = first;
    }
}

/// Whether the last sentence says that one of the given answers is to be chosen: these are no material.
fn gives_choice(text: &str) -> bool {
    let last = text.rsplit(['.', '!', '?', '\n']).next().unwrap_or(text);
    constraints::of(last).iter().any(|one| one.kind == ConstraintKind::Choice)
}

/// Moves what follows "translate this: …" on the same line out of the prose.
fn lift_after_colon(message: &mut Message) {
    let lead = pattern!(r"(?is)^(.{0,160}?\b{split.work_on_text}\b[^:\n]{0,100}):\s+(\S.{14,})$");
    if message.prose.contains("://") && !message.prose.contains(": ") {
        return;
    }
    let Some(parts) = lead.captures(&message.prose) else {
        return;
    };
    let (head, rest) = (parts[1].to_owned(), parts[2].to_owned());
    if gives_choice(&head) {
        return;
    }
    // A few words after the colon are part of the request unless they are a text to transform.
    let words = rest.split_whitespace().count();
    let transforms = pattern!(r"(?i)\b{split.work_on_wording}\b").is_match(&head);
    let quoted = rest.starts_with(['"', '“', '`']);
    if !(quoted || rest.contains('\n') || words >= 25 || transforms && words >= 4) {
        return;
    }
    let (material, behind) = split_trailing_request(&rest);
    message.material.push(material.to_owned());
    message.prose = head;
    if !behind.is_empty() {
        push_line(&mut message.prose, behind);
    }
}

/// The sentences and list items of prose.
pub fn sentences(prose: &str) -> Vec<String> {
    let held = literals::scan(prose).cover(prose.len());
    text::sentences(prose, &held).into_iter().map(|range| squeeze(&prose[range])).collect()
}

/// The sentences of prose, each list with the sentence whose colon announces it.
pub fn statements(prose: &str) -> Vec<String> {
    let held = literals::scan(prose).cover(prose.len());
    let mut found: Vec<String> = Vec::new();
    let mut announced = false;
    for range in text::sentences(prose, &held) {
        let line = prose[..range.start].rfind('\n').map_or(0, |at| at + 1);
        let before = prose[line..range.start].trim();
        let sentence = squeeze(&prose[range]);
        let is_item = pattern!(r"^(?:[-*•–]|\d{1,2}[.)])(?:\s|$)").is_match(before);
        match found.last_mut().filter(|_| announced && is_item) {
            Some(lead) => {
                let begins = before.split_whitespace().nth(1).is_none();
                lead.push_str(&if begins { format!("\n{before} ") } else { " ".to_owned() });
                lead.push_str(&sentence);
            }
            None => {
                announced = sentence.ends_with(':');
                found.push(sentence);
            }
        }
    }
    found
}

/// Runs of whitespace become one space.
pub fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// First letter in upper case; names with inner capitals such as iPhone stay.
pub fn capitalize(text: &str) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first)
            if !characters
                .as_str()
                .chars()
                .take_while(|c| c.is_alphanumeric())
                .any(char::is_uppercase) =>
        {
            first.to_uppercase().chain(characters).collect()
        }
        _ => text.to_owned(),
    }
}

/// The text with a full stop, unless it ends a sentence already or with a list.
pub fn stop(text: &str) -> String {
    if pattern!(r"\n\s*(?:[-*•–]|\d{1,2}[.)])\s[^\n]*$").is_match(text) {
        return text.trim().to_owned();
    }
    let text = text.trim().trim_end_matches([',', ';', ' ']);
    let last = text.trim_end_matches(['"', '”', '\'', ')', '`', '*']).chars().last();
    match last {
        Some('.' | '!' | '?' | ':' | '…' | '。' | '！' | '？' | '؟' | '۔' | '।') => {
            text.to_owned()
        }
        Some(_) => format!("{text}."),
        None => text.to_owned(),
    }
}
