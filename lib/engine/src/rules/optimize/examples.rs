//! Finding worked examples in a prompt: inputs with the answers that they should get.
//!
//! A model learns from such pairs by their form, so they stay together, in order and letter by letter.

use std::collections::HashMap;
use std::ops::Range;

use crate::rules::imperative;
use patterns::pattern;
use text::{Cover, Literals, list::is_item};

/// Names of what is given, in the languages that prompts are often written in.
const GIVEN: &str = "input q question query text sentence review comment tweet message email e-mail user human customer prompt source word problem ticket before original headline product utterance request premise eingabe frage satz nachricht bewertung kunde kundin vorher aufgabe entrée texte phrase avis avant client entrada pregunta texto frase reseña antes cliente domanda testo recensione prima pergunta avaliação 入力 質問 输入 问题 問題 вход вопрос текст 입력 질문";
/// Names of what should come out.
const WANTED: &str = "output a answer label sentiment category class classification response reply result completion translation summary intent tag tags rating priority assistant ai bot agent after rewrite rewritten corrected correction target solution score verdict type ausgabe antwort etikett kategorie klasse ergebnis übersetzung zusammenfassung stimmung nachher lösung sortie réponse étiquette catégorie résultat traduction résumé après salida respuesta etiqueta categoría resultado traducción resumen sentimiento después uscita risposta etichetta categoria risultato traduzione riassunto dopo saída resposta rótulo resultado tradução resumo sentimento depois 出力 回答 答え ラベル 输出 答案 标签 выход ответ метка 출력 답변";
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

/// Whether a line announces or names examples.
pub fn announces(line: &str) -> bool {
    pattern!(r"(?i)\b{optimize_examples.announcing}\b|{optimize_examples.announcing_scripted}")
        .is_match(line)
}

#[derive(Debug, PartialEq)]
enum Kind<'a> {
    Blank,
    /// "Example 1", by itself or with a text behind it.
    Heading,
    /// "Here are two examples:"
    Lead,
    /// "Input: …", with its name and whether anything follows.
    Label(String, bool),
    /// "Q: … A: …" on one line.
    Pair(String),
    /// "great movie -> positive"
    Arrow,
    Item,
    Other(&'a str),
    /// Inside code.
    Code,
    /// Inside other content.
    Held,
}

struct Line<'a> {
    range: Range<usize>,
    kind: Kind<'a>,
}

impl<'a> Line<'a> {
    fn read(line: &'a str, range: Range<usize>, code: &Cover, held: &Cover) -> Self {
        let plain = line.trim();
        let kind = if plain.is_empty() {
            // A blank line inside code separates nothing.
            let gap = range.start..range.start + line.len();
            if code.touches(&gap) { Kind::Code } else { Kind::Blank }
        } else if held.touches(&range) {
            Kind::Held
        } else if plain.starts_with("```")
            || plain.starts_with("~~~")
            || code.touches(&(range.start..range.start + 1)) && !line.starts_with('`')
        {
            Kind::Code
        } else {
            kind_of(plain)
        };
        Self { range, kind }
    }
}

fn kind_of(line: &str) -> Kind<'_> {
    let heading = pattern!(
        r"(?i)^(?:#{1,6} |[-*•] )?\*{0,2}(?:{optimize_examples.title} ?(?:#|{optimize_examples.number}\.? ?)?\d{0,3}(?: \([^)]{1,60}\))?\*{0,2}(?:[:：]|\d\.|$)|{optimize_examples.title_scripted} ?\d{0,3}[:：])"
    );
    if heading.is_match(line) {
        return Kind::Heading;
    }
    let label = pattern!(
        r"^(?:[-*•] |\d{1,2}[.)] )?\*{0,2}(?P<l>\p{L}[\p{L}-]{0,23}) ?#?\d{0,3}\*{0,2}[:：]\*{0,2}[ \t]*(?P<v>.*)$"
    );
    if let Some(found) = label.captures(line) {
        let name = found["l"].to_lowercase();
        let value = &found["v"];
        if wanted_inside(value) && is_given(&name) {
            return Kind::Pair(name);
        }
        if !(value.is_empty() && announces(line)) {
            return Kind::Label(name, !value.is_empty());
        }
    }
    if line.ends_with([':', '：']) && announces(line) && line.chars().count() <= 160 {
        return Kind::Lead;
    }
    if pattern!(r"^[^→⇒]{1,300}?\S ?(?:->|=>|→|⇒|⟶) ?\S[^→⇒]{0,300}$").is_match(line)
        && pattern!(r"->|=>|→|⇒|⟶").find_iter(line).take(2).count() == 1
    {
        return Kind::Arrow;
    }
    if is_item(line) { Kind::Item } else { Kind::Other(line) }
}

fn wanted_inside(value: &str) -> bool {
    pattern!(r"[\s|/>→-](?P<l>\p{L}[\p{L}-]{0,23})[:：] ?\S")
        .captures_iter(value)
        .take(20)
        .any(|found| is_wanted(&found["l"].to_lowercase()))
}

fn is_given(name: &str) -> bool {
    GIVEN.split(' ').any(|known| known == name)
}

fn is_wanted(name: &str) -> bool {
    WANTED.split(' ').any(|known| known == name)
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
        let mut known: Vec<String> = Vec::new();
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
    fn question(&self, known: &[String], found: &Examples) -> Option<Range<usize>> {
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

/// Whether a line below an answer is the author of the prompt again.
fn speaks(line: &str) -> bool {
    imperative::starts_work(line) || pattern!(r"(?i)^{optimize_examples.speaking}\b").is_match(line)
}
