//! Event sources: what is between a queue and its function on Lambda.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex},
    time::Duration,
};

use aws_lambda_events::sqs::{SqsEvent, SqsMessage};
use axum::http::Request;
use bytes::Bytes;
use embedded::{InProcess, ServiceName};
use local::resources::max_receives;
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::{
    processes::{Function, Lineage, Service},
    simulation::Simulation,
};

/// Invocations of one function on the way to another one of it from which Lambda takes them for a loop.
/// <https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html>
const RECURSION_LIMIT: u32 = 16;
/// Pause after a batch at most.
const PAUSE: Duration = Duration::from_millis(100);

/// A queue as the template has it.
#[derive(Clone, Copy, Debug)]
pub struct Queue {
    /// Its name.
    pub name: &'static str,
    /// Name of its dead-letter queue.
    pub dead: &'static str,
    /// The function that it invokes.
    pub function: Function,
    /// Its logical name in the template, and its function's.
    pub logical: [&'static str; 2],
    /// Messages of an invocation at most.
    pub batch: u32,
}

/// The queue of the bucket's events.
const EVENTS: &str = "upload-events";

/// All queues.
pub const QUEUES: [Queue; 5] = [
    Queue {
        name: "operations",
        dead: "operations-dead",
        function: Function::Processor,
        logical: ["OperationsQueue", "Processor"],
        batch: 1,
    },
    Queue {
        name: "deliveries",
        dead: "deliveries-dead",
        function: Function::Deliveries,
        logical: ["DeliveriesQueue", "Deliveries"],
        batch: 10,
    },
    Queue {
        name: "slow-deliveries",
        dead: "deliveries-dead",
        function: Function::Deliveries,
        logical: ["SlowDeliveriesQueue", "Deliveries"],
        batch: 10,
    },
    Queue {
        name: EVENTS,
        dead: "upload-events-dead",
        function: Function::UploadEvents,
        logical: ["UploadEventsQueue", "UploadEvents"],
        batch: 5,
    },
    Queue {
        name: "library",
        dead: "library-dead",
        function: Function::LibraryIndexer,
        logical: ["LibraryQueue", "LibraryIndexer"],
        batch: 10,
    },
];

const TEMPLATE: &str = include_str!("../../template.yaml");

/// The lines of a resource of the template.
fn resource(logical: &str) -> impl Iterator<Item = &'static str> {
    let heading = format!("  {logical}:");
    let lines = TEMPLATE.lines().skip_while(move |line| *line != heading).skip(1);
    lines.take_while(|line| line.starts_with("   ") || line.is_empty())
}

/// The number behind a property in a resource of the template.
fn property(logical: &str, name: &str) -> u32 {
    let value = |line: &str| {
        let value = line.trim().strip_prefix(name)?.strip_prefix(':')?;
        value.split_whitespace().next()?.parse().ok()
    };
    resource(logical).find_map(value).unwrap_or_else(|| panic!("{logical} has no {name}"))
}

/// When messages may become visible, by queue.
#[derive(Debug, Default)]
pub struct VisibilityTimers {
    instants: Mutex<BTreeMap<String, BTreeSet<Duration>>>,
    changed: Notify,
}

impl VisibilityTimers {
    fn set(&self, queue: &str, instant: Duration) {
        let mut instants = self.instants.lock().expect("nothing panics with it");
        instants.entry(queue.to_owned()).or_default().insert(instant);
        self.changed.notify_waiters();
    }

    fn first(&self, queue: &str) -> Option<Duration> {
        let instants = self.instants.lock().expect("nothing panics with it");
        instants.get(queue)?.first().copied()
    }

    fn clear(&self, queue: &str, until: Duration) {
        let mut instants = self.instants.lock().expect("nothing panics with it");
        if let Some(instants) = instants.get_mut(queue) {
            instants.retain(|instant| *instant > until);
        }
    }
}

impl Simulation {
    /// Notes when a message of a queue may become visible, after a call that changes that.
    pub fn set_visibility_timers(&self, operation: &str, input: &Value) {
        let now = self.time.now();
        let url = input["QueueUrl"].as_str().unwrap_or_default();
        let queue = url.rsplit('/').next().unwrap_or_default();
        let seconds = |value: &Value| Duration::from_secs(value.as_u64().unwrap_or(0));
        match operation {
            "SendMessage" => {
                self.visibility_timers.set(queue, now + seconds(&input["DelaySeconds"]))
            }
            "ChangeMessageVisibility" => {
                self.visibility_timers.set(queue, now + seconds(&input["VisibilityTimeout"]));
            }
            "SendMessageBatch" => {
                for entry in input["Entries"].as_array().into_iter().flatten() {
                    self.visibility_timers.set(queue, now + seconds(&entry["DelaySeconds"]));
                }
            }
            // The bucket tells of what was put.
            _ if operation.starts_with("PUT") => {
                self.visibility_timers.set(EVENTS, now + self.event_delay)
            }
            _ => {}
        }
    }

    /// Waits until a message of a queue may be visible.
    async fn until_visible(&self, queue: &str) {
        loop {
            let changed = self.visibility_timers.changed.notified();
            match self.visibility_timers.first(queue) {
                Some(instant) if instant <= self.time.now() => break,
                Some(instant) => {
                    tokio::select! {
                        biased;
                        () = changed => {}
                        () = self.time.sleep_until(instant) => {}
                    }
                }
                None => changed.await,
            }
        }
        self.visibility_timers.clear(queue, self.time.now());
    }

    /// Creates the queues as they are deployed.
    pub async fn create_queues(&self) {
        for queue in QUEUES {
            let [logical, _] = queue.logical;
            self.sqs("CreateQueue", json!({"QueueName": queue.dead})).await;
            let redrive = json!({
                "deadLetterTargetArn": format!("arn:aws:sqs:us-east-1:000000000000:{}", queue.dead),
                "maxReceiveCount": property(logical, "maxReceiveCount"),
            });
            // The bucket's events come when it pleases the bucket.
            let delay = if queue.name == EVENTS { self.event_delay.as_secs() } else { 0 };
            let attributes = json!({
                "DelaySeconds": delay.to_string(),
                "VisibilityTimeout": property(logical, "VisibilityTimeout").to_string(),
                "RedrivePolicy": redrive.to_string(),
            });
            let input = json!({"QueueName": queue.name, "Attributes": attributes});
            self.sqs("CreateQueue", input).await;
        }
    }

    /// Calls SQS in the name of Lambda.
    pub async fn sqs(&self, operation: &str, input: Value) -> Value {
        let request = Request::post("http://sqs.invalid/")
            .header("x-amz-target", format!("AmazonSQS.{operation}"))
            .header("content-type", "application/x-amz-json-1.0")
            .body(Bytes::from(input.to_string()))
            .expect("a request");
        let request = self.services.sign(ServiceName::Sqs, request);
        let response = self.services.call(ServiceName::Sqs, request).await;
        // What was received before may be deleted by now.
        let is_fine = response.status().is_success() || operation == "DeleteMessage";
        assert!(is_fine, "{operation}: {:?}", response.body());
        serde_json::from_slice(response.body()).unwrap_or_default()
    }

    /// Messages of a queue, those that are hidden or delayed included.
    pub async fn depth(&self, name: &str) -> usize {
        let input = json!({"QueueUrl": InProcess::queue_url(name), "AttributeNames": ["All"]});
        let answer = self.sqs("GetQueueAttributes", input).await;
        let attributes = answer["Attributes"].as_object().expect("attributes");
        let numbers =
            attributes.iter().filter(|(name, _)| name.starts_with("ApproximateNumberOfMessages"));
        numbers.filter_map(|(_, number)| number.as_str()?.parse::<usize>().ok()).sum()
    }

    /// Notes of which lineage sent messages are.
    pub fn note_lineage(&self, answer: &Value, lineage: &Lineage) {
        let batch = answer["Successful"].as_array().into_iter().flatten();
        for sent in batch.chain([answer]) {
            if let Some(id) = sent["MessageId"].as_str() {
                self.lineages().insert(id.to_owned(), lineage.clone());
            }
        }
    }

    /// Feeds a queue to its function for ever.
    pub async fn feed(self: Arc<Self>, queue: Queue) {
        let [logical, _] = queue.logical;
        let hidden = Duration::from_secs(property(logical, "VisibilityTimeout").into());
        loop {
            // Several messages leave a queue in any order.
            let batch = 1 + self.random.below(queue.batch as usize);
            let input = json!({
                "QueueUrl": InProcess::queue_url(queue.name),
                "MaxNumberOfMessages": batch,
                "MessageSystemAttributeNames": ["All"],
            });
            let received = self.sqs("ReceiveMessage", input).await;
            let messages: Vec<_> = received["Messages"].as_array().cloned().unwrap_or_default();
            if messages.is_empty() {
                self.until_visible(queue.name).await;
                self.time.sleep(self.random.time(PAUSE / 50, PAUSE)).await;
                continue;
            }
            self.visibility_timers.set(queue.name, self.time.now() + hidden);
            let fault_profile = self.fault_profile();
            if self.random.chance(fault_profile.receive_without_invocation) {
                continue;
            }
            let records: Vec<_> = messages.iter().map(|message| record(queue, message)).collect();
            if self.random.chance(fault_profile.duplicate) {
                let (again, records) = (self.clone(), records.clone());
                tokio::spawn(async move {
                    let pause = Duration::from_millis(10)..Duration::from_secs(900);
                    again.time.sleep(again.random.time(pause.start, pause.end)).await;
                    again.invoke_with(queue, records).await;
                });
            }
            tokio::spawn(self.clone().invoke_with(queue, records));
            self.time.sleep(self.random.time(PAUSE / 50, PAUSE)).await;
        }
    }

    /// Invokes a function with a batch, and deletes what it has done.
    async fn invoke_with(self: Arc<Self>, queue: Queue, records: Vec<SqsMessage>) {
        let mut lineage = Lineage::new();
        let known = |record: &SqsMessage| {
            let id = record.message_id.clone().unwrap_or_default();
            self.lineages().get(&id).cloned().unwrap_or_default()
        };
        for (function, count) in records.iter().flat_map(known) {
            let longest = lineage.entry(function).or_default();
            *longest = count.max(*longest);
        }
        let count = lineage.entry(queue.function).or_default();
        *count += 1;
        let [_, logical] = queue.logical;
        let is_allowed =
            resource(logical).any(|line| line.trim().starts_with("RecursiveLoop: Allow"));
        if *count > RECURSION_LIMIT && !is_allowed {
            self.report_violation(&format!("Lambda stops a recursive loop of {logical}"));
            self.delete(queue, &records).await;
            return;
        }
        let mut event = SqsEvent::default();
        event.records = records.clone();
        let invoked = self.invoke(queue.function, lineage, move |service| {
            let Service::Queue(handler) = service else { panic!("no function of a queue") };
            Box::pin(async move { handler.handle(event).await })
        });
        let Some(answer) = invoked.await else { return };
        if self.random.chance(self.fault_profile().lost_acknowledgement) {
            return;
        }
        let has_failed = |record: &SqsMessage| {
            let id = record.message_id.as_deref().unwrap_or_default();
            answer.batch_item_failures.iter().any(|failure| failure.item_identifier == id)
        };
        let done: Vec<_> = records.into_iter().filter(|record| !has_failed(record)).collect();
        self.delete(queue, &done).await;
    }

    async fn delete(&self, queue: Queue, done: &[SqsMessage]) {
        for record in done {
            let input = json!({
                "QueueUrl": InProcess::queue_url(queue.name),
                "ReceiptHandle": record.receipt_handle,
            });
            self.sqs("DeleteMessage", input).await;
        }
    }
}

/// A received message as a record of a Lambda event.
fn record(queue: Queue, message: &Value) -> SqsMessage {
    let text = |name: &str| message[name].as_str().map(ToOwned::to_owned);
    let mut record = SqsMessage::default();
    record.message_id = text("MessageId");
    record.receipt_handle = text("ReceiptHandle");
    record.body = text("Body");
    record.event_source_arn = Some(format!("arn:aws:sqs:us-east-1:000000000000:{}", queue.name));
    let attributes = message["Attributes"].as_object().into_iter().flatten();
    record.attributes = attributes
        .filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())))
        .collect();
    record
}

/// Lineages of messages by their identifiers.
pub type Lineages = BTreeMap<String, Lineage>;

#[test]
fn an_embedded_queue_gives_a_message_up_when_the_deployed_one_does() {
    for Queue { name, logical: [logical, _], .. } in QUEUES {
        assert_eq!(max_receives(name), property(logical, "maxReceiveCount"), "{name}");
    }
}
