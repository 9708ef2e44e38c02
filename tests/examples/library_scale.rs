//! What a listing of many items takes: `cargo run --release -p acceptance --example library_scale -- 100000`.
//!
//! Puts a snapshot of so many random items into force, on embedded storage, and prints what loading it,
//! answering pages through the same calls as the service, and writing the next snapshot take: calls, read
//! units and milliseconds, of which the least of twenty counts. Records are written of those items alone
//! that are on the measured pages, since no other record is read.

use std::{
    collections::{HashMap, HashSet},
    time::{Duration, Instant},
};

use acceptance::World;
use bytes::Bytes;
use domain::{
    AccountId, LibraryId, Plan, Timestamp,
    library::{Content, Item, Listing, Moderation, Visibility},
};
use library_search::{LEASE, LibraryIndex, compact, compaction_threshold};
use search_index::{DeltaIndex, Document, Query, Snapshot, Sort};
use store::{library::Precision, listings::SnapshotObject};

#[path = "../../lib/search-index/tests/suite/random/mod.rs"]
#[allow(dead_code, reason = "others use the rest")]
mod random;

const LISTING: Listing = Listing::Community;

#[tokio::main]
async fn main() {
    let items = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(10_000);
    let mut invented = random::World::new(7, 200_000);
    let entries = invented.entries(items, 80);
    let bytes = Bytes::from(Snapshot::build(entries.clone()));
    println!("{items} items, a snapshot of {:.1} MB", bytes.len() as f64 / 1e6);
    let snapshot = Snapshot::open(bytes.clone()).expect("bytes that were just built");

    let world = World::start().await;
    let owner = world.account(Plan::Max).await.id;
    let queries = queries(items);
    let wanted: HashSet<u128> = queries
        .iter()
        .flat_map(|(_, query)| snapshot.search(query, &DeltaIndex::new()).ids)
        .collect();
    let entries: HashMap<u128, Document> = entries
        .into_iter()
        .filter(|entry| wanted.contains(&entry.id))
        .map(|entry| (entry.id, entry))
        .collect();
    for entry in entries.values() {
        let item = item(entry, owner);
        let created = world.store.create_library_item(&item);
        world.advancing_time(created).await.expect("a record");
    }
    drop(snapshot);
    world.clock.advance(Duration::from_secs(61));
    let pointer = world.store.snapshot_pointer(LISTING).await.expect("storage");
    let until = world.now() + LEASE;
    let held = world.store.lease_snapshot(LISTING, &pointer, until).await.expect("storage");
    let named = SnapshotObject { name: "first".to_owned(), size: bytes.len() as u64 };
    world.store.write_snapshot(LISTING, &named.name, bytes).await.expect("an object");
    let held = held.expect("nobody else's");
    world.store.commit_snapshot(LISTING, &held, &named, world.now()).await.expect("a pointer");

    let index = LibraryIndex::new(world.store.clone(), engine::number_of);
    let start = Instant::now();
    index.preload().await.expect("a snapshot");
    println!("loaded in {:.1} ms", milliseconds(start.elapsed()));
    println!(
        "\n{:<36} {:>6} {:>6} {:>9} {:>9} {:>9}",
        "warm", "calls", "units", "ms", "cards ms", "total"
    );
    for (name, query) in &queries {
        measure(&world, &index, Some(owner), name, query).await;
    }

    for number in 0..compaction_threshold(LISTING) as u128 {
        let entry = invented.entry(number, 80);
        let item = item(&entry, owner);
        let created = world.store.create_library_item(&item);
        world.advancing_time(created).await.expect("a record");
        world.clock.advance(Duration::from_millis(20));
    }
    world.clock.advance(Duration::from_secs(61));
    println!("\nwith {} changes since the snapshot", compaction_threshold(LISTING));
    index.search(LISTING, &Query::default()).await.expect("an answer");
    for (name, query) in &queries {
        measure(&world, &index, None, name, query).await;
    }
    drop(index);
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let before = memory("VmRSS");
    let start = Instant::now();
    let compacted = compact(&world.store, engine::number_of, LISTING).await.expect("a snapshot");
    println!(
        "\nnext snapshot: {compacted:?} in {:.0} ms; {before} MB before, {} MB at most, embedded storage included",
        milliseconds(start.elapsed()),
        memory("VmHWM"),
    );
}

/// Pages, filters and words, newest and most voted first.
fn queries(items: usize) -> Vec<(String, Query)> {
    let far = (items as u32 / 30).clamp(1, 1_000);
    let all = Query::default;
    let kinds = [
        ("all", all()),
        ("a category", Query { category: Some("Marketing".to_owned()), ..all() }),
        ("a model", Query { models: 1, ..all() }),
        ("a word's beginning", Query { words: "co".to_owned(), ..all() }),
        ("words and a model", Query { words: "pro a".to_owned(), models: 1, ..all() }),
    ];
    let mut queries = Vec::new();
    for (name, query) in kinds {
        for sort in [Sort::Recent, Sort::Top] {
            for page in [1, far] {
                let name = format!("{name}, {sort:?}, page {page}");
                queries.push((name, Query { sort, page, ..query.clone() }));
            }
        }
    }
    queries
}

/// Searches, and reads the items of the page as an account sees them, if one is given.
async fn measure(
    world: &World,
    index: &LibraryIndex,
    account: Option<AccountId>,
    name: &str,
    query: &Query,
) {
    let (mut searched, mut carded, mut total) = (Duration::MAX, Duration::ZERO, 0);
    for round in 0..20 {
        world.faults.reset();
        let start = Instant::now();
        let page = index.search(LISTING, query).await.expect("an answer");
        searched = searched.min(start.elapsed());
        total = page.total;
        if let Some(account) = account {
            let ids: Vec<_> = page.ids.iter().map(|id| LibraryId::from_bits(*id)).collect();
            let start = Instant::now();
            let summaries = world
                .store
                .library_summaries(account, &ids, Precision::Recent)
                .await
                .expect("records");
            carded = if round == 0 { start.elapsed() } else { carded.min(start.elapsed()) };
            assert_eq!(summaries.len(), ids.len(), "every item of a page has its record");
        }
    }
    let (calls, units) = (world.faults.calls().len(), units(world));
    let (searched, carded) = (milliseconds(searched), milliseconds(carded));
    println!("{name:<36} {calls:>6} {units:>6.1} {searched:>9.2} {carded:>9.2} {total:>9}");
}

fn units(world: &World) -> f64 {
    world.faults.calls().iter().map(|call| call.units).sum()
}

fn item(entry: &Document, owner: AccountId) -> Item {
    let published_at =
        Timestamp::from_millis(i64::try_from(entry.published_at).expect("an instant"));
    let models = engine::catalogue().iter().filter(|model| entry.models >> model.number & 1 == 1);
    Item {
        id: LibraryId::from_bits(entry.id),
        owner: Some(owner),
        author: None,
        content: Content {
            title: entry.title.clone(),
            prompt_text: entry.text.clone(),
            description: Some(entry.description.clone()),
            what_this_prompt_does: None,
            tips_for_this_prompt: None,
            how_to_use_prompt: None,
            recommended_models: models.map(|model| model.name.clone()).collect(),
            category: entry.category.clone(),
            example_text: None,
            token_estimate: None,
        },
        visibility: Visibility::Community,
        moderation: Moderation::Approved,
        published_at: Some(published_at),
        updated_at: published_at,
        version: 1,
        counted_bytes: None,
    }
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

/// A figure of this process in MB.
fn memory(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    line.split_whitespace().find_map(|word| word.parse::<u64>().ok()).unwrap_or(0) / 1_024
}
