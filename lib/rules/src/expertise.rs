//! What is known about doing the kind of task that a goal is of, in the language of the prompt.

use super::goal::Goal;
use text::language::Locale;

/// The role, the guidance, the shape of the answer and the checks of a kind of task.
pub struct Expertise<'a> {
    /// Who does this best.
    pub role: &'a str,
    /// What experts look for.
    pub guidance: &'a [String],
    /// Shape of the answer.
    pub output: &'a str,
    /// Facts to verify.
    pub checks: &'a [String],
    /// Whether the kind of task itself is described, rather than the family of its kind.
    pub is_own: bool,
}

impl<'a> Expertise<'a> {
    /// The texts of the locale for the kind of task or its family; those of the task itself where it has none.
    pub fn of(goal: &Goal, locale: &'a Locale) -> Self {
        let task = goal.task;
        // A speech is a matter of images and voice, not one of greeting and subject line.
        let family = if task.id == "speech" { "creative" } else { task.family.as_str() };
        match locale.families.get(&task.id).or_else(|| locale.families.get(family)) {
            Some(family) => Self {
                role: &family.role,
                guidance: &family.guidance,
                output: &family.output,
                checks: &family.check,
                is_own: false,
            },
            None => Self {
                role: &task.role,
                guidance: &task.guidance,
                output: &task.output,
                checks: &task.checks,
                is_own: true,
            },
        }
    }
}
