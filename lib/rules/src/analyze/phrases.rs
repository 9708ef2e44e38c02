//! Finding the phrases of the lexicon in the words of a prompt.
//!
//! A phrase never leaves its sentence, and one that is negated ("not vague") is not found. Matching visits each word
//! once and tries only the phrases that can begin there, so it is linear in the length of the prompt.

use std::collections::HashMap;

use super::lexicon::{LEXICONS, Lexicon, Step};
use super::source::{Source, Word};
use super::span::Span;

/// A phrase in a prompt.
#[derive(Clone, Debug)]
pub struct Hit {
    /// The rule that it speaks for.
    pub rule: &'static str,
    /// Its extent.
    pub span: Span,
    /// Number of its sentence.
    pub sentence: usize,
}

/// Number of words that a row of steps takes from the beginning of `words`, if it fits.
fn length(steps: &[Step], words: &[Word]) -> Option<usize> {
    let Some((step, rest)) = steps.split_first() else { return Some(0) };
    match step {
        Step::Gap(most) => (0..=(*most).min(words.len()))
            .find_map(|gap| length(rest, &words[gap..]).map(|length| gap + length)),
        Step::Word { forms, optional } => {
            let taken = words
                .first()
                .filter(|word| forms.iter().any(|form| form.matches(&word.lower)))
                .and_then(|_| length(rest, &words[1..]).map(|length| length + 1));
            taken.or_else(|| if *optional { length(rest, words) } else { None })
        }
    }
}

/// The phrases in a prompt, in order; of those for one rule that overlap, only the first and longest.
pub fn hits(source: &Source<'_>) -> Vec<Hit> {
    let Some(lexicon) = LEXICONS.get(source.language) else { return Vec::new() };
    let mut found = Vec::new();
    let mut ends: HashMap<&str, usize> = HashMap::new();
    for (number, sentence) in source.sentences.iter().enumerate() {
        let words = source.words_of(sentence);
        for at in 0..words.len() {
            let known = lexicon.by_word.get(&words[at].lower).into_iter().flatten().copied();
            let begun = lexicon
                .by_prefix
                .iter()
                .filter(|(prefix, _)| words[at].lower.starts_with(prefix.as_str()))
                .map(|(_, index)| *index);
            let mut here: Vec<(&'static str, usize)> = Vec::new();
            for index in known.chain(begun) {
                let phrase = &lexicon.phrases[index];
                let Some(length) = length(&phrase.steps, &words[at..]).filter(|length| *length > 0)
                else {
                    continue;
                };
                let rule = phrase.rule.as_str();
                match here.iter_mut().find(|(known, _)| *known == rule) {
                    Some((_, known)) => *known = length.max(*known),
                    None => here.push((rule, length)),
                }
            }
            for (rule, length) in here {
                let span = Span::new(words[at].span.start, words[at + length - 1].span.end);
                if span.start >= ends.get(rule).copied().unwrap_or(0)
                    && !is_negated(lexicon, &source.prose, &words[at.saturating_sub(NEGATED)..=at])
                {
                    ends.insert(rule, span.end);
                    found.push(Hit { rule, span, sentence: number });
                }
            }
        }
    }
    found
}

/// Words over which a negation reaches.
const NEGATED: usize = 3;

/// Whether the last of the words is negated by one before it, with no comma between.
fn is_negated(lexicon: &Lexicon, prose: &str, words: &[Word]) -> bool {
    words
        .windows(2)
        .rev()
        .take_while(|pair| {
            !prose[pair[0].span.end..pair[1].span.start].contains([',', ';', ':', '，'])
        })
        .any(|pair| lexicon.negations.iter().any(|form| form.matches(&pair[0].lower)))
}
