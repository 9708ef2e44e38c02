//! Answers compared with those of a search that scans every item.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::random;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytes::Bytes;
use random::World;
use search_index::{DeltaIndex, Document, Page, Query, Snapshot, Sort, SortKey, Token, tokenize};

/// An item with its tokens.
#[derive(Clone)]
struct Item {
    entry: Document,
    words: BTreeSet<String>,
    runs: BTreeSet<String>,
}

impl Item {
    fn new(entry: Document) -> Arc<Self> {
        let (mut words, mut runs) = (BTreeSet::new(), BTreeSet::new());
        for text in [&entry.title, &entry.description, &entry.category, &entry.text] {
            for token in tokenize(text) {
                match token {
                    Token::Word(word) => words.insert(word),
                    Token::Run(run) => runs.insert(run),
                };
            }
        }
        Arc::new(Self { entry, words, runs })
    }

    fn has(&self, tokens: &[Token]) -> bool {
        tokens.iter().enumerate().all(|(index, token)| match token {
            Token::Word(word) if index + 1 == tokens.len() => {
                self.words.range(word.clone()..).next().is_some_and(|found| found.starts_with(word))
            }
            Token::Word(word) => self.words.contains(word),
            Token::Run(part) => self.runs.iter().any(|run| run.contains(part)),
        })
    }
}

/// All items, by identifier.
type Items = BTreeMap<u128, Arc<Item>>;

/// What a query finds, in its order.
fn scanned<'a>(items: &'a Items, query: &Query) -> Vec<&'a Document> {
    let tokens = tokenize(&query.words);
    let mut found: Vec<&Document> = items
        .values()
        .filter(|item| query.models == 0 || item.entry.models & query.models != 0)
        .filter(|item| {
            query.category.as_ref().is_none_or(|category| *category == item.entry.category)
        })
        .filter(|item| item.has(&tokens))
        .map(|item| &item.entry)
        .collect();
    match query.sort {
        Sort::Recent => found.sort_by_key(|entry| (Reverse(entry.published_at), entry.id)),
        Sort::Top => {
            found.sort_by_key(|entry| (Reverse(entry.votes), Reverse(entry.published_at), entry.id))
        }
    }
    found
}

fn page_of(found: &[&Document], query: &Query) -> Page {
    let size = query.page_size as usize;
    let start = (query.page.max(1) as usize - 1) * size;
    let ids: Vec<u128> = found.iter().skip(start).take(size).map(|entry| entry.id).collect();
    Page { ids, total: found.len() as u64, has_more: found.len() > start + size }
}

fn brute_force(items: &Items, query: &Query) -> Page {
    page_of(&scanned(items, query), query)
}

/// Some identifiers of items that exist, that were removed, and that never existed.
fn some(world: &mut World, original: &Items, changed: &Items) -> Vec<u128> {
    let step = 1 + world.below(40);
    let (there, were) = (changed.keys().step_by(step), original.keys().skip(1).step_by(step * 3));
    there.chain(were).copied().chain([5, 6]).collect()
}

fn among(snapshot: &Snapshot, query: &Query, delta: &DeltaIndex, ids: &[u128]) -> Vec<u128> {
    let places = snapshot.among(query, delta, ids);
    assert!(places.is_sorted());
    places.into_iter().map(SortKey::id).collect()
}

fn those_of(found: &[&Document], ids: &[u128]) -> Vec<u128> {
    let wanted: BTreeSet<u128> = ids.iter().copied().collect();
    found.iter().map(|entry| entry.id).filter(|id| wanted.contains(id)).collect()
}

fn written(items: &Items) -> Vec<u8> {
    Snapshot::build(items.values().map(|item| item.entry.clone()).collect())
}

fn snapshot(items: &Items) -> Snapshot {
    Snapshot::open(Bytes::from(written(items))).unwrap()
}

/// Makes a change to the items and to the delta.
fn change(world: &mut World, items: &mut Items, delta: &mut DeltaIndex) {
    let known = items.keys().nth(world.below(items.len().max(1))).copied();
    let kind = world.below(10);
    match (kind, known) {
        (0..=2, Some(id)) => {
            items.remove(&id);
            delta.remove(id);
        }
        (3..=5, Some(id)) => {
            let votes = world.below(6_000) as u32;
            Arc::make_mut(items.get_mut(&id).unwrap()).entry.votes = votes;
            delta.set_votes(id, votes);
        }
        (6, Some(id)) => {
            let entry = world.entry(id, 40);
            delta.put(entry.clone());
            items.insert(id, Item::new(entry));
        }
        (7, _) => {
            // Votes of items that do not exist.
            delta.remove(world.below(1_000) as u128);
            delta.set_votes(1_000_000 + world.below(1_000) as u128, 7);
        }
        _ => {
            let id = 2_000_000 + world.below(usize::MAX / 2) as u128;
            let entry = world.entry(id, 40);
            delta.put(entry.clone());
            items.insert(entry.id, Item::new(entry));
        }
    }
}

fn items(world: &mut World, count: usize, longest: usize) -> Items {
    world.entries(count, longest).into_iter().map(|entry| (entry.id, Item::new(entry))).collect()
}

/// Compares a hundred queries over a snapshot and some changes. Returns how many found something, how many of
/// these a later page, and how many had words.
fn compare(round: usize, world: &World, original: &Items, snapshot: &Snapshot) -> [usize; 3] {
    let mut world = world.reseeded(round as u64);
    let mut changed = original.clone();
    let mut delta = DeltaIndex::new();
    for _ in 0..[0, 1, 30, 1_000, 2_500][round % 5] {
        change(&mut world, &mut changed, &mut delta);
    }
    if round == 3 {
        assert!(snapshot.merge(&delta) == Ok(written(&changed)));
    }
    let mut counts = [0; 3];
    for _ in 0..100 {
        let query = world.query(changed.len());
        let expected = scanned(&changed, &query);
        let page = page_of(&expected, &query);
        assert_eq!(snapshot.search(&query, &delta), page, "{query:?}, round {round}");
        let some = some(&mut world, original, &changed);
        let among = among(snapshot, &query, &delta, &some);
        assert_eq!(among, those_of(&expected, &some), "{query:?}, round {round}");
        counts[0] += usize::from(page.total > 0);
        counts[1] += usize::from(query.page > 1 && !page.ids.is_empty());
        counts[2] += usize::from(!query.words.is_empty() && page.total > 0);
    }
    counts
}

#[test]
fn two_thousand_queries_over_twenty_thousand_items_are_answered_as_by_brute_force() {
    let mut world = World::new(1, 3_000);
    let original = items(&mut world, 20_000, 40);
    let snapshot = snapshot(&original);
    let halves: [Vec<[usize; 3]>; 2] = std::thread::scope(|scope| {
        [0..10, 10..20]
            .map(|half| {
                let (world, original, snapshot) = (&world, &original, &snapshot);
                scope.spawn(move || {
                    half.map(|round| compare(round, world, original, snapshot)).collect()
                })
            })
            .map(|half| half.join().unwrap())
    });
    let sum = |of: usize| halves.iter().flatten().map(|counts| counts[of]).sum::<usize>();
    // The queries find something.
    let (found, paged, worded) = (sum(0), sum(1), sum(2));
    assert!(found > 1_000 && paged > 200 && worded > 600, "{found} {paged} {worded}");
}

#[test]
fn a_snapshot_with_a_delta_answers_as_a_rebuilt_one_and_is_merged_into_its_bytes() {
    let mut world = World::new(2, 300);
    for round in 0..150 {
        let count = world.below(120);
        let original = items(&mut world, count, 12);
        let before = snapshot(&original);
        let mut changed = original.clone();
        let mut delta = DeltaIndex::new();
        for step in 0..world.below(60) {
            change(&mut world, &mut changed, &mut delta);
            if step % 7 == 0 {
                // What a delta has resolved in a snapshot must not outlive a change.
                let query = world.query(changed.len());
                assert_eq!(before.search(&query, &delta), brute_force(&changed, &query));
            }
        }
        let after = snapshot(&changed);
        assert!(before.merge(&delta) == Ok(written(&changed)), "round {round}");
        for _ in 0..10 {
            let query = world.query(changed.len());
            let expected = after.search(&query, &DeltaIndex::new());
            assert_eq!(before.search(&query, &delta), expected, "{query:?}, round {round}");
            assert_eq!(
                after.search(&query, &delta),
                expected,
                "changes that are taken in already: {query:?}"
            );
        }
    }
}

#[test]
fn every_page_of_a_list_put_together_is_the_list() {
    let mut world = World::new(3, 500);
    let mut changed = items(&mut world, 3_000, 12);
    let snapshot = snapshot(&changed);
    let mut delta = DeltaIndex::new();
    (0..400).for_each(|_| change(&mut world, &mut changed, &mut delta));
    for (words, sort) in
        [("", Sort::Recent), ("", Sort::Top), ("a", Sort::Recent), ("a", Sort::Top)]
    {
        let whole = Query { words: words.into(), sort, page_size: 10_000, ..Query::default() };
        let expected = brute_force(&changed, &whole);
        assert!(expected.total > 1_000);
        let mut ids = Vec::new();
        for page in 1.. {
            let answer = snapshot.search(&Query { page, page_size: 7, ..whole.clone() }, &delta);
            assert_eq!(answer.total, expected.total);
            ids.extend(answer.ids);
            if !answer.has_more {
                break;
            }
        }
        assert_eq!(ids, expected.ids);
    }
}

#[test]
fn a_phrase_is_found_where_its_characters_stand_consecutively_however_common_they_are() {
    let texts = [
        "生成图片",
        "图片生成",
        "生 成",
        "生成图",
        "成图片生",
        "生成图片生成图片",
        "生图成片",
        "写生成图片",
    ];
    let entry = |id: usize, text: &str| Document {
        id: id as u128,
        text: text.into(),
        ..Document::default()
    };
    // Enough of each to make all sequences of two characters common, and most longer ones.
    let entries: Vec<Document> = (0..24_000).map(|id| entry(id, texts[id % texts.len()])).collect();
    let all: Items = entries.into_iter().map(|entry| (entry.id, Item::new(entry))).collect();
    let snapshot = snapshot(&all);
    for phrase in [
        "生",
        "生成",
        "成图",
        "生成图",
        "生成图片",
        "成图片生成",
        "图片生成图片",
        "生成图片生成图",
        "生成图片生成图片",
        "片片",
        "生成 图片",
        "猫",
    ] {
        let query = Query { words: phrase.into(), ..Query::default() };
        assert_eq!(
            snapshot.search(&query, &DeltaIndex::new()),
            brute_force(&all, &query),
            "{phrase}"
        );
    }
}

#[test]
fn words_that_begin_alike_in_great_number_are_counted_exactly() {
    // Twenty thousand words that begin with "ab", each in one item or two, the last in an item
    // without any other.
    let text = |id: u32| match id % 3 {
        0 => format!("b{id:05}"),
        1 => format!("ab{id:05}"),
        _ => format!("ab{id:05} ab{:05}", id - 1),
    };
    let entry = |id: u32| Document {
        id: id.into(),
        published_at: (id / 2).into(),
        votes: id % 97,
        text: text(id),
        ..Document::default()
    };
    let all: Items = (0..29_999).map(|id| (id.into(), Item::new(entry(id)))).collect();
    let snapshot = snapshot(&all);
    for words in ["a", "ab", "ab1", "ab29999", "ab2999", "ab00001 ab", "b", "b0"] {
        for sort in [Sort::Recent, Sort::Top] {
            let query =
                Query { words: words.into(), sort, page: 2, page_size: 5, ..Query::default() };
            assert_eq!(
                snapshot.search(&query, &DeltaIndex::new()),
                brute_force(&all, &query),
                "{words}"
            );
        }
    }
}
