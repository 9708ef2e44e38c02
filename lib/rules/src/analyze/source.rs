//! A prompt as rules see it: its own words apart from the material that it carries.

use super::mask::{self, Mask};
use super::span::Span;
use patterns::pattern;
use text::Cover;

/// A sentence, heading or list item of the prose.
#[derive(Clone, Copy, Debug)]
pub struct Sentence {
    /// Its extent without surrounding whitespace and list marks.
    pub span: Span,
    /// Its words, as a range of [`Source::words`].
    pub words: (usize, usize),
}

/// A word of the prose.
#[derive(Clone, Debug)]
pub struct Word {
    /// Its extent.
    pub span: Span,
    /// The word in small letters, with straight apostrophes.
    pub lower: String,
}

/// A prompt taken apart. All offsets are those of [`Source::text`].
pub struct Source<'a> {
    /// The prompt.
    pub text: &'a str,
    /// The prompt with spaces in place of quotations, code, material and variables, byte for byte.
    pub prose: String,
    /// What the spaces stand for.
    pub mask: Mask,
    /// The prose in order.
    pub sentences: Vec<Sentence>,
    /// The words of all sentences in order.
    pub words: Vec<Word>,
}

impl<'a> Source<'a> {
    /// Takes a prompt apart.
    pub fn of(text: &'a str) -> Self {
        let mask = mask::of(text);
        let prose = mask.blank(text);
        let mut source = Self { text, prose, mask, sentences: Vec::new(), words: Vec::new() };
        source.split();
        source
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &'a str {
        self.text.get(span.start..span.end).unwrap_or_default()
    }

    /// The prose of a span.
    pub fn prose_of(&self, span: Span) -> &str {
        self.prose.get(span.start..span.end).unwrap_or_default()
    }

    /// Offset behind the last visible character.
    pub fn end(&self) -> usize {
        self.text.trim_end().len()
    }

    fn split(&mut self) {
        let prose = std::mem::take(&mut self.prose);
        let word =
            pattern!(r"[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’-][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*");
        let mut offset = 0;
        for line in prose.split_inclusive('\n') {
            let hashes = line.len() - line.trim_start_matches([' ', '#']).len();
            let lead = text::list::marker(line).max(if line.starts_with('#') { hashes } else { 0 });
            for found in
                text::sentences_in(&prose, offset + lead..offset + line.len(), &Cover::default())
            {
                let text = prose[found.clone()].trim_end();
                let first = self.words.len();
                self.words.extend(word.find_iter(text).map(|word| Word {
                    span: Span::from(word.range()).moved(found.start),
                    lower: word.as_str().to_lowercase().replace('’', "'"),
                }));
                self.sentences.push(Sentence {
                    span: found.clone().into(),
                    words: (first, self.words.len()),
                });
            }
            offset += line.len();
        }
        self.prose = prose;
    }
}
