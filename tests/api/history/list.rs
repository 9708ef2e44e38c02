use std::time::Duration;

use acceptance::{Account, World, account::fresh_key};
use domain::Plan;
use serde_json::{Value, json};
use store::admission::Limits;

async fn generate(account: &Account, message: &str) -> Value {
    account.generate(&fresh_key(), &json!({"message": message})).await.data(200).clone()
}

fn titles(page: &Value) -> Vec<&str> {
    let items = page["items"].as_array().expect("a list");
    items.iter().map(|item| item["title"].as_str().expect("a title")).collect()
}

#[tokio::test]
async fn pages_are_newest_first_and_join_without_gap_or_overlap() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let mut made = Vec::new();
    for number in 0..7 {
        let message = format!("Write a haiku about mountain number {number}");
        made.insert(0, generate(&account, &message).await["generationId"].clone());
        world.clock.advance(Duration::from_millis(5));
    }
    let mut seen = Vec::new();
    for offset in [0, 3, 6] {
        let path = format!("/history?type=generation&limit=3&offset={offset}");
        let page = account.get(&path).await.data(200).clone();
        assert_eq!(page["limit"], 3);
        assert_eq!(page["offset"], offset);
        assert_eq!(page["hasMore"], offset < 6);
        seen.extend(page["items"].as_array().expect("a list").iter().map(|one| one["id"].clone()));
    }
    assert_eq!(seen, made);
    let beyond = account.get("/history?type=generation&offset=7").await;
    assert_eq!(
        *beyond.data(200),
        json!({"items": [], "limit": 25, "offset": 7, "hasMore": false, "searchedAll": true})
    );
}

#[tokio::test]
async fn a_list_has_one_type_and_optimizations_unless_asked() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    generate(&account, "A haiku about the sea").await;
    let prompt = json!({"prompt": "Write something about the sea, 40 words"});
    let optimized = account.post("/prompts/optimize", &fresh_key(), &prompt).await;
    let refine = json!({"prompt": "Write about the sea", "feedback": "Use a warm tone"});
    let refined = account.post("/prompts/refine", &fresh_key(), &refine).await;
    let ids = |page: &Value| -> Vec<Value> {
        page["items"].as_array().expect("a list").iter().map(|one| one["id"].clone()).collect()
    };
    let default = account.get("/history").await.data(200).clone();
    assert_eq!(ids(&default), [optimized.data(200)["optimizationId"].clone()]);
    let item = &default["items"][0];
    assert_eq!(item["type"], "optimization");
    assert_eq!(item["versionCount"], 1);
    assert_eq!(item["targetModel"], "Universal");
    assert_eq!(item["language"], "en");
    assert_eq!(item["excerpt"], "Write something about the sea, 40 words");
    assert_eq!(item["createdAt"], "2026-03-15T12:00:00.000Z");
    assert_eq!(item["updatedAt"], "2026-03-15T12:00:00.000Z");
    let refinements = account.get("/history?type=refinement").await.data(200).clone();
    assert_eq!(ids(&refinements), [refined.data(200)["refinementId"].clone()]);
    for offset in ["2147483648", "9223372036854775807"] {
        let beyond = account.get(&format!("/history?offset={offset}")).await.data(200).clone();
        assert_eq!((&beyond["items"], &beyond["hasMore"]), (&json!([]), &json!(false)));
    }
    let answer = account.get("/history?type=library&limit=0&offset=-1&serch=2").await;
    answer.is_error(400, "invalid_request");
    let mut paths = answer.problem_paths();
    paths.sort_unstable();
    assert_eq!(paths, ["query.limit", "query.offset", "query.serch", "query.type"]);
}

#[tokio::test]
async fn search_looks_into_title_and_excerpt_whatever_the_case() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    for message in ["Write a haiku about Ärger", "Plan a trip to Lisbon", "เขียนบทความเรื่องชา"]
    {
        generate(&account, message).await;
        world.clock.advance(Duration::from_millis(5));
    }
    let search = async |text: &str| {
        let escaped: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let path = format!("/history?type=generation&search={escaped}");
        account.get(&path).await.data(200).clone()
    };
    assert_eq!(titles(&search("lisbon").await).len(), 1);
    assert_eq!(titles(&search("LISBON").await).len(), 1);
    assert_eq!(titles(&search("ärger").await).len(), 1);
    assert_eq!(titles(&search("ÄRGER").await).len(), 1);
    assert_eq!(titles(&search("บทความ").await).len(), 1);
    assert_eq!(titles(&search("zeppelin").await).len(), 0);
    assert_eq!(titles(&search("").await).len(), 3);
    let page = account.get("/history?type=generation&search=a&limit=1").await;
    assert_eq!(page.data(200)["items"].as_array().map(Vec::len), Some(1));
    assert_eq!(page.data(200)["hasMore"], true);
    let long = format!("/history?search={}", "x".repeat(201));
    account.get(&long).await.is_error(400, "invalid_request");
}

#[tokio::test]
async fn nobody_sees_the_history_of_another() {
    let world = World::start().await;
    let (owner, other) = (world.account(Plan::Pro).await, world.account(Plan::Pro).await);
    generate(&owner, "A haiku about the sea").await;
    let listed = other.get("/history?type=generation").await;
    assert_eq!(listed.data(200)["items"], json!([]));
}
