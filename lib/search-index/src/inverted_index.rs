//! The contents of a snapshot, before it is written.

use std::collections::{BTreeMap, HashMap};

use crate::delta::DeltaIndex;
use crate::document::{Document, Sort, SortValues};
use crate::format::Key;
use crate::snapshot::Snapshot;
use crate::text::{Piece, is_unspaced, scan};

/// Items in ascending order, by term.
pub(crate) type Lists = HashMap<Box<str>, Vec<u32>>;

/// The values that an item is sorted by.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    pub(crate) id: u128,
    pub(crate) published_at: u64,
    pub(crate) votes: u32,
}

impl Row {
    pub(crate) fn key(&self, sort: Sort) -> SortValues {
        sort.key(self.votes, self.published_at, self.id)
    }
}

/// The contents of a snapshot; an item's number is its index in `rows`.
#[derive(Default)]
pub(crate) struct InvertedIndex {
    /// The items, newest first.
    pub(crate) rows: Vec<Row>,
    /// The items of each word.
    pub(crate) words: Lists,
    /// The items of each category.
    pub(crate) categories: BTreeMap<Box<str>, Vec<u32>>,
    /// The items of each model.
    pub(crate) models: BTreeMap<u8, Vec<u32>>,
    /// The runs of all items, each followed by a line feed.
    pub(crate) runs: String,
    /// Where each item's runs begin, and where the last one's end.
    pub(crate) run_offsets: Vec<u64>,
}

impl InvertedIndex {
    /// The contents of these documents; of those with the same identifier the last counts.
    pub(crate) fn of(mut entries: Vec<Document>) -> Self {
        entries.reverse();
        entries.sort_by_key(|entry| entry.id);
        entries.dedup_by_key(|entry| entry.id);
        entries.sort_unstable_by_key(|entry| {
            Sort::Recent.key(entry.votes, entry.published_at, entry.id)
        });
        let mut contents = Self { run_offsets: vec![0], ..Self::default() };
        for (doc, entry) in (0..).zip(&entries) {
            contents.rows.push(Row {
                id: entry.id,
                published_at: entry.published_at,
                votes: entry.votes,
            });
            for text in [&entry.title, &entry.description, &entry.category, &entry.text] {
                scan(text, |piece| match piece {
                    Piece::Word(word) => contents.add_word(word, doc),
                    Piece::Run(run) => contents.add_run(run),
                });
            }
            contents.add_filters(&entry.category, entry.models, doc);
            contents.run_offsets.push(contents.runs.len() as u64);
        }
        contents
    }

    /// The contents of a snapshot with changes. Items keep their order, so only postings that get a
    /// changed item have to be sorted.
    pub(crate) fn changed(snapshot: &Snapshot, delta: &DeltaIndex) -> Self {
        let mut contents = Self { run_offsets: vec![0], ..Self::default() };
        let (origins, numbers) = contents.change_rows(snapshot, delta);
        contents.remap_postings(snapshot, &numbers);
        for (doc, origin) in (0..).zip(origins) {
            match origin {
                Origin::Kept(old) => {
                    contents.runs.push_str(str::from_utf8(snapshot.runs(old)).unwrap_or_default());
                }
                Origin::Put(id) => {
                    let Some(put) = delta.get(id) else { continue };
                    for token in put.folded.tokens() {
                        if token.starts_with(is_unspaced) {
                            contents.add_run(token);
                        } else {
                            contents.add_word(token, doc);
                        }
                    }
                    contents.add_filters(&put.category, put.models, doc);
                }
            }
            contents.run_offsets.push(contents.runs.len() as u64);
        }
        let lists = contents.words.values_mut().chain(contents.categories.values_mut());
        for list in lists.chain(contents.models.values_mut()).filter(|list| !list.is_sorted()) {
            list.sort_unstable();
            list.dedup();
        }
        contents
    }

    /// Sets the rows after the changes; returns each row's origin, and each old item's new number.
    fn change_rows(
        &mut self,
        snapshot: &Snapshot,
        delta: &DeltaIndex,
    ) -> (Vec<Origin>, Vec<Option<u32>>) {
        let put = delta.all().map(|(id, put)| {
            (Row { id, published_at: put.published_at, votes: put.votes }, Origin::Put(id))
        });
        let mut rows: Vec<(Row, Origin)> = put.collect();
        delta.resolved(snapshot, |resolved| {
            for old in (0..snapshot.len()).filter(|old| resolved.hidden.binary_search(old).is_err())
            {
                let revoted = resolved.revoted.binary_search_by_key(&old, |(doc, _)| *doc);
                let votes = revoted.map_or(snapshot.votes(old), |at| Some(resolved.revoted[at].1));
                if let (Some(id), Some(published_at), Some(votes)) =
                    (snapshot.id(old), snapshot.published(old), votes)
                {
                    rows.push((Row { id, published_at, votes }, Origin::Kept(old)));
                }
            }
        });
        rows.sort_unstable_by_key(|(row, _)| row.key(Sort::Recent));
        let mut numbers = vec![None; snapshot.len() as usize];
        for (doc, (_, origin)) in (0..).zip(&rows) {
            if let Origin::Kept(old) = origin {
                numbers[*old as usize] = Some(doc);
            }
        }
        let (rows, origins) = rows.into_iter().unzip();
        self.rows = rows;
        (origins, numbers)
    }

    /// Copies the postings of a snapshot, with the new numbers of its items.
    fn remap_postings(&mut self, snapshot: &Snapshot, numbers: &[Option<u32>]) {
        snapshot.all_keys(|key, posting| {
            let mut docs = Vec::with_capacity(posting.count as usize);
            posting.docs().each(|old| docs.extend(numbers.get(old as usize).copied().flatten()));
            match key {
                _ if docs.is_empty() => {}
                Key::Term(term) if term.starts_with(is_unspaced) => {}
                Key::Term(word) => drop(self.words.insert(word.into(), docs)),
                Key::Category(category) => drop(self.categories.insert(category.into(), docs)),
                Key::Model(model) => drop(self.models.insert(model, docs)),
                Key::Prefix(_) => {}
            }
        });
    }

    fn add_word(&mut self, word: &str, doc: u32) {
        match self.words.get_mut(word) {
            Some(docs) if docs.last() == Some(&doc) => {}
            Some(docs) => docs.push(doc),
            None => drop(self.words.insert(word.into(), vec![doc])),
        }
    }

    fn add_run(&mut self, run: &str) {
        self.runs.push_str(run);
        self.runs.push('\n');
    }

    fn add_filters(&mut self, category: &str, models: u64, doc: u32) {
        for model in (0..64).filter(|model| models >> model & 1 == 1) {
            self.models.entry(model).or_default().push(doc);
        }
        match self.categories.get_mut(category) {
            Some(docs) => docs.push(doc),
            None => drop(self.categories.insert(category.into(), vec![doc])),
        }
    }
}

/// The origin of a row.
#[derive(Clone, Copy)]
enum Origin {
    /// The snapshot, under this number.
    Kept(u32),
    /// The delta, under this identifier.
    Put(u128),
}
