//! Where a prompt takes new requirements.

use std::ops::Range;

use crate::integrity::Literals;
use crate::rules::dialect::bullets;
use crate::rules::optimize::material;
use crate::rules::outline::Outline;
use crate::rules::pattern::regex;
use crate::rules::split::stop;
use crate::rules::wording::Tongue;

/// Where new requirements go, and in which form.
pub struct Place {
    /// Byte offset.
    pub at: usize,
    form: Form,
}

enum Form {
    /// Items of the list that ends here.
    Items(String),
    /// Sentences behind the last one.
    Sentences { stopped: bool, space: &'static str },
    /// A paragraph of lines of its own, with what comes before and behind it.
    Lines { before: String, after: String, bullet: bool },
}

impl Place {
    /// Finds the place in a prompt for `count` lines.
    pub fn of(prompt: &str, literals: &Literals, tongue: Tongue, count: usize) -> Self {
        let outline = Outline::of(prompt);
        let heading = tongue.heading("requirements").unwrap_or("Requirements");
        let line_end = |line: usize| {
            let line = prompt.split_inclusive('\n').take(line + 1);
            let end: usize = line.clone().map(str::len).sum();
            prompt[..end].trim_end_matches(['\n', '\r']).len()
        };
        let line_start = |line: usize| prompt.split_inclusive('\n').take(line).map(str::len).sum();
        let end = prompt.trim_end().len();
        if outline.has_headings() {
            let section = outline.in_own_style(heading, "\u{0}");
            let (before, after) = section.split_once('\u{0}').unwrap_or((&section, ""));
            return match outline.place_for_requirements() {
                Ok(line) => {
                    let at = line_end(line);
                    let last = prompt[..at].rsplit('\n').next().unwrap_or_default();
                    Self { at, form: Form::Items(bullet_of(last)) }
                }
                Err(Some(line)) => Self {
                    at: line_start(line),
                    form: Form::Lines {
                        before: before.to_owned(),
                        after: format!("{after}\n\n"),
                        bullet: true,
                    },
                },
                Err(None) => Self {
                    at: end,
                    form: Form::Lines {
                        before: format!("\n\n{before}"),
                        after: after.to_owned(),
                        bullet: true,
                    },
                },
            };
        }
        let body = &prompt[..end];
        let last = body.lines().next_back().unwrap_or_default();
        let supplied = material::supplied(prompt, literals);
        let at_end = |range: &Range<usize>| range.end >= end;
        let pasted = supplied.iter().any(at_end)
            && !body.ends_with("\"\"\"")
            && !last.starts_with(['>', '|', '<']);
        // Behind a colon or pasted text, a new line would be read as content.
        if body.ends_with([':', '：']) || pasted {
            return Self {
                at: 0,
                form: Form::Lines {
                    before: String::new(),
                    after: "\n\n".to_owned(),
                    bullet: count > 1,
                },
            };
        }
        if material::is_item(last) && literals.code.iter().all(|range| range.end < end) {
            return Self { at: end, form: Form::Items(bullet_of(last)) };
        }
        let closes = literals
            .code
            .iter()
            .chain(&supplied)
            .any(|range| range.end >= end && body[range.start..].contains('\n'));
        // Scripts without spaces have no words to count.
        let sentence = last.split_whitespace().count() > 2 || body.chars().any(|c| c >= '\u{2e80}');
        let running = !closes && count <= 3 && sentence;
        if running {
            let space = if matches!(tongue.tag, "zh" | "ja") { "" } else { " " };
            return Self { at: end, form: Form::Sentences { stopped: stop(body) == body, space } };
        }
        let before = if count > 1 { format!("\n\n{heading}:\n") } else { "\n\n".to_owned() };
        Self { at: end, form: Form::Lines { before, after: String::new(), bullet: count > 1 } }
    }

    /// What is inserted for one of the lines.
    pub fn text(&self, line: &str, first: bool, last: bool) -> String {
        match &self.form {
            Form::Items(bullet) => format!("\n{bullet}{}", line.replace('\n', "\n  ")),
            Form::Sentences { stopped, space } => {
                format!("{}{space}{line}", if first && !stopped { "." } else { "" })
            }
            Form::Lines { before, after, bullet } => {
                let line = if *bullet { bullets(&[line.to_owned()]) } else { line.to_owned() };
                let lead = if first { before.as_str() } else { "\n" };
                format!("{lead}{line}{}", if last { after.as_str() } else { "" })
            }
        }
    }
}

/// The sign and indentation of a list item; a numbered list goes on with its next number.
fn bullet_of(line: &str) -> String {
    regex!(r"^\s*[-*•–]\s+")
        .find(line)
        .map_or_else(|| "- ".to_owned(), |found| found.as_str().to_owned())
}
