use std::{collections::BTreeSet, time::Duration};

use acceptance::{Account, World, account::fresh_key, scripted_engine::Behavior};
use domain::Plan;
use serde_json::{Value, json};
use store::admission::Limits;

async fn pages(account: &Account, query: &str, limit: usize) -> Vec<Value> {
    let mut items = Vec::new();
    let mut cursor = String::new();
    loop {
        let answer = account.get(&format!("/operations?limit={limit}{query}{cursor}")).await;
        let data = answer.data(200);
        let page = data["items"].as_array().expect("a list");
        assert!(page.len() <= limit);
        items.extend(page.iter().cloned());
        match data["nextCursor"].as_str() {
            Some(next) => {
                assert_eq!(page.len(), limit, "only the last page is short");
                cursor = format!("&cursor={next}");
            }
            None => return items,
        }
    }
}

fn ids(items: &[Value]) -> Vec<&str> {
    items.iter().map(|item| item["id"].as_str().expect("an id")).collect()
}

/// 12 operations: 5 succeeded, 3 failed, 2 cancelled, 2 pending.
async fn populate(world: &World, account: &Account) {
    let goal = json!({"message": "A haiku"});
    let later = async || {
        world.clock.advance(Duration::from_millis(5));
        account.generate_async(&fresh_key(), &goal).await.data(202)["id"]
            .as_str()
            .expect("an id")
            .to_owned()
    };
    for _ in 0..5 {
        later().await;
    }
    world.process().await;
    world.engine.set(Behavior::Fails(engine::EngineError::Timeout));
    for _ in 0..3 {
        later().await;
    }
    world.process().await;
    for _ in 0..2 {
        let id = later().await;
        account.delete(&format!("/operations/{id}")).await.data(200);
    }
    later().await;
    later().await;
}

#[tokio::test]
async fn pages_are_newest_first_and_complete_for_every_filter() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    populate(&world, &account).await;
    let all = pages(&account, "", 100).await;
    assert_eq!(all.len(), 12);
    let mut newest_first = ids(&all);
    newest_first.sort_by(|a, b| b.cmp(a));
    assert_eq!(ids(&all), newest_first);
    for (status, count) in
        [("SUCCEEDED", 5), ("FAILED", 3), ("CANCELLED", 2), ("PENDING", 2), ("RUNNING", 0)]
    {
        let expected: Vec<_> =
            all.iter().filter(|item| item["status"] == status).cloned().collect();
        assert_eq!(expected.len(), count);
        for kind in ["", "&kind=generatePrompt"] {
            for limit in [1, 2, 100] {
                let found = pages(&account, &format!("&status={status}{kind}"), limit).await;
                assert_eq!(found, expected, "{status} {kind} {limit}");
            }
        }
    }
    for limit in [1, 5, 12] {
        assert_eq!(pages(&account, "", limit).await, all);
        assert_eq!(pages(&account, "&kind=generatePrompt", limit).await, all);
    }
    assert_eq!(pages(&account, "&kind=refinePrompt", 5).await, [] as [Value; 0]);
    assert_eq!(pages(&account, "&kind=generateprompt", 5).await, [] as [Value; 0]);
}

#[tokio::test]
async fn the_default_page_has_25_and_leaves_results_out() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    for _ in 0..26 {
        account.generate(&fresh_key(), &json!({"message": "A haiku"})).await.data(200);
    }
    let answer = account.get("/operations").await;
    let data = answer.data(200);
    let items = data["items"].as_array().expect("a list");
    assert_eq!(items.len(), 25);
    assert!(data["nextCursor"].is_string());
    for item in items {
        assert_eq!(item["result"], Value::Null);
        assert!(item["resultExpiresAt"].is_string());
    }
    let distinct: BTreeSet<_> = ids(items).into_iter().collect();
    assert_eq!(distinct.len(), 25);
}

#[tokio::test]
async fn a_cursor_opens_only_the_list_that_it_came_from() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let other = world.account(Plan::Max).await;
    populate(&world, &account).await;
    let page = account.get("/operations?limit=2&status=SUCCEEDED").await.data(200).clone();
    let cursor = page["nextCursor"].as_str().expect("more");
    let same = format!("/operations?limit=3&status=SUCCEEDED&cursor={cursor}");
    account.get(&same).await.data(200);
    let mut tampered = cursor.to_owned();
    let last = tampered.pop().expect("a character");
    tampered.push(if last == 'A' { 'B' } else { 'A' });
    for foreign in [
        format!("/operations?limit=2&cursor={cursor}"),
        format!("/operations?limit=2&status=FAILED&cursor={cursor}"),
        format!("/operations?limit=2&status=SUCCEEDED&kind=generatePrompt&cursor={cursor}"),
        format!("/operations?limit=2&status=SUCCEEDED&cursor={tampered}"),
        "/operations?cursor=".to_owned(),
        "/operations?cursor=abc".to_owned(),
        "/operations?cursor=%00".to_owned(),
    ] {
        let answer = account.get(&foreign).await;
        answer.is_error(400, "invalid_request");
        assert_eq!(answer.problem_paths(), ["query.cursor"], "{foreign}");
    }
    other.get(&same).await.is_error(400, "invalid_request");
}

#[tokio::test]
async fn every_bad_parameter_is_named() {
    let world = World::start().await;
    let account = world.account(Plan::Max).await;
    let kind = "k".repeat(101);
    let answer = account
        .get(&format!("/operations?status=DONE&kind={kind}&limit=101&Cursor=2&limit=5"))
        .await;
    answer.is_error(400, "invalid_request");
    let mut paths = answer.problem_paths();
    paths.sort();
    assert_eq!(paths, ["query.Cursor", "query.kind", "query.limit", "query.status"]);
    for limit in ["0", "101", "-1", "1.5", "ten", "", "99999999999999999999"] {
        let answer = account.get(&format!("/operations?limit={limit}")).await;
        answer.is_error(400, "invalid_request");
        assert_eq!(answer.problem_paths(), ["query.limit"], "{limit}");
    }
}
