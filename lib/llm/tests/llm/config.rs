//! The settings of a deployment.

use std::{collections::HashMap, time::Duration};

use engine::EngineIdentity;
use llm::{
    ConfigError, EngineConfig, EngineName, KeySource, Limits, Secret, WithoutVerdict, read_identity,
};

fn read(variables: &[(&str, &str)]) -> Result<EngineConfig, ConfigError> {
    let variables: HashMap<_, _> = variables.iter().copied().collect();
    EngineConfig::read(|name| variables.get(name).map(|value| (*value).to_owned()))
}

fn problems(variables: &[(&str, &str)]) -> Vec<String> {
    read(variables).unwrap_err().0
}

#[test]
fn nothing_set_means_rules() {
    for variables in
        [&[][..], &[("ENGINE", "")], &[("ENGINE", " rules "), ("OPENAI_BASE_URL", "?")]]
    {
        let config = read(variables).unwrap();
        assert_eq!(config.engines, [EngineName::Rules]);
        let limits = Limits { timeout: Duration::from_secs(60), max_output_tokens: 16_000 };
        assert_eq!(config.limits, limits);
        assert!(config.openai.is_none() && config.anthropic.is_none() && config.bedrock.is_none());
    }
}

#[test]
fn engines_are_read_in_order_with_their_settings() {
    let config = read(&[
        ("ENGINE", "bedrock, openai,anthropic,rules"),
        ("OPENAI_MODEL", "gpt"),
        ("OPENAI_API_KEY_SECRET", "arn:aws-cn:secretsmanager:cn-north-1:1:secret:y"),
        ("ANTHROPIC_MODEL", "claude"),
        ("ANTHROPIC_API_KEY_SECRET", "arn:aws:secretsmanager:us-east-1:1:secret:x"),
        ("BEDROCK_MODEL", "eu.amazon.nova-pro-v1:0"),
        ("BEDROCK_REGION", "eu-central-1"),
        ("ENGINE_TIMEOUT_SECONDS", "20"),
        ("ENGINE_MAX_OUTPUT_TOKENS", "4096"),
        ("MODERATION_WITHOUT_VERDICT", "publish"),
    ])
    .unwrap();
    use EngineName::{Anthropic, Bedrock, OpenAi, Rules};
    assert_eq!(config.engines, [Bedrock, OpenAi, Anthropic, Rules]);
    let openai = config.openai.unwrap();
    assert_eq!((openai.base.as_str(), openai.model.as_str()), ("https://api.openai.com/v1", "gpt"));
    assert_eq!(
        openai.key,
        Some(KeySource::Stored("arn:aws-cn:secretsmanager:cn-north-1:1:secret:y".to_owned()))
    );
    let anthropic = config.anthropic.unwrap();
    assert_eq!(anthropic.base.as_str(), "https://api.anthropic.com/");
    let arn = "arn:aws:secretsmanager:us-east-1:1:secret:x".to_owned();
    assert_eq!(anthropic.key, Some(KeySource::Stored(arn)));
    let bedrock = config.bedrock.unwrap();
    assert_eq!(bedrock.model, "eu.amazon.nova-pro-v1:0");
    assert_eq!(bedrock.region.as_deref(), Some("eu-central-1"));
    assert_eq!(config.limits.timeout, Duration::from_secs(20));
    assert_eq!(config.limits.max_output_tokens, 4_096);
    assert_eq!(config.without_verdict, WithoutVerdict::Publish);
}

#[test]
fn every_problem_is_reported_at_once() {
    let problems = problems(&[
        ("ENGINE", "rules,openai,opnai,bedrock,openai"),
        ("OPENAI_BASE_URL", "ftp://example.com"),
        ("OPENAI_API_KEY", "a"),
        ("OPENAI_API_KEY_SECRET", "arn:b"),
        ("ENGINE_TIMEOUT_SECONDS", "0"),
        ("ENGINE_MAX_OUTPUT_TOKENS", "many"),
        ("MODERATION_WITHOUT_VERDICT", "perhaps"),
    ]);
    assert_eq!(
        problems,
        [
            "ENGINE names \"opnai\"; the engines are rules, openai, anthropic and bedrock",
            "ENGINE names openai twice",
            "ENGINE must name rules last: it always answers, so nothing after it is ever asked",
            "OPENAI_MODEL is required",
            "OPENAI_BASE_URL must begin with https or http",
            "OPENAI_API_KEY and OPENAI_API_KEY_SECRET exclude each other",
            "BEDROCK_MODEL is required",
            "ENGINE_TIMEOUT_SECONDS must be a whole number from 1 to 900",
            "ENGINE_MAX_OUTPUT_TOKENS must be a whole number from 256 to 200000",
            "MODERATION_WITHOUT_VERDICT must be hold or publish",
        ]
    );
}

#[test]
fn the_vendors_own_servers_want_a_key_and_others_may_not() {
    for (engine, prefix) in [("openai", "OPENAI"), ("anthropic", "ANTHROPIC")] {
        let model = format!("{prefix}_MODEL");
        let base = format!("{prefix}_BASE_URL");
        let own = problems(&[("ENGINE", engine), (&model, "m")]);
        assert_eq!(own.len(), 1);
        assert!(
            own[0].starts_with(&format!("{prefix}_API_KEY or {prefix}_API_KEY_SECRET is required"))
        );
        let local = [("ENGINE", engine), (&*model, "m"), (&*base, "http://localhost:8000/v1")];
        assert!(read(&local).is_ok());
    }
}

#[test]
fn addresses_and_places_that_make_no_sense_are_refused_without_being_repeated() {
    for (name, value) in [
        ("OPENAI_BASE_URL", "https://user:hunter2@example.com"),
        ("OPENAI_BASE_URL", "https://example.com/?key=hunter2"),
        ("OPENAI_BASE_URL", "hunter2"),
        ("OPENAI_API_KEY", "hunter2 hunter2"),
        ("OPENAI_API_KEY_SECRET", "hunter2"),
    ] {
        let problems = problems(&[("ENGINE", "openai"), ("OPENAI_MODEL", "m"), (name, value)]);
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].starts_with(name) && !problems[0].contains("hunter2"), "{problems:?}");
    }
}

#[test]
fn a_budget_needs_the_prices_of_all_models() {
    let anthropic = [("ANTHROPIC_MODEL", "claude"), ("ANTHROPIC_API_KEY", "k")];
    let bedrock = [("ENGINE", "anthropic,bedrock,rules"), ("BEDROCK_MODEL", "nova-pro-v1:0")];
    let engines = [anthropic, bedrock].concat();
    let with = |prices, budget| {
        let settings = [("MODEL_PRICES", prices), ("MODEL_BUDGET", budget)];
        read(&[&engines[..], &settings].concat())
    };
    let prices = "anthropic/claude=3,15,0.3,3.75; bedrock/nova-pro-v1:0=0.8,3.2";
    let budget = with(prices, "99.5").unwrap().budget;
    assert_eq!(budget.limit.unwrap().to_string(), "99.500000");
    assert_eq!(with(prices, "").unwrap().budget.limit, None);
    assert_eq!(
        with("anthropic/claude=3,15", "1").unwrap_err().0,
        ["MODEL_BUDGET needs a price of bedrock/nova-pro-v1:0 in MODEL_PRICES"]
    );
    for (prices, problem) in [
        ("antropic/claude=3,15", "MODEL_PRICES names \"antropic\", which is no engine"),
        ("anthropic/m=3,15;anthropic/m=4,15", "MODEL_PRICES: anthropic/m has two prices"),
    ] {
        assert_eq!(with(prices, "").unwrap_err().0, [problem]);
    }
    assert_eq!(
        with(prices, "much").unwrap_err().0,
        ["MODEL_BUDGET must be dollars, such as 250 or 99.50"]
    );
    let wrong = with("anthropic/claude", "").unwrap_err().0;
    assert!(wrong[0].starts_with("MODEL_PRICES: \"anthropic/claude\" is not "), "{wrong:?}");
}

#[test]
fn a_key_is_not_shown_with_the_settings() {
    let config = read(&[
        ("ENGINE", "openai"),
        ("OPENAI_MODEL", "m"),
        ("OPENAI_API_KEY", " sk-live-hunter2 "),
    ])
    .unwrap();
    assert!(!format!("{config:?} {config:#?}").contains("hunter2"));
    assert_eq!(config.openai.unwrap().key, Some(KeySource::Given(Secret::new("sk-live-hunter2"))));
}

#[test]
fn a_function_that_only_names_the_engine_needs_no_key() {
    let read = |variables: &[(&str, &str)]| {
        let variables: HashMap<_, _> = variables.iter().copied().collect();
        read_identity(|name| variables.get(name).map(|value| (*value).to_owned()))
    };
    assert_eq!(read(&[]).unwrap(), EngineIdentity::rules());
    let named = read(&[("ENGINE", "openai,rules"), ("OPENAI_MODEL", "gpt")]).unwrap();
    assert_eq!((named.name.as_str(), named.model.as_deref()), ("openai", Some("gpt")));
    assert_eq!(read(&[("ENGINE", "bedrock")]).unwrap_err().0, ["BEDROCK_MODEL is required"]);
    assert!(read(&[("ENGINE", "nonsense")]).is_err());
}

#[test]
fn an_effort_is_one_of_three() {
    let effort = |name| read(&[("ENGINE_EFFORT", name)]).map(|config| config.effort);
    assert_eq!(effort(""), Ok(None));
    assert_eq!(effort("high"), Ok(Some(llm::Effort::High)));
    assert_eq!(effort("most").unwrap_err().0, ["ENGINE_EFFORT must be low or medium or high"]);
}
