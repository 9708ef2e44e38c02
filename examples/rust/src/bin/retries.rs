//! Retries that never charge twice: every attempt carries the same Idempotency-Key.

use std::{env, error::Error, thread, time::Duration};

use serde_json::{Value, json};
use ureq::{
    Agent,
    http::{HeaderMap, StatusCode},
};
use uuid::Uuid;

const ATTEMPTS: u32 = 5;

struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    text: String,
}

impl Answer {
    /// Whether another attempt may be answered otherwise. API Gateway's own errors have no code.
    fn passes(&self) -> bool {
        let body: Value = serde_json::from_str(&self.text).unwrap_or_default();
        match body["error"]["code"].as_str() {
            Some("idempotency_in_progress") => true,
            Some("credits_exhausted") => false,
            _ => self.status == StatusCode::TOO_MANY_REQUESTS || self.status.is_server_error(),
        }
    }

    fn retry_after(&self) -> Option<Duration> {
        let seconds = self.headers.get("Retry-After")?.to_str().ok()?.parse().ok()?;
        Some(Duration::from_secs(seconds))
    }
}

struct Client {
    agent: Agent,
    api: String,
    authorization: String,
}

impl Client {
    fn from_environment() -> Result<Self, env::VarError> {
        // An error status is an answer here, since its headers and its code are read.
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(30)));
        Ok(Self {
            agent: config.build().into(),
            api: env::var("API")?,
            authorization: format!("Bearer {}", env::var("KEY")?),
        })
    }

    fn attempt(&self, path: &str, key: &str, body: &Value) -> Result<Answer, ureq::Error> {
        let mut answer = self
            .agent
            .post(format!("{}{path}", self.api))
            .header("Authorization", &self.authorization)
            .header("Idempotency-Key", key)
            .send_json(body)?;
        Ok(Answer {
            status: answer.status(),
            text: answer.body_mut().read_to_string()?,
            headers: answer.headers().clone(),
        })
    }

    /// Posts until there is an answer that another attempt would not change.
    fn safely(&self, path: &str, key: &str, body: &Value) -> Result<Answer, Box<dyn Error>> {
        for number in 1.. {
            let mut pause = Duration::from_secs(1 << (number - 1));
            match self.attempt(path, key, body) {
                Ok(answer) if answer.status.is_success() => return Ok(answer),
                Ok(answer) if number == ATTEMPTS || !answer.passes() => {
                    return Err(format!("{}: {}", answer.status, answer.text).into());
                }
                Ok(answer) => pause = answer.retry_after().unwrap_or(pause),
                // Whether it arrived is unknown, and need not be known.
                Err(error) if number == ATTEMPTS => return Err(error.into()),
                Err(_) => {}
            }
            thread::sleep(pause);
        }
        unreachable!()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let client = Client::from_environment()?;
    let key = Uuid::new_v4().to_string();
    let body = json!({
        "prompt": "Write something nice about {{product}}",
        "targetModel": "Claude Opus 5.5",
    });
    let first = client.safely("/prompts/optimize", &key, &body)?;
    let answer: Value = serde_json::from_str(&first.text)?;
    let prompt = answer["data"]["versions"][0]["prompt"].as_str();
    println!("{}", prompt.ok_or("no version")?);

    // Had the answer been lost, asking again would have brought the same one, free of charge.
    let second = client.safely("/prompts/optimize", &key, &body)?;
    assert_eq!(serde_json::from_str::<Value>(&second.text)?["data"], answer["data"]);
    let replayed = second.headers.get("Idempotent-Replayed").ok_or("not replayed")?;
    println!("Idempotent-Replayed: {}", replayed.to_str()?);
    Ok(())
}
