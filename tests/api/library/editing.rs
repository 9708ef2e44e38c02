//! Creating, reading, changing and deleting one's own items.

use acceptance::World;
use domain::Plan;
use futures::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use store::admission::Limits;

use super::{ITEMS, created, full, page, post, published, small, titles};

#[tokio::test]
async fn an_item_keeps_everything_that_it_was_made_of() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let path = created(&account, &full("A trip")).await;
    let item = account.get(&path).await.data(200).clone();
    for (name, value) in full("A trip").as_object().expect("an object") {
        assert_eq!(&item[name], value, "{name}");
    }
    assert_eq!(item["author"], json!({"name": "A test"}));
    for (name, value) in [
        ("moderation", json!("none")),
        ("owned", json!(true)),
        ("voteCount", json!(0)),
        ("saveCount", json!(0)),
        ("voted", json!(false)),
        ("saved", json!(false)),
        ("publishedAt", Value::Null),
    ] {
        assert_eq!(item[name], value, "{name}");
    }
    assert_eq!(item["createdAt"], item["updatedAt"]);
}

#[tokio::test]
async fn what_is_left_out_is_null() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let path = created(&account, &small("A trip")).await;
    let item = account.get(&path).await.data(200).clone();
    for name in [
        "description",
        "whatThisPromptDoes",
        "tipsForThisPrompt",
        "howToUsePrompt",
        "exampleText",
        "tokenEstimate",
    ] {
        assert!(item.as_object().expect("an object").contains_key(name), "{name}");
        assert_eq!(item[name], Value::Null, "{name}");
    }
}

#[tokio::test]
async fn every_limit_is_reported() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let long = |length: usize| "é".repeat(length);
    let bad = json!({
        "title": long(91),
        "promptText": "",
        "description": long(401),
        "whatThisPromptDoes": long(1_501),
        "tipsForThisPrompt": long(1_501),
        "howToUsePrompt": long(1_501),
        "recommendedModels": ["Universal", "GPT-1"],
        "category": "",
        "exampleText": long(5_001),
        "tokenEstimate": {"input": -1, "output": 1.5},
        "visibility": "community",
    });
    let answer = account.send(Method::POST, ITEMS, &bad).await;
    answer.is_error(400, "invalid_request");
    let mut paths = answer.problem_paths();
    paths.sort_unstable();
    assert_eq!(
        paths,
        [
            "/category",
            "/description",
            "/exampleText",
            "/howToUsePrompt",
            "/promptText",
            "/recommendedModels/1",
            "/tipsForThisPrompt",
            "/title",
            "/tokenEstimate/input",
            "/tokenEstimate/output",
            "/visibility",
            "/whatThisPromptDoes",
        ]
    );
    for models in [json!([]), json!(vec!["Universal"; 9])] {
        let mut item = small("A trip");
        item["recommendedModels"] = models;
        let answer = account.send(Method::POST, ITEMS, &item).await;
        answer.is_error(400, "invalid_request");
        assert_eq!(answer.problem_paths(), ["/recommendedModels"]);
    }
    let missing = account.send(Method::POST, ITEMS, &json!({})).await;
    missing.is_error(400, "invalid_request");
    assert_eq!(missing.body["error"]["details"].as_array().map(Vec::len), Some(4));
}

#[tokio::test]
async fn a_whole_number_may_be_written_in_any_way() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let post = |estimate: &str| {
        let mut item = small("A trip");
        item["tokenEstimate"] = json!({"input": "estimate"});
        let item = item.to_string().replace("\"estimate\"", estimate);
        let request = account.request(Method::POST, ITEMS);
        acceptance::Answer::to(request.header("Content-Type", "application/json").body(item))
    };
    for (written, read) in [("350.0", 350), ("3.5e2", 350), ("0", 0), ("-0", 0), ("0.0", 0)] {
        assert_eq!(post(written).await.data(200)["tokenEstimate"]["input"], read, "{written}");
    }
    assert_eq!(
        post("9223372036854775807").await.data(200)["tokenEstimate"]["input"],
        9_223_372_036_854_775_807_u64
    );
    for written in ["350.5", "1e30", "9223372036854775808", "18446744073709551615"] {
        let path = "/tokenEstimate/input";
        let answer = post(written).await;
        answer.is_error(400, "invalid_request");
        assert_eq!(answer.problem_paths(), [path], "{written}");
        assert!(!answer.body.to_string().contains("u64"), "{}", answer.body);
    }
}

#[tokio::test]
async fn the_largest_item_is_kept_whole() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    // Characters that neither repeat nor compress, four bytes each.
    let mut state = 7u32;
    let mut noise = |length: usize| -> String {
        (0..length)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                char::from_u32(0x2_0000 + (state >> 12) % 0xA000).expect("an ideograph")
            })
            .collect()
    };
    let item = json!({
        "title": noise(90),
        "promptText": noise(20_000),
        "description": noise(400),
        "whatThisPromptDoes": noise(1_500),
        "tipsForThisPrompt": noise(1_500),
        "howToUsePrompt": noise(1_500),
        "recommendedModels": ["Universal"],
        "category": noise(120),
        "exampleText": noise(5_000),
    });
    let path = created(&account, &item).await;
    let read = account.get(&path).await.data(200).clone();
    for (name, value) in item.as_object().expect("an object") {
        assert!(&read[name] == value, "{name}");
    }
    assert_eq!(page(&account, "").await["items"][0], read);
}

#[tokio::test]
async fn a_patch_changes_what_it_names_and_nothing_else() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let path = created(&account, &full("A trip")).await;
    let before = account.get(&path).await.data(200).clone();
    world.clock.advance(std::time::Duration::from_secs(5));
    let patch = json!({"title": "Another trip", "description": "", "tokenEstimate": {"input": 1}});
    let patched = account.send(Method::PATCH, &path, &patch).await.data(200).clone();
    let mut expected = before.clone();
    expected["title"] = "Another trip".into();
    expected["description"] = "".into();
    expected["tokenEstimate"] = json!({"input": 1});
    expected["updatedAt"] = patched["updatedAt"].clone();
    assert_eq!(patched, expected);
    assert_ne!(patched["updatedAt"], before["updatedAt"]);
    assert_eq!(account.get(&path).await.data(200), &patched);
    let ignored = account.send(Method::PATCH, &path, &json!({"visibility": "community"})).await;
    assert_eq!(ignored.data(200), &patched);
}

#[tokio::test]
async fn patches_at_once_are_all_kept() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let path = created(&account, &small("A trip")).await;
    let fields =
        ["description", "whatThisPromptDoes", "tipsForThisPrompt", "howToUsePrompt", "exampleText"];
    let patches = fields.map(|field| {
        let (account, path) = (&account, &path);
        async move { account.send(Method::PATCH, path, &json!({field: field})).await }
    });
    for answer in world.advancing_time(join_all(patches)).await {
        answer.data(200);
    }
    let item = account.get(&path).await.data(200).clone();
    for field in fields {
        assert_eq!(item[field], field);
    }
}

#[tokio::test]
async fn the_text_of_a_published_item_stays_as_everybody_knows_it() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let path = published(&account, &small("A trip")).await;
    let patch = json!({"title": "Another trip"});
    account.send(Method::PATCH, &path, &patch).await.is_error(409, "item_published");
    assert_eq!(account.get(&path).await.data(200)["title"], "A trip");
    account.delete(&format!("{path}/publish")).await.data(200);
    assert_eq!(account.send(Method::PATCH, &path, &patch).await.data(200)["title"], "Another trip");
}

#[tokio::test]
async fn what_moderation_does_not_read_changes_while_an_item_is_published() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    let reader = world.account(Plan::Free).await;
    let path = published(&account, &small("A trip")).await;
    let before = account.get(&path).await.data(200).clone();
    world.clock.advance(std::time::Duration::from_secs(1));
    let same = json!({"title": "A trip", "recommendedModels": before["recommendedModels"], "tokenEstimate": null});
    for unchanged in [json!({}), same, before.clone()] {
        let patched = account.send(Method::PATCH, &path, &unchanged).await;
        assert_eq!(*patched.data(200), before, "{unchanged}");
    }
    let patch = json!({"recommendedModels": ["FLUX.2"], "tokenEstimate": {"input": 9}});
    let patched = account.send(Method::PATCH, &path, &patch).await.data(200).clone();
    for name in ["recommendedModels", "tokenEstimate"] {
        assert_eq!(patched[name], patch[name], "{name}");
    }
    for name in ["visibility", "moderation", "publishedAt", "promptText"] {
        assert_eq!(patched[name], before[name], "{name}");
    }
    assert_eq!(page(&reader, "scope=community&models=FLUX.2").await["total"], 1);
    assert_eq!(page(&reader, "scope=community&models=Universal").await["total"], 0);
    // A text beside them changes nothing at all.
    let both = json!({"recommendedModels": ["Universal"], "description": "Another"});
    account.send(Method::PATCH, &path, &both).await.is_error(409, "item_published");
    assert_eq!(account.get(&path).await.data(200)["recommendedModels"], json!(["FLUX.2"]));
}

#[tokio::test]
async fn an_item_that_was_read_can_be_sent_back_and_null_unsets_what_answers_show_as_null() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    for item in [small("A trip"), full("A trip")] {
        let path = created(&account, &item).await;
        let read = account.get(&path).await.data(200).clone();
        let copy = account.send(Method::POST, ITEMS, &read).await.data(200).clone();
        assert_ne!(copy["id"], read["id"]);
        for name in item.as_object().expect("an object").keys() {
            assert_eq!(copy[name], read[name], "{name}");
        }
        assert_eq!(*account.send(Method::PATCH, &path, &read).await.data(200), read);
        for name in [
            "description",
            "whatThisPromptDoes",
            "tipsForThisPrompt",
            "howToUsePrompt",
            "exampleText",
            "tokenEstimate",
        ] {
            let patched = account.send(Method::PATCH, &path, &json!({ name: null })).await;
            assert_eq!(patched.data(200)[name], Value::Null, "{name}");
            assert_eq!(account.get(&path).await.data(200)[name], Value::Null, "{name}");
        }
        for name in ["title", "promptText", "recommendedModels", "category"] {
            let refused = account.send(Method::PATCH, &path, &json!({ name: null })).await;
            refused.is_error(400, "invalid_request");
            assert_eq!(refused.problem_paths(), [format!("/{name}")]);
        }
    }
}

#[tokio::test]
async fn others_have_nothing_to_do_with_an_item() {
    let world = World::start().await;
    let owner = world.account(Plan::Pro).await;
    let other = world.account(Plan::Pro).await;
    let private = created(&owner, &small("Private")).await;
    let public = published(&owner, &small("Public")).await;
    other.get(&private).await.is_error(404, "not_found");
    let seen = other.get(&public).await.data(200).clone();
    assert_eq!(seen["owned"], false);
    for path in [&private, &public] {
        let patch = json!({"title": "Mine"});
        other.send(Method::PATCH, path, &patch).await.is_error(404, "not_found");
        other.delete(path).await.is_error(404, "not_found");
        post(&other, &format!("{path}/publish")).await.is_error(404, "not_found");
        other.delete(&format!("{path}/publish")).await.is_error(404, "not_found");
    }
    assert_eq!(owner.get(&public).await.data(200)["visibility"], "community");
}

#[tokio::test]
async fn a_deleted_item_is_gone_from_everywhere() {
    let world = World::start().await;
    let owner = world.account(Plan::Pro).await;
    let other = world.account(Plan::Free).await;
    let private = created(&owner, &small("Private")).await;
    let public = published(&owner, &small("Public")).await;
    assert_eq!(titles(&page(&other, "scope=community").await), ["Public"]);
    for path in [&private, &public] {
        let id = path.rsplit('/').next().expect("an id");
        assert_eq!(owner.delete(path).await.data(200), &json!({"id": id, "deleted": true}));
        owner.delete(path).await.is_error(404, "not_found");
        owner.get(path).await.is_error(404, "not_found");
        other.get(path).await.is_error(404, "not_found");
    }
    assert_eq!(page(&owner, "").await["total"], 0);
    let community = page(&other, "scope=community").await;
    assert_eq!((titles(&community).len(), &community["total"]), (0, &json!(0)));
}
