//! Votes become places.

use std::time::Duration;

use acceptance::{World, fault_injection::Fault};
use domain::{
    AccountId, LibraryId, Timestamp,
    library::{Listing, Visibility},
};
use edge::runtime::SystemRandom;
use futures::{StreamExt as _, stream};
use search_index::{Query, Sort};
use store::{
    library::queue::{COUNT_VOTES_DELAY, DELETE_COUNTERS_DELAY, LibraryJob},
    library::{ReactionKind, Seen, Toggled},
    listings::ListingChange,
};

use super::{create, delete, found, instance, new_owner, replace};

fn voter(world: &World) -> AccountId {
    AccountId::new(&*world.clock, &SystemRandom)
}

/// An account that has not voted for an item does so.
pub async fn vote(world: &World, voter: AccountId, id: LibraryId) {
    let toggle = world.store.toggle_reaction(voter, id, ReactionKind::Vote, Seen::default());
    let toggled = world.advancing_time(toggle).await.expect("storage");
    assert!(
        matches!(toggled, Toggled::Now(domain::library::Reactions { voted: true, .. })),
        "{toggled:?}"
    );
}

async fn ask(world: &World, id: LibraryId) {
    let message = LibraryJob::CountVotes { item_id: id };
    world.store.enqueue_library_job(&message, COUNT_VOTES_DELAY).await.expect("a queue");
}

/// What a listing was logged_votes of votes.
async fn logged_votes(world: &World, listing: Listing) -> Vec<u32> {
    let logged_votes = world.store.read_vote_log(listing, Timestamp::from_millis(0), true).await;
    let logged_votes = logged_votes.expect("storage");
    let votes = logged_votes.into_iter().filter_map(|logged_votes| match logged_votes.change {
        ListingChange::Votes { votes, .. } => Some(votes),
        ListingChange::Item { .. } => None,
    });
    votes.collect()
}

#[tokio::test]
async fn many_votes_for_an_item_are_one_log_entry_a_batch_and_counted_exactly() {
    let world = World::start().await;
    let owner = new_owner(&world).await;
    let (one, other) = (create(&world, owner, "One").await, create(&world, owner, "Other").await);
    let voters: Vec<_> = (0..60).map(|_| voter(&world)).collect();
    for _ in &voters {
        ask(&world, one.id).await;
    }
    ask(&world, other.id).await;
    let votes = voters.iter().map(|voter| {
        let id = one.id;
        world.store.toggle_reaction(*voter, id, ReactionKind::Vote, Seen::default())
    });
    let votes = stream::iter(votes).buffer_unordered(20).collect::<Vec<_>>();
    for vote in world.advancing_time(votes).await {
        vote.expect("storage");
    }
    vote(&world, voter(&world), other.id).await;
    assert_eq!(
        world.run_library_indexer().await,
        0,
        "nothing is counted before it can be committed"
    );
    world.clock.advance(COUNT_VOTES_DELAY + Duration::from_secs(1));
    let mut batches = 0;
    while world.run_library_indexer().await > 0 {
        batches += 1;
    }
    for listing in [Listing::Community, Listing::Own(owner)] {
        let logged_votes = logged_votes(&world, listing).await;
        assert_eq!(
            logged_votes.iter().filter(|votes| **votes == 60).count(),
            logged_votes.len() - 1,
            "{logged_votes:?}"
        );
        assert!(logged_votes.len() <= batches + 1, "{logged_votes:?} in {batches} batches");
        let top = Query { sort: Sort::Top, ..Query::default() };
        assert_eq!(found(&instance(&world), listing, &top).await, [one.id, other.id]);
    }
}

#[tokio::test]
async fn an_instance_reads_votes_once_a_second_however_often_it_searches() {
    let world = World::start().await;
    let owner = new_owner(&world).await;
    let (one, other) = (create(&world, owner, "One").await, create(&world, owner, "Other").await);
    let top = Query { sort: Sort::Top, ..Query::default() };
    let reader = instance(&world);
    let listing = Listing::Community;
    let before = found(&reader, listing, &top).await;
    let last = *before.last().expect("two items");
    assert!([one.id, other.id].contains(&last));
    vote(&world, voter(&world), last).await;
    world.store.log_votes(owner, last).await.expect("storage");
    world.faults.reset();
    for _ in 0..20 {
        assert_eq!(found(&reader, listing, &top).await, before);
    }
    assert_eq!(world.faults.count("Query"), 20, "the changes alone");

    world.clock.advance(Duration::from_secs(1));
    world.faults.reset();
    assert_eq!(found(&reader, listing, &top).await[0], last);
    assert_eq!(world.faults.count("Query"), 2, "the changes and the votes");
}

#[tokio::test]
async fn a_change_log_has_the_votes_of_its_own_listings_items_alone() {
    let world = World::start().await;
    let owner = new_owner(&world).await;
    let mut item = create(&world, owner, "Once public").await;
    let rival = create(&world, owner, "Rival").await;
    replace(&world, &mut item, |item| item.visibility = Visibility::Private).await;
    ask(&world, item.id).await;
    vote(&world, owner, item.id).await;
    world.clock.advance(COUNT_VOTES_DELAY);
    assert_eq!(world.run_library_indexer().await, 1);
    assert!(logged_votes(&world, Listing::Community).await.is_empty());
    assert_eq!(logged_votes(&world, Listing::Own(owner)).await, [1]);
    let top = Query { sort: Sort::Top, ..Query::default() };
    let reader = instance(&world);
    assert_eq!(found(&reader, Listing::Community, &top).await, [rival.id]);
    // Published again it has the vote that it got meanwhile.
    replace(&world, &mut item, |item| item.visibility = Visibility::Community).await;
    assert_eq!(found(&reader, Listing::Community, &top).await, [item.id, rival.id]);
    assert_eq!(found(&instance(&world), Listing::Community, &top).await, [item.id, rival.id]);
}

#[tokio::test]
async fn the_counters_of_an_item_go_some_time_after_it() {
    let world = World::start().await;
    let owner = new_owner(&world).await;
    let item = create(&world, owner, "Doomed").await;
    let kept = create(&world, owner, "Kept").await;
    ask(&world, item.id).await;
    for item in [&item, &kept] {
        vote(&world, owner, item.id).await;
        let message = LibraryJob::DeleteCounters { item_id: item.id };
        world.store.enqueue_library_job(&message, DELETE_COUNTERS_DELAY).await.expect("a queue");
    }
    delete(&world, &item).await;
    world.clock.advance(COUNT_VOTES_DELAY);
    assert_eq!(world.run_library_indexer().await, 1);
    world.clock.advance(DELETE_COUNTERS_DELAY);
    assert_eq!(world.run_library_indexer().await, 2);
    let counts = world.store.counted_library_items(&[kept.id]).await.expect("storage");
    assert_eq!(
        counts.first().map(|counted| counted.counts.votes),
        Some(1),
        "what is there is not forgotten"
    );
    assert!(logged_votes(&world, Listing::Community).await.is_empty());
    // The same identifier again begins without votes.
    let again = world.store.create_library_item(&item);
    world.advancing_time(again).await.expect("storage");
    let counts = world.store.counted_library_items(&[item.id]).await.expect("storage");
    assert_eq!(counts.first().map(|counted| counted.counts.votes), Some(0));
    // Long enough that no record can lag behind its deletion any more.
    let reader = instance(&world);
    found(&reader, Listing::Community, &Query::default()).await;
    world.clock.advance(Duration::from_secs(61));
    assert_eq!(found(&reader, Listing::Community, &Query::default()).await.len(), 2);
}

#[tokio::test]
async fn a_message_that_fails_comes_back_alone_and_soon() {
    let world = World::start().await;
    let item = create(&world, new_owner(&world).await, "Counted").await;
    ask(&world, item.id).await;
    vote(&world, voter(&world), item.id).await;
    world.clock.advance(COUNT_VOTES_DELAY);
    world.faults.inject("BatchGetItem", Fault::Unreachable, 20);
    assert_eq!(world.run_library_indexer().await, 1);
    assert!(logged_votes(&world, Listing::Community).await.is_empty());
    world.faults.recover();
    world.clock.advance(Duration::from_secs(16));
    assert_eq!(world.run_library_indexer().await, 1);
    assert_eq!(logged_votes(&world, Listing::Community).await, [1]);
}

#[tokio::test]
async fn votes_are_counted_after_an_outage_of_hours() {
    let world = World::start().await;
    let item = create(&world, new_owner(&world).await, "Counted").await;
    ask(&world, item.id).await;
    vote(&world, voter(&world), item.id).await;
    world.clock.advance(COUNT_VOTES_DELAY);
    world.faults.inject("BatchGetItem", Fault::Unreachable, usize::MAX);
    for _ in 0..400 {
        world.run_library_indexer().await;
        world.clock.advance(Duration::from_secs(16));
    }
    world.faults.recover();
    world.clock.advance(Duration::from_secs(60));
    assert_eq!(world.run_library_indexer().await, 1);
    assert_eq!(logged_votes(&world, Listing::Community).await, [1]);
}
