//! Short descriptions of texts of any length.

use std::fmt;

use super::operations::{OPERATIONS, Operation};

/// Characters of the longest texts; operations may take fewer.
const LONGEST: usize = 200_000;

/// A text that repeats itself, for an operation. In what is repeated, `{#}` is the number of the repetition, `{+}` the
/// next one, and `{a}` a word of its own.
#[derive(Clone, PartialEq)]
pub struct Seed {
    pub operation: &'static Operation,
    pub prefix: String,
    pub unit: String,
    pub suffix: String,
    /// What is repeated in the field beside the longest; the same if empty.
    pub other: String,
}

impl Seed {
    /// The seed in a line, an array of texts in JSON.
    pub fn read(line: &str) -> Option<Self> {
        let [name, prefix, unit, suffix, other]: [String; 5] = serde_json::from_str(line).ok()?;
        let operation = OPERATIONS.iter().find(|operation| operation.name == name)?;
        Some(Self { operation, prefix, unit, suffix, other })
    }

    /// Characters of its longest texts.
    pub fn longest(&self) -> usize {
        self.operation.most.iter().sum::<usize>().min(LONGEST)
    }

    /// The texts of the two fields, with so many characters together, spread over the fields as their bounds are.
    pub fn texts(&self, characters: usize) -> [String; 2] {
        let [first, second] = self.operation.most;
        let beside = characters * second / (first + second);
        let text = repeated(&self.prefix, &self.unit, &self.suffix, characters - beside);
        let other = if self.other.is_empty() { &self.unit } else { &self.other };
        [text, if beside > 0 { repeated("", other, "", beside) } else { String::new() }]
    }
}

impl fmt::Display for Seed {
    /// The line that [`Seed::read`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { operation, prefix, unit, suffix, other } = self;
        write!(f, "{}", serde_json::json!([operation.name, prefix, unit, suffix, other]))
    }
}

/// A text of whole units, at least one.
fn repeated(prefix: &str, unit: &str, suffix: &str, characters: usize) -> String {
    let mut text = prefix.to_owned();
    let mut length = prefix.chars().count() + suffix.chars().count();
    for number in 1.. {
        let one = unit
            .replace("{#}", &number.to_string())
            .replace("{+}", &(number + 1).to_string())
            .replace("{a}", &word(number));
        length += one.chars().count();
        if one.is_empty() || (number > 1 && length > characters) {
            break;
        }
        text.push_str(&one);
    }
    text + suffix
}

/// The number in letters.
fn word(mut number: usize) -> String {
    let mut word = String::new();
    while number > 0 {
        word.push(char::from(b'a' + (number % 26) as u8));
        number /= 26;
    }
    word
}
