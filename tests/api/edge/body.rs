use acceptance::{Account, Answer, World, account::fresh_key};
use domain::Plan;
use reqwest::Method;
use serde_json::{Value, json};

async fn send(account: &Account, content_type: Option<&str>, body: impl Into<Vec<u8>>) -> Answer {
    let mut request = account
        .request(Method::POST, "/prompts/generate")
        .header("Idempotency-Key", fresh_key())
        .body(body.into());
    if let Some(content_type) = content_type {
        request = request.header("Content-Type", content_type);
    }
    Answer::to(request).await
}

async fn problems(account: &Account, body: Value) -> Vec<(String, String)> {
    let answer = account.generate(&fresh_key(), &body).await;
    let error = answer.is_error(400, "invalid_request");
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    error["details"]
        .as_array()
        .expect("details")
        .iter()
        .map(|detail| (text(&detail["path"]), text(&detail["message"])))
        .collect()
}

#[tokio::test]
async fn every_problem_of_a_body_is_named_at_once() {
    let world = World::start().await;
    let account = world.account(Plan::Max).await;
    let body = json!({
        "mode": "loud",
        "outputMode": 1,
        "targetModel": "GPT-2",
        "language": "e",
        "generationId": "",
        "currentPrompt": "x".repeat(20_001),
        "conversation": [{"role": "system", "content": "a"}, {"role": "user"}, {"role": "user", "content": "", "name": "x"}],
        "attachmentIds": ["", 5],
        "temperature": 1,
    });
    let mut found: Vec<_> =
        problems(&account, body).await.into_iter().map(|(path, _)| path).collect();
    found.sort();
    assert_eq!(
        found,
        [
            "/attachmentIds/0",
            "/attachmentIds/1",
            "/conversation/0/role",
            "/conversation/1/content",
            "/conversation/2/name",
            "/currentPrompt",
            "/generationId",
            "/language",
            "/message",
            "/mode",
            "/outputMode",
            "/targetModel",
            "/temperature",
        ]
    );
}

#[tokio::test]
async fn a_problem_says_what_is_expected_and_repeats_no_content() {
    let world = World::start().await;
    let account = world.account(Plan::Max).await;
    let secret = "s3cret".repeat(1_100);
    assert_eq!(
        problems(&account, json!({"message": secret})).await,
        [("/message".to_owned(), "must have at most 6000 characters".to_owned())]
    );
    assert_eq!(
        problems(&account, json!({"message": "a", "mode": "loud"})).await,
        [(
            "/mode".to_owned(),
            "must be one of: auto, general, research, writing, planning, agent, image, video, \
             code, automation"
                .to_owned()
        )]
    );
    assert_eq!(
        problems(&account, json!({"message": 5})).await,
        [("/message".to_owned(), "must be a string".to_owned())]
    );
    assert_eq!(
        problems(&account, json!({"message": "a", "a/b~c": 1})).await,
        [("/a~1b~0c".to_owned(), "is not a known property".to_owned())]
    );
    let turns = json!([{"role": "user", "content": "a", "contnet": "b"}]);
    let misspelt = |path: &str, meant: &str| {
        (path.to_owned(), format!("is not a known property; did you mean {meant}?"))
    };
    assert_eq!(
        problems(&account, json!({"message": "a", "langauge": "de", "conversation": turns})).await,
        [misspelt("/conversation/0/contnet", "content"), misspelt("/langauge", "language")]
    );
    let text = json!({"type": "text", "content": "Long enough a text", "langage": "de"});
    let answer = account.post("/reverse-prompts", &fresh_key(), &text).await;
    let message = "is not a known property; did you mean language?";
    let error = answer.is_error(400, "invalid_request");
    assert_eq!(error["details"], json!([{"path": "/langage", "message": message}]));
    assert_eq!(
        problems(&account, json!(["message"])).await,
        [(String::new(), "must be an object".to_owned())]
    );
}

#[tokio::test]
async fn bounds_count_code_points() {
    let world = World::start().await;
    let account = world.account(Plan::Max).await;
    let emoji = "😀".repeat(6_000);
    account.generate(&fresh_key(), &json!({"message": emoji})).await.data(200);
    let one_more = format!("{emoji}😀");
    assert_eq!(problems(&account, json!({"message": one_more})).await[0].0, "/message");
    assert_eq!(problems(&account, json!({"message": ""})).await[0].0, "/message");
}

#[tokio::test]
async fn a_property_given_twice_is_refused_at_any_depth() {
    let world = World::start().await;
    let account = world.account(Plan::Max).await;
    let body = r#"{"message":"a","message":"b","conversation":[{"role":"user","content":"x","role":"user"}]}"#;
    let answer = send(&account, Some("application/json"), body).await;
    answer.is_error(400, "invalid_request");
    assert_eq!(answer.problem_paths(), ["/message", "/conversation/0/role"]);
    let worse = r#"{"message":"a","message":"","mode":"loud"}"#;
    let answer = send(&account, Some("application/json"), worse).await;
    answer.is_error(400, "invalid_request");
    let mut paths = answer.problem_paths();
    paths.sort();
    assert_eq!(paths, ["/message", "/message", "/mode"], "twice, too short, and unknown");
}

#[tokio::test]
async fn only_json_is_read() {
    let world = World::start().await;
    let account = world.account(Plan::Max).await;
    let body = r#"{"message":"A haiku"}"#;
    for content_type in [None, Some("text/plain"), Some("application/x-www-form-urlencoded")] {
        let answer = send(&account, content_type, body).await;
        answer.is_error(400, "invalid_request");
        assert_eq!(answer.problem_paths(), ["header.Content-Type"]);
    }
    for content_type in ["application/json", "Application/JSON; charset=utf-8"] {
        send(&account, Some(content_type), body).await.data(200);
    }
    let untyped = send(&account, Some("text/plain"), r#"{"message":""}"#).await;
    untyped.is_error(400, "invalid_request");
    assert_eq!(untyped.problem_paths(), ["header.Content-Type", "/message"]);
    for (content_type, empty) in [(None, ""), (Some("application/json"), ""), (None, " \n")] {
        let details = send(&account, content_type, empty).await;
        let details = &details.is_error(400, "invalid_request")["details"];
        assert_eq!(details, &json!([{"path": "", "message": "is missing"}]));
    }
    for broken in
        ["{", "{\"message\":\"a\"} x", "{'message':1}", "\u{feff}{}", "{\"message\":\"\\ud800\"}"]
    {
        let answer = send(&account, Some("application/json"), broken).await;
        answer.is_error(400, "invalid_request");
        assert_eq!(answer.problem_paths(), [""], "{broken}");
    }
    let body = r#"{"message":"A haiku"}"#;
    let encoded =
        account.generate_request(&fresh_key(), &json!({})).header("Content-Encoding", "gzip");
    let answer = Answer::to(encoded).await;
    answer.is_error(400, "invalid_request");
    assert_eq!(answer.problem_paths(), ["header.Content-Encoding"]);
    let twice = account
        .generate_request(&fresh_key(), &json!({"message": "A haiku"}))
        .header("Content-Type", "text/plain")
        .body(body);
    Answer::to(twice).await.is_error(400, "invalid_request");
    let not_utf8 = b"{\"message\":\"\xff\"}".to_vec();
    send(&account, Some("application/json"), not_utf8).await.is_error(400, "invalid_request");
    let deep = format!("{{\"message\":{}1{}}}", "[".repeat(5_000), "]".repeat(5_000));
    let answer = send(&account, Some("application/json"), deep).await;
    let details = answer.is_error(400, "invalid_request")["details"].to_string();
    assert!(details.contains("nested too deeply"), "{details}");
    let answer = send(&account, Some("application/json"), r#"{"message":1e400}"#).await;
    let details = answer.is_error(400, "invalid_request")["details"].to_string();
    assert!(details.contains("out of range"), "{details}");
}

#[tokio::test]
async fn a_body_over_five_mebibytes_is_refused() {
    let world = World::start().await;
    let account = world.account(Plan::Max).await;
    let filler = " ".repeat(5 * 1024 * 1024 - 20);
    let fits = format!("{{\"message\":\"A haiku\"{}", &filler[..filler.len() - 2]);
    let fits = format!("{fits}}}");
    assert!(fits.len() <= 5 * 1024 * 1024);
    send(&account, Some("application/json"), fits).await.data(200);
    let answer =
        send(&account, Some("application/json"), format!("{filler}{{\"message\":\"A haiku\"}}"))
            .await;
    answer.is_error(400, "invalid_request");
    assert_eq!(answer.problem_paths(), [""]);
}

#[tokio::test]
async fn problems_of_header_and_body_come_together() {
    let world = World::start().await;
    let account = world.account(Plan::Max).await;
    let request = account
        .request(Method::POST, "/prompts/generate")
        .header("Prefer", "return=minimal")
        .json(&json!({"mesage": "A haiku"}));
    let answer = Answer::to(request).await;
    answer.is_error(400, "invalid_request");
    assert_eq!(
        answer.problem_paths(),
        ["header.Idempotency-Key", "header.Prefer", "/mesage", "/message"]
    );
}

#[tokio::test]
async fn a_missing_idempotency_key_has_a_code_of_its_own() {
    let world = World::start().await;
    let account = world.account(Plan::Max).await;
    let body = json!({"message": "A haiku"});
    let request = account.request(Method::POST, "/prompts/generate").json(&body);
    let answer = Answer::to(request).await;
    answer.is_error(400, "idempotency_key_missing");
    assert_eq!(answer.problem_paths(), ["header.Idempotency-Key"]);
    account.generate(&"k".repeat(256), &body).await.is_error(400, "invalid_request");
    account.generate("", &body).await.is_error(400, "invalid_request");
    account.generate(&"k".repeat(255), &body).await.data(200);
    let broken = account.request(Method::POST, "/prompts/generate").body("{");
    let answer = Answer::to(broken.header("Content-Type", "application/json")).await;
    answer.is_error(400, "invalid_request");
    assert_eq!(answer.problem_paths(), ["header.Idempotency-Key", ""]);
}

#[tokio::test]
async fn several_idempotency_keys_are_one_with_commas_as_behind_api_gateway() {
    let world = World::start().await;
    let account = world.account(Plan::Max).await;
    let body = json!({"message": "A haiku"});
    let joined = account.generate("a,b", &body).await.data(200).clone();
    let twice = account.generate_request("a", &body).header("Idempotency-Key", "b");
    let twice = Answer::to(twice).await;
    assert_eq!(twice.header("idempotent-replayed"), Some("true"));
    assert_eq!(twice.data(200), &joined);
    let long = account.generate_request(&"k".repeat(128), &body);
    let long = Answer::to(long.header("Idempotency-Key", "k".repeat(127))).await;
    long.is_error(400, "invalid_request");
    assert_eq!(long.problem_paths(), ["header.Idempotency-Key"]);
}

#[tokio::test]
async fn a_malicious_body_is_refused_quickly_and_briefly() {
    let world = World::start().await;
    let account = world.account(Plan::Max).await;
    let long = "k".repeat(2_400_000);
    let turns = vec![r#"{"role":"x","content":""}"#; 150_000].join(",");
    let bodies = [
        format!(r#"{{"{long}":[{}0]}}"#, "0,".repeat(1_200_000)),
        format!(r#"{{"conversation":[{turns}]}}"#),
        format!("[{}0]", "0,".repeat(2_500_000)),
        format!("{{{}\"a\":1}}", r#""a":1,"#.repeat(800_000)),
        // A name is repeated by every problem below it.
        format!(
            "{}{{{}\"a\":1}}{}",
            format!(r#"{{"{}":"#, "😀".repeat(200)).repeat(120),
            r#""a":1,"#.repeat(300),
            "}".repeat(120)
        ),
    ];
    for body in bodies {
        assert!(body.len() <= 5 * 1024 * 1024, "{}", body.len());
        let asked = std::time::Instant::now();
        let answer = send(&account, Some("application/json"), body).await;
        answer.is_error(400, "invalid_request");
        assert!(answer.body.to_string().len() < 100_000);
        // Generous for an unoptimised build; work that grows with the square takes minutes.
        assert!(asked.elapsed() < std::time::Duration::from_secs(10), "{:?}", asked.elapsed());
    }
}

#[tokio::test]
async fn a_very_long_list_of_problems_says_that_it_is_cut() {
    let world = World::start().await;
    let account = world.account(Plan::Max).await;
    let mut body = serde_json::Map::new();
    for number in 0..1_000 {
        body.insert(format!("unknown{number}"), json!(1));
    }
    let found = problems(&account, Value::Object(body)).await;
    assert_eq!(found.len(), 201);
    assert_eq!(found[200].1, "has more problems than are named here");
}

#[tokio::test]
async fn a_body_of_countless_values_is_one_problem() {
    let world = World::start().await;
    let account = world.account(Plan::Pro).await;
    for items in [vec!["0"; 1_600_000].join(","), vec!["{}"; 20_000].join(",")] {
        let body = format!(r#"{{"message": "x", "conversation": [{items}]}}"#);
        let request = account
            .request(reqwest::Method::POST, "/prompts/generate")
            .header("Idempotency-Key", "k")
            .header("Content-Type", "application/json")
            .body(body);
        let answer = Answer::to(request).await;
        let error = answer.is_error(400, "invalid_request");
        assert_eq!(error["details"].as_array().map(Vec::len), Some(1), "{error}");
        let message = error["details"][0]["message"].as_str().expect("a message");
        assert!(message.contains("20000 values"), "{message}");
    }
}

#[tokio::test]
async fn an_integer_is_one_however_it_is_written() {
    let world = World::start().await;
    let account = world.account(Plan::Max).await;
    let post = async |path: &str, body: &str| {
        let request = account.request(Method::POST, path).header("Idempotency-Key", fresh_key());
        Answer::to(request.header("Content-Type", "application/json").body(body.to_owned())).await
    };
    for (path, body) in [
        ("/prompts/optimize", r#"{"prompt":"Write about tea.","variationCount":1.0}"#),
        ("/prompts/optimize", r#"{"prompt":"Write about tea.","variationCount":2e0}"#),
        (
            "/uploads",
            r#"{"scope":"analysis","filename":"a.png","contentType":"image/png","size":2.048e4}"#,
        ),
    ] {
        post(path, body).await.data(200);
    }
    let item = r#"{"title":"Tea","promptText":"Write.","recommendedModels":["Universal"],"category":"Tea","tokenEstimate":{"input":12.0,"output":-0.0}}"#;
    let created = post("/library/items", item).await.data(200).clone();
    assert_eq!(created["tokenEstimate"].to_string(), r#"{"input":12,"output":0}"#);
    let refused = post("/prompts/optimize", r#"{"prompt":"a","variationCount":1.5}"#).await;
    let error = refused.is_error(400, "invalid_request");
    let problem = json!([{"path": "/variationCount", "message": "must be an integer"}]);
    assert_eq!(error["details"], problem);
}
