//! The three protocols, as checked and spoken by the stub.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use domain::TokenUsage;
use llm::provider::Provider;
use llm::{Anthropic, Bedrock, OpenAi, Secret};
use serde_json::{Value, json};

use crate::{
    strictness,
    stub::{Play, Seen, Stub},
    world::aws,
};

pub const KEY: &str = "sk-test-0123456789abcdef";
pub const MODEL: &str = "test-model-1";

/// A provider's protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    OpenAi,
    Anthropic,
    Bedrock,
}

pub const ALL: [Dialect; 3] = [Dialect::OpenAi, Dialect::Anthropic, Dialect::Bedrock];

/// An outcome of a request to a provider.
#[derive(Clone, Debug)]
pub enum Outcome {
    Answer(Value),
    /// The model wrote this text.
    Words(&'static str),
    Refused,
    Filtered,
    Truncated,
    /// A failure with a status, the provider's error code, and a message.
    Failed(u16, &'static str, String),
    /// A body in another format than the provider's.
    Page,
    /// A body of 3 MB.
    Huge,
}

impl Dialect {
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
            Self::Bedrock => "bedrock",
        }
    }

    /// The tokens of each answer. OpenAI tells nothing of writes to its cache.
    pub fn usage(self) -> TokenUsage {
        TokenUsage {
            requests: 1,
            input_tokens: 812,
            cached_input_tokens: 600,
            cache_write_tokens: if self == Self::OpenAi { 0 } else { 100 },
            output_tokens: 344,
        }
    }

    pub async fn start(self, script: impl IntoIterator<Item = Play>) -> Stub {
        let check = match self {
            Self::OpenAi => check_openai,
            Self::Anthropic => check_anthropic,
            Self::Bedrock => check_bedrock,
        };
        Stub::start(check, script).await
    }

    /// The provider under test, which talks to `stub`.
    pub fn provider(self, stub: &Stub) -> Box<dyn Provider> {
        let base = |path: &str| format!("http://{}{path}", stub.address).parse().unwrap();
        let key = Some(Secret::new(KEY));
        match self {
            Self::OpenAi => Box::new(OpenAi::new(&base("/v1"), MODEL, key).unwrap()),
            Self::Anthropic => Box::new(Anthropic::new(&base(""), MODEL, key).unwrap()),
            Self::Bedrock => Box::new(Bedrock::new(&aws(stub), MODEL)),
        }
    }

    pub fn play(self, outcome: Outcome) -> Play {
        match outcome {
            Outcome::Page => {
                Play::Reply(200, vec![("content-type", "text/html".to_owned())], b"<html>".to_vec())
            }
            Outcome::Huge => {
                let padding = "x".repeat(3_000_000);
                Play::json(200, &json!({"padding": padding}))
            }
            Outcome::Failed(status, code, message) => self.failure(status, code, &message),
            outcome => match self {
                Self::OpenAi => openai(outcome),
                Self::Anthropic => anthropic(outcome),
                Self::Bedrock => bedrock(outcome),
            },
        }
    }

    fn failure(self, status: u16, code: &str, message: &str) -> Play {
        match self {
            Self::OpenAi => {
                let error = json!({"message": message, "type": code, "code": code, "param": null});
                Play::json(status, &json!({"error": error}))
            }
            Self::Anthropic => {
                let error = json!({"type": code, "message": message});
                Play::json(status, &json!({"type": "error", "error": error, "request_id": "req_1"}))
            }
            Self::Bedrock => {
                Play::json(status, &json!({"message": message})).with("x-amzn-errortype", code)
            }
        }
    }

    /// The provider's error code for this status.
    pub fn code(self, status: u16) -> &'static str {
        match (self, status) {
            (Self::OpenAi, 401) => "invalid_api_key",
            (Self::OpenAi, 429) => "rate_limit_exceeded",
            (Self::OpenAi, 400 | 404) => "invalid_value",
            (Self::OpenAi, _) => "server_error",
            (Self::Anthropic, 401) => "authentication_error",
            (Self::Anthropic, 403) => "permission_error",
            (Self::Anthropic, 400) => "invalid_request_error",
            (Self::Anthropic, 404) => "not_found_error",
            (Self::Anthropic, 429) => "rate_limit_error",
            (Self::Anthropic, 529) => "overloaded_error",
            (Self::Anthropic, _) => "api_error",
            (Self::Bedrock, 401) => "UnrecognizedClientException",
            (Self::Bedrock, 403) => "AccessDeniedException",
            (Self::Bedrock, 400) => "ValidationException",
            (Self::Bedrock, 404) => "ResourceNotFoundException",
            (Self::Bedrock, 429) => "ThrottlingException",
            (Self::Bedrock, 503) => "ServiceUnavailableException",
            (Self::Bedrock, _) => "InternalServerException",
        }
    }

    /// The system prompt of a request.
    pub fn system(self, seen: &Seen) -> String {
        let text = match self {
            Self::OpenAi => &seen.body["messages"][0]["content"],
            Self::Anthropic | Self::Bedrock => &seen.body["system"],
        };
        let parts = || text.as_array().unwrap().iter().filter_map(|part| part["text"].as_str());
        text.as_str().map_or_else(|| parts().collect(), ToOwned::to_owned)
    }

    /// What the system prompt says of the target model.
    pub fn target(self, seen: &Seen) -> Value {
        let system = self.system(seen);
        serde_json::from_str(system.split_once("\n# The target model\n").unwrap().1).unwrap()
    }

    /// The text of the user's message.
    pub fn text(self, seen: &Seen) -> String {
        let content = match self {
            Self::OpenAi => &seen.body["messages"][1]["content"],
            Self::Anthropic | Self::Bedrock => &seen.body["messages"][0]["content"],
        };
        content.as_str().or_else(|| content[0]["text"].as_str()).unwrap().to_owned()
    }

    /// The request without the text of the user's message, which must not depend on the material.
    pub fn frame(self, seen: &Seen) -> Value {
        let mut body = seen.body.clone();
        match self {
            Self::OpenAi => body["messages"][1]["content"] = Value::Null,
            Self::Anthropic | Self::Bedrock => body["messages"][0]["content"] = Value::Null,
        }
        body
    }

    /// Media type and bytes of the pictures.
    pub fn images(self, seen: &Seen) -> Vec<(String, Vec<u8>)> {
        let decode = |text: &Value| STANDARD.decode(text.as_str().unwrap()).unwrap();
        let parts = match self {
            Self::OpenAi => &seen.body["messages"][1]["content"],
            Self::Anthropic | Self::Bedrock => &seen.body["messages"][0]["content"],
        };
        let parts = parts.as_array().map(Vec::as_slice).unwrap_or_default();
        parts
            .iter()
            .skip(1)
            .map(|part| match self {
                Self::OpenAi => {
                    let url = part["image_url"]["url"].as_str().unwrap();
                    let (kind, data) = url.split_once(";base64,").unwrap();
                    let kind = kind.strip_prefix("data:").unwrap();
                    (kind.to_owned(), STANDARD.decode(data).unwrap())
                }
                Self::Anthropic => {
                    let source = &part["source"];
                    (source["media_type"].as_str().unwrap().to_owned(), decode(&source["data"]))
                }
                Self::Bedrock => {
                    let image = &part["image"];
                    let kind = format!("image/{}", image["format"].as_str().unwrap());
                    (kind, decode(&image["source"]["bytes"]))
                }
            })
            .collect()
    }
}

fn openai(outcome: Outcome) -> Play {
    let (content, refusal, finish) = match outcome {
        Outcome::Answer(answer) => (json!(answer.to_string()), Value::Null, "stop"),
        Outcome::Words(words) => (json!(words), Value::Null, "stop"),
        Outcome::Refused => (Value::Null, json!("I can't help with that."), "stop"),
        Outcome::Filtered => (json!(""), Value::Null, "content_filter"),
        _ => (json!("{\"title\": \"cut"), Value::Null, "length"),
    };
    let message =
        json!({"role": "assistant", "content": content, "refusal": refusal, "annotations": []});
    Play::json(
        200,
        &json!({
            "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": MODEL,
            "choices": [
                {"index": 0, "message": message, "finish_reason": finish, "logprobs": null}
            ],
            "usage": {
                "prompt_tokens": 812, "completion_tokens": 344, "total_tokens": 1156,
                "prompt_tokens_details": {"cached_tokens": 600, "audio_tokens": 0},
            },
        }),
    )
}

fn anthropic(outcome: Outcome) -> Play {
    let text = |text: &str| json!([{"type": "text", "text": text}]);
    let (content, stop) = match outcome {
        Outcome::Answer(answer) => {
            let thinking = json!({"type": "thinking", "thinking": "Hm.", "signature": "s"});
            (json!([thinking, {"type": "text", "text": answer.to_string()}]), "end_turn")
        }
        Outcome::Words(words) => (text(words), "end_turn"),
        Outcome::Refused | Outcome::Filtered => (json!([]), "refusal"),
        _ => (text("{\"title\": \"cut"), "max_tokens"),
    };
    Play::json(
        200,
        &json!({
            "id": "msg_1", "type": "message", "role": "assistant", "model": MODEL,
            "content": content, "stop_reason": stop, "stop_sequence": null,
            "usage": {
                "input_tokens": 112, "cache_read_input_tokens": 600,
                "cache_creation_input_tokens": 100, "output_tokens": 344,
            },
        }),
    )
}

fn bedrock(outcome: Outcome) -> Play {
    let (content, stop) = match outcome {
        Outcome::Answer(answer) => {
            let call = json!({"toolUseId": "tooluse_1", "name": "any", "input": answer});
            (json!([{"text": "Here it is."}, {"toolUse": call}]), "tool_use")
        }
        Outcome::Words(words) => (json!([{"text": words}]), "end_turn"),
        Outcome::Refused => (json!([{"text": "No."}]), "content_filtered"),
        Outcome::Filtered => (json!([{"text": "Blocked."}]), "guardrail_intervened"),
        _ => (json!([{"text": "cut"}]), "max_tokens"),
    };
    Play::json(
        200,
        &json!({
            "output": {"message": {"role": "assistant", "content": content}},
            "stopReason": stop,
            "usage": {
                "inputTokens": 112, "cacheReadInputTokens": 600, "cacheWriteInputTokens": 100,
                "outputTokens": 344, "totalTokens": 1156,
            },
            "metrics": {"latencyMs": 900},
        }),
    )
}

/// Collects violations of the protocol.
struct Checker<'a> {
    seen: &'a Seen,
    complaints: Vec<String>,
}

impl Checker<'_> {
    fn that(&mut self, holds: bool, rule: impl Into<String>) {
        if !holds {
            self.complaints.push(rule.into());
        }
    }

    fn only(&mut self, value: &Value, place: &str, allowed: &[&str]) {
        for name in value.as_object().into_iter().flat_map(|members| members.keys()) {
            self.that(allowed.contains(&name.as_str()), format!("{place} has no field {name}"));
        }
        self.that(value.is_object(), format!("{place} is an object"));
    }

    fn post(&mut self, path: &str) {
        self.that(self.seen.method == "POST", "the method is POST");
        self.that(self.seen.path == path, format!("the path is {path}, not {}", self.seen.path));
        let json = self.seen.header("content-type").is_some_and(|kind| kind == "application/json");
        self.that(json, "the content is application/json");
    }
}

fn check_openai(seen: &Seen) -> Vec<String> {
    let mut checker = Checker { seen, complaints: Vec::new() };
    checker.post("/v1/chat/completions");
    let bearer = format!("Bearer {KEY}");
    checker.that(seen.header("authorization") == Some(&bearer), "the key is a bearer token");
    let body = &seen.body;
    checker.only(body, "body", &["model", "messages", "response_format", "max_completion_tokens"]);
    checker.that(body["model"] == MODEL, "the model is the configured one");
    checker.that(body["max_completion_tokens"].is_u64(), "the length is limited");
    checker.that(body["messages"].as_array().is_some_and(|all| all.len() == 2), "two messages");
    checker.that(body["messages"][0]["role"] == "system", "the first message is the system's");
    checker.that(body["messages"][0]["content"].is_string(), "the system's message is text");
    checker.that(body["messages"][1]["role"] == "user", "the second message is the user's");
    let content = &body["messages"][1]["content"];
    for (position, part) in content.as_array().into_iter().flatten().enumerate() {
        let place = format!("part {position}");
        if position == 0 {
            checker.only(part, &place, &["type", "text"]);
            checker.that(part["type"] == "text" && part["text"].is_string(), "text comes first");
        } else {
            checker.only(part, &place, &["type", "image_url"]);
            checker.that(part["type"] == "image_url", "pictures follow");
            let url = part["image_url"]["url"].as_str().unwrap_or_default();
            checker.that(url.starts_with("data:image/"), "a picture is a data URL");
        }
    }
    let format = &body["response_format"];
    checker.only(format, "response_format", &["type", "json_schema"]);
    checker.that(format["type"] == "json_schema", "the format is a schema");
    let schema = &format["json_schema"];
    checker.only(schema, "json_schema", &["name", "strict", "schema"]);
    checker.that(schema["strict"] == true, "the schema is strict");
    checker.that(strictness::is_name(&schema["name"]), "the schema has a name");
    checker.complaints.extend(strictness::problems(&schema["schema"]));
    checker.complaints
}

fn check_anthropic(seen: &Seen) -> Vec<String> {
    let mut checker = Checker { seen, complaints: Vec::new() };
    checker.post("/v1/messages");
    checker.that(seen.header("x-api-key") == Some(KEY), "the key is in x-api-key");
    checker.that(seen.header("anthropic-version") == Some("2023-06-01"), "the version is given");
    checker.that(seen.header("authorization").is_none(), "no bearer token");
    let body = &seen.body;
    checker.only(body, "body", &["model", "max_tokens", "system", "messages", "output_config"]);
    checker.that(body["model"] == MODEL, "the model is the configured one");
    checker.that(body["max_tokens"].as_u64().is_some_and(|most| most > 0), "max_tokens is given");
    for part in body["system"].as_array().into_iter().flatten() {
        checker.only(part, "system", &["type", "text", "cache_control"]);
        checker
            .that(part["type"] == "text" && part["text"].is_string(), "the system prompt is text");
        checker.that(part["cache_control"] == json!({"type": "ephemeral"}), "it is marked");
    }
    checker.that(
        body["system"].as_array().is_some_and(|all| (1..=4).contains(&all.len())),
        "at most 4 marks",
    );
    checker.that(body["messages"].as_array().is_some_and(|all| all.len() == 1), "one message");
    checker.that(body["messages"][0]["role"] == "user", "the message is the user's");
    let parts = body["messages"][0]["content"].as_array().cloned().unwrap_or_default();
    checker.that(!parts.is_empty(), "the message has content");
    for (position, part) in parts.iter().enumerate() {
        let place = format!("block {position}");
        if position == 0 {
            checker.only(part, &place, &["type", "text"]);
            checker.that(part["type"] == "text" && part["text"].is_string(), "text comes first");
        } else {
            checker.only(part, &place, &["type", "source"]);
            checker.that(part["type"] == "image", "pictures follow");
            let source = &part["source"];
            checker.only(source, &place, &["type", "media_type", "data"]);
            checker.that(source["type"] == "base64", "a picture is in base64");
        }
    }
    let format = &body["output_config"]["format"];
    checker.only(&body["output_config"], "output_config", &["format"]);
    checker.only(format, "format", &["type", "schema"]);
    checker.that(format["type"] == "json_schema", "the format is a schema");
    checker.complaints.extend(strictness::problems(&format["schema"]));
    checker.complaints
}

fn check_bedrock(seen: &Seen) -> Vec<String> {
    let mut checker = Checker { seen, complaints: Vec::new() };
    checker.post(&format!("/model/{MODEL}/converse"));
    let signed = seen.header("authorization").unwrap_or_default();
    checker.that(signed.starts_with("AWS4-HMAC-SHA256 "), "the request is signed");
    checker.that(signed.contains("/us-west-2/bedrock/aws4_request"), "it is signed for Bedrock");
    let body = &seen.body;
    checker.only(body, "body", &["system", "messages", "inferenceConfig", "toolConfig"]);
    checker.that(body["system"][0]["text"].is_string(), "the system prompt is text");
    checker.that(body["inferenceConfig"]["maxTokens"].is_u64(), "the length is limited");
    checker.that(body["messages"].as_array().is_some_and(|all| all.len() == 1), "one message");
    checker.that(body["messages"][0]["role"] == "user", "the message is the user's");
    let parts = body["messages"][0]["content"].as_array().cloned().unwrap_or_default();
    checker.that(parts.first().is_some_and(|part| part["text"].is_string()), "text comes first");
    for part in parts.iter().skip(1) {
        checker.only(part, "block", &["image"]);
        let formats = ["png", "jpeg", "gif", "webp"].map(Value::from);
        checker.that(formats.contains(&part["image"]["format"]), "a known format of pictures");
        checker.that(part["image"]["source"]["bytes"].is_string(), "a picture has bytes");
    }
    let tools = &body["toolConfig"];
    checker.only(tools, "toolConfig", &["tools", "toolChoice"]);
    checker.that(tools["tools"].as_array().is_some_and(|all| all.len() == 1), "one tool");
    let tool = &tools["tools"][0]["toolSpec"];
    checker.that(strictness::is_name(&tool["name"]), "the tool has a name");
    checker.that(tools["toolChoice"] == json!({"auto": {}}), "the tool is not forced");
    let asked = format!("tool `{}`", tool["name"].as_str().unwrap_or_default());
    let system = body["system"][0]["text"].as_str().unwrap_or_default();
    checker.that(system.contains(&asked), "the system prompt asks for the call");
    checker.complaints.extend(strictness::problems(&tool["inputSchema"]["json"]));
    checker.complaints
}
