//! Changing a prompt that exists already, as an instruction says.

use super::draft::{Draft, technique};
use super::goal::{self, Goal};
use super::imperative;
use super::pattern::regex;
use super::slots;
use super::split::{self, capitalize, stop};
use super::text;
use super::title;
use crate::language;
use crate::{GenerateBrief, Mode, ModelKind, Section};
use serde_json::{Map, Value};

/// The prompt to change and what is known about it.
pub struct Base<'a> {
    /// Its text.
    pub prompt: &'a str,
    /// Its title, if it has one.
    pub title: Option<&'a str>,
    /// The goal it was made for, if known.
    pub goal: Option<&'a str>,
}

/// Applies the instruction in `brief.message` to a prompt.
///
/// What the instruction names literally (replace A by B, a language, a length, an audience, a tone, a format,
/// emojis) is changed in place or added; everything else becomes a requirement. Nothing is removed that the
/// instruction does not name.
pub fn apply(base: &Base<'_>, brief: &GenerateBrief, mode: Mode) -> Draft {
    let mut edit = Edit {
        prompt: base.prompt.to_owned(),
        added: Vec::new(),
        done: Vec::new(),
        language: None,
        ratio: None,
        excluded: Vec::new(),
    };
    let kind = brief.target_model.model().kind;
    let visual = matches!(kind, ModelKind::Image | ModelKind::Video)
        || matches!(mode, Mode::Image | Mode::Video);
    let parts = split::separate(&brief.message);
    for sentence in split::sentences(&parts.prose) {
        for clause in clauses(&sentence) {
            edit.instruct(&clause, visual);
        }
    }
    let subject = base.goal.unwrap_or(base.prompt);
    let goal = goal::read(subject, mode);
    let resolved = if mode == Mode::Auto {
        match kind {
            ModelKind::Image => Mode::Image,
            ModelKind::Video => Mode::Video,
            _ => goal.task.mode,
        }
    } else {
        mode
    };
    let wants_improvement = regex!(r"(?i)\b(?:improve|better|optimi[sz]e|enhance|strengthen|upgrade|refine|professional(?:ize)?|restructure|polish|rework|fix|verbesser\w*|mejora\w*|améliore\w*|migliora\w*|melhor\w*)\b").is_match(&brief.message);
    if !visual && base.title.is_none() && wants_improvement {
        edit.strengthen(&goal, brief);
    }
    let (parameters, negative_prompt) = settings(&edit, &goal, brief, resolved);
    let mut sections = vec![];
    let addition = edit.render(visual, brief, &parts.material);
    let prompt = match (&addition, visual) {
        (Some(addition), true) => insert_before_flags(&edit.prompt, addition),
        (Some(addition), false) => format!("{}\n\n{addition}", edit.prompt.trim_end()),
        (None, _) => edit.prompt.clone(),
    };
    sections
        .push(Section { heading: "Prompt".to_owned(), text: edit.prompt.trim_end().to_owned() });
    if visual && addition.is_some() {
        sections[0].text = prompt.clone();
    } else if let Some(addition) = addition {
        sections.push(Section { heading: "Changes".to_owned(), text: addition });
    }
    let mut techniques = vec![technique(
        "minimal_change",
        "Minimal change",
        "Keeps your prompt as it is and changes only what you asked for, so that nothing that worked is lost.",
    )];
    if !edit.added.is_empty() {
        techniques.push(technique(
            "explicit_constraints",
            "Explicit constraints",
            "States each change as a requirement of its own, so that it can be checked.",
        ));
    }
    let mut assumptions = Vec::new();
    if edit.added.iter().any(|(_, made)| *made) {
        assumptions.push(
            "Criteria that fit the task were added; the wording of your prompt was kept."
                .to_owned(),
        );
    }
    assumptions.extend(edit.done.iter().cloned());
    Draft {
        title: base.title.map_or_else(|| title::of(&goal), title::shorten),
        mode: resolved,
        prompt,
        parameters,
        negative_prompt,
        sections,
        assumptions,
        techniques,
        usage: vec![
            "Compare the new prompt with the old one on the same input.".to_owned(),
            format!(
                "Paste it as a whole into {}.",
                if brief.target_model.as_str() == "Universal" {
                    "your model"
                } else {
                    brief.target_model.as_str()
                }
            ),
        ],
        language: edit.language.clone(),
        ..Draft::default()
    }
}

/// Parameters and negative prompt of the picture or clip that is continued, with the changes applied.
fn settings(
    edit: &Edit,
    goal: &Goal,
    brief: &GenerateBrief,
    mode: Mode,
) -> (Map<String, Value>, Option<String>) {
    let fresh = match mode {
        Mode::Image => super::image::compose(goal, brief),
        Mode::Video => super::video::compose(goal, brief),
        _ => return (brief.target_model.model().parameters.clone(), None),
    };
    let mut parameters = fresh.parameters;
    if let Some(ratio) = &edit.ratio {
        for key in ["ar", "aspectRatio", "aspect_ratio", "ratio"] {
            if let Some(value) = parameters.get_mut(key) {
                *value = Value::from(ratio.as_str());
            }
        }
    }
    if let Some(found) = regex!(r" --no (?P<v>[^-]+?)(?: --|\s*$)").captures(&edit.prompt) {
        parameters.insert("no".to_owned(), Value::from(&found["v"]));
    }
    let negative = fresh
        .negative_prompt
        .map(|known| edit.excluded.iter().cloned().chain([known]).collect::<Vec<_>>().join(", "));
    (parameters, negative)
}

struct Edit {
    prompt: String,
    /// Requirements, and whether the engine added them of its own accord.
    added: Vec<(String, bool)>,
    /// Notes on what was changed in place.
    done: Vec<String>,
    language: Option<String>,
    /// Aspect ratio that was asked for.
    ratio: Option<String>,
    /// What a picture or clip must not show any more.
    excluded: Vec<String>,
}

impl Edit {
    /// Changes the aspect ratio if that is what a clause asks for.
    fn set_ratio(&mut self, clause: &str) -> bool {
        let Some(found) = regex!(r"(?i)^(?:make it |in |use |change (?:it )?to |set it to |now )*(?P<r>\d{1,2}:\d{1,2})(?: (?:please|instead|aspect ratio|format|ratio))*$").captures(clause) else {
            return false;
        };
        let ratio = found["r"].to_owned();
        self.prompt =
            regex!(r"(--ar )\d+:\d+").replace(&self.prompt, format!("${{1}}{ratio}")).into_owned();
        self.prompt = regex!(r"\d+:\d+( aspect ratio)")
            .replace(&self.prompt, format!("{ratio}${{1}}"))
            .into_owned();
        self.done.push(format!("The format was changed to {ratio}."));
        self.ratio = Some(ratio);
        true
    }

    /// Adds an exclusion to the trailing parameters, if the prompt has such.
    fn exclude_by_flag(&mut self, unwanted: &str) -> bool {
        if !self.prompt.contains(" --ar ") {
            return false;
        }
        self.prompt = if self.prompt.contains(" --no ") {
            self.prompt.replacen(" --no ", &format!(" --no {unwanted}, "), 1)
        } else {
            format!("{} --no {unwanted}", self.prompt.trim_end())
        };
        true
    }

    fn instruct(&mut self, clause: &str, visual: bool) {
        let clause = clause.trim().trim_end_matches(['.', '!']);
        if !clause.chars().any(char::is_alphanumeric)
            || regex!(
                r"(?i)^(?:thanks?(?: you)?|please|ok(?:ay)?|great|hi|hello|perfect|yes|nice)$"
            )
            .is_match(clause)
        {
            return;
        }
        if let Some(found) = regex!(r#"(?i)^(?:please )?(?:replace|change|rename|swap|switch) (?:the (?:word|name|phrase|variable|text) )?["“'`]?(?P<a>.+?)["”'`]? (?:with|by|to|into|for) ["“'`]?(?P<b>.+?)["”'`]?$"#).captures(clause) {
            let (old, new) = (&found["a"], &found["b"]);
            if self.prompt.contains(old) {
                self.prompt = self.prompt.replace(old, new);
                self.done.push(format!("\"{old}\" was replaced by \"{new}\"."));
                return;
            }
        }
        if regex!(r"(?i)\b(?:remove|drop|no|without|delete|strip)\b.{0,12}\bemojis?\b")
            .is_match(clause)
        {
            self.prompt = self.prompt.chars().filter(|c| !is_emoji(*c)).collect();
            self.add("Do not use emojis.");
            return;
        }
        if !visual && let Some(tag) = language_wanted(clause) {
            self.language = Some(tag.to_owned());
            self.remove_lines(|line| regex!(r"(?i)^-? ?(?:write the whole answer in|respond in|antworte|schreibe die gesamte antwort)\b").is_match(line));
            self.add(&language::locale("en").respond.replace("{}", &language::english_name(tag)));
            return;
        }
        if !visual && regex!(r"(?i)^(?:please |can you |now )*(?:make (?:it|this|the (?:answer|text|output|result|email|post|prompt))(?: a (?:bit|little))?(?: much)? )?(?:shorter|more concise|briefer|more compact)$|^shorten(?: it| this)?$|^(?:be )?more concise$").is_match(clause) {
            self.remove_length_lines();
            self.add("Keep the result to about half of the length that would be usual; cut background and repetition first.");
            return;
        }
        if !visual && regex!(r"(?i)^(?:please |now )*(?:make (?:it|this) )?(?:much )?(?:longer|more detailed|more in-depth)$|^(?:expand|extend)(?: it| this)?$|^add more detail$").is_match(clause) {
            self.remove_length_lines();
            self.add("Go into more depth: give reasons, examples and edge cases, at about twice the usual length.");
            return;
        }
        if regex!(r"(?i)^(?:please |can you |could you )*(?:improve|optimi[sz]e|enhance|refine|polish|upgrade|rework|strengthen|fix|restructure)(?: (?:it|this|my|the|prompt|this prompt|my prompt|the prompt))*$|^make (?:it|this|this prompt|my prompt|the prompt) (?:much )?better$").is_match(clause) {
            return;
        }
        let found = slots::read(clause);
        if !visual
            && let Some(length) = &found.length
            && clause.split_whitespace().count() <= 12
        {
            self.remove_length_lines();
            self.add(&format!("Length: {length}."));
            let rest = clause.replacen(length.as_str(), "", 1);
            let rest = regex!(r"(?i)(?:^|[\s,]+)(?:and|but|to|at|in|with|keep it|make it|it should be|be|limit it to|,|\s)*$").replace(&rest, "").into_owned();
            if rest.split_whitespace().count() >= 2 {
                self.instruct(&rest, visual);
            }
            return;
        }
        if !visual && let Some(audience) = &found.audience
            && regex!(r"(?i)^(?:now |please |make it |and )*(?:suitable |write it |written |adapt it |aimed )?(?:for|at|to) ").is_match(clause)
        {
            self.remove_lines(|line| regex!(r"(?i)^-? ?audience:").is_match(line));
            self.add(&format!("Audience: {audience}. Adapt vocabulary, examples and length to them."));
            return;
        }
        if visual && self.set_ratio(clause) {
            return;
        }
        if visual {
            if let Some(found) = regex!(r"(?i)^(?:please |and )*(?:remove|drop|without|no|leave out|don't show) (?:the |any )?(?P<v>.+)$").captures(clause) {
                let unwanted = found["v"].to_owned();
                self.excluded.push(unwanted.clone());
                if self.exclude_by_flag(&unwanted) {
                    return;
                }
            }
            self.add(&visual_phrase(clause));
        } else {
            self.add(&requirement(clause));
        }
    }

    fn add(&mut self, requirement: &str) {
        let requirement = requirement.to_owned();
        if !self.added.iter().any(|(known, _)| *known == requirement) {
            self.added.push((requirement, false));
        }
    }

    fn remove_length_lines(&mut self) {
        self.remove_lines(|line| {
            regex!(r"(?i)^-? ?(?:length:|(?:under|at most|about|keep (?:it|the body) (?:under|to))? ?\d[\d,]*(?: to \d[\d,]*)? (?:words|characters|sentences|paragraphs|pages)\b[^{}]*$|one page(?: at most)?\.?$)").is_match(line)
        });
    }

    /// Removes whole list items that were superseded, never a line with a variable, quotation or URL.
    fn remove_lines(&mut self, superseded: impl Fn(&str) -> bool) {
        let keeps = |line: &str| {
            !superseded(line.trim())
                || line.contains("{{")
                || line.contains("://")
                || line.contains('"')
        };
        if self.prompt.lines().all(keeps) {
            return;
        }
        self.prompt = self.prompt.lines().filter(|line| keeps(line)).collect::<Vec<_>>().join("\n");
    }

    /// Adds what experts look for, for prompts that only state a wish.
    fn strengthen(&mut self, goal: &Goal, brief: &GenerateBrief) {
        let locale = language::locale(&brief.language);
        let lines: Vec<String> = match locale.families.get(&goal.task.family) {
            Some(family) => family.guidance.clone(),
            None => goal.task.guidance.iter().take(4).map(|line| text::fill(line, goal)).collect(),
        };
        self.added.extend(lines.into_iter().map(|line| (line, true)));
    }

    fn render(&self, visual: bool, brief: &GenerateBrief, material: &[String]) -> Option<String> {
        if self.added.is_empty() && material.is_empty() {
            return None;
        }
        if visual {
            return Some(
                self.added.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>().join(", "),
            );
        }
        let lines: Vec<String> = self.added.iter().map(|(text, _)| text.clone()).collect();
        let mut text = super::dialect::bullets(&lines);
        for block in material {
            text.push_str("\n\n");
            text.push_str(&super::dialect::fence(block));
        }
        let heading = &language::locale(&brief.language).headings["requirements"];
        let xml = regex!(r"(?m)^</[a-z_]+>\s*$").is_match(&self.prompt);
        Some(if xml {
            let tag = if self.prompt.contains("<additional_requirements") {
                "further_requirements"
            } else {
                "additional_requirements"
            };
            format!("<{tag}>\n{text}\n</{tag}>")
        } else if self.prompt.lines().count() < 4 && lines.len() == 1 && material.is_empty() {
            lines[0].clone()
        } else {
            format!("## {heading}\n{text}")
        })
    }
}

fn clauses(sentence: &str) -> Vec<String> {
    let text = regex!(r"(?i)^(?:can|could|would|will) you (?:please )?|^please |^(?:ok(?:ay)?|great|nice|perfect|thanks|now|and|also|but|then)[,!]? ").replace(sentence, "");
    let split: Vec<String> = regex!(r"(?i)(?:,\s*|\s+)and (?:(?:also|then) )?(?P<v>(?:make|add|remove|keep|use|don'?t|include|change|replace|write|translate|avoid|drop|mention|put|turn)\b)")
        .replace_all(&text, "\u{1}$v")
        .split('\u{1}')
        .map(|clause| clause.trim().to_owned())
        .collect();
    split
}

fn language_wanted(clause: &str) -> Option<&'static str> {
    let found = regex!(r"(?i)^(?:now |please |make it |write it |answer |respond |translate (?:it|this|the prompt|the output|the answer) |the (?:answer|output|result) (?:should|must) be |do it |same )*(?:in|into|to|auf) (?P<l>[a-zäöüç]+)(?: please| instead)?$").captures(clause)?;
    match found["l"].to_lowercase().as_str() {
        "deutsch" => Some("de"),
        "español" | "spanisch" => Some("es"),
        "französisch" | "français" => Some("fr"),
        "englisch" => Some("en"),
        name => language::tag_of(name),
    }
}

/// An instruction about the text becomes a requirement of the text.
fn requirement(clause: &str) -> String {
    let text = regex!(
        r"(?i)^(?:i (?:want|need|would like|'d like) (?:it |you )?to (?:be )?|make sure (?:that )?)"
    )
    .replace(clause, |found: &regex::Captures<'_>| {
        if found[0].to_lowercase().starts_with("make sure") {
            found[0].to_owned()
        } else {
            String::new()
        }
    });
    let text =
        regex!(r"(?i)^make (?:it|this|the (?:prompt|text|output|answer|result)) (?P<rest>.+)$")
            .replace(&text, "Make the result $rest");
    let text = regex!(r"(?i)^(?:make )?(?:it )?more (?P<rest>[\w -]+)$")
        .replace(&text, "Make the result more $rest");
    let text = regex!(r"(?i)^(?P<verb>add|include) (?P<rest>.+?)(?: to (?:it|the prompt|this))?$")
        .replace(&text, "Include $rest");
    let text = regex!(r"(?i)^(?:remove|drop|delete|leave out) (?P<rest>.+)$")
        .replace(&text, "Leave out $rest");
    stop(&capitalize(imperative::unwrapped(&text)))
}

fn visual_phrase(clause: &str) -> String {
    let text = regex!(r"(?i)^(?:please |now )*(?:make (?:it|this|the (?:image|picture|video|scene)) |add |include |with |it should (?:be|have) |i want (?:it )?(?:to be )?|turn it into |set it )").replace(clause, "");
    let text = regex!(r"(?i)^(?:remove|drop|without|no|leave out) (?:the |any )?(?P<rest>.+)$")
        .replace(&text, "free of $rest");
    text.trim().to_owned()
}

/// Image prompts end with parameters: words go before them.
fn insert_before_flags(prompt: &str, addition: &str) -> String {
    let prompt = prompt.trim_end();
    match prompt.find(" --") {
        Some(at) => format!("{}, {addition}{}", prompt[..at].trim_end_matches(','), &prompt[at..]),
        None if prompt.ends_with('.') => format!("{prompt} {}", stop(&capitalize(addition))),
        None => format!("{prompt}, {addition}"),
    }
}

fn is_emoji(character: char) -> bool {
    matches!(u32::from(character), 0x1F300..=0x1FAFF | 0x2600..=0x27BF | 0xFE0F | 0x1F1E6..=0x1F1FF)
}
