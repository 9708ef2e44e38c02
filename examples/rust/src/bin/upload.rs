//! An upload, reversed: the prompt of a picture. `upload PICTURE.png`

use std::{collections::HashMap, env, error::Error, fs, time::Duration};

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use ureq::Agent;

#[derive(Deserialize)]
struct Answer<T> {
    data: T,
}

#[derive(Deserialize)]
struct Created {
    id: String,
    upload: Target,
}

#[derive(Deserialize)]
struct Target {
    url: String,
    headers: HashMap<String, String>,
}

#[derive(Deserialize)]
struct Completed {
    status: String,
}

#[derive(Deserialize)]
struct Reversed {
    recovery: String,
    prompt: String,
}

fn post<T: DeserializeOwned>(
    agent: &Agent,
    path: &str,
    body: Value,
    headers: &[(&str, &str)],
) -> Result<T, Box<dyn Error>> {
    let request = agent
        .post(format!("{}{path}", env::var("API")?))
        .header("Authorization", format!("Bearer {}", env::var("KEY")?));
    let request =
        headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    Ok(request.send_json(body)?.body_mut().read_json::<Answer<T>>()?.data)
}

fn main() -> Result<(), Box<dyn Error>> {
    let agent: Agent =
        Agent::config_builder().timeout_global(Some(Duration::from_secs(30))).build().into();
    let picture = fs::read(env::args().nth(1).ok_or("usage: upload PICTURE.png")?)?;

    let file = json!({
        "scope": "reverse_image",
        "filename": "picture.png",
        "contentType": "image/png",
        "size": picture.len(),
    });
    let Created { id, upload } = post(&agent, "/uploads", file, &[])?;

    // To the storage, with exactly the headers that it names, and without the key.
    let store = agent.put(&upload.url);
    upload
        .headers
        .iter()
        .fold(store, |store, (name, value)| store.header(name, value))
        .send(&picture)?;

    let completed: Completed = post(&agent, &format!("/uploads/{id}/complete"), json!({}), &[])?;
    assert_eq!(completed.status, "ready");

    let body = json!({"type": "image", "uploadId": id});
    let reversed: Reversed = post(&agent, "/reverse-prompts", body, &[("Idempotency-Key", &id)])?;
    println!("{}: {}", reversed.recovery, reversed.prompt);
    Ok(())
}
