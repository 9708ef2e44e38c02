//! Library items: their owner is told when everybody sees them, and when that is over.

use std::{collections::BTreeSet, time::Duration};

use acceptance::{Account, World, fault_injection::CrashPoint, receiver::Receiver, uploads::id_of};
use domain::{
    LibraryId, Plan,
    library::{Item, Moderation, Visibility},
};
use futures::stream::{self, StreamExt};
use reqwest::Method;
use serde_json::{Value, json};
use store::{admission::Limits, library::Replaced};

use super::Subscribed;

const KINDS: [&str; 2] = ["library.item.published", "library.item.unpublished"];
/// More than any of these requests makes.
const CALLS: usize = 8;

async fn created(account: &Account) -> String {
    let item = json!({
        "title": "City trips",
        "promptText": "Plan three days in {{city}}.",
        "recommendedModels": ["Universal"],
        "category": "Travel",
    });
    id_of(account.send(Method::POST, "/library/items", &item).await.data(200)).to_owned()
}

/// What can be done to an item that changes who sees it.
#[derive(Clone, Copy, Debug)]
enum Change {
    Publish,
    Unpublish,
    Delete,
}

impl Change {
    async fn send(self, account: &Account, id: &str) -> acceptance::Answer {
        let path = format!("/library/items/{id}");
        match self {
            Change::Publish => {
                let publish = format!("{path}/publish");
                acceptance::Answer::to(account.request(Method::POST, &publish)).await
            }
            Change::Unpublish => account.delete(&format!("{path}/publish")).await,
            Change::Delete => account.delete(&path).await,
        }
    }

    const fn kind(self) -> &'static str {
        match self {
            Change::Publish => KINDS[0],
            Change::Unpublish | Change::Delete => KINDS[1],
        }
    }
}

async fn change(account: &Account, id: &str, changes: &[Change]) {
    for change in changes {
        change.send(account, id).await.data(200);
    }
}

/// Lets everything come to rest, whatever was announced and never became true included.
async fn rest(world: &World) {
    for _ in 0..12 {
        world.deliver_all().await;
        world.clock.advance(Duration::from_secs(31));
    }
    assert_eq!(world.deliver().await, 0, "nothing is left to be looked at");
}

/// Kind and visibility of everything that was told, by the version that the item had got.
fn received(receiver: &Receiver) -> Vec<(u64, String, Value)> {
    let mut told: Vec<_> = receiver
        .received()
        .iter()
        .map(|arrival| {
            let event = arrival.event();
            let version = event["data"]["version"].as_u64().expect("a version");
            let kind = event["type"].as_str().expect("a kind").to_owned();
            (version, kind, event["data"]["visibility"].clone())
        })
        .collect();
    told.sort_by_key(|(version, ..)| *version);
    told
}

fn fact(version: u64, change: Change, visibility: Value) -> (u64, String, Value) {
    (version, change.kind().to_owned(), visibility)
}

#[tokio::test]
async fn a_publication_is_delivered_once_with_identifiers_only() {
    let subscribed = Subscribed::to(&KINDS).await;
    let (world, account) = (&subscribed.world, &subscribed.account);
    let id = created(account).await;
    rest(world).await;
    assert_eq!(subscribed.receiver.count(), 0, "a private item is nobody else's business");
    world.clock.advance(Duration::from_secs(5));
    let published = Change::Publish.send(account, &id).await.data(200)["publishedAt"].clone();
    Change::Publish.send(account, &id).await.data(200);
    rest(world).await;
    let event = subscribed.only_arrival().event();
    assert_eq!(event["type"], "library.item.published");
    assert_eq!(event["timestamp"], published);
    assert_eq!(event["data"], json!({"itemId": id, "visibility": "community", "version": 2}));
}

#[tokio::test]
async fn a_change_is_delivered_even_if_it_was_undone_at_once() {
    let subscribed = Subscribed::to(&KINDS).await;
    let (world, account) = (&subscribed.world, &subscribed.account);
    let id = created(account).await;
    let changes = [Change::Publish, Change::Unpublish, Change::Publish, Change::Delete];
    change(account, &id, &changes).await;
    account.get(&format!("/library/items/{id}")).await.is_error(404, "not_found");
    rest(world).await;
    let expected = [
        fact(2, Change::Publish, json!("community")),
        fact(3, Change::Unpublish, json!("private")),
        fact(4, Change::Publish, json!("community")),
        fact(5, Change::Delete, Value::Null),
    ];
    assert_eq!(received(&subscribed.receiver), expected);
    let received = subscribed.receiver.received();
    let ids: BTreeSet<_> = received.iter().map(|one| one.event()["id"].to_string()).collect();
    assert_eq!(ids.len(), expected.len(), "each publication is an event of its own");
}

#[tokio::test]
async fn deleting_a_private_item_is_not_delivered() {
    let subscribed = Subscribed::to(&KINDS).await;
    let (world, account) = (&subscribed.world, &subscribed.account);
    let id = created(account).await;
    world.faults.reset();
    change(account, &id, &[Change::Unpublish, Change::Delete]).await;
    assert_eq!(world.faults.count("SendMessage"), 1, "the upkeep of its counts alone");
    rest(world).await;
    assert_eq!(subscribed.receiver.count(), 0);
}

#[tokio::test]
async fn only_the_owner_is_notified_and_only_of_subscribed_events() {
    let world = World::with_limits(Limits::Lifted).await;
    let (owner, other) = (world.account(Plan::Max).await, world.account(Plan::Max).await);
    let (mine, theirs) = (Receiver::start().await, Receiver::start().await);
    owner.create_endpoint(&mine.url, &[KINDS[1], "operation.failed"]).await;
    other.create_endpoint(&theirs.url, &KINDS).await;
    let id = created(&owner).await;
    change(&owner, &id, &[Change::Publish]).await;
    rest(&world).await;
    assert_eq!(mine.count(), 0);
    change(&owner, &id, &[Change::Unpublish]).await;
    rest(&world).await;
    assert_eq!(received(&mine), [fact(3, Change::Unpublish, json!("private"))]);
    assert_eq!(theirs.count(), 0);
}

#[tokio::test]
async fn the_owner_is_notified_of_an_item_that_the_operator_blocks() {
    let subscribed = Subscribed::to(&KINDS).await;
    let (world, account) = (&subscribed.world, &subscribed.account);
    let id = created(account).await;
    change(account, &id, &[Change::Publish]).await;
    world.store.set_suspended(account.id, true).await.expect("storage");
    let id: LibraryId = id.parse().expect("an identifier");
    let item = world.store.library_item(id).await.expect("storage").expect("an item");
    let blocked = Item {
        visibility: Visibility::Private,
        moderation: Moderation::Blocked,
        published_at: None,
        version: item.version + 1,
        ..item.clone()
    };
    let replaced = world.store.replace_library_item(&item, &blocked).await.expect("storage");
    assert_eq!(replaced, Replaced::Done);
    let unblocked =
        Item { moderation: Moderation::None, version: blocked.version + 1, ..blocked.clone() };
    world.store.replace_library_item(&blocked, &unblocked).await.expect("storage");
    rest(world).await;
    let expected = [
        fact(2, Change::Publish, json!("community")),
        fact(3, Change::Unpublish, json!("private")),
    ];
    assert_eq!(
        received(&subscribed.receiver),
        expected,
        "suspended or not; unblocking shows nothing"
    );
}

/// What the owner has done to the item, as its record says: they are told of nothing else.
async fn crash(last: Change, crash_point: CrashPoint) -> usize {
    let place = format!("{last:?} {crash_point:?}");
    let Subscribed { mut world, account, receiver, .. } = Subscribed::to(&KINDS).await;
    let account = &account;
    let id = created(account).await;
    let before: &[Change] = match last {
        Change::Publish => &[],
        Change::Unpublish | Change::Delete => &[Change::Publish],
    };
    change(account, &id, before).await;
    world.deliver_all().await;
    assert_eq!(receiver.count(), before.len(), "{place}");
    world.faults.crash(crash_point);
    let answer = world.faults.or_crash(last.send(account, &id)).await;
    world.restart();
    let answer_says = answer.map(|answer| answer.status);
    let stands = account.get(&format!("/library/items/{id}")).await;
    let is_done = match last {
        Change::Publish => stands.data(200)["visibility"] == "community",
        Change::Unpublish => stands.data(200)["visibility"] == "private",
        Change::Delete => stands.status == 404,
    };
    assert!(is_done || answer_says.is_none(), "{place}");
    // Whoever heard nothing asks again.
    if !is_done && crash_point.after % 2 == 1 {
        last.send(account, &id).await.data(200);
    }
    let is_done = is_done || crash_point.after % 2 == 1;
    rest(&world).await;
    let told: BTreeSet<_> =
        received(&receiver).into_iter().map(|(version, kind, _)| (version, kind)).collect();
    assert_eq!(told.len(), before.len() + usize::from(is_done), "{place}: {told:?}");
    assert_eq!(told.iter().any(|(_, kind)| kind == last.kind()), is_done, "{place}");
    let ids: BTreeSet<_> =
        receiver.received().iter().map(|arrival| arrival.header("webhook-id").to_owned()).collect();
    assert_eq!(ids.len(), told.len(), "{place}");
    usize::from(is_done)
}

#[tokio::test]
async fn a_change_that_crashes_anywhere_is_delivered_if_and_only_if_it_was_made() {
    let permits = [false, true]
        .into_iter()
        .flat_map(|call_arrives| (0..CALLS).map(move |after| CrashPoint { after, call_arrives }));
    for last in [Change::Publish, Change::Unpublish, Change::Delete] {
        let outcomes: Vec<_> = stream::iter(permits.clone())
            .map(|crash_point| crash(last, crash_point))
            .buffer_unordered(6)
            .collect()
            .await;
        assert!(outcomes.contains(&0) && outcomes.contains(&1), "{last:?}: {outcomes:?}");
    }
}
