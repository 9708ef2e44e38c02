//! What a check demands, as patterns and counts.

use engine::{ConstraintKind as Kind, ConstraintParameters as Parameters, CountParameters};

use text::code_points::ByteOffsets;

use super::quoting::escape_regex;
use crate::Check;
use crate::kinds::{
    AROUND, STOPS, Unit, are_words_literal, is_around, is_empty_line, is_literal_edge, options,
    other_names, separator_signs, unit,
};
use crate::output::UNSPACED;

/// Stands for the class of characters that words consist of, which every language writes in its own way.
pub const WORD: &str = "\u{1}";

/// The head of a table, which the group has, and the line below it.
pub const TABLE_HEAD: &str = r"(.*\|.*)\r?\n(?=.*\|)(?=.*-)[-:| \t]+\r?";

/// Where a sentence ends: at its signs, if a speech does not go on behind them, or at the end of the text.
pub const SENTENCE_END: &str = r#"[.!?…]+(?:["'”’»)*_]+(?!\s+[a-zß-öø-ÿ]))?(?=\s|$)|[。！？]+|(?<![\s.!?…。！？"'”’»)*_])["'”’»)*_]*\s*$"#;

/// Characters of scripts that put no spaces between words, in the square brackets of an expression.
pub fn unspaced() -> String {
    UNSPACED.iter().map(|(first, last)| format!("{first}-{last}")).collect()
}

/// Lines of headings in Markdown, which are no paragraphs.
pub const HEADING_LINE: &str = r"^[ \t]*(?:#{1,6}[ \t][^\n]*|\*\*[^*\n]+\*\*:?[ \t]*)$";

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
    /// So many paragraphs, among which headings count if they are `headed`.
    Paragraphs {
        headed: bool,
        least: usize,
        most: usize,
    },
    /// An expression matches the paragraph at an index, counted like `Paragraphs`.
    Paragraph {
        headed: bool,
        index: usize,
        start: String,
    },
    /// So many characters. Where most are `unspaced`, spaces are none.
    Characters {
        unspaced: bool,
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
    /// A table has these columns and no others, by their letters and figures in lower case.
    Columns(Vec<String>),
    /// One text and no other matches an expression.
    OneOf(String),
    /// An expression matches.
    Matches(String),
    /// An expression does not match.
    Lacks(String),
    Lowercase,
    Uppercase,
    /// JSON, and the schema if there is one.
    Json(Option<String>),
}

/// What the rules of a prompt's checks share.
pub struct Rules<'a> {
    prompt: &'a str,
    /// Where places of the prompt are.
    bytes: ByteOffsets<'a>,
    /// Whether the prompt has characters of scripts without spaces.
    unspaced: bool,
    /// Whether something divides parts.
    divided: bool,
    /// Whether headings are paragraphs, if patterns tell paragraphs: signs between them need more.
    headed: Option<bool>,
    /// The name of sections. The number of them may stand in one statement, the name in another.
    section: Option<&'a str>,
}

impl<'a> Rules<'a> {
    /// Those of checks in the order of their statements. `prompt` is the one that they were read from, with its values.
    pub fn of(checks: &'a [Check], prompt: &'a str) -> Self {
        let separators = || checks.iter().filter_map(separator);
        let signed = separators().any(|name| separator_signs(name).is_some());
        Self {
            prompt,
            bytes: ByteOffsets::of(prompt),
            unspaced: prompt.contains(crate::output::is_unspaced),
            divided: separators().next().is_some(),
            headed: (!signed).then(|| separators().any(is_empty_line)),
            section: checks.iter().find_map(section),
        }
    }

    /// The rule of the next check, if one holds it.
    pub fn next(&mut self, check: &Check) -> Option<Rule> {
        let end = self.bytes.at(check.start) + check.quote.len();
        if !check.executable {
            return None;
        }
        rule(check, self, end)
    }
}

/// The rule of a check whose statement ends at a byte of the prompt.
fn rule(check: &Check, rules: &Rules<'_>, end: usize) -> Option<Rule> {
    match (&check.parameters, check.kind) {
        (Parameters::Count(count), kind) => counted(kind, count, rules),
        (Parameters::Words(list), Kind::IncludeWords) => Some(Rule::Contains(list.words.clone())),
        (Parameters::Words(list), Kind::ExcludeWords) => {
            let plain = are_words_literal(&list.words, &check.quote);
            plain.then(|| {
                let words: Vec<String> = list.words.iter().map(|word| whole(word)).collect();
                Rule::Lacks(words.join("|"))
            })
        }
        (Parameters::Words(list), Kind::TableColumns) => {
            Some(Rule::Columns(list.words.iter().map(|name| letters(name)).collect()))
        }
        (Parameters::Text(edge), Kind::StartsWith) if is_literal_edge(&edge.text, &check.quote) => {
            beginning(&edge.text).map(Rule::Matches)
        }
        (Parameters::Text(edge), Kind::EndsWith) if is_literal_edge(&edge.text, &check.quote) => {
            let wanted = bare(&edge.text)?;
            // Who gives no sign that ends the sentence leaves it to the answer.
            let stop = match wanted.ends_with(STOPS) {
                true => String::new(),
                false => format!("[{}]?", String::from_iter(STOPS)),
            };
            let (before, text) = (before(wanted), escape_regex(wanted));
            Some(Rule::Matches(format!(r"{before}{text}[\s{AROUND}]*{stop}[\s{AROUND}]*$")))
        }
        (Parameters::Text(edge), Kind::ParagraphStart) => {
            let index = usize::try_from(edge.paragraph?.checked_sub(1)?).ok()?;
            Some(Rule::Paragraph { headed: rules.headed?, index, start: beginning(&edge.text)? })
        }
        (Parameters::Value(named), kind) => valued(kind, named.value.as_deref()),
        (_, Kind::Choice) => {
            let options = options(&check.quote, &rules.prompt[end..]);
            let mut options: Vec<&str> = options
                .iter()
                .map(|option| option.trim_matches(|c: char| !c.is_alphanumeric()))
                .collect();
            // The one that is part of another one is looked for behind that.
            options.sort_by_key(|option| usize::MAX - option.len());
            let options: Vec<String> = options.into_iter().map(whole).collect();
            (!options.is_empty()).then(|| Rule::OneOf(options.join("|")))
        }
        (_, Kind::NoCommas) => Some(Rule::Lacks("[,，、،﹐､]".to_owned())),
        (_, Kind::QuotationMarks) => {
            Some(Rule::Matches(r#"^\s*["“„«「'][\s\S]+["”“»」']\s*$"#.to_owned()))
        }
        (_, Kind::Lowercase) => Some(Rule::Lowercase),
        (_, Kind::Uppercase) => Some(Rule::Uppercase),
        _ => None,
    }
}

fn counted(kind: Kind, count: &CountParameters, rules: &Rules<'_>) -> Option<Rule> {
    let (least, most) = count.bounds();
    let of = count.of.as_deref().unwrap_or_default();
    let pattern = |pattern: &str| Some(Rule::Count { pattern: pattern.to_owned(), least, most });
    let lines = |pattern: &str| Some(Rule::Lines { pattern: pattern.to_owned(), least, most });
    match kind {
        Kind::WordCount => Some(Rule::Words { least, most }),
        Kind::SentenceCount => Some(Rule::Sentences { least, most }),
        Kind::ParagraphCount => Some(Rule::Paragraphs { headed: rules.headed?, least, most }),
        Kind::CharacterCount => Some(Rule::Characters { unspaced: rules.unspaced, least, most }),
        Kind::CapitalWordFrequency => Some(Rule::Capitals { least, most }),
        // Items that are indented stand below others.
        Kind::ItemCount => match unit(of) {
            Unit::Items => lines(r" ?(?:[-*+•–]|\d{1,3}[.)])[ \t]+[^\n]+"),
            Unit::Bullets => lines(r"[ \t]*[-*+•–][ \t]+[^\n]+"),
            Unit::Other => None,
        },
        Kind::SectionCount => match (rules.section, rules.divided) {
            (Some(name), _) => {
                let number = format!(r"(?:\d+|[ivxlc]+(?!{WORD}))");
                lines(&format!(r"[^\w\n]*{}[ \t]*{number}[^\n]*", escape_regex(name)))
            }
            (None, true) => None,
            (None, false) => lines(r"[ \t]*#{1,6}[ \t][^\n]*"),
        },
        Kind::HeadingCount => match of.strip_prefix('h') {
            Some(level) => lines(&format!(r"[ \t]*#{{{level}}}[ \t][^\n]*")),
            None => lines(r"[ \t]*#{1,6}[ \t][^\n]*"),
        },
        Kind::HighlightCount => pattern(
            r"\*\*[^\n*]+\*\*|\*[^\s*][^\n*]*\*|__[^_\n]+__|==[^=\n]+==|<(?:mark|strong|em|b|i|u)>[^<\n]+<\/",
        ),
        Kind::PlaceholderCount => pattern(r"\[(?![ xX]?\])[^\[\]\n]+\](?!\()|\{\{[^{}\n]+\}\}"),
        Kind::WordFrequency if !of.is_empty() => {
            pattern(&format!("{}{}", before(of), escape_regex(of)))
        }
        Kind::LetterFrequency if !of.is_empty() && of != "emoji" => pattern(&escape_regex(of)),
        _ => None,
    }
}

fn valued(kind: Kind, value: Option<&str>) -> Option<Rule> {
    let matches = |pattern: &str| Some(Rule::Matches(pattern.to_owned()));
    let lines = |least, pattern| Some(Rule::Lines { pattern, least, most: usize::MAX });
    let list = |sign: &str| lines(2, format!(r"[ \t]*{sign}[ \t]+[^\n]+"));
    match (kind, value) {
        (Kind::JsonSchema, Some(schema)) => Some(Rule::Json(Some(schema.to_owned()))),
        (Kind::Title, Some(_)) => matches(r"<<[^\n<>]*[^\s<>][^\n<>]*>>"),
        (Kind::Separator, Some(value)) => {
            let signs = separator_signs(value)?;
            // A longer row of the same sign is none.
            let sign = signs.chars().next().filter(|sign| signs.chars().all(|one| one == *sign));
            let sign = sign.map(|sign| escape_regex(&sign.to_string()));
            let (before, behind) = match sign {
                Some(sign) => (format!("(?<!{sign})"), format!("(?!{sign})")),
                None => (String::new(), String::new()),
            };
            matches(&format!(r"\S\s*{before}{}{behind}\s*\S", escape_regex(signs)))
        }
        (Kind::Postscript, Some(value)) => {
            let letters = value.chars().filter(|c| c.is_alphanumeric());
            let letters: Vec<String> = letters.map(|c| escape_regex(&c.to_string())).collect();
            let letters = letters.join(r"(?:\. ?)?");
            matches(&format!(r"(?<!{WORD}){letters}(?!\.?{WORD})[\s\S]*?{WORD}"))
        }
        (Kind::CodeLanguage, Some(value)) => {
            let names = other_names(&value.to_lowercase()).iter().copied().chain([value]);
            let names: Vec<String> = names.map(escape_regex).collect();
            let names = names.join("|");
            lines(1, format!(r"[ \t]*(?:`{{3,}}|~{{3,}})[ \t]*(?:{names})(?!\S)[^\n`]*"))
        }
        (Kind::Format, Some(format)) => match format {
            "json" => Some(Rule::Json(None)),
            "table" => lines(1, format!(r"(?:{TABLE_HEAD}|[^\n]*<table\b[^\n]*)")),
            "numbered_list" => list(r"\d{1,3}[.)]"),
            "bullet_list" => list(r"[-*+•–]"),
            "code_block" => matches(r"```[^\n]*\n[\s\S]*```"),
            "html" | "xml" => matches(r"^\s*(?:```\w*\s*\n\s*)?<[\s\S]*>\s*(?:```\s*)?$"),
            _ => None,
        },
        _ => None,
    }
}

/// The letters and figures of a text in lower case.
fn letters(text: &str) -> String {
    text.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect()
}

/// The separator that a check demands, by its signs or name.
fn separator(check: &Check) -> Option<&str> {
    match (&check.parameters, check.kind) {
        (Parameters::Value(named), Kind::Separator) => named.value.as_deref(),
        _ => None,
    }
}

/// The name that a check gives sections.
fn section(check: &Check) -> Option<&str> {
    match (&check.parameters, check.kind) {
        (Parameters::Count(count), Kind::SectionCount) => {
            count.of.as_deref().map(str::trim).filter(|name| !name.is_empty())
        }
        _ => None,
    }
}

/// An expression for the beginning of an answer or a paragraph.
fn beginning(text: &str) -> Option<String> {
    let text = bare(text)?;
    Some(format!(r"^[\s{AROUND}]*{}{}", escape_regex(text), behind(text)))
}

/// A text without the signs around it, if anything is left.
fn bare(text: &str) -> Option<&str> {
    Some(text.trim_matches(is_around)).filter(|text| !text.is_empty())
}

/// What keeps a text from being the end of a longer word.
fn before(text: &str) -> String {
    let inner = text.chars().next().is_some_and(crate::output::is_spaced_word);
    if inner { format!("(?<!{WORD})") } else { String::new() }
}

/// What keeps a text from being the beginning of a longer word.
fn behind(text: &str) -> String {
    let inner = text.chars().next_back().is_some_and(crate::output::is_spaced_word);
    if inner { format!("(?!{WORD})") } else { String::new() }
}

/// An expression for a word that is no part of another one.
fn whole(word: &str) -> String {
    format!("{}{}{}", before(word), escape_regex(word), behind(word))
}
