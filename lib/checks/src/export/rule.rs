//! What a check demands, as patterns and counts.

use engine::{ConstraintKind as Kind, ConstraintParameters as Parameters, CountParameters};

use super::quoting::literal;
use crate::Check;
use crate::kinds::{are_words_literal, bounds, is_literal_edge, options};

/// Stands for the class of characters that words consist of, which every language writes in its own way.
pub const WORD: &str = "\u{1}";

/// Signs around a beginning or an end that are none of its words.
pub const AROUND: [char; 12] = ['"', '“', '”', '„', '«', '»', '\'', '*', '_', '#', '>', ' '];

/// Signs that end a sentence.
pub const STOPS: [char; 5] = ['.', '!', '?', '。', '…'];

/// Where a sentence ends.
pub const SENTENCE_END: &str = r#"[.!?…]+["'”’»)*_]*(?=\s|$)|[。！？]+"#;

/// A demand that a few lines of code can check.
pub enum Rule {
    /// So many matches of an expression, apart from capitals.
    Count {
        pattern: String,
        least: usize,
        most: usize,
    },
    /// So many matches on lines of their own.
    Lines {
        pattern: String,
        least: usize,
        most: usize,
    },
    Words {
        least: usize,
        most: usize,
    },
    Sentences {
        least: usize,
        most: usize,
    },
    Paragraphs {
        least: usize,
        most: usize,
    },
    Characters {
        least: usize,
        most: usize,
    },
    /// Words of capital letters alone.
    Capitals {
        least: usize,
        most: usize,
    },
    /// All of these words occur, as a part of others too.
    Contains(Vec<String>),
    /// An expression matches.
    Matches(String),
    /// An expression does not match.
    Lacks(String),
    Lowercase,
    Uppercase,
    /// JSON, and the schema if there is one.
    Json(Option<String>),
    Starts(String),
    Ends(String),
}

/// The rule of a check, if one holds it.
pub fn of(check: &Check, prompt: &str) -> Option<Rule> {
    if !check.executable {
        return None;
    }
    match (&check.parameters, check.kind) {
        (Parameters::Count(count), kind) => counted(kind, count),
        (Parameters::Words(list), Kind::IncludeWords) => Some(Rule::Contains(list.words.clone())),
        (Parameters::Words(list), Kind::ExcludeWords) => {
            let plain = are_words_literal(&list.words, &check.quote);
            plain.then(|| {
                let words: Vec<String> = list.words.iter().map(|word| whole(word)).collect();
                Rule::Lacks(words.join("|"))
            })
        }
        (Parameters::Words(list), Kind::TableColumns) => {
            let names: Vec<String> = list.words.iter().map(|name| literal(name)).collect();
            Some(Rule::Matches(names.join(r"[^\n|]*\|[^\n]*?")))
        }
        (Parameters::Text(edge), Kind::StartsWith) if is_literal_edge(&edge.text, &check.quote) => {
            Some(Rule::Starts(edge.text.clone()))
        }
        (Parameters::Text(edge), Kind::EndsWith) if is_literal_edge(&edge.text, &check.quote) => {
            Some(Rule::Ends(edge.text.clone()))
        }
        (Parameters::Text(edge), Kind::ParagraphStart) => {
            let before = (edge.paragraph?.checked_sub(1)?).min(50);
            let skipped = format!(r"(?:[^\n]+\n(?:[^\n]+\n)*\s*\n\s*){{{before}}}");
            Some(Rule::Matches(format!(r"^\s*{skipped}[^\w\n]*{}(?!{WORD})", literal(&edge.text))))
        }
        (Parameters::Value(named), kind) => valued(kind, named.value.as_deref()),
        (_, Kind::Choice) => {
            let options = options(&check.quote, check.end, Some(prompt));
            let options: Vec<String> = options.iter().map(|option| whole(option)).collect();
            Some(Rule::Matches(options.join("|")))
        }
        (_, Kind::NoCommas) => Some(Rule::Lacks("[,，、،]".to_owned())),
        (_, Kind::QuotationMarks) => {
            Some(Rule::Matches(r#"^\s*["“„«「'][\s\S]*["”“»」']\s*$"#.to_owned()))
        }
        (_, Kind::Lowercase) => Some(Rule::Lowercase),
        (_, Kind::Uppercase) => Some(Rule::Uppercase),
        _ => None,
    }
}

fn counted(kind: Kind, count: &CountParameters) -> Option<Rule> {
    let (least, most) = bounds(count);
    let of = count.of.as_deref().unwrap_or_default();
    let pattern = |pattern: &str| Some(Rule::Count { pattern: pattern.to_owned(), least, most });
    let lines = |pattern: &str| Some(Rule::Lines { pattern: pattern.to_owned(), least, most });
    match kind {
        Kind::WordCount => Some(Rule::Words { least, most }),
        Kind::SentenceCount => Some(Rule::Sentences { least, most }),
        Kind::ParagraphCount => Some(Rule::Paragraphs { least, most }),
        Kind::CharacterCount => Some(Rule::Characters { least, most }),
        Kind::CapitalWordFrequency => Some(Rule::Capitals { least, most }),
        Kind::ItemCount => lines(r"[ \t]*(?:[-*+•–]|\d{1,3}[.)])[ \t]+[^\n]+"),
        Kind::SectionCount if !of.is_empty() => {
            lines(&format!(r"[^\w\n]*{}[ \t]*(?:\d+|[ivxlc]+(?!{WORD}))[^\n]*", literal(of)))
        }
        Kind::SectionCount | Kind::HeadingCount => match of.strip_prefix('h') {
            Some(level) => lines(&format!(r"[ \t]*#{{{level}}}[ \t][^\n]*")),
            None => lines(r"[ \t]*#{1,6}[ \t][^\n]*"),
        },
        Kind::HighlightCount => pattern(r"\*\*[^\n*]+\*\*|\*[^\n*]+\*"),
        Kind::PlaceholderCount => pattern(r"\[[^\[\]\n]+\](?!\()"),
        Kind::WordFrequency if !of.is_empty() => pattern(&literal(of)),
        Kind::LetterFrequency if !of.is_empty() && of != "emoji" => pattern(&literal(of)),
        _ => None,
    }
}

fn valued(kind: Kind, value: Option<&str>) -> Option<Rule> {
    let matches = |pattern: &str| Some(Rule::Matches(pattern.to_owned()));
    match (kind, value) {
        (Kind::JsonSchema, Some(schema)) => Some(Rule::Json(Some(schema.to_owned()))),
        (Kind::Title, Some(_)) => matches(r"<<[^\n<>]+>>"),
        (Kind::Separator, Some(value)) => {
            let signs = crate::kinds::literal(value)?;
            matches(&format!(r"\S\s*{}\s*\S", literal(signs)))
        }
        (Kind::Postscript, Some(value)) => {
            let letters = value.chars().filter(|c| c.is_alphanumeric());
            let letters: Vec<String> = letters.map(|c| literal(&c.to_string())).collect();
            matches(&format!(r"(?<!{WORD}){}\.?", letters.join(r"\.? ?")))
        }
        (Kind::CodeLanguage, Some(value)) => matches(&format!(r"```[ \t]*{}\b", literal(value))),
        (Kind::Format, Some(format)) => match format {
            "json" => Some(Rule::Json(None)),
            "table" => matches(r"\|[ \t]*:?-{3,}"),
            "numbered_list" => matches(r"(?:^|\n)[ \t]*\d{1,3}[.)][ \t]"),
            "bullet_list" => matches(r"(?:^|\n)[ \t]*[-*+•][ \t]"),
            "code_block" => matches(r"```[^\n]*\n[\s\S]*```"),
            "html" | "xml" => matches(r"^\s*<[\s\S]*>\s*$"),
            _ => None,
        },
        _ => None,
    }
}

/// An expression for a word that is no part of another one.
fn whole(word: &str) -> String {
    let edge = |c: Option<char>| c.is_some_and(crate::output::is_spaced_word);
    let (before, behind) = (edge(word.chars().next()), edge(word.chars().next_back()));
    let before = if before { format!("(?<!{WORD})") } else { String::new() };
    let behind = if behind { format!("(?!{WORD})") } else { String::new() };
    format!("{before}{}{behind}", literal(word))
}
