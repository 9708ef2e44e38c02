//! Documents, queries and result pages.

use std::cmp::Reverse;

/// A library item, as far as lists and searches need it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// The item's identifier, unique among the documents.
    pub id: u128,
    /// When the item was published, in milliseconds since 1970.
    pub published_at: u64,
    /// The item's votes.
    pub votes: u32,
    /// The recommended models: bit `n` is the model that the caller numbers `n`.
    pub models: u64,
    /// The category, as its author wrote it.
    pub category: String,
    /// The title, searched.
    pub title: String,
    /// The description, searched.
    pub description: String,
    /// The prompt's text, searched.
    pub text: String,
}

/// The order of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// Newest first, then by identifier.
    #[default]
    Recent,
    /// Most votes first, then newest first, then by identifier.
    Top,
}

/// A query. The default is the first thirty of all items, newest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// Words that an item must have, as [`Terms`](crate::Terms) reads them. No condition if it has
    /// no word.
    pub words: String,
    /// The category that an item must have, compared exactly.
    pub category: Option<String>,
    /// Models of which an item must recommend at least one, as bits; 0 is no condition.
    pub models: u64,
    /// The order.
    pub sort: Sort,
    /// The page, from 1; 0 is taken for 1.
    pub page: u32,
    /// Items on a page.
    pub page_size: u32,
}

impl Default for Query {
    fn default() -> Self {
        Self {
            words: String::new(),
            category: None,
            models: 0,
            sort: Sort::Recent,
            page: 1,
            page_size: 30,
        }
    }
}

/// A page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The items on this page, in order.
    pub ids: Vec<u128>,
    /// Items on all pages: counted, never estimated.
    pub total: u64,
    /// Whether a further page has items.
    pub has_more: bool,
}

/// The values that an item is sorted by; the smaller comes first.
pub(crate) type SortValues = (Reverse<u32>, Reverse<u64>, u128);

/// An item's position in a list; the smaller comes first. Keys of different lists in the same order
/// can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SortKey(pub(crate) SortValues);

impl SortKey {
    /// The item's identifier.
    pub fn id(self) -> u128 {
        self.0.2
    }
}

impl Sort {
    /// The sort values of an item.
    pub(crate) fn key(self, votes: u32, published_at: u64, id: u128) -> SortValues {
        let votes = match self {
            Sort::Recent => 0,
            Sort::Top => votes,
        };
        (Reverse(votes), Reverse(published_at), id)
    }
}
