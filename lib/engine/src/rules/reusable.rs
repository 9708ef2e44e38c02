//! Turning the concrete values of a goal into variables.

use super::goal::Goal;
use super::slots;
use crate::variables;
use patterns::{Pattern, pattern};

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
        let (name, description) = match name {
            "budget" if goal.says_before(&value, r"(?:price[ds]?|costs?|sells?|selling|only|for just)") => {
                ("price", "What it costs")
            }
            // How long a thing lasts is a fact about it, not the span of the task.
            "duration" if goal.says_before(&value, r"(?:keep|stay|last|hold|batter|warrant|guarant|cold|hot|warm|charg|ship|deliver|return|since|experience)\w*") => continue,
            _ => (name, description),
        };
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
    // Whoever has named variables has decided what changes from one use to the next.
    if !variables::find(&goal.text).is_empty() {
        if goal.task.needs_material && goal.material.is_empty() && !goal.has_inline_material() {
            templates.material = Some(templates.add("input", "The content to work on", None));
        }
        return templates;
    }
    for (slot, requirement, _) in &goal.task.defaults {
        if goal.slots.get(slot).is_none()
            && !templates.covers(slot)
            && !goal.has_marker(slot)
            && goal.language.is_none()
        {
            let marker = templates.add(
                slot,
                default_description(slot),
                Some(requirement.trim_end_matches('.')),
            );
            templates.requirements.push(format!("{}: {marker}.", super::split::capitalize(slot)));
        }
    }
    let wants_audience = goal.task.ask.iter().any(|(slot, _)| slot == "audience");
    if wants_audience
        && goal.slots.audience.is_none()
        && !templates.covers("audience")
        && !goal.has_marker("audience")
    {
        let marker = templates.add("audience", "Who it is for", Some("a general audience"));
        templates.requirements.push(format!("Audience: {marker}."));
    }
    if goal.task.needs_material && goal.material.is_empty() && !goal.has_inline_material() {
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
    let name = pattern!(r"[^a-z0-9]+")
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

    /// Whether the goal has a marker of the user's with this name ("{{tone}}", "{{tone of voice}}").
    pub fn has_marker(&self, slot: &str) -> bool {
        variables::find(&self.text).iter().any(|variable| {
            let name = variable.name.to_lowercase();
            name.split(|c: char| !c.is_alphanumeric()).any(|word| word == slot)
        })
    }

    /// Whether the text to work on stands inside the request: in quotation marks or backticks, at an
    /// address, or as code behind a colon.
    pub fn has_inline_material(&self) -> bool {
        self.task.needs_material
            && (self.has_content_marker() || pattern!(r#""[^"\n]{2,}"|“[^”\n]{2,}”|„[^“”\n]{2,}[“”]|«[^»\n]{2,}»|`[^`\n]{2,}`|https?://\S+|:\s+\S.*(?:\w\(|[{};]|\w\s?=\s?\S)"#)
                .is_match(&self.objective))
    }

    /// Whether a variable of the user's stands for content: "Translate {{text}} into {{language}}", and not
    /// only for a reader or a subject: "Summarize the report for {{client}}".
    fn has_content_marker(&self) -> bool {
        pattern!(r"(?i)(?P<answer>\b{reusable.answer_to}\s+)?(?P<other>\b{reusable.about}\s+)?\{\{\s*(?P<v>[^{}\n]+?)\s*\}\}")
            .captures_iter(&self.text)
            .any(|found| found.name("other").is_none() && !slots::is_setting(&found["v"]))
    }

    /// Whether the goal states already what a question is about.
    pub fn tells(&self, question: &str) -> bool {
        let (question, text) = (question.to_lowercase(), self.text.to_lowercase());
        let told =
            |asked: &str, evidence: Pattern| question.contains(asked) && evidence.is_match(&text);
        told("injur", pattern!(r"\b{reusable.injury}\b"))
            || told("allerg", pattern!(r"\b{reusable.diet}\b"))
            || (told(
                "price",
                pattern!(r"[$€£]\s?\d|\d\s?(?:€|\$|£|eur|usd|gbp|chf)\b|\b{reusable.price}"),
            ) || told("material", pattern!(r"\b{reusable.material}\b")))
                && pattern!(r"\d\s?(?:ml|l|cm|mm|m|kg|g|{reusable.measure})\b").is_match(&text)
    }

    /// Whether a word of this kind stands up to four words before a value.
    fn says_before(&self, value: &str, words: &str) -> bool {
        let pattern = format!(r"(?i)\b{words}(?:\W+\w+){{0,4}}?\W+{}", regex::escape(value));
        regex::Regex::new(&pattern).is_ok_and(|pattern| pattern.is_match(&self.text))
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
