//! A prompt as rules see it: its own words apart from the material that it carries.

use engine::prompt::{Mask, Span, mask};
use text::Cover;

/// A prompt taken apart. All offsets are those of [`Source::text`].
pub struct Source<'a> {
    /// The prompt.
    pub text: &'a str,
    /// The prompt with spaces in place of quotations, code, material and variables, byte for byte.
    pub prose: String,
    /// What the spaces stand for.
    pub mask: Mask,
    /// The sentences, headings and list items of the prose in order, without surrounding whitespace and list marks.
    pub sentences: Vec<Span>,
}

impl<'a> Source<'a> {
    /// Takes a prompt apart.
    pub fn of(text: &'a str) -> Self {
        let mask = Mask::of(text);
        let prose = mask.blank(text);
        let mut sentences = Vec::new();
        for (span, line) in mask::lines(&prose) {
            let hashes = line.len() - line.trim_start_matches([' ', '#']).len();
            let lead = text::list::marker(line).max(if line.starts_with('#') { hashes } else { 0 });
            let found = text::sentences_in(&prose, span.start + lead..span.end, &Cover::default());
            sentences.extend(found.into_iter().map(Span::from));
        }
        Self { text, prose, mask, sentences }
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &'a str {
        self.text.get(span.start..span.end).unwrap_or_default()
    }

    /// The prose of a span.
    pub fn prose_of(&self, span: Span) -> &str {
        self.prose.get(span.start..span.end).unwrap_or_default()
    }
}
