//! A prompt under change, and the edits of its words.

use std::cell::OnceCell;
use std::ops::Range;

use regex::{Match, Regex, RegexBuilder};

use super::lengths::{Length, lengths};
use super::place::{self, Line};
use super::speech;
use crate::material;
use crate::split::capitalize;
use crate::wording::{Tongue, Voice};
use engine::changes::Edits;
use engine::{Change, FeedbackStatus};
use patterns::pattern;
use text::{Cover, Literals, literals::scan};

/// Longest text that is searched for, in characters.
const LONGEST_NEEDLE: usize = 400;

/// Steps that it takes to compile a byte of it.
const COMPILING: usize = 1_000;

/// Bytes that are searched for a literal in a step.
const BYTES_A_STEP: usize = 4;

/// So many bytes on either side of a place tell how it can be taken out.
const VICINITY: usize = 400;

/// What became of a point, and why.
pub type Outcome = (FeedbackStatus, String);

/// A prompt with the edits that feedback asks for.
pub struct Work<'a> {
    /// The prompt as it was.
    pub prompt: &'a str,
    /// Its language.
    pub tongue: Tongue,
    /// The language of reasons.
    pub voice: &'a Voice,
    /// Whether words of the prompt may be changed, or requirements be added only.
    pub rewords: bool,
    /// Edits so far.
    pub edits: Edits<'a>,
    /// Requirements to add.
    pub lines: Vec<Line>,
    literals: Literals,
    /// What the author did not say himself: code, variables, addresses, quotations, supplied content.
    held: Cover,
    /// Places where a replacement would break something.
    rigid: Cover,
    supplied: Cover,
    /// Tag of the feedback's language, `und` if it cannot be told.
    speech: &'static str,
    /// What the changes are meant to take away.
    gone: String,
    sentences: OnceCell<Vec<Range<usize>>>,
    lengths: OnceCell<Vec<Length>>,
}

impl<'a> Work<'a> {
    /// A prompt without edits.
    pub fn new(prompt: &'a str, feedback: &str, voice: &'a Voice, rewords: bool) -> Self {
        let literals = scan(prompt);
        let supplied = material::supplied(prompt, &literals);
        let length = prompt.len();
        let held = Cover::of(
            length,
            &[
                &literals.code,
                &literals.variables,
                &literals.addresses,
                &literals.quotations,
                &supplied,
            ],
        );
        Self {
            rigid: Cover::of(length, &[&literals.code, &literals.variables, &literals.addresses]),
            supplied: Cover::of(length, &[&supplied]),
            held,
            literals,
            tongue: speech::tongue_of(prompt, feedback),
            speech: speech::of(feedback),
            voice,
            rewords,
            edits: Edits::new(prompt),
            lines: Vec::new(),
            gone: String::new(),
            sentences: OnceCell::new(),
            lengths: OnceCell::new(),
            prompt,
        }
    }

    /// The reason of a refusal.
    pub fn refused(&self, reason: &str, values: &[&str]) -> Outcome {
        (FeedbackStatus::NotApplied, self.voice.say(reason, values))
    }

    /// The reason of a success.
    pub fn applied(&self, reason: &str, values: &[&str]) -> Outcome {
        (FeedbackStatus::Applied, self.voice.say(reason, values))
    }

    /// The reason of half a success.
    pub fn partly(&self, reason: &str, values: &[&str]) -> Outcome {
        (FeedbackStatus::PartlyApplied, self.voice.say(reason, values))
    }

    /// Whether a remark is surely in another language than the prompt.
    pub fn is_foreign(&self, remark: &str) -> bool {
        speech::differs(remark, self.prompt, self.tongue, self.speech)
    }

    /// Adds a requirement, unless the prompt or another line has it; tells whether it is new.
    pub fn add_line(&mut self, text: &str, reason: &str) -> bool {
        let known = self.lines.iter().any(|line| line.text == text) || self.prompt.contains(text);
        if !known {
            self.lines.push(Line { text: text.to_owned(), reason: reason.to_owned() });
        }
        !known
    }

    /// The sentences and list items of the author.
    pub fn sentences(&self) -> &[Range<usize>] {
        self.sentences.get_or_init(|| {
            let mut list = text::sentences(self.prompt, &self.held);
            list.retain(|range| !self.supplied.touches(range));
            list
        })
    }

    /// The sentence or item that a place lies in.
    pub fn sentence_at(&self, place: &Range<usize>) -> Option<Range<usize>> {
        let list = self.sentences();
        let sentence = list.get(list.partition_point(|sentence| sentence.end < place.end))?;
        (sentence.start <= place.start).then(|| sentence.clone())
    }

    /// What stands around a place in its sentence, so that a very long one is not read for each place in it.
    pub fn vicinity(&self, sentence: &Range<usize>, place: &Range<usize>) -> Range<usize> {
        let mut from = place.start.saturating_sub(VICINITY).max(sentence.start);
        let mut to = (place.end + VICINITY).min(sentence.end);
        while !self.prompt.is_char_boundary(from) {
            from -= 1;
        }
        while !self.prompt.is_char_boundary(to) {
            to += 1;
        }
        from..to
    }

    /// The lengths that the author states.
    pub fn lengths(&self) -> &[Length] {
        self.lengths.get_or_init(|| {
            let mut list = lengths(self.prompt);
            list.retain(|known| !self.is_held(&known.range));
            list
        })
    }

    /// Whether a place belongs to code, a quotation or the like.
    pub fn is_held(&self, range: &Range<usize>) -> bool {
        self.held.touches(range)
    }

    /// Where a text stands, at word boundaries and in any case: in the author's own words and quotations,
    /// else in supplied content. Variables, addresses and code are left out.
    pub fn places(&self, text: &str) -> Vec<Range<usize>> {
        let Some(pattern) = phrase(text) else { return Vec::new() };
        let all: Vec<Range<usize>> = pattern
            .find_iter(self.prompt)
            .map(|found| found.range())
            .filter(|range| !self.rigid.touches(range))
            .collect();
        let own: Vec<Range<usize>> =
            all.iter().filter(|range| !self.supplied.touches(range)).cloned().collect();
        if own.is_empty() { all } else { own }
    }

    /// Whether a text stands in code.
    pub fn is_in_code(&self, text: &str) -> bool {
        let code = Cover::of(self.prompt.len(), &[&self.literals.code]);
        phrase(text).is_some_and(|pattern| {
            pattern.find_iter(self.prompt).any(|found| code.touches(&found.range()))
        })
    }

    /// Exchanges the text in `range`; what goes with it is not missed.
    pub fn exchange(&mut self, range: Range<usize>, new: &str, reason: &str) -> bool {
        if !self.rewords || !self.edits.add(range.clone(), new, reason, None) {
            return false;
        }
        self.waive(&range);
        true
    }

    /// Lets go of what the author asked to change: the words themselves, and quotations and code that have
    /// them.
    fn waive(&mut self, range: &Range<usize>) {
        let touching = |list: &[Range<usize>]| -> Vec<Range<usize>> {
            let first = list.partition_point(|literal| literal.end <= range.start);
            list[first..].iter().take_while(|literal| literal.start < range.end).cloned().collect()
        };
        let literals = [
            touching(&self.literals.quoted),
            touching(&self.literals.code_text),
            touching(&self.literals.numbers),
            vec![range.clone()],
        ]
        .concat();
        for literal in literals {
            self.gone.push_str(&self.prompt[literal]);
            self.gone.push('\n');
        }
    }

    /// A variable, address or code in `range` that stands nowhere else and that the remark does not name.
    pub fn only_copy(&self, range: &Range<usize>, remark: &str) -> Option<String> {
        let lists = [&self.literals.variables, &self.literals.addresses, &self.literals.code];
        let inside = lists.into_iter().flat_map(|list| {
            let first = list.partition_point(|literal| literal.start < range.start);
            list[first..].iter().take_while(|literal| literal.end <= range.end)
        });
        let literal = inside.into_iter().find(|literal| {
            let text = self.prompt[(*literal).clone()].trim_matches(['{', '}', ' ', '`', '\n']);
            let stands = |part: &str| {
                budget::spend(part.len() / BYTES_A_STEP);
                part.contains(text)
            };
            !stands(remark)
                && !stands(&self.prompt[..range.start])
                && !stands(&self.prompt[range.end..])
        })?;
        Some(self.prompt[literal.clone()].trim().chars().take(60).collect())
    }

    /// A sentence or item with the space, bullet and line break that go with it.
    pub fn whole(&self, sentence: &Range<usize>) -> Range<usize> {
        let line = self.prompt[..sentence.start].rfind('\n').map_or(0, |at| at + 1);
        let lead = &self.prompt[line..sentence.start];
        let tail = &self.prompt[sentence.end..];
        let ends = tail.is_empty() || tail.starts_with(['\n', '\r']);
        let alone = pattern!(r"^\s*(?:(?:[-*•–]|\(?\d{1,3}[.)]|[a-z]\))\s+)?$").is_match(lead);
        if alone && ends {
            return match (line, tail.find('\n')) {
                (0, Some(at)) => 0..sentence.end + at + 1,
                (0, None) => 0..sentence.end,
                _ => line - if self.prompt[..line].ends_with("\r\n") { 2 } else { 1 }..sentence.end,
            };
        }
        if alone {
            return sentence.start
                ..sentence.end + (tail.len() - tail.trim_start_matches(' ').len());
        }
        sentence.start - (lead.len() - lead.trim_end().len())..sentence.end
    }

    /// A word or phrase with one of the spaces around it.
    pub fn with_space(&self, range: &Range<usize>) -> Range<usize> {
        let before = self.prompt[..range.start].ends_with(' ');
        let next = self.prompt[range.end..].chars().next();
        match next {
            Some(' ') if range.start == 0 || before => range.start..range.end + 1,
            None | Some('.' | ',' | ';' | ':' | '!' | '?' | '\n' | '\r' | ')') if before => {
                range.start - 1..range.end
            }
            _ => range.clone(),
        }
    }

    /// Whether a sentence is an item of a list or a line behind a label.
    pub fn is_item(&self, sentence: &Range<usize>) -> bool {
        let line = self.prompt[..sentence.start].rfind('\n').map_or(0, |at| at + 1);
        !self.prompt[line..sentence.start].trim().is_empty()
            && self.whole(sentence).start < line.max(1)
    }

    /// The quotation whose words are exactly these.
    pub fn quotation_of(&self, range: &Range<usize>) -> Option<Range<usize>> {
        let quoted = &self.literals.quoted;
        let at = quoted.partition_point(|quoted| quoted.start < range.start);
        let is = quoted.get(at).is_some_and(|quoted| quoted == range);
        if is { self.literals.quotations.get(at).cloned() } else { None }
    }

    /// Every `{{marker}}` that names the variable, tags of templates included: the place of the name.
    pub fn markers(&self, name: &str) -> Vec<(Range<usize>, Range<usize>)> {
        pattern!(r"\{\{[ \t]*(?:[#/^&]\s*(?:(?:if|unless|each|with) )?)?(?P<n>[^{}\n]+?)[ \t]*\}\}")
            .captures_iter(self.prompt)
            .filter_map(|found| {
                let (whole, inner) = (found.get(0)?, found.name("n")?);
                (inner.as_str() == name).then(|| (whole.range(), inner.range()))
            })
            .collect()
    }

    /// The changes and what they take away deliberately.
    pub fn finish(mut self) -> (String, Vec<Change>, String) {
        let lines = std::mem::take(&mut self.lines);
        place::add(&mut self.edits, self.prompt, &lines, self.tongue);
        (self.edits.result(), self.edits.changes(), self.gone)
    }
}

/// A text at word boundaries, in any case and with any space between its words.
pub struct Phrase(Regex);

impl Phrase {
    /// Where it stands in a text.
    pub fn find_iter<'t>(&self, text: &'t str) -> impl Iterator<Item = Match<'t>> {
        budget::spend(text.len());
        self.0.find_iter(text)
    }

    /// Where it stands in a text first.
    pub fn find<'t>(&self, text: &'t str) -> Option<Match<'t>> {
        self.find_iter(text).next()
    }

    /// Whether it stands in a text.
    pub fn is_in(&self, text: &str) -> bool {
        self.find(text).is_some()
    }
}

/// A text as a phrase, if it is short enough and has letters.
pub fn phrase(text: &str) -> Option<Phrase> {
    let text = text.trim();
    let letters = text.chars().filter(|c| c.is_alphanumeric() || !c.is_ascii()).count();
    if letters == 0 || text.chars().count() > LONGEST_NEEDLE {
        return None;
    }
    // Scripts without spaces between words have no word boundaries either.
    let edge = |character: Option<char>| match character {
        Some(c) if c.is_alphanumeric() && c < '\u{2e80}' => r"\b",
        _ => "",
    };
    let words: Vec<String> = text.split_whitespace().map(regex::escape).collect();
    let pattern = format!(
        "{}{}{}",
        edge(text.chars().next()),
        words.join(r"\s+"),
        edge(text.chars().next_back())
    );
    budget::spend(COMPILING * pattern.len());
    RegexBuilder::new(&pattern).case_insensitive(true).build().ok().map(Phrase)
}

/// A new text in the case of the old one where that begins a sentence.
pub fn in_case(old: &str, named: &str, new: &str) -> String {
    let raised = old.starts_with(char::is_uppercase) && !named.starts_with(char::is_uppercase);
    if raised { capitalize(new) } else { new.to_owned() }
}
