//! What a search costs, what it sees, and when snapshots are written.

use std::{sync::Arc, time::Duration};

use acceptance::{World, clock::ManualClock, world::START};
use aws_lambda_events::sqs::SqsEvent;
use catalog::Query;
use domain::{AccountId, Timestamp, library::Shelf};
use edge::runtime::SystemRandom;
use futures::future::join_all;
use shelves::{Caught, LEASE, Rebuilt, View, due_after};

use super::{create, delete, found, instance, item, rebuild, replace, wear_out, words};

fn account(world: &World) -> AccountId {
    AccountId::new(&*world.clock, &SystemRandom)
}

async fn left(world: &World, shelf: Shelf) -> usize {
    let all = world.store.shelf_changes(shelf, Timestamp::from_millis(0)).await;
    all.expect("storage").0.len()
}

#[tokio::test]
async fn a_warm_search_is_one_call_and_one_unit_whatever_has_changed_before() {
    let world = World::start().await;
    let owner = account(&world);
    let shelf = Shelf::Own(owner);
    wear_out(&world, owner).await;
    let reader = instance(&world);
    found(&reader, shelf, &Query::default()).await;
    while world.keep_library().await > 0 {}
    found(&reader, shelf, &Query::default()).await;
    world.wire.reset();
    assert_eq!(found(&reader, shelf, &words("worn")).await.len(), 1);
    let crossings = world.wire.crossings();
    assert_eq!(crossings.len(), 1, "{crossings:?}");
    assert!(world.wire.units("Query") <= 1.0, "{crossings:?}");
}

#[tokio::test]
async fn a_search_sees_at_once_what_another_instance_committed() {
    let world = World::start().await;
    let owner = account(&world);
    let reader = instance(&world);
    let mut item = create(&world, owner, "Harbour").await;
    for shelf in [Shelf::Community, Shelf::Own(owner)] {
        assert_eq!(found(&reader, shelf, &words("harbour")).await, [item.id]);
    }
    replace(&world, &mut item, |item| item.content.title = "Lighthouse".to_owned()).await;
    for shelf in [Shelf::Community, Shelf::Own(owner)] {
        assert!(found(&reader, shelf, &words("harbour")).await.is_empty());
        assert_eq!(found(&reader, shelf, &words("light")).await, [item.id]);
    }
    delete(&world, &item).await;
    for shelf in [Shelf::Community, Shelf::Own(owner), Shelf::Official] {
        assert!(found(&reader, shelf, &Query::default()).await.is_empty());
    }
}

#[tokio::test]
async fn a_change_that_is_committed_late_is_found() {
    let world = World::start().await;
    let owner = account(&world);
    let (reader, behind) = (instance(&world), world.store_at(Arc::new(ManualClock::new(START))));
    let late = item(&world, owner, "Late");
    world.clock.advance(Duration::from_secs(20));
    let early = create(&world, owner, "Early").await;
    assert_eq!(found(&reader, Shelf::Community, &Query::default()).await, [early.id]);
    // Its place is 20 seconds before the one that was seen.
    world.passing_time(behind.create_library_item(&late)).await.expect("storage");
    assert_eq!(found(&reader, Shelf::Community, &Query::default()).await, [early.id, late.id]);
}

#[tokio::test]
async fn a_search_asks_for_a_snapshot_once_it_is_due_and_the_keeper_writes_it() {
    let world = World::start().await;
    let owner = account(&world);
    let shelf = Shelf::Own(owner);
    let item = wear_out(&world, owner).await;
    let reader = instance(&world);
    world.wire.reset();
    for _ in 0..3 {
        assert_eq!(found(&reader, shelf, &words("worn")).await, [item.id]);
    }
    assert_eq!(world.wire.count("SendMessage"), 1, "once a minute");
    assert_eq!(world.objects("library/").await, 0);
    assert_eq!(world.keep_library().await, 1);
    assert_eq!(world.objects("library/").await, 1);
    assert_eq!(rebuild(&world, shelf).await, Rebuilt::NotDue);
    assert_eq!(found(&reader, shelf, &words("worn")).await, [item.id]);
    world.clock.advance(Duration::from_secs(61));
    world.wire.reset();
    assert_eq!(found(&reader, shelf, &words("worn")).await, [item.id]);
    assert_eq!(world.wire.count("SendMessage"), 0, "the new snapshot has everything");
}

#[tokio::test]
async fn changes_stay_as_long_as_a_reader_of_the_snapshot_before_may_need_them() {
    let world = World::start().await;
    let owner = account(&world);
    let shelf = Shelf::Own(owner);
    let readers: Vec<_> = (0..3).map(|_| instance(&world)).collect();
    let mut item = wear_out(&world, owner).await;
    found(&readers[0], shelf, &Query::default()).await;
    let all = left(&world, shelf).await;
    assert_eq!(rebuild(&world, shelf).await, Rebuilt::Done);
    assert_eq!(left(&world, shelf).await, all, "a reader without a snapshot needs them all");
    found(&readers[1], shelf, &Query::default()).await;

    for number in 0..due_after(shelf) {
        replace(&world, &mut item, |item| item.content.title = format!("Second {number}")).await;
    }
    world.clock.advance(Duration::from_secs(61));
    assert_eq!(rebuild(&world, shelf).await, Rebuilt::Done);
    assert_eq!(left(&world, shelf).await, due_after(shelf));
    found(&readers[2], shelf, &Query::default()).await;
    let other = create(&world, owner, "Second as well").await;
    for reader in &readers {
        let mut both = found(reader, shelf, &words("second")).await;
        both.sort();
        assert_eq!(both, [item.id, other.id]);
        assert!(found(reader, shelf, &words("worn")).await.is_empty());
    }
    // The object of the first snapshot goes when nobody can be about to read it.
    assert_eq!(world.objects("library/").await, 2);
    world.clock.advance(Duration::from_secs(901));
    while world.keep_library().await > 0 {}
    assert_eq!(world.objects("library/").await, 1);
    assert_eq!(found(&instance(&world), shelf, &Query::default()).await, [other.id, item.id]);
}

#[tokio::test]
async fn a_view_of_the_snapshot_before_catches_up_and_an_older_one_knows_that_it_cannot() {
    let world = World::start().await;
    let owner = account(&world);
    let shelf = Shelf::Own(owner);
    let load = || View::load(&world.store, engine::number_of, shelf);
    let mut item = wear_out(&world, owner).await;
    let oldest = load().await.expect("storage");
    world.clock.advance(Duration::from_secs(61));
    assert_eq!(rebuild(&world, shelf).await, Rebuilt::Done);
    let before = load().await.expect("storage");
    for number in 0..due_after(shelf) {
        replace(&world, &mut item, |item| item.content.title = format!("Second {number}")).await;
    }
    world.clock.advance(Duration::from_secs(61));
    assert_eq!(rebuild(&world, shelf).await, Rebuilt::Done);
    assert_eq!(oldest.catch_up(&world.store).await.expect("storage"), Caught::Outrun);
    assert!(matches!(before.catch_up(&world.store).await.expect("storage"), Caught::Up(_)));
    assert_eq!(before.search(&words("second")).ids, [item.id.bits()]);
    assert!(before.search(&words("worn")).ids.is_empty());
}

#[tokio::test]
async fn a_large_snapshot_is_loaded_once_while_searches_go_on() {
    let world = World::start().await;
    let owner = account(&world);
    let shelf = Shelf::Own(owner);
    let mut last = None;
    for number in 0..due_after(shelf) {
        // Words that no other item has.
        let mut item = item(&world, owner, "Large");
        let words = (0..20_000).map(|word| format!("{:x}", number * 20_000 + word));
        item.content.prompt_text = words.collect::<Vec<_>>().join(" ");
        world.passing_time(world.store.create_library_item(&item)).await.expect("storage");
        world.clock.advance(Duration::from_millis(10));
        last = Some(item.id);
    }
    let reader = instance(&world);
    let newest = Query { page_size: 1, ..Query::default() };
    assert_eq!(found(&reader, shelf, &newest).await, last.as_slice());
    world.clock.advance(Duration::from_secs(61));
    assert_eq!(rebuild(&world, shelf).await, Rebuilt::Done);
    let pointer = world.store.shelf_pointer(shelf).await.expect("storage");
    let size = pointer.snapshot.expect("a snapshot").size;
    assert!(size > 8 << 20, "{size}");
    world.wire.reset();
    let parts = || {
        let crossings = world.wire.crossings();
        crossings.iter().filter(|crossing| crossing.operation.starts_with("GET")).count()
    };
    let all = usize::try_from(size.div_ceil(8 << 20)).expect("few");
    while parts() < all {
        assert_eq!(found(&reader, shelf, &newest).await, last.as_slice());
        tokio::task::yield_now().await;
    }
    for _ in 0..20 {
        assert_eq!(found(&reader, shelf, &newest).await, last.as_slice());
    }
    assert_eq!(parts(), all, "once");
}

#[tokio::test]
async fn while_somebody_writes_a_snapshot_others_wait_for_it() {
    let world = World::start().await;
    let owner = account(&world);
    let shelf = Shelf::Own(owner);
    wear_out(&world, owner).await;
    let pointer = world.store.shelf_pointer(shelf).await.expect("storage");
    let until = world.now() + LEASE;
    let held = world.store.lease_shelf(shelf, &pointer, until).await.expect("storage");
    assert!(held.is_some());
    assert_eq!(world.store.lease_shelf(shelf, &pointer, until).await.expect("storage"), None);
    assert_eq!(rebuild(&world, shelf).await, Rebuilt::Leased(until));
    world.clock.advance(LEASE);
    assert_eq!(rebuild(&world, shelf).await, Rebuilt::Done, "whoever held it is dead");
}

#[tokio::test]
async fn many_searches_at_once_load_a_shelf_once() {
    let world = World::start().await;
    let owner = account(&world);
    let shelf = Shelf::Own(owner);
    let item = wear_out(&world, owner).await;
    assert_eq!(rebuild(&world, shelf).await, Rebuilt::Done);
    let reader = instance(&world);
    world.wire.reset();
    let query = words("worn");
    let searches = (0..20).map(|_| found(&reader, shelf, &query));
    for found in join_all(searches).await {
        assert_eq!(found, [item.id]);
    }
    let crossings = world.wire.crossings();
    let loads = crossings.iter().filter(|crossing| crossing.operation.starts_with("GET")).count();
    assert_eq!(loads, 1, "{crossings:?}");
}

#[tokio::test]
async fn a_queue_event_is_worked_on_and_reports_each_message_by_itself() {
    let world = World::start().await;
    let text = include_str!("../../../events/library-queue.json");
    let mut event: SqsEvent = serde_json::from_str(text).expect("an SQS event");
    let mut unreadable = event.records[0].clone();
    unreadable.body = Some("{\"tally\": {}}".to_owned());
    unreadable.message_id = Some("unreadable".to_owned());
    unreadable.receipt_handle = None;
    event.records.insert(1, unreadable);
    let handled = world.passing_time(world.assembly.library_keeper.handle(event)).await;
    let failed: Vec<_> =
        handled.batch_item_failures.iter().map(|failure| &*failure.item_identifier).collect();
    assert_eq!(failed, ["unreadable"]);
}
