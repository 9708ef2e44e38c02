//! Turning the concrete values of a goal into variables.

use crate::goal::Goal;
use crate::slots;
use patterns::pattern;
use text::language::Locale;
use text::variables;

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

/// What a variable stands for, as the messages have it.
const DESCRIPTIONS: [(&str, &str); 10] = [
    ("audience", "Who it is for"),
    ("length", "How long it should be"),
    ("duration", "How much time it takes or covers"),
    ("budget", "How much it may cost"),
    ("tone", "How it should sound"),
    ("platform", "Where it is published or used"),
    ("deadline", "When it is due"),
    ("level", "Level of the reader or learner"),
    ("stack", "Language, tool or database"),
    ("input", "The content to work on"),
];

impl Templates {
    /// Whether a slot is a variable now.
    pub fn covers(&self, slot: &str) -> bool {
        self.variables.iter().any(|(name, ..)| name == slot)
    }

    /// Adds a variable and returns its marker.
    fn add(&mut self, name: &str, description: &str, value: Option<&str>) -> String {
        self.variables.push((name.to_owned(), description.to_owned(), value.map(str::to_owned)));
        format!("{{{{{name}}}}}")
    }

    /// Adds a variable that a requirement states.
    fn require(&mut self, slot: &str, value: &str, locale: &Locale) {
        let marker = self.add(slot, description(slot), Some(value));
        self.requirements.push(locale.line(slot, &marker));
    }
}

fn description(slot: &str) -> &'static str {
    let known = DESCRIPTIONS.iter().find(|(name, _)| *name == slot);
    known.map_or("What to use here", |(_, description)| description)
}

/// Replaces the stated subject, audience, tone, length and so on by markers, and adds markers for those
/// that the task usually needs. The replaced words become default values.
pub fn introduce(goal: &mut Goal, locale: &Locale) -> Templates {
    let mut templates = Templates::default();
    let subject = variable_name(&goal.task.subject);
    let stated =
        goal.slots.all().filter(|(name, _)| !matches!(*name, "stack" | "format" | "language"));
    let mut values: Vec<(String, &str, Option<String>)> =
        vec![(subject, "What it is about", goal.slots.subject.clone())];
    values.extend(stated.map(|(name, value)| (name.to_owned(), description(name), value.clone())));
    for (name, description, value) in values {
        let Some(value) = value.filter(|value| !value.contains("{{")) else { continue };
        let marker = format!("{{{{{name}}}}}");
        if templates.covers(&name) || goal.text.contains(&marker) || !goal.replace(&value, &marker)
        {
            continue;
        }
        templates.add(&name, description, Some(&value));
        for requirement in &mut goal.requirements {
            if requirement.trim_end_matches('.') == marker {
                *requirement = locale.line(&name, &marker);
            }
        }
        goal.slots.set(&name, marker);
    }
    // Whoever has named variables has decided what changes from one use to the next.
    if variables::find(&goal.text).is_empty() {
        for (slot, requirement, _) in &goal.task.defaults {
            let is_open = goal.slots.get(slot).is_none() && !templates.covers(slot);
            if is_open && locale.is_english() && goal.language.is_none() {
                templates.require(slot, requirement.trim_end_matches('.'), locale);
            }
        }
        let asks = goal.task.ask.iter().any(|(slot, _)| slot == "audience");
        if asks && goal.slots.audience.is_none() && !templates.covers("audience") {
            templates.require("audience", &locale.line("general_audience", ""), locale);
        }
    }
    if goal.lacks_material() {
        templates.material = Some(templates.add("input", description("input"), None));
    }
    templates
}

fn variable_name(subject: &str) -> String {
    let name = pattern!(r"[^a-z0-9]+").replace_all(&subject.to_lowercase(), "_").into_owned();
    let name = name.trim_matches('_');
    if name.is_empty() { "topic".to_owned() } else { name.to_owned() }
}

impl Goal {
    /// Replaces whole-word occurrences outside markers; tells whether there was one.
    fn replace(&mut self, value: &str, marker: &str) -> bool {
        let texts = std::iter::once(&mut self.objective)
            .chain(&mut self.requirements)
            .chain(&mut self.context);
        let capital = crate::split::capitalize(value);
        let mut replaced = false;
        for text in texts {
            for value in [value, capital.as_str()] {
                if let Some(new) = with_marker(text, value, marker) {
                    *text = new;
                    replaced = true;
                }
            }
        }
        replaced
    }

    /// Whether the goal has a marker of the user's with this name ("{{tone}}", "{{tone of voice}}").
    pub fn has_marker(&self, slot: &str) -> bool {
        variables::find(&self.text).iter().any(|variable| {
            let name = variable.name.to_lowercase();
            name.split(|c: char| !c.is_alphanumeric()).any(|word| word == slot)
        })
    }

    /// Whether the task works on something that the goal neither brings nor quotes.
    pub fn lacks_material(&self) -> bool {
        self.task.needs_material && self.material.is_empty() && !self.has_inline_material()
    }

    /// Whether the text to work on stands inside the request: in quotation marks or backticks, at an
    /// address, as code behind a colon, or as a variable of the user's ("Translate {{text}} into {{language}}").
    pub fn has_inline_material(&self) -> bool {
        // "Summarize the report for {{client}}" names a reader.
        let markers = pattern!(
            r"(?i)(?P<answer>\b{reusable.answer_to}\s+)?(?P<other>\b{reusable.about}\s+)?\{\{\s*(?P<v>[^{}\n]+?)\s*\}\}"
        );
        self.task.needs_material
            && (pattern!(r#""[^"\n]{2,}"|“[^”\n]{2,}”|„[^“”\n]{2,}[“”]|«[^»\n]{2,}»|`[^`\n]{2,}`|https?://\S+|:\s+\S.*(?:\w\(|[{};]|\w\s?=\s?\S)"#)
                .is_match(&self.objective)
                || markers
                    .captures_iter(&self.text)
                    .any(|found| found.name("other").is_none() && !slots::is_setting(&found["v"])))
    }
}

/// The text with a marker wherever a value stands as whole words and inside no other marker.
fn with_marker(text: &str, value: &str, marker: &str) -> Option<String> {
    let mut result = String::with_capacity(text.len());
    let mut from = 0;
    for (at, found) in text.match_indices(value) {
        let end = at + found.len();
        let is_inside = text[..at].rfind("{{") > text[..at].rfind("}}");
        let part_of_word = text[..at].chars().next_back().is_some_and(char::is_alphanumeric)
            || text[end..].chars().next().is_some_and(char::is_alphanumeric);
        if !is_inside && !part_of_word {
            result.push_str(&text[from..at]);
            result.push_str(marker);
            from = end;
        }
    }
    (from > 0).then(|| result + &text[from..])
}
