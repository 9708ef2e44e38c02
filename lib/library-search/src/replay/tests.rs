#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::Duration;

use bytes::Bytes;
use domain::{
    AccountId, ChangeId, LibraryId, Timestamp,
    library::{Content, Counts, Item, Listing, Moderation, Visibility},
};
use search_index::{Query, Snapshot, Sort};
use store::{
    library::CountedItem,
    listings::{ListingChange, LogEntry},
};

use super::{Lookup, ReplayState, entry};

const START: Timestamp = Timestamp::from_millis(1_773_576_000_000);

fn at(seconds: u64) -> Timestamp {
    START + Duration::from_secs(seconds)
}

fn id(number: u128) -> LibraryId {
    LibraryId::from_bits(number)
}

fn item(number: u128, version: u32) -> Item {
    Item {
        id: id(number),
        owner: Some(AccountId::from_bits(9)),
        author: None,
        content: Content {
            title: format!("version {version}"),
            prompt_text: "A prompt".to_owned(),
            description: None,
            what_this_prompt_does: None,
            tips_for_this_prompt: None,
            how_to_use_prompt: None,
            recommended_models: Vec::new(),
            category: "Test".to_owned(),
            example_text: None,
            token_estimate: None,
        },
        visibility: Visibility::Community,
        moderation: Moderation::Approved,
        published_at: Some(START),
        updated_at: START,
        version,
        counted_bytes: None,
    }
}

fn position(at: Timestamp, number: u128) -> ChangeId {
    ChangeId::from_bits((u128::try_from(at.millis()).unwrap() << 80) + number)
}

fn written(at: Timestamp, number: u128, version: u32) -> LogEntry {
    let change = ListingChange::Item { id: id(number), version };
    LogEntry { position: position(at, number * 1_000 + u128::from(version)), change }
}

fn votes(at: Timestamp, number: u128, votes: u32) -> LogEntry {
    LogEntry {
        position: position(at, u128::from(votes)),
        change: ListingChange::Votes { id: id(number), votes },
    }
}

struct Reader {
    state: ReplayState,
    empty: Snapshot,
}

impl Reader {
    fn new() -> Self {
        let empty = Snapshot::open(Bytes::from(Snapshot::build(Vec::new()))).unwrap();
        Self { state: ReplayState::new(START), empty }
    }

    fn lookup(&mut self, logged: &[LogEntry]) -> Lookup {
        self.state.lookup(logged)
    }

    fn apply(
        &mut self,
        logged: &[LogEntry],
        lookup: &Lookup,
        found: &[(Item, u32)],
        now: Timestamp,
    ) {
        let counted = |(item, votes): &(Item, u32)| CountedItem {
            item: item.clone(),
            counts: Counts { votes: *votes, saves: 0 },
            is_sharded: false,
        };
        let found = found.iter().map(counted).collect();
        let entry = |item: &Item, counts| entry(Listing::Community, 0, item, counts);
        self.state.apply(logged, lookup, found, now, entry);
    }

    fn see(&mut self, logged: &[LogEntry], found: &[(Item, u32)], now: Timestamp) -> usize {
        let lookup = self.lookup(logged);
        self.apply(logged, &lookup, found, now);
        lookup.items.len()
    }

    fn has_applied(&self, words: &str) -> Vec<u128> {
        let query = Query { words: words.to_owned(), sort: Sort::Top, ..Query::default() };
        self.empty.search(&query, &self.state.delta).ids
    }
}

#[test]
fn a_record_that_lags_behind_its_change_is_looked_at_again() {
    let mut reader = Reader::new();
    let first = [written(at(1), 1, 1)];
    assert_eq!(reader.see(&first, &[], at(2)), 1);
    assert!(reader.has_applied("version").is_empty());
    assert!(!reader.state.has_applied(&[]));
    assert_eq!(reader.see(&[], &[(item(1, 1), 0)], at(3)), 1, "though its change is seen");
    assert_eq!(reader.has_applied("version"), [1]);
    assert!(reader.state.has_applied(&first));

    let second = [written(at(4), 1, 2)];
    assert_eq!(reader.see(&second, &[(item(1, 1), 0)], at(4)), 1);
    assert!(!reader.state.has_applied(&second));
    assert_eq!(reader.see(&[written(at(5), 1, 3)], &[(item(1, 2), 0)], at(5)), 1);
    assert!(!reader.state.has_applied(&second), "the third version is pending as well");
    assert_eq!(reader.see(&[], &[(item(1, 3), 0)], at(6)), 1);
    assert_eq!(reader.has_applied("version 3"), [1]);
    assert_eq!(reader.see(&second, &[], at(7)), 0, "what is known is not read again");
}

#[test]
fn an_item_that_never_appears_is_given_up_and_holds_no_snapshot_back() {
    let mut reader = Reader::new();
    reader.see(&[written(at(10), 1, 1)], &[], at(11));
    assert_eq!(reader.state.applied_through(at(40)), at(10));
    reader.see(&[], &[], at(69));
    assert_eq!(reader.state.applied_through(at(40)), at(10));
    reader.see(&[], &[], at(71));
    assert_eq!(reader.state.applied_through(at(40)), at(40));
    assert!(reader.state.has_applied(&[]));
}

#[test]
fn a_deleted_item_is_gone_at_once_and_votes_do_not_bring_it_back() {
    let mut reader = Reader::new();
    reader.see(&[written(at(1), 1, 1)], &[(item(1, 1), 0)], at(1));
    let deleted = [written(at(2), 1, 2), votes(at(3), 1, 7)];
    reader.see(&deleted, &[], at(3));
    assert!(reader.has_applied("version").is_empty());
    assert!(reader.state.has_applied(&deleted));
    reader.see(&[votes(at(4), 1, 8)], &[], at(4));
    assert!(reader.has_applied("version").is_empty());
}

#[test]
fn of_two_records_the_one_that_was_asked_for_last_is_believed() {
    let mut reader = Reader::new();
    let logged = [written(at(1), 1, 1)];
    let early = reader.lookup(&logged);
    let deleted = [logged[0], written(at(1), 1, 2)];
    let late = reader.lookup(&deleted);
    reader.apply(&deleted, &late, &[], at(1));
    reader.apply(&logged, &early, &[(item(1, 1), 0)], at(1));
    assert!(reader.has_applied("version").is_empty(), "it was deleted in between");
}

#[test]
fn of_votes_the_last_in_place_is_believed_in_whatever_order_they_appear() {
    let mut reader = Reader::new();
    reader.see(
        &[written(at(1), 1, 1), written(at(1), 2, 1)],
        &[(item(1, 1), 0), (item(2, 1), 5)],
        at(1),
    );
    assert_eq!(reader.has_applied("version"), [2, 1]);
    reader.see(&[votes(at(9), 1, 9)], &[], at(9));
    assert_eq!(reader.has_applied("version"), [1, 2]);
    reader.see(&[votes(at(8), 1, 3), votes(at(9), 1, 9)], &[], at(9));
    assert_eq!(reader.has_applied("version"), [1, 2]);
    reader.see(&[votes(at(10), 1, 4)], &[], at(10));
    assert_eq!(reader.has_applied("version"), [2, 1]);
}

#[test]
fn changes_are_read_again_as_long_as_another_one_may_appear_among_them() {
    let mut reader = Reader::new();
    assert_eq!(reader.state.from(), START, "the snapshot has all before");
    reader.see(&[written(at(100), 1, 1)], &[(item(1, 1), 0)], at(100));
    assert_eq!(reader.state.from(), at(70));
    assert_eq!(reader.see(&[written(at(71), 2, 1)], &[(item(2, 1), 0)], at(101)), 1);
    assert_eq!(reader.has_applied("version"), [1, 2]);
    assert_eq!(reader.state.changes, 2);
    reader.see(&[written(at(71), 2, 1), written(at(100), 1, 1)], &[], at(102));
    assert_eq!(reader.state.changes, 2, "each counts once");
    assert!(!reader.state.is_stale(at(130)));
    assert!(reader.state.is_stale(at(133)));
}
