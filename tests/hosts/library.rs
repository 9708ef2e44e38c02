//! The library: private, published, reacted to, searched.

use acceptance::{Account, Answer, account::fresh_key, uploads::id_of};
use domain::Plan;
use reqwest::Method;
use serde_json::{Value, json};

use crate::host;

const ITEMS: &str = "/library/items";

async fn post(account: &Account, path: &str) -> Answer {
    Answer::to(account.request(Method::POST, path)).await
}

async fn page(account: &Account, query: &[(&str, &str)]) -> Value {
    account.search(ITEMS, query).await.data(200).clone()
}

/// An item with a word in its title that no other one has.
fn item() -> (String, Value) {
    let word = fresh_key().replace('-', "x");
    let body = json!({
        "title": format!("City trips {word}"),
        "promptText": "Plan three days in {{city}}.",
        "description": "A trip that people with a pram can make.",
        "recommendedModels": ["Universal", "Claude Opus 5.5"],
        "category": "Travel",
        "tokenEstimate": {"input": 40, "output": 900},
    });
    (word, body)
}

#[tokio::test]
async fn an_item_is_private_until_it_is_published() {
    let host = host().await;
    let account = host.account().await;
    let (word, body) = item();
    let made = account.send(Method::POST, ITEMS, &body).await.data(200).clone();
    let path = format!("{ITEMS}/{}", id_of(&made));
    for (property, value) in body.as_object().expect("properties") {
        assert_eq!(made[property], *value, "{property}");
    }
    assert_eq!((&made["visibility"], &made["owned"]), (&json!("private"), &json!(true)));
    let community = [("scope", "community"), ("query", &*word)];
    assert_eq!(page(&account, &community).await["total"], 0);
    let stranger = host.other_account().await;
    if let Some(stranger) = &stranger {
        stranger.get(&path).await.is_error(404, "not_found");
    }
    let renamed = json!({"description": "Another"});
    let renamed = account.send(Method::PATCH, &path, &renamed).await.data(200).clone();
    assert_eq!((&renamed["description"], &renamed["title"]), (&json!("Another"), &made["title"]));

    let published = post(&account, &format!("{path}/publish")).await.data(200).clone();
    assert_eq!(
        (&published["visibility"], &published["moderation"]),
        (&json!("community"), &json!("approved"))
    );
    let locked = account.send(Method::PATCH, &path, &json!({"title": "Another"})).await;
    locked.is_error(409, "item_published");
    let found = page(&account, &community).await;
    assert_eq!((&found["total"], &found["items"][0]), (&json!(1), &published), "at once");
    if let Some(stranger) = &stranger {
        let (id, vote) = (&made["id"], format!("{path}/vote"));
        let state = |voted: bool, votes: u32, saved: bool, saves: u32| json!({"id": id, "voted": voted, "saved": saved, "voteCount": votes, "saveCount": saves});
        assert_eq!(*post(stranger, &vote).await.data(200), state(true, 1, false, 0));
        let saved = post(stranger, &format!("{path}/saved")).await;
        assert_eq!(*saved.data(200), state(true, 1, true, 1));
        assert_eq!(page(stranger, &[("scope", "saved")]).await["items"][0]["id"], *id);
        assert_eq!(page(stranger, &[("scope", "upvoted")]).await["items"][0]["id"], *id);
        assert_eq!(*post(stranger, &vote).await.data(200), state(false, 0, true, 1));
        stranger.delete(&path).await.is_error(404, "not_found");
    }
    let back = account.delete(&format!("{path}/publish")).await.data(200).clone();
    assert_eq!((&back["visibility"], &back["publishedAt"]), (&json!("private"), &Value::Null));
    assert_eq!(page(&account, &community).await["total"], 0);
    assert_eq!(*account.delete(&path).await.data(200), json!({"id": made["id"], "deleted": true}));
    account.get(&path).await.is_error(404, "not_found");
}

#[tokio::test]
async fn pages_of_own_items_are_counted_and_sorted() {
    let host = host().await;
    let account = host.account().await;
    let word = fresh_key().replace('-', "y");
    let mut made = Vec::new();
    for number in 0..3 {
        let (_, mut body) = item();
        body["title"] = format!("{word} {number}").into();
        made.insert(0, account.send(Method::POST, ITEMS, &body).await.data(200)["id"].clone());
    }
    for (number, id) in made.iter().enumerate() {
        let number = (number + 1).to_string();
        let query =
            [("query", &*word), ("pageSize", "1"), ("page", &*number), ("models", "Universal")];
        let found = page(&account, &query).await;
        assert_eq!((&found["items"][0]["id"], &found["total"]), (id, &json!(3)), "{found}");
        assert_eq!(found["hasMore"], number != "3");
    }
    let none = [("query", &*word), ("models", "FLUX.2")];
    assert_eq!(page(&account, &none).await["total"], 0);
    let wrong = account.get("/library/items?scope=all&pageSize=31").await;
    wrong.is_error(400, "invalid_request");
    assert_eq!(wrong.problem_paths(), ["query.scope", "query.pageSize"]);
}

#[tokio::test]
async fn official_items_are_there_for_everybody() {
    let host = host().await;
    let account = host.account().await;
    let found = page(&account, &[("scope", "official"), ("pageSize", "3")]).await;
    let items = found["items"].as_array().expect("a list");
    assert_eq!(items.len(), 3, "{found}");
    assert!(items.iter().all(|item| item["visibility"] == "official" && item["owned"] == false));
}

#[tokio::test]
async fn publishing_needs_a_paid_plan_and_a_text_that_may_be_seen() {
    let host = host().await;
    let account = host.account().await;
    let (_, mut body) = item();
    body["promptText"] = "Call the API with the key AKIAIOSFODNN7EXAMPLQ and sum up.".into();
    let made = account.send(Method::POST, ITEMS, &body).await.data(200).clone();
    let refused = post(&account, &format!("{ITEMS}/{}/publish", id_of(&made))).await;
    refused.is_error(409, "moderation_blocked");
    let Some(free) = host.on_plan(Plan::Free).await else { return };
    let made = free.send(Method::POST, ITEMS, &item().1).await.data(200).clone();
    let refused = post(&free, &format!("{ITEMS}/{}/publish", id_of(&made))).await;
    refused.is_error(403, "plan_required");
}
