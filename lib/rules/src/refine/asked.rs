//! Settings that a wish asks for: length, tone, readers, format, language and the like.

use super::courtesy::core;
use super::lengths::lengths;
use super::op::{Op, Refusal};
use super::{settings, target};
use crate::wording::tag_named;
use patterns::{Pattern, pattern};

pub use super::settings::is_format;

/// What an answer is to be like, with the name of its line.
const MANNERS: [(Pattern, &str); 5] = [
    (pattern!(r"(?i)^{refine_asks.shorter}$"), "shorter"),
    (pattern!(r"(?i)^{refine_asks.longer}$"), "longer"),
    (pattern!(r"(?i)^{refine_asks.specific}$"), "specific"),
    (pattern!(r"(?i)^{refine_asks.simpler}$"), "simpler"),
    (pattern!(r"(?i)^{refine_asks.examples}$"), "examples"),
];

/// Whether words only set the answer's length, tone, readers, format or language.
pub fn is_setting(text: &str) -> bool {
    setting(core(text).0).is_some()
}

/// The setting that a wish asks for, if it asks for nothing else.
pub fn setting(text: &str) -> Option<Result<Op, Refusal>> {
    if text.chars().count() > 160 {
        return None;
    }
    let lead = pattern!(r"(?ix)^{refine_asks.setting_lead}\ ");
    let mild = pattern!(r"(?i)^(?:{refine_asks.mild} )");
    let bare = lead.find(text).map_or(text, |found| &text[found.end()..]).trim();
    let bare = mild.find(bare).map_or(bare, |found| &bare[found.end()..]);
    let translates = pattern!(
        r"(?i)^{refine_asks.translate} (?:{refine_asks.translated_article} )?{refine_asks.prompt}\b"
    );
    if let Some(target) = target::named(text) {
        return Some(Ok(Op::LayOut(Some(target))));
    }
    if translates.is_match(text) {
        return Some(Err(Refusal::Translate));
    }
    let op = language(text)
        .or_else(|| structure(text, bare))
        .or_else(|| size(bare))
        .or_else(|| manner(text).or_else(|| manner(bare)))
        .or_else(|| audience(text).or_else(|| audience(bare)).map(Op::Audience))
        .or_else(|| format(text).map(Op::Format))
        .or_else(|| tone(bare, text).map(Op::Tone));
    op.map(Ok)
}

/// A setting that a noun names, with its value: "change the tone to formal".
pub fn slot(noun: &str, value: &str) -> Option<Result<Op, Refusal>> {
    let is = |label: Pattern| label.is_match(noun);
    if is(pattern!(r"(?i)^{refine_set.tone_label}$")) {
        let tone =
            pattern!(r"(?i)^(?:{refine_asks.tone_lead} )?(.+?)(?: {refine_asks.tone_noun})?$");
        return Some(Ok(Op::Tone(tone.replace(value, "$1").into_owned())));
    }
    if is(pattern!(r"(?i)^{refine_set.audience_label}$")) {
        return Some(Ok(Op::Audience(value.to_owned())));
    }
    if is(pattern!(r"(?i)^{refine_set.format_label}$")) {
        return Some(Ok(Op::Format(value.to_owned())));
    }
    if is(pattern!(r"(?i)^{refine_set.language_label}$")) {
        let op = |tag| Op::Language { tag, ambiguous: false };
        return Some(tag_named(value).map(op).ok_or(Refusal::Unclear));
    }
    if is(pattern!(r"(?i)^{refine_asks.length_label}$")) {
        return lengths(value).into_iter().next().map(|length| Ok(Op::Length(length)));
    }
    None
}

fn structure(text: &str, bare: &str) -> Option<Op> {
    let structured = pattern!(
        r"(?i)^{refine_asks.structure_verb} ?(?:{refine_asks.structure_quantity} )*{refine_asks.structure_noun}(?: {refine_common.added_particle})?$|^{refine_asks.structured}$"
    );
    let whole = pattern!(r"(?i)^{refine_asks.structure_it}$");
    let emoji =
        pattern!(r"(?i)^{refine_asks.no_emojis} ?(?:{refine_asks.any} )?{refine_asks.emoji}$");
    if structured.is_match(bare) || whole.is_match(text) {
        return Some(Op::LayOut(None));
    }
    emoji.is_match(text).then_some(Op::NoEmojis)
}

fn manner(text: &str) -> Option<Op> {
    let found = MANNERS.into_iter().find(|(says, _)| says.is_match(text))?;
    Some(Op::Manner(found.1))
}

/// A length, or a part or multiple of the present one.
fn size(text: &str) -> Option<Op> {
    let limit = pattern!(r"(?i)\b{refine_asks.not_more_than}\b");
    let text = &*limit.replace(text, settings::at_most());
    if let Some(percent) = settings::scale(text) {
        return Some(Op::Scale(percent));
    }
    let found = lengths(text);
    let [length] = &found[..] else { return None };
    let around = format!("{}{}", &text[..length.range.start], &text[length.range.end..]);
    pattern!(r"(?ix)^[\s.,:]*(?:{refine_asks.length_words}[\s.,:]*)*$")
        .is_match(&around)
        .then(|| Op::Length(length.clone()))
}

/// The language that answers are to be in: "German", "Make it German", "in German".
fn language(text: &str) -> Option<Op> {
    let named = pattern!(r"(?i)^{refine_apply.make_it} (?-i:(?P<l>\p{Lu}\p{L}+))$");
    let name = named.captures(text).and_then(|found| found.name("l")).map(|name| name.as_str());
    if let Some(name) = name.or_else(|| text.starts_with(char::is_uppercase).then_some(text))
        && let Some(tag) = tag_named(name)
    {
        return Some(Op::Language { tag, ambiguous: false });
    }
    let found = pattern!(r"(?ix)^(?P<verb>(?:{refine_asks.answer_in}|{refine_asks.answer_verb}(?:{refine_asks.answer_clitic}|\ {refine_asks.answer_object})?)\ )?{refine_asks.language_preposition}\ (?P<l>[\p{L}]+)(?:\ {refine_asks.language_tail})*$")
        .captures(text)?;
    // "Ins Deutsche" has the name with an ending.
    let tag = tag_named(&found["l"]).or_else(|| tag_named(found["l"].strip_suffix('e')?))?;
    let verb = found.name("verb").map_or("", |verb| verb.as_str());
    let answers = pattern!(r"(?i)^{refine_asks.translate_answer}").is_match(verb);
    let translates = pattern!(r"(?i)^{refine_asks.translate_stem}").is_match(verb);
    Some(Op::Language { tag, ambiguous: translates && !answers })
}

fn audience(text: &str) -> Option<String> {
    let labelled = pattern!(r"(?i)^{refine_asks.audience_label} (?P<v>.{2,100})$");
    if let Some(found) = labelled.captures(text) {
        return Some(found["v"].trim().to_owned());
    }
    let found = pattern!(r"(?i)^(?:{refine_asks.audience_verb}(?:[- ]{refine_asks.audience_object})? (?:{refine_asks.suitable} )?)?{refine_asks.readers} (?P<v>[^,;:]{3,90})$")
        .captures(text)?;
    let who = found["v"].trim();
    let people = pattern!(
        r"(?i)(?:\b{refine_asks.people}\b|^(?:{refine_asks.people_article} )?(?-i:\p{Lu}\p{Ll}{2,}){refine_asks.people_capital_ending}$|^[\p{L}' -]+{refine_asks.people_ending}$)"
    );
    let names = people.is_match(who) && who.split_whitespace().count() <= 12;
    names.then(|| pattern!(r"(?i)\s+{refine_asks.instead}$").replace(who, "").into_owned())
}

fn format(text: &str) -> Option<String> {
    let found = pattern!(r"(?i)^(?:{refine_asks.format_verb}(?:[- ]{refine_asks.format_object})? )?(?:{refine_asks.format_as} )?(?:{refine_asks.format_article} )*(?P<v>[\p{L}-]+(?: [\p{L}-]+){0,2}?)(?: {refine_asks.format_tail})*$")
        .captures(text)?;
    let value = found["v"].trim();
    is_format(value).then(|| value.to_owned())
}

fn tone(bare: &str, text: &str) -> Option<String> {
    let much = pattern!(
        r"(?i)\b{refine_asks.judged} {refine_asks.judged_is} (?:{refine_asks.judged_degree} )?{refine_asks.too} (?P<v>[\p{L}-]{4,30})$"
    );
    let measures = pattern!(r"(?i)^{refine_asks.measures}$");
    let less = settings::less();
    if let Some(found) = much.captures(text).filter(|found| !measures.is_match(&found["v"])) {
        return Some(format!("{less} {}", &found["v"]));
    }
    let labelled = pattern!(
        r"(?i)^(?:(?:{refine_asks.tone_article} )?{refine_asks.tone_word}(?: {refine_asks.tone_is}| ?:)?[:]?) +(?P<v>[\p{L} ,-]{3,60})$"
    );
    if let Some(found) = labelled.captures(text) {
        let be = pattern!(r"(?i) {refine_common.be_at_end}$");
        return Some(be.replace(found["v"].trim(), "").into_owned());
    }
    let found = pattern!(r"(?i)^(?P<v>(?:{refine_asks.tone_degree} )?[\p{L}-]+(?:(?:,| {refine_asks.tone_and}) [\p{L}-]+){0,2})(?: {refine_asks.tone_tail})?$")
        .captures(bare)?;
    let value = found["v"].trim();
    let comparative = pattern!(r"(?i)^{refine_asks.comparative}$").is_match(value);
    let too = pattern!(r"(?i)^{refine_asks.too_much}\s+").find(value);
    match (too, settings::is_tone(value)) {
        (Some(found), true) => Some(format!("{less} {}", &value[found.end()..])),
        (None, known) if known || comparative => Some(value.to_owned()),
        _ => None,
    }
}
