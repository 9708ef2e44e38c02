//! Letters, capitals and commas.

use super::{
    found::Found,
    number::{self, Amount},
    statement::Statement,
    text::{Text, range},
};
use crate::ConstraintKind as Kind;
use crate::Relation;
use patterns::{Pattern, pattern};

const LETTER: Pattern = pattern!(
    r#"(?i)\b{constraint_letters.letter}\s+["'“‘]?(?P<v>[\p{L}#&@!?])["'”’]?(?:\W[^.!?\n]{0,60}?|\W)\b(?:(?P<lead>{constraint_number.lead})\s*)?(?:(?P<n>{constraint_number.number})\s+(?P<trail>{constraint_number.or} {constraint_number.more_or_less} )?{constraint_letters.times}|(?P<once>{constraint_number.once}))"#
);
const HASHTAGS: Pattern = pattern!(
    r"(?i)(?:(?P<lead>{constraint_number.lead})\s*)?\b(?P<n>{constraint_number.number})(?:\s*(?:-|{constraint_letters.hashtag_until})\s*(?P<m>{constraint_number.number}))?\s+(?:[a-z]+\s+){0,2}{constraint_letters.hashtags}"
);
const CAPITAL_WORDS: [Pattern; 3] = [
    pattern!(
        r"(?i)(?:(?P<lead>{constraint_number.lead})\s*)?(?:\b(?P<n>{constraint_number.number}|{constraint_letters.some})\s+)?(?:[a-z]+\s+){0,1}?\b{constraint_letters.words_or_phrases}\s+{constraint_letters.capitals}(?P<tail>[^.!?\n]{0,80})"
    ),
    pattern!(
        r"(?i)(?:(?P<lead>{constraint_number.lead})\s*)?(?:\b(?P<n>{constraint_number.number}|{constraint_letters.some})\s+)?(?:{constraint_letters.fully} )?{constraint_letters.capitalised}\s+{constraint_letters.word}\b(?P<tail>[^.!?\n]{0,60})"
    ),
    pattern!(
        r"(?i)\b{constraint_letters.word_or_phrase}\s+{constraint_letters.which}\s+{constraint_letters.are}\s+(?:{constraint_letters.fully} )?{constraint_letters.capitalised_alone}(?P<lead>\b)?(?P<n>\b)?(?P<tail>[^.!?\n]{0,60})"
    ),
];
const TIMES: Pattern =
    pattern!(r"(?i)(?:(?P<lead>{constraint_number.lead})\s*)(?P<n>{constraint_number.number})\b");

pub fn find(text: &Text<'_>, found: &mut Found) {
    commas(text, found);
    frequencies(text, found);
    capital_words(text, found);
    lowercase(text, found);
    uppercase(text, found);
}

fn commas(text: &Text<'_>, found: &mut Found) {
    let rule = pattern!(
        r"(?i)\b{constraint_letters.without}\b(?:\s+{constraint_letters.using_any}){0,6}\s+{constraint_letters.commas}\b|\b{constraint_letters.commas_forbidden}|\b{constraint_letters.no_commas}\b|(?:\b{constraint_letters.do_not_use}|{constraint_letters.avoid_anywhere}) {constraint_letters.commas_behind}\b|{constraint_letters.no_commas_anywhere}"
    );
    for captures in text.matches(rule) {
        found.push(Statement::of(Kind::NoCommas, range(&captures)));
    }
}

fn frequencies(text: &Text<'_>, found: &mut Found) {
    for rule in [LETTER, HASHTAGS] {
        for captures in text.matches(rule) {
            let Some(amount) = number::amount(&captures) else { continue };
            let letter = captures.name("v").map_or("#".to_owned(), |v| v.as_str().to_lowercase());
            let constraint = Statement::of(Kind::LetterFrequency, range(&captures));
            found.push(constraint.counted(amount).valued(letter));
        }
    }
    signs(text, found);
    let none = pattern!(
        r#"(?i)\b{constraint_letters.without_letter}\b[^.!?\n]{0,40}?\b{constraint_letters.letter_avoided}\s+["'“‘]?(?P<v>\p{L})["'”’]?(?:\W|$)"#
    );
    for captures in text.matches(none) {
        let amount = Amount::of(Relation::AtMost, 0);
        let letter = captures["v"].to_lowercase();
        let constraint = Statement::of(Kind::LetterFrequency, range(&captures));
        found.push(constraint.counted(amount).valued(letter));
    }
}

/// Signs that have a name: "use the exclamation mark at least twice", "at most 3 question marks".
fn signs(text: &Text<'_>, found: &mut Found) {
    const RULES: [Pattern; 2] = [
        pattern!(
            r"(?i)\b(?P<v>{constraint_letters.sign})s?\b[^.!?\n]{0,40}?\b(?:(?P<lead>{constraint_number.lead})\s*)?(?P<n>{constraint_number.number})(?P<trail> {constraint_number.or} {constraint_number.more_or_less})? {constraint_letters.many_times}\b"
        ),
        pattern!(
            r"(?i)\b(?P<lead>{constraint_number.lead})\s*(?P<n>{constraint_number.number})(?P<trail> {constraint_number.or} {constraint_number.more_or_less})? (?P<v>{constraint_letters.sign})s?\b"
        ),
    ];
    for rule in RULES {
        for captures in text.matches(rule) {
            let Some(amount) = number::amount(&captures) else { continue };
            let sign = match captures["v"].to_lowercase().as_str() {
                "question mark" => "?",
                "semicolon" => ";",
                "hyphen" => "-",
                "dash" => "–",
                "colon" => ":",
                "emoji" => "emoji",
                _ => "!",
            };
            let constraint = Statement::of(Kind::LetterFrequency, range(&captures));
            found.push(constraint.counted(amount).valued(sign));
        }
    }
}

fn capital_words(text: &Text<'_>, found: &mut Found) {
    for rule in CAPITAL_WORDS {
        for captures in text.matches(rule) {
            let range = range(&captures);
            // "All words in capital letters" bounds the case, not a number of words.
            let all =
                pattern!(r"(?i)\b{constraint_letters.every}(?: {constraint_letters.of_the})?\s*$")
                    .is_match(text.before(range.start));
            let tail = captures.name("tail").map_or("", |found| found.as_str());
            let is_no =
                pattern!(r"(?i)\b{constraint_letters.none}\s*$").is_match(text.before(range.start));
            if found.overlaps(Kind::CapitalWordFrequency, &range)
                || all && captures.name("n").is_none() && TIMES.find(tail).is_none()
            {
                continue;
            }
            let times = TIMES.captures(tail);
            let amount = if is_no {
                Amount::of(Relation::AtMost, 0)
            } else {
                number::amount(&captures)
                    .or_else(|| number::amount(&times?))
                    .unwrap_or(Amount::of(Relation::AtLeast, 1))
            };
            found.push(Statement::of(Kind::CapitalWordFrequency, range).counted(amount));
        }
    }
}

fn lowercase(text: &Text<'_>, found: &mut Found) {
    let rule = pattern!(
        r"(?i)\b(?:{constraint_letters.in_case}\s+)?(?:{constraint_letters.all}\s+)?(?:{constraint_letters.the}\s+)?{constraint_letters.lowercase}\b(?: {constraint_letters.lowercase_letters})?|\b{constraint_letters.no_capitals}\b(?:\s+{constraint_letters.using}){0,4}\s+{constraint_letters.capitals_used}\b|\b{constraint_letters.capitals_forbidden}|\b{constraint_letters.letters_are_lower}|\b{constraint_letters.in_lowercase}\b"
    );
    for captures in text.matches(rule) {
        let range = range(&captures);
        let before = text.before(range.start);
        let negated = pattern!(r"(?i)\b{constraint_letters.not_lowercase}\s*$|\b{constraint_letters.no_letter}\b[^.]{0,60}$|\b{constraint_letters.programs}\b[^,]{0,60}$").is_match(before)
            || pattern!(r"(?i)^\s*{constraint_letters.lowercase_of}").is_match(text.after(range.end));
        let own_no = pattern!(r"(?i)^{constraint_letters.none}\b.*{constraint_letters.lower}")
            .is_match(text.at(range.clone()));
        let count = pattern!(r"(?i)^[^,]{0,20}{constraint_letters.compared} ")
            .is_match(text.after(range.end));
        if !negated && !own_no && !count {
            found.push(Statement::of(Kind::Lowercase, range));
        }
    }
}

fn uppercase(text: &Text<'_>, found: &mut Found) {
    let rule = pattern!(
        r"(?i)\b{constraint_letters.in_capitals}\s+(?:{constraint_letters.wholly}\s+)*(?:{constraint_letters.in}\s+)?{constraint_letters.capital_letters}|\b{constraint_letters.capitalise_all}|\b{constraint_letters.all_letters} (?:[^.!?\n]{0,40})\b{constraint_letters.must_be}\b[^.!?\n]{0,12}{constraint_letters.upper}|\b{constraint_letters.in_uppercase}\b"
    );
    for captures in text.matches(rule) {
        let range = range(&captures);
        let before = text.before(range.start);
        let negated = pattern!(r"(?i)\b{constraint_letters.not_uppercase}\b(?:\s+\w+){0,2}\s*$")
            .is_match(before)
            && !pattern!(r"(?i)^{constraint_letters.no_lower}").is_match(text.at(range.clone()));
        let of_words = pattern!(r"(?i)\b{constraint_letters.capitals_of}\s*$").is_match(before)
            && !pattern!(r"(?i)\b{constraint_letters.all_words}\s*$").is_match(before);
        let programs = pattern!(
            r"(?i)^\s*(?:{constraint_letters.uppercase_of}|\w* ?{constraint_letters.word} )"
        )
        .is_match(text.after(range.end));
        // 'The label "PURE" in capital letters' is about the label.
        let of_words = of_words || before.trim_end().ends_with(['"', '”', '\'', '’']);
        if !found.overlaps(Kind::CapitalWordFrequency, &range) && !negated && !of_words && !programs
        {
            found.push(Statement::of(Kind::Uppercase, range));
        }
    }
}
