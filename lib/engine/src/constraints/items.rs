//! Counts in other wordings, and things that are counted by their own names.

use patterns::{Pattern, pattern};

use super::{
    found::Found,
    number::{self, Amount},
    statement::Statement,
    text::{Text, range},
};
use crate::ConstraintKind as Kind;
use crate::Relation;

/// Chinese, Japanese and Korean wordings for characters: a rule, and how the number is meant.
const CJK: [(Pattern, Relation); 5] = [
    (
        pattern!(
            r"{constraint_count.at_most_before}\s*(?P<n>{constraint_count.figure}){constraint_count.letters}"
        ),
        Relation::AtMost,
    ),
    (
        pattern!(
            r"{constraint_count.at_least_before}\s*(?P<n>{constraint_count.figure}){constraint_count.letters}"
        ),
        Relation::AtLeast,
    ),
    (
        pattern!(
            r"(?P<n>{constraint_count.figure}){constraint_count.letters}{constraint_count.at_most_behind}"
        ),
        Relation::AtMost,
    ),
    (
        pattern!(
            r"(?P<n>{constraint_count.figure}){constraint_count.letters}{constraint_count.at_least_behind}"
        ),
        Relation::AtLeast,
    ),
    (
        pattern!(
            r"(?P<n>{constraint_count.figure}){constraint_count.letters}{constraint_count.about_behind}"
        ),
        Relation::About,
    ),
];

pub fn find(text: &Text<'_>, found: &mut Found) {
    things(text, found);
    for (rule, relation) in CJK {
        for captures in text.matches(rule) {
            let Some(number) = number::value(&captures["n"]) else { continue };
            let range = range(&captures);
            let denied = pattern!(r"{constraint_count.denied_before}\s*$")
                .is_match(text.before(range.start));
            if !denied {
                let amount = Amount::of(relation, number);
                found.push(Statement::of(Kind::CharacterCount, range).counted(amount));
            }
        }
    }
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
        let Some(amount) = number::amount(&captures).filter(|amount| amount.number > 1) else {
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
