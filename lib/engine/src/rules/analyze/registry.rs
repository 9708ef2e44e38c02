//! The table of all rules.

use super::rule::Rule;
use super::{
    clarity, context, degenerate, goal, limits, secrets, specificity, structure, variables, visual,
};

/// All rules, in the order of the metrics.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    [
        clarity::RULES,
        degenerate::RULES,
        specificity::RULES,
        context::RULES,
        secrets::RULES,
        goal::RULES,
        structure::RULES,
        variables::RULES,
        limits::RULES,
        visual::RULES,
    ]
    .into_iter()
    .flatten()
}
