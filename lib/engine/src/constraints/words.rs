//! Which words occur.

use super::{
    found::Found,
    statement::Statement,
    text::{Text, range},
};
use crate::ConstraintKind as Kind;
use patterns::{Pattern, pattern};

const EXCLUSIONS: [Pattern; 7] = [
    // No "rockstar"; no emoji.
    pattern!(
        r"(?i)(?:\b{constraint_words.no}\s+|{constraint_words.no_anywhere}\s*)(?P<v>{constraint_words.quoted})"
    ),
    pattern!(
        r"(?i)\b{constraint_words.no}\s+(?P<x>{constraint_words.classes})\b|(?P<w>{constraint_words.classes_anywhere})\s*{constraint_words.not_used}"
    ),
    // Do not use the words X or Y; avoid the keywords: X, Y.
    pattern!(
        r"(?i)\b{constraint_words.negation}\b[^.!?\n:;,]{0,40}?\b{constraint_words.words_avoided}\b(?:\s*:|\s+{constraint_words.such_as})?\s*[\[(]?(?P<v>{constraint_words.word})"
    ),
    // Do not mention "X"; don't include 'can' and 'ride'.
    pattern!(
        r"(?i)\b{constraint_words.negation}\s+(?:{constraint_words.ever} )?(?:{constraint_words.to} )?(?:{constraint_words.be} )?{constraint_words.including}\s+(?:{constraint_words.any} )?(?:[a-z]+ )?(?P<v>{constraint_words.quoted})"
    ),
    // The word X should not appear; words X and Y are not allowed.
    pattern!(
        r"(?i)\b{constraint_words.word_before_value}\s+(?P<v>{constraint_words.word})(?:[^.!?\n:;]{0,60}?)\b{constraint_words.must_not}\s+(?:{constraint_words.be}\s+)?{constraint_words.appear}"
    ),
    // Ohne das Wort X, sans le mot X, sin la palabra X, senza la parola X, sem a palavra X.
    pattern!(
        r"(?i)(?:\b{constraint_words.without}|{constraint_words.without_anywhere}|(?:^|\s){constraint_words.not_word})\s+[^.!?\n:;]{0,30}?(?:\b{constraint_words.word_avoided}|{constraint_words.word_avoided_anywhere})\s*:?\s+(?P<v>{constraint_words.word})"
    ),
    // Don't mention the price, avoid jargon: everyday exclusions.
    pattern!(
        r"(?i)\b{constraint_words.do_not}\s+(?:{constraint_words.explicitly}\s+)?(?:{constraint_words.use_or_mention}\s+)?(?:{constraint_words.any_of}\s+)?(?P<x>{constraint_words.avoided}|{constraint_words.classes})\b"
    ),
];

const INCLUSIONS: [Pattern; 3] = [
    // Include the keywords X and Y.
    pattern!(
        r"(?i)\b{constraint_words.include}\b[^.!?\n:;]{0,30}?\b{constraint_words.words_included}\b(?:\s*:|\s+{constraint_words.of}\b|\s+{constraint_words.such_as})?\s*[\[(]?(?P<v>{constraint_words.word})"
    ),
    // Mention "X"; make sure to include 'X'.
    pattern!(
        r"(?i)\b{constraint_words.mention}\s+(?:{constraint_words.article}\s+)?(?:{constraint_words.quoted_kind}\s+)*(?P<v>{constraint_words.quoted})"
    ),
    // The words X and Y must appear.
    pattern!(
        r"(?i)\b{constraint_words.words_required}\s+(?P<v>{constraint_words.word})[^.!?\n:;]{0,80}?\b{constraint_words.must}\s+(?:{constraint_words.all_or_both} )?{constraint_words.appear_or_be_used}\b"
    ),
];

pub fn find(text: &Text<'_>, found: &mut Found) {
    exclusions(text, found);
    inclusions(text, found);
}

fn exclusions(text: &Text<'_>, found: &mut Found) {
    for rule in EXCLUSIONS {
        for captures in text.matches(rule) {
            let range = range(&captures);
            let statement = text.at(range.clone()).to_lowercase();
            // "No less than", "do not change a word of it", "not only".
            if pattern!(r"{constraint_words.no_exclusion}").is_match(&statement) {
                continue;
            }
            let class = captures.name("w").or(captures.name("x"));
            // "No headings above level 3" forbids some.
            let whole = pattern!(
                r"(?i)^\s*(?:$|[,:)]|(?:{constraint_words.and_or}|{constraint_words.or_else}|{constraint_words.no})\b)"
            );
            if captures.name("x").is_some() && !whole.is_match(text.after(range.end)) {
                continue;
            }
            let Some(first) = captures.name("v").or(class) else { continue };
            if pattern!(r"(?i)^{constraint_words.no_excluded_word}$").is_match(first.as_str()) {
                continue;
            }
            let values = class.is_none().then(|| enumeration(text.read(), first.start()));
            let values = values.unwrap_or_else(|| vec![first.as_str().to_owned()]);
            push_words(found, Kind::ExcludeWords, range, values);
        }
    }
}

fn inclusions(text: &Text<'_>, found: &mut Found) {
    for rule in INCLUSIONS {
        for captures in text.matches(rule) {
            let range = range(&captures);
            let Some(first) = captures.name("v") else { continue };
            let before = text.before(range.start);
            let is_other = pattern!(
                r"(?i){constraint_words.no_inclusion}|{constraint_words.word_joined} |\b{constraint_words.edge}"
            )
            .is_match(text.at(range.clone()))
                || pattern!(r"(?i)\b(?:{constraint_words.one_of}\s*|{constraint_words.edge_before}\w*\b[^.]{0,40})$")
                    .is_match(before)
                || pattern!(r"(?i)^{constraint_words.no_included_word}$").is_match(first.as_str());
            // "Use it at most twice" demands no word.
            let is_frequency = pattern!(
                r"(?i)\b(?:{constraint_number.number}\s+(?:{constraint_number.or} {constraint_number.more_or_less} )?{constraint_words.times}|{constraint_number.once})"
            )
            .is_match(text.after(range.start));
            let is_taken = found.overlaps(Kind::ExcludeWords, &range);
            if !(is_taken || is_frequency || is_other || text.is_negated(range.start)) {
                let values = enumeration(text.read(), first.start());
                push_words(found, Kind::IncludeWords, range, values);
            }
        }
    }
}

fn push_words(found: &mut Found, kind: Kind, range: std::ops::Range<usize>, values: Vec<String>) {
    if values.is_empty() || found.overlaps(kind, &range) {
        return;
    }
    found.push(Statement { values, ..Statement::of(kind, range) });
}

/// The words of a list that begins at `start`: "X", "Y" and "Z".
fn enumeration(text: &str, start: usize) -> Vec<String> {
    const ITEM: Pattern = pattern!(r"^{constraint_words.word}");
    let joint = pattern!(
        r"(?i)^\s*(?:,\s*(?:{constraint_words.and_or}|{constraint_words.or_short})?\s*|;\s*|/\s*|\s(?:{constraint_words.and_or}|{constraint_words.or_else}|{constraint_words.or_short})\s+)"
    );
    let is_quoted = |text: &str| text.starts_with(['"', '“', '\'', '‘', '`']);
    let mut values = Vec::new();
    let mut rest = &text[start..];
    while let Some(item) = ITEM.find(rest) {
        // A list of quoted words ends where something else begins.
        if values.len() > 39 || is_quoted(&text[start..]) && !is_quoted(rest) {
            break;
        }
        values.push(bare(item.as_str()));
        rest = &rest[item.end()..];
        let Some(found) = joint.find(rest) else { break };
        rest = &rest[found.end()..];
    }
    values
}

/// A word without its quotation marks and what punctuates the sentence around it.
pub fn bare(word: &str) -> String {
    unquoted(word).trim_end_matches([',', '.']).to_owned()
}

/// A phrase without its quotation marks; its own punctuation is part of it.
pub fn unquoted(phrase: &str) -> String {
    phrase.trim_matches(['"', '“', '”', '„', '«', '»', '\'', '‘', '’', '`', ' ']).to_owned()
}
