//! Finding what must not be lost: code, variables, addresses, quotations and numbers.

use std::ops::Range;

use patterns::pattern;

use crate::{Cover, is_unspaced};

/// How often a scan passes a text without patterns.
const PASSES: usize = 4;
/// Longest quotation in characters; what is farther apart does not belong together.
const LONGEST_QUOTATION: usize = 300;

/// Characters that stand before the number of an item at most.
const LONGEST_MARKER: usize = 100;

/// Where the literals of a text are, in byte ranges and in order.
#[derive(Debug, Default)]
pub struct Literals {
    /// Code with its fences or backticks.
    pub code: Vec<Range<usize>>,
    /// The code itself, of the same length.
    pub code_text: Vec<Range<usize>>,
    /// `{{variables}}` with their braces, in code too.
    pub variables: Vec<Range<usize>>,
    /// URLs and e-mail addresses outside code.
    pub addresses: Vec<Range<usize>>,
    /// Quotations with their marks, outside code.
    pub quotations: Vec<Range<usize>>,
    /// What stands between the marks, of the same length.
    pub quoted: Vec<Range<usize>>,
    /// Numbers outside code, variables and addresses, without the markers of lists.
    pub numbers: Vec<Range<usize>>,
}

/// Finds the literals of a text in one pass for each kind.
pub fn scan(text: &str) -> Literals {
    budget::spend(PASSES * text.len());
    let mut found = Literals::default();
    for (block, inner) in fences(text) {
        let body = text[inner.clone()].trim_end_matches(['\n', '\r']);
        found.code_text.push(inner.start..inner.start + body.len());
        found.code.push(block);
    }
    inline(text, &mut found);
    found.variables =
        pattern!(r"\{\{[^{}\n]+\}\}").find_iter(text).map(|found| found.range()).collect();
    let code = Cover::of(&[&found.code]);
    found.addresses = addresses(text)
        .filter(|range| !code.touches(range))
        .filter(|range| !text[range.clone()].contains("{{"))
        .collect();
    let held = Cover::of(&[&found.code, &found.addresses]);
    quotations(text, &held, &mut found);
    let held = Cover::of(&[&found.code, &found.addresses, &found.variables]);
    found.numbers = numbers(text).filter(|range| !held.touches(range)).collect();
    found
}

impl Literals {
    /// Everything that a rewording must leave alone.
    pub fn cover(&self) -> Cover {
        Cover::of(&[&self.code, &self.variables, &self.addresses, &self.quotations])
    }
}

/// Code between lines of three or more backticks or tildes, with these lines and without; one that is never closed runs to
/// the end.
pub fn fences(text: &str) -> Vec<(Range<usize>, Range<usize>)> {
    let mut found = Vec::new();
    let mut open: Option<(&str, usize, usize)> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let (trimmed, end) = (line.trim_start(), start + line.len());
        let sign = if trimmed.starts_with('~') { '~' } else { '`' };
        let (signs, behind) =
            trimmed.split_at(trimmed.len() - trimmed.trim_start_matches(sign).len());
        match open {
            None if signs.len() >= 3 && !behind.contains('`') => open = Some((signs, start, end)),
            Some((own, from, inner)) if signs.starts_with(own) && behind.trim().is_empty() => {
                found.push((from..end, inner..start));
                open = None;
            }
            _ => {}
        }
        start = end;
    }
    found.extend(open.map(|(_, from, inner)| (from..text.len(), inner..text.len())));
    found
}

/// Code between single or double backticks on one line.
fn inline(text: &str, found: &mut Literals) {
    let fences = Cover::of(&[&found.code]);
    for code in pattern!(r"``[^\n]+?``|`[^`\n]+`").find_iter(text) {
        let range = code.range();
        if fences.touches(&range) {
            continue;
        }
        let ticks = if code.as_str().starts_with("``") { 2 } else { 1 };
        found.code_text.push(range.start + ticks..range.end - ticks);
        found.code.push(range);
    }
    for list in [&mut found.code, &mut found.code_text] {
        list.sort_by_key(|range| range.start);
    }
}

/// URLs and e-mail addresses, without the punctuation of the sentence around them.
pub fn addresses(text: &str) -> impl Iterator<Item = Range<usize>> {
    let pattern = pattern!(
        r#"(?i)\b(?:https?|ftp)://[^\s<>"“”„«»`'’‘。，、；：！？（）「」『』【】\]}|\\^]+|\bwww\.[^\s<>"“”„«»`'’‘。，、；：！？（）「」『』\]}]+|\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+"#
    );
    pattern.find_iter(text).map(|found| {
        let mut address =
            found.as_str().trim_end_matches(['.', ',', ';', ':', '!', '?', '*', '_', '…']);
        let mut closed_too_often =
            address.matches(')').count().saturating_sub(address.matches('(').count());
        while closed_too_often > 0
            && let Some(rest) = address.strip_suffix(')')
        {
            address = rest.trim_end_matches(['.', ',', ';', ':', '!', '?']);
            closed_too_often -= 1;
        }
        found.start()..found.start() + address.len()
    })
}

/// The mark that closes a quotation which `open` opens.
fn closing(open: char) -> Option<&'static [char]> {
    Some(match open {
        '"' => &['"'],
        '\'' => &['\''],
        '“' => &['”', '“'],
        '„' => &['“', '”', '"'],
        '‘' => &['’'],
        '‚' => &['‘', '’'],
        '«' => &['»'],
        '»' => &['«', '»'],
        '‹' => &['›'],
        '「' => &['」'],
        '『' => &['』'],
        '《' => &['》'],
        '〈' => &['〉'],
        _ => return None,
    })
}

/// Quotations on one line. A straight or single mark counts only where it stands as one: behind a space
/// or bracket when it opens, before one when it closes, so that apostrophes, inches and feet do not.
fn quotations(text: &str, held: &Cover, found: &mut Literals) {
    let mut before = None;
    let mut skip_to = 0;
    for (at, mark) in text.char_indices() {
        let previous = before.replace(mark);
        if at < skip_to {
            continue;
        }
        let Some(closers) = closing(mark) else { continue };
        let inner = at + mark.len_utf8();
        let plain = matches!(mark, '"' | '\'' | '‘' | '‚');
        let opens = !plain || previous.is_none_or(|c| !c.is_alphanumeric() && c != mark);
        if !opens || held.touches(&(at..inner)) {
            continue;
        }
        if let Some(end) = end_of_quotation(&text[inner..], mark, closers) {
            let close = text[inner + end..].chars().next().map_or(0, char::len_utf8);
            found.quoted.push(inner..inner + end);
            found.quotations.push(at..inner + end + close);
            skip_to = inner + end + close;
        }
    }
}

/// Length in bytes of the quotation that begins here.
fn end_of_quotation(rest: &str, mark: char, closers: &[char]) -> Option<usize> {
    if rest.starts_with(|c: char| c.is_whitespace() && mark != '«' && mark != '»') {
        return None;
    }
    let single = matches!(mark, '\'' | '‘' | '‚');
    let mut candidates = 0;
    let mut last = None;
    for (count, (at, character)) in rest.char_indices().enumerate() {
        if character == '\n' || count > LONGEST_QUOTATION || candidates > 8 {
            return None;
        }
        if closers.contains(&character) && at > 0 {
            let next = rest[at + character.len_utf8()..].chars().next();
            let ends = next.is_none_or(|c| !c.is_alphanumeric());
            if (!single && mark != '"') || ends && last.is_some_and(|c: char| !c.is_whitespace()) {
                // The 'n' of "rock 'n' roll" is a word.
                let quotes = rest[..at].chars().any(char::is_alphanumeric) && &rest[..at] != "n";
                return quotes.then_some(at);
            }
            candidates += 1;
        } else if closers.contains(&character) {
            return None;
        }
        last = Some(character);
    }
    None
}

/// Runs of digits with their separators. A digit behind a Latin, Greek or Cyrillic letter is part of a
/// name ("MP3"), which is taken whole.
pub fn numbers(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let digit = from + text[from..].find(|c: char| c.is_numeric())?;
            if let Some(name) = name_around(text, from, digit) {
                from = name.end;
                return Some(name);
            }
            if let Some(end) = end_of_marker(text, digit) {
                from = end;
                continue;
            }
            let number = pattern!(
                r"\d{1,3}(?:[\u{a0}\u{202f}\u{2009}]\d{3})+(?:[.,]\d+)?|\d+(?:[.,'’٫٬]\d+)*"
            );
            let Some(end) = number.end_at(text, digit) else {
                // "½" is no digit.
                from = digit + text[digit..].chars().next().map_or(1, char::len_utf8);
                continue;
            };
            let start = signed(text, digit).filter(|start| *start >= from).unwrap_or(digit);
            from = end;
            return Some(start..end);
        }
    })
}

/// The name that holds a digit, from `from` on.
fn name_around(text: &str, from: usize, digit: usize) -> Option<Range<usize>> {
    let letter = pattern!(r"[\p{Latin}\p{Greek}\p{Cyrillic}_]");
    let belongs = |at: usize, c: char| {
        c == '_'
            || c.is_numeric()
            || c.is_ascii_alphabetic()
            || !is_unspaced(c) && letter.end_at(text, at).is_some()
    };
    let before = text[from..digit].char_indices().rev();
    let start =
        before.map(|(at, c)| (from + at, c)).take_while(|(at, c)| belongs(*at, *c)).last()?;
    if start.1.is_numeric() {
        return None;
    }
    let behind = text[digit..].char_indices().map(|(at, c)| (digit + at, c));
    let end = behind.take_while(|(at, c)| belongs(*at, *c)).last();
    end.map(|(at, c)| start.0..at + c.len_utf8())
}

/// The end of the marker of a list whose number begins at `digit`.
fn end_of_marker(text: &str, digit: usize) -> Option<usize> {
    let leads = |c: char| matches!(c, ' ' | '\t' | '-' | '*' | '•' | '>' | '#' | '(');
    let lead = text[..digit].chars().rev().take(LONGEST_MARKER).take_while(|c| leads(*c));
    let line = digit - lead.map(char::len_utf8).sum::<usize>();
    if line > 0 && !text[..line].ends_with('\n') {
        return None;
    }
    pattern!(r"[ \t]*(?:[-*•>#]+[ \t]+)*\(?\d{1,3}[.)．）](?:[ \t]|(?m:$))").end_at(text, line)
}

/// Where the sign of the number stands that begins at `digit`.
fn signed(text: &str, digit: usize) -> Option<usize> {
    let sign = text[..digit].char_indices().next_back().filter(|(_, c)| matches!(c, '-' | '−'))?.0;
    let before = text[..sign].chars().next_back();
    let apart = before.is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '[' | ':' | '='));
    (apart && !text[..sign].ends_with("- ")).then_some(sign)
}
