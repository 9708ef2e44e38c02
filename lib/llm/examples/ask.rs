//! Requests an analysis, to check that a provider works as configured. The settings come from
//! standard input, one `NAME=value` per line, so that no key shows in a list of processes: `cargo
//! run -p llm --example ask -- "Write a poem" picture.png < settings.env`
#![allow(clippy::unwrap_used)]

use std::{
    collections::HashMap,
    process::ExitCode,
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use domain::{Clock, Random, Timestamp, clock::Sleep};
use engine::{Image, PromptBrief, TargetModel};
use llm::{EngineConfig, ProviderKeys, connect};
use rules::Rules;

#[derive(Debug)]
struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        Timestamp::from_millis(i64::try_from(elapsed.as_millis()).unwrap())
    }

    fn sleep_until(&self, instant: Timestamp) -> Sleep {
        Box::pin(tokio::time::sleep(instant.since(self.now())))
    }
}

#[derive(Debug)]
struct SystemRandom;

impl Random for SystemRandom {
    fn fill(&self, buffer: &mut [u8]) {
        getrandom::fill(buffer).unwrap();
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    let settings = std::io::read_to_string(std::io::stdin()).unwrap();
    let settings: HashMap<_, _> =
        settings.lines().filter_map(|line| line.trim().split_once('=')).collect();
    let config = match EngineConfig::read(|name| settings.get(name).map(|&value| value.to_owned()))
    {
        Ok(config) => config,
        Err(problems) => {
            eprintln!("{problems}");
            return ExitCode::from(2);
        }
    };
    let clock = Arc::new(SystemClock);
    let keys = ProviderKeys::fetch(&config, &*clock).await;
    let connected = keys.and_then(|keys| {
        connect(&config, &keys, Arc::new(Rules), clock.clone(), Arc::new(SystemRandom))
    });
    let engine = match connected {
        Ok(engine) => engine,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    let images = std::env::args().skip(2).map(|path| {
        let kind = path.rsplit('.').next().unwrap_or_default();
        Image { media_type: format!("image/{kind}"), bytes: std::fs::read(&path).unwrap() }
    });
    let brief = PromptBrief {
        prompt: std::env::args().nth(1).unwrap_or_else(|| "Write a poem".to_owned()),
        context: String::new(),
        language: "en".to_owned(),
        target_model: TargetModel::default(),
        variations: 1,
        images: images.collect(),
    };
    let until = clock.now() + Duration::from_secs(120);
    match engine.analyze(&brief, until).await {
        Ok(analysis) => {
            println!("{}", serde_json::to_string_pretty(&analysis).unwrap());
            ExitCode::SUCCESS
        }
        Err(error) => {
            println!("{error}");
            ExitCode::FAILURE
        }
    }
}
