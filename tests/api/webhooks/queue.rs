//! A queue that is away, slow or forgetful when an operation comes to its end.

use std::{collections::BTreeSet, time::Duration};

use acceptance::{World, fault_injection::Fault, scripted_engine::Behavior};
use engine::EngineError;
use store::admission::Limits;

use super::{Subscribed, goal};

/// Lets the first message through, which is the operation's own, and no other.
fn cut_off_after_the_start(world: &World) {
    world.faults.inject("SendMessage", Fault::Slow(Duration::ZERO), 1);
    world.faults.inject("SendMessage", Fault::Unreachable, usize::MAX);
}

#[tokio::test]
async fn a_call_whose_end_cannot_be_enqueued_is_finished_by_the_processor_under_its_key() {
    for broken in [false, true] {
        let world = World::with_limits(Limits::Enforced).await;
        let subscribed =
            Subscribed::in_world(world, &["operation.succeeded", "operation.failed"]).await;
        let (world, account) = (&subscribed.world, &subscribed.account);
        if broken {
            let reason = "nobody can".to_owned();
            world.engine.set(Behavior::Fails(EngineError::Rejected { reason }));
        }
        cut_off_after_the_start(world);
        let answer = world.advancing_time(account.generate("k", &goal())).await;
        answer.is_error(503, "provider_timeout");
        assert_eq!(answer.header_number("retry-after"), 10);
        world.faults.recover();
        account.generate("k", &goal()).await.is_error(409, "idempotency_in_progress");
        assert_eq!(account.usage().await["credits"]["held"], 1);
        assert_eq!(subscribed.receiver.count(), 0);

        world.engine.set(Behavior::Works);
        world.process_everything().await;
        let result = account.generate("k", &goal()).await;
        assert!(result.data(200)["prompt"].is_string());
        assert_eq!(result.header("idempotent-replayed"), Some("true"));
        assert_eq!(account.usage().await["credits"]["used"], 1);
        world.deliver_all().await;
        assert_eq!(subscribed.only_arrival().event()["type"], "operation.succeeded");
    }
}

/// Lets an operation end while its announcement meets these faults, one after the other. Returns how many
/// messages the queue has of it then; its receiver is told under one identifier, however many there are.
async fn announcements(faults: &[(Fault, usize)]) -> usize {
    let world = World::with_limits(Limits::Lifted).await;
    let subscribed = Subscribed::in_world(world, &["operation.succeeded"]).await;
    let (world, account) = (&subscribed.world, &subscribed.account);
    let accepted = account.generate_async("k", &goal()).await.data(202).clone();
    let path = format!("/operations/{}", accepted["id"].as_str().expect("an id"));
    for (fault, times) in faults {
        world.faults.inject("SendMessage", fault.clone(), *times);
    }
    let began = world.now();
    assert_eq!(world.advancing_time(world.process()).await, 1);
    assert!(world.now().since(began) < Duration::from_secs(4), "within what settling has");
    world.faults.recover();
    assert_eq!(account.get(&path).await.data(200)["status"], "SUCCEEDED");
    let (messages, dead) = world.delivery_queue_depth().await;
    assert_eq!((world.faults.count("SendMessage"), dead), (messages + 1, 0), "beside its own");
    world.deliver_all().await;
    let received = subscribed.receiver.received();
    assert!(!received.is_empty() && received.len() <= messages, "{messages}: {received:?}");
    let ids: BTreeSet<_> = received.iter().map(|one| one.header("webhook-id")).collect();
    assert_eq!(ids.len(), 1, "{received:?}");
    messages
}

#[tokio::test]
async fn a_queue_that_answers_late_gets_an_end_twice_at_most() {
    let late = |millis| Fault::Late { time: Duration::from_millis(millis), lost: false };
    assert_eq!(announcements(&[]).await, 1);
    // Sooner than it is told a second time.
    assert_eq!(announcements(&[(late(50), usize::MAX)]).await, 1);
    let messages = announcements(&[(late(700), usize::MAX)]).await;
    assert!((1..=2).contains(&messages), "{messages}");
    // The first answer comes after the second one, or never.
    for lost in [false, true] {
        let held = Fault::AnswerHeld { until: "SendMessage", lost };
        assert_eq!(announcements(&[(held, 1)]).await, 2, "lost: {lost}");
        let forever = Fault::Late { time: Duration::from_secs(600), lost };
        assert_eq!(announcements(&[(forever, 1)]).await, 2, "lost: {lost}");
    }
}
