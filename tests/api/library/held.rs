//! Items that a judge gives no verdict on wait for one.

use std::time::Duration;

use acceptance::{
    Account, World,
    scripted_judge::{Ruling, ScriptedJudge},
};
use domain::Plan;
use reqwest::Method;
use serde_json::{Value, json};

use super::{created, page, post, small};

const NO_VERDICT: [Ruling; 4] =
    [Ruling::Rambles, Ruling::Declines, Ruling::Fails, Ruling::IsSilent];

/// Visibility and moderation of an item.
fn state(item: &Value) -> (&str, &str) {
    (item["visibility"].as_str().expect("a text"), item["moderation"].as_str().expect("a text"))
}

/// A service whose judge rules like this, and an account with an item.
async fn judged(
    ruling: Ruling,
    further: &[(&str, &str)],
) -> (World, ScriptedJudge, Account, String) {
    let judge = ScriptedJudge::start(ruling).await;
    let world = World::judged_by(judge.engines(further)).await;
    let account = world.account(Plan::Pro).await;
    let path = created(&account, &small("A trip")).await;
    (world, judge, account, path)
}

async fn publish(world: &World, account: &Account, path: &str) -> acceptance::Answer {
    world.advancing_time(post(account, &format!("{path}/publish"))).await
}

/// Lets the item be judged again after a pause.
async fn review(world: &World, pause: Duration) {
    world.clock.advance(pause);
    while world.advancing_time(world.process()).await > 0 {}
}

#[tokio::test]
async fn an_item_without_a_verdict_is_pending_until_a_judge_gives_one() {
    for ruling in NO_VERDICT {
        let (world, judge, account, path) = judged(ruling, &[]).await;
        let held = publish(&world, &account, &path).await;
        assert_eq!(state(held.data(200)), ("private", "pending"), "{ruling:?}");
        review(&world, Duration::from_secs(61)).await;
        assert_eq!(state(account.get(&path).await.data(200)), ("private", "pending"), "{ruling:?}");
        judge.rules(Ruling::Approves);
        review(&world, Duration::from_secs(300)).await;
        let item = account.get(&path).await.data(200).clone();
        assert_eq!(state(&item), ("community", "approved"), "{ruling:?}");
        assert!(item["publishedAt"].is_string());
        assert_eq!(page(&account, "scope=community").await["total"], 1);
    }
}

#[tokio::test]
async fn a_late_verdict_can_be_a_rejection() {
    let (world, judge, account, path) = judged(Ruling::Rambles, &[]).await;
    publish(&world, &account, &path).await.data(200);
    judge.rules(Ruling::Blocks);
    review(&world, Duration::from_secs(61)).await;
    assert_eq!(state(account.get(&path).await.data(200)), ("private", "blocked"));
    publish(&world, &account, &path).await.is_error(409, "moderation_blocked");
}

#[tokio::test]
async fn what_the_judge_approves_or_blocks_at_once_is_not_held() {
    let (world, judge, account, path) = judged(Ruling::Approves, &[]).await;
    assert_eq!(state(publish(&world, &account, &path).await.data(200)), ("community", "approved"));
    judge.rules(Ruling::Blocks);
    let other = created(&account, &small("Another trip")).await;
    let refused = publish(&world, &account, &other).await;
    refused.is_error(409, "moderation_blocked");
    assert_eq!(refused.problem_paths(), ["/promptText"]);
}

#[tokio::test]
async fn the_pauses_between_reviews_grow_and_end_after_three_days() {
    let (world, judge, account, path) = judged(Ruling::Rambles, &[]).await;
    publish(&world, &account, &path).await.data(200);
    let mut asked = Vec::new();
    for _ in 0..24 {
        let before = judge.asked().len();
        for _ in 0..60 {
            review(&world, Duration::from_secs(60)).await;
        }
        asked.push(judge.asked().len() - before);
    }
    // A verdict that cannot be read is asked for twice.
    assert!(asked[0] >= 10 && asked[12..].iter().all(|asked| *asked <= 4), "{asked:?}");
    assert!(asked.iter().rev().take(4).any(|asked| *asked > 0), "{asked:?}");
    for _ in 0..60 {
        review(&world, Duration::from_secs(3_600)).await;
    }
    assert_eq!(state(account.get(&path).await.data(200)), ("private", "none"));
    let before = judge.asked().len();
    review(&world, Duration::from_secs(24 * 3_600)).await;
    assert_eq!(judge.asked().len(), before);
}

#[tokio::test]
async fn unpublishing_or_changing_a_pending_item_withdraws_it() {
    let (world, judge, account, path) = judged(Ruling::Declines, &[]).await;
    for patched in
        [None, Some(json!({"title": "Another"})), Some(json!({"tokenEstimate": {"input": 9}}))]
    {
        publish(&world, &account, &path).await.data(200);
        let after = match &patched {
            None => account.delete(&format!("{path}/publish")).await,
            Some(patch) => account.send(Method::PATCH, &path, patch).await,
        };
        assert_eq!(state(after.data(200)), ("private", "none"), "{patched:?}");
    }
    judge.rules(Ruling::Approves);
    let asked = judge.asked().len();
    review(&world, Duration::from_secs(3_600)).await;
    assert_eq!(state(account.get(&path).await.data(200)), ("private", "none"));
    assert_eq!(judge.asked().len(), asked);
}

#[tokio::test]
async fn publishing_a_pending_item_asks_the_judge_at_once() {
    let (world, judge, account, path) = judged(Ruling::Fails, &[]).await;
    publish(&world, &account, &path).await.data(200);
    assert_eq!(state(publish(&world, &account, &path).await.data(200)), ("private", "pending"));
    judge.rules(Ruling::Approves);
    assert_eq!(state(publish(&world, &account, &path).await.data(200)), ("community", "approved"));
}

#[tokio::test]
async fn an_operator_can_publish_on_the_rules_word_but_not_what_a_provider_declines() {
    let settings = [("MODERATION_WITHOUT_VERDICT", "publish")];
    for ruling in NO_VERDICT {
        let (world, _judge, account, path) = judged(ruling, &settings).await;
        let answer = publish(&world, &account, &path).await;
        match ruling {
            Ruling::Declines => {
                answer.is_error(409, "moderation_blocked");
            }
            _ => assert_eq!(state(answer.data(200)), ("community", "approved"), "{ruling:?}"),
        }
    }
}
