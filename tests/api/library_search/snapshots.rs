//! What a search costs, what it sees, and when snapshots are written.

use sqs_consumer::SqsHandler as _;
use std::{cell::Cell, sync::Arc, time::Duration};

use acceptance::{World, clock::ManualClock, fault_injection::Fault, pages::ids, world::START};
use aws_lambda_events::sqs::SqsEvent;
use domain::{ChangeId, Plan, Timestamp, library::Listing};
use edge::runtime::SystemRandom;
use futures::future::join_all;
use library_search::{Compaction, LEASE, Refresh, Searcher, compaction_threshold};
use search_index::Query;
use store::library::queue::LibraryJob;

use super::{compact, create, delete, found, instance, item, new_owner, replace, wear_out, words};

async fn left(world: &World, listing: Listing) -> usize {
    let all = world.store.read_change_log(listing, Timestamp::from_millis(0)).await;
    all.expect("storage").0.len()
}

#[tokio::test]
async fn a_warm_search_is_one_call_and_one_unit_whatever_has_changed_before() {
    let world = World::start().await;
    let owner = new_owner(&world).await;
    let listing = Listing::Own(owner);
    wear_out(&world, owner).await;
    let reader = instance(&world);
    found(&reader, listing, &Query::default()).await;
    while world.run_library_indexer().await > 0 {}
    found(&reader, listing, &Query::default()).await;
    world.faults.reset();
    assert_eq!(found(&reader, listing, &words("worn")).await.len(), 1);
    let calls = world.faults.calls();
    assert_eq!(calls.len(), 1, "{calls:?}");
    assert!(world.faults.units("Query") <= 1.0, "{calls:?}");
}

#[tokio::test]
async fn a_search_sees_at_once_what_another_instance_committed() {
    let world = World::start().await;
    let owner = new_owner(&world).await;
    let reader = instance(&world);
    let mut item = create(&world, owner, "Harbour").await;
    for listing in [Listing::Community, Listing::Own(owner)] {
        assert_eq!(found(&reader, listing, &words("harbour")).await, [item.id]);
    }
    replace(&world, &mut item, |item| item.content.title = "Lighthouse".to_owned()).await;
    for listing in [Listing::Community, Listing::Own(owner)] {
        assert!(found(&reader, listing, &words("harbour")).await.is_empty());
        assert_eq!(found(&reader, listing, &words("light")).await, [item.id]);
    }
    delete(&world, &item).await;
    for listing in [Listing::Community, Listing::Own(owner), Listing::Official] {
        assert!(found(&reader, listing, &Query::default()).await.is_empty());
    }
}

#[tokio::test]
async fn a_change_that_is_committed_late_is_found() {
    let world = World::start().await;
    let owner = new_owner(&world).await;
    let (reader, behind) = (instance(&world), world.store_at(Arc::new(ManualClock::new(START))));
    let late = item(&world, owner, "Late");
    world.clock.advance(Duration::from_secs(20));
    let early = create(&world, owner, "Early").await;
    assert_eq!(found(&reader, Listing::Community, &Query::default()).await, [early.id]);
    // Its place is 20 seconds before the one that was seen.
    world.advancing_time(behind.create_library_item(&late)).await.expect("storage");
    assert_eq!(found(&reader, Listing::Community, &Query::default()).await, [early.id, late.id]);
}

#[tokio::test]
async fn a_search_requests_compaction_once_it_is_due_and_the_indexer_does_it() {
    let world = World::start().await;
    let owner = new_owner(&world).await;
    let listing = Listing::Own(owner);
    let item = wear_out(&world, owner).await;
    let reader = instance(&world);
    world.faults.reset();
    for _ in 0..3 {
        assert_eq!(found(&reader, listing, &words("worn")).await, [item.id]);
    }
    assert_eq!(world.faults.count("SendMessage"), 1, "once a minute");
    assert_eq!(world.objects("library/").await, 0);
    assert_eq!(world.run_library_indexer().await, 1);
    assert_eq!(world.objects("library/").await, 1);
    assert_eq!(compact(&world, listing).await, Compaction::NotDue);
    assert_eq!(found(&reader, listing, &words("worn")).await, [item.id]);
    world.clock.advance(Duration::from_secs(61));
    world.faults.reset();
    assert_eq!(found(&reader, listing, &words("worn")).await, [item.id]);
    assert_eq!(world.faults.count("SendMessage"), 0, "the new snapshot has everything");
}

#[tokio::test]
async fn a_function_that_has_read_nothing_yet_reads_the_snapshot() {
    let world = World::start().await;
    let account = world.account(Plan::Max).await;
    let item = wear_out(&world, account.id).await;
    assert_eq!(compact(&world, Listing::Own(account.id)).await, Compaction::Done);
    world.faults.reset();
    let listed = account.get("/library/items").await.data(200).clone();
    assert_eq!(ids(&listed), [item.id.to_string()]);
    assert_eq!(world.faults.count("x-id=GetObject"), 1);
}

#[tokio::test]
async fn changes_stay_as_long_as_a_reader_of_the_snapshot_before_may_need_them() {
    let world = World::start().await;
    let owner = new_owner(&world).await;
    let listing = Listing::Own(owner);
    let readers: Vec<_> = (0..3).map(|_| instance(&world)).collect();
    let mut item = wear_out(&world, owner).await;
    found(&readers[0], listing, &Query::default()).await;
    let all = left(&world, listing).await;
    assert_eq!(compact(&world, listing).await, Compaction::Done);
    assert_eq!(left(&world, listing).await, all, "a reader without a snapshot needs them all");
    found(&readers[1], listing, &Query::default()).await;

    for number in 0..compaction_threshold(listing) {
        replace(&world, &mut item, |item| item.content.title = format!("Second {number}")).await;
    }
    world.clock.advance(Duration::from_secs(61));
    assert_eq!(compact(&world, listing).await, Compaction::Done);
    assert_eq!(left(&world, listing).await, compaction_threshold(listing));
    found(&readers[2], listing, &Query::default()).await;
    let other = create(&world, owner, "Second as well").await;
    for reader in &readers {
        let mut both = found(reader, listing, &words("second")).await;
        both.sort();
        assert_eq!(both, [item.id, other.id]);
        assert!(found(reader, listing, &words("worn")).await.is_empty());
    }
    // The object of the first snapshot goes when nobody can be about to read it.
    assert_eq!(world.objects("library/").await, 2);
    world.clock.advance(Duration::from_secs(901));
    while world.run_library_indexer().await > 0 {}
    assert_eq!(world.objects("library/").await, 1);
    assert_eq!(found(&instance(&world), listing, &Query::default()).await, [other.id, item.id]);
}

#[tokio::test]
async fn a_searcher_of_the_previous_snapshot_refreshes_and_an_older_one_knows_that_it_cannot() {
    let world = World::start().await;
    let owner = new_owner(&world).await;
    let listing = Listing::Own(owner);
    let load = || Searcher::load(&world.store, engine::number_of, listing);
    let mut item = wear_out(&world, owner).await;
    let oldest = load().await.expect("storage");
    world.clock.advance(Duration::from_secs(61));
    assert_eq!(compact(&world, listing).await, Compaction::Done);
    let before = load().await.expect("storage");
    for number in 0..compaction_threshold(listing) {
        replace(&world, &mut item, |item| item.content.title = format!("Second {number}")).await;
    }
    world.clock.advance(Duration::from_secs(61));
    assert_eq!(compact(&world, listing).await, Compaction::Done);
    assert_eq!(oldest.refresh(&world.store).await.expect("storage"), Refresh::SnapshotExpired);
    assert!(matches!(before.refresh(&world.store).await.expect("storage"), Refresh::Current(_)));
    assert_eq!(before.search(&words("second")).ids, [item.id.bits()]);
    assert!(before.search(&words("worn")).ids.is_empty());
}

#[tokio::test]
async fn a_large_snapshot_is_loaded_once_within_a_search_while_others_go_on() {
    let world = World::start().await;
    let owner = new_owner(&world).await;
    let listing = Listing::Own(owner);
    let mut last = None;
    for number in 0..compaction_threshold(listing) {
        // Words that no other item has.
        let mut item = item(&world, owner, "Large");
        let words = (0..20_000).map(|word| format!("{:x}", number * 20_000 + word));
        item.content.prompt_text = words.collect::<Vec<_>>().join(" ");
        world.advancing_time(world.store.create_library_item(&item)).await.expect("storage");
        world.clock.advance(Duration::from_millis(10));
        last = Some(item.id);
    }
    let reader = instance(&world);
    let newest = Query { page_size: 1, ..Query::default() };
    assert_eq!(found(&reader, listing, &newest).await, last.as_slice());
    world.clock.advance(Duration::from_secs(61));
    // No time passes while it is computed, however long that takes.
    let compacted = library_search::compact(&world.store, engine::number_of, listing).await;
    assert_eq!(compacted.expect("storage"), Compaction::Done);
    let pointer = world.store.snapshot_pointer(listing).await.expect("storage");
    let size = pointer.snapshot.expect("a snapshot").size;
    assert!(size > 8 << 20, "{size}");
    world.faults.reset();
    let parts = || {
        let calls = world.faults.calls();
        calls.iter().filter(|call| call.operation.starts_with("GET")).count()
    };
    let all = usize::try_from(size.div_ceil(8 << 20)).expect("few");
    let held = Fault::AnswerHeld { until: "ListTables", lost: false };
    world.faults.inject("x-id=GetObject", held, 1);
    let has_answered = Cell::new(false);
    let first = async {
        assert_eq!(found(&reader, listing, &newest).await, last.as_slice());
        has_answered.set(true);
    };
    let others = async {
        world.until(|| parts() > 0).await;
        for _ in 0..20 {
            assert_eq!(found(&reader, listing, &newest).await, last.as_slice());
        }
        assert!(!has_answered.get(), "nothing goes on after the answer");
        world.dynamodb.list_tables().send().await.expect("the table answers");
    };
    tokio::join!(first, others);
    assert_eq!(parts(), all);
    assert_eq!(found(&reader, listing, &newest).await, last.as_slice());
    assert_eq!(parts(), all, "once");
}

#[tokio::test]
async fn a_search_does_not_wait_long_for_a_newer_snapshot() {
    let world = World::start().await;
    let owner = new_owner(&world).await;
    let listing = Listing::Own(owner);
    let item = wear_out(&world, owner).await;
    let reader = instance(&world);
    assert_eq!(found(&reader, listing, &words("worn")).await, [item.id]);
    assert_eq!(compact(&world, listing).await, Compaction::Done);
    let begun = world.now();
    let reads = || {
        let calls = world.faults.calls();
        calls.iter().filter(|call| call.operation.starts_with("GET")).count()
    };
    world.faults.reset();
    world.faults.inject("x-id=GetObject", Fault::Slow(Duration::from_secs(3_600)), usize::MAX);
    for _ in 0..3 {
        let searched = world.advancing_time(reader.search(listing, &words("worn"))).await;
        assert_eq!(searched.expect("the present snapshot").ids, [item.id.bits()]);
    }
    let took = world.now().since(begun);
    assert!(took < Duration::from_secs(12), "{took:?}: only the first one waits");
    world.faults.recover();
    assert_eq!(found(&reader, listing, &words("worn")).await, [item.id]);
    assert_eq!(reads(), 0);
    world.clock.advance(Duration::from_secs(60));
    assert_eq!(found(&reader, listing, &words("worn")).await, [item.id]);
    assert_eq!(reads(), 1, "the next try");
}

#[tokio::test]
async fn while_somebody_writes_a_snapshot_others_wait_for_it() {
    let world = World::start().await;
    let owner = new_owner(&world).await;
    let listing = Listing::Own(owner);
    wear_out(&world, owner).await;
    let pointer = world.store.snapshot_pointer(listing).await.expect("storage");
    let until = world.now() + LEASE;
    let held = world.store.lease_snapshot(listing, &pointer, until).await.expect("storage");
    assert!(held.is_some());
    assert_eq!(world.store.lease_snapshot(listing, &pointer, until).await.expect("storage"), None);
    assert_eq!(compact(&world, listing).await, Compaction::Leased(until));
    world.clock.advance(LEASE);
    assert_eq!(compact(&world, listing).await, Compaction::Done, "whoever held it is dead");
}

#[tokio::test]
async fn a_lease_or_a_commit_whose_answer_is_lost_stands() {
    for lost in 1..=2 {
        let world = World::start().await;
        let owner = new_owner(&world).await;
        let listing = Listing::Own(owner);
        wear_out(&world, owner).await;
        world.faults.inject("UpdateItem", Fault::Slow(Duration::ZERO), lost - 1);
        world.faults.inject("UpdateItem", Fault::AnswerLost, 1);
        assert_eq!(compact(&world, listing).await, Compaction::Done, "answer {lost}");
        assert!(world.faults.is_exhausted());
        assert_eq!(compact(&world, listing).await, Compaction::NotDue);
    }
}

#[tokio::test]
async fn an_object_that_no_message_names_goes_with_the_next_request_once_nobody_can_be_writing_it()
{
    let world = World::start().await;
    let owner = new_owner(&world).await;
    let listing = Listing::Own(owner);
    let name = ChangeId::new(&*world.clock, &SystemRandom).unique();
    world.store.write_snapshot(listing, &name, "abandoned".into()).await.expect("a bucket");
    assert_eq!(compact(&world, listing).await, Compaction::NotDue);
    assert_eq!(world.objects("library/").await, 1, "its writer may be about to make it current");
    world.clock.advance(LEASE * 2);
    wear_out(&world, owner).await;
    assert_eq!(compact(&world, listing).await, Compaction::Done);
    assert_eq!(world.objects("library/").await, 1);
    let reader = instance(&world);
    assert_eq!(found(&reader, listing, &words("worn")).await.len(), 1, "the current one is kept");
    world.clock.advance(LEASE * 2);
    assert_eq!(compact(&world, listing).await, Compaction::NotDue);
    assert_eq!(world.objects("library/").await, 1);
}

#[tokio::test]
async fn a_batch_whose_work_takes_too_long_ends_in_time_and_comes_back() {
    let world = World::start().await;
    let owner = new_owner(&world).await;
    let listing = Listing::Own(owner);
    wear_out(&world, owner).await;
    let message = LibraryJob::Compact { listing };
    world.store.enqueue_library_job(&message, Duration::ZERO).await.expect("a queue");
    let begun = world.now();
    world.faults.inject("Query", Fault::Slow(Duration::from_secs(3_600)), usize::MAX);
    assert_eq!(world.run_library_indexer().await, 1);
    let took = world.now().since(begun);
    assert!(took < Duration::from_secs(300), "{took:?}");
    world.faults.recover();
    world.clock.advance(Duration::from_secs(16));
    assert_eq!(world.run_library_indexer().await, 1);
    assert_eq!(world.objects("library/").await, 1);
}

#[tokio::test]
async fn many_searches_at_once_load_a_listing_once() {
    let world = World::start().await;
    let owner = new_owner(&world).await;
    let listing = Listing::Own(owner);
    let item = wear_out(&world, owner).await;
    assert_eq!(compact(&world, listing).await, Compaction::Done);
    let reader = instance(&world);
    world.faults.reset();
    let query = words("worn");
    let searches = (0..20).map(|_| found(&reader, listing, &query));
    for found in join_all(searches).await {
        assert_eq!(found, [item.id]);
    }
    let calls = world.faults.calls();
    let loads = calls.iter().filter(|call| call.operation.starts_with("GET")).count();
    assert_eq!(loads, 1, "{calls:?}");
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
    let handled = world.advancing_time(world.application.library_indexer.handle(event)).await;
    let failed: Vec<_> =
        handled.batch_item_failures.iter().map(|failure| &*failure.item_identifier).collect();
    assert_eq!(failed, ["unreadable"]);
}
