//! A preset, rendered.

use std::{env, error::Error, time::Duration};

use serde_json::{Value, json};
use ureq::{Agent, http::StatusCode};

struct Client {
    agent: Agent,
    api: String,
    authorization: String,
}

impl Client {
    fn post(&self, path: &str, body: Value) -> Result<(StatusCode, Value), ureq::Error> {
        let mut answer = self
            .agent
            .post(format!("{}{path}", self.api))
            .header("Authorization", &self.authorization)
            .send_json(body)?;
        Ok((answer.status(), answer.body_mut().read_json()?))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    // An error status is an answer here, since its problems are printed.
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .timeout_global(Some(Duration::from_secs(30)));
    let client = Client {
        agent: config.build().into(),
        api: env::var("API")?,
        authorization: format!("Bearer {}", env::var("KEY")?),
    };

    let preset = json!({
        "name": "City trips",
        "promptText": "Plan three days in {{city}} for {{travellers}}.",
        "values": {"city": "Lisbon"},
    });
    let (_, created) = client.post("/prompt-presets", preset)?;
    let id = created["data"]["id"].as_str().ok_or_else(|| created.to_string())?;

    let values = json!({"values": {"travellers": "two"}});
    let (_, rendered) = client.post(&format!("/prompt-presets/{id}/render"), values)?;
    println!("{}", rendered["data"]["text"].as_str().ok_or_else(|| rendered.to_string())?);

    // What is refused says why, problem by problem.
    let (status, refused) =
        client.post("/prompt-presets", json!({"name": "", "promptText": ""}))?;
    for problem in refused["error"]["details"].as_array().into_iter().flatten() {
        let text = |name: &str| problem[name].as_str().unwrap_or_default();
        println!("{} {} {}", status.as_u16(), text("path"), text("message"));
    }

    let deleted = client
        .agent
        .delete(format!("{}/prompt-presets/{id}", client.api))
        .header("Authorization", &client.authorization)
        .call()?;
    if !deleted.status().is_success() {
        return Err(format!("not deleted: {}", deleted.status()).into());
    }
    Ok(())
}
