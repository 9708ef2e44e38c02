use acceptance::{Answer, World, uploads::id_of};
use domain::{Plan, response_size::escaped_len};
use reqwest::Method;
use serde_json::{Value, json};
use store::admission::Limits;

use super::{PRESETS, created, largest_values, small};

#[tokio::test]
async fn overrides_win_for_this_time_only() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Pro).await;
    let path = created(&account, &small("Cities")).await;
    let made = account.get(&path).await.data(200).clone();
    let rendering = format!("{path}/render");
    let cases: [(Value, &str, Value, Value, Value); 5] = [
        (
            json!({}),
            "Plan three days in Lisbon for {{ travellers }}.",
            json!(["city"]),
            json!(["travellers"]),
            json!([]),
        ),
        (
            json!({"values": {}}),
            "Plan three days in Lisbon for {{ travellers }}.",
            json!(["city"]),
            json!(["travellers"]),
            json!([]),
        ),
        (
            json!({"values": {"city": "{{travellers}}", "travellers": "{{city}}"}}),
            "Plan three days in {{travellers}} for {{city}}.",
            json!(["city", "travellers"]),
            json!([]),
            json!([]),
        ),
        (
            json!({"values": {"City": "x", "travellers": "zwölf 👩‍👧"}}),
            "Plan three days in Lisbon for zwölf 👩‍👧.",
            json!(["city", "travellers"]),
            json!([]),
            json!(["City"]),
        ),
        (
            json!({"values": {"city": ""}}),
            "Plan three days in  for {{ travellers }}.",
            json!(["city"]),
            json!(["travellers"]),
            json!([]),
        ),
    ];
    for (body, text, used, missing, unused) in cases {
        let rendered = account.send(Method::POST, &rendering, &body).await;
        let expected = json!({
            "presetId": id_of(&made),
            "text": text,
            "usedVariables": used,
            "missingVariables": missing,
            "unusedValues": unused,
        });
        assert_eq!(*rendered.data(200), expected, "{body}");
    }
    let bare = Answer::to(account.request(Method::POST, &rendering)).await;
    assert_eq!(bare.data(200)["usedVariables"], json!(["city"]), "no body at all");
    assert_eq!(*account.get(&path).await.data(200), made, "nothing is saved");
}

#[tokio::test]
async fn a_body_that_is_none_of_the_documented_is_refused() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Pro).await;
    let rendering = format!("{}/render", created(&account, &small("Cities")).await);
    let many: serde_json::Map<_, _> = (0..101).map(|n| (n.to_string(), "".into())).collect();
    for (body, problem) in [
        (json!([]), ""),
        (Value::Null, ""),
        (json!({"values": null}), "/values"),
        (json!({"values": many}), "/values"),
        (json!({"values": {"a": "x".repeat(10_001)}}), "/values/a"),
        (json!({"name": "x"}), "/name"),
    ] {
        let answer = account.send(Method::POST, &rendering, &body).await;
        answer.is_error(400, "invalid_request");
        assert_eq!(answer.problem_paths(), [problem], "{body}");
    }
    let request = account.request(Method::POST, &rendering).body("{}");
    let untyped = Answer::to(request).await;
    untyped.is_error(400, "invalid_request");
    assert_eq!(untyped.problem_paths(), ["header.Content-Type"]);
}

#[tokio::test]
async fn up_to_5_mb_are_rendered_and_more_is_refused_unbuilt() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    // 4,000 markers of 5 characters: a legal preset that would render to 40 MB.
    let body = json!({
        "name": "Large",
        "promptText": "{{a}}".repeat(4_000),
        "values": {"a": "x".repeat(10_000)},
    });
    let rendering = format!("{}/render", created(&account, &body).await);
    let refused = account.send(Method::POST, &rendering, &json!({})).await;
    let error = refused.is_error(400, "content_too_large");
    assert_eq!(refused.problem_paths(), ["/values"]);
    let message = error["details"][0]["message"].as_str().expect("text");
    assert!(message.contains("40000000") && message.contains("5000000"), "{message}");
    let fitting = json!({"values": {"a": "y".repeat(1_250)}});
    let fits = account.send(Method::POST, &rendering, &fitting).await;
    assert_eq!(fits.data(200)["text"], "y".repeat(5_000_000));
    let over = json!({"values": {"a": "é".repeat(626)}});
    account.send(Method::POST, &rendering, &over).await.is_error(400, "content_too_large");
}

#[tokio::test]
async fn values_in_the_bucket_render_like_any_others() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let values = largest_values(7);
    let prompt = "{{value 3}}|{{value 99}}|{{value 100}}";
    let body = json!({"name": "n", "promptText": prompt, "values": values});
    let rendering = format!("{}/render", created(&account, &body).await);
    let rendered = account.send(Method::POST, &rendering, &json!({})).await.data(200).clone();
    let value = |name: &str| values[name].as_str().expect("a value").to_owned();
    let expected = format!("{}|{}|{{{{value 100}}}}", value("value 3"), value("value 99"));
    assert_eq!(rendered["text"], expected);
    assert_eq!(rendered["missingVariables"], json!(["value 100"]));
    assert_eq!(rendered["unusedValues"].as_array().map(Vec::len), Some(98));
    assert_eq!(account.get(PRESETS).await.data(200)["items"][0]["values"], values);
}

#[tokio::test]
async fn what_takes_more_than_its_own_bytes_on_the_way_counts_with_all_of_them() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let body = json!({"name": "n", "promptText": "{{a}}".repeat(4_000), "values": {}});
    let rendering = format!("{}/render", created(&account, &body).await);
    // A quote takes 4 bytes, a control character 7, a line end 3: 1,500,000 such as fit are fine.
    for (value, status) in [
        ("\"".repeat(380), 200),
        ("\"".repeat(390), 400),
        ("\u{1}".repeat(215), 200),
        ("\u{1}".repeat(225), 400),
        ("\n".repeat(510), 200),
        ("\n".repeat(520), 400),
        ("ä".repeat(620), 200),
    ] {
        let values = json!({"values": {"a": value}});
        let request = account.request(Method::POST, &rendering).json(&values);
        let answer = request.send().await.expect("an answer");
        assert_eq!(answer.status(), status, "{value:.4}");
        let bytes = answer.bytes().await.expect("a body");
        assert!(escaped_len(&bytes) < 6_250_000);
        if status == 400 {
            let error: Value = serde_json::from_slice(&bytes).expect("JSON");
            let message = error["error"]["details"][0]["message"].as_str().expect("text");
            assert!(message.contains("6200000"), "{message}");
        }
    }
}

#[tokio::test]
async fn values_that_no_answer_could_show_are_refused_before_they_are_kept() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let values: serde_json::Map<_, _> =
        (0..100).map(|number| (format!("v{number}"), "\u{1}".repeat(8_000).into())).collect();
    let largest: serde_json::Map<_, _> =
        values.iter().take(89).map(|(name, value)| (name.clone(), value.clone())).collect();
    // The longest prompt, all of it variables.
    let variables = (0..100).map(|number| format!("{{{{{}{number:02}}}}}", "\u{1}".repeat(194)));
    let mut body = small("n");
    body["promptText"] = variables.collect::<String>().into();
    let path = created(&account, &body).await;
    for (method, path) in [(Method::POST, PRESETS), (Method::PATCH, path.as_str())] {
        let mut body = if method == Method::POST { small("n") } else { json!({}) };
        body["values"] = values.clone().into();
        let refused = account.send(method, path, &body).await;
        let error = refused.is_error(400, "content_too_large");
        assert_eq!(refused.problem_paths(), ["/values"]);
        let message = error["details"][0]["message"].as_str().expect("text");
        assert!(message.contains("5000000"), "{message}");
    }
    let patch = json!({"values": largest});
    account.send(Method::PATCH, &path, &patch).await.data(200);
    assert_eq!(account.get(&path).await.data(200)["values"], patch["values"]);
    let listed = account.get(PRESETS).await;
    assert_eq!(listed.data(200)["items"][0]["values"], patch["values"]);
}

#[tokio::test]
async fn names_of_values_are_bounded_and_errors_smaller_than_what_they_are_about() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    let path = created(&account, &small("n")).await;
    let (longest, longer) = ("ä".repeat(10_000), "ä".repeat(10_001));
    let rendering = format!("{path}/render");
    let calls = [(Method::POST, PRESETS), (Method::PATCH, &path), (Method::POST, &rendering)];
    for (method, path) in calls {
        let mut body = if path == PRESETS { small("n") } else { json!({}) };
        body["values"] = json!({longest.clone(): "x"});
        account.send(method.clone(), path, &body).await.data(200);
        body["values"] = json!({longer.clone(): "x"});
        let refused = account.send(method.clone(), path, &body).await;
        let error = refused.is_error(400, "invalid_request");
        assert_eq!(refused.problem_paths(), [format!("/values/{}", "ä".repeat(200))]);
        assert_eq!(error["details"][0]["message"], "must have a name of at most 10000 characters");
        // What is wrong with each of many values is told with their names cut.
        let many = (0..100).map(|n| (format!("{n}/~{}", "x".repeat(20_000)), json!(1)));
        body["values"] = many.collect::<serde_json::Map<_, _>>().into();
        let refused = account.send(method, path, &body).await;
        refused.is_error(400, "invalid_request");
        let paths = refused.problem_paths();
        assert!(paths.len() >= 100, "{} problems", paths.len());
        assert!(paths.iter().all(|path| path.len() < 220), "{paths:?}");
        assert!(paths.iter().any(|path| path.starts_with("/values/99~1~0x")), "{paths:?}");
    }
}

#[tokio::test]
async fn any_name_between_braces_is_a_variable() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let names = ["else", "#x", "/x", "!x", ">x", "^x", "&x", "#if x", "größe 2"];
    let long = "n".repeat(9_900);
    let mut body = small("n");
    body["promptText"] = names
        .iter()
        .chain([&&*long])
        .map(|name| format!("{{{{{name}}}}}"))
        .collect::<String>()
        .into();
    body["values"] =
        json!({"else": "0", "#x": "1", "/x": "2", "!x": "3", ">x": "4", "^x": "5", "&x": "6"});
    body["values"][&long] = "8".into();
    let path = created(&account, &body).await;
    let overrides = json!({"values": {"#if x": "7"}});
    let rendered = account.send(Method::POST, &format!("{path}/render"), &overrides).await;
    assert_eq!(rendered.data(200)["text"], "01234567{{größe 2}}8");
    assert_eq!(rendered.data(200)["missingVariables"], json!(["größe 2"]));
    assert_eq!(rendered.data(200)["unusedValues"], json!([]));
}

#[tokio::test]
async fn a_hundred_values_of_ten_thousand_characters_are_kept_whatever_they_are() {
    let world = World::with_limits(Limits::Lifted).await;
    let account = world.account(Plan::Max).await;
    for character in ["x", "\"", "\\", "\n", "字", "😀"] {
        let values: serde_json::Map<_, _> = (0..100)
            .map(|number| (format!("v{number}"), character.repeat(10_000).into()))
            .collect();
        let mut body = small("n");
        body["values"] = values.into();
        let path = created(&account, &body).await;
        assert_eq!(account.get(&path).await.data(200)["values"], body["values"], "{character:?}");
        let patch = json!({"values": body["values"]});
        account.send(Method::PATCH, &path, &patch).await.data(200);
        account.send(Method::POST, &format!("{path}/render"), &patch).await.data(200);
    }
}
