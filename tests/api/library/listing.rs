//! Pages of the library, their order and their totals.

use std::time::Duration;

use acceptance::World;
use domain::Plan;
use reqwest::Method;
use serde_json::json;
use store::admission::Limits;

use super::{ITEMS, created, page, post, published, small, titles};

#[tokio::test]
async fn pages_cover_the_list_and_say_how_long_it_is() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let mut newest_first = Vec::new();
    for number in 0..65 {
        let title = format!("Number {number}");
        created(&account, &small(&title)).await;
        world.clock.advance(Duration::from_millis(1));
        newest_first.insert(0, title);
    }
    let mut seen = Vec::new();
    for (number, length, has_more) in [(1, 30, true), (2, 30, true), (3, 5, false), (4, 0, false)] {
        let page = page(&account, &format!("page={number}")).await;
        assert_eq!((&page["page"], &page["pageSize"]), (&json!(number), &json!(30)));
        assert_eq!((&page["total"], &page["hasMore"]), (&json!(65), &json!(has_more)));
        assert_eq!(titles(&page).len(), length);
        seen.extend(titles(&page).into_iter().map(ToOwned::to_owned));
    }
    assert_eq!(seen, newest_first);
    let small = page(&account, "page=7&pageSize=9").await;
    assert_eq!(titles(&small), newest_first[54..63].iter().collect::<Vec<_>>());
    let exact = page(&account, "page=13&pageSize=5").await;
    assert_eq!((titles(&exact).len(), &exact["hasMore"]), (5, &json!(false)));
    for beyond in ["2147483648", "4294967297", "9223372036854775807"] {
        assert_eq!(page(&account, &format!("page={beyond}")).await["items"], json!([]));
    }
}

#[tokio::test]
async fn a_list_is_sorted_by_publication_or_by_votes() {
    let world = World::with_limits(Limits::Lifted).await;
    let owner = world.account(Plan::Max).await;
    let mut paths = Vec::new();
    for title in ["A", "B", "C"] {
        paths.push(created(&owner, &small(title)).await);
        world.clock.advance(Duration::from_secs(1));
    }
    // Published in another order than created.
    for path in [&paths[1], &paths[2], &paths[0]] {
        post(&owner, &format!("{path}/publish")).await.data(200);
        world.clock.advance(Duration::from_secs(1));
    }
    assert_eq!(titles(&page(&owner, "scope=community").await), ["A", "C", "B"]);
    assert_eq!(titles(&page(&owner, "scope=my").await), ["C", "B", "A"]);
    for (path, voters) in [(&paths[1], 2), (&paths[0], 1)] {
        for _ in 0..voters {
            let voter = world.account(Plan::Free).await;
            post(&voter, &format!("{path}/vote")).await.data(200);
            world.clock.advance(Duration::from_millis(1));
        }
    }
    world.clock.advance(Duration::from_secs(1));
    for _ in 0..2 {
        for scope in ["community", "my"] {
            let top = page(&owner, &format!("scope={scope}&sort=top")).await;
            assert_eq!(titles(&top), ["B", "A", "C"], "{scope}");
            assert_eq!(top["items"][0]["voteCount"], 2);
        }
        super::count_votes(&world).await;
    }
}

#[tokio::test]
async fn a_list_without_a_scope_is_ones_own() {
    let world = World::start().await;
    let owner = world.account(Plan::Pro).await;
    let other = world.account(Plan::Pro).await;
    created(&owner, &small("Mine")).await;
    published(&other, &small("Theirs")).await;
    assert_eq!(titles(&page(&owner, "").await), ["Mine"]);
    assert_eq!(titles(&page(&owner, "scope=my").await), ["Mine"]);
    assert_eq!(titles(&page(&owner, "scope=community").await), ["Theirs"]);
}

#[tokio::test]
async fn every_parameter_has_bounds() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let long = |length| "x".repeat(length);
    let query = format!(
        "scope=all&query={}&category={}&models=Universal,GPT-1,GPT-2&sort=best&page=0&pageSize=31&Page=1",
        long(201),
        long(121)
    );
    let answer = account.get(&format!("{ITEMS}?{query}")).await;
    answer.is_error(400, "invalid_request");
    let mut paths = answer.problem_paths();
    paths.sort_unstable();
    assert_eq!(
        paths,
        [
            "query.Page",
            "query.category",
            "query.models/1",
            "query.models/2",
            "query.page",
            "query.pageSize",
            "query.query",
            "query.scope",
            "query.sort",
        ]
    );
    for bad in [
        "page=x",
        "pageSize=0",
        "page=1&page=2",
        "page=0",
        "models=universal",
        "page=9223372036854775808",
        "page=99999999999999999999",
    ] {
        account.get(&format!("{ITEMS}?{bad}")).await.is_error(400, "invalid_request");
    }
    created(&account, &small("A trip")).await;
    for good in [
        "query=",
        "query=%20",
        "category=",
        "models=",
        "models=,%20Universal%20",
        "pageSize=30",
        "pageSize=1",
    ] {
        assert_eq!(page(&account, good).await["total"], 1, "{good}");
    }
}

#[tokio::test]
async fn what_one_changes_oneself_shows_at_once() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let path = created(&account, &small("Old")).await;
    assert_eq!(titles(&page(&account, "query=old").await), ["Old"]);
    account.send(Method::PATCH, &path, &json!({"title": "New"})).await.data(200);
    assert_eq!(titles(&page(&account, "query=new").await), ["New"]);
    assert_eq!(page(&account, "query=old").await["total"], 0);
    account.delete(&path).await.data(200);
    assert_eq!(page(&account, "query=new").await["total"], 0);
}

/// Control characters take seven bytes each in a response as Lambda returns it.
#[tokio::test]
async fn a_page_that_is_larger_than_a_response_is_refused_and_a_smaller_page_is_not() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let mut item = small("Controls");
    for (field, length) in [
        ("promptText", 20_000),
        ("whatThisPromptDoes", 1_500),
        ("tipsForThisPrompt", 1_500),
        ("howToUsePrompt", 1_500),
        ("exampleText", 5_000),
    ] {
        item[field] = "\u{1}".repeat(length).into();
    }
    for _ in 0..30 {
        created(&account, &item).await;
    }
    account.get(ITEMS).await.is_error(400, "content_too_large");
    assert_eq!(titles(&page(&account, "pageSize=28").await).len(), 28);
}
