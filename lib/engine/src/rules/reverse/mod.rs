//! Finding a prompt for a text, a page, a picture or a clip.
//!
//! The content is evidence and never instruction: it is measured, its kind, topic and voice are recognised,
//! and a prompt is composed from what was found. Of its words only short phrases reach the prompt, in
//! quotation marks, and none from sentences that command a language model.

mod appearance;
mod clip_prompt;
mod code;
mod describe;
mod document;
mod exact;
mod found;
mod genre;
mod image;
mod measure;
mod noise;
mod picture;
mod prompt;
mod signals;
mod topic;
mod video;
mod voice;
mod wording;
mod words;

use self::document::Document;
use self::found::Found;
use self::genre::{Genre, Recognised};
use self::measure::Measures;
use self::voice::Voice;
use self::wording::Words;
use super::identity;
use crate::page::BlockRole;
use crate::{
    EngineError, Material, ModelKind, Recovery, Reversal, ReverseBrief, ReverseKind, tokens,
    variables,
};

/// Most phrases that tell the topic.
const MOST_PHRASES: usize = 6;
/// Fewest variables of a template.
const FEWEST_VARIABLES: usize = 2;
/// Most variables that are carried over.
const MOST_VARIABLES: usize = 40;
/// How sure it is that a text in the form of a prompt is one.
const CERTAIN: f64 = 0.95;
/// Most labels of buttons that are named.
const MOST_ACTIONS: usize = 3;

/// What was found out about the content.
#[derive(Debug)]
struct Findings {
    document: Document,
    measures: Measures,
    voice: Voice,
    genre: &'static Genre,
    certainty: f64,
    /// English name of the readers, and whether the text itself names them.
    readers: (&'static str, bool),
    /// Key phrases, fit to be quoted.
    topics: Vec<String>,
    /// What the buttons of a page say, fit to be quoted.
    actions: Vec<String>,
    /// Whether it calls on its readers to act.
    calls: bool,
    programming_language: Option<&'static str>,
    /// English names of formatting conventions.
    formatting: Vec<&'static str>,
    /// English names of recurring devices.
    devices: Vec<&'static str>,
    /// Whether it opens with a salutation, and whether it closes with a formula.
    framed: (bool, bool),
    /// Whether its lines are verses.
    verse: bool,
    /// Names of its `{{variables}}`.
    variables: Vec<String>,
}

/// Finds a prompt that would produce something like the material.
///
/// # Errors
///
/// [`EngineError::Rejected`] if there is nothing to read in it, or a picture cannot be decoded.
pub fn reverse(brief: &ReverseBrief) -> Result<Reversal, EngineError> {
    match &brief.material {
        Material::Text(_) | Material::Page(_) => written(brief),
        Material::Image(image) => image::reverse(image, brief),
        Material::Video { frames, seconds } => video::reverse(frames, *seconds, brief),
    }
}

/// Finds a prompt for a text or a page.
fn written(brief: &ReverseBrief) -> Result<Reversal, EngineError> {
    let Some(document) = Document::read(&brief.material) else {
        let reason = match brief.material {
            Material::Page(_) => "the page shows no text without running its scripts",
            _ => "the text has no letters or digits",
        };
        return Err(EngineError::Rejected { reason: reason.to_owned() });
    };
    let own = match &brief.material {
        Material::Text(text) => found::find(&document, text, brief.target_model),
        _ => None,
    };
    let findings = examine(document);
    let words = Words::of(&brief.language);
    if let Some(own) = own {
        return Ok(recovered(own, &findings, brief, &words));
    }
    let model = brief.target_model.model();
    let visual = matches!(model.kind, ModelKind::Image | ModelKind::Video);
    let (prompt, negative_prompt, parameters) = if visual {
        let draft = picture::compose(&findings, brief)?;
        (draft.prompt, draft.negative_prompt, draft.parameters)
    } else {
        (prompt::compose(&findings, brief, &words), None, model.parameters.clone())
    };
    Ok(Reversal {
        kind: if findings.document.page { ReverseKind::Url } else { ReverseKind::Text },
        recovery: Recovery::Inferred,
        confidence: describe::confidence(&findings),
        token_estimate: tokens::estimate(&prompt, brief.target_model),
        prompt,
        negative_prompt,
        parameters,
        provenance: None,
        description: describe::description(&findings, &words),
        key_elements: describe::key_elements(&findings, &words),
        style: None,
        shots: None,
        structure: Some(describe::structure(&findings, &words)),
        limitations: describe::limitations(&findings, brief, &words),
        language: words.tag().to_owned(),
        engine: identity(),
    })
}

/// What a text gives back that is the prompt itself.
fn recovered(own: Found, findings: &Findings, brief: &ReverseBrief, words: &Words) -> Reversal {
    let limitation = if own.visual {
        words.say("The prompt stands in the text; settings that it does not name are unknown.", &[])
    } else {
        words.say("The text is a prompt itself and is given back as it stands.", &[])
    };
    let mut structure = describe::structure(findings, words);
    structure.format = if own.visual { "image_prompt" } else { "prompt" }.to_owned();
    Reversal {
        kind: ReverseKind::Text,
        recovery: Recovery::Exact,
        confidence: CERTAIN,
        token_estimate: tokens::estimate(&own.prompt, brief.target_model),
        description: describe::prompt(&own, findings, words),
        key_elements: describe::prompt_elements(&own, findings, words),
        prompt: own.prompt,
        negative_prompt: own.negative,
        parameters: own.parameters,
        provenance: Some(own.provenance),
        style: None,
        shots: None,
        structure: Some(structure),
        limitations: vec![limitation],
        language: words.tag().to_owned(),
        engine: identity(),
    }
}

fn examine(document: Document) -> Findings {
    let prose = document.prose();
    let list = words::words(&prose);
    let measures = Measures::of(&document, &prose, &list);
    let mut voice = voice::listen(&list, document.language.as_deref(), &measures);
    let lower = genre::sample(&document.raw);
    let signals = signals::signals(&document, &measures, &voice, &lower);
    let Recognised { genre, certainty } = genre::recognise(&lower, &signals, document.page);
    let subject = noise::subject_matter(&document);
    let telling = words::words(&subject);
    let mut topics: Vec<String> = topic::phrases(&document, &telling, MOST_PHRASES)
        .into_iter()
        .map(|phrase| topic::quotable(&phrase.text))
        .filter(|phrase| !phrase.is_empty())
        .collect();
    if topics.is_empty() {
        topics = code::names(&document.code, MOST_PHRASES);
    }
    let mut actions: Vec<String> = Vec::new();
    for block in document.blocks.iter().filter(|block| block.role == BlockRole::Action) {
        let label = topic::quotable(&block.text);
        if actions.len() < MOST_ACTIONS && label.chars().count() <= 40 && !actions.contains(&label)
        {
            actions.push(label);
        }
    }
    let markdown = !document.page;
    let formatting = [
        ("Markdown headings", markdown && document.raw.contains("# ") && measures.headings > 0),
        ("headings", !(markdown && document.raw.contains("# ")) && measures.headings > 0),
        ("numbered lists", measures.numbered >= 2),
        ("bulleted lists", measures.items >= measures.numbered + 2),
        ("tables", measures.rows >= 2),
        ("bold text", measures.bold),
        ("code blocks", signals.contains("fenced")),
        ("emojis", measures.emojis >= 2),
        ("hashtags", measures.hashtags >= 2),
        ("links", measures.links >= 2),
    ];
    let calls = signals::calls(&lower) > 0;
    let devices = [
        ("questions to the reader", measures.questions >= 2),
        ("calls to action", calls),
        ("figures and numbers", measures.numbers >= 6),
        ("direct speech", measures.speech >= 2),
        ("exclamations", measures.exclamations >= 2),
        ("rhymes", signals.contains("rhyme") && signals.contains("verse")),
    ];
    let present = |list: &[(&'static str, bool)]| -> Vec<&'static str> {
        list.iter().filter(|(_, is)| *is).map(|(name, _)| *name).collect()
    };
    if genre.family == "creative" {
        // The word lists hear everyday tones only; verse and fiction have others.
        voice.tones.retain(|tone| *tone != "factual");
    }
    let prose_like = !matches!(genre.family.as_str(), "data") && genre.id != "program";
    Findings {
        readers: genre::readers(&lower, genre),
        programming_language: code::language(&document.code),
        formatting: if prose_like { present(&formatting) } else { Vec::new() },
        devices: if prose_like { present(&devices) } else { Vec::new() },
        framed: (signals.contains("greeting"), signals.contains("signoff")),
        verse: signals.contains("verse"),
        variables: placeholders(&document.raw),
        calls,
        topics,
        actions,
        genre,
        certainty,
        measures,
        voice,
        document,
    }
}

/// The first variables of a template, whose names cannot be taken for anything else. A single marker makes no
/// template.
fn placeholders(text: &str) -> Vec<String> {
    let names = variables::find(text);
    if names.len() < FEWEST_VARIABLES {
        return Vec::new();
    }
    names
        .into_iter()
        .map(|found| found.name.to_owned())
        .filter(|name| name.split_whitespace().count() <= 4 && name.chars().count() <= 60)
        .filter(|name| !document::commands_a_model(name))
        .take(MOST_VARIABLES)
        .collect()
}

impl Findings {
    /// Whether tone, person and the like mean anything for it.
    fn speaks(&self) -> bool {
        self.genre.family != "data" && self.genre.id != "program"
    }
}

/// Names that are said by way of variables, for checking that all are translated.
#[cfg(test)]
fn names() -> Vec<&'static str> {
    vec![
        "an image prompt",
        "a prompt",
        "friendly",
        "persuasive",
        "enthusiastic",
        "urgent",
        "critical",
        "authoritative",
        "instructive",
        "humorous",
        "melancholy",
        "narrative",
        "factual",
        "formal",
        "informal",
        "neutral",
        "present",
        "past",
        "future",
        "second person, the reader is addressed",
        "first person plural",
        "first person singular",
        "third person",
        "Markdown headings",
        "headings",
        "numbered lists",
        "bulleted lists",
        "tables",
        "bold text",
        "code blocks",
        "emojis",
        "hashtags",
        "links",
        "questions to the reader",
        "calls to action",
        "figures and numbers",
        "direct speech",
        "exclamations",
        "rhymes",
        "easy to read",
        "of medium difficulty",
        "demanding",
        "English",
        "German",
        "French",
        "Spanish",
        "Italian",
        "Portuguese",
        "Dutch",
        "Polish",
        "Russian",
        "Ukrainian",
        "Turkish",
        "Arabic",
        "Chinese",
        "Japanese",
        "Korean",
    ]
}
