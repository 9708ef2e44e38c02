use acceptance::{Account, Answer, World};
use domain::Plan;
use reqwest::Method;
use serde_json::{Value, json};

const PROMPT: &str = "Describe our {{product}} in at most {{number}} words. Do not use the word \"luxury\". \
     Sound friendly.";

async fn read(account: &Account, body: &Value) -> Answer {
    account.send(Method::POST, "/prompts/checks", body).await
}

async fn run(account: &Account, body: &Value) -> Answer {
    account.send(Method::POST, "/prompts/checks/run", body).await
}

fn tea() -> Value {
    json!({"prompt": PROMPT, "values": {"product": "tea", "number": "8"}})
}

#[tokio::test]
async fn what_a_prompt_demands_becomes_checks_and_the_rest_is_named() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let answer = read(&account, &tea()).await;
    let data = answer.data(200);
    let prompt = data["prompt"].as_str().expect("a text");
    assert!(prompt.starts_with("Describe our tea in at most 8 words."));
    let checks = data["checks"].as_array().expect("a list");
    let kinds: Vec<_> = checks.iter().map(|check| (&check["kind"], &check["executable"])).collect();
    assert_eq!(json!(kinds), json!([["word_count", true], ["exclude_words", true]]));
    assert_eq!(checks[0]["parameters"]["number"], 8);
    for check in checks {
        let (start, end) = (&check["start"], &check["end"]);
        let (start, end) = (start.as_u64().expect("a number"), end.as_u64().expect("a number"));
        let place = prompt.chars().skip(start as usize).take((end - start) as usize);
        assert_eq!(check["quote"], place.collect::<String>());
        assert!(check["description"].as_str().is_some_and(|text| text.ends_with('.')));
    }
    let uncovered = data["coverage"]["uncovered"].as_array().expect("a list").last();
    assert_eq!(uncovered.expect("a sentence")["quote"], "Sound friendly.");
    let german = read(&account, &json!({"prompt": PROMPT, "language": "German"})).await;
    assert_ne!(german.data(200)["checks"][1]["description"], checks[1]["description"]);
    assert_eq!(read(&account, &tea()).await.data(200), data, "the same text has the same checks");
}

#[tokio::test]
async fn answers_pass_fail_or_stay_undecided_and_say_why() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let mut body = tea();
    body["outputs"] =
        json!(["A quiet green tea.", "Pure luxury, in a cup that you will surely love."]);
    let answer = run(&account, &body).await;
    let data = answer.data(200);
    let outcomes = |output: usize| {
        let verdicts = data["outputs"][output]["verdicts"].as_array().expect("a list").iter();
        verdicts.map(|verdict| verdict["verdict"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(outcomes(0), ["passed", "passed"]);
    assert_eq!(outcomes(1), ["failed", "failed"]);
    let [words, luxury] = [0, 1].map(|index| &data["outputs"][1]["verdicts"][index]);
    assert_eq!(words["evidence"]["found"], "10");
    assert_eq!(luxury["evidence"]["quote"], "luxury");
    assert_eq!((&luxury["evidence"]["start"], &luxury["evidence"]["end"]), (&json!(5), &json!(11)));
    assert_eq!(data["outputs"][1]["tally"], json!({"passed": 0, "failed": 2, "undecided": 0}));
    assert_eq!(data["checks"][0]["tally"], json!({"passed": 1, "failed": 1, "undecided": 0}));
    assert_eq!(data["checks"][0]["check"], read(&account, &tea()).await.data(200)["checks"][0]);
}

#[tokio::test]
async fn checks_that_were_read_can_be_posted_back() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let checks = read(&account, &tea()).await.data(200)["checks"].clone();
    let outputs = json!(["Pure luxury, in a cup that you will surely love."]);
    let body = json!({"checks": checks, "outputs": outputs});
    let mut by_prompt = tea();
    by_prompt["outputs"] = outputs.clone();
    assert_eq!(run(&account, &body).await.data(200), run(&account, &by_prompt).await.data(200));
    let of_ones_own = json!({
        "checks": [{"id": "short", "kind": "sentence_count", "parameters":
            {"relation": "exactly", "number": 1, "upper": null, "of": null}}],
        "outputs": outputs,
    });
    let data = run(&account, &of_ones_own).await.data(200).clone();
    assert_eq!(data["outputs"][0]["verdicts"][0]["checkId"], "short");
    assert_eq!(data["outputs"][0]["verdicts"][0]["verdict"], "passed");
}

#[tokio::test]
async fn the_answers_of_a_choice_stand_in_its_check() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let prompt = "Answer with one of the following options:\n- spam\n- offer\n- letter";
    let checks = read(&account, &json!({"prompt": prompt})).await.data(200)["checks"].clone();
    assert_eq!(checks[0]["kind"], "choice");
    assert_eq!(checks[0]["parameters"], json!({"words": ["spam", "offer", "letter"]}));
    let verdicts = async |prompt: Option<&str>| {
        let body = json!({"checks": checks, "prompt": prompt, "outputs": ["spam", "a cake"]});
        let data = run(&account, &body).await.data(200).clone();
        [0, 1].map(|output| {
            let verdict = &data["outputs"][output]["verdicts"][0];
            (verdict["verdict"].clone(), verdict["reason"].clone())
        })
    };
    let decided = [(json!("passed"), Value::Null), (json!("failed"), Value::Null)];
    assert_eq!(verdicts(Some(prompt)).await, decided);
    assert_eq!(verdicts(None).await, decided);
}

#[tokio::test]
async fn forms_of_a_word_count_as_a_request_says() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let prompt = "Use the word \"walk\". Do not use the word \"tea\".";
    for (inflections, expected) in [
        (Value::Null, ["passed", "passed"]),
        (json!(true), ["passed", "failed"]),
        (json!(false), ["failed", "passed"]),
    ] {
        let outputs = json!(["She walked past many teas."]);
        let body = json!({"prompt": prompt, "inflections": inflections, "outputs": outputs});
        let data = run(&account, &body).await.data(200).clone();
        let verdicts = data["outputs"][0]["verdicts"].as_array().expect("a list").iter();
        let verdicts: Vec<_> = verdicts.map(|verdict| verdict["verdict"].clone()).collect();
        assert_eq!(verdicts, expected, "{inflections}");
    }
}

#[tokio::test]
async fn a_schema_that_decides_nothing_names_the_keyword_that_is_why() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let schema =
        json!({"type": "object", "properties": {}, "if": {}, "unevaluatedProperties": false});
    let prompt = format!("Return JSON that matches this schema:\n```json\n{schema}\n```");
    let data = run(&account, &json!({"prompt": prompt, "outputs": ["{}"]})).await.data(200).clone();
    let checks = data["checks"].as_array().expect("a list").iter();
    let at =
        checks.clone().position(|one| one["check"]["kind"] == "json_schema").expect("a schema");
    assert_eq!(data["checks"][at]["check"]["executable"], false);
    let verdict = &data["outputs"][0]["verdicts"][at];
    assert_eq!(
        (&verdict["verdict"], &verdict["reason"]),
        (&json!("undecided"), &json!("not_executable"))
    );
    assert_eq!(
        (&verdict["evidence"]["wanted"], &verdict["evidence"]["found"]),
        (&json!("schema"), &json!("if"))
    );
}

#[tokio::test]
async fn every_problem_of_a_run_is_named() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    let wrong = json!({
        "checks": [
            {"id": "a", "kind": "lowercase", "parameters": {"words": ["x"]}},
            {"id": "b", "kind": "word_count", "parameters": {}},
        ],
        "outputs": ["a".repeat(200_000), "b"],
    });
    let refused = run(&account, &wrong).await;
    refused.is_error(400, "invalid_request");
    let paths = ["/outputs", "/checks/0/parameters", "/checks/1/parameters"];
    assert_eq!(refused.problem_paths(), paths);
    let long = json!({
        "checks": [
            {"id": "a", "kind": "include_words", "parameters": {"words": vec!["x"; 201]}},
            {"id": "b", "kind": "exclude_words", "parameters": {"words": ["x", "y".repeat(201)]}},
            {"id": "c", "kind": "json_schema", "parameters": {"value": "x".repeat(50_001)}},
            {"id": "d", "kind": "item_count", "parameters":
                {"relation": "exactly", "number": 1, "upper": null, "of": "x".repeat(201)}},
            {"id": "e", "kind": "ends_with", "parameters": {"text": "x".repeat(1_001)}},
        ],
        "outputs": ["x"],
    });
    let refused = run(&account, &long).await;
    refused.is_error(400, "invalid_request");
    let paths = [
        "0/parameters/words",
        "1/parameters/words/1",
        "2/parameters/value",
        "3/parameters/of",
        "4/parameters/text",
    ];
    assert_eq!(refused.problem_paths(), paths.map(|path| format!("/checks/{path}")));
    let neither = run(&account, &json!({"outputs": ["x"]})).await;
    neither.is_error(400, "invalid_request");
    assert_eq!(neither.problem_paths(), ["/prompt"]);
    let many = vec!["x"; 21];
    let shape = run(&account, &json!({"prompt": "", "checks": [], "outputs": many})).await;
    assert_eq!(shape.problem_paths(), ["/prompt", "/checks", "/outputs"]);
    let values = json!({"a": "x".repeat(10_000), "b": "y".repeat(10_000)});
    let large = json!({"prompt": "{{a}}{{b}}".repeat(6), "values": values});
    let refused = read(&account, &large).await;
    refused.is_error(400, "content_too_large");
    assert_eq!(refused.problem_paths(), ["/values"]);
    let demands: String = (0..101).map(|at| format!("Do not use the word \"tea{at}\". ")).collect();
    let refused = run(&account, &json!({"prompt": demands, "outputs": ["x"]})).await;
    refused.is_error(400, "content_too_large");
}

#[tokio::test]
async fn checks_cost_nothing_and_leave_nothing() {
    let world = World::start().await;
    let account = world.account(Plan::Free).await;
    read(&account, &tea()).await.data(200);
    let mut body = tea();
    body["outputs"] = json!(["A quiet green tea."]);
    run(&account, &body).await.data(200);
    let usage = account.usage().await;
    assert_eq!((&usage["credits"]["used"], &usage["credits"]["held"]), (&json!(0), &json!(0)));
    assert_eq!(account.get("/operations").await.data(200)["items"], json!([]));
    assert_eq!(account.get("/history").await.data(200)["items"], json!([]));
    assert_eq!(world.engine.asked(), 0);
}
