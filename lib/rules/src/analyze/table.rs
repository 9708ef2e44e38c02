//! The table of all rules.

use self::Scope::{Any, Text, Visual};
use super::rule::{Rule, Scope, Spot};
use super::{
    clashes, counts, form, missing, names, numbers, reading::Reading, references, secrets, sets,
    variables, visual,
};
use engine::MetricName::{
    self, Clarity, Constraints, Context, GoalOrientation, Specificity, Structure,
};
use engine::Severity::{self, High, Low, Medium};

/// A rule whose places only their author can mend.
const fn rule(
    id: &'static str,
    metric: MetricName,
    severity: Severity,
    scope: Scope,
    find: fn(&Reading<'_>) -> Vec<Spot>,
) -> Rule {
    Rule { id, metric, severity, scope, find, mend: None }
}

/// All rules, in the order in which places found by several are told.
#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    // Orders that no answer can follow together.
    rule("conflicting_orders", Constraints, High, Text, clashes::conflicting_orders),
    rule("conflicting_counts", Constraints, High, Text, counts::conflicting_counts),
    rule("impossible_length", Constraints, High, Text, counts::impossible_length),
    // Numbers that do not fit what is listed.
    rule("wrong_number", Specificity, High, Text, numbers::wrong_number),
    rule("impossible_date", Specificity, High, Text, numbers::impossible_date),
    rule("wrong_numbering", Structure, High, Text, form::wrong_numbering),
    // Examples that contradict their rules.
    rule("example_outside_set", Constraints, High, Text, sets::example_outside_set),
    // What is not there.
    rule("missing_reference", Context, High, Any, references::missing),
    rule("unresolved_reference", Context, High, Any, references::unresolved),
    rule("nothing_if_missing", Context, Medium, Text, missing::nothing_if_missing),
    rule("unfilled_placeholder", Context, Medium, Any, missing::unfilled_placeholder),
    rule("underspecified", GoalOrientation, High, Text, missing::underspecified),
    rule("wrong_medium", GoalOrientation, High, Any, visual::wrong_medium),
    // What decides nothing.
    rule("undefined_criterion", Clarity, Medium, Text, missing::undefined_criterion),
    rule("scale_without_rubric", Specificity, Medium, Text, missing::scale_without_rubric),
    // Variables.
    Rule { mend: Some(variables::balance), ..rule("unbalanced_braces", Structure, High, Any, variables::unbalanced) },
    rule("misspelled_variable", Structure, High, Any, names::misspelled),
    rule("spelled_twice", Structure, High, Text, names::spelled_twice),
    rule("undeclared_variable", Structure, High, Any, names::undeclared),
    Rule { mend: Some(variables::delimit), ..rule("undelimited_variable", Structure, Low, Text, variables::undelimited) },
    // Form.
    rule("cut_off", Structure, High, Text, form::cut_off),
    rule("torn_object", Structure, High, Text, form::torn_object),
    rule("doubled_part", Structure, High, Text, form::doubled_part),
    rule("unclosed_tag", Structure, High, Any, form::unclosed),
    // What no prompt should carry.
    rule("obeyed_material", Structure, High, Text, missing::obeyed_material),
    rule("secret", Context, High, Any, secrets::secret),
    // What the target model does not take.
    rule("prompt_too_long", Constraints, High, Any, visual::prompt_too_long),
    rule("conflicting_picture", Constraints, High, Visual, visual::conflicting_picture),
];
