//! `queues`: their depth, and the messages of their dead-letter queues.

use serde_json::{Value, json};
use store::dead_letters::DeadLetter;

use crate::{failure::Failure, options::QueuesCommand, output::Output, target::Target};

pub async fn run(command: QueuesCommand, target: &Target, output: &Output) -> Result<(), Failure> {
    let store = &target.store;
    match command {
        QueuesCommand::Depth => {
            let mut rows = Vec::new();
            for (name, url) in &target.queues {
                let depth = store.queue_depth(url).await?;
                rows.push(json!({
                    "queue": name,
                    "waiting": depth.waiting,
                    "inFlight": depth.in_flight,
                    "delayed": depth.delayed,
                    "dead": depth.dead,
                }));
            }
            output.show(&Value::Array(rows));
        }
        QueuesCommand::Dead { queue, limit } => {
            let letters = store.dead_letters(url(target, &queue)?, limit.into()).await?;
            output.show(&letters.iter().map(to_json).collect());
        }
        QueuesCommand::Redrive { queue } => {
            let moved = store.redrive(url(target, &queue)?).await?;
            output.show(&json!({"queue": queue, "moved": moved}));
        }
    }
    Ok(())
}

fn url<'a>(target: &'a Target, queue: &str) -> Result<&'a str, Failure> {
    let known = target.queues.iter().find(|(name, _)| *name == queue);
    let (_, url) = known.ok_or_else(|| Failure::NotFound(format!("known queue {queue}")))?;
    Ok(url)
}

fn to_json(letter: &DeadLetter) -> Value {
    // Messages of the service are JSON; any others are shown unchanged.
    let body = serde_json::from_str(&letter.body).unwrap_or_else(|_| json!(letter.body));
    json!({
        "id": letter.id,
        "sentAt": letter.sent_at,
        "receives": letter.receives,
        "message": body,
    })
}
