//! LibraryIndex of the library, as two instances of the service see them.

mod crash_points;
mod oracle;
mod snapshots;
mod vote_counts;

use std::time::Duration;

use acceptance::World;
use domain::{
    AccountId, LibraryId, Plan, Random,
    library::{Content, Item, Listing, Moderation, Visibility},
    random,
};
use edge::runtime::SystemRandom;
use library_search::LibraryIndex;
use search_index::Query;
use store::library::Replaced;

/// An instance's listings.
fn instance(world: &World) -> LibraryIndex {
    LibraryIndex::new(world.store.clone(), engine::number_of)
}

fn content(title: &str) -> Content {
    Content {
        title: title.to_owned(),
        prompt_text: "Write about it".to_owned(),
        description: None,
        what_this_prompt_does: None,
        tips_for_this_prompt: None,
        how_to_use_prompt: None,
        recommended_models: vec!["Universal".to_owned()],
        category: "Writing".to_owned(),
        example_text: None,
        token_estimate: None,
    }
}

/// A new account.
async fn new_owner(world: &World) -> AccountId {
    let id = AccountId::new(&*world.clock, &SystemRandom);
    world.store.create_account(id, "A test", Plan::Max).await.expect("storage");
    id
}

/// An item of the community's that there is not yet.
fn item(world: &World, owner: AccountId, title: &str) -> Item {
    Item {
        id: LibraryId::new(&*world.clock, &SystemRandom),
        owner: Some(owner),
        author: Some("A test".to_owned()),
        content: content(title),
        visibility: Visibility::Community,
        moderation: Moderation::Approved,
        published_at: Some(world.now()),
        updated_at: world.now(),
        version: 1,
        counted_bytes: None,
    }
}

async fn create(world: &World, owner: AccountId, title: &str) -> Item {
    let item = item(world, owner, title);
    let done = world.advancing_time(world.store.create_library_item(&item)).await;
    assert_eq!(done.expect("storage"), Replaced::Done);
    item
}

/// Writes an item anew, after `change`.
async fn replace(world: &World, item: &mut Item, change: impl FnOnce(&mut Item)) {
    let mut after = item.clone();
    change(&mut after);
    after.version += 1;
    let done = world.advancing_time(world.store.replace_library_item(item, &after)).await;
    assert_eq!(done.expect("storage"), Replaced::Done);
    *item = after;
}

async fn delete(world: &World, item: &Item) {
    let done = world.advancing_time(world.store.delete_library_item(item)).await;
    assert_eq!(done.expect("storage"), Replaced::Done);
}

fn words(words: &str) -> Query {
    Query { words: words.to_owned(), ..Query::default() }
}

/// Identifiers of a search's first page.
async fn found(index: &LibraryIndex, listing: Listing, query: &Query) -> Vec<LibraryId> {
    let page = index.search(listing, query).await.expect("storage");
    page.ids.into_iter().map(LibraryId::from_bits).collect()
}

/// A number below `end`.
fn below(end: usize) -> usize {
    let random: &dyn Random = &SystemRandom;
    usize::from_le_bytes(random::bytes(random)) % end
}

/// Lets so much be changed on the listing of an account, which has one item then, that a snapshot is asked
/// for, and lets these changes settle.
async fn wear_out(world: &World, owner: AccountId) -> Item {
    worn(world, owner, library_search::compaction_threshold(Listing::Own(owner))).await
}

async fn worn(world: &World, owner: AccountId, changes: usize) -> Item {
    let mut item = create(world, owner, "Worn out").await;
    for number in 1..=changes {
        replace(world, &mut item, |item| item.content.title = format!("Worn out {number}")).await;
        world.clock.advance(Duration::from_millis(10));
    }
    world.clock.advance(Duration::from_secs(61));
    item
}

async fn compact(world: &World, listing: Listing) -> library_search::Compaction {
    let compacted = library_search::compact(&world.store, engine::number_of, listing);
    world.advancing_time(compacted).await.expect("storage")
}
