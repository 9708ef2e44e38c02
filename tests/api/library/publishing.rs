//! Publishing items, and taking them back.

use std::time::Duration;

use acceptance::World;
use domain::Plan;
use futures::future::join_all;
use store::admission::Limits;

use super::{created, page, post, published, small, titles};

#[tokio::test]
async fn publishing_needs_a_paid_plan() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let path = created(&account, &small("A trip")).await;
    post(&account, &format!("{path}/publish")).await.is_error(403, "plan_required");
    assert_eq!(account.get(&path).await.data(200)["visibility"], "private");
    for plan in [Plan::Pro, Plan::ProPlus, Plan::Max] {
        world.store.set_plan(account.id, plan).await.expect("a plan");
        let item = post(&account, &format!("{path}/publish")).await.data(200).clone();
        assert_eq!(item["visibility"], "community");
        account.delete(&format!("{path}/publish")).await.data(200);
    }
}

#[tokio::test]
async fn a_published_item_is_everybodys_to_see_at_once() {
    let world = World::start().await;
    let owner = world.account(Plan::Pro).await;
    let reader = world.account(Plan::Free).await;
    assert_eq!(page(&reader, "scope=community").await["total"], 0);
    let path = created(&owner, &small("A trip")).await;
    assert_eq!(page(&reader, "scope=community").await["total"], 0);
    world.clock.advance(Duration::from_secs(60));
    let item = post(&owner, &format!("{path}/publish")).await.data(200).clone();
    assert_eq!(item["moderation"], "approved");
    assert_eq!(item["publishedAt"], item["updatedAt"]);
    assert_ne!(item["publishedAt"], item["createdAt"]);
    let community = page(&reader, "scope=community").await;
    assert_eq!(community["total"], 1);
    let mut seen = community["items"][0].clone();
    assert_eq!(seen["owned"], false);
    seen["owned"] = true.into();
    assert_eq!(seen, item);
    assert_eq!(titles(&page(&owner, "").await), ["A trip"]);
}

#[tokio::test]
async fn publishing_twice_and_taking_back_twice_change_nothing() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let path = published(&account, &small("A trip")).await;
    let once = account.get(&path).await.data(200).clone();
    world.clock.advance(Duration::from_secs(5));
    assert_eq!(post(&account, &format!("{path}/publish")).await.data(200), &once);
    let back = account.delete(&format!("{path}/publish")).await.data(200).clone();
    assert_eq!((&back["visibility"], &back["publishedAt"]), (&"private".into(), &().into()));
    world.clock.advance(Duration::from_secs(5));
    assert_eq!(account.delete(&format!("{path}/publish")).await.data(200), &back);
    assert_eq!(page(&account, "scope=community").await["total"], 0);
}

#[tokio::test]
async fn publications_at_once_publish_once() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let path = created(&account, &small("A trip")).await;
    let publish = format!("{path}/publish");
    let answers = join_all((0..10).map(|_| post(&account, &publish)));
    let answers = world.advancing_time(answers).await;
    let first = answers[0].data(200);
    for answer in &answers {
        assert_eq!(answer.data(200)["publishedAt"], first["publishedAt"]);
    }
    let community = page(&account, "scope=community").await;
    assert_eq!(titles(&community), ["A trip"]);
    assert_eq!(community["total"], 1);
}
