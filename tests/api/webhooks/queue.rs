//! A queue that is away, slow or forgetful when an operation comes to its end.

use std::time::Duration;

use acceptance::{World, scripted::Mood, wire::Fault};
use engine::EngineError;
use store::gate::Caps;

use super::{Subscribed, goal};

/// Lets the first message through, which is the operation's own, and no other.
fn cut_off_after_the_start(world: &World) {
    world.wire.disturb("SendMessage", Fault::Slow(Duration::ZERO), 1);
    world.wire.disturb("SendMessage", Fault::Unreachable, usize::MAX);
}

#[tokio::test]
async fn a_call_whose_end_cannot_be_announced_is_finished_by_the_processor_under_its_key() {
    for broken in [false, true] {
        let world = World::with_caps(Caps::Enforced).await;
        let subscribed =
            Subscribed::in_world(world, &["operation.succeeded", "operation.failed"]).await;
        let (world, account) = (&subscribed.world, &subscribed.account);
        if broken {
            let reason = "nobody can".to_owned();
            world.engine.set(Mood::Fails(EngineError::Rejected { reason }));
        }
        cut_off_after_the_start(world);
        let answer = world.passing_time(account.generate("k", &goal())).await;
        answer.is_error(503, "provider_timeout");
        assert_eq!(answer.header_number("retry-after"), 10);
        world.wire.revive();
        account.generate("k", &goal()).await.is_error(409, "idempotency_in_progress");
        assert_eq!(account.usage().await["credits"]["held"], 1);
        assert_eq!(subscribed.receiver.count(), 0);

        world.engine.set(Mood::Works);
        world.process_everything().await;
        let result = account.generate("k", &goal()).await;
        assert!(result.data(200)["prompt"].is_string());
        assert_eq!(result.header("idempotent-replayed"), Some("true"));
        assert_eq!(account.usage().await["credits"]["used"], 1);
        world.deliver_all().await;
        assert_eq!(subscribed.only_arrival().event()["type"], "operation.succeeded");
    }
}
