//! Changes of publication have a budget per hour.

use std::time::Duration;

use acceptance::{Account, World};
use domain::Plan;

use super::{created, post, published, small};

/// Changes that Pro allows in an hour.
const PRO: usize = 30;

/// Publishes and unpublishes an item, so that this many changes are counted. Time passes, for the rate.
async fn toggle(world: &World, account: &Account, path: &str, changes: usize) {
    let publish = format!("{path}/publish");
    for number in 0..changes {
        world.clock.advance(Duration::from_secs(2));
        match number % 2 {
            0 => post(account, &publish).await.data(200),
            _ => account.delete(&publish).await.data(200),
        };
    }
}

#[tokio::test]
async fn toggles_of_publication_end_with_429_until_the_next_hour() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let limits = account.get("/capabilities").await.data(200)["limits"].clone();
    assert_eq!(limits["publicationChangesPerHour"], PRO);
    let path = created(&account, &small("A trip")).await;
    toggle(&world, &account, &path, PRO).await;
    let publish = format!("{path}/publish");
    let refused = post(&account, &publish).await;
    refused.is_error(429, "rate_limited");
    let wait = refused.header_number("retry-after");
    assert!((1..=3_600).contains(&wait), "{wait}");
    assert_eq!(
        refused.header_number("ratelimit-limit"),
        60,
        "the rate of requests is another limit"
    );
    world.clock.advance(Duration::from_secs(wait));
    post(&account, &publish).await.data(200);
}

#[tokio::test]
async fn what_is_public_can_be_taken_back_beyond_the_budget() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let [first, second] = [
        published(&account, &small("A trip")).await,
        published(&account, &small("Another trip")).await,
    ];
    let third = created(&account, &small("A third trip")).await;
    toggle(&world, &account, &third, PRO - 2).await;
    post(&account, &format!("{third}/publish")).await.is_error(429, "rate_limited");
    let taken_back = account.delete(&format!("{first}/publish")).await;
    assert_eq!(taken_back.data(200)["visibility"], "private");
    account.delete(&second).await.data(200);
}

#[tokio::test]
async fn what_changes_nothing_is_not_counted() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let path = published(&account, &small("A trip")).await;
    let private = created(&account, &small("Another trip")).await;
    for _ in 0..PRO {
        world.clock.advance(Duration::from_secs(3));
        post(&account, &format!("{path}/publish")).await.data(200);
        account.delete(&format!("{private}/publish")).await.data(200);
    }
    post(&account, &format!("{private}/publish")).await.data(200);
}
