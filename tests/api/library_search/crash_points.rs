//! Whoever keeps the listings dies before and after each of its calls to storage.

use std::time::Duration;

use acceptance::{
    World,
    fault_injection::{CrashPoint, RecordedCall},
};
use domain::{LibraryId, library::Listing};
use futures::{StreamExt as _, stream};
use library_search::{Compaction, LEASE, compaction_threshold};
use store::library::queue::LibraryJob;

use super::{compact, create, found, instance, new_owner, replace, words, worn};

/// A listing that has a snapshot and is due for the next one.
async fn prepared() -> (World, Listing, [LibraryId; 2]) {
    let world = World::start().await;
    let owner = new_owner(&world).await;
    let listing = Listing::Own(owner);
    // So many that one who is asked writes a snapshot.
    let enough = compaction_threshold(listing) / 2;
    let mut item = worn(&world, owner, enough).await;
    assert_eq!(compact(&world, listing).await, Compaction::Done);
    for number in 0..enough {
        replace(&world, &mut item, |item| item.content.title = format!("Second {number}")).await;
    }
    let other = create(&world, owner, "Second as well").await;
    world.clock.advance(Duration::from_secs(61));
    (world, listing, [other.id, item.id])
}

/// The calls that writing a snapshot makes.
async fn calls() -> Vec<RecordedCall> {
    let (world, listing, _) = prepared().await;
    world.faults.reset();
    assert_eq!(compact(&world, listing).await, Compaction::Done);
    world.faults.calls()
}

#[tokio::test]
async fn a_compaction_that_crashes_anywhere_is_done_by_the_next_one_and_nothing_is_lost() {
    let calls = calls().await;
    assert!(calls.len() >= 10, "{calls:?}");
    let places = (0..calls.len())
        .flat_map(|after| [false, true].map(|call_arrives| CrashPoint { after, call_arrives }));
    let tries = places.map(|crash_point| async move {
        let place = format!("{crash_point:?}");
        let (world, listing, ids) = prepared().await;
        let warm = instance(&world);
        assert_eq!(found(&warm, listing, &words("second")).await, ids, "{place}");
        // Whoever asked has the message for as long as it takes.
        let message = LibraryJob::Compact { listing };
        world.store.enqueue_library_job(&message, Duration::ZERO).await.expect("a queue");
        world.faults.crash(crash_point);
        let dying = library_search::compact(&world.store, engine::number_of, listing);
        let finished = world.faults.or_crash(dying).await.is_some();
        world.faults.recover();
        assert!(!finished, "{place}");
        for reader in [&warm, &instance(&world)] {
            assert_eq!(found(reader, listing, &words("second")).await, ids, "{place}");
        }
        world.clock.advance(LEASE);
        for _ in 0..4 {
            while world.run_library_indexer().await > 0 {}
            world.clock.advance(Duration::from_secs(901));
        }
        assert_eq!(world.objects("library/").await, 1, "{place}");
        assert_eq!(compact(&world, listing).await, Compaction::NotDue, "{place}");
        for reader in [&warm, &instance(&world)] {
            assert_eq!(found(reader, listing, &words("second")).await, ids, "{place}");
            assert!(found(reader, listing, &words("worn")).await.is_empty(), "{place}");
        }
        world.store.snapshot_pointer(listing).await.expect("storage").complete_from.millis()
    });
    let complete_from: Vec<_> = stream::iter(tries).buffer_unordered(6).collect().await;
    assert!(complete_from.iter().all(|instant| *instant > 0), "each has its second snapshot");
}
