//! Ways to take words out of a prompt.

use super::reading::Reading;
use super::rule::{Edit, Spot};
use super::span::Span;
use patterns::pattern;

/// Takes a place out of its sentence.
pub fn cut(_: &Reading<'_>, spot: &Spot) -> Vec<Edit> {
    vec![Edit::cut(spot.span)]
}

/// Takes out a whole sentence: a line of its own with its break and mark of a list, another with the space beside
/// it.
pub fn cut_sentence(reading: &Reading<'_>, spot: &Spot) -> Vec<Edit> {
    let text = reading.source.text;
    let Span { start, end } = spot.span;
    let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let (lead, rest) = (&text[line..start], &text[end..]);
    let alone = (rest.is_empty() || rest.starts_with(['\n', '\r'])) && line > 0;
    let span = if alone && pattern!(r"^\s*(?:(?:[-*•–]|\d{1,3}[.)])\s+)?$").is_match(lead) {
        let above = text[..line].trim_end_matches(['\n', '\r']).len();
        // A paragraph goes with one of the empty lines around it.
        let apart = rest.trim_start_matches([' ', '\r']).strip_prefix('\n').is_none_or(|next| {
            next.trim_start_matches([' ', '\r']).starts_with('\n') || next.trim().is_empty()
        });
        let broken = line - if text[..line].ends_with("\r\n") { 2 } else { 1 };
        Span::new(if apart { above } else { broken }, end)
    } else if lead.trim().is_empty() {
        Span::new(start, end + (rest.len() - rest.trim_start_matches([' ', '\n', '\r']).len()))
    } else {
        Span::new(line + lead.trim_end().len(), end)
    };
    vec![Edit::new(span, "")]
}

/// The range and the text that close the gap which a place leaves: a space beside it, commas that only set it apart,
/// parentheses around it. What follows begins the sentence where the place did.
pub fn closed(text: &str, span: Span) -> (Span, String) {
    let Span { mut start, mut end } = span;
    while text[..start].ends_with('(') && text[end..].starts_with(')') {
        (start, end) = (start - 1, end + 1);
    }
    let (before, after) = (&text[..start], &text[end..]);
    let body = before.trim_end_matches([' ', '\t']);
    let line = &body[body.rfind('\n').map_or(0, |at| at + 1)..];
    let begins = line.is_empty()
        || line.ends_with(['.', '!', '?', ':', '。', '！', '？', '¡', '¿'])
        || pattern!(r"^[ \t]*(?:[-*•–>]|\d{1,3}[.)])$").is_match(line);
    if begins {
        end += after.len() - after.trim_start_matches([',', ' ', '\t']).len();
        let next = text[end..].chars().next().filter(|c| c.is_lowercase());
        let opens = text[start..].starts_with(char::is_uppercase);
        return match next.filter(|_| opens) {
            Some(next) => (Span::new(start, end + next.len_utf8()), next.to_uppercase().collect()),
            None => (Span::new(start, end), String::new()),
        };
    }
    if body.len() == before.len() {
        end += after.len() - after.trim_start_matches([' ', '\t']).len();
    } else {
        start = body.len();
        let between = after.starts_with(',');
        let closes = after.trim_start().chars().next().is_none_or(|c| ".!?;)".contains(c));
        if body.ends_with(',') && (between || closes) {
            start -= 1;
            end += usize::from(between);
        }
    }
    (Span::new(start, end), String::new())
}
