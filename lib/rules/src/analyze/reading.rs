//! A prompt as rules read it.

use super::source::Source;
use crate::visual;
use engine::constraints::{self, Statement};
use engine::prompt::Span;
use engine::prompt::mask::Kind;
use engine::{ModelKind, TargetModel};
use patterns::{Pattern, pattern};

/// What a prompt is to bring about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Medium {
    /// A text, code included.
    Text,
    /// A picture.
    Image,
    /// A clip.
    Video,
}

/// A prompt with what was read of it.
pub struct Reading<'a> {
    /// The prompt taken apart.
    pub source: Source<'a>,
    /// The model that it is for.
    pub target: TargetModel,
    /// What it is to bring about, with this model.
    pub medium: Medium,
    /// What its request asks for, whatever the model.
    pub asked: Medium,
    /// The variables with their names, `{{so}}` or `{so}`.
    pub variables: Vec<(Span, &'a str)>,
    /// Constraints that can be checked.
    pub constraints: Vec<Statement>,
    /// Whether anything that the prompt may point to comes along with it.
    pub attached: bool,
}

/// Bytes on either side of a place in which a condition is looked for.
const NEAR: usize = 200;
/// Bytes of a prompt in which its request is looked for.
const READ: usize = 400;

impl<'a> Reading<'a> {
    /// Reads a prompt; something is `attached` where pictures, files or explanations go with it.
    pub fn of(prompt: &'a str, target: TargetModel, attached: bool) -> Self {
        let source = Source::of(prompt);
        let head = text::head(&source.prose, READ);
        let asked = if visual::asks::for_image(head) {
            Medium::Image
        } else if visual::asks::for_video(head) {
            Medium::Video
        } else {
            Medium::Text
        };
        let medium = match target.model().kind {
            ModelKind::Image => Medium::Image,
            ModelKind::Video => Medium::Video,
            ModelKind::Universal => asked,
            ModelKind::Text => Medium::Text,
        };
        Self {
            medium,
            asked,
            variables: variables(&source),
            constraints: constraints::extract(source.text),
            source,
            target,
            attached,
        }
    }

    /// The constraints that are stated without quotations and other material.
    pub fn plain_constraints(&self) -> impl Iterator<Item = &Statement> {
        let Source { text, prose, .. } = &self.source;
        self.constraints
            .iter()
            .filter(move |one| text[one.start..one.end] == prose[one.start..one.end])
    }

    /// The matches of a pattern in the prose.
    pub fn all(&self, pattern: Pattern) -> impl Iterator<Item = Span> + '_ {
        pattern.find_iter(&self.source.prose).map(|found| found.range().into())
    }

    /// The number of the sentence that holds an offset, and its extent.
    pub fn sentence_at(&self, offset: usize) -> (usize, Span) {
        let sentences = &self.source.sentences;
        let number = sentences.partition_point(|sentence| sentence.end <= offset);
        let whole = Span::new(0, self.source.text.len());
        (number, sentences.get(number).copied().unwrap_or(whole))
    }

    /// Whether two places are in one sentence.
    pub fn together(&self, one: Span, other: Span) -> bool {
        self.sentence_at(one.start).0 == self.sentence_at(other.start).0
    }

    /// What stands before a place in its sentence.
    pub fn before(&self, place: Span) -> &str {
        let (_, sentence) = self.sentence_at(place.start);
        &self.source.prose[sentence.start.min(place.start)..place.start]
    }

    /// Whether the words before a place, in its sentence, turn it into its opposite.
    pub fn is_negated(&self, place: Span) -> bool {
        pattern!(r"(?i)\b{analyze.negation}\b[^.,;:\n]{0,25}$")
            .is_match(text::tail(self.before(place), 48))
    }

    /// Whether a place holds under a condition only, or for a part.
    pub fn is_conditional(&self, place: Span) -> bool {
        let (_, sentence) = self.sentence_at(place.start);
        let prose = &self.source.prose;
        let behind = &prose[place.end..sentence.end.max(place.end)];
        pattern!(r"(?i)\b{analyze.condition}\b|{analyze.condition_scripted}").is_match(text::tail(self.before(place), NEAR))
            || pattern!(r"(?i)^[^,.;:\n]{0,40}?(?:(?P<and>\b(?:{analyze.and}|{analyze.even})) )?\b{analyze.condition}\b|^[^。\n]{0,12}{analyze.condition_scripted}")
                .captures(text::head(behind, NEAR))
                .is_some_and(|found| found.name("and").is_none())
    }
}

/// Variables anywhere but in code and addresses; `{{so}}` in code and `{so}` in a template of Python, too.
fn variables<'a>(source: &Source<'a>) -> Vec<(Span, &'a str)> {
    let marker = pattern!(r"\{\{[^{}\n]{1,160}\}\}|\{[\p{L}_][\p{L}\d_.-]{0,60}\}");
    let is_template = source.text.contains("f\"\"\"");
    let in_code =
        |span: &Span| !is_template && source.mask.holds(*span, &[Kind::Fence, Kind::Code]);
    marker
        .find_iter(source.text)
        .map(|found| Span::from(found.range()))
        .filter(|span| source.slice(*span).starts_with("{{") || !in_code(span))
        .map(|span| (span, source.slice(span).trim_matches(['{', '}']).trim()))
        .filter(|(_, name)| {
            let steers = pattern!(r"^(?:[#/!>^&%-]|(?:else|end|range|len|if|with)\b)");
            !steers.is_match(name)
        })
        .collect()
}
