//! A statement in its prompt, and whose it is.

use std::ops::Range;

use engine::ConstraintKind as Kind;
use patterns::pattern;
use text::{Cover, head, literals, sentences, tail};

use crate::material;

/// Bytes of a sentence around a statement that tell whose it is.
const CONTEXT_BYTES: usize = 240;
/// Bytes before a statement in which the line is looked for that it stands below.
const HEAD_BYTES: usize = 800;
/// Most words of a heading without marks.
const FEW_WORDS: usize = 3;
/// Signs that end a sentence.
const ENDS: [char; 9] = ['.', '!', '?', '\n', ';', '。', '！', '？', '；'];

/// A prompt as statements are looked at in it.
pub struct Prompt<'a> {
    pub text: &'a str,
    /// The same, with spaces in the place of what states something or is quoted.
    blanked: String,
    sentences: Vec<Range<usize>>,
    material: Cover,
    /// How many sentences order a text.
    pub orders: usize,
}

impl<'a> Prompt<'a> {
    /// A prompt with what is `stated` in it, in bytes.
    pub fn of(text: &'a str, stated: &[Range<usize>]) -> Self {
        let literals = literals::scan(text);
        let held = literals.cover(text.len());
        let mut blanked = text.as_bytes().to_vec();
        for range in stated.iter().chain(&literals.quotations).chain(&literals.code) {
            blanked[range.clone()].fill(b' ');
        }
        let blanked = String::from_utf8(blanked).unwrap_or_default();
        let material = Cover::of(
            text.len(),
            &[&literals.code, &literals.quotations, &literals.variables, &material::of(text)],
        );
        let mut found =
            Self { text, blanked, sentences: sentences(text, &held), material, orders: 0 };
        found.orders = found.demands().filter(|range| orders_text(&text[(*range).clone()])).count();
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
        let is_whole = place.end <= sentence.end + 1;
        let is_material = self.material.touches(&(place.start..place.start + 1));
        (is_whole && !is_material).then(|| {
            let end = place.end.min(sentence.end);
            let line = self.line(sentence);
            let above = tail(&self.text[..sentence.start], HEAD_BYTES);
            let same = above.rsplit('\n').next().unwrap_or_default();
            let last = |text: &'a str| {
                let text = text.trim_end().trim_end_matches(ENDS);
                text.rsplit(ENDS).next().unwrap_or(text)
            };
            let label = pattern!(r"^\W*(?P<v>[^.!?:：\n]{1,40})[:：]");
            let below = head(&self.text[sentence.start..], HEAD_BYTES).lines().nth(1);
            let beside = above.rsplit('\n').nth(1).into_iter().chain(below);
            let mut labels = beside.filter_map(|line| label.captures(line));
            Statement {
                prompt: self,
                sentence: head(&self.text[sentence.clone()], 2 * CONTEXT_BYTES),
                quote: &self.text[place.start..end],
                before: tail(&self.blanked[sentence.start..place.start], CONTEXT_BYTES),
                behind: head(&self.blanked[end..sentence.end], CONTEXT_BYTES),
                line,
                earlier: last(same),
                has_sibling: labels.any(|found| !heads_rules(&found["v"])),
                head: last(head_of(above, line)),
            }
        })
    }

    /// The line that a sentence begins in.
    pub fn line(&self, sentence: &Range<usize>) -> &'a str {
        let before = tail(&self.text[..sentence.start], CONTEXT_BYTES);
        let start = sentence.start - before.rsplit('\n').next().map_or(0, str::len);
        head(&self.text[start..], CONTEXT_BYTES).lines().next().unwrap_or_default()
    }
}

/// The line that a sentence stands below, by what stands before its line and that itself: a heading, or a line that ends in a colon, before
/// items alone.
fn head_of<'a>(before: &'a str, own: &str) -> &'a str {
    let mut is_listed = text::list::is_item(own);
    for (distance, line) in before.rsplit('\n').skip(1).enumerate() {
        let bare = line.trim();
        // A few words right above are a heading without marks.
        let is_bold = bare.starts_with("**") && bare.trim_end_matches(':').ends_with("**");
        let is_short = (distance == 0 || is_listed)
            && (1..=FEW_WORDS).contains(&bare.split_whitespace().count())
            && !text::list::is_item(line)
            && bare.starts_with(char::is_alphanumeric)
            && !bare.ends_with(ENDS);
        if bare.starts_with('#') || is_bold || is_short || is_listed && bare.ends_with([':', '：'])
        {
            return bare;
        }
        is_listed &= bare.is_empty() || text::list::is_item(line);
    }
    ""
}

/// A statement in its prompt. Before and behind it, its sentence has spaces in the place of other statements and quotations.
pub struct Statement<'p> {
    prompt: &'p Prompt<'p>,
    sentence: &'p str,
    pub quote: &'p str,
    before: &'p str,
    behind: &'p str,
    line: &'p str,
    /// The sentence before it on its line.
    earlier: &'p str,
    /// Whether a line beside its own begins with a label that names no rules.
    has_sibling: bool,
    /// The line that it stands below: a heading, or one that ends in a colon.
    head: &'p str,
}

impl Statement<'_> {
    /// Whether its clause says nothing but that the answer is written, with the label or the bracket that it stands behind,
    /// or its sentence is the only order of the prompt to write something. What has a noun of its own may go on with more of
    /// it, and what is forbidden or rated stands for itself behind an "and".
    pub fn is_own(&self, kind: Kind) -> bool {
        let is_described = pattern!(r"(?i)^\s*{check_scope.described}\b").is_match(self.behind);
        let goes_on = kind == Kind::ItemCount
            || is_described && matches!(kind, Kind::Format | Kind::TableColumns);
        let (mut owner, rest) = (self.left(), self.right());
        let and = pattern!(r"(?i)\b{constraint_words.and_or}\b").find_iter(owner).last();
        if let Some(and) = and.filter(|_| matches!(kind, Kind::ExcludeWords | Kind::NumberRange)) {
            owner = &owner[and.end()..];
        }
        let earlier = &self.before[..self.before.len() - owner.len()];
        let is_scoped =
            pattern!(r"(?i)^\W*{check_scope.scoping}\b").is_match(earlier) && !is_neutral(earlier);
        let is_whole = is_neutral(owner) && (goes_on || is_neutral(rest)) || self.is_the_order();
        // "Two, three sentences" are neither.
        let is_vague = owner.trim().is_empty()
            && pattern!(r"(?i){constraint_number.number}\s*[,、]\s*$").is_match(self.before);
        let has_place =
            !matches!(kind, Kind::TableColumns | Kind::IncludeWords | Kind::ExcludeWords);
        let is_part = has_place && self.is_labelled() || names_a_piece(self.head);
        is_whole && !is_scoped && !is_vague && !is_part
    }

    /// Whether it is of the answer as a whole, if its clause says nothing else: it names that, or stands among rules.
    pub fn is_of_all(&self) -> bool {
        [self.before, self.quote, self.right()].into_iter().any(names_the_answer)
            || self.is_the_order()
            || self.is_among_rules() && !names_a_piece(self.earlier)
    }

    /// What stands before it since the last comma, with the label or the bracket that it stands behind.
    fn left(&self) -> &str {
        let cut =
            pattern!(r"(?i)[,，、;；]|\b{check_scope.reason}\b").find_iter(self.before).last();
        &self.before[cut.map_or(0, |cut| cut.end())..]
    }

    /// What follows it in its clause.
    fn right(&self) -> &str {
        let cut = pattern!(r"(?i)[,，、;；:：(（){\[]|\s[–—-]\s|\b{check_scope.reason}\b")
            .find(self.behind);
        &self.behind[..cut.map_or(self.behind.len(), |cut| cut.start())]
    }

    /// "Explain how tides work in 80 words": the only order to write something, which has no parts. A number in brackets is
    /// that of what stands before them.
    fn is_the_order(&self) -> bool {
        let part = pattern!(
            r"(?i)\b(?:{check_scope.part}|{check_scope.piece}|{check_scope.sequence}|{check_scope.having})\b"
        );
        let order = pattern!(r"(?i)\b{check_scope.write}\b");
        let is_bracketed = self.before.rfind(['(', '（']) > self.before.rfind([')', '）']);
        self.prompt.orders == 1
            && !is_bracketed
            && orders_text(self.sentence)
            && order.find_iter(self.sentence).count() == 1
            && !text::list::is_item(self.line)
            && !part.is_match(&self.sentence.replacen(self.quote, " ", 1))
    }

    /// Whether it stands in no list, or in one of rules.
    pub fn is_among_rules(&self) -> bool {
        let is_item = text::list::is_item(self.line);
        heads_rules(self.head) || !is_item && (self.head.is_empty() || names_the_answer(self.head))
    }

    /// Whether it holds sometimes: its sentence, or the line that it stands below, has a condition.
    pub fn is_conditional(&self) -> bool {
        [self.before, self.behind, self.head].into_iter().any(is_conditional)
    }

    /// "In 3 sentences or a list"
    pub fn has_alternative(&self) -> bool {
        let or = pattern!(r"(?i)\b{check_scope.alternative}\b");
        or.is_match(self.before) || or.is_match(self.behind)
    }

    /// Whether it bounds each of several parts: "each headline has at most 60 characters".
    pub fn is_of_each(&self) -> bool {
        let each = pattern!(r"(?i)\b{check_scope.each}\b|{check_scope.each_anywhere}");
        let every_answer = pattern!(r"(?i)\b{check_scope.every_answer}\b");
        [self.before, self.quote, self.behind, self.head]
            .iter()
            .any(|text| each.is_match(&every_answer.replace_all(text, " ")))
    }

    /// "Avoid terms in English", or below "Never:".
    pub fn is_denied(&self) -> bool {
        let denial = pattern!(r"(?i)\b{check_scope.denial}\b|{check_scope.denial_anywhere}");
        denial.is_match(self.left()) || denial.is_match(self.head)
    }

    /// "110 words in total"
    pub fn is_total(&self) -> bool {
        let total = pattern!(r"(?i)\b{check_scope.total}\b");
        [self.left(), self.quote, self.right()].into_iter().any(|text| total.is_match(text))
    }

    /// Whether it asks for things: "name" 10 words.
    pub fn asks_for(&self) -> bool {
        pattern!(r"(?i)\b{constraint_count.ask}\s+(?:{constraint_count.for_whom}\s+)?$")
            .is_match(self.before)
    }

    /// Whether it stands behind a label that names neither the answer nor rules, in a row of a table, or in a bracket
    /// behind no order: "Text: 50 words", "text (50 words), title". "Answer:" is the label of a part beside another one.
    fn is_labelled(&self) -> bool {
        let label = pattern!(r"^\W*(?P<v>[^.!?\n]*?)\s*[:：]|^(?P<w>[^.!?:\n]*)[(（][^()]*$");
        if self.line.trim_start().starts_with('|') {
            return true;
        }
        let Some(found) = label.captures(self.before) else { return false };
        let Some(name) = found.name("v") else {
            let order = pattern!(r"(?i)\b{check_scope.write}\b");
            let named = found.name("w").map_or("", |name| name.as_str());
            return !order.is_match(named) && !heads_rules(named) && !names_the_answer(named);
        };
        let name = name.as_str();
        let is_of_all = heads_rules(name)
            || name.contains(' ') && orders_text(name)
            || names_the_answer(name) && !self.has_sibling;
        !is_of_all
    }

    /// Whether nothing follows it in its sentence.
    pub fn is_last(&self) -> bool {
        is_neutral(self.behind)
    }

    /// Whether its sentence begins with it.
    pub fn is_first(&self) -> bool {
        is_neutral(self.before)
    }

    /// Whether other words name what is in a language: "translate key terms into English".
    pub fn is_spoken_of(&self) -> bool {
        pattern!(r"(?i)\b{check_scope.spoken}\b").is_match(self.before)
            || pattern!(r"(?i)\b{constraint_manner.languages}\b").is_match(self.behind)
    }

    /// Whether a text is translated.
    pub fn translates(&self) -> bool {
        pattern!(r"(?i)\b{constraint_manner.translate}\b").is_match(self.before)
    }
}

/// Whether a text says nothing but that the answer is written.
fn is_neutral(text: &str) -> bool {
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

fn heads_rules(text: &str) -> bool {
    pattern!(r"(?i)\b{check_scope.rules}\b|{check_scope.rules_anywhere}").is_match(text)
}

/// Whether a text names a part of an answer.
pub fn names_a_piece(text: &str) -> bool {
    pattern!(r"(?i)\b{check_scope.piece}\b|{check_scope.part_anywhere}").is_match(text)
}

fn names_the_answer(text: &str) -> bool {
    pattern!(r"(?i)\b{check_scope.answer}\b|{check_scope.answer_anywhere}").is_match(text)
}
