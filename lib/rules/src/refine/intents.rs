//! Reading a wish: the operation that it asks for.

use super::asked;
use super::courtesy::{core, is_remark, unquoted};
use super::exchange::{self, Exchange, Kind};
use super::op::{Op, Refusal};
use super::picture::Picture;
use super::replace::stands;
use super::wishes::Wish;
use super::{steering, variable, visual};
use crate::wording::tag_named;
use patterns::pattern;

/// What a wish about a prompt asks for, which may be one for a `picture`.
///
/// # Errors
///
/// The reason why nothing can be done.
pub fn read(wish: &Wish, prompt: &str, picture: Option<&Picture>) -> Result<Op, Refusal> {
    if wish.surplus {
        return Err(Refusal::Surplus);
    }
    if steering::steers(&wish.text) {
        return Err(Refusal::Steering);
    }
    let (text, asked) = core(&wish.text);
    if steering::wants_answer(text) {
        return Err(Refusal::Answer);
    }
    if is_remark(text) {
        return Err(Refusal::Remark);
    }
    if pattern!(r"(?i)^{refine_asks.keep}$").is_match(text) {
        return Ok(Op::Keep);
    }
    if let Some(op) = variable::read(text, prompt) {
        return Ok(op);
    }
    match picture {
        Some(picture) => visual::read(text, prompt, picture, || words(text, asked, prompt)),
        None => words(text, asked, prompt),
    }
}

/// Reads a wish about a prompt, if it is one that it knows.
type Reader = fn(&str, &str) -> Option<Result<Op, Refusal>>;

/// What a wish for a written answer asks for: the first reader that knows it tells.
fn words(text: &str, asked: bool, prompt: &str) -> Result<Op, Refusal> {
    const READERS: [Reader; 7] = [
        replacing,
        |text, _| value(text),
        |text, _| role(text),
        |text, _| count(text),
        |text, _| removal(text),
        |text, _| asked::setting(text),
        |text, _| improvement(text),
    ];
    if let Some(read) = READERS.iter().find_map(|read| read(text, prompt)) {
        return read;
    }
    if !asked && text.trim_end().ends_with(['?', '？', '؟']) {
        return Err(Refusal::Question);
    }
    content(text)
}

/// One thing for another. Settings have lines of their own, and "it" is no word of the prompt.
fn replacing(text: &str, prompt: &str) -> Option<Result<Op, Refusal>> {
    let exchange = exchange::read(text)?;
    let Exchange { old, new, quoted, kind } = &exchange;
    if *quoted {
        return Some(Ok(Op::Replace(exchange)));
    }
    let setting = asked::setting(new);
    let is_there = stands(prompt, old);
    let formats = asked::is_format(old) && asked::is_format(new);
    if exchange::refers(old) || setting.is_some() && asked::setting(old).is_some() {
        return if *kind == Kind::Wish && formats && is_there {
            Some(Ok(Op::Replace(exchange)))
        } else {
            setting
        };
    }
    let sets = setting.filter(|_| *kind != Kind::Order && !is_there);
    Some(sets.unwrap_or(Ok(Op::Replace(exchange))))
}

/// "Change the deadline to Friday."
fn value(text: &str) -> Option<Result<Op, Refusal>> {
    let found = pattern!(r#"(?i)^{refine_asks.change_verb} (?:{refine_common.article_or_possessive} )?(?P<noun>[\p{L}][\p{L} '’-]{1,40}?) {refine_asks.change_to} (?P<v>.{1,120})$"#).captures(text)?;
    let noun = found["noun"].trim();
    if tag_named(found["v"].trim()).is_some()
        || pattern!(r"(?i)^{refine_asks.change_nothing}$").is_match(noun)
    {
        return None;
    }
    let value = unquoted(&found["v"]).trim_end_matches('.');
    let op = || Op::Value { noun: noun.to_owned(), value: value.to_owned() };
    Some(asked::slot(noun, value).unwrap_or_else(|| Ok(op())))
}

fn role(text: &str) -> Option<Result<Op, Refusal>> {
    let found = pattern!(r"(?i)^(?P<v>{refine_asks.role} .{3,200}?)(?: {refine_asks.role_tail})?$")
        .captures(text)?;
    Some(Ok(Op::Role(found["v"].to_owned())))
}

/// "Give me 5 slogans."
fn count(text: &str) -> Option<Result<Op, Refusal>> {
    let found = pattern!(r"(?i)^(?:{refine_asks.count_verb} )?(?P<n>\d{1,4}) (?P<noun>[\p{L}-]{3,})(?: {refine_asks.count_tail})?$").captures(text)?;
    let counts = super::lengths::lengths(text).is_empty();
    let op = || Op::Count { number: found["n"].to_owned(), noun: found["noun"].to_owned() };
    counts.then(|| Ok(op()))
}

fn removal(text: &str) -> Option<Result<Op, Refusal>> {
    let found = pattern!(
        r"(?ix)^{refine_asks.remove}\ (?P<v>.{1,300}?)(?:\ {refine_asks.remove_particle})?$"
    )
    .captures(text)?;
    let what = pattern!(r"(?i)\s+{refine_asks.removed_from}$").replace(&found["v"], "");
    if pattern!(r"(?i)^{refine_asks.removed_nothing}$").is_match(what.trim()) {
        return Some(Err(Refusal::Unclear));
    }
    if pattern!(r"(?i)^(?:{refine_asks.all} )*{refine_asks.emoji}$").is_match(&what) {
        return Some(Ok(Op::NoEmojis));
    }
    let word = pattern!(
        r"(?i)^(?:{refine_asks.word_article} )?{refine_asks.word}(?: [:：])? (?P<v>[\x22“„«'‘`].+)$"
    );
    let part = pattern!(
        r"(?i)^(?:{refine_asks.part_article} )?(?:(?:{refine_asks.whole} )?{refine_asks.part}) (?:{refine_asks.about} )?(?P<v>.+)$"
    );
    let what = word.replace(&what, "$v").into_owned();
    let found = part.captures(&what).and_then(|found| found.name("v"));
    let (what, part) = (found.map_or(what.as_str(), |found| found.as_str()), found.is_some());
    let quoted = what.trim() != unquoted(what);
    let what = match quoted {
        true => unquoted(what).to_owned(),
        false => pattern!(r"(?i)^(?:{refine_asks.article} ?\b\s*)+")
            .replace(unquoted(what), "")
            .into_owned(),
    };
    let says = what.contains(|c: char| c.is_alphanumeric() || !c.is_ascii());
    says.then_some(Ok(Op::Remove { what, quoted, part }))
}

fn improvement(text: &str) -> Option<Result<Op, Refusal>> {
    let improves = pattern!(r"(?i)^{refine_asks.improvement}$").is_match(text);
    improves.then_some(Ok(Op::Improve))
}

/// What must be in the answer, what must not, and other instructions.
fn content(text: &str) -> Result<Op, Refusal> {
    let lacks = pattern!(
        r"(?i)^(?:{refine_asks.lacking_subject} )?{refine_asks.lacking_not} {refine_asks.lacking_verb} (?:{refine_asks.lacking_any} )?(?P<v>.{2,200})$|^{refine_asks.there_is_no} (?:{refine_asks.lacking_article} )?(?P<w>.{2,200})$"
    );
    let says = pattern!(
        r"(?i)^{refine_asks.say_verb} {refine_asks.that} (?P<v>{refine_asks.statement_subject}\b.{2,400})$"
    );
    let adds = [
        pattern!(
            r"(?i)^{refine_asks.separable_verb} (?P<v>.{2,400}?) {refine_asks.separable_particle}$"
        ),
        pattern!(
            r"(?i)^{refine_asks.include_verb} (?P<v>.{2,400}?)(?: {refine_asks.include_tail})?$"
        ),
    ];
    let shuns = pattern!(r"(?i)^(?:{refine_asks.avoid} )(?P<v>.{2,300})$");
    if let Some(found) = lacks.captures(text)
        && let Some(what) = found.name("v").or(found.name("w"))
    {
        return Ok(Op::Include(what.as_str().trim().to_owned()));
    }
    if let Some(found) = says.captures(text) {
        return Ok(Op::Require(found["v"].to_owned()));
    }
    if let Some(found) = adds.into_iter().find_map(|adds| adds.captures(text)) {
        return Ok(Op::Include(found["v"].trim().to_owned()));
    }
    if let Some(found) = shuns.captures(text) {
        return Ok(Op::Exclude(found["v"].trim().to_owned()));
    }
    // Only the history has earlier versions.
    let undoes = pattern!(r"(?i)^{refine_asks.undo}\b").is_match(text);
    if !undoes && (is_instruction(text) || is_fact(text)) {
        return Ok(Op::Require(text.to_owned()));
    }
    Err(Refusal::Unclear)
}

/// Whether a sentence tells something about the matter instead of judging the prompt.
fn is_fact(text: &str) -> bool {
    let judges = pattern!(r"(?i)\b{refine_asks.judging}\b");
    let tells = pattern!(r"(?i)\b{refine_asks.own}\b|\d|\S \p{Lu}\p{Ll}");
    text.split_whitespace().count() >= 3
        && !text.contains('?')
        && !judges.is_match(text)
        && tells.is_match(text)
}

/// Whether a sentence demands something definite. What describes or judges does not: "the intro is weak".
fn is_instruction(text: &str) -> bool {
    let refers = pattern!(r"(?i)^\p{L}+(?: {refine_asks.refer_object})?$");
    let demands = pattern!(r"(?i)\b{refine_asks.demand}\b");
    let describes = pattern!(r"(?i)^{refine_asks.description}(?:\s|['’]|$)");
    !(text.is_ascii() && refers.is_match(text))
        && (demands.is_match(text) || !describes.is_match(text))
}
