//! What a point of the feedback asks for, as far as its form tells.

use patterns::{Pattern, pattern};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    Keep,
    Remark,
    /// A better prompt, without saying how.
    Improve,
    Translate,
    Remove(String),
    Ban(String),
    Other,
}

/// So many courtesies may stand behind a point.
const TAILS: usize = 4;

/// A point without courtesies, and whether it asks politely.
pub fn core(point: &str) -> (&str, bool) {
    let lead = pattern!(r"(?i)^(?:{refine.courtesy})(?:[,:!.…]+\s*|\s+)");
    let polite = pattern!(r"(?i)^(?:{refine.polite})\s+");
    let tail = pattern!(r"(?i)[,]?\s+(?:{refine.courtesy})[?.!]*$|\s*[:;]-?[)D]+$");
    let mut text = point.trim().trim_end_matches(['.', '!', '。', '！', ' ']);
    let mut asked = false;
    while let Some(found) = lead.find(text).or_else(|| polite.find(text)) {
        let rest = &text[found.end()..];
        if !rest.contains(char::is_alphanumeric) {
            break;
        }
        asked |= polite.is_match(text);
        text = rest;
    }
    for _ in 0..TAILS {
        text = tail.find(text).filter(|it| it.start() > 0).map_or(text, |it| &text[..it.start()]);
    }
    (text.trim_end_matches(if asked { &['?', ' '][..] } else { &[' '][..] }), asked)
}

pub fn read(point: &str) -> Ask {
    let text = core(point).0;
    let is = |says: Pattern| says.is_match(text);
    if !text.contains(char::is_alphanumeric)
        || is(pattern!(r"(?i)^(?:(?:{refine.remark})[,.!? ]*)+$"))
    {
        return Ask::Remark;
    }
    if is(pattern!(r"(?i)^(?:{refine.keep})$")) {
        return Ask::Keep;
    }
    if is(pattern!(r"(?i)^(?:{refine.translate})$")) {
        return Ask::Translate;
    }
    if is(pattern!(r"(?i)^(?:{refine.improve})$")) {
        return Ask::Improve;
    }
    let joins = is(pattern!(r"(?i)\s(?:{refine.joining})$"));
    let removes = [
        pattern!(r"(?i)^(?:{refine.separable})\s+(?P<v>.+?)\s+(?:{refine.remove_tail})(?:,.*)?$"),
        pattern!(r"(?i)^(?:{refine.remove})\s+(?P<v>.+?)(?:\s+(?:{refine.remove_tail}))?$"),
        pattern!(
            r"(?i)^(?P<v>.{2,60}?)\s+(?:(?:{refine.courtesy})\s+)?(?:{refine.remove_tail})(?:,.*)?$"
        ),
        pattern!(r"^(?:{refine.remove_unspaced})(?P<v>.+)$"),
        pattern!(
            r"(?i)^(?P<v>.{2,60}?)(?:[,.:]?\s+(?:{refine.remove})|:\s+(?:{refine.remove}),[^,]*)$"
        ),
    ];
    let removed = removes.into_iter().filter(|_| !joins).find_map(|says| says.captures(text));
    if let Some(found) = removed {
        // Behind the comma stands why.
        let what = found["v"].split(", ").next().unwrap_or_default();
        return Ask::Remove(what.trim().to_owned());
    }
    let bans = pattern!(
        r"(?i)^(?:(?:{refine.no})(?:\s+|\b)|(?:{refine.forbid})(?:\s+|\b)|(?:{refine.no_unspaced}))(?P<v>[^,;:]{2,60}?)(?:\s+(?:{refine.now}|{refine.courtesy}))?[.!。了]*$"
    );
    bans.captures(text).map_or(Ask::Other, |found| Ask::Ban(found["v"].trim().to_owned()))
}

pub fn is_negated(text: &str) -> bool {
    pattern!(r"(?i)(?:^|[^\p{L}])(?:{refine.no}|{refine.forbid}|{refine.negated}|{refine.never})(?:[^\p{L}]|$)|(?:{refine.no_unspaced})").is_match(text)
}

pub fn adds(text: &str) -> bool {
    pattern!(r"(?i)^(?:{refine.add})(?:\s|$)").is_match(text)
}

/// Whether a text is about a case of something: "for a …", "after …", "if …".
pub fn is_special(text: &str) -> bool {
    pattern!(r"(?i)(?:^|[,;(]\s*|\s)(?:{refine.when})\s|^(?:{refine.case})\s+[^\s\d]")
        .is_match(text)
}
