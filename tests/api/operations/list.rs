use std::{collections::BTreeSet, time::Duration};

use acceptance::{Account, World, account::fresh_key, scripted_engine::Behavior};
use domain::{OperationId, Plan, Status};
use serde_json::{Value, json};
use store::{admission::Limits, keys};

/// The items of each page.
async fn each_page(account: &Account, query: &str, limit: usize) -> Vec<Vec<Value>> {
    let mut pages = Vec::new();
    let mut cursor = String::new();
    loop {
        let answer = account.get(&format!("/operations?limit={limit}{query}{cursor}")).await;
        let data = answer.data(200);
        let page = data["items"].as_array().expect("a list");
        assert!(page.len() <= limit);
        pages.push(page.clone());
        match data["nextCursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return pages,
        }
    }
}

/// All items, by pages of which only the last one is short.
async fn pages(account: &Account, query: &str, limit: usize) -> Vec<Value> {
    let pages = each_page(account, query, limit).await;
    let full = pages.iter().rev().skip(1);
    assert!(full.into_iter().all(|page| page.len() == limit), "only the last page is short");
    pages.concat()
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
async fn what_has_not_ended_is_found_behind_newer_operations_on_a_later_page_if_they_are_many() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let goal = json!({"message": "A haiku"});
    let waiting = account.generate_async(&fresh_key(), &goal).await.data(202)["id"].clone();
    world.clock.advance(Duration::from_millis(5));
    account.generate(&fresh_key(), &goal).await.data(200);
    let ended: OperationId = account.get("/operations?status=SUCCEEDED").await.data(200)["items"]
        [0]["id"]
        .as_str()
        .expect("an id")
        .parse()
        .expect("ours");
    let key = |bits| keys::operation(account.id, OperationId::from_bits(bits));
    let list_key = |bits| {
        let unique = OperationId::from_bits(bits).unique();
        keys::operation_with_status(Status::Succeeded, &unique)
    };
    let mut ended_ones = 1;
    for (more, calls, is_short) in [(1_000, 3, false), (100, 3, true)] {
        world.copied(key(ended.bits()), key, list_key, more, Duration::from_millis(1)).await;
        ended_ones += more;
        world.faults.reset();
        let first = account.get("/operations?status=PENDING").await.data(200).clone();
        assert_eq!(world.faults.count("Query"), calls);
        let found = first["items"].as_array().expect("a list").len();
        assert_eq!(found, usize::from(!is_short));
        assert_eq!(first["nextCursor"].is_string(), is_short);
        let all = each_page(&account, "&kind=generatePrompt", 100).await.concat();
        assert_eq!(all.len(), ended_ones + 1);
        assert_eq!(all.last().expect("one")["id"], waiting);
        let distinct: BTreeSet<_> = ids(&all).into_iter().collect();
        assert_eq!(distinct.len(), all.len());
    }
    let found = each_page(&account, "&status=PENDING", 25).await.concat();
    assert_eq!(ids(&found), [waiting.as_str().expect("an id")]);
}

#[tokio::test]
async fn pages_after_one_that_has_all_that_runs_read_no_more_than_without() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    populate(&world, &account).await;
    for (filter, pages, most) in [("kind=generatePrompt", 6, 3), ("status=PENDING", 2, 1)] {
        let mut cursor = String::new();
        for number in 0..pages {
            world.faults.reset();
            let limit = if filter.starts_with("kind") { 2 } else { 1 };
            let path = format!("/operations?{filter}&limit={limit}{cursor}");
            let page = account.get(&path).await.data(200).clone();
            let queries = world.faults.count("Query");
            assert!(queries <= most + usize::from(number == 0), "{filter}, {number}: {queries}");
            assert_eq!(page["items"].as_array().expect("a list").len(), limit);
            cursor = format!("&cursor={}", page["nextCursor"].as_str().unwrap_or_default());
        }
        assert_eq!(cursor, "&cursor=", "{filter}");
    }
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
