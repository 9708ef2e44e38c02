use std::time::Duration;

use acceptance::{World, account::fresh_key};
use domain::Plan;
use serde_json::json;

#[tokio::test]
async fn usage_tells_every_figure_of_the_plan() {
    let world = World::start().await;
    for (plan, name, rate, operations, credits, uploads, megabytes, items, stored) in [
        (Plan::Free, "free", 30, 1, 20, 3, 15_u64, 50, 50_u64),
        (Plan::Pro, "pro", 60, 3, 500, 10, 50, 1_000, 1_000),
        (Plan::ProPlus, "pro_plus", 120, 5, 1_500, 25, 250, 5_000, 5_000),
        (Plan::Max, "max", 300, 10, 5_000, 50, 1_000, 20_000, 20_000),
    ] {
        let account = world.account(plan).await;
        let usage = account.usage().await;
        assert_eq!(
            usage,
            json!({
                "plan": name,
                "period": {
                    "startsAt": "2026-03-01T00:00:00.000Z",
                    "endsAt": "2026-04-01T00:00:00.000Z",
                },
                "credits": {"limit": credits, "used": 0, "held": 0, "remaining": credits},
                "operations": {"running": 0, "limit": operations, "byKind": {
                    "generatePrompt": 0, "analyzePrompt": 0, "optimizePrompt": 0,
                    "analyzeAndOptimizePrompt": 0, "refinePrompt": 0,
                    "refineOptimizedPrompt": 0, "reversePrompt": 0,
                }},
                "models": [],
                "uploads": {
                    "active": 0, "activeLimit": uploads,
                    "bytes": 0, "bytesLimit": megabytes * 1_000_000,
                },
                "storage": {
                    "items": 0, "itemsLimit": items, "bytes": 0, "bytesLimit": stored * 1_000_000,
                },
                "rateLimit": {"limit": rate, "remaining": rate - 1, "resetsInSeconds": 60},
            })
        );
    }
}

#[tokio::test]
async fn credits_are_held_while_an_operation_waits_and_used_once_it_is_done() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    account.generate_async(&fresh_key(), &json!({"message": "A packing list"})).await.data(202);
    let waiting = account.usage().await;
    assert_eq!(waiting["credits"], json!({"limit": 500, "used": 0, "held": 1, "remaining": 499}));
    assert_eq!(waiting["operations"]["running"], 1);
    world.process().await;
    let done = account.usage().await;
    assert_eq!(done["credits"], json!({"limit": 500, "used": 1, "held": 0, "remaining": 499}));
    assert_eq!(done["operations"]["running"], 0);
    assert_eq!(done["operations"]["byKind"]["generatePrompt"], 1);
}

#[tokio::test]
async fn a_new_month_begins_with_all_credits() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let goal = json!({"message": "A haiku about rain"});
    for _ in 0..20 {
        account.generate(&fresh_key(), &goal).await.data(200);
    }
    let exhausted = account.generate(&fresh_key(), &goal).await;
    exhausted.is_error(429, "credits_exhausted");
    // 16 and a half days from the month's middle.
    world.clock.advance(Duration::from_secs(33 * 43_200));
    let usage = account.usage().await;
    assert_eq!(usage["period"]["startsAt"], "2026-04-01T00:00:00.000Z");
    assert_eq!(usage["credits"], json!({"limit": 20, "used": 0, "held": 0, "remaining": 20}));
    assert_eq!(usage["operations"]["byKind"]["generatePrompt"], 0);
    account.generate(&fresh_key(), &goal).await.data(200);
    let usage = account.usage().await;
    assert_eq!(usage["credits"], json!({"limit": 20, "used": 1, "held": 0, "remaining": 19}));
}

#[tokio::test]
async fn an_operation_that_ends_in_another_month_is_settled_in_its_own() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let goal = json!({"message": "A haiku about rain"});
    world.clock.advance(Duration::from_secs(16 * 86_400 + 43_195));
    account.generate_async(&fresh_key(), &goal).await.data(202);
    world.clock.advance(Duration::from_secs(10));
    // The month turns with this one, while the first still holds a credit of the month before.
    account.generate_async(&fresh_key(), &goal).await.data(202);
    let usage = account.usage().await;
    assert_eq!(usage["period"]["startsAt"], "2026-04-01T00:00:00.000Z");
    assert_eq!(usage["credits"]["held"], 1);
    assert_eq!(usage["operations"]["running"], 2);
    world.process_everything().await;
    let usage = account.usage().await;
    assert_eq!(usage["credits"], json!({"limit": 500, "used": 1, "held": 0, "remaining": 499}));
    assert_eq!(usage["operations"]["running"], 0);
}
