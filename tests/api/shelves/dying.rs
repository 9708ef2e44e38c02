//! Whoever keeps the shelves dies before and after each of its calls to storage.

use std::time::Duration;

use acceptance::{
    World,
    wire::{Crossing, Death},
};
use domain::{AccountId, LibraryId, library::Shelf};
use edge::runtime::SystemRandom;
use futures::{StreamExt as _, stream};
use shelves::{LEASE, Rebuilt, due_after};
use store::library_queue::LibraryMessage;

use super::{create, found, instance, rebuild, replace, words, worn};

/// Longer than a snapshot of so few items takes: what has not come by then never will.
const PATIENCE: Duration = Duration::from_millis(1_000);

/// A shelf that has a snapshot and is due for the next one.
async fn prepared() -> (World, Shelf, [LibraryId; 2]) {
    let world = World::start().await;
    let owner = AccountId::new(&*world.clock, &SystemRandom);
    let shelf = Shelf::Own(owner);
    // So many that one who is asked writes a snapshot.
    let enough = due_after(shelf) / 2;
    let mut item = worn(&world, owner, enough).await;
    assert_eq!(rebuild(&world, shelf).await, Rebuilt::Done);
    for number in 0..enough {
        replace(&world, &mut item, |item| item.content.title = format!("Second {number}")).await;
    }
    let other = create(&world, owner, "Second as well").await;
    world.clock.advance(Duration::from_secs(61));
    (world, shelf, [other.id, item.id])
}

/// The calls that writing a snapshot makes.
async fn calls() -> Vec<Crossing> {
    let (world, shelf, _) = prepared().await;
    world.wire.reset();
    assert_eq!(rebuild(&world, shelf).await, Rebuilt::Done);
    world.wire.crossings()
}

#[tokio::test]
async fn a_snapshot_whose_writer_dies_anywhere_is_written_by_the_next_one_and_nothing_is_lost() {
    let calls = calls().await;
    assert!(calls.len() >= 10, "{calls:?}");
    let places = (0..calls.len())
        .flat_map(|after| [false, true].map(|call_arrives| Death { after, call_arrives }));
    let tries = places.map(|death| async move {
        let place = format!("{death:?}");
        let (world, shelf, ids) = prepared().await;
        let warm = instance(&world);
        assert_eq!(found(&warm, shelf, &words("second")).await, ids, "{place}");
        // Whoever asked has the message for as long as it takes.
        let message = LibraryMessage::Rebuild { shelf };
        world.store.ask_library_keeper(&message, Duration::ZERO).await.expect("a queue");
        world.wire.die(death);
        let dying = shelves::rebuild(&world.store, engine::number_of, shelf);
        let finished = tokio::time::timeout(PATIENCE, dying).await.is_ok();
        world.wire.revive();
        assert!(!finished, "{place}");
        for reader in [&warm, &instance(&world)] {
            assert_eq!(found(reader, shelf, &words("second")).await, ids, "{place}");
        }
        world.clock.advance(LEASE);
        for _ in 0..4 {
            while world.keep_library().await > 0 {}
            world.clock.advance(Duration::from_secs(901));
        }
        assert_eq!(world.objects("library/").await, 1, "{place}");
        assert_eq!(rebuild(&world, shelf).await, Rebuilt::NotDue, "{place}");
        for reader in [&warm, &instance(&world)] {
            assert_eq!(found(reader, shelf, &words("second")).await, ids, "{place}");
            assert!(found(reader, shelf, &words("worn")).await.is_empty(), "{place}");
        }
        world.store.shelf_pointer(shelf).await.expect("storage").complete_from.millis()
    });
    let complete_from: Vec<_> = stream::iter(tries).buffer_unordered(6).collect().await;
    assert!(complete_from.iter().all(|instant| *instant > 0), "each has its second snapshot");
}
