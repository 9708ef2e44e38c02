//! How long the answer is, and how many parts it has.

use crate::ConstraintKind as Kind;
use crate::Relation;
use patterns::{Captures, Pattern, pattern};

use super::{
    found::Found,
    number,
    statement::Statement,
    text::{Text, range},
};

/// What is counted, the more specific units first.
const RULES: [(Pattern, Kind); 9] = [
    (
        pattern!(
            r"(?i){constraint_count.amount}(?P<unit>{constraint_count.bullets}\b){constraint_count.behind}"
        ),
        Kind::ItemCount,
    ),
    (
        pattern!(
            r"(?i){constraint_count.amount}(?P<unit>{constraint_count.placeholder}\b){constraint_count.behind}"
        ),
        Kind::PlaceholderCount,
    ),
    (
        pattern!(
            r"(?i){constraint_count.amount}(?P<unit>{constraint_count.words}\b|{constraint_count.words_begun}){constraint_count.behind}"
        ),
        Kind::WordCount,
    ),
    (
        pattern!(
            r"(?i){constraint_count.amount}(?P<unit>{constraint_count.sentences}\b|{constraint_count.sentences_begun}){constraint_count.behind}"
        ),
        Kind::SentenceCount,
    ),
    (
        pattern!(
            r"(?i){constraint_count.amount}(?P<unit>{constraint_count.paragraphs}\b|{constraint_count.paragraphs_begun}){constraint_count.behind}"
        ),
        Kind::ParagraphCount,
    ),
    (
        pattern!(
            r"(?i){constraint_count.amount}(?P<unit>{constraint_count.characters}\b|{constraint_count.characters_begun}){constraint_count.behind}"
        ),
        Kind::CharacterCount,
    ),
    (
        pattern!(
            r"(?i){constraint_count.amount}(?P<unit>{constraint_count.sections}\b){constraint_count.behind}"
        ),
        Kind::SectionCount,
    ),
    (
        pattern!(
            r"(?i){constraint_count.amount}(?P<unit>(?:(?:{constraint_count.different} )?{constraint_count.answers})\b){constraint_count.behind}"
        ),
        Kind::ResponseCount,
    ),
    (
        pattern!(
            r"(?i){constraint_count.amount}(?P<unit>{constraint_count.things}\b){constraint_count.behind}"
        ),
        Kind::ItemCount,
    ),
];

/// "The number of words is below 300", "limit the length to 300 words".
const NUMBER_OF: Pattern = pattern!(
    r"(?i)\b{constraint_count.number_of} (?P<unit>{constraint_count.number_of_what})\b[^.!?\n]{0,60}?(?:(?P<lead>{constraint_number.lead})\s*(?:{constraint_count.of}\s+)?|\b(?:{constraint_count.is}|:)\s+)(?P<n>{constraint_number.number})(?:\s*(?:-|–|{constraint_count.number_until})\s*(?P<m>{constraint_number.number}))?(?P<trail>\s+{constraint_number.or}\s+{constraint_number.more_or_less})?"
);

/// Chinese, Japanese and Korean wordings: a rule, what it counts and how the number is meant.
const CJK: [(Pattern, Kind, Relation); 10] = [
    (
        pattern!(
            r"{constraint_count.request_before}\s*(?P<n>{constraint_count.figure})\s*{constraint_count.counter_of_requested}"
        ),
        Kind::ItemCount,
        Relation::Exactly,
    ),
    (
        pattern!(
            r"(?P<n>{constraint_count.figure})\s*{constraint_count.counter_before_request}(?:{constraint_count.of_what}[^。\n]{1,20})?{constraint_count.object_particle}?{constraint_count.request_behind}"
        ),
        Kind::ItemCount,
        Relation::Exactly,
    ),
    (
        pattern!(
            r"(?P<n>{constraint_count.figure})\s*{constraint_count.counter_before_wish}{constraint_count.wish_particle}?\s*(?:[가-힣]{1,10}\s*)?{constraint_count.wish_behind}"
        ),
        Kind::ItemCount,
        Relation::Exactly,
    ),
    (
        pattern!(
            r"{constraint_count.with_sentences}\s*(?P<m>{constraint_count.figure})\s*{constraint_count.counter}?{constraint_count.sentences_counted}|(?P<n>{constraint_count.figure})\s*{constraint_count.in_sentences}"
        ),
        Kind::SentenceCount,
        Relation::Exactly,
    ),
    (
        pattern!(r"(?P<n>{constraint_count.figure})\s*{constraint_count.in_paragraphs}"),
        Kind::ParagraphCount,
        Relation::Exactly,
    ),
    (
        pattern!(
            r"{constraint_count.at_most_before}\s*(?P<n>{constraint_count.figure}){constraint_count.letters}"
        ),
        Kind::CharacterCount,
        Relation::AtMost,
    ),
    (
        pattern!(
            r"{constraint_count.at_least_before}\s*(?P<n>{constraint_count.figure}){constraint_count.letters}"
        ),
        Kind::CharacterCount,
        Relation::AtLeast,
    ),
    (
        pattern!(
            r"(?P<n>{constraint_count.figure}){constraint_count.letters}{constraint_count.at_most_behind}"
        ),
        Kind::CharacterCount,
        Relation::AtMost,
    ),
    (
        pattern!(
            r"(?P<n>{constraint_count.figure}){constraint_count.letters}{constraint_count.at_least_behind}"
        ),
        Kind::CharacterCount,
        Relation::AtLeast,
    ),
    (
        pattern!(
            r"(?P<n>{constraint_count.figure}){constraint_count.letters}{constraint_count.about_behind}"
        ),
        Kind::CharacterCount,
        Relation::About,
    ),
];

pub fn find(text: &Text<'_>, found: &mut Found) {
    let amounts = pattern!(r"(?i)(?:{constraint_number.lead}\s*)?{constraint_number.number}");
    let amounts: Vec<usize> = amounts.find_iter(text.read()).map(|amount| amount.start()).collect();
    for (rule, kind) in RULES {
        let mut from = 0;
        for start in &amounts {
            if *start < from {
                continue;
            }
            let Some(captures) = rule.captures_anchored(text.read(), *start) else { continue };
            from = range(&captures).end;
            if joins(group(&captures, "adj")) {
                // "One in two sentences": another thing is counted by this number, not by the next.
                from = captures.name("n").map_or(from, |number| number.end());
            } else if let Some(constraint) = counted(text, &captures, kind) {
                found.push(constraint);
            }
        }
    }
    things(text, found);
    for captures in text.matches(NUMBER_OF) {
        let kind = match captures["unit"].to_lowercase().as_str() {
            "words" => Kind::WordCount,
            "sentences" => Kind::SentenceCount,
            "paragraphs" => Kind::ParagraphCount,
            "characters" => Kind::CharacterCount,
            "sections" => Kind::SectionCount,
            _ => Kind::ItemCount,
        };
        let about_capitals = pattern!(r"(?i)^[^.!?\n]{0,30}\b{constraint_count.in_capitals}")
            .is_match(text.after(range(&captures).start + 10));
        if let Some(amount) = amount(&captures, "trail").filter(|_| !about_capitals) {
            found.push(Statement::of(kind, range(&captures)).counted(amount));
        }
    }
    for (rule, kind, relation) in CJK {
        for captures in text.matches(rule) {
            let number = captures.name("n").or(captures.name("m"));
            let Some(number) = number.and_then(|n| number::value(n.as_str())) else { continue };
            let amount = number::Amount { relation, number, upper: None };
            found.push(Statement::of(kind, range(&captures)).counted(amount));
        }
    }
    responses(text, found);
    repeatedly(text, found);
    later_placeholders(text, found);
    placeholders(text, found);
}

fn group<'t>(captures: &'t Captures<'_>, name: &str) -> &'t str {
    captures.name(name).map_or("", |found| found.as_str())
}

fn amount(captures: &Captures<'_>, trail: &str) -> Option<number::Amount> {
    let first = number::value(group(captures, "n"))?;
    let second = captures.name("m").and_then(|m| number::value(m.as_str()));
    let said = format!("{} {}", group(captures, trail), group(captures, "after"));
    Some(number::amount(group(captures, "lead"), first, second, &said))
}

fn counted(text: &Text<'_>, captures: &Captures<'_>, kind: Kind) -> Option<Statement> {
    let range = range(captures);
    let (before, after) = (text.before(range.start), text.after(range.end));
    let adjectives = group(captures, "adj").to_lowercase();
    let unit = group(captures, "unit").to_lowercase();
    let bare = captures.name("lead").is_none()
        && group(captures, "trail").is_empty()
        && group(captures, "after").is_empty();
    // "These two paragraphs", "the last 3 sentences", "my 500-word essay": material.
    let points = pattern!(r"(?i)\b{constraint_count.pointing}\s*$");
    if points.is_match(before)
        || bare && pattern!(r"(?i)\b{constraint_count.one_of_many}\s*$").is_match(before)
    {
        return None;
    }
    if pattern!(r"(?i)^\s*{constraint_count.no_length}").is_match(after) {
        return None;
    }
    let mut amount = amount(captures, "trail")?;
    if bare && amount.relation == Relation::Exactly && limits(before) {
        amount.relation = Relation::AtMost;
    }
    if let Some(turned) = turned(before, group(captures, "lead"), group(captures, "n")) {
        amount = turned;
    }
    if describes(before) || kind == Kind::CharacterCount && is_about_input(text, before) {
        return None;
    }
    match kind {
        Kind::WordCount => {
            let others = pattern!(
                r"(?i)^\s*(?:{constraint_count.or_phrases} )?(?:[\p{L} ]{0,40}\b{constraint_count.must} (?:{constraint_count.appear} )?(?:{constraint_count.written} )?)?{constraint_count.capitals_said}"
            );
            if others.is_match(after)
                || adjectives.contains("capital")
                || adjectives.contains("key")
            {
                return None;
            }
            // "Use one word for it", "two words: thank you".
            if bare && amount.number < 3 && unit != "word" {
                return None;
            }
            if bare
                && amount.number == 1
                && !pattern!(r"(?i)\b{constraint_count.just}\s*$").is_match(before)
            {
                return None;
            }
        }
        // English phrases are no sentences.
        Kind::SentenceCount
            if unit == "phrases"
                && !pattern!(r"(?i)^{constraint_count.few}$").is_match(group(captures, "n"))
                && !pattern!(r"(?i)\b{constraint_count.in_sentences_of}\s*$").is_match(before)
                && !pattern!(
                    r"(?i)\b{constraint_count.phrases_at} |{constraint_count.phrases_at_most}"
                )
                .is_match(group(captures, "after")) =>
        {
            return None;
        }
        Kind::SectionCount if unit == "parts" && bare && !states(before) => return None,
        Kind::SectionCount
            if pattern!(r"(?i){constraint_count.emphasis}").is_match(before)
                || pattern!(r"(?i){constraint_count.emphasis_of_text}").is_match(&adjectives)
                || pattern!(r"(?i)^[^,]{0,40}{constraint_count.emphasis}").is_match(after) =>
        {
            return None;
        }
        Kind::ParagraphCount | Kind::SentenceCount | Kind::SectionCount
            if bare && amount.number == 1 && !states(before) =>
        {
            return None;
        }
        Kind::ResponseCount if bare && !states(before) => return None,
        Kind::ItemCount
            if bare && unit != "bullet" && !unit.starts_with("bullet") && !states(before) =>
        {
            return None;
        }
        _ => {}
    }
    let constraint = Statement::of(kind, range).counted(amount);
    Some(if kind == Kind::ItemCount { constraint.valued(unit) } else { constraint })
}

/// Whether what stands between a number and a unit joins it to something else.
fn joins(adjectives: &str) -> bool {
    pattern!(r"(?i)\b{constraint_count.joint}\b").is_match(adjectives)
        && !pattern!(r"(?i)^\s*{constraint_count.joint_allowed}?\s*$").is_match(adjectives)
}

/// What a comparison means that is denied: "must not be longer than 5 sentences".
fn turned(before: &str, lead: &str, first: &str) -> Option<number::Amount> {
    let denied = pattern!(r"(?i)\b{constraint_count.denial}\b(?P<gap>[^,]{0,30})$");
    let gap = denied.captures(before)?;
    if pattern!(r"(?i)\b{constraint_count.new_clause}\b").is_match(&gap["gap"]) {
        return None;
    }
    let relation = if pattern!(
        r"(?i)^{constraint_count.more} {constraint_count.than}|^{constraint_count.above}$"
    )
    .is_match(lead)
    {
        Relation::AtMost
    } else if pattern!(
        r"(?i)^{constraint_count.fewer} {constraint_count.than}|^{constraint_count.below}$"
    )
    .is_match(lead)
    {
        Relation::AtLeast
    } else {
        return None;
    };
    Some(number::Amount { relation, number: number::value(first)?, upper: None })
}

/// Whether a number without more is a limit: "keep it to 50 words".
fn limits(before: &str) -> bool {
    pattern!(r"(?i)\b{constraint_count.limit}\w*\b[^,]{0,60}\b{constraint_count.limit_to}\s*$")
        .is_match(before)
}

/// Whether the words before a number describe something that exists: "our page has 2 sections".
fn describes(before: &str) -> bool {
    let told = pattern!(
        r"(?i)\b(?:{constraint_count.told}|{constraint_count.told_before_participle} \p{L}+{constraint_count.participle_ending}) (?:\p{L}+ ){0,3}$"
    );
    if told.is_match(before) {
        return true;
    }
    pattern!(r"(?i)\b{constraint_count.existing}\s+(?:[\w-]+\s+){0,2}{constraint_count.has}\s*$")
        .is_match(before)
}

/// Whether characters are those of what a program is given.
fn is_about_input(text: &Text<'_>, before: &str) -> bool {
    pattern!(r"(?i)\b{constraint_count.input}\b").is_match(before)
        || pattern!(r"(?i)\b{constraint_count.validation}\b").is_match(text.read())
}

/// Things of any name that are asked for: "list five benefits", "nenne drei Gründe".
fn things(text: &Text<'_>, found: &mut Found) {
    const THINGS: Pattern = pattern!(
        r"(?i)(?:\b{constraint_count.ask}|{constraint_count.ask_anywhere})\s+(?:(?P<lead>{constraint_number.lead})\s*)?(?P<n>{constraint_number.number})(?:\s*(?:-|–|{constraint_number.until})\s*(?P<m>{constraint_number.number}))?(?P<trail>\+| {constraint_number.or} {constraint_number.more_or_less})?\s+(?P<thing>[\p{L}’'-]{3,30})(?P<more>(?: [\p{L}’'-]{3,30}){0,3})"
    );
    // Other kinds count these, or they are measures.
    let others = pattern!(r"(?i)^{constraint_count.no_thing}$");
    for captures in text.matches(THINGS) {
        let thing = &captures["thing"];
        let mut names = std::iter::once(thing).chain(captures["more"].split_whitespace());
        let plural = pattern!(
            r"(?i){constraint_count.plural_mark}$|[^\x00-\x7F]|{constraint_count.plural_ending}$|^{constraint_count.plural}$"
        );
        let Some(amount) = amount(&captures, "trail").filter(|amount| amount.number > 1) else {
            continue;
        };
        // The thing is the first noun in the plural.
        let end = captures.name("thing").map_or(0, |thing| thing.end());
        let range = range(&captures).start..end;
        let other = std::iter::once(thing)
            .chain(captures["more"].split_whitespace())
            .take_while(|name| !pattern!(r"(?i)^{constraint_count.thing_over}$").is_match(name))
            .any(|name| others.is_match(name));
        let Some(name) = names.find(|name| plural.is_match(name)).filter(|_| !other) else {
            continue;
        };
        if !found.overlaps(Kind::ItemCount, &range) && !text.is_negated(range.start) {
            let constraint = Statement::of(Kind::ItemCount, range).counted(amount);
            found.push(constraint.valued(name.to_lowercase()));
        }
    }
}

/// Whether the words before a number ask for so many.
fn states(before: &str) -> bool {
    pattern!(r"(?i)(?:\b{constraint_count.so_many}|{constraint_count.so_many_anywhere})\s*(?:{constraint_count.for_whom} )?$").is_match(before)
}

/// Several answers at once: "give two different responses".
fn responses(text: &Text<'_>, found: &mut Found) {
    let rule = pattern!(
        r"(?i)\b{constraint_count.give}\b[^.!?\n]{0,60}?\b(?:{constraint_count.exactly} )?(?P<n>{constraint_count.two}|2|{constraint_count.three}|3)\s+(?:{constraint_count.completely} )?(?:{constraint_count.different} )?{constraint_count.works}\b"
    );
    for captures in text.matches(rule) {
        let Some(number) = number::value(&captures["n"]) else { continue };
        let amount = number::Amount { relation: Relation::Exactly, number, upper: None };
        found.push(Statement::of(Kind::ResponseCount, range(&captures)).counted(amount));
    }
}

/// "Answer twice".
fn repeatedly(text: &Text<'_>, found: &mut Found) {
    let rule = pattern!(
        r"(?i)\b{constraint_count.answer}(?: {constraint_count.answer_to})?(?: {constraint_count.answer_what})? (?P<n>{constraint_count.times})\b"
    );
    for captures in text.matches(rule) {
        let number = if captures["n"].eq_ignore_ascii_case("twice") { 2 } else { 3 };
        let amount = number::Amount { relation: Relation::Exactly, number, upper: None };
        found.push(Statement::of(Kind::ResponseCount, range(&captures)).counted(amount));
    }
}

/// Placeholders that are counted in a later clause: "and use at least five of them".
fn later_placeholders(text: &Text<'_>, found: &mut Found) {
    const RULE: Pattern = pattern!(
        r"(?i)\b{constraint_count.placeholder}\b[^.!?\n]{0,60}?\b(?:(?P<lead>{constraint_number.lead})\s*)?(?P<n>{constraint_number.number})(?P<trail> {constraint_number.or} {constraint_number.more_or_less})? {constraint_count.of_them}\b"
    );
    for captures in text.matches(RULE) {
        if let Some(amount) = amount(&captures, "trail") {
            let constraint = Statement::of(Kind::PlaceholderCount, range(&captures));
            found.push(constraint.counted(amount));
        }
    }
}

/// Placeholders without a count: "use placeholders in square brackets".
fn placeholders(text: &Text<'_>, found: &mut Found) {
    let rule = pattern!(
        r"(?i)\b{constraint_count.have_placeholders}\b[^.!?\n]{0,50}?\b{constraint_count.placeholder}\b"
    );
    for captures in text.matches(rule) {
        let range = range(&captures);
        if !found.overlaps(Kind::PlaceholderCount, &range)
            && !text.is_negated(range.end - 1)
            && !text.is_negated(range.start)
        {
            let amount = number::Amount { relation: Relation::AtLeast, number: 1, upper: None };
            found.push(Statement::of(Kind::PlaceholderCount, range).counted(amount));
        }
    }
}
