//! A statement in its prompt, and whose it is.

use std::ops::Range;

use engine::prompt::Mask;
use patterns::pattern;
use text::{Cover, head, literals, sentences, tail};

/// Bytes of a sentence around a statement that tell whose it is.
const CONTEXT_BYTES: usize = 240;
/// Bytes before a statement in which the line is looked for that it stands below.
const HEAD_BYTES: usize = 800;
/// Signs that end a sentence.
const ENDS: [char; 9] = ['.', '!', '?', '\n', ';', '。', '！', '？', '；'];

/// A prompt as statements are looked at in it.
pub struct Prompt<'a> {
    pub text: &'a str,
    /// The same, with spaces in the place of what states something or is quoted.
    pub blanked: String,
    sentences: Vec<Range<usize>>,
    material: Cover,
    /// How many sentences order a text or a choice.
    pub orders: usize,
}

impl<'a> Prompt<'a> {
    /// A prompt with what is `stated` in it, in bytes.
    pub fn of(text: &'a str, stated: &[Range<usize>]) -> Self {
        let literals = literals::scan(text);
        let held = literals.cover();
        let mut blanked = text.as_bytes().to_vec();
        for range in stated.iter().chain(&literals.quotations).chain(&literals.code) {
            blanked[range.clone()].fill(b' ');
        }
        let blanked = String::from_utf8(blanked).unwrap_or_default();
        let material = Cover::of(&[
            &literals.code,
            &literals.quotations,
            &literals.variables,
            &material(text),
        ]);
        let mut found =
            Self { text, blanked, sentences: sentences(text, &held), material, orders: 0 };
        let chooses =
            pattern!(r"(?i)^\W*(?:{constraint_format.choose}|{constraint_format.classify})");
        let orders = |range: &&Range<usize>| {
            let sentence = &text[(*range).clone()];
            orders_text(sentence) || chooses.is_match(sentence)
        };
        found.orders = found.demands().filter(orders).count();
        found
    }

    /// Its sentences outside material.
    pub fn demands(&self) -> impl Iterator<Item = &Range<usize>> {
        self.sentences
            .iter()
            .filter(|range| !self.material.touches(&(range.start..range.start + 1)))
    }

    /// What stands in it at a range of bytes; none within material.
    pub fn statement(&self, place: Range<usize>) -> Option<Statement<'_>> {
        let next = self.sentences.partition_point(|range| range.end <= place.start);
        let sentence = self.sentences.get(next).filter(|range| range.start <= place.start)?;
        if self.material.touches(&(place.start..place.start + 1)) || place.end > sentence.end + 1 {
            return None;
        }
        let end = place.end.min(sentence.end);
        let line = self.line(sentence);
        let above = tail(&self.text[..sentence.start], HEAD_BYTES);
        let same = above.rsplit('\n').next().unwrap_or_default().trim_end().trim_end_matches(ENDS);
        let before = tail(&self.blanked[sentence.start..place.start], CONTEXT_BYTES);
        let behind = head(&self.blanked[end..sentence.end], CONTEXT_BYTES);
        let left = pattern!(r"(?i)[,，、;；]|\b{check_scope.reason}\b");
        let right = pattern!(r"(?i)[,，、;；:：(（){\[]|\s[–—-]\s|\b{check_scope.reason}\b");
        Some(Statement {
            prompt: self,
            sentence: head(&self.text[sentence.clone()], 2 * CONTEXT_BYTES),
            quote: &self.text[place.start..end],
            before,
            behind,
            left: &before[left.find_iter(before).last().map_or(0, |cut| cut.end())..],
            right: &behind[..right.find(behind).map_or(behind.len(), |cut| cut.start())],
            line,
            earlier: same.rsplit(ENDS).next().unwrap_or(same),
            head: head_of(above, line),
        })
    }

    /// The line that a sentence begins in.
    pub fn line(&self, sentence: &Range<usize>) -> &'a str {
        let before = tail(&self.text[..sentence.start], CONTEXT_BYTES);
        let start = sentence.start - before.rsplit('\n').next().map_or(0, str::len);
        head(&self.text[start..], CONTEXT_BYTES).lines().next().unwrap_or_default()
    }
}

/// What a prompt carries to work on, what stands in brackets of templates, and lines of examples.
fn material(text: &str) -> Vec<Range<usize>> {
    let spoken = pattern!(
        r"(?im)\{[^{}\n]*[^{}\s][^{}\n]*\}|<[^<>\n]+>|\[[^\[\]\n]*\]|^\W*{check_scope.example}s?\b[^:：\n]{0,40}[:：][^\n]*"
    );
    Mask::of(text).supplied().chain(spoken.find_iter(text).map(|found| found.range())).collect()
}

/// The line that a sentence stands below, by what stands before its line and that itself: a heading, or a line right above it
/// or its list that is no sentence.
fn head_of<'a>(before: &'a str, own: &str) -> &'a str {
    let mut is_near = true;
    let is_listed = text::list::is_item(own);
    for line in before.rsplit('\n').skip(1) {
        let bare = line.trim();
        let is_item = text::list::is_item(line);
        let is_label = is_near && !is_item && !bare.is_empty() && !bare.ends_with(ENDS);
        if bare.starts_with('#') || is_label {
            return bare;
        }
        is_near &= is_listed && (is_item || bare.is_empty());
    }
    ""
}

/// A statement in its prompt. Before and behind it, its sentence has spaces in the place of other statements and quotations.
pub struct Statement<'p> {
    prompt: &'p Prompt<'p>,
    pub sentence: &'p str,
    pub quote: &'p str,
    pub before: &'p str,
    pub behind: &'p str,
    /// What stands before it since the last comma, with the label or the bracket that it stands behind.
    pub left: &'p str,
    /// What follows it in its clause.
    pub right: &'p str,
    pub line: &'p str,
    /// The sentence before it on its line.
    pub earlier: &'p str,
    /// The line that it stands below: a heading, or one that is no sentence.
    pub head: &'p str,
}

impl Statement<'_> {
    /// "Explain how tides work in 80 words": the only order to write something, which has no parts. A number in brackets is
    /// that of what stands before them.
    pub fn is_the_order(&self) -> bool {
        let part = pattern!(
            r"(?i)\b(?:{check_scope.part}|{check_scope.piece}|{check_scope.sequence}|{check_scope.having})\b"
        );
        let is_bracketed = self.before.rfind(['(', '（']) > self.before.rfind([')', '）']);
        self.prompt.orders == 1
            && !is_bracketed
            && orders_text(self.sentence)
            && !text::list::is_item(self.line)
            && !part.is_match(&self.sentence.replacen(self.quote, " ", 1))
    }

    /// Whether it stands below what heads rules, or below nothing and in no list.
    pub fn is_among_rules(&self) -> bool {
        heads_rules(self.head) || self.head.is_empty() && !text::list::is_item(self.line)
    }

    /// Whether it stands behind a label that names no rules, in a row of a table, or in a bracket behind no order:
    /// "Text: 50 words", "text (50 words), title".
    pub fn is_labelled(&self) -> bool {
        let label = pattern!(r"^\W*(?P<v>[^.!?\n]*?)\s*[:：|]|^(?P<w>[^.!?:\n]*)[(（][^()]*$");
        let order = pattern!(r"(?i)\b{check_scope.write}\b");
        let Some(found) = label.captures(self.before) else { return false };
        match (found.name("v"), found.name("w")) {
            (Some(name), _) => !heads_rules(name.as_str()),
            (_, named) => !named.is_some_and(|named| order.is_match(named.as_str())),
        }
    }
}

/// Whether a text says nothing but that the answer is written.
pub fn is_neutral(text: &str) -> bool {
    pattern!(
        r"(?i)^[\W\d_]*(?:(?:{check_scope.whole}|{check_scope.answer}|{check_scope.output}|{check_scope.rules}|{check_scope.total})(?:\W+|$)|(?:{check_scope.whole_anywhere}|{check_scope.answer_anywhere}|{check_scope.rules_anywhere})\W*)*$"
    )
    .is_match(text)
}

/// Whether a sentence orders a text to be written.
pub fn orders_text(sentence: &str) -> bool {
    pattern!(r"(?i)^\W*(?:{check_scope.polite}\W+)?{check_scope.write}\b").is_match(sentence)
}

/// Whether a text has a condition.
pub fn is_conditional(text: &str) -> bool {
    pattern!(r"(?i)\b{check_scope.condition}\b|{check_scope.condition_anywhere}").is_match(text)
}

/// Whether a text names rules.
pub fn heads_rules(text: &str) -> bool {
    pattern!(r"(?i)\b{check_scope.rules}\b|{check_scope.rules_anywhere}").is_match(text)
}

/// Whether a text names a part of an answer.
pub fn names_a_piece(text: &str) -> bool {
    pattern!(r"(?i)\b{check_scope.piece}\b|{check_scope.part_anywhere}").is_match(text)
}
