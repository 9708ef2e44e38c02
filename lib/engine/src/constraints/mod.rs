//! Finding the checkable constraints of a prompt: what its answers can be held against.
//!
//! The kinds are those of `instruction_following_eval` (Zhou et al., 2023, arXiv:2311.07911) and the
//! everyday ones beside them. Each file has the rules of a family of kinds. Rules read whole clauses
//! and keep away from material: fenced code and long quotations state nothing about the answer.

mod count;
mod edges;
mod format;
mod found;
mod letters;
mod manner;
mod number;
mod text;
mod words;

use self::{found::Found, text::Text};

/// A constraint and where it is stated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// What it bounds.
    pub kind: ConstraintKind,
    /// How the number is meant; `None` where there is none.
    pub relation: Option<Relation>,
    /// The number, or the lower of two.
    pub number: Option<u32>,
    /// The upper of two numbers.
    pub upper: Option<u32>,
    /// The words, the language, the format or the phrase that it names.
    pub values: Vec<String>,
    /// Byte offset in the text where its statement begins.
    pub start: usize,
    /// Byte offset behind its statement.
    pub end: usize,
}

/// How a number is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// Not more and not less.
    Exactly,
    /// The number or more.
    AtLeast,
    /// The number or less.
    AtMost,
    /// From the lower to the upper.
    Between,
    /// More or less the number.
    About,
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// What a constraint bounds.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum ConstraintKind { $($(#[$doc])* $name,)* }

        impl ConstraintKind {
            /// Every kind.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Its name in snake case.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

kinds! {
    /// Words of the answer or of a part.
    WordCount = "word_count",
    /// Its sentences.
    SentenceCount = "sentence_count",
    /// Its paragraphs.
    ParagraphCount = "paragraph_count",
    /// Its characters.
    CharacterCount = "character_count",
    /// Bullets or items of a list; the value is what is counted.
    ItemCount = "item_count",
    /// Sections, or other parts that are marked.
    SectionCount = "section_count",
    /// What stands between parts; the value is the separator.
    Separator = "separator",
    /// Highlighted passages.
    HighlightCount = "highlight_count",
    /// Placeholders to leave.
    PlaceholderCount = "placeholder_count",
    /// Different answers to give.
    ResponseCount = "response_count",
    /// A title; the value is the form that it has.
    Title = "title",
    /// JSON, a table, Markdown or another format; the value is its name.
    Format = "format",
    /// One of the given answers.
    Choice = "choice",
    /// A postscript; the value is its marker.
    Postscript = "postscript",
    /// The request is to be repeated first.
    RepeatRequest = "repeat_request",
    /// Words that must occur.
    IncludeWords = "include_words",
    /// Words that must not occur.
    ExcludeWords = "exclude_words",
    /// How often a word occurs.
    WordFrequency = "word_frequency",
    /// How often a letter or sign occurs.
    LetterFrequency = "letter_frequency",
    /// How many words are written in capitals.
    CapitalWordFrequency = "capital_word_frequency",
    /// No commas.
    NoCommas = "no_commas",
    /// The answer stands in quotation marks.
    QuotationMarks = "quotation_marks",
    /// Small letters only.
    Lowercase = "lowercase",
    /// Capital letters only.
    Uppercase = "uppercase",
    /// Language of the answer; the value is its English name.
    Language = "language",
    /// How the answer begins.
    StartsWith = "starts_with",
    /// How a paragraph begins; the number tells which.
    ParagraphStart = "paragraph_start",
    /// How the answer ends.
    EndsWith = "ends_with",
    /// Whom it is for.
    Audience = "audience",
    /// How it sounds.
    Tone = "tone",
}

impl Relation {
    /// Its name in snake case.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Exactly => "exactly",
            Self::AtLeast => "at_least",
            Self::AtMost => "at_most",
            Self::Between => "between",
            Self::About => "about",
        }
    }
}

impl Constraint {
    /// A constraint without number or values, stated in a range of bytes.
    fn stated(kind: ConstraintKind, range: std::ops::Range<usize>) -> Self {
        let std::ops::Range { start, end } = range;
        Self { kind, relation: None, number: None, upper: None, values: Vec::new(), start, end }
    }

    fn valued(mut self, value: impl Into<String>) -> Self {
        self.values.push(value.into());
        self
    }

    fn counted(mut self, amount: number::Amount) -> Self {
        self.relation = Some(amount.relation);
        self.number = Some(amount.number);
        self.upper = amount.upper;
        self
    }
}

/// The constraints of `text`, in the order in which they are stated.
///
/// Linear in the length of the text.
pub fn extract(text: &str) -> Vec<Constraint> {
    read(text, &[count::find, words::find, letters::find, format::find, edges::find, manner::find])
}

/// The words that an answer must or must not have, as [`extract`] finds them.
pub fn words_in(text: &str) -> Vec<Constraint> {
    read(text, &[words::find])
}

fn read(text: &str, kinds: &[fn(&Text<'_>, &mut Found)]) -> Vec<Constraint> {
    let text = Text::new(text);
    let mut found = Found::default();
    for find in kinds {
        find(&text, &mut found);
    }
    let mut found = found.into_vec();
    found.sort_by_key(|one| (one.start, one.kind, one.end));
    // Two wordings of one rule may match the same statement.
    found.dedup_by(|later, earlier| {
        later.kind == earlier.kind && later.start < earlier.end && later.number == earlier.number
    });
    found
}
