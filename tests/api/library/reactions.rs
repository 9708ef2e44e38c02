//! Votes and saves.

use std::time::Duration;

use acceptance::{World, fault_injection::Fault};
use domain::Plan;
use futures::{StreamExt, future::join_all, stream};
use serde_json::json;
use store::{admission::Limits, library::ReactionKind};

use super::{page, post, published, small, titles};

#[tokio::test]
async fn each_call_toggles_a_reaction() {
    let world = World::start().await;
    let owner = world.account(Plan::Pro).await;
    let reader = world.account(Plan::Pro).await;
    let path = published(&owner, &small("A trip")).await;
    let id = path.rsplit('/').next().expect("an id");
    let (vote, save) = (format!("{path}/vote"), format!("{path}/saved"));
    let state = |voted: bool, saved: bool, votes: u32, saves: u32| json!({"id": id, "voted": voted, "saved": saved, "voteCount": votes, "saveCount": saves});
    assert_eq!(post(&reader, &vote).await.data(200), &state(true, false, 1, 0));
    assert_eq!(post(&reader, &save).await.data(200), &state(true, true, 1, 1));
    assert_eq!(post(&owner, &vote).await.data(200), &state(true, false, 2, 1));
    assert_eq!(post(&reader, &vote).await.data(200), &state(false, true, 1, 1));
    assert_eq!(post(&reader, &save).await.data(200), &state(false, false, 1, 0));
    let seen = reader.get(&path).await.data(200).clone();
    assert_eq!((&seen["voteCount"], &seen["voted"]), (&1.into(), &false.into()));
    let seen = owner.get(&path).await.data(200).clone();
    assert_eq!((&seen["voteCount"], &seen["voted"]), (&1.into(), &true.into()));
}

#[tokio::test]
async fn an_item_is_listed_while_the_reaction_lasts() {
    let world = World::start().await;
    let owner = world.account(Plan::Pro).await;
    let reader = world.account(Plan::Pro).await;
    let mut paths = Vec::new();
    for title in ["First", "Second", "Third"] {
        paths.push(published(&owner, &small(title)).await);
        world.clock.advance(Duration::from_secs(1));
    }
    for path in [&paths[2], &paths[0]] {
        post(&reader, &format!("{path}/saved")).await.data(200);
    }
    post(&reader, &format!("{}/vote", paths[1])).await.data(200);
    let saved = page(&reader, "scope=saved").await;
    assert_eq!((titles(&saved), &saved["total"]), (vec!["Third", "First"], &json!(2)));
    assert_eq!(titles(&page(&reader, "scope=upvoted").await), ["Second"]);
    assert_eq!(titles(&page(&reader, "scope=saved&pageSize=1&page=2").await), ["First"]);
    assert_eq!(titles(&page(&reader, "scope=saved&query=fir").await), ["First"]);
    assert_eq!(page(&owner, "scope=saved").await["total"], 0);
    post(&reader, &format!("{}/saved", paths[2])).await.data(200);
    assert_eq!(titles(&page(&reader, "scope=saved").await), ["First"]);
}

#[tokio::test]
async fn ones_own_private_items_can_be_saved_too() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let path = super::created(&account, &small("Mine")).await;
    assert_eq!(post(&account, &format!("{path}/saved")).await.data(200)["saveCount"], 1);
    let saved = page(&account, "scope=saved").await;
    assert_eq!((titles(&saved), &saved["total"]), (vec!["Mine"], &json!(1)));
}

#[tokio::test]
async fn toggles_of_one_account_at_once_are_counted_one_by_one() {
    let world = World::with_limits(Limits::Lifted).await;
    let owner = world.account(Plan::Max).await;
    let path = published(&owner, &small("A trip")).await;
    let vote = format!("{path}/vote");
    for round in [7, 6] {
        let answers = join_all((0..round).map(|_| post(&owner, &vote)));
        for answer in world.advancing_time(answers).await {
            let data = answer.data(200);
            assert_eq!(data["voteCount"], u32::from(data["voted"] == true), "of one moment");
        }
    }
    // Thirteen times round.
    let item = owner.get(&path).await.data(200).clone();
    assert_eq!((&item["voted"], &item["voteCount"]), (&true.into(), &1.into()));
}

#[tokio::test]
async fn counts_are_the_sum_of_those_who_voted_after_1_000_toggles_at_once() {
    count_after_toggles(4).await;
}

/// `cargo test -p acceptance toggles -- --ignored`
#[tokio::test]
#[ignore = "takes a minute and a half"]
async fn counts_are_the_sum_of_those_who_voted_after_10_000_toggles_at_once() {
    count_after_toggles(40).await;
}

/// Two hundred accounts toggle their votes at once, each `least` times or up to half as often again: about half of
/// them end with a vote.
async fn count_after_toggles(least: usize) {
    let toggles_of = |number: usize| least + number % (least / 2 + 1);
    let world = World::with_limits(Limits::Lifted).await;
    let owner = world.account(Plan::Max).await;
    let path = published(&owner, &small("A trip")).await;
    let id = path.rsplit('/').next().expect("an id").parse().expect("an id");
    let accounts: Vec<_> = (0..200u128).map(domain::AccountId::from_bits).collect();
    let toggles: Vec<_> = accounts
        .iter()
        .enumerate()
        .flat_map(|(number, account)| std::iter::repeat_n(*account, toggles_of(number)))
        .collect();
    assert!(toggles.len() >= 200 * least, "{}", toggles.len());
    let store = &world.store;
    // One of the accounts' toggles at a time meets another's.
    let mut order = toggles.clone();
    order.sort_by_key(|account| account.bits().wrapping_mul(0x9E37_79B9_7F4A_7C15) % 1_009);
    let all = stream::iter(order)
        .map(|account| async move {
            let toggle = store.toggle_reaction(
                account,
                id,
                ReactionKind::Vote,
                store::library::Seen::default(),
            );
            toggle.await.expect("storage")
        })
        .buffer_unordered(16)
        .collect::<Vec<_>>();
    let outcomes = world.advancing_time(all).await;
    let contended =
        outcomes.iter().filter(|outcome| **outcome == store::library::Toggled::Contended).count();
    assert_eq!(contended, 0);
    let mut voters = 0;
    for (number, account) in accounts.iter().enumerate() {
        let votes = store.items_reacted_to(*account, ReactionKind::Vote).await.expect("storage");
        assert_eq!(votes.len(), toggles_of(number) % 2, "{number}");
        voters += votes.len();
    }
    let counts = store.counted_library_items(&[id]).await.expect("storage").remove(0).counts;
    assert_eq!(counts.votes as usize, voters);
    assert_eq!(owner.get(&path).await.data(200)["voteCount"], voters);
}

#[tokio::test]
async fn conflicting_voters_are_sharded_and_all_counted() {
    let world = World::with_limits(Limits::Lifted).await;
    let owner = world.account(Plan::Max).await;
    let path = published(&owner, &small("A trip")).await;
    let vote = format!("{path}/vote");
    let mut voters = Vec::new();
    for _ in 0..40 {
        voters.push(world.account(Plan::Free).await);
    }
    for voter in &voters[..5] {
        post(voter, &vote).await.data(200);
    }
    for (number, voter) in voters[5..].iter().enumerate() {
        // A transaction of someone else's is on the way to the only counter.
        world.faults.inject("TransactWriteItems", Fault::TransactionConflict, 8);
        let answer = world.advancing_time(post(voter, &vote)).await;
        world.faults.recover();
        assert_eq!(answer.data(200)["voteCount"], 6 + number);
    }
    // What was raised on one shard is lowered on another one.
    for (number, voter) in voters.iter().enumerate() {
        let answer = world.advancing_time(post(voter, &vote)).await;
        assert_eq!(answer.data(200)["voteCount"], 39 - number);
    }
    assert_eq!(owner.get(&path).await.data(200)["voteCount"], 0);
    assert_eq!(page(&owner, "scope=community").await["items"][0]["voteCount"], 0);
}

#[tokio::test]
async fn lists_count_and_order_popular_items_exactly_after_a_second() {
    let world = World::with_limits(Limits::Lifted).await;
    let owner = world.account(Plan::Max).await;
    let rival = published(&owner, &small("Rival")).await;
    let path = published(&owner, &small("A trip")).await;
    let mut voters = Vec::new();
    for _ in 0..12 {
        voters.push(world.account(Plan::Free).await);
    }
    for voter in &voters[..6] {
        post(voter, &format!("{rival}/vote")).await.data(200);
    }
    for (number, voter) in voters.iter().enumerate() {
        let act = async |action: &str| {
            world.faults.inject("TransactWriteItems", Fault::TransactionConflict, 8);
            let toggle = format!("{path}/{action}");
            world.advancing_time(post(voter, &toggle)).await.data(200);
            world.faults.recover();
        };
        act("vote").await;
        act("saved").await;
        world.clock.advance(Duration::from_secs(1));
        let top = page(&owner, "scope=community&sort=top").await;
        let items = top["items"].as_array().expect("items").clone();
        let mine = items.iter().find(|item| item["title"] == "A trip").expect("listed");
        assert_eq!(
            (&mine["voteCount"], &mine["saveCount"]),
            (&json!(number + 1), &json!(number + 1))
        );
        if number != 5 {
            assert_eq!(items[0]["title"], if number > 5 { "A trip" } else { "Rival" }, "{number}");
        }
    }
    // Many at once count together, and none is missing.
    let vote = format!("{path}/vote");
    let began = world.now();
    let answers = join_all(voters.iter().map(|voter| post(voter, &vote)));
    for answer in world.advancing_time(answers).await {
        answer.data(200);
    }
    assert!(world.now().since(began) < Duration::from_secs(2));
    world.clock.advance(Duration::from_secs(1));
    let top = page(&owner, "scope=community&sort=top").await;
    assert_eq!(titles(&top), ["Rival", "A trip"]);
    assert_eq!(top["items"][1]["voteCount"], 0);
}

#[tokio::test]
async fn a_vote_whose_answer_gets_lost_on_the_way_is_not_taken_back() {
    let world = World::with_limits(Limits::Lifted).await;
    let owner = world.account(Plan::Max).await;
    let path = published(&owner, &small("A trip")).await;
    for (round, (voted, votes)) in [(true, 1), (false, 0), (true, 1)].into_iter().enumerate() {
        world.faults.inject("TransactWriteItems", Fault::AnswerLost, 40);
        let answer = world.advancing_time(post(&owner, &format!("{path}/vote"))).await;
        world.faults.recover();
        let data = answer.data(200);
        assert_eq!((&data["voted"], &data["voteCount"]), (&voted.into(), &votes.into()), "{round}");
    }
}

#[tokio::test]
async fn a_vote_that_storage_refuses_is_not_sent_again_and_again() {
    let world = World::start().await;
    let owner = world.account(Plan::Pro).await;
    let vote = format!("{}/vote", published(&owner, &small("A trip")).await);
    for (fault, most) in [(Fault::Denied, 1), (Fault::Throttled, 6), (Fault::Unreachable, 6)] {
        let retry_after = (fault != Fault::Denied).then_some("2");
        world.faults.inject("TransactWriteItems", fault.clone(), 10_000);
        world.faults.reset();
        let answer = world.advancing_time(post(&owner, &vote)).await;
        answer.is_error(500, "internal_error");
        assert_eq!(answer.header("retry-after"), retry_after);
        let sent = world.faults.count("TransactWriteItems");
        assert!(sent <= most, "{fault:?}: {sent} calls");
        world.faults.recover();
    }
}

#[tokio::test]
async fn lists_show_summed_counts_of_popular_items_at_the_price_of_others() {
    let world = World::with_limits(Limits::Lifted).await;
    let owner = world.account(Plan::Max).await;
    let path = published(&owner, &small("A trip")).await;
    let vote = format!("{path}/vote");
    for _ in 0..5 {
        let voter = world.account(Plan::Free).await;
        world.faults.inject("TransactWriteItems", Fault::TransactionConflict, 8);
        world.advancing_time(post(&voter, &vote)).await.data(200);
        world.faults.recover();
    }
    super::count_votes(&world).await;
    page(&owner, "scope=community").await;
    world.faults.reset();
    let listed = page(&owner, "scope=community").await;
    assert_eq!(listed["items"][0]["voteCount"], 5);
    assert_eq!(world.faults.units("BatchGetItem"), 3.0);
    world.faults.reset();
    assert_eq!(owner.get(&path).await.data(200)["voteCount"], 5);
    assert_eq!(world.faults.count("BatchGetItem"), 2, "all shards are read");
}
