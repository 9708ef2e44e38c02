//! Counts in other wordings, and things that are counted by their own names.

use patterns::pattern;

use super::{found::Found, number, statement::Statement, text::Text};
use crate::{ConstraintKind as Kind, CountParameters, Relation};

/// Chinese, Japanese and Korean wordings for characters.
pub fn characters(text: &Text<'_>, found: &mut Found) {
    let rule = pattern!(
        r"(?P<lead>{constraint_count.at_most_before}|{constraint_count.at_least_before})?\s*(?P<n>{constraint_count.figure}){constraint_count.letters}(?P<after>{constraint_count.at_most_behind}|{constraint_count.at_least_behind}|{constraint_count.about_behind})?"
    );
    for captures in text.matches(rule) {
        let Some(amount) = number::amount(&captures) else { continue };
        let range = captures.get_match().range();
        let denied = pattern!(r"{constraint_count.denied_before}\s*$");
        if amount.relation != Relation::Exactly && !denied.is_match(text.before(range.start)) {
            found.push(Statement::counting(Kind::CharacterCount, range, amount));
        }
    }
}

/// Things of any name that are asked for: "list five benefits", "nenne drei Gründe".
pub fn things(text: &Text<'_>, found: &mut Found) {
    let rule = pattern!(
        r"(?i)(?:(?:\b{constraint_count.ask}|{constraint_count.ask_anywhere})\s+|^(?P<begun>\W{0,3}))(?:(?P<lead>{constraint_number.lead})\s*)?(?P<n>{constraint_number.number})(?:\s*(?:-|–|{constraint_number.until})\s*(?P<m>{constraint_number.number}))?(?P<trail>\+| {constraint_number.or} {constraint_number.more_or_less})?\s+(?P<thing>[\p{L}’'-]{3,30})(?P<more>(?: [\p{L}’'-]{3,30}){0,3})"
    );
    // Other kinds count these, or they are measures.
    let others = pattern!(r"(?i)^{constraint_count.no_thing}$");
    for captures in text.matches(rule) {
        let names = || [&captures["thing"]].into_iter().chain(captures["more"].split_whitespace());
        let plural = pattern!(
            r"(?i){constraint_count.plural_mark}$|[^\x00-\x7F]|{constraint_count.plural_ending}$|^{constraint_count.plural}$"
        );
        let amount = number::amount(&captures).filter(|amount| amount.number > 1);
        let Some(amount) = amount else { continue };
        // The thing is the first noun in the plural.
        let end = captures.name("thing").map_or(0, |thing| thing.end());
        let range = captures.get_match().range().start..end;
        let name = names().find(|name| plural.is_match(name));
        let Some(name) = name.filter(|_| !names().any(|name| others.is_match(name))) else {
            continue;
        };
        let begun = pattern!(r"(?i)^{constraint_count.begun_by}");
        let is_asked = captures.name("begun").is_none()
            || begun.is_match(text.after(end - captures["thing"].len()))
                && !text.blanked.contains('?');
        if is_asked && !found.overlaps(Kind::ItemCount, &range) {
            let amount = CountParameters { of: Some(name.to_lowercase()), ..amount };
            found.push(Statement::counting(Kind::ItemCount, range, amount));
        }
    }
}
