//! The month's usage: told once, when a mark is reached.

use std::{collections::BTreeSet, time::Duration};

use acceptance::{
    Account, World,
    account::fresh_key,
    fault_injection::{CrashPoint, Fault},
    receiver::Receiver,
};
use domain::{
    Plan,
    webhook::{UsageResource, UsageThreshold},
};
use futures::stream::{self, StreamExt};
use serde_json::{Value, json};
use store::webhooks::usage_thresholds::Reporter;

use super::{goal, prove};

async fn listening(kinds: &[&str]) -> (World, Account, Receiver) {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let receiver = Receiver::start().await;
    let made = account.create_endpoint(&receiver.url, kinds).await;
    prove(&world, &account, &made["id"]).await;
    (world, account, receiver)
}

async fn use_credits(world: &World, account: &Account, credits: usize) {
    for _ in 0..credits {
        world.clock.advance(Duration::from_secs(60));
        account.generate(&fresh_key(), &goal()).await.data(200);
    }
}

fn received(receiver: &Receiver) -> Vec<Value> {
    receiver.received().iter().map(|arrival| arrival.event()).collect()
}

#[tokio::test]
async fn each_threshold_is_reported_once_a_month() {
    let (world, account, receiver) =
        listening(&["usage.threshold_reached", "usage.limit_reached"]).await;
    use_credits(&world, &account, 15).await;
    world.deliver_all().await;
    assert_eq!(received(&receiver), [] as [Value; 0], "15 of 20");
    use_credits(&world, &account, 3).await;
    world.deliver_all().await;
    let events = received(&receiver);
    assert_eq!(events.len(), 1, "{events:?}");
    assert_eq!(events[0]["type"], "usage.threshold_reached");
    let data = json!({
        "resource": "credits",
        "period": {"startsAt": "2026-03-01T00:00:00.000Z", "endsAt": "2026-04-01T00:00:00.000Z"},
        "limit": 20,
        "reached": 16,
        "operationId": events[0]["data"]["operationId"],
    });
    assert_eq!(events[0]["data"], data);
    use_credits(&world, &account, 2).await;
    account.generate(&fresh_key(), &goal()).await.is_error(429, "credits_exhausted");
    world.deliver_all().await;
    let events = received(&receiver);
    assert_eq!(events.len(), 2, "{events:?}");
    assert_eq!(events[1]["type"], "usage.limit_reached");
    let data = &events[1]["data"];
    assert_eq!((&data["resource"], &data["limit"]), (&json!("credits"), &json!(20)));
    assert_eq!(data["reached"], 20);

    world.clock.advance(Duration::from_secs(20 * 86_400));
    use_credits(&world, &account, 16).await;
    world.deliver_all().await;
    let events = received(&receiver);
    assert_eq!(events.len(), 3, "{events:?}");
    assert_eq!(events[2]["data"]["period"]["startsAt"], "2026-04-01T00:00:00.000Z");
    assert_ne!(events[2]["id"], events[0]["id"]);
}

#[tokio::test]
async fn operations_that_end_together_report_a_threshold_once() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let receiver = Receiver::start().await;
    account.create_endpoint(&receiver.url, &["usage.threshold_reached"]).await;
    // Three at once cross the mark of a Free account.
    for _ in 0..5 {
        world.clock.advance(Duration::from_secs(60));
        for _ in 0..3 {
            account.generate_async(&fresh_key(), &goal()).await.data(202);
        }
        world.process().await;
    }
    world.store.set_plan(account.id, Plan::Free).await.expect("a plan");
    for _ in 0..1 {
        account.generate(&fresh_key(), &goal()).await.data(200);
    }
    world.deliver_all().await;
    let ids: std::collections::BTreeSet<_> =
        received(&receiver).iter().map(|event| event["id"].to_string()).collect();
    assert_eq!(ids.len(), 1);
    assert_eq!(receiver.count(), 1);
}

#[tokio::test]
async fn failed_operations_use_nothing_and_report_nothing() {
    let (world, account, receiver) = listening(&["usage.threshold_reached"]).await;
    use_credits(&world, &account, 15).await;
    world.engine.set(acceptance::scripted_engine::Behavior::Fails(engine::EngineError::Timeout));
    world.clock.advance(Duration::from_secs(60));
    account.generate(&fresh_key(), &goal()).await.is_error(503, "provider_unavailable");
    world.deliver_all().await;
    assert_eq!(receiver.count(), 0);
}

/// More than any receipt of an announcement makes.
const CALLS: usize = 8;
const MARCH: &str = "2026-03-01T00:00:00.000Z";
const ALL: [&str; 3] = ["operation.succeeded", "usage.threshold_reached", "usage.limit_reached"];

fn of_kind(receiver: &Receiver, kind: &str) -> Vec<Value> {
    received(receiver).into_iter().filter(|event| event["type"] == kind).collect()
}

fn of_resource(receiver: &Receiver, kind: &str, resource: &str) -> Vec<Value> {
    let mut events = of_kind(receiver, kind);
    events.retain(|event| event["data"]["resource"] == resource);
    events
}

#[tokio::test]
async fn a_threshold_that_was_reached_before_the_months_turn_is_reported_afterwards() {
    let (world, account, receiver) = listening(&["usage.threshold_reached"]).await;
    world.clock.advance(Duration::from_secs(15 * 86_400));
    use_credits(&world, &account, 16).await;
    world.clock.advance(Duration::from_secs(2 * 86_400));
    account.generate(&fresh_key(), &goal()).await.data(200);
    assert_eq!(account.usage().await["credits"]["used"], 1, "it is April");
    world.deliver_all().await;
    let events = received(&receiver);
    assert_eq!(events.len(), 1, "{events:?}");
    assert_eq!(events[0]["data"]["period"]["startsAt"], MARCH);
}

#[tokio::test]
async fn what_a_month_had_not_reached_when_it_ended_is_never_reported() {
    let (world, account, receiver) = listening(&["usage.threshold_reached"]).await;
    world.clock.advance(Duration::from_secs(15 * 86_400));
    use_credits(&world, &account, 15).await;
    world.clock.advance(Duration::from_secs(2 * 86_400));
    use_credits(&world, &account, 15).await;
    world.deliver_all().await;
    assert_eq!(received(&receiver), [] as [Value; 0], "15 of 20, twice");
}

/// Whether the account's only operation since the last mark has claimed the threshold's.
async fn is_claimed(world: &World, account: &Account) -> bool {
    let newest = account.get("/operations?limit=1").await.data(200)["items"][0]["id"].clone();
    let id = newest.as_str().expect("an id").parse().expect("an identifier");
    let ended = world.store.ended(account.id, id).await.expect("storage");
    let operation = ended.operation.expect("an operation");
    let threshold = UsageThreshold { resource: UsageResource::Credits, is_limit: false };
    let reporter = ended.subscriptions.reporters().of(threshold, &operation);
    reporter == Reporter::This(20)
}

#[tokio::test]
async fn a_threshold_has_one_identifier_wherever_the_deliverer_crashes() {
    let permits = [false, true]
        .into_iter()
        .flat_map(|call_arrives| (0..CALLS).map(move |after| CrashPoint { after, call_arrives }));
    let claimed: Vec<_> = stream::iter(permits)
        .map(|crash_point| async move {
            let (mut world, account, receiver) = listening(&["usage.threshold_reached"]).await;
            use_credits(&world, &account, 15).await;
            world.deliver_all().await;
            use_credits(&world, &account, 1).await;
            world.faults.crash(crash_point);
            let delivering = async { while world.deliver_without_advancing().await > 0 {} };
            let _ = world.faults.or_crash(delivering).await;
            world.restart();
            let claimed = is_claimed(&world, &account).await;
            if claimed {
                // Another plan moves the mark: what was claimed is told as it was all the same.
                world.store.set_plan(account.id, Plan::Pro).await.expect("a plan");
            }
            for _ in 0..8 {
                world.clock.advance(Duration::from_secs(60));
                world.deliver_all().await;
            }
            let events: BTreeSet<_> = received(&receiver).iter().map(Value::to_string).collect();
            assert_eq!(events.len(), 1, "{crash_point:?}: {events:?}");
            claimed
        })
        .buffer_unordered(6)
        .collect()
        .await;
    assert!(claimed.contains(&true) && claimed.contains(&false), "{claimed:?}");
}

#[tokio::test]
async fn an_end_is_delivered_although_the_usage_cannot_be_read() {
    let (world, account, receiver) = listening(&ALL).await;
    use_credits(&world, &account, 15).await;
    world.deliver_all().await;
    assert_eq!(receiver.count(), 15);
    use_credits(&world, &account, 1).await;
    world.faults.reset();
    let held = Fault::AnswerHeld { until: "ListTables", lost: false };
    world.faults.inject("SendMessageBatch", held, 1);
    let after_fan_out = async {
        world.until(|| world.faults.count("SendMessageBatch") == 1).await;
        world.faults.inject("TransactGetItems", Fault::Unreachable, 3);
        world.dynamodb.list_tables().send().await.expect("the table answers");
    };
    tokio::join!(world.deliver_without_advancing(), after_fan_out);
    world.deliver_all().await;
    assert_eq!(of_kind(&receiver, ALL[0]).len(), 16, "once each");
    assert_eq!(of_kind(&receiver, ALL[1]).len(), 0);
    assert!(world.faults.is_exhausted());
    world.clock.advance(Duration::from_secs(16));
    world.deliver_all().await;
    assert_eq!((of_kind(&receiver, ALL[0]).len(), of_kind(&receiver, ALL[1]).len()), (16, 1));
}

#[tokio::test]
async fn a_read_of_the_usage_that_conflicts_with_requests_is_retried() {
    let (world, account, receiver) = listening(&["usage.threshold_reached"]).await;
    use_credits(&world, &account, 16).await;
    world.faults.inject("TransactGetItems", Fault::TransactionConflict, 3);
    world.deliver_all().await;
    assert!(world.faults.is_exhausted());
    assert_eq!(receiver.count(), 1);
}

#[tokio::test]
async fn operations_past_all_thresholds_do_not_read_them_again_whatever_the_plan() {
    let (world, account, receiver) = listening(&["usage.threshold_reached"]).await;
    use_credits(&world, &account, 16).await;
    world.deliver_all().await;
    let kept = account.usage().await["storage"]["bytes"].as_u64().expect("a number");
    world.store.set_quotas(account.id, None, Some(kept * 5 / 4)).await.expect("storage");
    use_credits(&world, &account, 1).await;
    world.deliver_all().await;
    let told = |resource| of_resource(&receiver, "usage.threshold_reached", resource).len();
    assert_eq!((told("credits"), told("storage")), (1, 1));
    world.faults.reset();
    use_credits(&world, &account, 1).await;
    // Another plan moves the mark; it was told this month all the same.
    world.store.set_plan(account.id, Plan::Pro).await.expect("a plan");
    use_credits(&world, &account, 1).await;
    world.deliver_all().await;
    assert_eq!(world.faults.count("TransactGetItems"), 2, "the two ends");
    assert_eq!(receiver.count(), 2);
}

#[tokio::test]
async fn storage_reports_four_fifths_and_its_limit_beside_the_credits() {
    let (world, account, receiver) =
        listening(&["usage.threshold_reached", "usage.limit_reached"]).await;
    use_credits(&world, &account, 15).await;
    world.deliver_all().await;
    assert_eq!(received(&receiver), [] as [Value; 0]);
    let kept = account.usage().await["storage"]["bytes"].as_u64().expect("a number");
    // The next result reaches the limit and, of the credits, four fifths.
    let limit = kept + 1;
    world.store.set_quotas(account.id, None, Some(limit)).await.expect("storage");
    use_credits(&world, &account, 1).await;
    account.generate(&fresh_key(), &goal()).await.is_error(403, "quota_exceeded");
    world.deliver_all().await;
    let marks = [
        ("usage.threshold_reached", "credits", 20, 16),
        ("usage.threshold_reached", "storage", limit, (limit * 4).div_ceil(5)),
        ("usage.limit_reached", "storage", limit, limit),
    ];
    for (kind, resource, limit, reached) in marks {
        let events = of_resource(&receiver, kind, resource);
        assert_eq!(events.len(), 1, "{kind} of {resource}: {events:?}");
        let data = &events[0]["data"];
        assert_eq!((&data["limit"], &data["reached"]), (&json!(limit), &json!(reached)));
        assert_eq!(data["period"]["startsAt"], MARCH);
    }
    let ids: BTreeSet<_> =
        received(&receiver).iter().map(|event| event["id"].to_string()).collect();
    assert_eq!((ids.len(), receiver.count()), (3, 3));
}
