//! The service dies before and after each of its calls to storage.

use acceptance::{Account, World, fault_injection::CrashPoint};
use domain::Plan;
use futures::{StreamExt, stream};
use reqwest::Method;
use serde_json::{Value, json};
use store::admission::Limits;

use super::{ITEMS, created, page, post, published, small, titles};

/// More than any of these requests makes.
const CALLS: usize = 8;
/// Services that are tried out at once.
const AT_ONCE: usize = 6;

fn crash_points() -> impl Iterator<Item = CrashPoint> {
    [false, true]
        .into_iter()
        .flat_map(|call_arrives| (0..CALLS).map(move |after| CrashPoint { after, call_arrives }))
}

/// What is asked of the service that dies meanwhile.
#[derive(Clone, Copy, Debug)]
enum Request {
    Create,
    Patch,
    Publish,
    Unpublish,
    Delete,
    Vote,
    Save,
}

impl Request {
    async fn send(self, account: &Account, path: &str) -> acceptance::Answer {
        match self {
            Request::Create => account.send(Method::POST, ITEMS, &small("Changed")).await,
            Request::Patch => account.send(Method::PATCH, path, &json!({"title": "Changed"})).await,
            Request::Publish => post(account, &format!("{path}/publish")).await,
            Request::Unpublish => account.delete(&format!("{path}/publish")).await,
            Request::Delete => account.delete(path).await,
            Request::Vote => post(account, &format!("{path}/vote")).await,
            Request::Save => post(account, &format!("{path}/saved")).await,
        }
    }

    /// Whether it was done, as its owner sees the library.
    fn is_done(self, before: &Value, after: &Value) -> bool {
        match self {
            Request::Create => titles(after).len() == titles(before).len() + 1,
            Request::Delete => titles(after).len() + 1 == titles(before).len(),
            Request::Patch => titles(after) != titles(before),
            Request::Publish => after["items"][0]["visibility"] == "community",
            Request::Unpublish => after["items"][0]["visibility"] == "private",
            Request::Vote => after["items"][0]["voted"] == true,
            Request::Save => after["items"][0]["saved"] == true,
        }
    }
}

/// Every list says the same of every item, and so does the item.
async fn assert_whole(account: &Account, other: &Account, place: &str) -> Value {
    let own = page(account, "").await;
    let items = own["items"].as_array().expect("a list");
    assert_eq!(own["total"], items.len(), "{place}");
    let mut public = 0;
    for item in items {
        let id = item["id"].as_str().expect("an id");
        assert_eq!(account.get(&format!("{ITEMS}/{id}")).await.data(200), item, "{place}");
        public += usize::from(item["visibility"] == "community");
        assert_eq!(item["voteCount"], usize::from(item["voted"] == true), "{place}");
        assert_eq!(item["saveCount"], usize::from(item["saved"] == true), "{place}");
    }
    let community = page(other, "scope=community").await;
    assert_eq!(titles(&community).len(), public, "{place}");
    assert_eq!(community["total"], public, "{place}");
    for (scope, mark) in [("saved", "saved"), ("upvoted", "voted")] {
        let list = page(account, &format!("scope={scope}")).await;
        let marked = items.iter().filter(|item| item[mark] == true).count();
        assert_eq!(list["total"], marked, "{place} {scope}");
    }
    own
}

async fn crash(request: Request, crash_point: CrashPoint) -> bool {
    let place = format!("{request:?} {crash_point:?}");
    let mut world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let other = world.account(Plan::Max).await;
    let path = match request {
        Request::Unpublish | Request::Delete => published(&account, &small("Before")).await,
        _ => created(&account, &small("Before")).await,
    };
    let before = assert_whole(&account, &other, &place).await;
    world.faults.crash(crash_point);
    let answer = world.faults.or_crash(request.send(&account, &path)).await;
    world.restart();
    let after = assert_whole(&account, &other, &place).await;
    let is_done = request.is_done(&before, &after);
    if let Some(answer) = answer {
        answer.data(200);
        assert!(is_done, "{place}");
    }
    super::count_votes(&world).await;
    assert_eq!(assert_whole(&account, &other, &place).await, after, "{place}");
    is_done
}

#[tokio::test]
async fn a_request_that_crashes_is_done_everywhere_or_nowhere() {
    let requests = [
        Request::Create,
        Request::Patch,
        Request::Publish,
        Request::Unpublish,
        Request::Delete,
        Request::Vote,
        Request::Save,
    ];
    for request in requests {
        let outcomes: Vec<_> = stream::iter(crash_points())
            .map(|crash_point| crash(request, crash_point))
            .buffer_unordered(AT_ONCE)
            .collect()
            .await;
        assert!(outcomes.contains(&true) && outcomes.contains(&false), "{request:?}");
    }
}
