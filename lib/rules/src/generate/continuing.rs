//! Continuing: changing the prompt that there is as a message asks, or writing one anew about the same matter.

use crate::convert;
use crate::dialect::{Part, fence};
use crate::draft::{Draft, technique};
use crate::form;
use crate::goal::{self, Goal};
use crate::knowledge::facets;
use crate::outline::Outline;
use crate::refine::op::Op;
use crate::refine::{self, Further};
use crate::split::{self, stop};
use crate::task;
use crate::title;
use crate::visual::rewrite::{self, Picture};
use engine::{
    Beside, FeedbackStatus, GenerateBrief, Mode, ModelKind, PromptBrief, RefineBrief, Section,
};
use patterns::pattern;
use text::language;

/// The prompt to change and what is known about it.
pub struct Base<'a> {
    /// Its text.
    pub prompt: &'a str,
    /// Its title, if it has one.
    pub title: Option<&'a str>,
    /// The goal it was made for, if known.
    pub goal: Option<&'a str>,
}

/// Changes a prompt as the message of a brief asks: [refining](refine) it, in the form of the target model.
///
/// Nothing is removed that the message does not name. What could not be done is among the assumptions.
pub fn apply(base: &Base<'_>, brief: &GenerateBrief) -> Draft {
    let task = Outline::of(base.prompt).text(Part::Task);
    let goal = goal::read(base.goal.or(task.as_deref()).unwrap_or(base.prompt), brief.mode);
    let kind = brief.target_model.model().kind;
    let mode = match (brief.mode, kind) {
        (Mode::Auto, ModelKind::Image) => Mode::Image,
        (Mode::Auto, ModelKind::Video) => Mode::Video,
        (Mode::Auto, _) => kind_of(base, task.as_deref(), &goal),
        (asked, _) => asked,
    };
    let is_visual = matches!(kind, ModelKind::Image | ModelKind::Video)
        || matches!(mode, Mode::Image | Mode::Video);
    let parts = split::separate(&brief.message);
    let mut wishes = parts.prose.clone();
    if brief.target_model.as_str() != "Universal" {
        // The prompt takes the form of that model in any case.
        for sentence in split::sentences(&parts.prose) {
            if convert::names_target(&sentence) {
                wishes = wishes.replacen(&sentence, "", 1);
            }
        }
    }
    let prompt = in_form_of_target(base, brief, mode);
    let further = Further {
        criteria: if is_visual { Vec::new() } else { criteria(base, brief, &goal) },
        language: if is_visual { None } else { missing_language(&prompt, base, brief) },
    };
    let change = RefineBrief {
        beside: Beside::default(),
        feedback: wishes,
        prompt,
        language: brief.language.clone(),
        target_model: brief.target_model,
        images: Vec::new(),
    };
    let changed = refine::change(&change, &further);
    let mut prompt = changed.prompt;
    let (mut format, mut language) = (None, None);
    for op in &changed.ops {
        match op {
            Op::Tone(_) => prompt = without_advice("tone", &prompt, &change.prompt),
            Op::Audience(_) => prompt = without_advice("audience", &prompt, &change.prompt),
            Op::Format(asked) => format = Some(asked.as_str()),
            Op::Language { tag, .. } => language = Some((*tag).to_owned()),
            _ => {}
        }
    }
    // The output format that the service chose is replaced by the one that is asked for.
    if let Some(format) = format.filter(|_| base.title.is_some()) {
        let locale = language::locale_of_text(&prompt).unwrap_or_else(|| language::locale("en"));
        prompt = Outline::of(&prompt).with_text(Part::Output, &form::format_line(format, locale));
    }
    for block in &parts.material {
        prompt = format!("{}\n\n{}", prompt.trim_end(), fence(block));
    }
    let mut picture = if is_visual {
        rewrite::settled(&prompt, &request(&prompt, brief), mode)
    } else {
        let parameters = brief.target_model.model().parameters.clone();
        Picture { prompt, parameters, ..Picture::default() }
    };
    if let Some(negative) = &mut picture.negative {
        let known: Vec<&str> = negative.split(", ").collect();
        let new = changed.excluded.iter().map(String::as_str);
        let new = new.filter(|what| !known.contains(what));
        *negative = new.chain(known.iter().copied()).collect::<Vec<_>>().join(", ");
    }
    let outline = Outline::of(&picture.prompt);
    let sections = if !is_visual && outline.has_headings() {
        outline.sections()
    } else {
        vec![Section { heading: "Prompt".to_owned(), text: picture.prompt.clone() }]
    };
    let added = changed.adds_criteria.then(|| ADDED.to_owned());
    let mut assumptions: Vec<String> = added.into_iter().collect();
    let left = changed
        .items
        .iter()
        .filter(|item| item.status != FeedbackStatus::Applied && !item.text.is_empty())
        .filter(|item| {
            // What the prompt cannot exclude is in the negative prompt now.
            let named = |what: &String| item.text.to_lowercase().ends_with(&what.to_lowercase());
            picture.negative.is_none() || !changed.excluded.iter().any(named)
        });
    assumptions.extend(left.map(|item| format!("\"{}\": {}", item.text, item.reason)));
    let named = base.title.map(|title| retitled(title, &changed.replaced));
    Draft {
        title: named.map_or_else(|| title::of(&goal), |title| title::shorten(&title)),
        mode,
        prompt: picture.prompt,
        parameters: picture.parameters,
        negative_prompt: picture.negative,
        sections,
        assumptions,
        techniques: techniques(!changed.changes.is_empty()),
        usage: usage(brief),
        language,
        ..Draft::default()
    }
}

const ADDED: &str = "Criteria that fit the task were added; the wording of your prompt was kept.";

fn techniques(is_changed: bool) -> Vec<engine::Technique> {
    let kept = technique(
        "minimal_change",
        "Minimal change",
        "Keeps your prompt as it is and changes only what you asked for, so that nothing that worked is lost.",
    );
    let stated = technique(
        "explicit_constraints",
        "Explicit constraints",
        "States each change as a requirement of its own, so that it can be checked.",
    );
    [kept].into_iter().chain(is_changed.then_some(stated)).collect()
}

fn usage(brief: &GenerateBrief) -> Vec<String> {
    let target = match brief.target_model.as_str() {
        "Universal" => "your model",
        name => name,
    };
    vec![
        "Compare the new prompt with the old one on the same input.".to_owned(),
        format!("Paste it as a whole into {target}."),
    ]
}

/// The prompt in the layout that the target model reads; a picture's settings are moved when its words are changed.
fn in_form_of_target(base: &Base<'_>, brief: &GenerateBrief, mode: Mode) -> String {
    let prompt = base.prompt.replace("\r\n", "\n");
    let made_for_another = base.title.is_some() || brief.target_model.as_str() != "Universal";
    let is_text = !matches!(mode, Mode::Image | Mode::Video) && made_for_another;
    let converted = is_text.then(|| convert::text(&prompt, brief, mode)).flatten();
    converted.unwrap_or(prompt)
}

fn request(prompt: &str, brief: &GenerateBrief) -> PromptBrief {
    PromptBrief {
        prompt: prompt.to_owned(),
        context: String::new(),
        language: brief.language.clone(),
        target_model: brief.target_model,
        variations: 1,
        images: Vec::new(),
    }
}

/// What experts look for, for a prompt of the user's own.
fn criteria(base: &Base<'_>, brief: &GenerateBrief, goal: &Goal) -> Vec<String> {
    if base.title.is_some() {
        return Vec::new();
    }
    match language::locale(&brief.language).families.get(&goal.task.family) {
        Some(family) => family.guidance.clone(),
        None => goal.task.guidance.iter().take(4).cloned().collect(),
    }
}

/// The prompt without the advice that its former tone or readers brought with them.
fn without_advice(aspect: &str, prompt: &str, before: &str) -> String {
    let advice: Vec<&String> = facets(aspect)
        .iter()
        .flat_map(|facet| &facet.hints)
        .filter(|hint| before.contains(hint.as_str()))
        .collect();
    let is_advice = |line: &str| advice.iter().any(|hint| line.ends_with(hint.as_str()));
    prompt.split('\n').filter(|line| !is_advice(line)).collect::<Vec<_>>().join("\n")
}

/// The language of the brief, if the prompt is for answers in another one. English is what a brief has that names
/// none, so it takes back no language that was asked for.
fn missing_language(prompt: &str, base: &Base<'_>, brief: &GenerateBrief) -> Option<String> {
    let wanted = language::primary(&brief.language);
    let asked = language::respond_in(&brief.language);
    if wanted == "en" || prompt.contains(asked.trim_end_matches('.')) {
        return None;
    }
    let outline = Outline::of(prompt);
    let headings = outline.sections();
    let written = if outline.has_headings() {
        let locale = language::locale_of_text(prompt).unwrap_or_else(|| {
            language::locale_of_headings(headings.iter().map(|section| section.heading.as_str()))
        });
        language::tag_of_locale(locale)
    } else {
        language::detect_other_than_english(prompt).unwrap_or("en")
    };
    let asks_for_other = base.title.is_some() && language::asked_for(prompt);
    (written != wanted || asks_for_other).then(|| brief.language.clone())
}

/// The title with the words that were replaced in the prompt.
fn retitled(title: &str, replaced: &[(String, String)]) -> String {
    let mut words: Vec<String> = title.split(' ').map(str::to_owned).collect();
    for (old, new) in replaced {
        let old: Vec<&str> = old.split(' ').collect();
        let place = words.windows(old.len()).position(|part| {
            part.iter().zip(&old).all(|(word, old)| word.to_lowercase() == old.to_lowercase())
        });
        if let Some(at) = place {
            let new = if words[at].starts_with(char::is_uppercase) {
                split::capitalize(new)
            } else {
                new.clone()
            };
            words.splice(at..at + old.len(), [new]);
        }
    }
    words.join(" ")
}

/// The kind of the prompt that is continued.
fn kind_of(base: &Base<'_>, task: Option<&str>, goal: &Goal) -> Mode {
    if let Some(kind) = convert::visual_kind(base.prompt) {
        return kind;
    }
    // The goal may be an earlier instruction ("shorter, please"); then the task itself tells more.
    match task.map(|task| goal::read(task, Mode::Auto).task.mode) {
        Some(mode) if mode != Mode::General => mode,
        _ => goal.task.mode,
    }
}

/// The goal of a message that asks for another deliverable about the same matter.
///
/// "Instead write a press release about the same product": the task is stated anew, and what is known about
/// the matter stays.
pub fn restated(base: &Base<'_>, brief: &GenerateBrief) -> Option<Goal> {
    let parts = split::separate(&brief.message);
    let sentences = split::sentences(&parts.prose);
    let asked = pattern!(
        r"(?i)^(?:{continue.courtesy}[,!.]? )*(?P<lead>{continue.instead},? )?(?:{continue.polite} )*(?:{continue.write}(?: {continue.recipient})? |{continue.turn} {continue.it} {continue.into} )(?P<what>(?:{continue.article}|\d+) [^?]+?)(?P<trail>,? {continue.instead})?[.!?]?$"
    )
    .captures(sentences.first()?)?;
    let what = &asked["what"];
    if pattern!(r"(?i)^(?:{continue.article} )?{continue.no_deliverable}\b").is_match(what) {
        return None;
    }
    let outline = Outline::of(base.prompt);
    let before = outline.text(Part::Task).or_else(|| base.goal.map(str::to_owned))?;
    let before = goal::read(&before, Mode::Auto);
    let insists = asked.name("lead").is_some() || asked.name("trail").is_some();
    let request = format!("Write {what}");
    let wanted = task::recognise(&request, "", brief.mode, false);
    // "Make it a little warmer" names no deliverable.
    let compares =
        pattern!(r"(?i)^(?:{continue.article} )?\w+{continue.comparative}\b").is_match(what);
    if wanted.id == "general" && (compares || !insists) || !insists && wanted.id == before.task.id {
        return None;
    }
    let refers = pattern!(
        r"(?i)\b(?:{continue.same} (?:\w+)|(?P<lead>{continue.about}) {continue.matter})\b"
    );
    let named = pattern!(r"(?i)\b{continue.about}\b").is_match(&request);
    let subject = before.slots.subject.as_deref();
    let request = if refers.is_match(&request) {
        let subject = subject.unwrap_or("the matter described in the context");
        let words = |found: &patterns::Captures<'_>| match found.name("lead") {
            Some(lead) => format!("{} {subject}", lead.as_str()),
            None => subject.to_owned(),
        };
        refers.replace(&request, words).into_owned()
    } else {
        match subject.filter(|_| !named) {
            Some(subject) => format!("{request} about {subject}"),
            None => request,
        }
    };
    let mut message = stop(&request);
    for sentence in &sentences[1..] {
        message.push(' ');
        message.push_str(sentence);
    }
    let mut goal = goal::read(&message, brief.mode);
    goal.material = parts.material;
    let first = base.goal.map(|goal| goal::read(goal, Mode::Auto));
    goal.keep_facts_of(&before, &outline, first, language::locale(&brief.language));
    Some(goal)
}
