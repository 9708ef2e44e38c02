//! What is marked in an answer: highlights, placeholders, titles, separators, postscripts.

use std::ops::Range;

use engine::CountParameters;
use patterns::pattern;

use super::judgement::Judgement;
use crate::Reason;
use crate::output::{LineKind, Output};

/// Longest postscript marker that is looked for, in letters.
const LONGEST_MARKER: usize = 20;
/// Longest line that may be a title without a mark, in characters.
const LONGEST_TITLE: usize = 100;

pub fn highlights(output: &Output<'_>, count: &CountParameters) -> Judgement {
    Judgement::places(&emphases(output), count)
}

/// Passages between asterisks, and those between `__`, `==` or tags of HTML.
pub fn emphases(output: &Output<'_>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for line in &output.markdown().lines {
        let from = match line.kind {
            LineKind::Code | LineKind::Blank | LineKind::Break | LineKind::Ruler => continue,
            LineKind::Item { marker, .. } => line.range.start + marker,
            _ => line.range.start,
        };
        between_asterisks(output.text, from..line.range.end, &mut found);
    }
    let tagged = pattern!(r"__[^_\n]+__|==[^=\n]+==|(?i:<(?:mark|strong|em|b|i|u)>[^<\n]+</)");
    found.extend(tagged.find_iter(output.text).map(|passage| passage.range()));
    found.sort_by_key(|passage| passage.start);
    found
}

/// Passages of a line that rows of equally many asterisks enclose.
fn between_asterisks(text: &str, line: Range<usize>, found: &mut Vec<Range<usize>>) {
    let mut open: Option<Range<usize>> = None;
    let mut at = line.start;
    while at < line.end {
        let Some(next) = text[at..line.end].find('*').map(|next| at + next) else { return };
        let row = text[next..line.end].bytes().take_while(|byte| *byte == b'*').count();
        let own = next..next + row;
        at = own.end;
        match open.take() {
            Some(before) if before.len() == row && !text[before.end..next].trim().is_empty() => {
                found.push(before.start..own.end);
            }
            _ => open = Some(own),
        }
    }
}

/// What stands in square or double curly brackets, without links and boxes to tick.
pub fn placeholders(output: &Output<'_>, count: &CountParameters) -> Judgement {
    let rule = pattern!(r"\[[^\[\]\n]+\]|\{\{[^{}\n]+\}\}");
    let places = rule.find_iter(output.text).filter(|found| {
        let inner = found.as_str().trim_matches(['[', ']', '{', '}']).trim();
        let is_box = inner.is_empty() || inner == "x" || inner == "X";
        let is_link =
            found.as_str().starts_with('[') && output.text[found.end()..].starts_with('(');
        !is_box && !is_link
    });
    let places: Vec<_> = places.map(|found| found.range()).collect();
    Judgement::places(&places, count)
}

/// A title between the signs, or one that a heading, bold letters or its place makes.
pub fn title(output: &Output<'_>, signs: Option<&str>) -> Judgement {
    if signs.is_some() {
        let rule = pattern!(r"<<[^\n<>]*[^\s<>][^\n<>]*>>");
        return Judgement::present("<<>>", rule.find(output.text).map(|found| found.range()));
    }
    let lines = &output.markdown().lines;
    let marked = lines.iter().find(|line| matches!(line.kind, LineKind::Heading(_)));
    let mut spoken = lines.iter().filter(|line| line.kind != LineKind::Blank);
    let first = spoken.next();
    let behind = spoken.next().is_some();
    let named = lines.iter().find(|line| {
        pattern!(r"(?i)^[\s*#_]*(?:{check_units.title})[*_]*\s*[:：]\s*[*_]*\s*\S")
            .is_match(output.at(&line.range))
    });
    let placed = first.filter(|line| {
        let text = output.at(&line.range).trim();
        behind
            && line.kind == LineKind::Text
            && text.chars().count() <= LONGEST_TITLE
            && !text.ends_with(['.', ',', ';', ':', '。', '，', '：'])
    });
    let bracketed = pattern!(r"<<[^\n<>]+>>").find(output.text).map(|found| found.range());
    let line = marked.or(named).or(placed).map(|line| line.range.clone());
    Judgement::present("title", line.or(bracketed))
}

/// The signs of a separator that is given by them.
pub fn separator_signs(name: &str) -> Option<&str> {
    let name = name.trim();
    let signs =
        !name.is_empty() && name.chars().all(|c| !c.is_alphanumeric() && !c.is_whitespace());
    signs.then_some(name)
}

/// Whether a separator is an empty line; who asks for new lines between parts means those.
pub fn is_empty_line(name: &str) -> bool {
    pattern!(r"(?i){check_separators.empty_line}|{check_separators.line}").is_match(name)
}

/// What stands between parts: at least two parts, with the separator between them.
pub fn separator(output: &Output<'_>, name: &str) -> Judgement {
    if let Some(signs) = separator_signs(name) {
        let place = output.text.find(signs).map(|at| at..at + signs.len());
        return Judgement::of(output.parts(signs).len() > 1, signs).at(place);
    }
    let lines = &output.markdown().lines;
    let is = |kind: LineKind| {
        let inner = lines.iter().skip_while(|line| line.kind == LineKind::Blank);
        let mut inner = inner.skip(1).skip_while(|line| line.kind != kind);
        let place = inner.next().map(|line| line.range.clone());
        place.filter(|_| inner.any(|line| !matches!(line.kind, LineKind::Blank | LineKind::Break)))
    };
    if pattern!(r"(?i){check_separators.empty_line}").is_match(name) {
        Judgement::present(name, is(LineKind::Blank))
    } else if pattern!(r"(?i){check_separators.rule}").is_match(name) {
        Judgement::present(name, is(LineKind::Break))
    } else if pattern!(r"(?i){check_separators.line}").is_match(name) {
        let inner = output.text.trim();
        let place = inner.find('\n').map(|at| output.trimmed().start + at);
        Judgement::present(name, place.map(|at| at..at + 1))
    } else {
        Judgement::undecided(Reason::Unclear)
    }
}

/// A line, or the rest of one, that begins with the marker, whatever its points and spaces, and says something.
pub fn postscript(output: &Output<'_>, marker: &str) -> Judgement {
    let letters: Vec<char> =
        marker.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect();
    let lower = output.lower();
    let Some(first) = letters.first().filter(|_| letters.len() <= LONGEST_MARKER) else {
        return Judgement::undecided(Reason::Unclear);
    };
    for (at, _) in lower.match_indices(*first) {
        let before = lower[..at].chars().next_back();
        if before.is_some_and(char::is_alphanumeric) {
            continue;
        }
        if let Some(length) = spelled(&lower[at..], &letters) {
            let line = &lower[at + length..];
            let line = line.split('\n').next().unwrap_or(line);
            // Alone on its line, it stands above what it says.
            let said = line.chars().any(char::is_alphanumeric)
                || lower[at + length..].chars().any(char::is_alphanumeric);
            if said {
                return Judgement::of(true, marker).at(Some(at..at + length));
            }
        }
    }
    Judgement::of(false, marker)
}

/// The length of letters with points and single spaces between them, which a text begins with.
fn spelled(text: &str, letters: &[char]) -> Option<usize> {
    let mut wanted = letters.iter();
    let mut points = 0;
    let mut next = wanted.next();
    for (at, character) in text.char_indices() {
        match next {
            Some(letter) if character == *letter => next = wanted.next(),
            Some(_) if character == '.' && at > 0 => points += 1,
            Some(_) if character == ' ' && text[..at].ends_with('.') => {}
            Some(_) => return None,
            // "PS" without points ends like a word.
            None if points == 0 && character.is_alphanumeric() => return None,
            None if character.is_alphanumeric() => return None,
            None => return Some(at),
        }
        if points > letters.len() * 2 {
            return None;
        }
    }
    next.is_none().then_some(text.len())
}
