//! Queues: what waits in them, and what they gave up.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::admin;

use std::time::Duration;

use admin::Folder;
use domain::{AccountId, OperationId};
use serde_json::{Value, json};
use store::{Store, operations::queue::OperationMessage};

/// Messages that a queue gives up after one look are what the queue's own settings say; here they are
/// sent to the dead-letter queue itself.
async fn dead_letter(store: &Store, sqs: &store::Sqs, count: usize) -> Vec<OperationMessage> {
    let url = format!("{}-dead", store.names().operations_queue_url);
    let mut messages = Vec::new();
    for _ in 0..count {
        let message = OperationMessage {
            account_id: AccountId::new(&**store.clock(), &**store.random()),
            operation_id: OperationId::new(&**store.clock(), &**store.random()),
        };
        let body = serde_json::to_string(&message).unwrap();
        sqs.send_message().queue_url(&url).message_body(body).send().await.unwrap();
        messages.push(message);
    }
    messages
}

fn depth(folder: &Folder) -> Value {
    let rows = folder.done(&["queues", "depth"]);
    let queues: Vec<_> = rows.as_array().unwrap().iter().map(|row| &row["queue"]).collect();
    assert_eq!(queues, ["operations", "library", "deliveries", "slow-deliveries", "upload-events"]);
    let mut first = rows[0].clone();
    first.as_object_mut().unwrap().remove("queue");
    first
}

#[test]
fn the_depth_tells_what_waits_and_what_is_delayed() {
    let folder = Folder::new("depth");
    let none = json!({"waiting": 0, "inFlight": 0, "delayed": 0, "dead": 0});
    assert_eq!(depth(&folder), none);
    folder.block_on(async |store| {
        for seconds in [0, 0, 600] {
            let message = OperationMessage {
                account_id: AccountId::new(&**store.clock(), &**store.random()),
                operation_id: OperationId::new(&**store.clock(), &**store.random()),
            };
            store.enqueue(message, Duration::from_secs(seconds)).await.unwrap();
        }
    });
    assert_eq!(depth(&folder), json!({"waiting": 2, "inFlight": 0, "delayed": 1, "dead": 0}));
}

#[test]
fn dead_letters_are_shown_left_there_and_redriven() {
    let folder = Folder::new("dead");
    let sent =
        folder.block_on_with_clients(async |store, aws| dead_letter(&store, &aws.sqs, 12).await);
    assert_eq!(depth(&folder)["dead"], 12);
    for limit in ["20", "3", "20"] {
        let dead = folder.done(&["queues", "dead", "--limit", limit]);
        let dead = dead.as_array().unwrap();
        assert_eq!(dead.len(), limit.parse::<usize>().unwrap().min(12));
        for letter in dead {
            assert!(sent.iter().any(|message| json!(message) == letter["message"]), "{letter}");
            assert!(letter["sentAt"].is_string() && letter["receives"].as_u64() > Some(0));
        }
    }
    assert_eq!(folder.done(&["queues", "redrive"]), json!({"queue": "operations", "moved": 12}));
    assert_eq!(depth(&folder)["dead"], 0);
    assert_eq!(folder.done(&["queues", "dead"]), json!([]));
    assert_eq!(folder.done(&["queues", "redrive"])["moved"], 0);
}

#[test]
fn an_unknown_queue_is_exit_code_3() {
    let folder = Folder::new("unknown-queue");
    for command in ["dead", "redrive"] {
        assert_eq!(folder.run(&["queues", command, "--queue", "letters"]).0, 3);
    }
    assert_eq!(folder.run(&["queues", "dead", "--limit", "0"]).0, 2);
}
