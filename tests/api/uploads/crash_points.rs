use std::time::Duration;

use acceptance::{
    Account, World, account::fresh_key, fault_injection::CrashPoint, files, uploads::id_of,
};
use domain::Plan;
use futures::{StreamExt as _, stream};
use serde_json::json;
use store::admission::Limits;

/// Worlds at the same time.
const AT_ONCE: usize = 6;
/// More than any of these requests makes.
const CALLS: usize = 9;

/// Waits for all tries, a few at a time.
async fn all(tries: impl Iterator<Item = impl Future<Output = ()>>) {
    stream::iter(tries).buffer_unordered(AT_ONCE).collect::<Vec<_>>().await;
}

/// What a place of death is called in messages.
fn crash_points() -> impl Iterator<Item = CrashPoint> {
    [false, true]
        .into_iter()
        .flat_map(|call_arrives| (0..CALLS).map(move |after| CrashPoint { after, call_arrives }))
}

/// When every day is over nothing counts, nothing is in the temporary area, and what nobody took is gone.
async fn assert_nothing_is_left(world: &World, account: &Account, place: &str) {
    world.clock.advance(Duration::from_secs(86_400));
    assert_eq!(account.usage().await["uploads"]["active"], 0, "{place}");
    assert_eq!(account.usage().await["uploads"]["bytes"], 0, "{place}");
    assert_eq!(world.objects("uploads/").await, 0, "{place}");
}

#[tokio::test]
async fn a_creation_that_crashes_takes_a_place_for_at_most_15_minutes() {
    let tries = crash_points().map(|crash_point| async move {
        let place = format!("{crash_point:?}");
        let mut world = World::with_limits(Limits::Lifted).await;
        let account = world.account(Plan::Free).await;
        let file = files::png(1);
        world.faults.crash(crash_point);
        let create = account.create_upload("analysis", "image/png", &file);
        let _ = world.faults.or_crash(create).await;
        world.restart();
        let active = account.usage().await["uploads"]["active"].as_u64().expect("a number");
        assert!(active <= 1, "{place}");
        world.clock.advance(Duration::from_secs(15 * 60));
        assert_eq!(account.usage().await["uploads"]["active"], 0, "{place}");
        for _ in 0..3 {
            account.create_upload("analysis", "image/png", &file).await.data(200);
        }
        assert_nothing_is_left(&world, &account, &place).await;
    });
    all(tries).await;
}

#[tokio::test]
async fn a_completion_that_crashes_is_completed_by_the_next_one() {
    for good in [true, false] {
        let tries = crash_points().map(|crash_point| async move {
            let place = format!("{crash_point:?}");
            let mut world = World::with_limits(Limits::Lifted).await;
            let account = world.account(Plan::Free).await;
            let file = if good { files::png(1) } else { files::picture("image/gif", 1) };
            let created =
                account.create_upload("analysis", "image/png", &file).await.data(200).clone();
            let id = id_of(&created);
            assert_eq!(account.put(&created, &file).await, 200);
            world.faults.crash(crash_point);
            let _ = world.faults.or_crash(account.complete(&id)).await;
            world.restart();
            // Whoever died has lost its lease by then.
            world.clock.advance(Duration::from_secs(31));
            let again = account.complete(&id).await;
            if good {
                assert_eq!(again.data(200)["status"], "ready", "{place}");
            } else if again.status == 400 {
                again.is_error(400, "media_mismatch");
            } else {
                again.is_error(409, "upload_rejected");
            }
            assert_eq!(account.usage().await["uploads"]["active"], 0, "{place}");
            assert_nothing_is_left(&world, &account, &place).await;
        });
        all(tries).await;
    }
}

#[tokio::test]
async fn an_event_that_crashes_is_handled_again() {
    let tries = crash_points().map(|crash_point| async move {
        let place = format!("{crash_point:?}");
        let mut world = World::with_limits(Limits::Lifted).await;
        let account = world.account(Plan::Free).await;
        let file = files::png(1);
        let created = account.create_upload("analysis", "image/png", &file).await.data(200).clone();
        let id = id_of(&created);
        assert_eq!(account.put(&created, &file).await, 200);
        world.faults.crash(crash_point);
        let _ = world.faults.or_crash(world.process_upload_events()).await;
        world.restart();
        world.clock.advance(Duration::from_secs(60));
        world.process_upload_events().await;
        assert_eq!(account.upload_status(&id).await, "uploaded", "{place}");
        account.complete(&id).await.data(200);
        assert_nothing_is_left(&world, &account, &place).await;
    });
    all(tries).await;
}

#[tokio::test]
async fn a_deletion_that_crashes_is_undone_or_done() {
    let tries = crash_points().map(|crash_point| async move {
        let place = format!("{crash_point:?}");
        let mut world = World::with_limits(Limits::Lifted).await;
        let account = world.account(Plan::Free).await;
        let file = files::png(1);
        let created = account.create_upload("analysis", "image/png", &file).await.data(200).clone();
        let path = format!("/uploads/{}", id_of(&created));
        assert_eq!(account.put(&created, &file).await, 200);
        world.faults.crash(crash_point);
        let _ = world.faults.or_crash(account.delete(&path)).await;
        world.restart();
        let again = account.delete(&path).await;
        assert!([200, 404].contains(&again.status.as_u16()), "{place}: {}", again.body);
        account.get(&path).await.is_error(404, "not_found");
        assert_eq!(account.usage().await["uploads"]["active"], 0, "{place}");
        assert_nothing_is_left(&world, &account, &place).await;
    });
    all(tries).await;
}

#[tokio::test]
async fn an_operation_that_crashes_with_an_attachment_ends_with_it_or_gives_it_back() {
    for later in [false, true] {
        let tries = [false, true]
            .into_iter()
            .flat_map(|call_arrives| (0..14).map(move |after| CrashPoint { after, call_arrives }));
        let tries = tries.map(|crash_point| async move {
            let place = format!("later {later}, {crash_point:?}");
            let mut world = World::with_limits(Limits::Lifted).await;
            let account = world.account(Plan::Max).await;
            let file = files::png(1);
            let upload = account.upload("generation", "image/png", &file).await;
            let body = json!({"message": "A poster", "attachmentIds": [upload]});
            let key = fresh_key();
            world.faults.crash(crash_point);
            if later {
                let asking = account.generate_async(&key, &body);
                let _ = world.faults.or_crash(asking).await;
                let _ = world.faults.or_crash(world.process()).await;
            } else {
                let _ = world.faults.or_crash(account.generate(&key, &body)).await;
            }
            world.restart();
            world.process_everything().await;
            let retried = account.generate(&key, &body).await;
            assert!(retried.status.is_success(), "{place}: {}", retried.body);
            world.process_everything().await;
            let listed = account.get("/history?type=generation").await.data(200).clone();
            let items = listed["items"].as_array().expect("items");
            assert_eq!(items.len(), 1, "{place}");
            let item = format!("/history/generation/{}", id_of(&items[0]));
            let detail = account.get(&item).await.data(200).clone();
            assert_eq!(detail["attachments"][0]["id"], upload, "{place}");
            let url = detail["attachments"][0]["url"].as_str().expect("an address").to_owned();
            let read = reqwest::get(url).await.expect("an answer");
            assert_eq!(read.bytes().await.expect("the body"), file, "{place}");
            assert_eq!(account.usage().await["credits"]["used"], 1, "{place}");
            assert_eq!(world.objects("durable/").await, 1, "{place}");
            assert_nothing_is_left(&world, &account, &place).await;
        });
        all(tries).await;
    }
}
