//! Language, audience and tone.

use super::{
    found::Found,
    statement::Statement,
    text::{Text, range},
};
use crate::ConstraintKind as Kind;
use patterns::{Pattern, pattern, table};

const LANGUAGE: Pattern = pattern!(
    r"(?i)\b(?:{constraint_manner.in_language}\s+)(?:{constraint_manner.language_adjective}\s+)*(?P<v>{constraint_manner.languages})\b(?:\s+{constraint_manner.language})?(?P<after>(?:[\s-]+[\p{L}]+)?)|\b(?P<w>{constraint_manner.languages})\s+{constraint_manner.language_only}\b|\b{constraint_manner.language}\s*[:=]\s*(?P<x>{constraint_manner.languages})\b"
);

/// Wordings of other languages and the languages that they name.
const ELSEWHERE: &[(&str, Pattern)] = table!("constraint_languages", "(?i){}");

const AUDIENCE: [Pattern; 5] = [
    pattern!(
        r"(?i)\b{constraint_manner.for_people}\s+(?:{constraint_manner.people_adjective} )?(?P<v>(?:[\p{L}-]+\s+){0,2}?{constraint_manner.people})\b"
    ),
    pattern!(
        r"(?i)\b{constraint_manner.audience}\s*(?:{constraint_manner.audience_is}|:|=)\s*(?P<v>[^.;!?\n]{2,80})"
    ),
    pattern!(
        r"(?i)\b{constraint_manner.as_if_reader} (?:{constraint_manner.person_article} )?(?P<v>{constraint_manner.as_if_who}|[1-9]\d?)\b"
    ),
    pattern!(
        r"(?i)\b(?:{constraint_manner.the_readers} )?{constraint_manner.readers}\s+{constraint_manner.readers_are}\s+(?:{constraint_manner.readers_mostly} )?(?P<v>[^.,;:!?\n]{3,80})"
    ),
    pattern!(
        r"(?i)\b{constraint_manner.for_readers}\s+(?:{constraint_manner.readers_article} )?(?P<v>{constraint_manner.known_readers})\b"
    ),
];

const TONES: [Pattern; 5] = [
    pattern!(
        r"(?i)\b(?P<v>{constraint_manner.tones}(?:(?:,? {constraint_manner.tone_and} |, |-| {constraint_manner.tone_yet} ){constraint_manner.tones}){0,3})\s+{constraint_manner.tone_noun}\b"
    ),
    pattern!(
        r"(?i)\b{constraint_manner.sound}\s+(?:{constraint_manner.sounding_text} )?(?:{constraint_manner.sound_more} )*(?P<v>{constraint_manner.tones}(?:(?:,? {constraint_manner.tone_and} |, ){constraint_manner.tones}){0,3})(?:\W|$)"
    ),
    pattern!(
        r"(?i)\b{constraint_manner.text_article}\s+(?:{constraint_manner.short_text} )?(?P<v>{constraint_manner.text_tone}(?:(?:,? {constraint_manner.text_tone_and} |, ){constraint_manner.text_tone_too})?)\s+(?:\w+\s)?{constraint_manner.texts}s?\b"
    ),
    pattern!(
        r"(?i)\b{constraint_manner.text_before_tone}\s+(?P<v>{constraint_manner.tone_behind_text})\b"
    ),
    pattern!(
        r"(?i)\b(?:{constraint_manner.named_tone_with} )?(?:{constraint_manner.named_tone_article} )?{constraint_manner.named_tone_noun} (?P<v>{constraint_manner.named_tone}\b|{constraint_manner.named_tone_begun})"
    ),
];

pub fn find(text: &Text<'_>, found: &mut Found) {
    languages(text, found);
    audiences(text, found);
    tones(text, found);
}

fn languages(text: &Text<'_>, found: &mut Found) {
    for captures in text.matches(LANGUAGE) {
        let range = range(&captures);
        let Some(language) = ["v", "w", "x"].iter().find_map(|name| captures.name(name)) else {
            continue;
        };
        let after = captures.name("after").map_or("", |after| after.as_str());
        // "In German class", "the French technique", "a guide to Thai food": another matter.
        let matter = !after.trim().is_empty()
            && !after.contains('\n')
            && !pattern!(r"(?i)^\s*{constraint_manner.behind_language}$").is_match(after);
        let statement = text.at(range.clone()).to_lowercase();
        let guide = pattern!(r"^{constraint_manner.to_language} ").is_match(&statement)
            && !pattern!(r"(?i)\b{constraint_manner.translate}\b[^.]{0,80}$")
                .is_match(text.before(range.start));
        let tested = pattern!(
            r"(?i)\b{constraint_manner.test}\b[^.]{0,60}\b{constraint_manner.is_in_language}\s*$"
        )
        .is_match(text.before(range.start));
        let negated = text.is_negated(range.start)
            && !pattern!(r"(?i)^{constraint_manner.except}").is_match(&statement);
        if !(matter || tested || guide || negated) {
            let name = language.as_str().to_lowercase();
            let first = name.chars().take(1).flat_map(char::to_uppercase);
            let name: String = first.chain(name.chars().skip(1)).collect();
            found.push(Statement::of(Kind::Language, range).valued(name));
        }
    }
    for (language, rule) in ELSEWHERE {
        for captures in text.matches(*rule) {
            found.push(Statement::of(Kind::Language, range(&captures)).valued(*language));
        }
    }
}

fn audiences(text: &Text<'_>, found: &mut Found) {
    for rule in AUDIENCE {
        for captures in text.matches(rule) {
            let range = range(&captures);
            let Some(value) = captures.name("v") else { continue };
            let before = text.before(range.start);
            // Whom a letter goes to, or whom a post is for, is a matter of content.
            let addressed = pattern!(r"(?i)\b{constraint_manner.addressed}\s*$").is_match(before)
                && pattern!(r"(?i)^{constraint_manner.to_people}\b")
                    .is_match(text.at(range.clone()));
            let post = pattern!(
                r"(?i)(?:\b{constraint_manner.job}\b|{constraint_manner.job_anywhere})[^,]{0,30}$"
            )
            .is_match(before);
            let is_other = addressed || post || text.is_negated(range.start);
            if !is_other && !found.overlaps(Kind::Audience, &range) {
                found.push(Statement::of(Kind::Audience, range).valued(value.as_str().trim()));
            }
        }
    }
}

fn tones(text: &Text<'_>, found: &mut Found) {
    for rule in TONES {
        for captures in text.matches(rule) {
            let range = range(&captures);
            if !found.overlaps(Kind::Tone, &range) && !text.is_negated(range.start) {
                let tone = captures["v"].trim().to_lowercase();
                found.push(Statement::of(Kind::Tone, range).valued(tone));
            }
        }
    }
}
