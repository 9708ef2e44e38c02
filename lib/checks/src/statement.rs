//! A statement in its prompt, and what stands around it.

use std::collections::HashMap;
use std::ops::Range;

use patterns::pattern;
use text::{head, tail};

/// Bytes of a prompt around a statement that tell whose it is.
const CONTEXT_BYTES: usize = 240;
/// Bytes before a statement in which the line is looked for that it stands below.
const HEAD_BYTES: usize = 800;
/// Most words of a heading without marks.
const FEW_WORDS: usize = 3;
/// Signs that part what is said.
const COMMAS: [char; 3] = [',', '，', '、'];
/// Signs that end a sentence.
const ENDS: [char; 9] = ['.', '!', '?', '\n', ';', '。', '！', '？', '；'];

/// A prompt as statements are looked at in it.
pub struct Prompt<'a> {
    pub text: &'a str,
    /// What stands between tags that hold no instructions.
    material: Vec<Range<usize>>,
    /// How many sentences order a text.
    pub orders: usize,
}

impl<'a> Prompt<'a> {
    pub fn of(text: &'a str) -> Self {
        let orders = text.split(ENDS).filter(|sentence| orders_text(sentence)).count();
        Self { text, material: material(text), orders }
    }

    /// What stands in it at a range of bytes.
    pub fn statement(&'a self, place: Range<usize>) -> Statement<'a> {
        let before = tail(&self.text[..place.start], CONTEXT_BYTES);
        let line = before.rsplit('\n').next().unwrap_or(before);
        let before = before.rsplit(ENDS).next().unwrap_or(before);
        let behind = head(&self.text[place.end..], CONTEXT_BYTES);
        let behind = behind.split(ENDS).next().unwrap_or(behind);
        let head = head_of(tail(&self.text[..place.end], HEAD_BYTES));
        let head = head.trim_end_matches(ENDS).rsplit(ENDS).next().unwrap_or(head);
        Statement { prompt: self, place, line, before, behind, head }
    }
}

/// What stands between tags that hold no instructions. A tag that is opened again before it is closed is only spoken of:
/// "what stands in <draft>".
fn material(text: &str) -> Vec<Range<usize>> {
    let tag = pattern!(r"<(?P<end>/)?(?P<name>[A-Za-z][\w-]{0,40})[^<>\n]{0,80}>");
    let instructs = |name: &str| pattern!(r"(?i)^{check_scope.instructing}$").is_match(name);
    let mut open: HashMap<String, usize> = HashMap::new();
    let mut found = Vec::new();
    for captures in tag.captures_iter(text) {
        let (name, place) =
            (captures["name"].to_lowercase(), captures.get(0).map(|tag| tag.range()));
        match (captures.name("end"), place) {
            (None, Some(place)) if !instructs(&name) => _ = open.insert(name, place.end),
            (Some(_), Some(place)) => {
                found.extend(open.remove(&name).map(|start| start..place.start))
            }
            _ => {}
        }
    }
    found.sort_by_key(|range| range.start);
    found
}

/// Whether a sentence orders a text to be written.
pub fn orders_text(sentence: &str) -> bool {
    pattern!(r"(?i)^\W*(?:{check_scope.polite}\W+)?{check_scope.write}\b").is_match(sentence)
}

/// A statement in its prompt.
pub struct Statement<'a> {
    pub prompt: &'a Prompt<'a>,
    pub place: Range<usize>,
    /// Its line before it.
    line: &'a str,
    /// Its sentence before it and behind it.
    pub before: &'a str,
    pub behind: &'a str,
    /// The line that it stands below: a heading, or one that ends in a colon.
    pub head: &'a str,
}

/// The last line of a text that what follows stands below: a heading, or one that ends in a colon, before items alone.
fn head_of(text: &str) -> &str {
    let mut lines = text.rsplit('\n');
    let own = lines.next().unwrap_or_default();
    let mut is_listed = text::list::is_item(own);
    for (distance, line) in lines.enumerate() {
        let bare = line.trim();
        // A few words right above are a heading without marks.
        let is_bold = bare.starts_with("**") && bare.trim_end_matches(':').ends_with("**");
        let is_short = distance == 0
            && (1..=FEW_WORDS).contains(&bare.split_whitespace().count())
            && !text::list::is_item(line)
            && !bare.ends_with(ENDS);
        if bare.starts_with('#') || is_bold || is_short {
            return bare;
        }
        if bare.ends_with([':', '：']) && is_listed {
            return bare;
        }
        is_listed &= bare.is_empty() || text::list::is_item(line);
    }
    ""
}

impl Statement<'_> {
    pub fn asks_for(&self) -> bool {
        pattern!(r"(?i)\b{constraint_count.ask}\s+(?:{constraint_count.for_whom}\s+)?$")
            .is_match(self.before)
    }

    /// Whether other sentences stand before it.
    pub fn is_late(&self) -> bool {
        !self.prompt.text[..self.place.start - self.before.len()].trim().is_empty()
    }

    /// "600 words without code"
    pub fn leaves_out(&self) -> bool {
        pattern!(r"(?i)^\s*(?:{check_scope.except_behind})\b").is_match(self.behind)
    }

    /// "Translate it into English and then decide", "in 80 words and a list".
    pub fn goes_on(&self) -> bool {
        pattern!(r"(?i)^[,，、]?[^,，、]*?\b(?:{check_scope.other_part}|{check_scope.write})\b")
            .is_match(self.behind)
    }

    /// "Avoid terms in English", or below "Never:".
    pub fn is_denied(&self) -> bool {
        let denial = pattern!(r"(?i)\b{check_scope.denial}\b|{check_scope.denial_anywhere}");
        denial.is_match(self.clause()) || denial.is_match(self.head)
    }

    /// "Here's a table", "the table is"
    pub fn exists(&self) -> bool {
        pattern!(r"(?i)\b{constraint_owner.told}\s+(?:\p{L}+\s+){0,2}$").is_match(self.before)
            && !names_the_answer(self.before)
    }

    /// What stands before it since the last comma.
    pub fn clause(&self) -> &str {
        self.before.rsplit(COMMAS).next().unwrap_or(self.before)
    }

    /// Whether it stands in a bracket.
    pub fn is_bracketed(&self) -> bool {
        self.before.rfind(['(', '（']).is_some_and(|at| !self.before[at..].contains([')', '）']))
    }

    /// "If there is no answer, write …", or below "If there is none:".
    pub fn is_conditional(&self) -> bool {
        let condition =
            pattern!(r"(?i)\b{check_scope.condition}\b|{check_scope.condition_anywhere}");
        condition.is_match(self.before)
            || condition.is_match(self.head)
            || pattern!(
                r"(?i)^[\s,]*(?:{check_scope.condition_behind}\b|{check_scope.condition_anywhere})"
            )
            .is_match(self.behind)
    }

    /// Whether a number is that of each of several parts: "each headline has at most 60 characters".
    pub fn is_of_each(&self, quote: &str) -> bool {
        let each = pattern!(r"(?i)\b{check_scope.each}\b|{check_scope.each_anywhere}");
        [self.before, quote, self.head].iter().any(|text| each.is_match(text))
            || pattern!(
                r"(?i)^[^,:]{0,40}?(?:\b{check_scope.each_behind}\b|{check_scope.each_anywhere})"
            )
            .is_match(self.behind)
    }

    /// Whether a word is denied to be forbidden, or demanded not to occur.
    pub fn is_doubly_denied(&self, quote: &str) -> bool {
        pattern!(r"(?i)\b{check_scope.denial}\b[^,:]{0,40}$").is_match(self.before)
            && !pattern!(r"(?i)\b{check_scope.denial}\b").is_match(quote)
    }

    /// Whether it stands in an example, a template or other material: within tags that hold no instructions, within
    /// brackets or quotation marks on its line, or behind the line of an example.
    pub fn is_material(&self) -> bool {
        let line = self.line;
        let opened = |open: char, close: char| {
            line.rfind(open).is_some_and(|at| !line[at..].contains(close))
        };
        opened('<', '>')
            || opened('{', '}')
            || line.matches('"').count() % 2 == 1
            || pattern!(r"(?i)^\W*{check_scope.example}\s*[:：]").is_match(line)
            || self.is_in_tags()
    }

    fn is_in_tags(&self) -> bool {
        let before = self.prompt.material.partition_point(|range| range.start <= self.place.start);
        self.prompt.material[..before].iter().rev().take(8).any(|range| self.place.end <= range.end)
    }

    /// "80 words in the summary"
    pub fn is_in_a_part(&self) -> bool {
        let part = pattern!(
            r"(?i)^\W*{check_scope.of_what}\s+(?:\p{L}+\s+){0,2}?(?:{check_scope.part}|{check_scope.piece})\b"
        );
        part.is_match(self.behind)
    }

    /// What stands before it in its sentence without brackets: its label, what stands before its clause or an open
    /// bracket, and its clause.
    pub fn parts(&self) -> [String; 4] {
        let closed = pattern!(r"[(（][^()（）]*[)）]");
        let before = closed.replace_all(self.before, "");
        let (label, rest) = before.rsplit_once([':', '：']).unwrap_or(("", &before));
        let clause = rest.rsplit(COMMAS).next().unwrap_or(rest);
        let earlier = &rest[..rest.len() - clause.len()];
        let (held, clause) = clause.rsplit_once(['(', '（']).unwrap_or(("", clause));
        [label, earlier, held, clause].map(str::to_owned)
    }

    /// "The document below (4,000 words)"
    pub fn is_of_given(&self, held: &str) -> bool {
        pattern!(r"(?i)\b{check_scope.given}\b").is_match(held)
    }

    /// Whether it stands in no list, or in one of rules.
    pub fn is_among_rules(&self) -> bool {
        let is_item = text::list::is_item(self.line_with_quote());
        heads_rules(self.head) || !is_item && (self.head.is_empty() || names_the_answer(self.head))
    }

    fn line_with_quote(&self) -> &str {
        let start = self.place.start - self.line.len();
        self.prompt.text[start..].lines().next().unwrap_or_default()
    }

    /// "Add a short summary. Two sentences." The sentence that begins the prompt names the answer.
    pub fn follows_a_part(&self) -> bool {
        let earlier = &self.line[..self.line.len().saturating_sub(self.before.len())];
        let earlier = earlier.trim_end().trim_end_matches(ENDS);
        let sentence = earlier.rsplit(ENDS).next().unwrap_or(earlier);
        let is_first = sentence.len() == earlier.len() && self.place.start == self.line.len();
        match self.prompt.orders {
            ..2 => names_a_piece(sentence) && !is_first,
            _ => names_a_piece(sentence) || orders_text(sentence),
        }
    }

    /// "Explain how tides work in 80 words": the only order to write.
    pub fn orders_all(&self, lead: &str) -> bool {
        let part = pattern!(
            r"(?i)\b(?:{check_scope.part}|{check_scope.piece}|{check_scope.other_part}|{check_scope.having})\b"
        );
        let is_all = self.prompt.orders == 1 && orders_text(lead) && !part.is_match(lead);
        is_all && !text::list::is_item(self.line_with_quote())
    }
}

/// Whether a text says nothing but that the answer is written.
pub fn is_neutral(text: &str) -> bool {
    pattern!(
        r"(?i)^[\W\d_]*(?:(?:{check_scope.whole}|{check_scope.answer})(?:\W+|$)|(?:{check_scope.whole_anywhere}|{check_scope.answer_anywhere})\W*)*$"
    )
    .is_match(text)
}

pub fn names_a_part(text: &str) -> bool {
    names_a_piece(text)
        || pattern!(r"(?i)\b{check_scope.part}\b|{check_scope.part_anywhere}").is_match(text)
}

pub fn heads_rules(text: &str) -> bool {
    pattern!(r"(?i)\b{check_scope.rules}\b|{check_scope.rules_anywhere}").is_match(text)
}

pub fn names_a_piece(text: &str) -> bool {
    pattern!(r"(?i)\b{check_scope.piece}\b").is_match(text)
}

pub fn names_the_answer(text: &str) -> bool {
    pattern!(r"(?i)\b{check_scope.answer}\b|{check_scope.answer_anywhere}").is_match(text)
}
