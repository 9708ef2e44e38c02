use acceptance::{World, account::fresh_key, scripted_engine::Behavior};
use domain::Plan;
use serde_json::json;

#[tokio::test]
async fn a_pending_operation_is_cancelled_and_its_credit_returned() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let goal = json!({"message": "A haiku"});
    let accepted = account.generate_async(&fresh_key(), &goal).await;
    let path = format!("/operations/{}", accepted.data(202)["id"].as_str().expect("an id"));
    let cancelled = account.delete(&path).await.data(200).clone();
    assert_eq!(cancelled["status"], "CANCELLED");
    assert_eq!(cancelled["completedAt"], "2026-03-15T12:00:00.000Z");
    assert_eq!(cancelled["creditsUsed"], 0);
    assert_eq!(account.get(&path).await.data(200), &cancelled);
    let usage = account.usage().await;
    assert_eq!(usage["credits"], json!({"limit": 20, "used": 0, "held": 0, "remaining": 20}));
    assert_eq!(usage["operations"]["running"], 0);
    world.process_everything().await;
    assert_eq!(account.get(&path).await.data(200)["status"], "CANCELLED");
    assert_eq!(world.engine.asked(), 0);
    account.generate(&fresh_key(), &goal).await.data(200);
}

#[tokio::test]
async fn only_a_pending_operation_can_be_cancelled() {
    let world = World::start().await;
    let account = world.account(Plan::Max).await;
    let goal = json!({"message": "A haiku"});
    let id_of = |answer: &acceptance::Answer| {
        format!("/operations/{}", answer.data(202)["id"].as_str().expect("an id"))
    };

    let succeeded = id_of(&account.generate_async(&fresh_key(), &goal).await);
    world.process().await;
    world.engine.set(Behavior::Fails(engine::EngineError::Timeout));
    let failed = id_of(&account.generate_async(&fresh_key(), &goal).await);
    world.process().await;
    let cancelled = id_of(&account.generate_async(&fresh_key(), &goal).await);
    account.delete(&cancelled).await.data(200);
    world.engine.set(Behavior::Hangs);
    let running = id_of(&account.generate_async(&fresh_key(), &goal).await);
    let asked = world.engine.asked();
    let processor = world.application.processor.clone();
    let id = running["/operations/".len()..].parse().expect("an id");
    let message =
        store::operations::queue::OperationMessage { account_id: account.id, operation_id: id };
    let working =
        tokio::spawn(async move { processor.workflow.process(message.into(), None).await.is_ok() });
    world.until(|| world.engine.asked() > asked).await;

    for (path, status) in [
        (&succeeded, "SUCCEEDED"),
        (&failed, "FAILED"),
        (&cancelled, "CANCELLED"),
        (&running, "RUNNING"),
    ] {
        let before = account.get(path).await.data(200).clone();
        assert_eq!(before["status"], status);
        account.delete(path).await.is_error(409, "operation_not_cancellable");
        assert_eq!(account.get(path).await.data(200), &before);
    }
    working.abort();
    let usage = account.usage().await;
    assert_eq!((&usage["credits"]["used"], &usage["credits"]["held"]), (&json!(1), &json!(1)));
}

#[tokio::test]
async fn of_a_cancellation_and_the_processor_one_wins_and_the_books_balance() {
    let world = World::start().await;
    let account = world.account(Plan::Max).await;
    let goal = json!({"message": "A haiku"});
    let mut done = 0;
    for _ in 0..20 {
        let accepted = account.generate_async(&fresh_key(), &goal).await;
        let path = format!("/operations/{}", accepted.data(202)["id"].as_str().expect("an id"));
        let (deleted, _) = tokio::join!(account.delete(&path), world.process());
        world.process_everything().await;
        let status = account.get(&path).await.data(200)["status"].clone();
        match deleted.status.as_u16() {
            200 => assert_eq!(status, "CANCELLED"),
            _ => {
                done += 1;
                assert_eq!(status, "SUCCEEDED");
                deleted.is_error(409, "operation_not_cancellable");
            }
        }
    }
    let usage = account.usage().await;
    assert_eq!(usage["credits"]["used"], done);
    assert_eq!(usage["credits"]["held"], 0);
    assert_eq!(usage["operations"]["running"], 0);
}

#[tokio::test]
async fn a_cancellation_whose_answer_is_lost_is_still_told_and_refunded_once() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let accepted = account.generate_async(&fresh_key(), &json!({"message": "A haiku"})).await;
    let path = format!("/operations/{}", accepted.data(202)["id"].as_str().expect("an id"));
    world.faults.inject("TransactWriteItems", acceptance::fault_injection::Fault::AnswerLost, 2);
    let cancelled = world.advancing_time(account.delete(&path)).await;
    assert_eq!(cancelled.data(200), account.get(&path).await.data(200));
    let usage = account.usage().await;
    assert_eq!(usage["credits"], json!({"limit": 20, "used": 0, "held": 0, "remaining": 20}));
    assert_eq!(usage["operations"]["running"], 0);
}

#[tokio::test]
async fn of_several_cancellations_at_once_one_has_cancelled() {
    let world = World::start().await;
    let account = world.account(Plan::Max).await;
    for _ in 0..5 {
        let accepted = account.generate_async(&fresh_key(), &json!({"message": "A haiku"})).await;
        let path = format!("/operations/{}", accepted.data(202)["id"].as_str().expect("an id"));
        let cancellations = (0..5).map(|_| account.delete(&path));
        let answers = world.advancing_time(futures::future::join_all(cancellations)).await;
        let (done, refused): (Vec<_>, Vec<_>) =
            answers.iter().partition(|answer| answer.status == 200);
        assert_eq!(done.len(), 1);
        assert_eq!(done[0].data(200), account.get(&path).await.data(200));
        for answer in refused {
            answer.is_error(409, "operation_not_cancellable");
        }
    }
    let usage = account.usage().await;
    assert_eq!(
        (&usage["credits"]["held"], &usage["operations"]["running"]),
        (&json!(0), &json!(0))
    );
}
