//! What a point of the feedback asks for, as far as its form tells.

use patterns::pattern;
use text::imperative;

/// A point by its form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Leaves the rest as it is.
    Keep,
    /// Courtesy or praise.
    Remark,
    /// A question.
    Question,
    /// A judgement that does not say what is to stand in the prompt.
    Judgement,
    /// A better prompt, without saying how.
    Improve,
    /// The prompt itself in another language.
    Translate,
    /// A shorter answer, without a number.
    Shorter,
    /// A longer one.
    Longer,
    /// Takes something out.
    Remove(String),
    /// Bans something.
    Ban(String),
    /// Allows something.
    Allow(String),
    /// Answers in a language, by its tag.
    Language(&'static str),
    /// Anything else.
    Other,
}

/// A point without courtesies, and whether it asks politely.
pub fn core(point: &str) -> (&str, bool) {
    let lead = pattern!(r"(?i)^(?:{refine.courtesy})(?:[,:!.…]+\s*|\s+)");
    let polite = pattern!(r"(?i)^(?:{refine.polite})\s+");
    let tail = pattern!(r"(?i)[,]?\s+(?:{refine.courtesy})[?.!]*$|\s*[:;]-?[)D]+$");
    let mut text = point.trim().trim_end_matches(['.', '!', '。', '！', ' ']);
    let mut asked = false;
    loop {
        let found = lead.find(text).or_else(|| polite.find(text));
        let Some(rest) = found.map(|found| text[found.end()..].trim_start()) else { break };
        if rest.is_empty() || !rest.contains(char::is_alphanumeric) {
            break;
        }
        asked |= polite.is_match(text);
        text = rest;
    }
    while let Some(found) = tail.find(text).filter(|found| found.start() > 0) {
        text = &text[..found.start()];
    }
    (text.trim_end_matches(if asked { &['?', ' '][..] } else { &[' '][..] }), asked)
}

/// What a point asks for.
pub fn read(point: &str) -> Ask {
    let (text, asked) = core(point);
    let is = |says: patterns::Pattern| says.is_match(text);
    if !text.contains(char::is_alphanumeric)
        || is(pattern!(r"(?i)^(?:(?:{refine.remark})[,.! ]*)+$"))
    {
        return Ask::Remark;
    }
    if !asked && text.ends_with(['?', '？', '؟']) {
        return Ask::Question;
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
    if is(pattern!(r"(?i)^(?:{refine.shorter})$")) {
        return Ask::Shorter;
    }
    if is(pattern!(r"(?i)^(?:{refine.longer})$")) {
        return Ask::Longer;
    }
    let figure = text.contains(|c: char| c.is_ascii_digit());
    if !figure && is(pattern!(r"(?i)^(?:{refine.judgement})$")) {
        return Ask::Judgement;
    }
    let fragment = pattern!(r"(?i)^\s*(?:{refine.fragment})[.! ]*$").is_match(point);
    if fragment && !figure && !adds(text) && ban(text).is_none() {
        return Ask::Judgement;
    }
    if let Some(tag) = language(text) {
        return Ask::Language(tag);
    }
    let joins = pattern!(r"(?i)\s(?:{refine.joining})$").is_match(text);
    let removes = [
        pattern!(r"(?i)^(?:{refine.separable})\s+(?P<v>.+?)\s+(?:{refine.remove_tail})$"),
        pattern!(r"(?i)^(?:{refine.remove})\s+(?P<v>.+?)(?:\s+(?:{refine.remove_tail}))?$"),
        pattern!(r"(?i)^(?P<v>.{2,60}?)\s+(?:{refine.remove_tail})$"),
        pattern!(r"^(?:{refine.remove_unspaced})(?P<v>.+)$"),
        pattern!(r"(?i)^(?P<v>.{2,60}?)[,.:]?\s+(?:{refine.remove})$"),
    ];
    if let Some(found) = removes.into_iter().find_map(|says| says.captures(text)).filter(|_| !joins)
    {
        return Ask::Remove(thing(&found["v"]));
    }
    let allows = [
        pattern!(r"(?i)^(?P<v>.{2,40}?)\s+(?:{refine.allowed})$"),
        pattern!(r"(?i)^(?:{refine.allow})\s+(?P<v>.{2,40}?)$"),
    ];
    if let Some(found) = allows.into_iter().find_map(|says| says.captures(text)) {
        return Ask::Allow(found["v"].to_owned());
    }
    ban(text).map_or(Ask::Other, |what| Ask::Ban(what.to_owned()))
}

/// The thing that a removal names, without the reason behind it.
fn thing(text: &str) -> String {
    let end = text.find(", ").unwrap_or(text.len());
    text[..end].trim().to_owned()
}

/// What a sentence bans that begins with the ban.
pub fn ban(text: &str) -> Option<&str> {
    let bans = pattern!(
        r"(?i)^(?:(?:{refine.no})(?:\s+|\b)|(?:{refine.forbid})(?:\s+|\b)|(?:{refine.no_unspaced}))(?P<v>[^,;:]{2,60}?)(?:\s+(?:{refine.now}|{refine.courtesy}))?[.!。了]*$"
    );
    bans.captures(text)?.name("v").map(|what| what.as_str().trim())
}

/// Whether a text forbids something.
pub fn is_negated(text: &str) -> bool {
    pattern!(r"(?i)(?:^|[^\p{L}])(?:{refine.no}|{refine.forbid}|{refine.negated}|{refine.never})(?:[^\p{L}]|$)|(?:{refine.no_unspaced})").is_match(text)
}

/// What the answer is to have beside the rest, if a text asks for nothing else.
pub fn mentioned(text: &str) -> Option<&str> {
    let lead = pattern!(r"(?i)^(?:{refine.mention})(?:\s|$)");
    lead.find(text).map(|lead| &text[lead.end()..])
}

/// Whether a text only says how things are, such as a complaint, and not how they are to be.
pub fn is_statement(text: &str) -> bool {
    let tells = pattern!(r"(?i)^(?:\S+\s+){0,6}?(?:{refine.tells})(?:[^\p{L}]|$)");
    let wishes = pattern!(
        r"(?i)(?:^|[^\p{L}])(?:{refine.wishes})(?:[^\p{L}]|$)|^(?:{refine.begins_order}|{refine.forbid}|{refine.no})(?:\s|$)"
    );
    let mut clauses = text.split([',', ';', ':', '(', '，']).map(str::trim);
    let first = clauses.clone().next().unwrap_or_default();
    let orders = |clause: &str| {
        ban(clause).is_some() || mentioned(clause).is_some() || imperative::starts_work(clause)
    };
    // "It is 12 documents now" has a new value.
    let states = |end: usize| !first[end..].contains(|c: char| c.is_ascii_digit());
    tells.find(first).is_some_and(|found| states(found.end()))
        && !wishes.is_match(text)
        && !clauses.any(orders)
}

/// Whether a text speaks to who edits the prompt, not to who answers it.
pub fn is_edit(text: &str) -> bool {
    let order = pattern!(
        r"(?i)^(?:{refine.edit}|{refine.change}|{refine.remove}|{refine.instead})(?:\s|$)|(?:^|[^\p{L}])(?:{refine.edited})(?:[^\p{L}]|$)|->|→|=>"
    );
    patterns::reading_all(|| order.is_match(text))
}

/// Whether a text asks for something more.
pub fn adds(text: &str) -> bool {
    pattern!(r"(?i)^(?:{refine.add})(?:\s|$)").is_match(text)
}

/// The language that a point names, if it names nothing else.
fn language(text: &str) -> Option<&'static str> {
    let only = pattern!(
        r"(?i)^(?:(?:{refine.answer_in})\s+)?(?P<l>\p{L}{3,20})(?:\s+(?:{refine.answer_only}))*$"
    );
    let found = only.captures(text)?;
    let name = found.name("l")?.as_str();
    let tag = crate::wording::tag_named(name)
        .or_else(|| crate::wording::tag_named(name.strip_suffix('e')?))?;
    let led = found.name("l")?.start() > 0;
    (led || name.starts_with(char::is_uppercase)).then_some(tag)
}
