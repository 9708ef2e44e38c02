//! The service's own snapshot, without changes since it was written.

use bytes::Bytes;
use search_index::{DeltaIndex, Document, Query, Snapshot};

use crate::items::{Found, PAGE, Wanted};

pub struct Ours {
    snapshot: Snapshot,
    delta: DeltaIndex,
    /// Bytes of the snapshot.
    pub size: u64,
}

impl Ours {
    pub fn build(items: Vec<Document>) -> Self {
        let bytes = Bytes::from(Snapshot::build(items));
        let size = bytes.len() as u64;
        Self {
            snapshot: Snapshot::open(bytes).expect("a snapshot"),
            delta: DeltaIndex::new(),
            size,
        }
    }

    pub fn search(&self, wanted: &Wanted) -> Found {
        // The last word of a query is the beginning of one; said twice, it is a word, too.
        let last = wanted.beginning.as_ref().or(wanted.words.last());
        let words: Vec<&str> = wanted.words.iter().chain(last).map(String::as_str).collect();
        let page = self.snapshot.search(
            &Query {
                words: words.join(" "),
                category: wanted.category.clone(),
                models: wanted.models,
                sort: wanted.sort,
                page: wanted.page + 1,
                page_size: PAGE,
            },
            &self.delta,
        );
        Found { items: page.ids.iter().map(|id| *id as u64).collect(), total: page.total }
    }
}
