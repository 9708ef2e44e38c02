//! Without waiting: the operation is accepted at once, and polled until it has ended.

use std::{env, error::Error, thread, time::Duration};

use serde::Deserialize;
use serde_json::json;
use ureq::Agent;
use uuid::Uuid;

#[derive(Deserialize)]
struct Answer {
    data: Operation,
}

#[derive(Deserialize)]
struct Operation {
    status: String,
    result: Option<Generation>,
    error: Option<Failure>,
}

#[derive(Deserialize)]
struct Generation {
    prompt: String,
}

#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "they are printed")]
struct Failure {
    code: String,
    message: String,
}

fn main() -> Result<(), Box<dyn Error>> {
    let agent: Agent =
        Agent::config_builder().timeout_global(Some(Duration::from_secs(30))).build().into();
    let authorization = format!("Bearer {}", env::var("KEY")?);
    let accepted = agent
        .post(format!("{}/prompts/generate", env::var("API")?))
        .header("Authorization", &authorization)
        .header("Idempotency-Key", Uuid::new_v4().to_string())
        .header("Prefer", "respond-async")
        .send_json(json!({"message": "Plan a three-day trip to Lisbon"}))?;
    let location = accepted.headers().get("Location").ok_or("not deferred")?.to_str()?;

    let operation = loop {
        let answer: Answer = agent
            .get(location)
            .header("Authorization", &authorization)
            .call()?
            .body_mut()
            .read_json()?;
        match answer.data.status.as_str() {
            "PENDING" | "RUNNING" => thread::sleep(Duration::from_millis(500)),
            _ => break answer.data,
        }
    };
    match operation.result {
        Some(generation) => println!("{}", generation.prompt),
        None => return Err(format!("{}: {:?}", operation.status, operation.error).into()),
    }
    Ok(())
}
