//! The constraints of a prompt, as results list them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A constraint that a prompt states: what its answers can be held against.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "c1",
    "kind": "word_count",
    "parameters": {"relation": "at_most", "number": 90, "upper": null, "of": null},
    "quote": "at most 90 words",
    "start": 34,
    "end": 50,
}))]
pub struct Constraint {
    /// Identifier within the prompt; the same text always has the same ones.
    #[schema(example = "c1")]
    pub id: String,
    /// What it bounds.
    pub kind: ConstraintKind,
    /// The bound; its form follows from the kind.
    pub parameters: ConstraintParameters,
    /// The prompt's text from `start` to `end`, which states it.
    pub quote: String,
    /// Offset in the prompt, in code points, where its statement begins.
    pub start: usize,
    /// Offset in the prompt, in code points, behind its statement.
    pub end: usize,
}

macro_rules! kinds {
    ($($name:ident = $text:literal, $form:ident, $doc:literal;)*) => {
        /// What a constraint bounds.
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
        )]
        #[serde(rename_all = "snake_case")]
        #[schema(description = concat!(
            "What a constraint bounds:\n", $("\n- `", $text, "`: ", $doc,)*
        ))]
        pub enum ConstraintKind {
            $(#[doc = $doc] $name,)*
        }

        impl ConstraintKind {
            /// Every kind.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Its name in snake case.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// The form of its parameters.
            pub(crate) const fn form(self) -> ParametersForm {
                match self { $(Self::$name => ParametersForm::$form,)* }
            }
        }
    };
}

kinds! {
    WordCount = "word_count", Count, "Words of the answer or of a part.";
    SentenceCount = "sentence_count", Count, "Its sentences.";
    ParagraphCount = "paragraph_count", Count, "Its paragraphs.";
    CharacterCount = "character_count", Count, "Its characters.";
    ItemCount = "item_count", Count, "Bullets, items of a list, or things that are asked for.";
    SectionCount = "section_count", Count, "Sections, or other parts that are marked.";
    Format = "format", Value, "The format of the answer.";
    Choice = "choice", Words, "One of the given answers.";
    IncludeWords = "include_words", Words, "Words that must occur.";
    ExcludeWords = "exclude_words", Words, "Words that must not occur.";
    Lowercase = "lowercase", None, "Small letters only.";
    Uppercase = "uppercase", None, "Capital letters only.";
    Language = "language", Value, "The language of the answer.";
    StartsWith = "starts_with", Text, "How the answer begins.";
    EndsWith = "ends_with", Text, "How the answer ends.";
    Audience = "audience", Value, "Whom the answer is for.";
    Tone = "tone", Value, "How the answer sounds.";
    JsonSchema = "json_schema", Value, "The JSON schema that the answer matches.";
    TableColumns = "table_columns", Words, "The columns of its table.";
    NumberRange = "number_range", Count, "The range of a number that it gives, such as a score.";
}

/// The form of a kind's parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParametersForm {
    Count,
    Words,
    Text,
    Value,
    None,
}

impl ConstraintKind {
    /// Whether its parameters have this form.
    pub fn takes(self, parameters: &ConstraintParameters) -> bool {
        use ConstraintParameters as Given;
        use ParametersForm as Form;
        match (self.form(), parameters) {
            // A choice whose options are not said plainly has none.
            (Form::Words, Given::None(_)) => self == Self::Choice,
            (Form::Count, Given::Count(_))
            | (Form::Words, Given::Words(_))
            | (Form::Text, Given::Text(_))
            | (Form::Value, Given::Value(_))
            | (Form::None, Given::None(_)) => true,
            _ => false,
        }
    }

    /// Most characters of a text of its parameters, as their schemas say.
    pub(crate) const fn longest_text(self) -> usize {
        match self.form() {
            ParametersForm::Value => 50_000,
            ParametersForm::Text => 1_000,
            _ => 200,
        }
    }
}

/// The bound that a constraint sets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum ConstraintParameters {
    /// A number of something.
    Count(CountParameters),
    /// Words.
    Words(WordsParameters),
    /// The text of a beginning or an end.
    Text(TextParameters),
    /// A name or a sign.
    Value(ValueParameters),
    /// The kind says everything.
    None(NoParameters),
}

impl ConstraintParameters {
    /// The words, the text, the value or what is counted, as far as they name it.
    pub fn texts(&self) -> &[String] {
        match self {
            Self::Words(list) => &list.words,
            Self::Text(edge) => std::slice::from_ref(&edge.text),
            Self::Value(named) => named.value.as_slice(),
            Self::Count(count) => count.of.as_slice(),
            Self::None(_) => &[],
        }
    }

    /// The number of something.
    pub const fn count(&self) -> Option<&CountParameters> {
        match self {
            Self::Count(count) => Some(count),
            _ => None,
        }
    }
}

/// Of `word_count`, `sentence_count`, `paragraph_count`, `character_count`, `item_count`, `section_count`
/// and `number_range`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CountParameters {
    /// How the number is meant.
    pub relation: Relation,
    /// The number, or the lower of two.
    pub number: u32,
    /// The upper number if the relation is `between`, else null.
    #[schema(required = true)]
    pub upper: Option<u32>,
    /// What is counted where the kind does not say it: the unit of `item_count`, the name that marks
    /// the sections, what the number of a `number_range` says; else null.
    #[schema(required = true, max_length = 200)]
    pub of: Option<String>,
}

impl CountParameters {
    /// A single number.
    pub const fn of(relation: Relation, number: u32) -> Self {
        Self { relation, number, upper: None, of: None }
    }

    /// The least and the most that it allows; about 100 are 80 to 120.
    pub fn bounds(&self) -> (usize, usize) {
        let number = self.number as usize;
        match (self.relation, self.upper) {
            (Relation::Between, Some(upper)) => (number, upper as usize),
            (Relation::AtLeast, _) => (number, usize::MAX),
            (Relation::AtMost, _) => (0, number),
            (Relation::About, _) => (number - number.div_ceil(5), number + number.div_ceil(5)),
            _ => (number, number),
        }
    }
}

/// Of `include_words`, `exclude_words`, `table_columns` and `choice`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WordsParameters {
    /// The words, phrases, names of columns or answers to choose from.
    #[schema(inline, value_type = Vec<ListedWord>, min_items = 1, max_items = 200)]
    pub words: Vec<String>,
}

#[derive(ToSchema)]
#[schema(value_type = String, max_length = 200)]
struct ListedWord(#[expect(dead_code, reason = "only its schema is used")] String);

/// Of `starts_with` and `ends_with`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TextParameters {
    /// The text.
    #[schema(max_length = 1000)]
    pub text: String,
}

/// Of `format`, `language`, `audience`, `tone` and `json_schema`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ValueParameters {
    /// `json`, `yaml`, `xml`, `csv`, `html`, `table`, `markdown`, `plain_text`, `numbered_list`,
    /// `bullet_list` or `code_block`; the English name of the language; the audience or the tone in
    /// the prompt's words; the JSON schema as it stands in the prompt.
    // What is missing is not null: `{}` are no parameters.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(required = true, max_length = 50000)]
    pub value: Option<String>,
}

/// Of `lowercase`, `uppercase`, and a `choice` whose answers the prompt does not name plainly: none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NoParameters {}

/// How a number is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
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
