//! The first prompt.

use std::{env, error::Error, time::Duration};

use serde::Deserialize;
use serde_json::json;
use ureq::Agent;
use uuid::Uuid;

#[derive(Deserialize)]
struct Answer {
    data: Data,
}

#[derive(Deserialize)]
struct Data {
    prompt: String,
}

fn main() -> Result<(), Box<dyn Error>> {
    let agent: Agent =
        Agent::config_builder().timeout_global(Some(Duration::from_secs(30))).build().into();
    let answer: Answer = agent
        .post(format!("{}/prompts/generate", env::var("API")?))
        .header("Authorization", format!("Bearer {}", env::var("KEY")?))
        .header("Idempotency-Key", Uuid::new_v4().to_string())
        .send_json(json!({
            "message": "Write a blog post about hiking in Iceland",
            "targetModel": "Claude Opus 5.5",
        }))?
        .body_mut()
        .read_json()?;
    println!("{}", answer.data.prompt);
    Ok(())
}
