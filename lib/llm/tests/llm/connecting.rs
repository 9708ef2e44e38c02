//! From settings to an engine.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use aws_config::SdkConfig;
use aws_secrets::ReadError;
use domain::Clock;
use engine::{Engine, EngineKind};
use llm::{ConnectError, EngineConfig, ProviderKeys};
use rules::Rules;
use serde_json::json;

use crate::{
    answers::analysis,
    dialect::{Dialect, KEY, MODEL, Outcome},
    stub::{Play, Seen, Stub},
    world::{self, Counting, PROMPT, TestClock, after, aws, prompt},
};

fn config(variables: &[(&str, &str)]) -> EngineConfig {
    let variables: HashMap<_, _> = variables.iter().copied().collect();
    EngineConfig::read(|name| variables.get(name).map(|value| (*value).to_owned())).unwrap()
}

/// The engine of a configuration, whose keys AWS has.
async fn connected(
    config: &EngineConfig,
    aws: &SdkConfig,
) -> Result<Arc<dyn Engine>, ConnectError> {
    let clock = TestClock::new();
    let keys = ProviderKeys::fetch_on(config, aws, &*clock).await?;
    llm::connect(config, &keys, Arc::new(Rules), clock, Arc::<Counting>::default())
}

#[tokio::test]
async fn rules_alone_are_rules() {
    let engine = connected(&config(&[]), &SdkConfig::builder().build()).await.unwrap();
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
async fn a_key_is_fetched_from_secrets_manager() {
    fn check(seen: &Seen) -> Vec<String> {
        let target = seen.header("x-amz-target") == Some("secretsmanager.GetSecretValue");
        let asked = seen.body
            == json!({"SecretId": "arn:aws:secretsmanager:us-west-2:1:secret:key", "VersionStage": "AWSCURRENT"});
        if target && asked { Vec::new() } else { vec![format!("{seen:?}")] }
    }
    let value = json!({"Name": "arn:aws:secretsmanager:us-west-2:1:secret:key", "SecretString": format!("{KEY}\n")});
    let store = Stub::start(check, [Play::json(200, &value)]).await;
    let stub = Dialect::Anthropic.start([answer(Dialect::Anthropic)]).await;
    let config = config(&[
        ("ENGINE", "anthropic"),
        ("ANTHROPIC_MODEL", MODEL),
        ("ANTHROPIC_BASE_URL", &format!("http://{}", stub.address)),
        ("ANTHROPIC_API_KEY_SECRET", "arn:aws:secretsmanager:us-west-2:1:secret:key"),
    ]);
    let engine = connected(&config, &aws(&store)).await.unwrap();
    assert_eq!(analyzed(engine.as_ref()).await, "anthropic");
}

fn any(_: &Seen) -> Vec<String> {
    Vec::new()
}

fn two_stored_keys() -> EngineConfig {
    config(&[
        ("ENGINE", "openai,anthropic"),
        ("OPENAI_MODEL", MODEL),
        ("OPENAI_API_KEY_SECRET", "arn:aws:secretsmanager:us-west-2:1:secret:one"),
        ("ANTHROPIC_MODEL", MODEL),
        ("ANTHROPIC_API_KEY_SECRET", "arn:aws:secretsmanager:us-west-2:1:secret:other"),
    ])
}

#[tokio::test]
async fn keys_are_fetched_side_by_side_and_once() {
    let store = Stub::start(any, [Play::Silence, Play::Silence]).await;
    let (config, aws, clock) = (two_stored_keys(), aws(&store), TestClock::new());
    let fetching = ProviderKeys::fetch_on(&config, &aws, &*clock);
    tokio::select! {
        _ = fetching => panic!("nobody has answered"),
        () = store.requested(2) => {}
    }
    let asked: BTreeSet<_> =
        store.seen().iter().map(|seen| seen.body["SecretId"].to_string()).collect();
    assert_eq!(asked.len(), 2, "{asked:?}");

    let found = Play::json(200, &json!({"SecretString": KEY}));
    let store = Stub::start(any, [found.clone(), found]).await;
    let aws = world::aws(&store);
    let keys = ProviderKeys::fetch_on(&config, &aws, &*clock).await.unwrap();
    for _ in 0..2 {
        let random = Arc::<Counting>::default();
        llm::connect(&config, &keys, Arc::new(Rules), clock.clone(), random.clone()).unwrap();
        llm::moderator(&config, &keys, clock.clone(), random).unwrap();
    }
    assert_eq!(store.seen().len(), 2);
}

#[tokio::test]
async fn a_right_that_is_not_known_yet_is_waited_for_within_the_time_of_a_start() {
    let denied = Play::json(400, &json!({"__type": "AccessDeniedException", "message": "no"}));
    let found = Play::json(200, &json!({"SecretString": KEY}));
    let config = two_stored_keys();
    let plays = std::iter::repeat_n(denied.clone(), 8).chain([found.clone(), found]);
    let store = Stub::start(any, plays).await;
    let clock = TestClock::new();
    ProviderKeys::fetch_on(&config, &aws(&store), &*clock).await.unwrap();

    let store = Stub::start(any, std::iter::repeat_n(denied, 100)).await;
    let clock = TestClock::new();
    let failed = ProviderKeys::fetch_on(&config, &aws(&store), &*clock).await;
    let Err(ConnectError::Key(ReadError { reason, .. })) = failed else { panic!("never allowed") };
    assert!(reason.contains("AccessDeniedException"), "{reason}");
    assert!(clock.now() < after(8), "Lambda gives ten seconds");
}

#[tokio::test]
async fn a_key_that_cannot_be_fetched_says_where_it_should_be() {
    let config = config(&[
        ("ENGINE", "openai,rules"),
        ("OPENAI_MODEL", MODEL),
        ("OPENAI_API_KEY_SECRET", "arn:aws:secretsmanager:us-west-2:1:secret:key"),
    ]);
    let missing =
        Play::json(400, &json!({"__type": "ResourceNotFoundException", "message": "none"}));
    let empty = Play::json(200, &json!({"SecretString": "  "}));
    let binary = Play::json(200, &json!({"SecretString": "a b"}));
    for play in [missing, empty, binary] {
        let store = Stub::start(any, [play]).await;
        let Err(ConnectError::Key(ReadError { id, reason })) =
            connected(&config, &aws(&store)).await
        else {
            panic!("no key, no engine")
        };
        assert_eq!(id, "arn:aws:secretsmanager:us-west-2:1:secret:key");
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
    let engine = connected(&config, &aws(&stub)).await.unwrap();
    assert_eq!(engine.identity().model.as_deref(), Some("nova"));
    assert_eq!(analyzed(engine.as_ref()).await, "bedrock");
}
