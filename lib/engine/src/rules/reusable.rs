//! Turning the concrete values of a goal into variables.

use super::goal::Goal;
use super::pattern::regex;

/// Variables introduced into a goal.
#[derive(Debug, Default)]
pub struct Templates {
    /// Name, description and default value.
    pub variables: Vec<(String, String, Option<String>)>,
    /// Requirements that only exist because of a variable.
    pub requirements: Vec<String>,
    /// Marker for content that the user will supply.
    pub material: Option<String>,
}

impl Templates {
    /// Whether a slot is a variable now.
    pub fn covers(&self, slot: &str) -> bool {
        self.variables.iter().any(|(name, ..)| name == slot)
    }

    fn add(&mut self, name: &str, description: &str, value: Option<&str>) -> String {
        self.variables.push((name.to_owned(), description.to_owned(), value.map(str::to_owned)));
        format!("{{{{{name}}}}}")
    }
}

/// Replaces the stated subject, audience, tone, length and so on by markers, and adds markers for those
/// that the task usually needs. The replaced words become default values.
pub fn introduce(goal: &mut Goal) -> Templates {
    let mut templates = Templates::default();
    let subject_name = variable_name(&goal.task.subject);
    let values = [
        (subject_name.as_str(), "What it is about", goal.slots.subject.clone()),
        ("audience", "Who it is for", goal.slots.audience.clone()),
        ("length", "How long it should be", goal.slots.length.clone()),
        ("duration", "How much time it takes or covers", goal.slots.duration.clone()),
        ("budget", "How much it may cost", goal.slots.budget.clone()),
        ("tone", "How it should sound", goal.slots.tone.clone()),
        ("platform", "Where it is published or used", goal.slots.platform.clone()),
        ("deadline", "When it is due", goal.slots.deadline.clone()),
        ("level", "Level of the reader or learner", goal.slots.level.clone()),
    ];
    for (name, description, value) in values {
        let Some(value) = value else { continue };
        if value.contains("{{")
            || templates.covers(name)
            || goal.text.contains(&format!("{{{{{name}}}}}"))
        {
            continue;
        }
        let marker = format!("{{{{{name}}}}}");
        if goal.replace(&value, &marker) {
            templates.add(name, description, Some(&value));
            for requirement in &mut goal.requirements {
                if requirement.trim_end_matches('.') == marker {
                    *requirement = format!("{}: {marker}.", super::split::capitalize(name));
                }
            }
            goal.set(name, &subject_name, marker);
        }
    }
    for (slot, requirement, _) in &goal.task.defaults {
        if goal.slots.get(slot).is_none() && !templates.covers(slot) && goal.language.is_none() {
            let marker = templates.add(
                slot,
                default_description(slot),
                Some(requirement.trim_end_matches('.')),
            );
            templates.requirements.push(format!("{}: {marker}.", super::split::capitalize(slot)));
        }
    }
    let wants_audience = goal.task.ask.iter().any(|(slot, _)| slot == "audience");
    if wants_audience && goal.slots.audience.is_none() && !templates.covers("audience") {
        let marker = templates.add("audience", "Who it is for", Some("a general audience"));
        templates.requirements.push(format!("Audience: {marker}."));
    }
    if goal.task.needs_material && goal.material.is_empty() {
        templates.material = Some(templates.add("input", "The content to work on", None));
    }
    templates
}

fn default_description(slot: &str) -> &'static str {
    match slot {
        "length" => "How long it should be",
        "tone" => "How it should sound",
        "duration" => "How much time it takes or covers",
        "budget" => "How much it may cost",
        "stack" => "Language, tool or database",
        _ => "What to use here",
    }
}

fn variable_name(subject: &str) -> String {
    let name = regex!(r"[^a-z0-9]+")
        .replace_all(&subject.to_lowercase(), "_")
        .trim_matches('_')
        .to_owned();
    if name.is_empty() { "topic".to_owned() } else { name }
}

impl Goal {
    /// Replaces whole-word occurrences outside markers; tells whether there was one.
    fn replace(&mut self, value: &str, marker: &str) -> bool {
        let pattern = format!(r"(\{{\{{[^{{}}]*\}}\}})|({})", regex::escape(value));
        let Ok(regex) = regex::RegexBuilder::new(&pattern).case_insensitive(true).build() else {
            return false;
        };
        let mut replaced = false;
        let mut change = |text: &mut String| {
            let bounded = |start: usize, end: usize, text: &str| {
                let before = text[..start].chars().next_back();
                let after = text[end..].chars().next();
                !before.is_some_and(char::is_alphanumeric)
                    && !after.is_some_and(char::is_alphanumeric)
            };
            let source = text.clone();
            let new =
                regex.replace_all(&source, |found: &regex::Captures<'_>| match found.get(2) {
                    Some(hit) if bounded(hit.start(), hit.end(), &source) => {
                        replaced = true;
                        marker.to_owned()
                    }
                    _ => found[0].to_owned(),
                });
            *text = new.into_owned();
        };
        change(&mut self.objective);
        self.requirements.iter_mut().for_each(&mut change);
        self.context.iter_mut().for_each(&mut change);
        replaced
    }

    fn set(&mut self, name: &str, subject: &str, marker: String) {
        let slot = match name {
            "audience" => &mut self.slots.audience,
            "length" => &mut self.slots.length,
            "duration" => &mut self.slots.duration,
            "budget" => &mut self.slots.budget,
            "tone" => &mut self.slots.tone,
            "platform" => &mut self.slots.platform,
            "deadline" => &mut self.slots.deadline,
            "level" => &mut self.slots.level,
            other if other == subject => &mut self.slots.subject,
            _ => return,
        };
        *slot = Some(marker);
    }
}
