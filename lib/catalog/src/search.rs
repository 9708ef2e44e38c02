//! Answering a query.

use std::collections::HashSet;

use memchr::memmem;

use crate::entry::{Key as Place, Page, Place as Listed, Query, Sort};
use crate::format::Key;
use crate::grams::{COMMON, LONGEST, is_key, windows};
use crate::order::{Places, merged};
use crate::overlay::{Overlay, Placed};
use crate::posting::{Docs, Posting, Union};
use crate::snapshot::Snapshot;
use crate::text::{Needles, Terms};

impl Snapshot {
    /// Answers a query as if the snapshot had been written anew with the overlay's changes.
    ///
    /// What it takes depends on how many items have the words, not on the page: sets are bits or short
    /// lists, whatever many words begin with is stored, and a page is found by counting bits.
    pub fn search(&self, query: &Query, overlay: &Overlay) -> Page {
        let terms = Terms::read(&query.words);
        let needles = Needles::of(&terms);
        overlay.placed(self, |placed| {
            let mut others: Vec<Place> = overlay
                .matching(query, &needles)
                .map(|(id, put)| query.sort.key(put.votes, put.published_at, id))
                .collect();
            let places = match self.matching(query, &terms) {
                None => self.all_places(query.sort, placed, &mut others),
                Some(docs) => self.places(query.sort, docs, placed, &mut others),
            };
            others.sort_unstable();
            self.page(query, &places, &others)
        })
    }

    /// Those of some items that a query asks for, in order and on one page, each with its place.
    ///
    /// Takes as long as a search, and a microsecond for each of `ids`.
    pub fn among(&self, query: &Query, overlay: &Overlay, ids: &[u128]) -> Vec<Listed> {
        let terms = Terms::read(&query.words);
        let needles = Needles::of(&terms);
        let wanted: HashSet<u128> = ids.iter().copied().collect();
        overlay.placed(self, |placed| {
            let put = overlay.matching(query, &needles).filter(|(id, _)| wanted.contains(id));
            let mut found: Vec<Place> =
                put.map(|(id, put)| query.sort.key(put.votes, put.published_at, id)).collect();
            let asked = self.matching(query, &terms);
            let docs = wanted.iter().filter_map(|id| self.find(*id)).filter(|doc| {
                placed.hidden.binary_search(doc).is_err()
                    && asked.as_ref().is_none_or(|asked| asked.contains(*doc))
            });
            found.extend(docs.filter_map(|doc| {
                let revoted = placed.revoted.binary_search_by_key(&doc, |(doc, _)| *doc);
                let votes = revoted.ok().map(|at| placed.revoted[at].1);
                self.place(query.sort, doc, votes)
            }));
            found.sort_unstable();
            found.into_iter().map(Listed).collect()
        })
    }

    /// The places of all items in an order, but for those that are hidden or moved to `others`.
    fn all_places(&self, sort: Sort, placed: &Placed, others: &mut Vec<Place>) -> Places {
        let end = self.len();
        if sort == Sort::Recent {
            return Places::Without { end, gone: placed.hidden.clone() };
        }
        others.extend(
            placed.revoted.iter().filter_map(|(doc, votes)| self.place(sort, *doc, Some(*votes))),
        );
        let place = self.top_places();
        let revoted = placed.revoted.iter().map(|(doc, _)| doc);
        let mut gone: Vec<u32> =
            placed.hidden.iter().chain(revoted).filter_map(|doc| place(*doc)).collect();
        gone.sort_unstable();
        gone.dedup();
        Places::Without { end, gone }
    }

    /// The places of these items in an order, but for those that are hidden or moved to `others`.
    fn places(
        &self,
        sort: Sort,
        mut docs: Docs,
        placed: &Placed,
        others: &mut Vec<Place>,
    ) -> Places {
        docs.remove(&placed.hidden);
        if sort == Sort::Recent {
            return Places::of(docs);
        }
        let moved: Vec<_> = placed.revoted.iter().filter(|(doc, _)| docs.contains(*doc)).collect();
        others.extend(moved.iter().filter_map(|(doc, votes)| self.place(sort, *doc, Some(*votes))));
        docs.remove(&moved.iter().map(|(doc, _)| *doc).collect::<Vec<_>>());
        Places::moved(&docs, self.len(), self.top_places())
    }

    /// What an item is sorted by, with its own votes or others.
    fn place(&self, sort: Sort, doc: u32, votes: Option<u32>) -> Option<Place> {
        let votes = votes.or_else(|| self.votes(doc))?;
        Some(sort.key(votes, self.published(doc)?, self.id(doc)?))
    }

    fn page(&self, query: &Query, places: &Places, others: &[Place]) -> Page {
        let total = places.len() as u64 + others.len() as u64;
        let size = query.page_size as usize;
        let offset = u64::from(query.page.max(1) - 1) * u64::from(query.page_size);
        if offset >= total {
            return Page { ids: Vec::new(), total, has_more: false };
        }
        let at = |index| {
            let place = places.nth(index)?;
            let doc = match query.sort {
                Sort::Recent => place,
                Sort::Top => self.at_top(place)?,
            };
            self.place(query.sort, doc, None)
        };
        let ids = merged(places.len(), at, others, offset as usize, size);
        Page { ids, total, has_more: offset + (size as u64) < total }
    }

    /// The items of the snapshot that are asked for; none if nothing is asked for and all are.
    fn matching(&self, query: &Query, terms: &Terms) -> Option<Docs> {
        let nothing = Some(Docs::List(Vec::new()));
        let mut stored: Vec<Posting<'_>> = Vec::new();
        let mut docs: Vec<Docs> = Vec::new();
        let mut verify: Vec<&str> = Vec::new();

        let keys = terms
            .whole
            .iter()
            .map(|word| Key::Term(word))
            .chain(query.category.as_deref().map(Key::Category));
        for key in keys {
            let Some(posting) = self.posting(key) else { return nothing };
            stored.push(posting);
        }
        for phrase in &terms.phrases {
            let Some(phrased) = self.phrase(phrase) else { return nothing };
            if !phrased.is_exact {
                verify.push(phrase);
            }
            stored.extend(phrased.parts);
        }
        if let Some(prefix) = &terms.prefix {
            match self.posting(Key::Prefix(prefix)) {
                Some(posting) => stored.push(posting),
                None => {
                    let mut union = Union::new(self.len());
                    self.words_beginning(prefix, |posting| union.add(&posting));
                    docs.push(union.finish());
                }
            }
        }
        if query.models != 0 {
            let models = (0..64).filter(|model| query.models >> model & 1 == 1);
            let mut models: Vec<_> =
                models.filter_map(|model| self.posting(Key::Model(model))).collect();
            if let [posting] = models[..] {
                stored.push(posting);
            } else {
                let mut union = Union::new(self.len());
                models.drain(..).for_each(|posting| union.add(&posting));
                docs.push(union.finish());
            }
        }
        let mut result = intersect(stored, docs)?;
        if !verify.is_empty() {
            self.keep_phrases(&mut result, &verify);
        }
        Some(result)
    }

    /// What the dictionary knows of a phrase; none if no item can have it.
    fn phrase(&self, phrase: &str) -> Option<Phrased<'_>> {
        let length = phrase.chars().count();
        if length <= LONGEST
            && let Some(posting) = self.posting(Key::Term(phrase))
        {
            return Some(Phrased { parts: vec![posting], is_exact: true });
        }
        let mut parts: Vec<Posting<'_>> = Vec::new();
        let mut common = vec![true; phrase.len()];
        for size in 1..=LONGEST.min(length) {
            let mut next = vec![false; phrase.len()];
            for (start, gram) in
                windows(phrase, size).filter(|(start, gram)| is_key(gram, |at| common[start + at]))
            {
                // It is a key if anything has it.
                let posting = self.posting(Key::Term(gram))?;
                next[start] = posting.count as usize >= COMMON;
                parts.push(posting);
            }
            common = next;
        }
        parts.sort_by_key(|posting| posting.count);
        parts.truncate(PARTS);
        Some(Phrased { parts, is_exact: false })
    }

    /// Keeps the items that have these phrases, by reading their runs.
    fn keep_phrases(&self, docs: &mut Docs, phrases: &[&str]) {
        let finders: Vec<_> =
            phrases.iter().map(|phrase| memmem::Finder::new(phrase.as_bytes())).collect();
        let mut kept = Vec::new();
        docs.each(|doc| {
            let runs = self.runs(doc);
            if finders.iter().all(|finder| finder.find(runs).is_some()) {
                kept.push(doc);
            }
        });
        *docs = Docs::List(kept);
    }
}

/// The rarest parts of a phrase that are intersected before runs are read.
const PARTS: usize = 3;

/// The sets that an item with a phrase is in.
struct Phrased<'a> {
    parts: Vec<Posting<'a>>,
    /// Whether every item that is in all of them has the phrase.
    is_exact: bool,
}

/// What all sets have, the smallest first; none if there is no set.
fn intersect(mut stored: Vec<Posting<'_>>, docs: Vec<Docs>) -> Option<Docs> {
    stored.sort_by_key(|posting| posting.count);
    let mut docs = docs.into_iter();
    let mut rest = stored.into_iter();
    let mut result = match rest.next() {
        Some(posting) => posting.docs(),
        None => docs.next()?,
    };
    rest.for_each(|posting| result.keep_stored(&posting));
    docs.for_each(|other| result.keep(&other));
    Some(result)
}
