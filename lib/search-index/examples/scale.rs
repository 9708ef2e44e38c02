//! Measures a snapshot of many items:
//! `cargo run --release -p search-index --example scale -- 1000000`.
//!
//! Prints the size, the time to build, open, verify and rebuild, and the times of a fixed mix of
//! 2,000 queries, without and with a delta of 3,000 changes. Each query runs once before; the least
//! of three times counts. Then the times of some kinds of query.

#[path = "../tests/suite/random/mod.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod random;

use std::time::{Duration, Instant};

use bytes::Bytes;
use random::World;
use search_index::{DeltaIndex, Query, Snapshot, Sort};

fn main() {
    let items = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(100_000);
    let mut world = World::new(7, 200_000);
    let entries = world.entries(items, 80);
    let texts: usize = entries
        .iter()
        .map(|entry| entry.title.len() + entry.description.len() + entry.text.len())
        .sum();
    let ids: Vec<u128> = entries.iter().map(|entry| entry.id).collect();
    println!("{items} items with {:.1} MB of text", texts as f64 / 1e6);

    let start = Instant::now();
    let bytes = Bytes::from(Snapshot::build(entries));
    println!(
        "build   {:>10.1} ms, {:.1} MB",
        milliseconds(start.elapsed()),
        bytes.len() as f64 / 1e6
    );
    let start = Instant::now();
    let snapshot = Snapshot::open(bytes).expect("a snapshot that was just built");
    println!("open    {:>10.4} ms", milliseconds(start.elapsed()));
    let start = Instant::now();
    snapshot.verify().expect("bytes that were just built");
    println!("verify  {:>10.1} ms", milliseconds(start.elapsed()));

    let mut delta = DeltaIndex::new();
    for change in 0..3_000.min(items) {
        let id = ids[world.below(ids.len())];
        match change % 3 {
            0 => delta.set_votes(id, world.below(6_000) as u32),
            1 => delta.remove(id),
            _ => delta.put(world.entry(change as u128, 80)),
        }
    }
    let start = Instant::now();
    snapshot.search(&Query::default(), &delta);
    println!(
        "delta {:>10.4} ms for the first search with its {} changes",
        milliseconds(start.elapsed()),
        delta.len()
    );

    let start = Instant::now();
    let rebuilt = snapshot.merge(&delta).expect("bytes that were just built");
    println!(
        "rebuild {:>10.1} ms, {:.1} MB",
        milliseconds(start.elapsed()),
        rebuilt.len() as f64 / 1e6
    );
    drop(rebuilt);

    let queries: Vec<Query> = (0..2_000).map(|_| world.query(items)).collect();
    println!(
        "\n{:<44} {:>9} {:>9} {:>9} {:>9}",
        "milliseconds, warm", "p50", "p99", "max", "found"
    );
    measure("2,000 queries", &snapshot, &queries, &DeltaIndex::new());
    measure("2,000 queries with the delta", &snapshot, &queries, &delta);

    let kinds: [(&str, Query); 10] = [
        ("all", Query::default()),
        ("a*", Query { words: "a".into(), ..Query::default() }),
        ("co*", Query { words: "co".into(), ..Query::default() }),
        ("a frequent category", Query { category: Some("Marketing".into()), ..Query::default() }),
        ("eight models", Query { models: 0xff, ..Query::default() }),
        ("eight models and a*", Query { models: 0xff, words: "a".into(), ..Query::default() }),
        ("one frequent character", Query { words: "的".into(), ..Query::default() }),
        (
            "eight frequent characters",
            Query { words: "的一是生的一是生".into(), ..Query::default() },
        ),
        ("six frequent characters", Query { words: "的一的一是的".into(), ..Query::default() }),
        (
            "a hundred letters",
            Query { words: "a c e i n m r l s t ".repeat(10), ..Query::default() },
        ),
    ];
    for (name, query) in kinds {
        for (sort, page) in
            [(Sort::Recent, 1), (Sort::Recent, 1_000), (Sort::Top, 1), (Sort::Top, 1_000)]
        {
            let query = Query { sort, page, ..query.clone() };
            measure(&format!("{name}, {sort:?}, page {page}"), &snapshot, &vec![query; 50], &delta);
        }
    }
}

fn measure(name: &str, snapshot: &Snapshot, queries: &[Query], delta: &DeltaIndex) {
    let mut found = 0;
    queries.iter().for_each(|query| found += snapshot.search(query, delta).total);
    let time = |query: &Query| {
        let start = Instant::now();
        std::hint::black_box(snapshot.search(query, delta));
        start.elapsed()
    };
    // The least of three, since other processes run on the same cores.
    let mut times: Vec<(Duration, &Query)> = queries
        .iter()
        .map(|query| (time(query).min(time(query)).min(time(query)), query))
        .collect();
    times.sort_by_key(|(time, _)| *time);
    let at = |share: usize| milliseconds(times[(times.len() - 1) * share / 100].0);
    let mean = found / queries.len() as u64;
    println!("{name:<44} {:>9.4} {:>9.4} {:>9.4} {mean:>9}", at(50), at(99), at(100));
    if let (true, Some((_, slowest))) = (queries.len() > 50, times.last()) {
        println!("    slowest: {slowest:?}");
    }
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}
