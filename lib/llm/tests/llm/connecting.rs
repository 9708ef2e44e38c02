//! From settings to an engine.

use std::{collections::HashMap, sync::Arc};

use aws_secrets::ReadError;
use engine::{Engine, EngineKind};
use llm::{ConnectError, EngineConfig, connect, connect_on};
use rules::Rules;
use serde_json::json;

use crate::{
    answers::analysis,
    dialect::{Dialect, KEY, MODEL, Outcome},
    stub::{Play, Seen, Stub},
    world::{Counting, PROMPT, TestClock, after, aws, prompt},
};

fn config(variables: &[(&str, &str)]) -> EngineConfig {
    let variables: HashMap<_, _> = variables.iter().copied().collect();
    EngineConfig::read(|name| variables.get(name).map(|value| (*value).to_owned())).unwrap()
}

fn random() -> Arc<Counting> {
    Arc::default()
}

#[tokio::test]
async fn rules_alone_are_rules() {
    let engine = connect(&config(&[]), Arc::new(Rules), TestClock::new(), random()).await.unwrap();
    assert_eq!(
        (engine.identity().name.as_str(), engine.identity().kind),
        ("rules", EngineKind::Rules)
    );
}

fn answer(dialect: Dialect) -> Play {
    dialect.play(Outcome::Answer(analysis(json!([]))))
}

async fn analyzed(engine: &dyn Engine) -> String {
    engine.analyze(&prompt(PROMPT), after(60)).await.unwrap().engine.name
}

#[tokio::test]
async fn a_key_is_fetched_from_the_parameter_store() {
    fn check(seen: &Seen) -> Vec<String> {
        let target = seen.header("x-amz-target") == Some("AmazonSSM.GetParameter");
        let asked = seen.body == json!({"Name": "/prompts/key", "WithDecryption": true});
        if target && asked { Vec::new() } else { vec![format!("{seen:?}")] }
    }
    let value = json!({"Parameter": {"Name": "/prompts/key", "Value": format!("{KEY}\n")}});
    let store = Stub::start(check, [Play::json(200, &value)]).await;
    let stub = Dialect::OpenAi.start([answer(Dialect::OpenAi)]).await;
    let config = config(&[
        ("ENGINE", "openai"),
        ("OPENAI_MODEL", MODEL),
        ("OPENAI_BASE_URL", &format!("http://{}/v1/", stub.address)),
        ("OPENAI_API_KEY_SECRET", "ssm:/prompts/key"),
    ]);
    let engine = connect_on(&config, &aws(&store), Arc::new(Rules), TestClock::new(), random())
        .await
        .unwrap();
    assert_eq!(analyzed(engine.as_ref()).await, "openai");
}

#[tokio::test]
async fn a_key_is_fetched_from_secrets_manager() {
    fn check(seen: &Seen) -> Vec<String> {
        let target = seen.header("x-amz-target") == Some("secretsmanager.GetSecretValue");
        let asked = seen.body == json!({"SecretId": "prompts/key"});
        if target && asked { Vec::new() } else { vec![format!("{seen:?}")] }
    }
    let value = json!({"Name": "prompts/key", "SecretString": KEY});
    let store = Stub::start(check, [Play::json(200, &value)]).await;
    let stub = Dialect::Anthropic.start([answer(Dialect::Anthropic)]).await;
    let config = config(&[
        ("ENGINE", "anthropic"),
        ("ANTHROPIC_MODEL", MODEL),
        ("ANTHROPIC_BASE_URL", &format!("http://{}", stub.address)),
        ("ANTHROPIC_API_KEY_SECRET", "secretsmanager:prompts/key"),
    ]);
    let engine = connect_on(&config, &aws(&store), Arc::new(Rules), TestClock::new(), random())
        .await
        .unwrap();
    assert_eq!(analyzed(engine.as_ref()).await, "anthropic");
}

#[tokio::test]
async fn a_key_that_cannot_be_fetched_says_where_it_should_be() {
    fn any(_: &Seen) -> Vec<String> {
        Vec::new()
    }
    let config = config(&[
        ("ENGINE", "openai,rules"),
        ("OPENAI_MODEL", MODEL),
        ("OPENAI_API_KEY_SECRET", "ssm:/prompts/key"),
    ]);
    let missing = Play::json(400, &json!({"__type": "ParameterNotFound", "message": "none"}));
    let empty = Play::json(200, &json!({"Parameter": {"Value": "  "}}));
    let binary = Play::json(200, &json!({"Parameter": {"Value": "a b"}}));
    for play in [missing, empty, binary] {
        let store = Stub::start(any, [play]).await;
        let made =
            connect_on(&config, &aws(&store), Arc::new(Rules), TestClock::new(), random()).await;
        let Err(ConnectError::Key(ReadError { place, reason })) = made else {
            panic!("no key, no engine")
        };
        assert_eq!(place, "ssm:/prompts/key");
        assert!(!reason.is_empty());
    }
}

#[tokio::test]
async fn bedrock_is_asked_in_its_own_region() {
    fn check(seen: &Seen) -> Vec<String> {
        let signed = seen.header("authorization").unwrap_or_default();
        if signed.contains("/eu-central-1/bedrock/") { Vec::new() } else { vec![signed.to_owned()] }
    }
    let stub = Stub::start(check, [answer(Dialect::Bedrock)]).await;
    let config = config(&[
        ("ENGINE", "bedrock,rules"),
        ("BEDROCK_MODEL", "nova"),
        ("BEDROCK_REGION", "eu-central-1"),
    ]);
    let engine = connect_on(&config, &aws(&stub), Arc::new(Rules), TestClock::new(), random())
        .await
        .unwrap();
    assert_eq!(engine.identity().model.as_deref(), Some("nova"));
    assert_eq!(analyzed(engine.as_ref()).await, "bedrock");
}
