//! Answering a query.

use std::collections::HashSet;

use memchr::memmem;

use crate::delta::{DeltaIndex, ResolvedDelta};
use crate::document::{Page, Query, Sort, SortKey, SortValues};
use crate::format::Key;
use crate::ngrams::{COMMON, LONGEST, is_key, windows};
use crate::paging::{Ordinals, merged};
use crate::posting::{Docs, Posting, Union};
use crate::snapshot::Snapshot;
use crate::text::{Needles, Terms};

impl Snapshot {
    /// Answers a query as if the snapshot were rebuilt with the delta's changes.
    ///
    /// The time depends on how many items have the words, not on the page: postings are bitmaps or
    /// short lists, those of common prefixes are stored, and a page is found by counting bits.
    pub fn search(&self, query: &Query, delta: &DeltaIndex) -> Page {
        let terms = Terms::read(&query.words);
        let needles = Needles::of(&terms);
        delta.resolved(self, |resolved| {
            let mut others: Vec<SortValues> = delta
                .matching(query, &needles)
                .map(|(id, put)| query.sort.key(put.votes, put.published_at, id))
                .collect();
            let ordinals = match self.matching(query, &terms) {
                None => self.all_ordinals(query.sort, resolved, &mut others),
                Some(docs) => self.ordinals(query.sort, docs, resolved, &mut others),
            };
            others.sort_unstable();
            self.page(query, &ordinals, &others)
        })
    }

    /// The sort keys of those of `ids` that match the query, in its order and on one page.
    ///
    /// Takes as long as a search, and a microsecond for each of `ids`.
    pub fn among(&self, query: &Query, delta: &DeltaIndex, ids: &[u128]) -> Vec<SortKey> {
        let terms = Terms::read(&query.words);
        let needles = Needles::of(&terms);
        let wanted: HashSet<u128> = ids.iter().copied().collect();
        delta.resolved(self, |resolved| {
            let put = delta.matching(query, &needles).filter(|(id, _)| wanted.contains(id));
            let mut found: Vec<SortValues> =
                put.map(|(id, put)| query.sort.key(put.votes, put.published_at, id)).collect();
            let asked = self.matching(query, &terms);
            let docs = wanted.iter().filter_map(|id| self.find(*id)).filter(|doc| {
                resolved.hidden.binary_search(doc).is_err()
                    && asked.as_ref().is_none_or(|asked| asked.contains(*doc))
            });
            found.extend(docs.filter_map(|doc| {
                let revoted = resolved.revoted.binary_search_by_key(&doc, |(doc, _)| *doc);
                let votes = revoted.ok().map(|at| resolved.revoted[at].1);
                self.place(query.sort, doc, votes)
            }));
            found.sort_unstable();
            found.into_iter().map(SortKey).collect()
        })
    }

    /// The ordinals of all items in an order, without those that are hidden or moved to `others`.
    fn all_ordinals(
        &self,
        sort: Sort,
        resolved: &ResolvedDelta,
        others: &mut Vec<SortValues>,
    ) -> Ordinals {
        let end = self.len();
        if sort == Sort::Recent {
            return Ordinals::Without { end, gone: resolved.hidden.clone() };
        }
        others.extend(
            resolved.revoted.iter().filter_map(|(doc, votes)| self.place(sort, *doc, Some(*votes))),
        );
        let place = self.top_ordinals();
        let revoted = resolved.revoted.iter().map(|(doc, _)| doc);
        let mut gone: Vec<u32> =
            resolved.hidden.iter().chain(revoted).filter_map(|doc| place(*doc)).collect();
        gone.sort_unstable();
        gone.dedup();
        Ordinals::Without { end, gone }
    }

    /// The ordinals of these items in an order, without those that are hidden or moved to `others`.
    fn ordinals(
        &self,
        sort: Sort,
        mut docs: Docs,
        resolved: &ResolvedDelta,
        others: &mut Vec<SortValues>,
    ) -> Ordinals {
        docs.remove(&resolved.hidden);
        if sort == Sort::Recent {
            return Ordinals::of(docs);
        }
        let moved: Vec<_> =
            resolved.revoted.iter().filter(|(doc, _)| docs.contains(*doc)).collect();
        others.extend(moved.iter().filter_map(|(doc, votes)| self.place(sort, *doc, Some(*votes))));
        docs.remove(&moved.iter().map(|(doc, _)| *doc).collect::<Vec<_>>());
        Ordinals::moved(&docs, self.len(), self.top_ordinals())
    }

    /// An item's sort values, with the given votes or its own.
    fn place(&self, sort: Sort, doc: u32, votes: Option<u32>) -> Option<SortValues> {
        let votes = votes.or_else(|| self.votes(doc))?;
        Some(sort.key(votes, self.published(doc)?, self.id(doc)?))
    }

    fn page(&self, query: &Query, ordinals: &Ordinals, others: &[SortValues]) -> Page {
        let total = ordinals.len() as u64 + others.len() as u64;
        let size = query.page_size as usize;
        let offset = u64::from(query.page.max(1) - 1) * u64::from(query.page_size);
        if offset >= total {
            return Page { ids: Vec::new(), total, has_more: false };
        }
        let at = |index| {
            let place = ordinals.nth(index)?;
            let doc = match query.sort {
                Sort::Recent => place,
                Sort::Top => self.nth_by_votes(place)?,
            };
            self.place(query.sort, doc, None)
        };
        let ids = merged(ordinals.len(), at, others, offset as usize, size);
        Page { ids, total, has_more: offset + (size as u64) < total }
    }

    /// The snapshot's items that match; `None` if the query has no condition, so all match.
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
            self.verify_phrases(&mut result, &verify);
        }
        Some(result)
    }

    /// The postings of a phrase; `None` if no item can have it.
    fn phrase(&self, phrase: &str) -> Option<PhraseMatch<'_>> {
        let length = phrase.chars().count();
        if length <= LONGEST
            && let Some(posting) = self.posting(Key::Term(phrase))
        {
            return Some(PhraseMatch { parts: vec![posting], is_exact: true });
        }
        let mut parts: Vec<Posting<'_>> = Vec::new();
        let mut common = vec![true; phrase.len()];
        for size in 1..=LONGEST.min(length) {
            let mut next = vec![false; phrase.len()];
            for (start, ngram) in windows(phrase, size)
                .filter(|(start, ngram)| is_key(ngram, |at| common[start + at]))
            {
                // The dictionary has this key if any item has the n-gram.
                let posting = self.posting(Key::Term(ngram))?;
                next[start] = posting.count as usize >= COMMON;
                parts.push(posting);
            }
            common = next;
        }
        parts.sort_by_key(|posting| posting.count);
        parts.truncate(PARTS);
        Some(PhraseMatch { parts, is_exact: false })
    }

    /// Keeps the items whose runs have these phrases.
    fn verify_phrases(&self, docs: &mut Docs, phrases: &[&str]) {
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

/// The postings that an item with a phrase is in.
struct PhraseMatch<'a> {
    parts: Vec<Posting<'a>>,
    /// Whether every item that is in all parts has the phrase.
    is_exact: bool,
}

/// The intersection, from the smallest posting on; `None` if there is no posting.
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
