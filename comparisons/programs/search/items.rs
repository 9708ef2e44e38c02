//! The items that are searched, and what is asked of them.

use std::{cmp::Reverse, collections::HashMap};

use random::World;
use search_index::{Document, Sort, Token, tokenize};

#[path = "../../../lib/search-index/tests/suite/random/mod.rs"]
#[allow(dead_code, reason = "the tests of the index use the rest")]
mod random;

/// Words that an item's prompt has at most.
const LONGEST: usize = 80;
/// Items on a page, as the API has them.
pub const PAGE: u32 = 30;

/// The items of the example `library_scale`, newest first. Their identifiers are their places in this order.
///
/// Texts are reduced to their words, in lower case and without accents: neither of the others finds Chinese or Japanese
/// without an extension, and each folds letters in a way of its own.
pub fn items(count: usize) -> Vec<Document> {
    let mut items = World::new(7, 200_000).entries(count, LONGEST);
    for item in &mut items {
        for text in [&mut item.title, &mut item.description, &mut item.text] {
            *text = words(text);
        }
    }
    items.sort_unstable_by_key(|item| (Reverse(item.published_at), item.id));
    (0..).zip(&mut items).for_each(|(place, item)| item.id = place);
    items
}

/// All that is searched of an item: its category, too.
pub fn searched(item: &Document) -> [String; 4] {
    let Document { title, description, text, category, .. } = item;
    [title.clone(), description.clone(), text.clone(), words(category)]
}

fn words(text: &str) -> String {
    let words = tokenize(text).into_iter().filter_map(|token| match token {
        Token::Word(word) => Some(word),
        Token::Run(_) => None,
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Each item's place in the order by votes.
pub fn top(items: &[Document]) -> Vec<u64> {
    let mut by_votes: Vec<usize> = (0..items.len()).collect();
    by_votes.sort_by_key(|item| Reverse(items[*item].votes));
    let mut top = vec![0; items.len()];
    (0..).zip(by_votes).for_each(|(place, item)| top[item] = place);
    top
}

/// What a search asks for.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Words that an item must have.
    pub words: Vec<String>,
    /// What one of its words must begin with.
    pub beginning: Option<String>,
    /// Its category.
    pub category: Option<String>,
    /// Models of which it must recommend one, as bits.
    pub models: u64,
    /// The order.
    pub sort: Sort,
    /// The page, from 0.
    pub page: u32,
}

/// The answer of an index.
#[derive(Debug, PartialEq, Eq)]
pub struct Found {
    /// The items of the page, in order.
    pub items: Vec<u64>,
    /// Items on all pages.
    pub total: u64,
}

/// Searches of several kinds. Their words are chosen by how many items have them.
pub fn searches(items: &[Document]) -> Vec<(String, Wanted)> {
    let mut having: HashMap<&str, usize> = HashMap::new();
    let sample = &items[..items.len().min(100_000)];
    for item in sample {
        let mut words: Vec<&str> = [&item.title, &item.description, &item.text]
            .into_iter()
            .flat_map(|text| text.split(' '))
            .collect();
        words.sort_unstable();
        words.dedup();
        words.into_iter().for_each(|word| *having.entry(word).or_default() += 1);
    }
    let mut by_items: Vec<(&str, usize)> = having.into_iter().collect();
    by_items.retain(|(word, _)| word.is_ascii() && word.len() > 2);
    by_items.sort_unstable_by_key(|(word, items)| (Reverse(*items), *word));
    // The first word that at most this share of the items has.
    let word = |share: f64| {
        let most = (sample.len() as f64 * share) as usize;
        let at = by_items.partition_point(|(_, items)| *items > most);
        by_items[at.min(by_items.len() - 1)].0.to_owned()
    };
    let frequent = || vec![word(1.0)];
    let all = Wanted::default;
    let kinds = [
        ("a rare word", Wanted { words: vec![word(0.0001)], ..all() }),
        ("a word of 1 % of the items", Wanted { words: vec![word(0.01)], ..all() }),
        ("the most frequent word", Wanted { words: frequent(), ..all() }),
        ("two frequent words", Wanted { words: vec![word(0.2), word(0.1)], ..all() }),
        ("a frequent and a rare word", Wanted { words: vec![word(1.0), word(0.001)], ..all() }),
        ("a beginning, co", Wanted { beginning: Some("co".to_owned()), ..all() }),
        (
            "a word and a beginning, a",
            Wanted { words: frequent(), beginning: Some("a".to_owned()), ..all() },
        ),
        (
            "a word, a category",
            Wanted { words: frequent(), category: Some("Marketing".to_owned()), ..all() },
        ),
        (
            "a beginning, two models",
            Wanted { beginning: Some("pro".to_owned()), models: 6, ..all() },
        ),
    ];
    let mut searches = Vec::new();
    for (name, wanted) in kinds {
        for (sort, order) in [(Sort::Recent, "newest"), (Sort::Top, "votes")] {
            searches.push((format!("{name}: {order}"), Wanted { sort, ..wanted.clone() }));
        }
    }
    for (sort, order) in [(Sort::Recent, "newest"), (Sort::Top, "votes")] {
        let far = Wanted { words: frequent(), sort, page: 999, ..all() };
        searches.push((format!("the most frequent: {order}, page 1,000"), far));
    }
    searches
}
