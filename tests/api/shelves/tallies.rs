//! Votes become places.

use std::time::Duration;

use acceptance::World;
use catalog::{Query, Sort};
use domain::{
    AccountId, LibraryId, Timestamp,
    library::{Shelf, Visibility},
};
use edge::runtime::SystemRandom;
use futures::{StreamExt as _, stream};
use store::{
    library::{Mark, Seen, Toggled},
    library_queue::{FORGET_DELAY, LibraryMessage, TALLY_DELAY},
    shelves::ShelfChange,
};

use super::{create, delete, found, instance, replace};

/// An account that has not voted for an item does so.
pub async fn vote(world: &World, voter: AccountId, id: LibraryId) {
    let toggle = world.store.toggle_library_mark(voter, id, Mark::Vote, Seen::default());
    let toggled = world.passing_time(toggle).await.expect("storage");
    assert!(
        matches!(toggled, Toggled::Now(domain::library::Marks { voted: true, .. })),
        "{toggled:?}"
    );
}

async fn ask(world: &World, id: LibraryId) {
    let message = LibraryMessage::Tally { item_id: id };
    world.store.ask_library_keeper(&message, TALLY_DELAY).await.expect("a queue");
}

fn account(world: &World) -> AccountId {
    AccountId::new(&*world.clock, &SystemRandom)
}

/// What a shelf was told of votes.
async fn told(world: &World, shelf: Shelf) -> Vec<u32> {
    let (told, _) =
        world.store.shelf_changes(shelf, Timestamp::from_millis(0)).await.expect("storage");
    let votes = told.into_iter().filter_map(|told| match told.change {
        ShelfChange::Votes { votes, .. } => Some(votes),
        ShelfChange::Item { .. } => None,
    });
    votes.collect()
}

#[tokio::test]
async fn many_votes_for_an_item_are_one_change_a_batch_and_counted_exactly() {
    let world = World::start().await;
    let owner = account(&world);
    let (one, other) = (create(&world, owner, "One").await, create(&world, owner, "Other").await);
    let voters: Vec<_> = (0..60).map(|_| account(&world)).collect();
    for _ in &voters {
        ask(&world, one.id).await;
    }
    ask(&world, other.id).await;
    let votes = voters.iter().map(|voter| {
        let id = one.id;
        world.store.toggle_library_mark(*voter, id, Mark::Vote, Seen::default())
    });
    let votes = stream::iter(votes).buffer_unordered(20).collect::<Vec<_>>();
    for vote in world.passing_time(votes).await {
        vote.expect("storage");
    }
    vote(&world, account(&world), other.id).await;
    assert_eq!(world.keep_library().await, 0, "nothing is counted before it can be committed");
    world.clock.advance(TALLY_DELAY + Duration::from_secs(1));
    let mut batches = 0;
    while world.keep_library().await > 0 {
        batches += 1;
    }
    for shelf in [Shelf::Community, Shelf::Own(owner)] {
        let told = told(&world, shelf).await;
        assert_eq!(told.iter().filter(|votes| **votes == 60).count(), told.len() - 1, "{told:?}");
        assert!(told.len() <= batches + 1, "{told:?} in {batches} batches");
        let top = Query { sort: Sort::Top, ..Query::default() };
        assert_eq!(found(&instance(&world), shelf, &top).await, [one.id, other.id]);
    }
}

#[tokio::test]
async fn a_shelf_is_told_of_the_votes_of_what_stands_on_it_alone() {
    let world = World::start().await;
    let owner = account(&world);
    let mut item = create(&world, owner, "Once public").await;
    let rival = create(&world, owner, "Rival").await;
    replace(&world, &mut item, |item| item.visibility = Visibility::Private).await;
    ask(&world, item.id).await;
    vote(&world, owner, item.id).await;
    world.clock.advance(TALLY_DELAY);
    assert_eq!(world.keep_library().await, 1);
    assert!(told(&world, Shelf::Community).await.is_empty());
    assert_eq!(told(&world, Shelf::Own(owner)).await, [1]);
    let top = Query { sort: Sort::Top, ..Query::default() };
    let reader = instance(&world);
    assert_eq!(found(&reader, Shelf::Community, &top).await, [rival.id]);
    // Published again it has the vote that it got meanwhile.
    replace(&world, &mut item, |item| item.visibility = Visibility::Community).await;
    assert_eq!(found(&reader, Shelf::Community, &top).await, [item.id, rival.id]);
    assert_eq!(found(&instance(&world), Shelf::Community, &top).await, [item.id, rival.id]);
}

#[tokio::test]
async fn the_counters_of_an_item_go_some_time_after_it() {
    let world = World::start().await;
    let owner = account(&world);
    let item = create(&world, owner, "Doomed").await;
    let kept = create(&world, owner, "Kept").await;
    ask(&world, item.id).await;
    for item in [&item, &kept] {
        vote(&world, owner, item.id).await;
        let message = LibraryMessage::Forget { item_id: item.id };
        world.store.ask_library_keeper(&message, FORGET_DELAY).await.expect("a queue");
    }
    delete(&world, &item).await;
    world.clock.advance(TALLY_DELAY);
    assert_eq!(world.keep_library().await, 1);
    world.clock.advance(FORGET_DELAY);
    assert_eq!(world.keep_library().await, 2);
    let counts = world.store.library_counted(&[kept.id]).await.expect("storage");
    assert_eq!(
        counts.first().map(|counted| counted.counts.votes),
        Some(1),
        "what is there is not forgotten"
    );
    assert!(told(&world, Shelf::Community).await.is_empty());
    // The same identifier again begins without votes.
    let again = world.store.create_library_item(&item);
    world.passing_time(again).await.expect("storage");
    let counts = world.store.library_counted(&[item.id]).await.expect("storage");
    assert_eq!(counts.first().map(|counted| counted.counts.votes), Some(0));
    // Long enough that no record can lag behind its deletion any more.
    let reader = instance(&world);
    found(&reader, Shelf::Community, &Query::default()).await;
    world.clock.advance(Duration::from_secs(61));
    assert_eq!(found(&reader, Shelf::Community, &Query::default()).await.len(), 2);
}

#[tokio::test]
async fn a_message_that_fails_comes_back_alone_and_soon() {
    let world = World::start().await;
    let item = create(&world, account(&world), "Counted").await;
    ask(&world, item.id).await;
    vote(&world, account(&world), item.id).await;
    world.clock.advance(TALLY_DELAY);
    world.wire.disturb("BatchGetItem", acceptance::wire::Fault::Unreachable, 20);
    assert_eq!(world.keep_library().await, 1);
    assert!(told(&world, Shelf::Community).await.is_empty());
    world.wire.revive();
    world.clock.advance(Duration::from_secs(16));
    assert_eq!(world.keep_library().await, 1);
    assert_eq!(told(&world, Shelf::Community).await, [1]);
}
