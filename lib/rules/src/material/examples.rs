//! Finding worked examples in a prompt: inputs with the answers that they should get.
//!
//! A model learns from such pairs by their form, so they stay together, in order and letter by letter.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::line::{Kind, Line, announces, is_given, is_wanted, speaks};
use patterns::pattern;
use text::{Cover, Literals};

/// So many lines may lie between what is given and what should come out.
const LONGEST_INPUT: usize = 60;
/// So many pairs need no word that calls them examples.
const FEWEST_PAIRS: usize = 2;

/// Examples, and the open pair that a prompt ends with for the model to complete.
#[derive(Debug, Default)]
pub struct Examples {
    /// Where examples stand, with the lines that introduce them.
    pub shown: Vec<Range<usize>>,
    /// Where an input without its answer stands behind them.
    pub open: Vec<Range<usize>>,
}

/// Finds the examples of a prompt outside what is quoted or tagged as content.
pub fn find(text: &str, literals: &Literals, held: &Cover) -> Examples {
    let code = Cover::of(text.len(), &[&literals.code]);
    let mut at = 0;
    let lines: Vec<Line<'_>> = text
        .split_inclusive('\n')
        .map(|line| {
            let range = at..at + line.trim_end().len();
            at += line.len();
            Line::read(line, range, &code, held)
        })
        .collect();
    Search::of(&lines).run()
}

/// A pair or another example, in lines.
struct Record {
    lines: Range<usize>,
    /// Whether its own words call it an example.
    named: bool,
    /// What it gives, as in "Input".
    given: Option<String>,
    /// Whether the answer is missing.
    open: bool,
}

struct Search<'l, 'a> {
    lines: &'l [Line<'a>],
    counts: HashMap<&'l str, usize>,
}

impl<'l, 'a> Search<'l, 'a> {
    fn of(lines: &'l [Line<'a>]) -> Self {
        let mut counts = HashMap::new();
        for line in lines {
            if let Kind::Label(name, _) | Kind::Pair(name) = &line.kind {
                *counts.entry(name.as_str()).or_default() += 1;
            }
        }
        Self { lines, counts }
    }

    fn run(&self) -> Examples {
        let mut records: Vec<Record> = Vec::new();
        let mut at = 0;
        while at < self.lines.len() {
            match self.record(at) {
                Some(record) => {
                    at = record.lines.end.max(at + 1);
                    records.push(record);
                }
                None => at += 1,
            }
        }
        self.settle(records)
    }

    fn kind(&self, at: usize) -> Option<&Kind<'a>> {
        self.lines.get(at).map(|line| &line.kind)
    }

    /// The first line at or behind `at` that is not blank.
    fn next(&self, at: usize) -> usize {
        let blank = |line: &&Line<'_>| line.kind == Kind::Blank;
        at + self.lines[at.min(self.lines.len())..].iter().take_while(blank).count()
    }

    fn record(&self, at: usize) -> Option<Record> {
        match self.kind(at)? {
            Kind::Heading => {
                let body = self.next(at + 1);
                let labelled = self.pair(body).filter(|_| body <= at + 3);
                let end = match &labelled {
                    Some(pair) => pair.lines.end,
                    None => self.body(at + 1),
                };
                let open = labelled.as_ref().is_some_and(|pair| pair.open);
                let given = labelled.and_then(|pair| pair.given);
                Some(Record { lines: at..end, named: true, given, open })
            }
            Kind::Lead => {
                let first = self.next(at + 1);
                let end = match self.kind(first)? {
                    Kind::Item | Kind::Arrow => self.list(first),
                    Kind::Label(..) | Kind::Pair(_) if self.pair(first).is_some() => at + 1,
                    Kind::Heading => at + 1,
                    _ => return None,
                };
                Some(Record { lines: at..end, named: true, given: None, open: false })
            }
            Kind::Arrow => {
                let lines = at..self.arrows(at);
                (lines.len() >= FEWEST_PAIRS).then_some(Record {
                    lines,
                    named: true,
                    given: None,
                    open: false,
                })
            }
            Kind::Label(..) | Kind::Pair(_) => self.pair(at),
            _ => None,
        }
    }

    fn arrows(&self, at: usize) -> usize {
        at + self.lines[at..].iter().take_while(|line| line.kind == Kind::Arrow).count()
    }

    /// The end of a list whose items may have blank lines between them.
    fn list(&self, mut at: usize) -> usize {
        let part = |kind: Option<&Kind<'_>>| {
            matches!(kind, Some(Kind::Item | Kind::Arrow | Kind::Label(..) | Kind::Pair(_)))
        };
        loop {
            let next = self.next(at);
            if !part(self.kind(next)) {
                return at;
            }
            at = next + 1;
        }
    }

    /// What is given at `at`, with what should come out of it.
    fn pair(&self, at: usize) -> Option<Record> {
        let name = match self.kind(at)? {
            Kind::Pair(name) => {
                let given = Some(name.clone());
                return Some(Record { lines: at..at + 1, named: false, given, open: false });
            }
            Kind::Label(name, _) => name,
            _ => return None,
        };
        let known = is_given(name);
        let often = self.counts.get(name.as_str()).is_some_and(|count| *count >= FEWEST_PAIRS);
        if !known && (is_wanted(name) || !often) {
            return None;
        }
        let until = self.lines.len().min(at + LONGEST_INPUT);
        let answer = (at + 1..until).find_map(|line| match self.kind(line)? {
            Kind::Label(other, _) if other == name => Some(None),
            Kind::Label(other, _) if is_wanted(other) => Some(Some(line)),
            Kind::Heading | Kind::Lead | Kind::Held => Some(None),
            _ => None,
        });
        let answer = answer.flatten()?;
        let stated = matches!(self.kind(answer), Some(Kind::Label(_, true)));
        let below = matches!(
            self.kind(answer + 1),
            Some(Kind::Other(_) | Kind::Code | Kind::Item | Kind::Arrow)
        );
        let end = if stated || below { self.body(answer + 1) } else { answer + 1 };
        Some(Record {
            lines: at..end,
            named: false,
            given: Some(name.clone()),
            open: !(stated || below),
        })
    }

    /// The end of the lines that belong to what stands before `at`.
    fn body(&self, mut at: usize) -> usize {
        while let Some(kind) = self.kind(at) {
            let belongs = match kind {
                Kind::Code | Kind::Item | Kind::Arrow => true,
                Kind::Label(name, _) => !is_given(name) || self.counts[name.as_str()] == 1,
                Kind::Other(line) => !speaks(line),
                Kind::Blank | Kind::Heading | Kind::Lead | Kind::Pair(_) | Kind::Held => false,
            };
            if !belongs {
                break;
            }
            at += 1;
        }
        at
    }

    /// Joins neighbours, and leaves out what only looks like an example.
    fn settle(&self, records: Vec<Record>) -> Examples {
        let mut found = Examples::default();
        let mut groups: Vec<Vec<Record>> = Vec::new();
        for record in records {
            match groups.last_mut() {
                Some(group)
                    if group
                        .last()
                        .is_some_and(|last| self.next(last.lines.end) == record.lines.start) =>
                {
                    group.push(record);
                }
                _ => groups.push(vec![record]),
            }
        }
        let pairs: usize = groups.iter().flatten().filter(|record| record.given.is_some()).count();
        let named = groups.iter().flatten().any(|record| record.named);
        let mut known: HashSet<String> = HashSet::new();
        for mut group in groups {
            let first = group[0].lines.start;
            if !(named || pairs >= FEWEST_PAIRS) || self.is_material(first) {
                continue;
            }
            let open = group.pop_if(|record| record.open);
            known.extend(group.iter().filter_map(|record| record.given.clone()));
            if let (Some(first), Some(last)) = (group.first(), group.last()) {
                found.shown.push(self.range(first.lines.start..last.lines.end));
            }
            found.open.extend(open.map(|open| self.range(open.lines)));
        }
        found.open.extend(self.question(&known, &found));
        found
    }

    /// "Text: …" without an answer, behind examples that begin so.
    fn question(&self, known: &HashSet<String>, found: &Examples) -> Option<Range<usize>> {
        let behind = found.shown.last()?.end;
        if !found.open.is_empty() {
            return None;
        }
        let asks = |line: &Line<'_>| {
            line.range.start >= behind
                && matches!(&line.kind, Kind::Label(name, _) if known.contains(name))
        };
        let at = self.lines.iter().position(asks)?;
        Some(self.range(at..self.body(at + 1)))
    }

    /// Whether pairs are announced as content to work on, as a transcript is.
    fn is_material(&self, first: usize) -> bool {
        let before = self.lines[..first].iter().rev().find(|line| line.kind != Kind::Blank);
        before.is_some_and(|line| match line.kind {
            Kind::Other(text) => {
                text.ends_with([':', '：'])
                    && !announces(text)
                    && pattern!(r"(?i)\b{optimize_examples.record}\b").is_match(text)
            }
            _ => false,
        })
    }

    fn range(&self, lines: Range<usize>) -> Range<usize> {
        self.lines[lines.start].range.start..self.lines[lines.end - 1].range.end
    }
}
