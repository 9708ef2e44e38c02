//! Reading a wish about a picture or clip.

use super::exchange::{Exchange, Kind};
use super::op::{Op, Refusal};
use super::picture::{Picture, SECONDS};
use super::replace::stands;
use crate::visual::ratio as formats;
use patterns::pattern;

/// What a wish asks for, where `words` is what it asks for of a text.
///
/// # Errors
///
/// The reason why nothing can be done.
pub fn read(
    text: &str,
    prompt: &str,
    picture: &Picture,
    words: impl FnOnce() -> Result<Op, Refusal>,
) -> Result<Op, Refusal> {
    let describe = |what: &str, doubtful| Ok(Op::Describe { what: what.to_owned(), doubtful });
    if let Some(ratio) = ratio(text, picture.moving) {
        return Ok(Op::Ratio(ratio));
    }
    let lasts = picture.moving.then(|| seconds(prompt)).flatten();
    if let (Some(_), Some(found)) = (lasts, SECONDS.captures(text)) {
        return found["n"].parse().map(Op::Seconds).map_err(|_| Refusal::Unclear);
    }
    if picture.takes_flags
        && let Some(flag) = flag(text)
    {
        return Ok(flag);
    }
    let unwanted = pattern!(
        r"(?i)^(?:{refine_picture.no}|{refine_picture.do_not_show})\s+(?:{refine_picture.any} )?(?P<v>.{2,100})$"
    );
    let unwanted = unwanted.captures(text).and_then(|found| found.name("v"));
    let read = words();
    if let (Some(what), Err(Refusal::Unclear) | Ok(Op::Require(_))) = (unwanted, &read) {
        return Ok(Op::Exclude(what.as_str().to_owned()));
    }
    match read {
        // A picture can only be told what it shows.
        Ok(Op::Replace(Exchange { ref old, ref new, quoted: false, kind }))
            if kind != Kind::Order && !stands(prompt, old) =>
        {
            describe(new, true)
        }
        Ok(Op::Value { noun: old, value: new }) if stands(prompt, &old) => {
            Ok(Op::Replace(Exchange { old, new, quoted: false, kind: Kind::Order }))
        }
        Ok(Op::Include(what)) => describe(&what, false),
        Ok(Op::Manner("longer")) if pattern!(r"(?i){refine_picture.detail}").is_match(text) => {
            describe(text, false)
        }
        Ok(Op::Scale(percent)) if lasts.is_some() => {
            let seconds = (lasts.unwrap_or_default() * u64::from(percent) + 50) / 100;
            Ok(Op::Seconds(seconds.max(1)))
        }
        Ok(Op::Manner("specific")) => Err(Refusal::Unclear),
        Ok(
            Op::Manner(_)
            | Op::Scale(_)
            | Op::Length(_)
            | Op::Language { .. }
            | Op::Format(_)
            | Op::Role(_)
            | Op::LayOut(None),
        ) => Err(Refusal::Written),
        Err(Refusal::Unclear) if is_phrase(text) => describe(text, false),
        Ok(Op::Require(_) | Op::Audience(_) | Op::Value { .. }) => {
            let lead = pattern!(r"(?i)^{refine_picture.make_it_look} ");
            let make = pattern!(r"(?i)^(?P<v>{refine_picture.make} ){refine_picture.determiner} ");
            let made = make.captures(text).and_then(|found| found.name("v"));
            match (lead.find(text), made) {
                (Some(lead), _) => describe(&text[lead.end()..], false),
                (None, Some(make)) => describe(&text[make.end()..], true),
                (None, None) => describe(text, false),
            }
        }
        other => other,
    }
}

/// The only number of seconds that a prompt states.
fn seconds(prompt: &str) -> Option<u64> {
    let mut found = SECONDS.captures_iter(prompt);
    let first = found.next()?["n"].parse().ok();
    first.filter(|_| found.next().is_none())
}

/// The ratio that a remark asks for, in figures or words, if it says nothing else.
pub fn ratio(remark: &str, moving: bool) -> Option<String> {
    let figures = pattern!(
        r"(?i)^(?:{refine_picture.before_ratio}\s+)*(?P<r>\d{1,2}:\d{1,2})(?:\s+{refine_picture.behind_ratio})*$"
    );
    if let Some(found) = figures.captures(remark) {
        return Some(found["r"].to_owned());
    }
    let (rest, ratio) = formats::in_remark(remark, moving)
        .or_else(|| formats::in_remark(&format!("{remark} format"), moving))?;
    pattern!(r"(?i)^(?:{refine_picture.only_format}\s*)*$").is_match(&rest).then_some(ratio)
}

/// A parameter that is named: "stylize 500", "remove --tile".
fn flag(remark: &str) -> Option<Op> {
    let found = pattern!(
        r"(?ix)^(?:(?P<out>{refine_picture.remove})\ |{refine_picture.set}\ )?(?:{refine_picture.the}\ )?
          (?:--(?P<flag>[a-z]{1,12})|(?P<name>stylize|chaos|weird|seed|quality|version|stop|(?P<tile>tile)))(?:\ {refine_picture.parameter})?
          (?:(?:\ {refine_picture.set_to})?[\ =:]+(?P<v>[\w.:-]{1,40}))?$"
    )
    .captures(remark)?;
    let [is_flag, out, tile] = ["flag", "out", "tile"].map(|name| found.name(name).is_some());
    let value = found.name("v").map(|value| value.as_str().to_owned());
    let name = found.name("flag").or(found.name("name"))?.as_str().to_lowercase();
    let says_what = is_flag || out || tile || value.is_some();
    says_what.then_some(Op::Flag { name, value, out })
}

/// Whether a remark is a description: "more dramatic", "golden hour".
fn is_phrase(remark: &str) -> bool {
    remark.split_whitespace().count() <= 6
        && !pattern!(r"(?i)^{refine_picture.begins_sentence}(?:\s|['’]|$)|\?$").is_match(remark)
}
