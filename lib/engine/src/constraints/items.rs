//! Counts in other wordings, and things that are counted by their own names.

use patterns::pattern;

use super::{found::Found, number, statement::Statement, text::Text};
use crate::{ConstraintKind as Kind, CountParameters, Relation};

/// Chinese, Japanese and Korean wordings for characters.
pub fn characters(text: &Text<'_>, found: &mut Found) {
    let rule = pattern!(
        r"(?:(?P<most>{constraint_count.at_most_before})|(?P<least>{constraint_count.at_least_before}))?\s*(?P<n>{constraint_count.figure}){constraint_count.letters}(?:(?P<up>{constraint_count.at_most_behind})|(?P<from>{constraint_count.at_least_behind})|(?P<about>{constraint_count.about_behind}))?"
    );
    let meanings = [
        ("most", Relation::AtMost),
        ("least", Relation::AtLeast),
        ("up", Relation::AtMost),
        ("from", Relation::AtLeast),
        ("about", Relation::About),
    ];
    for captures in text.matches(rule) {
        let said = meanings.iter().find(|(name, _)| captures.name(name).is_some());
        let Some((_, relation)) = said else { continue };
        let Some(number) = number::value(&captures["n"]) else { continue };
        let range = captures.get_match().range();
        let denied = pattern!(r"{constraint_count.denied_before}\s*$");
        if !denied.is_match(text.before(range.start)) {
            let amount = CountParameters::of(*relation, number);
            found.push(Statement::counting(Kind::CharacterCount, range, amount));
        }
    }
}

/// Things of any name that are asked for: "list five benefits", "nenne drei Gründe".
pub fn things(text: &Text<'_>, found: &mut Found) {
    let rule = pattern!(
        r"(?i)(?:\b{constraint_count.ask}|{constraint_count.ask_anywhere})\s+(?:(?P<lead>{constraint_number.lead})\s*)?(?P<n>{constraint_number.number})(?:\s*(?:-|–|{constraint_number.until})\s*(?P<m>{constraint_number.number}))?(?P<trail>\+| {constraint_number.or} {constraint_number.more_or_less})?\s+(?P<thing>[\p{L}’'-]{3,30})(?P<more>(?: [\p{L}’'-]{3,30}){0,3})"
    );
    // Other kinds count these, or they are measures.
    let others = pattern!(r"(?i)^{constraint_count.no_thing}$");
    for captures in text.matches(rule) {
        let names = || [&captures["thing"]].into_iter().chain(captures["more"].split_whitespace());
        let plural = pattern!(
            r"(?i){constraint_count.plural_mark}$|[^\x00-\x7F]|{constraint_count.plural_ending}$|^{constraint_count.plural}$"
        );
        let Some(amount) = number::amount(&captures).filter(|amount| amount.number > 1) else {
            continue;
        };
        // The thing is the first noun in the plural.
        let end = captures.name("thing").map_or(0, |thing| thing.end());
        let range = captures.get_match().range().start..end;
        let other = names().any(|name| others.is_match(name));
        let Some(name) = names().find(|name| plural.is_match(name)).filter(|_| !other) else {
            continue;
        };
        if !found.overlaps(Kind::ItemCount, &range) {
            let amount = CountParameters { of: Some(name.to_lowercase()), ..amount };
            found.push(Statement::counting(Kind::ItemCount, range, amount));
        }
    }
}
