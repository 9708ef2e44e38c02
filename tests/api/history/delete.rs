use std::time::Duration;

use acceptance::{
    Account, World,
    account::fresh_key,
    fault_injection::{CrashPoint, Fault},
};
use domain::Plan;
use futures::future::join;
use serde_json::{Value, json};
use store::admission::Limits;

/// A prompt whose result no item of the table holds: nothing in it repeats.
pub fn incompressible(characters: usize) -> String {
    let mut state = 7_u64;
    (0..characters)
        .map(|position| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            if position % 9 == 8 {
                return ' ';
            }
            char::from_u32(0x4e00 + u32::try_from(state >> 33).unwrap_or(0) % 20_000)
                .unwrap_or('字')
        })
        .collect()
}

async fn optimized(account: &Account, key: &str, prompt: &str) -> Value {
    let body = json!({"prompt": prompt});
    account.post("/prompts/optimize", key, &body).await.data(200).clone()
}

fn path_of(result: &Value) -> String {
    format!("/history/optimization/{}", result["optimizationId"].as_str().expect("an id"))
}

#[tokio::test]
async fn a_deleted_item_is_gone_and_so_is_everything_of_it() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let made = optimized(&account, &fresh_key(), &incompressible(30_000)).await;
    let path = path_of(&made);
    let version = &made["versions"][0]["versionId"];
    let refinements =
        format!("/optimizations/{}/refinements", made["optimizationId"].as_str().expect("an id"));
    let feedback = json!({"sourceVersionId": version, "feedback": "Use a warm tone"});
    account.post(&refinements, &fresh_key(), &feedback).await.data(200);
    assert!(world.objects("durable/").await >= 2);
    // Two days later no retry is owed an answer any more.
    world.clock.advance(Duration::from_secs(200_000));
    let deleted = account.delete(&path).await;
    assert_eq!(*deleted.data(200), json!({"id": made["optimizationId"], "deleted": true}));
    account.delete(&path).await.is_error(404, "not_found");
    account.get(&path).await.is_error(404, "not_found");
    let renamed = account.send(reqwest::Method::PATCH, &path, &json!({"title": "x"})).await;
    renamed.is_error(404, "not_found");
    assert_eq!(account.get("/history").await.data(200)["items"], json!([]));
    assert_eq!(world.objects("durable/").await, 0);
    let answer = account.post(&refinements, &fresh_key(), &feedback).await;
    answer.is_error(400, "invalid_reference");
    assert_eq!(answer.problem_paths(), ["path.id"]);
    world.process_everything().await;
}

#[tokio::test]
async fn retries_and_polls_are_still_owed_the_result_for_the_rest_of_its_day() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    for prompt in ["Write something about the sea".to_owned(), incompressible(30_000)] {
        let key = fresh_key();
        let made = optimized(&account, &key, &prompt).await;
        account.delete(&path_of(&made)).await.data(200);
        assert_eq!(world.objects("durable/").await, 0);
        assert_eq!(optimized(&account, &key, &prompt).await, made);
        let path = format!("/operations/{}", made["operationId"].as_str().expect("an id"));
        assert_eq!(account.get(&path).await.data(200)["result"], made);
        world.clock.advance(Duration::from_secs(86_400));
        assert_eq!(account.get(&path).await.data(200)["result"], Value::Null);
    }
}

#[tokio::test]
async fn what_is_read_beside_its_deletion_is_read_as_it_was() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let made = optimized(&account, &fresh_key(), &incompressible(30_000)).await;
    let path = path_of(&made);
    world.faults.reset();
    // The item is read first. Meanwhile its body moves to where results expire.
    let moved = Fault::AnswerHeld { until: "x-id=DeleteObject", lost: false };
    world.faults.inject("GetItem", moved, 1);
    let deletion = async {
        world.until(|| world.faults.count("GetItem") > 0).await;
        account.delete(&path).await.data(200);
    };
    let (read, ()) = join(account.get(&path), deletion).await;
    assert_eq!(read.data(200)["versions"][0]["prompt"], made["versions"][0]["prompt"]);
}

#[tokio::test]
async fn a_deletion_that_crashes_at_any_point_is_either_undone_or_carried_to_its_end() {
    for old in [false, true] {
        for after in 0..9 {
            // Of an old item the calls are crashed at before or after they are done, in turn.
            for call_arrives in if old { vec![after % 2 == 0] } else { vec![false, true] } {
                let mut world = World::with_limits(Limits::Lifted).await;
                let account = world.account(Plan::Max).await;
                let made = optimized(&account, "k", &incompressible(30_000)).await;
                if old {
                    world.clock.advance(Duration::from_secs(200_000));
                }
                let path = path_of(&made);
                world.faults.crash(CrashPoint { after, call_arrives });
                let _ = world.faults.or_crash(account.delete(&path)).await;
                world.restart();
                world.process_everything().await;
                let place = format!("old {old}, after {after}, arrives {call_arrives}");
                let listed = account.get("/history").await.data(200)["items"].clone();
                if account.get(&path).await.status == 200 {
                    assert_eq!(listed.as_array().map(Vec::len), Some(1), "{place}");
                    account.delete(&path).await.data(200);
                }
                assert_eq!(world.objects("durable/").await, 0, "{place}");
                assert_eq!(account.get("/history").await.data(200)["items"], json!([]), "{place}");
            }
        }
    }
}

#[tokio::test]
async fn a_body_is_deleted_even_if_the_answer_is_lost_that_it_was_detached() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let made = optimized(&account, "k", &incompressible(30_000)).await;
    world.faults.inject("x-id=GetObject", Fault::Unreachable, usize::MAX);
    let _ = account.delete(&path_of(&made)).await;
    world.faults.recover();
    assert_eq!(world.objects("durable/").await, 1);
    world.faults.inject("UpdateItem", Fault::AnswerLost, 1);
    world.process_everything().await;
    assert!(world.faults.is_exhausted());
    assert_eq!(world.objects("durable/").await, 0);
    assert_eq!(optimized(&account, "k", &incompressible(30_000)).await, made);
}

#[tokio::test]
async fn what_would_continue_a_deleted_item_fails_and_costs_nothing() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let made = account.generate(&fresh_key(), &json!({"message": "A haiku"})).await;
    let id = made.data(200)["generationId"].clone();
    let next = json!({"message": "Longer", "generationId": id});
    let waiting = account.generate_async("k", &next).await.data(202).clone();
    let path = format!("/history/generation/{}", id.as_str().expect("an id"));
    account.delete(&path).await.data(200);
    world.process_everything().await;
    let path = format!("/operations/{}", waiting["id"].as_str().expect("an id"));
    let failed = account.get(&path).await.data(200).clone();
    assert_eq!(failed["status"], "FAILED");
    assert_eq!(failed["error"]["code"], "source_conflict");
    assert_eq!(account.usage().await["credits"]["used"], 1);
    account.generate("k", &next).await.is_error(400, "invalid_reference");
}
