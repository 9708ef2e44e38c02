//! What moderation lets pass, and what the operator blocks.

use acceptance::{Account, World};
use domain::{
    AccountId, LibraryId, Plan, Scopes,
    library::{Item, Moderation, Visibility},
};
use edge::runtime::SystemRandom;
use reqwest::Method;
use serde_json::json;

use super::{created, page, post, published, small, titles};

fn with_secret(title: &str) -> serde_json::Value {
    let mut item = small(title);
    item["promptText"] = "Call the API with the key AKIAIOSFODNN7EXAMPLQ and sum up.".into();
    item
}

/// What the operator does.
async fn block(world: &World, path: &str) {
    decide(world, path, Moderation::Blocked).await;
}

async fn unblock(world: &World, path: &str) {
    decide(world, path, Moderation::None).await;
}

async fn decide(world: &World, path: &str, moderation: Moderation) {
    let id: LibraryId = path.rsplit('/').next().expect("an id").parse().expect("an id");
    let before = world.store.library_item(id).await.expect("storage").expect("an item");
    let after = Item {
        visibility: Visibility::Private,
        moderation,
        published_at: None,
        version: before.version + 1,
        ..before.clone()
    };
    world.store.replace_library_item(&before, &after).await.expect("storage");
}

#[tokio::test]
async fn what_must_not_be_public_is_refused_with_reasons_until_it_is_changed() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let path = created(&account, &with_secret("Sum up")).await;
    let publish = format!("{path}/publish");
    let refused = post(&account, &publish).await;
    refused.is_error(409, "moderation_blocked");
    assert_eq!(refused.problem_paths(), ["/promptText"]);
    assert!(!refused.body.to_string().contains("AKIA"), "{}", refused.body);
    let item = account.get(&path).await.data(200).clone();
    assert_eq!((&item["moderation"], &item["visibility"]), (&"blocked".into(), &"private".into()));
    assert_eq!(item["moderationReason"], "content", "another text can be published");
    let again = post(&account, &publish).await;
    again.is_error(409, "moderation_blocked");
    assert_eq!(again.body["error"]["details"], refused.body["error"]["details"]);
    let patch = json!({"promptText": "Call the API with {{key}} and sum up."});
    let patched = account.send(Method::PATCH, &path, &patch).await.data(200).clone();
    assert_eq!(patched["moderation"], "none");
    assert_eq!(patched["moderationReason"], json!(null));
    assert_eq!(post(&account, &publish).await.data(200)["visibility"], "community");
}

#[tokio::test]
async fn a_blocked_item_is_never_published_again() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let reader = world.account(Plan::Free).await;
    let path = published(&account, &small("A trip")).await;
    assert_eq!(titles(&page(&reader, "scope=community").await), ["A trip"]);
    block(&world, &path).await;
    assert_eq!(page(&reader, "scope=community").await["total"], 0);
    reader.get(&path).await.is_error(404, "not_found");
    let item = account.get(&path).await.data(200).clone();
    assert_eq!(item["moderation"], "blocked");
    assert_eq!(item["moderationReason"], "operator", "whatever its text is");
    let publish = format!("{path}/publish");
    post(&account, &publish).await.is_error(409, "moderation_blocked");
    let patch = json!({"promptText": "Something else."});
    let patched = account.send(Method::PATCH, &path, &patch).await.data(200).clone();
    assert_eq!(patched["moderation"], "blocked");
    post(&account, &publish).await.is_error(409, "moderation_blocked");
    assert_eq!(page(&account, "scope=community").await["total"], 0);
}

#[tokio::test]
async fn a_blocked_item_takes_no_votes_but_gives_them_back() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let path = published(&account, &small("A trip")).await;
    post(&account, &format!("{path}/vote")).await.data(200);
    block(&world, &path).await;
    post(&account, &format!("{path}/saved")).await.is_error(409, "moderation_blocked");
    assert_eq!(post(&account, &format!("{path}/vote")).await.data(200)["voted"], false);
    post(&account, &format!("{path}/vote")).await.is_error(409, "moderation_blocked");
    assert_eq!(page(&account, "scope=upvoted").await["total"], 0);
}

#[tokio::test]
async fn a_blocked_prompt_is_not_published_in_another_item_either() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let other = world.account(Plan::Pro).await;
    let mut item = small("A trip");
    item["promptText"] = "Plan three days in {{city}} for people who travel with a pram.".into();
    let path = published(&account, &item).await;
    block(&world, &path).await;
    account.delete(&path).await.data(200);
    item["title"] = "Another title".into();
    item["promptText"] = "plan THREE days, in {{ city }} for people who travel with a pram!".into();
    for account in [&account, &other] {
        let copy = created(account, &item).await;
        post(account, &format!("{copy}/publish")).await.is_error(409, "moderation_blocked");
        assert_eq!(account.get(&copy).await.data(200)["visibility"], "private");
    }
    item["promptText"] = "Plan two evenings in {{city}} for people who travel by train.".into();
    published(&other, &item).await;
    assert_eq!(titles(&page(&other, "scope=community").await), ["Another title"]);
}

#[tokio::test]
async fn a_refused_item_is_not_asked_about_again_for_what_is_not_judged() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let path = created(&account, &with_secret("Sum up")).await;
    let publish = format!("{path}/publish");
    post(&account, &publish).await.is_error(409, "moderation_blocked");
    let patch = json!({"tokenEstimate": {"input": 9}, "recommendedModels": ["FLUX.2"]});
    let patched = account.send(Method::PATCH, &path, &patch).await.data(200).clone();
    assert_eq!(patched["moderation"], "blocked");
    let again = post(&account, &publish).await;
    again.is_error(409, "moderation_blocked");
    assert_eq!(again.problem_paths(), ["/promptText"]);
    assert_eq!(account.get(&path).await.data(200)["updatedAt"], patched["updatedAt"]);
}

#[tokio::test]
async fn a_blocked_prompt_with_a_few_other_letters_is_not_published_either() {
    let world = World::start().await;
    let account = world.account(Plan::Max).await;
    let mut item = small("A trip");
    let text = "Plan three days in {{city}} for people who travel with a pram, and name each stop.";
    item["promptText"] = text.into();
    let path = published(&account, &item).await;
    block(&world, &path).await;
    item["title"] = "Another title".into();
    for (changed, blocked) in [
        (text.replace("three", "threa"), true),
        (text.replace("people", "peopIe"), true),
        (format!("Please. {text}"), true),
        (text.replace("name each stop", "name every stop"), true),
        (
            "Write a poem about {{city}} in which nobody travels and nothing stops.".to_owned(),
            false,
        ),
        (
            "Plan two evenings in {{city}} for friends who like music and good food.".to_owned(),
            false,
        ),
    ] {
        item["promptText"] = changed.as_str().into();
        let copy = created(&account, &item).await;
        let answer = post(&account, &format!("{copy}/publish")).await;
        if blocked {
            answer.is_error(409, "moderation_blocked");
        } else {
            assert_eq!(answer.data(200)["visibility"], "community", "{changed}");
        }
    }
    unblock(&world, &path).await;
    item["promptText"] = text.replace("three", "threa").into();
    published(&account, &item).await;
}

/// An account of this name.
async fn named(world: &World, name: &str) -> Account {
    let id = AccountId::new(&*world.clock, &SystemRandom);
    world.store.create_account(id, name, Plan::Pro).await.expect("a new account");
    world.key(id, Scopes::ALL, None).await
}

#[tokio::test]
async fn nobody_publishes_under_a_reserved_or_a_foul_name() {
    let world = World::start().await;
    for name in ["Official Support", "0penAI", "Adm\u{131}n", "dirty faggots"] {
        let account = named(&world, name).await;
        let path = created(&account, &small("A trip")).await;
        let refused = post(&account, &format!("{path}/publish")).await;
        refused.is_error(409, "moderation_blocked");
        assert_eq!(refused.problem_paths(), ["/author"], "{name}");
    }
    let account = named(&world, "Ada of the travel club").await;
    assert_eq!(
        account.get(&published(&account, &small("A trip")).await).await.data(200)["author"]["name"],
        "Ada of the travel club"
    );
}
