use std::time::{Duration, Instant};

use acceptance::{
    World,
    fault_injection::{CrashPoint, Fault},
};

#[tokio::test]
async fn a_well_service_is_available() {
    let world = World::start().await;
    let answer = world.get("/health").await;
    let data = answer.data(200);
    assert_eq!(data["status"], "available");
    assert_eq!(data["checks"]["api"], "available");
    assert_eq!(data["checks"]["database"], "available");
    assert_eq!(data["version"], "1.0.0");
    assert!(answer.header("ratelimit-limit").is_none(), "nobody was authenticated");
}

#[tokio::test]
async fn without_its_database_it_is_unavailable_in_the_same_shape() {
    let world = World::start().await;
    world.faults.inject("GetItem", Fault::Unreachable, 10);
    let answer = world.get("/health").await;
    let data = answer.data(503);
    assert_eq!(data["status"], "unavailable");
    assert_eq!(data["checks"]["api"], "available");
    assert_eq!(data["checks"]["database"], "unavailable");
    assert!(answer.header_number("retry-after") >= 1);
    assert!(answer.body["requestId"].as_str().is_some_and(|id| id.starts_with("req_")));
}

#[tokio::test]
async fn a_database_that_never_answers_is_given_up() {
    let world = World::start().await;
    world.faults.crash(CrashPoint { after: 0, call_arrives: false });
    let asked = Instant::now();
    world.get("/health").await.data(503);
    assert!(asked.elapsed() < Duration::from_secs(4));
}
