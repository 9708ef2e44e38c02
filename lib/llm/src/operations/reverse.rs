//! A prompt that would produce material like the given one.

use std::sync::LazyLock;

use domain::Timestamp;
use engine::{
    EngineError, EngineIdentity, KeyElement, Material, Recovery, Reversal, ReverseBrief,
    ReverseKind, TextStructure, Violation,
    page::{BlockRole, Page},
    tokens,
};
use serde::Deserialize;
use serde_json::{Map, json};

use super::parts::{self, Written};
use super::structure::Figures;
use crate::{
    answer_schema::{self, AnswerSchema},
    data::Block,
    model::{Model, Task},
};

const TEXT: &str = concat!(
    include_str!("../../prompts/data.md"),
    include_str!("../../prompts/prompt.md"),
    include_str!("../../prompts/reverse_text.md"),
);
const PAGE: &str = concat!(
    include_str!("../../prompts/data.md"),
    include_str!("../../prompts/prompt.md"),
    include_str!("../../prompts/reverse_page.md"),
);
const CLOSING_TEXT: &str =
    "Find the prompt behind the text in the block \"text\" as the system message says.";
const CLOSING_PAGE: &str =
    "Find the prompt behind the page in the block \"page\" as the system message says.";

static SCHEMA: LazyLock<AnswerSchema> = LazyLock::new(|| {
    let outline = answer_schema::list(
        0,
        40,
        answer_schema::text(300, "One part."),
        "What it is made of, in order.",
    );
    AnswerSchema::new(
        "reverse",
        answer_schema::object([
            ("description", answer_schema::text(1_500, "What was sent, in words.")),
            ("format", answer_schema::slug("Kind of text or page.")),
            ("outline", outline),
            ("keyElements", parts::elements_form()),
            ("prompt", parts::prompt_form()),
            ("confidence", answer_schema::share("How sure the prompt is.")),
            ("limitations", parts::sentences(1, 8, "What the result cannot know.")),
        ]),
    )
});

pub(crate) async fn reverse(
    model: &Model,
    brief: &ReverseBrief,
    until: Timestamp,
) -> Result<Reversal, EngineError> {
    let target = parts::about_target(brief.target_model);
    let settings = parts::settings(&brief.language, json!({}));
    let (kind, figures, task) = match &brief.material {
        Material::Text(text) => {
            let figures = Figures::of_text(text);
            let blocks = vec![settings, figures.block(), Block::new("text", text)];
            let task = Task {
                system: TEXT,
                target,
                closing: CLOSING_TEXT,
                blocks,
                images: &[],
                form: &SCHEMA,
            };
            (ReverseKind::Text, figures, task)
        }
        Material::Page(page) => {
            let figures = Figures::of_page(page);
            let blocks = vec![
                settings,
                figures.block(),
                Block::new("about_page", about(page)),
                Block::new("page", seen(page)),
            ];
            let task = Task {
                system: PAGE,
                target,
                closing: CLOSING_PAGE,
                blocks,
                images: &[],
                form: &SCHEMA,
            };
            (ReverseKind::Url, figures, task)
        }
        Material::Image(image) => {
            return super::vision::image(model, brief, image, until).await;
        }
        Material::Video { frames, seconds } => {
            return super::vision::video(model, brief, frames, *seconds, until).await;
        }
    };
    model
        .ask(task, until, |answer, engine, _| {
            let found: Found = parts::read(answer)?;
            let violations = found.violations(brief);
            parts::unless(violations, found.finish(brief, kind, &figures, engine))
        })
        .await
}

fn about(page: &Page) -> String {
    let about = json!({
        "url": page.url,
        "title": page.title,
        "description": page.description,
        "language": page.language,
    });
    format!("{about:#}")
}

/// The visible text of a page, one block per line.
fn seen(page: &Page) -> String {
    let lines: Vec<String> = page
        .blocks
        .iter()
        .map(|block| {
            let text = &block.text;
            match block.role {
                BlockRole::Heading(level) => {
                    format!("{} {text}", "#".repeat(usize::from(level.clamp(1, 6))))
                }
                BlockRole::Paragraph => text.clone(),
                BlockRole::ListItem => format!("- {text}"),
                BlockRole::TableRow => format!("| {text}"),
                BlockRole::Action => format!("[ {text} ]"),
                BlockRole::Field => format!("_ {text}"),
            }
        })
        .collect();
    lines.join("\n")
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Found {
    description: String,
    format: String,
    outline: Vec<String>,
    key_elements: Vec<KeyElement>,
    prompt: String,
    confidence: f64,
    limitations: Vec<String>,
}

impl Found {
    fn violations(&self, brief: &ReverseBrief) -> Vec<Violation> {
        let written = Written { prompt: &self.prompt, system_prompt: None, negative_prompt: None };
        let mut violations = written.violations(brief.target_model, "");
        if let Material::Text(text) = &brief.material
            && contains_most_of(&self.prompt, text)
        {
            let detail = "it contains the text; it must describe what to write";
            violations.push(Violation::new("copied", "/prompt", detail));
        }
        violations
    }

    fn finish(
        mut self,
        brief: &ReverseBrief,
        kind: ReverseKind,
        figures: &Figures,
        engine: EngineIdentity,
    ) -> Reversal {
        self.key_elements.sort_by(|one, other| other.confidence.total_cmp(&one.confidence));
        Reversal {
            kind,
            recovery: Recovery::Inferred,
            confidence: self.confidence,
            token_estimate: tokens::estimate(&self.prompt, brief.target_model),
            prompt: self.prompt,
            negative_prompt: None,
            parameters: Map::new(),
            provenance: None,
            description: self.description,
            key_elements: self.key_elements,
            style: None,
            shots: None,
            structure: Some(TextStructure {
                format: self.format,
                words: figures.words,
                sentences: figures.sentences,
                paragraphs: figures.paragraphs,
                list_items: figures.list_items,
                headings: figures.headings.clone(),
                outline: self.outline,
            }),
            limitations: self.limitations,
            language: brief.language.clone(),
            engine,
        }
    }
}

/// Whether the prompt contains more than half of the longer lines of a text. A text of less than
/// 200 characters may be quoted.
fn contains_most_of(prompt: &str, text: &str) -> bool {
    const SHORT: usize = 200;
    const LONGER: usize = 40;
    /// Enough lines to decide, and few enough to search for.
    const SAMPLE: usize = 40;
    if text.chars().count() < SHORT {
        return false;
    }
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| line.chars().count() >= LONGER)
        .take(SAMPLE)
        .collect();
    let copied = lines.iter().filter(|line| prompt.contains(**line)).count();
    copied * 2 > lines.len()
}
