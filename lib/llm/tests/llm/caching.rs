//! What providers can keep of a request in their prompt caches, measured on requests as they are received.

use std::{future::Future, sync::Arc};

use engine::{Engine, TargetModel, tokens};
use llm::{Bedrock, Limits, Llm};
use rules::Rules;
use serde_json::{Value, json};

use crate::{
    dialect::{ALL, Dialect, Outcome},
    stub::{Seen, Stub},
    world::{
        Counting, PROMPT, TIMEOUT, TestClock, after, aws, engine, feedback, goal, prompt, target,
    },
};

/// Prompts of the official library, whose length is usual.
fn usual_prompts() -> Vec<String> {
    let items: Vec<Value> =
        serde_json::from_str(include_str!("../../../../infra/library/official.json")).unwrap();
    let texts = items.iter().map(|item| item["promptText"].as_str().unwrap().to_owned());
    texts.step_by(6).collect()
}

/// The requests that `ask` sends, one for each prompt.
async fn requests<F: Future<Output = ()>>(
    dialect: Dialect,
    prompts: &[String],
    ask: impl Fn(Arc<Llm>, String) -> F,
) -> Vec<Seen> {
    let refused = dialect.play(Outcome::Failed(400, dialect.code(400), String::new()));
    let stub = dialect.start(vec![refused; prompts.len()]).await;
    let engine = Arc::new(engine(dialect, &stub, TestClock::new()));
    for prompt in prompts {
        ask(engine.clone(), prompt.clone()).await;
    }
    stub.seen()
}

/// Tokens of what stands before the user's message, and of all.
fn shares(dialect: Dialect, seen: &Seen) -> (usize, usize) {
    let count = |text: &str| tokens::estimate(text, TargetModel::default()).input as usize;
    let schema = &seen.body["response_format"]["json_schema"]["schema"];
    let before = count(&schema.to_string()) + count(&dialect.system(seen));
    (before, before + count(&dialect.text(seen)))
}

#[tokio::test]
async fn four_fifths_of_usual_requests_are_the_same_in_all_of_an_operation() {
    let prompts = usual_prompts();
    let dialect = Dialect::OpenAi;
    let wish = "Make it shorter, and ask for an example.";
    let operations = [
        (
            "generate",
            requests(dialect, &prompts, async |e, text| {
                drop(e.generate(&goal(&text), after(60)).await);
            })
            .await,
        ),
        (
            "analyze",
            requests(dialect, &prompts, async |e, text| {
                drop(e.analyze(&prompt(&text), after(60)).await);
            })
            .await,
        ),
        (
            "optimize",
            requests(dialect, &prompts, async |e, text| {
                drop(e.optimize(&prompt(&text), after(60)).await);
            })
            .await,
        ),
        (
            "analyze and optimize",
            requests(dialect, &prompts, async |e, text| {
                drop(e.analyze_and_optimize(&prompt(&text), after(60)).await);
            })
            .await,
        ),
        (
            "refine",
            requests(dialect, &prompts, async |e, text| {
                drop(e.refine(&feedback(&text, wish), after(60)).await);
            })
            .await,
        ),
    ];
    for (operation, seen) in operations {
        assert_eq!(seen.len(), prompts.len());
        let first = dialect.frame(&seen[0]);
        assert!(seen.iter().all(|seen| dialect.frame(seen) == first), "{operation}");
        let (before, all) = seen
            .iter()
            .map(|seen| shares(dialect, seen))
            .fold((0, 0), |sum, (before, all)| (sum.0 + before, sum.1 + all));
        let share = 100 * before / all;
        println!("{operation}: {share} % of {} tokens", all / seen.len());
        // From this length on, OpenAI and Anthropic's smaller minimum cache.
        assert!(before / seen.len() >= 1_024, "{operation}: {} tokens", before / seen.len());
        assert!(share >= 80, "{operation}: {share} %");
    }
}

#[tokio::test]
async fn requests_for_one_target_model_begin_alike_and_those_for_others_until_it_is_named() {
    for dialect in ALL {
        let refused = || dialect.play(Outcome::Failed(400, dialect.code(400), String::new()));
        let stub = dialect.start([refused(), refused(), refused()]).await;
        let engine = engine(dialect, &stub, TestClock::new());
        let mut other = prompt("Write a limerick");
        drop(engine.analyze(&prompt(PROMPT), after(60)).await);
        drop(engine.analyze(&other, after(60)).await);
        other.target_model = target("Midjourney V8.1");
        drop(engine.analyze(&other, after(60)).await);
        let seen = stub.seen();
        assert_eq!(dialect.frame(&seen[0]), dialect.frame(&seen[1]), "{dialect:?}");
        let [same, another] = [&seen[1], &seen[2]].map(|seen| dialect.system(seen));
        let common = same.bytes().zip(another.bytes()).take_while(|(a, b)| a == b).count();
        assert!(same[..common].contains("# The target model"), "{dialect:?}");
    }
}

/// The system prompt that a model of Bedrock is sent.
async fn bedrock_system(model: &str) -> Value {
    let stub = Stub::start(|_| Vec::new(), [Dialect::Bedrock.play(Outcome::Refused)]).await;
    let limits = Limits { timeout: TIMEOUT, max_output_tokens: 1_000 };
    let (clock, random) = (TestClock::new(), Arc::new(Counting::default()));
    let provider = Box::new(Bedrock::new(&aws(&stub), model));
    let engine = Llm::new(provider, Arc::new(Rules), limits, clock, random);
    drop(engine.analyze(&prompt(PROMPT), after(60)).await);
    stub.seen()[0].body["system"].clone()
}

#[tokio::test]
async fn models_of_bedrock_get_cache_points_if_they_take_them() {
    let point = json!({"cachePoint": {"type": "default"}});
    for model in ["eu.anthropic.claude-sonnet-4-5-20250929-v1:0", "amazon.nova-pro-v1:0"] {
        let system = bedrock_system(model).await;
        assert_eq!((&system[2], &system[4]), (&point, &point), "{model}");
    }
    for model in ["anthropic.claude-3-haiku-20240307-v1:0", "mistral.mistral-large-2407-v1:0"] {
        let system = bedrock_system(model).await;
        let parts = system.as_array().unwrap();
        assert!(parts.iter().all(|part| part["text"].is_string()), "{model}");
    }
}
