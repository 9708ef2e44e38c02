//! The table of all rules.

use super::rule::Rule;
use super::{
    conflicts, degenerate, layout, marks, needs, request, secrets, variables, visual, wording,
};

/// All rules, in the order in which places found by several are told.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    [
        wording::RULES,
        degenerate::RULES,
        request::RULES,
        needs::RULES,
        secrets::RULES,
        layout::RULES,
        marks::RULES,
        variables::RULES,
        conflicts::RULES,
        visual::RULES,
    ]
    .into_iter()
    .flatten()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::rules;
    use crate::analyze::texts;

    #[test]
    fn every_rule_has_texts_and_every_text_a_rule() {
        let ids: BTreeSet<&str> = rules().map(|rule| rule.id).collect();
        assert_eq!(ids, texts::of("en").rules.keys().map(String::as_str).collect());
    }
}
