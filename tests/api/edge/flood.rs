use std::time::Duration;

use acceptance::World;
use domain::Plan;

#[tokio::test]
async fn a_flood_beyond_the_limit_reaches_storage_no_more() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    for _ in 0..31 {
        account.get("/models").await;
    }
    world.wire.reset();
    for _ in 0..20 {
        let answer = account.get("/models").await;
        answer.is_error(429, "rate_limited");
        assert_eq!(answer.header_number("ratelimit-limit"), 30);
    }
    assert_eq!(world.wire.crossings().len(), 0);
    world.clock.advance(Duration::from_secs(60));
    account.get("/models").await.data(200);
}
