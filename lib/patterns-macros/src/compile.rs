//! From an expression to the program that matches it.
//!
//! A program is a row of words, read by `program.rs` of the crate `patterns`: a header, instructions, classes,
//! names of groups. The low byte of an instruction says what it does, the rest is its operand.

use std::collections::HashMap;

use regex_syntax::hir::{Hir, HirKind, Look};

use crate::node::{self, END, Node, Row, first};
use crate::prefix;
use crate::ranges::{self, Ranges};

const MATCH: u32 = 0;
const CHARACTER: u32 = 1;
const CLASS: u32 = 2;
const JUMP: u32 = 3;
/// Goes on at each of the places that follow, the first that leads to a match.
const CHOOSE: u32 = 4;
/// Goes on where the table that follows says for the next character.
const SWITCH: u32 = 5;
const SAVE: u32 = 6;
const PLACE: u32 = 7;
const FAIL: u32 = 8;
/// Takes all characters of a class that follow each other.
const SPAN: u32 = 9;
/// Begins a round of a repetition without an end, or leaves it: a choice of two. The operand counts them.
const LOOP: u32 = 10;
/// Goes on if the language that the operand names is asked.
const LANGUAGE: u32 = 11;

/// Words of a header: groups and where a match can begin, what it begins with, where classes, names, the pairs that a
/// match begins with and the languages of which it needs one stand, the last two 0 where any may.
const HEADER: usize = 6;
/// Words of a table: one for each bucket and one for the end of the text.
const TABLE: usize = 32;
/// Alternatives that deserve a table.
const MANY: usize = 4;

#[derive(Default)]
struct Compiler {
    code: Vec<u32>,
    classes: Vec<u32>,
    known: HashMap<Ranges, u32>,
    loops: u32,
}

/// The program of an expression.
///
/// # Errors
///
/// Says what is wrong with the expression.
pub fn program(source: &str) -> Result<Vec<u32>, String> {
    let hir = regex_syntax::parse(source).map_err(|error| error.to_string())?;
    let row = node::row(&hir)?;
    let mut compiler = Compiler { code: vec![0; HEADER], ..Compiler::default() };
    compiler.row(&row)?;
    compiler.emit(MATCH, 0);

    let names = group_names(&hir);
    let beginning = first(&row);
    let buckets = if beginning.empty { u32::MAX } else { beginning.buckets };
    compiler.code[0] = (names.len() as u32 + 1)
        | (u32::from(node::is_anchored(&row)) << 16)
        | (u32::from(node::begins_words(&row)) << 17);
    compiler.code[1] = buckets;
    compiler.code[2] = compiler.code.len() as u32;
    compiler.code[3] = (compiler.code.len() + compiler.classes.len()) as u32;
    let mut words = compiler.code;
    words.extend(compiler.classes);
    for name in names {
        words.push(name.len() as u32);
        let bytes = name.as_bytes().chunks(4).map(|chunk| {
            let mut word = [0; 4];
            word[..chunk.len()].copy_from_slice(chunk);
            u32::from_le_bytes(word)
        });
        words.extend(bytes);
    }
    if let Some(pairs) = prefix::pairs(&row).filter(|_| !beginning.empty) {
        words[4] = words.len() as u32;
        words.extend(pairs);
    }
    if let Some(languages) = node::needed(&row) {
        words[5] = words.len() as u32;
        words.push(languages.len() as u32);
        words.extend(languages);
    }
    Ok(words)
}

/// The names of the groups, empty for those that have none.
fn group_names(hir: &Hir) -> Vec<String> {
    fn visit(hir: &Hir, names: &mut Vec<String>) {
        match hir.kind() {
            HirKind::Capture(capture) => {
                let index = capture.index as usize;
                names.resize(names.len().max(index), String::new());
                names[index - 1] = capture.name.as_deref().unwrap_or_default().to_owned();
                visit(&capture.sub, names);
            }
            HirKind::Repetition(repeated) => visit(&repeated.sub, names),
            HirKind::Concat(parts) | HirKind::Alternation(parts) => {
                parts.iter().for_each(|part| visit(part, names));
            }
            _ => {}
        }
    }
    let mut names = Vec::new();
    visit(hir, &mut names);
    names
}

impl Compiler {
    fn emit(&mut self, operation: u32, operand: u32) -> usize {
        self.code.push(operation | operand << 8);
        self.code.len() - 1
    }

    fn here(&self) -> u32 {
        self.code.len() as u32
    }

    /// Lets the jump at `place` lead here.
    fn land(&mut self, place: usize) {
        self.code[place] = JUMP | self.here() << 8;
    }

    fn row(&mut self, row: &[Node]) -> Result<(), String> {
        for (at, node) in row.iter().enumerate() {
            match node {
                Node::Repeat(least, None, _, inner) if node::ends_itself(inner, &row[at + 1..]) => {
                    (0..*least).try_for_each(|_| self.row(inner))?;
                    let class = match inner.as_slice() {
                        [Node::One(ranges)] => self.class(ranges),
                        _ => unreachable!("only a class ends itself"),
                    };
                    self.emit(SPAN, class);
                }
                _ => self.node(node)?,
            }
        }
        Ok(())
    }

    fn node(&mut self, node: &Node) -> Result<(), String> {
        match node {
            Node::One(ranges) => self.one(ranges),
            Node::Place(look) => {
                self.emit(PLACE, place(*look)?);
            }
            Node::Language(language) => {
                self.emit(LANGUAGE, *language);
            }
            Node::Group(index, inner) => {
                self.emit(SAVE, 2 * index);
                self.row(inner)?;
                self.emit(SAVE, 2 * index + 1);
            }
            Node::Repeat(least, most, greedy, inner) => {
                self.repeat(*least, *most, *greedy, inner)?
            }
            Node::Either(rows) => {
                let rows: Vec<&[Node]> = rows.iter().map(Vec::as_slice).collect();
                self.either(&rows)?;
            }
        }
        Ok(())
    }

    fn one(&mut self, ranges: &Ranges) {
        match ranges.as_slice() {
            [] => {
                self.emit(FAIL, 0);
            }
            [(start, end)] if start == end => {
                self.emit(CHARACTER, *start);
            }
            _ => {
                let place = self.class(ranges);
                self.emit(CLASS, place);
            }
        }
    }

    /// Where a class stands among the classes.
    fn class(&mut self, ranges: &Ranges) -> u32 {
        self.known.get(ranges).copied().unwrap_or_else(|| {
            let place = self.classes.len() as u32;
            self.classes.extend(ranges::encoded(ranges));
            self.known.insert(ranges.clone(), place);
            place
        })
    }

    fn repeat(
        &mut self,
        least: u32,
        most: Option<u32>,
        greedy: bool,
        inner: &Row,
    ) -> Result<(), String> {
        for _ in 0..least {
            self.row(inner)?;
        }
        match most {
            Some(most) => {
                let mut choices = Vec::new();
                for _ in least..most {
                    choices.push(self.choice(CHOOSE, 2, greedy));
                    self.row(inner)?;
                }
                for choice in choices {
                    self.code[choice] = self.here();
                }
            }
            None => {
                if first(inner).empty {
                    return Err("a repetition without an end of what may be empty".to_owned());
                }
                let start = self.here();
                let out = self.choice(LOOP, self.loops, greedy);
                self.loops += 1;
                self.row(inner)?;
                self.emit(JUMP, start);
                self.code[out] = self.here();
            }
        }
        Ok(())
    }

    /// A choice between what follows and somewhere else; gives where to write that.
    fn choice(&mut self, operation: u32, operand: u32, greedy: bool) -> usize {
        self.emit(operation, operand);
        let follows = self.here() + 2;
        self.code.extend([follows, follows]);
        self.code.len() - if greedy { 1 } else { 2 }
    }

    /// Alternatives. Where they can be told apart by what they begin with, only those that can match are tried.
    fn either(&mut self, rows: &[&[Node]]) -> Result<(), String> {
        if let [row] = rows {
            return self.row(row);
        }
        if let Some(Node::One(shared)) = rows[0].first()
            && rows
                .iter()
                .all(|row| matches!(row.first(), Some(Node::One(ranges)) if ranges == shared))
        {
            self.one(shared);
            return self.either(&rows.iter().map(|row| &row[1..]).collect::<Vec<_>>());
        }
        let buckets: Vec<u32> = rows
            .iter()
            .map(|row| {
                let first = first(row);
                if first.empty { u32::MAX } else { first.buckets }
            })
            .collect();
        let chosen = |bucket: usize| -> Vec<usize> {
            (0..rows.len()).filter(|row| buckets[*row] & 1 << bucket != 0).collect()
        };
        let lists: Vec<Vec<usize>> = (0..TABLE).map(chosen).collect();
        let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
        if rows.len() < MANY || longest == rows.len() {
            return self.choose(rows);
        }
        self.emit(SWITCH, 0);
        let table = self.code.len();
        self.code.extend([0; TABLE]);
        let fail = self.emit(FAIL, 0) as u32;
        let mut ends = Vec::new();
        // A row that stands in several lists is compiled once.
        let alone = |row: usize| {
            let mut holding = lists.iter().filter(|list| list.contains(&row));
            let list = holding.next();
            list.is_none_or(|list| holding.all(|other| other == list))
        };
        let mut compiled: HashMap<usize, u32> = HashMap::new();
        let mut places: HashMap<&Vec<usize>, u32> = HashMap::new();
        for (bucket, list) in lists.iter().enumerate() {
            let place = match (list.as_slice(), places.get(list)) {
                ([], _) => fail,
                (_, Some(place)) => *place,
                (list, None) if list.iter().all(|row| alone(*row)) => {
                    let place = self.here();
                    self.either(&list.iter().map(|row| rows[*row]).collect::<Vec<_>>())?;
                    ends.push(self.emit(JUMP, 0));
                    place
                }
                (list, None) => {
                    for row in list {
                        if !compiled.contains_key(row) {
                            compiled.insert(*row, self.here());
                            self.row(rows[*row])?;
                            ends.push(self.emit(JUMP, 0));
                        }
                    }
                    match list {
                        [row] => compiled[row],
                        _ => {
                            let place = self.emit(CHOOSE, list.len() as u32) as u32;
                            self.code.extend(list.iter().map(|row| compiled[row]));
                            place
                        }
                    }
                }
            };
            places.insert(list, place);
            self.code[table + bucket] = place;
        }
        ends.into_iter().for_each(|end| self.land(end));
        Ok(())
    }

    /// Alternatives in turn; neighbours that begin with the same character share it.
    fn choose(&mut self, rows: &[&[Node]]) -> Result<(), String> {
        let begins = |row: &[Node]| match row.first() {
            Some(Node::One(ranges)) => Some(ranges.clone()),
            _ => None,
        };
        let runs: Vec<&[&[Node]]> = rows
            .chunk_by(|one, next| begins(one).is_some() && begins(one) == begins(next))
            .collect();
        self.emit(CHOOSE, runs.len() as u32);
        let list = self.code.len();
        self.code.extend(vec![0; runs.len()]);
        let mut ends = Vec::new();
        for (place, run) in runs.iter().enumerate() {
            self.code[list + place] = self.here();
            self.either(run)?;
            ends.push(self.emit(JUMP, 0));
        }
        ends.into_iter().for_each(|end| self.land(end));
        Ok(())
    }
}

/// The number of a place between characters.
fn place(look: Look) -> Result<u32, String> {
    Ok(match look {
        Look::Start => 0,
        Look::End => 1,
        Look::StartLF => 2,
        Look::EndLF => 3,
        Look::WordUnicode => 4,
        Look::WordUnicodeNegate => 5,
        Look::WordAscii => 6,
        Look::WordAsciiNegate => 7,
        other => return Err(format!("{other:?} is not supported")),
    })
}

const _: () = assert!(END == 1 << (TABLE - 1));
