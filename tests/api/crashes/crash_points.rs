use std::time::Duration;

use acceptance::{
    Account, Answer, World,
    account::fresh_key,
    fault_injection::{CrashPoint, Fault},
};
use domain::{HistoryType, Kind, Plan};
use serde_json::{Value, json};
use store::{admission::Limits, list::change::UNINDEXED_CHANGES, list::offset_index::List};

use crate::history::delete::incompressible;

/// What a request is about.
struct Goal {
    kind: Kind,
    path: &'static str,
    body: Value,
    history: HistoryType,
    /// Objects of the bucket that its result takes.
    objects: usize,
}

impl Goal {
    /// One whose bodies items of the table hold.
    fn small() -> Self {
        Self {
            kind: Kind::GeneratePrompt,
            path: "/prompts/generate",
            body: json!({"message": "Write a haiku about the sea"}),
            history: HistoryType::Generation,
            objects: 0,
        }
    }

    /// One whose bodies go to the bucket.
    fn large() -> Self {
        Self {
            kind: Kind::OptimizePrompt,
            path: "/prompts/optimize",
            body: json!({"prompt": incompressible(30_000)}),
            history: HistoryType::Optimization,
            objects: 1,
        }
    }

    async fn ask(&self, account: &Account, key: &str, later: bool) -> Answer {
        if later {
            account.post_async(self.path, key, &self.body).await
        } else {
            account.post(self.path, key, &self.body).await
        }
    }

    /// Has it accepted; returns the path of its operation.
    async fn accepted(&self, account: &Account) -> String {
        let accepted = self.ask(account, &fresh_key(), true).await;
        format!("/operations/{}", accepted.data(202)["id"].as_str().expect("an id"))
    }
}

/// After everything has come to rest: no credit is held, as many are used as operations succeeded,
/// nothing runs, every operation has come to an end, history's offset index counts what is listed, and
/// the bucket has the bodies of what succeeded.
async fn assert_books_balance(world: &World, account: &Account, goal: &Goal) -> Vec<Value> {
    let listed = account.get("/operations?limit=100").await.data(200).clone();
    let operations = listed["items"].as_array().expect("a list").clone();
    let path = format!("/history?type={}&limit=100", goal.history.as_str());
    let history = account.get(&path).await.data(200).clone();
    let list = List::history(account.id, goal.history);
    let listed = history["items"].as_array().map_or(0, Vec::len) as u64;
    assert_eq!(world.counted(list).await.unwrap_or(listed), listed);
    let usage = account.usage().await;
    let succeeded = operations.iter().filter(|one| one["status"] == "SUCCEEDED").count();
    assert_eq!(usage["credits"]["held"], 0, "{usage}");
    assert_eq!(usage["credits"]["used"], succeeded * goal.kind.credits() as usize, "{usage}");
    assert_eq!(usage["operations"]["running"], 0, "{usage}");
    assert_eq!(usage["operations"]["byKind"][goal.kind.as_str()], succeeded, "{usage}");
    assert_eq!(world.objects("durable/").await, succeeded * goal.objects);
    for operation in &operations {
        let status = operation["status"].as_str().expect("a status");
        assert!(["SUCCEEDED", "FAILED", "CANCELLED"].contains(&status), "{operation}");
    }
    operations
}

/// Crashes at each of about so many `calls`, before or after it is done, as `arrives` says.
async fn assert_crashes_are_harmless(
    goal: &Goal,
    later: bool,
    calls: usize,
    arrives: impl Fn(usize) -> bool,
) {
    let mut deaths = 0;
    for after in 0..calls + 3 {
        let call_arrives = arrives(after);
        let mut world = World::with_limits(Limits::Lifted).await;
        let account = world.account(Plan::Max).await;
        // With and without an offset index.
        let changes = if after % 2 == 0 { UNINDEXED_CHANGES } else { 0 };
        world.set_list_changes(account.id, changes).await;
        world.faults.crash(CrashPoint { after, call_arrives });
        deaths +=
            usize::from(world.faults.or_crash(goal.ask(&account, "k", later)).await.is_none());
        world.restart();
        world.process_everything().await;
        assert_books_balance(&world, &account, goal).await;

        let place = format!("later {later}, arrives {call_arrives}, after {after}");
        let retried = goal.ask(&account, "k", false).await;
        assert!(retried.status.is_success(), "{place}: {}", retried.body);
        world.process_everything().await;
        let operations = assert_books_balance(&world, &account, goal).await;
        assert_eq!(operations.len(), 1, "{place}: {operations:?}");
        assert_eq!(operations[0]["status"], "SUCCEEDED", "{place}: {operations:?}");
    }
    assert!(deaths >= calls - 1, "only {deaths} calls were died at");
}

#[tokio::test]
async fn a_call_that_crashes_at_any_point_is_charged_at_most_once_and_its_retry_is_answered() {
    for call_arrives in [false, true] {
        assert_crashes_are_harmless(&Goal::small(), true, 4, |_| call_arrives).await;
        assert_crashes_are_harmless(&Goal::small(), false, 6, |_| call_arrives).await;
    }
}

#[tokio::test]
async fn a_call_with_bodies_in_the_bucket_that_crashes_leaves_no_body_behind() {
    assert_crashes_are_harmless(&Goal::large(), true, 5, |after| after % 2 == 0).await;
    assert_crashes_are_harmless(&Goal::large(), false, 8, |after| after % 2 == 1).await;
}

#[tokio::test]
async fn a_killed_process_does_nothing_more() {
    let mut world = World::start().await;
    let account = world.account(Plan::Free).await;
    // It may try again at once, but not nine times before the clock moves.
    world.faults.inject("TransactWriteItems", Fault::TransactionConflict, 9);
    let waiting = tokio::spawn({
        let account = account.clone();
        async move { Goal::small().ask(&account, "k", false).await }
    });
    world.until(|| world.faults.left() < 9).await;
    world.restart();
    // Alive, it would now commit the start that met conflicts.
    world.clock.advance(Duration::from_secs(1));
    for _ in 0..3 {
        assert_eq!(account.get("/operations").await.data(200)["items"], json!([]));
    }
    waiting.abort();
    Goal::small().ask(&account, "k", false).await.data(200);
    world.process_everything().await;
    assert_books_balance(&world, &account, &Goal::small()).await;
}

#[tokio::test]
async fn a_processor_that_crashes_at_any_point_is_replaced() {
    for (goal, calls) in [(Goal::small(), 8), (Goal::large(), 10)] {
        for after in 0..calls {
            // Of large bodies the calls are crashed at before or after they are done, in turn.
            let is_large = goal.objects > 0;
            for call_arrives in if is_large { vec![after % 2 == 0] } else { vec![false, true] } {
                let mut world = World::with_limits(Limits::Lifted).await;
                let account = world.account(Plan::Max).await;
                world.set_list_changes(account.id, UNINDEXED_CHANGES).await;
                goal.accepted(&account).await;
                world.faults.crash(CrashPoint { after, call_arrives });
                let _ = world.faults.or_crash(world.process()).await;
                world.restart();
                world.process_everything().await;
                let operations = assert_books_balance(&world, &account, &goal).await;
                assert_eq!(operations.len(), 1);
                assert_eq!(operations[0]["status"], "SUCCEEDED", "after {after}: {operations:?}");
            }
        }
    }
}

#[tokio::test]
async fn an_operation_that_kills_its_processor_fails_after_three_attempts() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let goal = Goal::small();
    let path = goal.accepted(&account).await;
    world.engine.set(acceptance::scripted_engine::Behavior::Hangs);
    for attempt in 1..=3 {
        let is_asked = async {
            while world.engine.asked() < attempt {
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            _ = world.process() => panic!("attempt {attempt} ends"),
            () = is_asked => {}
        }
        // The lease lapses and the queue hands the message out again.
        world.clock.advance(Duration::from_secs(125));
    }
    world.process_everything().await;
    assert_eq!(world.engine.asked(), 3);
    let failed = account.get(&path).await.data(200).clone();
    assert_eq!(failed["status"], "FAILED");
    assert_eq!(failed["error"]["code"], "provider_timeout");
    assert_books_balance(&world, &account, &goal).await;
}

#[tokio::test]
async fn an_operation_whose_work_panics_fails_after_three_attempts_and_harms_no_other() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    world.engine.set(acceptance::scripted_engine::Behavior::Panics);
    let goal = Goal::small();
    let path = goal.accepted(&account).await;
    world.process_everything().await;
    assert_eq!(world.engine.asked(), 3);
    assert_eq!(account.get(&path).await.data(200)["status"], "FAILED");
    goal.ask(&account, "k", false).await.is_error(500, "internal_error");
    world.process_everything().await;
    assert_books_balance(&world, &account, &goal).await;
    world.engine.set(acceptance::scripted_engine::Behavior::Works);
    goal.ask(&account, "k", false).await.data(200);
    assert_books_balance(&world, &account, &goal).await;
}

#[tokio::test]
async fn a_cancellation_that_crashes_at_any_point_returns_the_credit_once() {
    for call_arrives in [false, true] {
        for after in 0..4 {
            let mut world = World::start().await;
            let account = world.account(Plan::Free).await;
            let goal = Goal::small();
            let path = goal.accepted(&account).await;
            world.faults.crash(CrashPoint { after, call_arrives });
            let _ = world.faults.or_crash(account.delete(&path)).await;
            world.restart();
            let _ = account.delete(&path).await;
            assert_eq!(account.get(&path).await.data(200)["status"], "CANCELLED");
            world.process_everything().await;
            assert_books_balance(&world, &account, &goal).await;
        }
    }
}
