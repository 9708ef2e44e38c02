//! What Markdown makes of the lines of an answer.
//!
//! Answers are no documents: a list may stand without an empty line before it, a title may be a line in bold letters.
//! So lines are told apart by how they look, each by itself but for code between fences and the rows of tables.

use std::ops::Range;

use patterns::pattern;
use text::literals;

/// The lines of an answer, with its code and tables.
pub struct Markdown {
    pub lines: Vec<Line>,
    /// Code between fences, with these and without.
    pub fences: Vec<(Range<usize>, Range<usize>)>,
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
    /// An item of a list, and how far it is indented.
    Item {
        indent: usize,
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

/// A table.
pub struct Table {
    pub range: Range<usize>,
    /// Its head.
    pub head: Range<usize>,
    /// Its rows below the head.
    pub rows: usize,
}

impl Markdown {
    /// Reads the lines of a text. One that stands as a whole in a fence which says that it is Markdown is what stands there.
    pub fn of(text: &str) -> Self {
        let mut found = Self { lines: Vec::new(), fences: Vec::new(), tables: Vec::new() };
        let wrapped = pattern!(r"(?is)^\s*```+\s*(?:markdown|md)[ \t\r]*\n(?P<body>.*\n)```+\s*$");
        let body = wrapped.captures(text).and_then(|found| found.name("body"));
        let Range { mut start, end } = body.map_or(0..text.len(), |body| body.range());
        for (block, code) in literals::fences(&text[start..end]) {
            let last = text[start + block.start..start + block.end].trim_end_matches(['\n', '\r']);
            let range = start + block.start..start + block.start + last.len();
            found.fences.push((range, start + code.start..start + code.end));
        }
        for line in text[start..end].split_inclusive('\n') {
            let range = start..start + line.trim_end_matches(['\n', '\r']).len();
            start += line.len();
            let next = found.fences.partition_point(|(fence, _)| fence.end < range.start);
            let is_code =
                found.fences.get(next).is_some_and(|(fence, _)| fence.start <= range.start);
            let kind = if is_code { LineKind::Code } else { kind(&text[range.clone()]) };
            found.lines.push(Line { range, kind });
        }
        found.find_tables(text);
        found
    }

    /// Lines of some kinds in a row, each from the first to the last.
    pub fn runs(&self, belongs: impl Fn(LineKind) -> bool) -> Vec<Range<usize>> {
        let runs = self.lines.split(|line| !belongs(line.kind));
        let range = |run: &[Line]| Some(run.first()?.range.start..run.last()?.range.end);
        runs.filter_map(range).collect()
    }

    /// Its headings with their levels: those that are marked as such, else lines in bold letters, whose level is 0.
    pub fn headings(&self) -> Vec<(Range<usize>, usize)> {
        let marked = |line: &Line| matches!(line.kind, LineKind::Heading(1..));
        let least = usize::from(self.lines.iter().any(marked));
        let all = self.lines.iter().filter_map(|line| match line.kind {
            LineKind::Heading(level) => Some((line.range.clone(), level)),
            _ => None,
        });
        all.filter(|(_, level)| *level >= least).collect()
    }

    /// The items of its lists: range, indent, whether it is numbered.
    pub fn items(&self) -> impl Iterator<Item = (Range<usize>, usize, bool)> {
        self.lines.iter().filter_map(|line| match line.kind {
            LineKind::Item { indent, numbered } => Some((line.range.clone(), indent, numbered)),
            _ => None,
        })
    }

    /// The lines of some kinds.
    pub fn lines_of(&self, is_of: impl Fn(LineKind) -> bool) -> Vec<Range<usize>> {
        self.lines.iter().filter(|line| is_of(line.kind)).map(|line| line.range.clone()).collect()
    }

    /// Tables: a row, a ruler below it, and the rows that follow.
    fn find_tables(&mut self, text: &str) {
        for at in 1..self.lines.len() {
            let is_row = |line: &Line| {
                line.kind != LineKind::Blank && text[line.range.clone()].contains('|')
            };
            if self.lines[at].kind != LineKind::Ruler || !is_row(&self.lines[at - 1]) {
                continue;
            }
            let rows = self.lines[at + 1..].iter().take_while(|line| is_row(line)).count();
            for row in
                self.lines[at - 1..=at + rows].iter_mut().filter(|row| row.kind != LineKind::Ruler)
            {
                row.kind = LineKind::Row;
            }
            let head = self.lines[at - 1].range.clone();
            let range = head.start..self.lines[at + rows].range.end;
            self.tables.push(Table { range, head, rows });
        }
    }
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
        let numbered = !matches!(first, '-' | '*' | '+' | '•' | '–' | '·' | '◦' | '‣');
        return LineKind::Item { indent: line.len() - line.trim_start().len(), numbered };
    }
    let is_bold = pattern!(r"^\*\*[^*]+\*\*:?$").is_match(bare);
    if is_bold { LineKind::Heading(0) } else { LineKind::Text }
}

/// The cells of a row, which may be framed, without the spaces around them.
pub fn cells(row: &str) -> Vec<&str> {
    let row = row.trim();
    let row = row.strip_prefix('|').unwrap_or(row);
    row.strip_suffix('|').unwrap_or(row).split('|').map(str::trim).collect()
}
