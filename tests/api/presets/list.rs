use std::time::Duration;

use acceptance::{Account, World};
use domain::{Plan, response_size::escaped_len};
use serde_json::{Value, json};
use store::admission::Limits;

use super::{PRESETS, created, largest_values, names, small};

async fn page(account: &Account, query: &str) -> Value {
    account.get(&format!("{PRESETS}?{query}")).await.data(200).clone()
}

#[tokio::test]
async fn pages_are_newest_first_and_join_without_gap_or_overlap() {
    let world = World::with_limits(Limits::Lifted).await;
    let (account, other) = (world.account(Plan::Max).await, world.account(Plan::Max).await);
    created(&other, &small("another's")).await;
    let mut made = Vec::new();
    for number in 0..130 {
        let name = format!("n{number}");
        created(&account, &small(&name)).await;
        made.insert(0, name);
        world.clock.advance(Duration::from_millis(number % 3));
    }
    // What was made in the same millisecond has some order, always the same one.
    let all = page(&account, "limit=100").await;
    let rest = page(&account, "limit=100&offset=100").await;
    let order: Vec<_> = names(&all).into_iter().chain(names(&rest)).map(str::to_owned).collect();
    let sorted = |mut names: Vec<String>| {
        names.sort_unstable();
        names
    };
    assert_eq!(sorted(order.clone()), sorted(made));
    for limit in [1, 7, 25, 64] {
        let mut seen = Vec::new();
        for offset in (0..130).step_by(limit) {
            let page = page(&account, &format!("limit={limit}&offset={offset}")).await;
            assert_eq!(page["limit"], limit);
            assert_eq!(page["offset"], offset);
            assert_eq!(page["hasMore"], offset + limit < 130, "{offset} + {limit}");
            seen.extend(names(&page).into_iter().map(str::to_owned));
        }
        assert_eq!(seen, order, "pages of {limit}");
    }
    for offset in [130, 131, 2_147_483_648_u64, 9_223_372_036_854_775_807] {
        let beyond = page(&account, &format!("offset={offset}")).await;
        let empty = json!({"items": [], "limit": 25, "offset": offset, "hasMore": false, "searchedAll": true});
        assert_eq!(beyond, empty);
    }
    let beyond = page(&account, "offset=9223372036854775807&search=n").await;
    assert_eq!((&beyond["items"], &beyond["hasMore"]), (&json!([]), &json!(false)));
    for beyond in ["9223372036854775808".to_owned(), "1".repeat(40), "9".repeat(400)] {
        let answer = account.get(&format!("{PRESETS}?offset={beyond}")).await;
        let error = answer.is_error(400, "invalid_request");
        let message = "must be at most 9223372036854775807";
        assert_eq!(error["details"], json!([{"path": "query.offset", "message": message}]));
    }
}

#[tokio::test]
async fn a_search_finds_names_and_template_titles_whatever_their_case() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    for (name, title) in [
        ("Ärger mit Ämtern", "Letters"),
        ("plain", "Straße 7"),
        ("100% {{x}} #7", ""),
        ("ΜΎΘΟΣ Σ", "İstanbul"),
        ("แผนเที่ยว", "旅行計画"),
    ] {
        let mut body = small(name);
        body["templateTitle"] = title.into();
        created(&account, &body).await;
        world.clock.advance(Duration::from_millis(1));
    }
    for (search, found) in [
        ("%C3%84MTERN", vec!["Ärger mit Ämtern"]),
        ("lETTER", vec!["Ärger mit Ämtern"]),
        ("stra%C3%9Fe", vec!["plain"]),
        ("7", vec!["100% {{x}} #7", "plain"]),
        ("%25%20%7B%7BX", vec!["100% {{x}} #7"]),
        ("เที่ยว", vec!["แผนเที่ยว"]),
        ("計画", vec!["แผนเที่ยว"]),
        ("", vec!["แผนเที่ยว", "ΜΎΘΟΣ Σ", "100% {{x}} #7", "plain", "Ärger mit Ämtern"]),
        ("μύθος", vec!["ΜΎΘΟΣ Σ"]),
        ("μύθοσ", vec!["ΜΎΘΟΣ Σ"]),
        ("ΜΎΘΟΣ", vec!["ΜΎΘΟΣ Σ"]),
        ("istanbul", vec!["ΜΎΘΟΣ Σ"]),
        ("İSTANBUL", vec!["ΜΎΘΟΣ Σ"]),
        ("Lisbon", vec![]),
        ("three+days", vec![]),
    ] {
        let page = page(&account, &format!("search={search}")).await;
        assert_eq!(names(&page), found, "{search}");
    }
    let second = page(&account, "search=7&limit=1&offset=1").await;
    assert_eq!(names(&second), ["plain"]);
    assert_eq!(second["hasMore"], false);
    assert_eq!(page(&account, "search=7&limit=1").await["hasMore"], true);
}

#[tokio::test]
async fn a_query_out_of_bounds_is_refused() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    for (query, problem) in [
        ("limit=0", "query.limit"),
        ("limit=101", "query.limit"),
        ("limit=x", "query.limit"),
        ("offset=-1", "query.offset"),
        ("offset=1.5", "query.offset"),
        ("offset=", "query.offset"),
        ("offset=99999999999999999999x", "query.offset"),
        ("offset=-99999999999999999999", "query.offset"),
        ("limit=99999999999999999999", "query.limit"),
        ("ofset=1", "query.ofset"),
        ("limit=1&limit=2", "query.limit"),
    ] {
        let answer = account.get(&format!("{PRESETS}?{query}")).await;
        answer.is_error(400, "invalid_request");
        assert_eq!(answer.problem_paths(), [problem], "{query}");
    }
    let longest = "%C3%A4".repeat(200);
    account.get(&format!("{PRESETS}?search={longest}")).await.data(200);
    let longer = account.get(&format!("{PRESETS}?search={longest}x")).await;
    longer.is_error(400, "invalid_request");
}

/// The names of all presets, and the number of pages that showed them to a client that asks for as many as
/// it can get and goes on behind what it got.
async fn paged(account: &Account) -> (Vec<String>, usize) {
    let (mut seen, mut pages) = (Vec::new(), 0);
    loop {
        let path = format!("{PRESETS}?limit=100&offset={}", seen.len());
        let answer = account.request(reqwest::Method::GET, &path).send().await.expect("an answer");
        assert_eq!(answer.status(), 200);
        let bytes = answer.bytes().await.expect("a body");
        assert!(escaped_len(&bytes) < 6_000_000, "more than a function may answer with");
        let body: Value = serde_json::from_slice(&bytes).expect("JSON");
        let page = &body["data"];
        assert!(!names(page).is_empty(), "no page is empty before the end");
        seen.extend(names(page).into_iter().map(str::to_owned));
        pages += 1;
        if page["hasMore"] == false {
            return (seen, pages);
        }
        assert_eq!(page["limit"], names(page).len());
    }
}

#[tokio::test]
async fn a_page_counts_variables_and_what_is_escaped_twice() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    // 100 variables of 196 control characters each: 7 bytes each in prompt and again in variables.
    let variables = (0..100).map(|number| format!("{{{{{}{number:02}}}}}", "\u{1}".repeat(194)));
    let prompt: String = variables.collect();
    for number in 0..40 {
        let body = json!({"name": format!("n{number}"), "promptText": prompt, "values": {}});
        created(&account, &body).await;
        world.clock.advance(Duration::from_millis(1));
    }
    let (seen, pages) = paged(&account).await;
    assert_eq!(seen, (0..40).rev().map(|number| format!("n{number}")).collect::<Vec<_>>());
    assert_eq!(pages, 3, "14 of them fit into a page");
}

#[tokio::test]
async fn a_page_ends_early_rather_than_be_larger_than_an_answer_may_be() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    for number in 0..7 {
        let values = largest_values(number);
        let body = json!({"name": format!("n{number}"), "promptText": "p", "values": values});
        created(&account, &body).await;
        world.clock.advance(Duration::from_millis(1));
    }
    let (seen, pages) = paged(&account).await;
    assert_eq!(seen, ["n6", "n5", "n4", "n3", "n2", "n1", "n0"]);
    assert_eq!(pages, 3, "three of them fit into a page");
}
