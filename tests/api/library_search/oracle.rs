//! Searches compared with a look at every item.

use std::{cmp::Reverse, collections::BTreeMap, time::Duration};

use acceptance::World;
use domain::{
    AccountId, LibraryId,
    library::{Item, Listing, Visibility},
};
use edge::runtime::SystemRandom;
use library_search::Compaction;
use search_index::{Query, Sort};
use store::library::queue::{COUNT_VOTES_DELAY, LibraryJob};

use super::{below, compact, create, delete, instance, new_owner, replace};

const WORDS: [&str; 12] = [
    "red",
    "green",
    "greens",
    "blue",
    "city",
    "sea",
    "seaside",
    "night",
    "light",
    "lighthouse",
    "cat",
    "map",
];
const CATEGORIES: [&str; 3] = ["Writing", "Images", "writing"];
const MODELS: [&str; 4] = ["Universal", "Veo 3.1", "FLUX.2", "Kimi K3"];

/// All items with their votes.
type Items = BTreeMap<LibraryId, (Item, u32)>;

fn prose(most: usize) -> String {
    let words = (0..1 + below(most)).map(|_| WORDS[below(WORDS.len())]);
    words.collect::<Vec<_>>().join(" ")
}

fn rewrite(item: &mut Item) {
    item.content.title = prose(3);
    item.content.prompt_text = prose(8);
    item.content.description = (below(2) == 0).then(|| prose(4));
    item.content.category = CATEGORIES[below(3)].to_owned();
    item.content.recommended_models =
        vec![MODELS[below(4)].to_owned(), MODELS[below(4)].to_owned()];
}

fn query() -> Query {
    let words = match below(4) {
        0 => String::new(),
        1 => prose(2),
        2 => prose(1) + " ",
        _ => WORDS[below(12)][..2].to_owned(),
    };
    let number = |name: &str| engine::number_of(name).expect("a model");
    Query {
        words,
        category: (below(3) == 0).then(|| CATEGORIES[below(3)].to_owned()),
        models: if below(3) == 0 { 1 << number(MODELS[below(4)]) } else { 0 },
        sort: if below(2) == 0 { Sort::Recent } else { Sort::Top },
        page: 1 + below(3) as u32,
        page_size: 1 + below(12) as u32,
    }
}

fn is_asked_for(item: &Item, query: &Query) -> bool {
    let content = &item.content;
    let description = content.description.as_deref().unwrap_or_default();
    let text = [&content.title, description, &content.category, &content.prompt_text]
        .join(" ")
        .to_lowercase();
    let has: Vec<&str> = text.split(' ').collect();
    let asked: Vec<&str> = query.words.split_whitespace().collect();
    let words = asked.iter().enumerate().all(|(place, word)| match place + 1 == asked.len() {
        true => has.iter().any(|has| has.starts_with(word)),
        false => has.contains(word),
    });
    let number = |name: &String| 1 << engine::number_of(name).expect("a model");
    let models: u64 = content.recommended_models.iter().map(number).fold(0, |all, one| all | one);
    words
        && (query.models == 0 || models & query.models != 0)
        && query.category.as_ref().is_none_or(|category| *category == content.category)
}

fn brute_force(items: &Items, listing: Listing, query: &Query) -> Vec<LibraryId> {
    let mut found: Vec<_> = items
        .values()
        .filter(|(item, _)| item.is_listed_in(listing) && is_asked_for(item, query))
        .map(|(item, votes)| {
            let votes = if query.sort == Sort::Top { *votes } else { 0 };
            (Reverse(votes), Reverse(item.listed_at(listing)), item.id)
        })
        .collect();
    found.sort_unstable();
    found.into_iter().map(|(_, _, id)| id).collect()
}

/// Makes a random change, and its votes count.
async fn change(world: &World, items: &mut Items, owners: &[AccountId]) {
    let known = items.keys().nth(below(items.len().max(1))).copied();
    let owner = owners[below(owners.len())];
    let Some(id) = known.filter(|_| below(10) > 2) else {
        let mut item = create(world, owner, &prose(3)).await;
        replace(world, &mut item, rewrite).await;
        items.insert(item.id, (item, 0));
        return;
    };
    let (item, votes) = items.get_mut(&id).expect("a known item");
    match below(10) {
        0 => {
            delete(world, item).await;
            items.remove(&id);
        }
        1..=3 => replace(world, item, rewrite).await,
        4 => {
            replace(world, item, |item| {
                item.visibility = Visibility::Private;
                item.published_at = None;
            })
            .await;
        }
        5 => {
            let now = world.now();
            replace(world, item, |item| {
                item.visibility = Visibility::Community;
                item.published_at = Some(now);
            })
            .await;
        }
        _ => {
            let asked = LibraryJob::CountVotes { item_id: id };
            world.store.enqueue_library_job(&asked, COUNT_VOTES_DELAY).await.expect("a queue");
            let voter = AccountId::new(&*world.clock, &SystemRandom);
            super::vote_counts::vote(world, voter, id).await;
            *votes += 1;
        }
    }
}

#[tokio::test]
async fn two_instances_answer_like_a_look_at_every_item_whatever_changes() {
    let world = World::start().await;
    let instances = [instance(&world), instance(&world)];
    let mut owners = Vec::new();
    for _ in 0..3 {
        owners.push(new_owner(&world).await);
    }
    let listings = [Listing::Community, Listing::Own(owners[0]), Listing::Own(owners[1])];
    let mut items = Items::new();
    let (mut compared, mut compacted, mut nonempty) = (0, 0, 0);
    for round in 0..40 {
        for _ in 0..below(25) {
            change(&world, &mut items, &owners).await;
            world.clock.advance(Duration::from_millis(below(2_000) as u64));
        }
        // Votes are told when their count is due.
        world.clock.advance(COUNT_VOTES_DELAY + Duration::from_secs(1));
        while world.run_library_indexer().await > 0 {}
        if round % 3 == 2 {
            world.clock.advance(Duration::from_secs(61));
            for listing in &listings[1..] {
                compacted += usize::from(compact(&world, *listing).await == Compaction::Done);
            }
        }
        for _ in 0..6 {
            let (listing, query) = (listings[below(3)], query());
            let expected = brute_force(&items, listing, &query);
            let start = (query.page as usize - 1) * query.page_size as usize;
            let page = expected.iter().skip(start).take(query.page_size as usize);
            let page: Vec<u128> = page.map(|id| id.bits()).collect();
            // An instance that was not asked for a while has more to catch up with.
            let instance = &instances[below(5).min(1)];
            let answer = instance.search(listing, &query).await.expect("storage");
            assert_eq!(answer.ids, page, "round {round}, {listing:?}, {query:?}");
            assert_eq!(
                answer.total,
                expected.len() as u64,
                "round {round}, {listing:?}, {query:?}"
            );
            let some: Vec<LibraryId> = items.keys().step_by(1 + below(3)).copied().collect();
            let among = instance.among(listing, &query, &some).await.expect("storage");
            let among: Vec<LibraryId> = among.into_iter().map(|placed| placed.id).collect();
            let listed = expected.iter().filter(|id| some.contains(id)).copied();
            assert_eq!(among, listed.collect::<Vec<_>>(), "round {round}, {listing:?}, {query:?}");
            compared += 1;
            nonempty += usize::from(!page.is_empty());
        }
    }
    assert!(compacted > 3, "{compacted} snapshots");
    assert!(nonempty * 4 > compared, "{nonempty} of {compared} pages had something");
}
