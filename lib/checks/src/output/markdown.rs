//! What Markdown makes of the lines of an answer.
//!
//! Answers are no documents: a list may stand without an empty line before it, a title may be a line in bold letters.
//! So lines are told apart by how they look, each by itself but for code between fences and the rows of tables.

use std::ops::Range;

use patterns::pattern;

/// The lines of an answer, with its code and tables.
pub struct Markdown {
    pub lines: Vec<Line>,
    pub fences: Vec<Fence>,
    pub tables: Vec<Table>,
}

/// A line without its break.
pub struct Line {
    pub range: Range<usize>,
    pub kind: LineKind,
}

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    Blank,
    /// A heading of a level from 1; 0 for a line in bold letters.
    Heading(usize),
    /// An item of a list: how far it is indented, and how long its marker is with the space before and behind it.
    Item {
        indent: usize,
        marker: usize,
        numbered: bool,
    },
    /// A row of a table.
    Row,
    /// The line below the head of a table.
    Ruler,
    /// A line that divides.
    Break,
    /// A fence, or code between fences.
    Code,
    Text,
}

/// Code between fences.
pub struct Fence {
    pub range: Range<usize>,
    /// The code itself.
    pub code: Range<usize>,
    /// What stands behind the opening fence.
    pub language: Range<usize>,
}

/// A table.
pub struct Table {
    pub range: Range<usize>,
    /// The cells of its head.
    pub columns: Vec<Range<usize>>,
    /// Its rows below the head.
    pub rows: usize,
}

impl Markdown {
    /// Reads the lines of a text.
    pub fn of(text: &str) -> Self {
        let mut found = Self { lines: Vec::new(), fences: Vec::new(), tables: Vec::new() };
        let mut open: Option<(Range<usize>, char, usize)> = None;
        let mut start = 0;
        let wrapped = wrapping(text);
        for line in text.split_inclusive('\n') {
            let end = start + line.trim_end_matches(['\n', '\r']).len();
            let range = start..end;
            start += line.len();
            let body = &text[range.clone()];
            let (sign, run) = fence(body);
            let kind = match &open {
                _ if wrapped
                    .as_ref()
                    .is_some_and(|[first, last]| range == *first || range == *last) =>
                {
                    LineKind::Blank
                }
                Some((first, own, length)) => {
                    let closes = sign == *own
                        && run >= *length
                        && body.trim_start()[run..].trim().is_empty();
                    if closes {
                        found.push_fence(text, first, *length, range.clone());
                        open = None;
                    }
                    LineKind::Code
                }
                None if run >= 3 && !body.trim_start()[run..].contains('`') => {
                    open = Some((range.clone(), sign, run));
                    LineKind::Code
                }
                None => kind(body),
            };
            found.lines.push(Line { range, kind });
        }
        if let Some((first, _, length)) = open {
            found.push_fence(text, &first, length, text.len()..text.len());
        }
        found.underline(text);
        found.find_tables(text);
        found
    }

    /// Parts of the text that hold no code, headings, tables and dividing lines.
    pub fn prose(&self, text: &str) -> Vec<Range<usize>> {
        let mut found: Vec<Range<usize>> = Vec::new();
        for line in &self.lines {
            let is_prose =
                matches!(line.kind, LineKind::Blank | LineKind::Item { .. } | LineKind::Text);
            let behind = (line.range.end + 1).min(text.len());
            let behind = if text.is_char_boundary(behind) { behind } else { line.range.end };
            match found.last_mut() {
                Some(last) if is_prose && last.end >= line.range.start => last.end = behind,
                _ if is_prose => found.push(line.range.start..behind),
                _ => {}
            }
        }
        found
    }

    /// Its headings with their levels: those that are marked as such, else lines in bold letters, whose level is 0.
    pub fn headings(&self) -> Vec<(Range<usize>, usize)> {
        let all = self.lines.iter().filter_map(|line| match line.kind {
            LineKind::Heading(level) => Some((line.range.clone(), level)),
            _ => None,
        });
        let all: Vec<_> = all.collect();
        let marked = all.iter().any(|(_, level)| *level > 0);
        all.into_iter().filter(|(_, level)| !marked || *level > 0).collect()
    }

    /// The items of its lists: range, indent, whether it is numbered.
    pub fn items(&self) -> impl Iterator<Item = (Range<usize>, usize, bool)> {
        self.lines.iter().filter_map(|line| match line.kind {
            LineKind::Item { indent, numbered, .. } => Some((line.range.clone(), indent, numbered)),
            _ => None,
        })
    }

    fn push_fence(&mut self, text: &str, first: &Range<usize>, length: usize, last: Range<usize>) {
        let line = &text[first.clone()];
        let opening = first.start + line.len() - line.trim_start().len() + length;
        let info = &text[opening..first.end];
        let language = info.split_whitespace().next().unwrap_or_default();
        let from = opening + info.find(language).unwrap_or_default();
        let code = (first.end + 1).min(last.start)..last.start;
        self.fences.push(Fence {
            range: first.start..last.end,
            code,
            language: from..from + language.len(),
        });
    }

    /// Headings that a line of signs below them marks.
    fn underline(&mut self, text: &str) {
        for at in 1..self.lines.len() {
            let body = text[self.lines[at].range.clone()].trim();
            let level = match body.as_bytes() {
                [b'=', b'=', b'=', ..] if body.bytes().all(|byte| byte == b'=') => 1,
                [b'-', b'-', b'-', ..] if body.bytes().all(|byte| byte == b'-') => 2,
                _ => continue,
            };
            let stands_alone = at < 2 || self.lines[at - 2].kind == LineKind::Blank;
            let title = text[self.lines[at - 1].range.clone()].trim_end();
            let is_title = !title.ends_with(['.', '!', '?', ';', ':', '。']);
            if self.lines[at - 1].kind == LineKind::Text && stands_alone && is_title {
                self.lines[at - 1].kind = LineKind::Heading(level);
                self.lines[at].kind = LineKind::Break;
            }
        }
    }

    /// Tables: a row, a ruler below it, and the rows that follow.
    fn find_tables(&mut self, text: &str) {
        let mut at = 1;
        while at < self.lines.len() {
            let head = self.lines[at - 1].range.clone();
            if self.lines[at].kind != LineKind::Ruler || !text[head.clone()].contains('|') {
                at += 1;
                continue;
            }
            self.lines[at - 1].kind = LineKind::Row;
            let mut end = at + 1;
            while end < self.lines.len() {
                let line = &mut self.lines[end];
                if line.kind == LineKind::Blank || !text[line.range.clone()].contains('|') {
                    break;
                }
                line.kind = LineKind::Row;
                end += 1;
            }
            let columns = cells(text, &head);
            let range = head.start..self.lines[end - 1].range.end;
            self.tables.push(Table { range, columns, rows: end - at - 1 });
            at = end + 1;
        }
    }
}

/// The first and the last line of an answer that stands as a whole in a fence which says that it is Markdown.
fn wrapping(text: &str) -> Option<[Range<usize>; 2]> {
    let body = text.trim();
    let from = text.len() - text.trim_start().len();
    let first = body.lines().next()?.trim_end();
    let last = body.rsplit('\n').next()?;
    let opens = pattern!(r"(?i)^```+\s*(?:markdown|md)$").is_match(first);
    let closes = last.len() >= 3 && last.bytes().all(|byte| byte == b'`');
    (opens && closes && body.len() > first.len() + last.len()).then(|| {
        let end = from + body.len();
        [from..from + first.len(), end - last.len()..end]
    })
}

/// The sign and the length of a fence that a line begins with.
fn fence(line: &str) -> (char, usize) {
    let line = line.trim_start();
    let sign = line.chars().next().filter(|c| matches!(c, '`' | '~')).unwrap_or(' ');
    (
        sign,
        if sign == ' ' { 0 } else { line.bytes().take_while(|byte| *byte == sign as u8).count() },
    )
}

/// What a line outside code is, by itself.
fn kind(line: &str) -> LineKind {
    let bare = line.trim();
    let Some(first) = bare.chars().next() else { return LineKind::Blank };
    let level = bare.bytes().take_while(|byte| *byte == b'#').count();
    if (1..=6).contains(&level) && bare[level..].starts_with([' ', '\t']) {
        return LineKind::Heading(level);
    }
    let is_of = |signs: &[char]| bare.chars().all(|c| signs.contains(&c));
    if matches!(first, '*' | '-' | '_' | '=' | '~' | '—' | '–' | '―' | '⸻')
        && is_of(&[first, ' '])
        && (bare.chars().filter(|c| *c == first).count() >= 3 || !first.is_ascii())
    {
        return LineKind::Break;
    }
    if bare.contains('|') && bare.contains('-') && is_of(&['|', '-', ':', ' ', '\t']) {
        return LineKind::Ruler;
    }
    if pattern!(r"^\s*(?:[-*+•–·◦‣]\s+|[•·◦‣]|\(?\d{1,3}[.)）．](?:\s|\*)|\d{1,3}[、．]|[①-⑳]|\(?[a-zA-Z][)）]\s)").is_match(line) {
        let indent = line.len() - line.trim_start().len();
        let numbered = !matches!(first, '-' | '*' | '+' | '•' | '–' | '·' | '◦' | '‣');
        let sign = bare.find(|c: char| c.is_whitespace()).unwrap_or(first.len_utf8());
        let sign = if numbered { sign } else { first.len_utf8() };
        let marker = indent + sign;
        if line.len() > marker {
            return LineKind::Item { indent, marker, numbered };
        }
    }
    let bold = bare
        .strip_prefix("**")
        .and_then(|rest| rest.strip_suffix("**").or_else(|| rest.strip_suffix("**:")));
    match bold {
        Some(title) if !title.is_empty() && !title.contains('*') => LineKind::Heading(0),
        _ => LineKind::Text,
    }
}

/// The cells of a row, without the spaces around them.
pub fn cells(text: &str, row: &Range<usize>) -> Vec<Range<usize>> {
    let line = &text[row.clone()];
    let mut found = Vec::new();
    let mut from = 0;
    let mut escaped = false;
    let bounds = line.char_indices().filter(|(_, c)| {
        let is_bound = *c == '|' && !escaped;
        escaped = *c == '\\' && !escaped;
        is_bound
    });
    let bounds: Vec<usize> = bounds.map(|(at, _)| at).chain([line.len()]).collect();
    for at in bounds {
        let cell = &line[from..at];
        let start = row.start + from + cell.len() - cell.trim_start().len();
        let end = start.max(row.start + from + cell.trim_end().len());
        // What stands before the first and behind the last bound of a framed row is no cell.
        if start < end || from > 0 && at < line.len() {
            found.push(start..end);
        }
        from = (at + 1).min(line.len());
    }
    found
}
