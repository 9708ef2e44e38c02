//! What the caller says about the use of a prompt, as far as the prompt lacks it.

use std::collections::HashSet;

use super::material;
use crate::integrity::scan;
use crate::rules::dialect::{Part, Piece, bullets, fence};
use crate::rules::pattern::regex;
use crate::rules::wording::Tongue;
use crate::rules::{goal, slots, split};

/// More facts than this are given as one block instead of a list.
const MOST_LISTED: usize = 12;

/// Facts and settings out of the context of a request.
#[derive(Debug, Default)]
pub struct Facts {
    /// Sentences that the prompt does not have, word for word.
    pub sentences: Vec<String>,
    /// Readers that only the context names.
    pub audience: Option<String>,
    /// Tone that only the context names.
    pub tone: Option<String>,
    /// Length that only the context names.
    pub length: Option<String>,
    /// Format that only the context names.
    pub format: Option<String>,
}

impl Facts {
    /// Reads the context. Sentences that try to command a model are facts about nothing and are left out.
    pub fn of(context: &str, prompt: &str) -> Self {
        if context.trim().is_empty() {
            return Self::default();
        }
        let plain = |text: &str| split::squeeze(text).to_lowercase();
        let literals = scan(context);
        let held = literals.cover(context.len());
        let said = scan(prompt);
        let known: HashSet<String> = material::sentences(prompt, &said.cover(prompt.len()))
            .into_iter()
            .map(|range| plain(&prompt[range]))
            .collect();
        let mut seen = HashSet::new();
        let sentences: Vec<String> = material::sentences(context, &held)
            .into_iter()
            .map(|range| context[range].to_owned())
            .filter(|sentence| sentence.chars().any(char::is_alphanumeric))
            .filter(|sentence| !goal::is_takeover(sentence) && !goal::is_pleasantry(sentence))
            .filter(|sentence| !known.contains(&plain(sentence)) && seen.insert(plain(sentence)))
            .collect();
        let (own, stated) = (slots::read(&beginning(context)), slots::read(&beginning(prompt)));
        let unless = |own: Option<String>, stated: Option<String>| own.filter(|_| stated.is_none());
        Self {
            sentences,
            audience: unless(own.audience, stated.audience),
            tone: unless(own.tone, stated.tone),
            length: unless(own.length, stated.length),
            format: unless(own.format.or_else(|| labelled_format(context)), stated.format),
        }
    }

    /// The settings as requirements in the prompt's language.
    pub fn lines(&self, tongue: Tongue) -> Vec<String> {
        [
            ("audience", &self.audience),
            ("tone", &self.tone),
            ("length", &self.length),
            ("format", &self.format),
        ]
        .into_iter()
        .filter_map(|(name, value)| tongue.line(name, value.as_deref()?))
        .collect()
    }

    /// Puts the facts beside the prompt's own, marked as information, and the settings among the
    /// requirements.
    pub fn place(&self, pieces: &mut Vec<Piece>, tongue: Tongue) {
        let lines = self.lines(tongue);
        if !lines.is_empty() {
            let list = bullets(&lines);
            match pieces.iter_mut().find(|piece| piece.part == Part::Requirements) {
                Some(piece) => piece.text = format!("{}\n{list}", piece.text),
                None => pieces.push(Piece { part: Part::Requirements, text: list }),
            }
        }
        if self.sentences.is_empty() {
            return;
        }
        let facts = if self.sentences.len() > MOST_LISTED {
            fence(&self.sentences.join("\n"))
        } else {
            bullets(&self.sentences)
        };
        let facts = [tongue.background(), &facts].join("\n").trim().to_owned();
        match pieces.iter_mut().find(|piece| piece.part == Part::Context) {
            Some(piece) => piece.text = format!("{}\n\n{facts}", piece.text),
            None => pieces.push(Piece { part: Part::Context, text: facts }),
        }
    }
}

/// "Format: markdown table".
fn labelled_format(context: &str) -> Option<String> {
    let found =
        regex!(r"(?im)\b(?:output )?format(?:o)?: ?(?P<v>[^.;\n]{3,60})").captures(context)?;
    Some(found["v"].trim().to_owned())
}

fn beginning(text: &str) -> String {
    text.chars().take(3000).collect()
}
