//! "Replace X by Y", "Y instead of X": the words that go and those that come.

use patterns::{Pattern, pattern};

use super::courtesy::unquoted;

/// One text for another, in the feedback's words.
#[derive(Clone, Debug, PartialEq)]
pub struct Exchange {
    /// What goes.
    pub old: String,
    /// What comes.
    pub new: String,
    /// Whether what goes is quoted.
    pub quoted: bool,
    /// How sure it is that the prompt has the words that go.
    pub kind: Kind,
}

/// How an exchange is worded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// "Replace X by Y."
    Order,
    /// "Y instead of X": what goes may be a matter, and not words of the prompt.
    Wish,
    /// "Not X but Y."
    Correction,
}

const FORMS: [(Kind, Pattern); 8] = [
    (
        Kind::Order,
        pattern!(
            r"(?i)^{refine_exchange.replace_verb}(?: {refine_exchange.replace_all})?(?: {refine_exchange.replace_mentions})? (?:{refine_exchange.replace_word} )?(?P<old>.{1,200}?) {refine_exchange.replace_with} (?:{refine_exchange.replace_word} )?(?P<new>.{1,300})$"
        ),
    ),
    (
        Kind::Order,
        pattern!(
            r"(?i)^{refine_exchange.wish_verb} (?P<new>.{1,200}?),? {refine_exchange.and_not} (?P<old>.{1,200}?)$"
        ),
    ),
    (
        Kind::Order,
        pattern!(
            r"(?i)^{refine_exchange.meant_for} (?P<new>[^,]{1,80}),? {refine_exchange.not_for} (?P<old>[^,]{1,80})$"
        ),
    ),
    (
        Kind::Wish,
        pattern!(
            r"(?i)^(?:{refine_exchange.wish} )?(?P<new>.{1,200}?),? (?:{refine_exchange.instead_of} |{refine_exchange.instead_elided} ?)(?P<old>.{1,200}?)$"
        ),
    ),
    (
        Kind::Correction,
        pattern!(
            r"(?i)^{refine_exchange.not} (?P<old>[^,.;]{2,60}?)(?:, (?:{refine_exchange.but} )?| {refine_exchange.but} )(?P<new>[^,.;]{2,60})$"
        ),
    ),
    (
        Kind::Wish,
        pattern!(
            r"(?i)^{refine_exchange.instead_of} (?P<old>.{1,200}?),? {refine_exchange.instead_verb} (?P<new>.{1,200}?)$"
        ),
    ),
    (
        Kind::Order,
        pattern!(
            r#"(?i)^{refine_exchange.correct_verb} (?:{refine_exchange.replace_word} )?(?P<old>["“„«'‘`].{1,200}?["”“»'’`]) {refine_exchange.into} (?P<new>.{1,300})$"#
        ),
    ),
    (
        Kind::Order,
        pattern!(
            r"^{refine_exchange.capital_verb} (?:{refine_exchange.from} )?(?P<old>\p{Lu}[\p{L}\d.-]*(?: \p{Lu}[\p{L}\d.-]*){0,3}|\d[\d.,:/%€$£]*(?: \p{L}+)?) {refine_exchange.into} (?P<new>.{1,80})$"
        ),
    ),
];

/// The exchange that a remark asks for.
pub fn read(remark: &str) -> Option<Exchange> {
    let (kind, found) =
        FORMS.into_iter().find_map(|(kind, form)| Some((kind, form.captures(remark)?)))?;
    let (old, new) = (found["old"].trim(), found["new"].trim());
    let quoted = old != unquoted(old);
    let (old, new) = match kind {
        Kind::Wish if !quoted && new == unquoted(new) => (unwanted(old), wanted(new)),
        _ => (unquoted(old), unquoted(new)),
    };
    let differ = !old.is_empty() && !new.is_empty() && old != new;
    differ.then(|| Exchange { old: old.to_owned(), new: new.to_owned(), quoted, kind })
}

/// Whether words refer to the prompt or a setting and not to words of it: "it", "the tone".
pub fn refers(words: &str) -> bool {
    pattern!(r"(?i)^{refine_exchange.refers}$").is_match(words)
}

/// What is wanted, without the verb or label that leads to it: "free samples" for "Mention free samples", "families"
/// for "The audience is families".
fn wanted(text: &str) -> &str {
    let text = text.trim_end_matches(',');
    let leads = [
        pattern!(
            r"(?i)^(?:{refine_exchange.wish_lead}\s+)*{refine_exchange.wanted_verb} (?:{refine_exchange.recipient} )?(?P<v>\S.*)$"
        ),
        pattern!(
            r"(?i)^(?:{refine_exchange.label_article} )?(?:[\p{L}]+(?: \p{L}+)?)(?: ?: | {refine_exchange.label_is} )(?P<v>\S.*?)(?: {refine_common.be_at_end})?$"
        ),
        pattern!(r"(?i)^{refine_exchange.wanting} (?:{refine_exchange.to_have} )?(?P<v>\S.*)$"),
    ];
    let found = leads.into_iter().find_map(|lead| lead.captures(text)?.name("v"));
    found.map_or(text, |found| found.as_str())
}

/// What is to go, without the verb or preposition that leads to it: "the discount" for "mentioning the discount".
fn unwanted(text: &str) -> &str {
    pattern!(
        r"(?i)^(?:{refine_exchange.unwanted_verb}\s+|{refine_exchange.unwanted_lead}\s*)(?P<v>\S.*)$"
    )
    .captures(text)
    .and_then(|found| found.name("v"))
    .map_or(text, |found| found.as_str())
    .trim()
}
