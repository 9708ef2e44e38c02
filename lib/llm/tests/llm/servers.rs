//! Servers of OpenAI's chat completions that do not take all of its fields, and texts around the JSON.

use std::sync::Arc;

use llm::{Anthropic, Bedrock, Effort, Limits, Llm, OpenAi, Secret, provider::Provider};
use serde_json::{Value, json};

use crate::{
    answers::analysis,
    dialect::{ALL, Dialect, KEY, MODEL, Outcome},
    stub::{Play, Seen, Stub},
    world::{Counting, TIMEOUT, TestClock, analyzed, aws, broken, engine},
};

const OPENAI: Dialect = Dialect::OpenAi;

fn any(_: &Seen) -> Vec<String> {
    Vec::new()
}

fn good() -> Play {
    OPENAI.play(Outcome::Answer(analysis(json!([]))))
}

fn refusal(status: u16, body: Value) -> Play {
    Play::json(status, &body)
}

/// The fields of a request that servers differ in.
fn fields(seen: &Seen) -> Value {
    let length = ["max_tokens", "max_completion_tokens"];
    let sent = length.into_iter().filter(|name| seen.body.get(name).is_some()).collect::<Vec<_>>();
    json!([seen.body["response_format"]["type"], sent, seen.body["reasoning_effort"]])
}

/// An engine with this effort, connected to `stub` by `provider`.
fn with(provider: Box<dyn Provider>) -> Llm {
    let limits = Limits { timeout: TIMEOUT, max_output_tokens: 1_000 };
    Llm::new(provider, Arc::new(rules::Rules), limits, TestClock::new(), Arc::<Counting>::default())
}

fn thinking(stub: &Stub) -> OpenAi {
    let base = format!("http://{}/v1", stub.address).parse().unwrap();
    OpenAi::new(&base, MODEL, Some(Secret::new(KEY))).unwrap().with_effort(Some(Effort::Low))
}

#[tokio::test]
async fn a_server_is_not_sent_again_what_it_has_refused() {
    // As DeepSeek, Groq, Mistral, Azure, Ollama and llama.cpp say it.
    let all = ["json_schema", "max_completion_tokens", "low"];
    let [schema, length, effort] = all;
    for (status, body, then) in [
        (
            400,
            json!({"error": {"message": "This response_format type is unavailable now",
                "type": "invalid_request_error", "param": null, "code": "invalid_request_error"}}),
            json!(["json_object", [length], effort]),
        ),
        (
            400,
            json!({"error": {"message": "This model does not support response format `json_schema`."}}),
            json!(["json_object", [length], effort]),
        ),
        (
            422,
            json!({"object": "error", "message": {"detail": [{"type": "extra_forbidden",
                "loc": ["body", "max_completion_tokens"], "msg": "Extra inputs are not permitted"}]}}),
            json!([schema, ["max_tokens"], effort]),
        ),
        (
            400,
            json!({"error": {"message": "Unrecognized request argument supplied: reasoning_effort"}}),
            json!([schema, [length], null]),
        ),
        (
            400,
            json!({"error": {"message": "\"qwen2.5:7b\" does not support thinking"}}),
            json!([schema, [length], null]),
        ),
        (
            400,
            json!({"error": {"code": 400, "message": "Failed to initialize samplers: failed to parse grammar"}}),
            json!(["json_object", [length], effort]),
        ),
        (
            422,
            json!({"detail": "unknown field `max_completion_tokens`, expected one of `max_tokens`, \
                `response_format`, `reasoning_effort`"}),
            json!([schema, ["max_tokens"], effort]),
        ),
    ] {
        let stub = Stub::start(any, [refusal(status, body.clone()), good(), good()]).await;
        let engine = with(Box::new(thinking(&stub)));
        for _ in 0..2 {
            analyzed(&engine).await.unwrap();
        }
        let sent: Vec<Value> = stub.seen().iter().map(fields).collect();
        assert_eq!(sent, [json!([schema, [length], effort]), then.clone(), then], "{body}");
    }
}

#[tokio::test]
async fn a_server_that_takes_no_format_is_told_the_schema_in_words() {
    let says = |format: &str| refusal(400, json!({"error": format!("{format} is not supported")}));
    let script =
        [says("max_completion_tokens"), says("json_schema"), says("response_format"), good()];
    let stub = Stub::start(any, script).await;
    analyzed(&engine(OPENAI, &stub, TestClock::new())).await.unwrap();
    let seen = stub.seen();
    assert_eq!(fields(&seen[3]), json!([null, ["max_tokens"], null]));
    assert!(!OPENAI.system(&seen[1]).contains("JSON schema"));
    for request in &seen[2..] {
        let system = OPENAI.system(request);
        let (_, schema) = system.split_once("valid under this JSON schema:\n").unwrap();
        let schema: Value = serde_json::from_str(schema).unwrap();
        let format = &seen[0].body["response_format"]["json_schema"];
        assert_eq!(schema, format["schema"]);
    }
}

#[tokio::test]
async fn a_change_of_fields_leaves_the_correction_of_an_answer() {
    let refused = refusal(400, json!({"error": {"message": "json_schema is not supported"}}));
    let words = || OPENAI.play(Outcome::Words("Sure! The prompt is fine."));
    let stub = Stub::start(any, [refused.clone(), words(), good()]).await;
    analyzed(&engine(OPENAI, &stub, TestClock::new())).await.unwrap();
    let stub = Stub::start(any, [refused, words(), words()]).await;
    let error = analyzed(&engine(OPENAI, &stub, TestClock::new())).await.unwrap_err();
    assert_eq!((broken(error).as_str(), stub.seen().len()), ("malformed", 3));
}

#[tokio::test]
async fn a_server_that_ignores_the_schema_is_told_it_in_words() {
    let other = || OPENAI.play(Outcome::Answer(json!({"verdict": "fine"})));
    let words = || OPENAI.play(Outcome::Words("Sure! The prompt is fine."));
    for free in [other(), words()] {
        let stub = Stub::start(any, [free, good()]).await;
        analyzed(&engine(OPENAI, &stub, TestClock::new())).await.unwrap();
        let told: Vec<bool> =
            stub.seen().iter().map(|seen| OPENAI.system(seen).contains("JSON schema")).collect();
        assert_eq!(told, [false, true]);
        assert_eq!(fields(&stub.seen()[1])[0], "json_schema");
    }
}

#[tokio::test]
async fn a_failure_that_only_names_a_field_changes_nothing() {
    let quoting = || refusal(400, json!({"error": {"message": "Bad request: response_format"}}));
    let stub = Stub::start(any, [quoting(), quoting(), quoting(), good()]).await;
    let engine = engine(OPENAI, &stub, TestClock::new());
    analyzed(&engine).await.unwrap_err();
    analyzed(&engine).await.unwrap();
    let formats: Vec<Value> = stub.seen().iter().map(|seen| fields(seen)[0].clone()).collect();
    assert_eq!(
        formats,
        [json!("json_schema"), json!("json_object"), json!(null), json!("json_schema")]
    );
}

#[tokio::test]
async fn an_effort_is_sent_as_each_vendor_wants_it() {
    let answer = analysis(json!([]));
    let play = |dialect: Dialect| dialect.play(Outcome::Answer(answer.clone()));

    let stub = Stub::start(any, [play(OPENAI)]).await;
    analyzed(&with(Box::new(thinking(&stub)))).await.unwrap();
    assert_eq!(stub.seen()[0].body["reasoning_effort"], "low");

    let stub = Stub::start(any, [play(Dialect::Anthropic)]).await;
    let base = format!("http://{}", stub.address).parse().unwrap();
    let anthropic = Anthropic::new(&base, MODEL, None).unwrap().with_effort(Some(Effort::Medium));
    analyzed(&with(Box::new(anthropic))).await.unwrap();
    let config = &stub.seen()[0].body["output_config"];
    assert_eq!(
        (&config["effort"], &config["format"]["type"]),
        (&json!("medium"), &json!("json_schema"))
    );

    let effort = json!({"output_config": {"effort": "high"}});
    let mut beta = effort.clone();
    beta["anthropic_beta"] = json!(["effort-2025-11-24"]);
    for (model, fields) in [
        ("us.anthropic.claude-opus-5-5", effort),
        ("anthropic.claude-opus-4-5-20251101-v1:0", beta),
        ("amazon.nova-pro-v1:0", Value::Null),
    ] {
        let stub = Stub::start(any, [play(Dialect::Bedrock)]).await;
        let bedrock = Bedrock::new(&aws(&stub), model).with_effort(Some(Effort::High));
        analyzed(&with(Box::new(bedrock))).await.unwrap();
        assert_eq!(stub.seen()[0].body["additionalModelRequestFields"], fields, "{model}");
    }
}

#[tokio::test]
async fn what_models_write_around_the_json_is_taken_off() {
    let json = analysis(json!([])).to_string();
    for text in [
        json.clone(),
        format!("\u{feff}\n {json}\n"),
        format!("```json\n{json}\n```"),
        format!("```\r\n{json}\r\n```\n"),
        format!("<think>Is it {{}}?\n```json\n</think>\n\n```json\n{json}\n```"),
        format!("<think></think>{json}"),
    ] {
        let text: &'static str = text.leak();
        for dialect in ALL {
            let stub = dialect.start([dialect.play(Outcome::Words(text))]).await;
            let made = analyzed(&engine(dialect, &stub, TestClock::new())).await;
            assert!(made.is_ok(), "{dialect:?} {text}");
        }
    }
}

#[tokio::test]
async fn nothing_else_around_the_json_is_taken_off() {
    let json = analysis(json!([])).to_string();
    for text in [
        format!("Here it is: {json}"),
        format!("{json}\n\nI hope this helps."),
        format!("Here it is:\n```json\n{json}\n```"),
        format!("```json\n{json}\n```\n```json\n{json}\n```"),
        format!("<think>a</think><think>b</think>{json}"),
        format!("<think>{json}"),
        format!("{json}<think>a</think>"),
    ] {
        let text: &'static str = text.leak();
        for dialect in ALL {
            let stub = dialect.start([1, 2].map(|_| dialect.play(Outcome::Words(text)))).await;
            let error = analyzed(&engine(dialect, &stub, TestClock::new())).await.unwrap_err();
            assert_eq!(broken(error), "malformed", "{dialect:?} {text}");
        }
    }
}
