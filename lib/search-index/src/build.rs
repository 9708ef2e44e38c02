//! Writing a snapshot.

use std::collections::{BTreeMap, HashMap};

use crate::delta::DeltaIndex;
use crate::dictionary::{TermInfo, Writer};
use crate::document::{Document, Sort};
use crate::format::{self, FormatError, Key};
use crate::inverted_index::{InvertedIndex, Lists, Row};
use crate::ngrams;
use crate::posting::{self, Union, is_dense, words};
use crate::snapshot::Snapshot;

/// Largest cost of a union over the words of a prefix at search time; a dearer one is stored. The
/// unit is reading one item from a list, about a nanosecond.
const COSTLY: u64 = 500_000;

/// Cost of finding one more word of a range.
const COST_OF_A_WORD: u64 = 30;

impl Snapshot {
    /// Writes the snapshot of these documents, in any order. Of those with the same identifier the
    /// last counts. The same documents give the same bytes.
    ///
    /// Takes time linear in the length of all texts, and memory for four to eight bytes for every
    /// word of every item.
    ///
    /// # Panics
    /// With more than 4,294,967,295 documents.
    pub fn build(entries: Vec<Document>) -> Vec<u8> {
        write(InvertedIndex::of(entries))
    }

    /// Writes the snapshot of this one's items with a delta's changes. Gives the same bytes as
    /// [`build`](Self::build), but does not need the texts of unchanged items.
    ///
    /// # Errors
    /// [`FormatError::Damaged`] if this snapshot is damaged: damage must not be copied on.
    ///
    /// # Panics
    /// With more than 4,294,967,295 items.
    pub fn merge(&self, delta: &DeltaIndex) -> Result<Vec<u8>, FormatError> {
        self.verify()?;
        Ok(write(InvertedIndex::changed(self, delta)))
    }
}

fn write(contents: InvertedIndex) -> Vec<u8> {
    let InvertedIndex { rows, words, categories, models, runs, run_offsets } = contents;
    let items = u32::try_from(rows.len()).expect("more items than numbers for them");
    let mut by_top: Vec<u32> = (0..items).collect();
    let mut by_id = by_top.clone();
    let row = |doc: &u32| -> Row { rows[*doc as usize] };
    by_top.sort_unstable_by_key(|doc| row(doc).key(Sort::Top));
    by_id.sort_unstable_by_key(|doc| row(doc).id);
    let mut top_ordinals = vec![0u32; rows.len()];
    (0..).zip(&by_top).for_each(|(place, doc)| top_ordinals[*doc as usize] = place);

    let mut index = IndexWriter { items, ..IndexWriter::default() };
    index.write_terms(words, &runs, &run_offsets);
    categories.iter().for_each(|(category, docs)| index.push(Key::Category(category), docs));
    models.iter().for_each(|(model, docs)| index.push(Key::Model(*model), docs));

    let words = |column: Vec<u32>| column.into_iter().flat_map(u32::to_le_bytes).collect();
    format::assemble(
        items,
        [
            rows.iter().flat_map(|row| row.id.to_le_bytes()).collect(),
            rows.iter().flat_map(|row| row.published_at.to_le_bytes()).collect(),
            rows.iter().flat_map(|row| row.votes.to_le_bytes()).collect(),
            words(by_top),
            words(top_ordinals),
            words(by_id),
            index.dictionary.blocks,
            index.dictionary.keys,
            index.postings,
            run_offsets.into_iter().flat_map(u64::to_le_bytes).collect(),
            runs.into_bytes(),
        ],
    )
}

/// The dictionary and the postings, while they are written.
#[derive(Default)]
struct IndexWriter {
    items: u32,
    dictionary: Writer,
    postings: Vec<u8>,
}

impl IndexWriter {
    /// Writes words, n-grams of runs, and prefixes.
    fn write_terms(&mut self, words: Lists, runs: &str, run_offsets: &[u64]) {
        let mut words: Vec<(Box<str>, Vec<u32>)> = words.into_iter().collect();
        words.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        let mut sequences = Lists::new();
        ngrams::collect(runs, run_offsets, &mut sequences);
        let mut terms: Vec<(&Box<str>, &Vec<u32>)> =
            words.iter().map(|(word, docs)| (word, docs)).chain(&sequences).collect();
        terms.sort_unstable_by_key(|(term, _)| *term);
        terms.into_iter().for_each(|(term, docs)| self.push(Key::Term(term), docs));
        self.push_prefixes(&words, Prefixes::of(&words, self.items));
    }

    fn push(&mut self, key: Key<'_>, docs: &[u32]) {
        let found = self.store(docs);
        self.dictionary.push(&key.bytes(), found);
    }

    fn store(&mut self, docs: &[u32]) -> TermInfo {
        let found = TermInfo { count: docs.len() as u32, offset: self.postings.len() as u64 };
        posting::write(&mut self.postings, self.items, docs);
        found
    }

    /// Writes the postings of prefixes; prefixes of the same words share one.
    fn push_prefixes(&mut self, words: &[(Box<str>, Vec<u32>)], prefixes: Prefixes) {
        let mut stored: HashMap<(usize, usize), TermInfo> = HashMap::new();
        for (prefix, range) in prefixes.found {
            let found = *stored.entry(range).or_insert_with(|| {
                let mut union = Union::new(self.items);
                for (_, docs) in &words[range.0..range.1] {
                    union.add_list(docs);
                }
                let mut docs = Vec::new();
                union.finish().each(|doc| docs.push(doc));
                self.store(&docs)
            });
            self.dictionary.push(&Key::Prefix(&prefix).bytes(), found);
        }
    }
}

/// Prefixes whose postings are stored.
struct Prefixes {
    /// Sorted, with the range of their words.
    found: BTreeMap<String, (usize, usize)>,
}

impl Prefixes {
    /// The prefixes whose union costs more than [`COSTLY`]; `words` are sorted.
    fn of(words: &[(Box<str>, Vec<u32>)], items: u32) -> Self {
        let mut costs = vec![0u64];
        let mut total = 0;
        for (_, docs) in words {
            total += COST_OF_A_WORD + cost(docs.len() as u32, items);
            costs.push(total);
        }
        let mut prefixes = Self { found: BTreeMap::new() };
        prefixes.visit(words, &costs, (0, words.len()), 0);
        prefixes
    }

    /// Visits the words of a range, which all have the same first `length` bytes.
    fn visit(
        &mut self,
        words: &[(Box<str>, Vec<u32>)],
        costs: &[u64],
        range: (usize, usize),
        length: usize,
    ) {
        let (mut start, end) = range;
        while start < end {
            let Some(next) = words[start].0[length..].chars().next() else {
                start += 1;
                continue;
            };
            let longer = length + next.len_utf8();
            let prefix = &words[start].0[..longer];
            let size = words[start..end].partition_point(|(word, _)| word.starts_with(prefix));
            if size > 1 && costs[start + size] - costs[start] > COSTLY {
                self.found.insert(prefix.to_owned(), (start, start + size));
                self.visit(words, costs, (start, start + size), longer);
            }
            start += size;
        }
    }
}

/// Cost of adding a posting to a union.
fn cost(count: u32, items: u32) -> u64 {
    if is_dense(count, items) { words(items) as u64 / 2 } else { count.into() }
}
