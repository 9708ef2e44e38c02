//! The protocol: dispatches operations and writes their responses.

use std::sync::Arc;

use axum::{
    Json, Router,
    body::Bytes,
    extract::{DefaultBodyLimit, State},
    response::{IntoResponse, Response},
    routing::post,
};
use http::{header::CONTENT_TYPE, request::Parts};
use serde::{Serialize, de::DeserializeOwned};
use tokio::time::Instant;

use super::{
    api::{
        Batch, ChangeMessageVisibility, CreateQueue, DeleteMessage, Empty, GetQueueAttributes,
        GetQueueUrl, ListQueues, MessageMoveTask, QueueAttributes, QueueRequest, QueueUrl,
        QueueUrls, Receipt, ReceiveMessage, Received, SendMessage, SetQueueAttributes,
        StartMessageMoveTask, Visibility,
    },
    batch,
    error::{Result, SqsError},
    queues::{ACCOUNT, Queues, name_of},
};
use crate::{
    random,
    service::Stop,
    sigv4::{Verifier, sha256},
};

/// A message of 1 MiB may need six times that when escaped as JSON.
const MAX_REQUEST: usize = 8 * 1024 * 1024;
const MAX_LISTED: usize = 1000;

#[derive(Clone)]
struct Server {
    queues: Arc<Queues>,
    url: String,
    verifier: Verifier,
    stop: Stop,
}

/// Answers requests to `queues`, whose URLs begin with `url`, until `stop`.
pub(crate) fn router(queues: Arc<Queues>, url: String, verifier: Verifier, stop: Stop) -> Router {
    // SDKs post to the root, some tools to the queue's URL.
    Router::new()
        .route("/", post(handle))
        .fallback(post(handle))
        .layer(DefaultBodyLimit::max(MAX_REQUEST))
        .with_state(Server { queues, url, verifier, stop })
}

async fn handle(State(server): State<Server>, parts: Parts, body: Bytes) -> Response {
    let target = parts.headers.get("x-amz-target").and_then(|target| target.to_str().ok());
    let operation = target.and_then(|target| target.strip_prefix("AmazonSQS."));
    let answer = match server.verifier.check_headers(&parts, &sha256(&body)) {
        Ok(()) => server.answer(operation.unwrap_or_default(), &body).await,
        Err(refusal) => Err(SqsError::not_authentic(refusal)),
    };
    let mut response = answer.unwrap_or_else(SqsError::into_response);
    let json = http::HeaderValue::from_static("application/x-amz-json-1.0");
    response.headers_mut().insert(CONTENT_TYPE, json);
    if let Ok(id) = random::uuid().parse() {
        response.headers_mut().insert("x-amzn-requestid", id);
    }
    response
}

impl Server {
    async fn answer(&self, operation: &str, body: &[u8]) -> Result<Response> {
        let queues = &self.queues;
        match operation {
            "CreateQueue" => {
                let CreateQueue { queue_name, attributes } = parse(body)?;
                queues.create(&queue_name, &attributes)?;
                respond(QueueUrl { queue_url: self.queue_url(&queue_name) })
            }
            "GetQueueUrl" => {
                let GetQueueUrl { queue_name } = parse(body)?;
                queues.require(&queue_name)?;
                respond(QueueUrl { queue_url: self.queue_url(&queue_name) })
            }
            "ListQueues" => respond(self.list_queues(&parse(body)?)?),
            "GetQueueAttributes" => {
                let GetQueueAttributes { queue_url, attribute_names } = parse(body)?;
                let attributes = queues.attributes(queue(&queue_url), &attribute_names)?;
                respond(QueueAttributes { attributes })
            }
            "SetQueueAttributes" => {
                let SetQueueAttributes { queue_url, attributes } = parse(body)?;
                queues.set_attributes(queue(&queue_url), &attributes)?;
                respond(Empty {})
            }
            "DeleteQueue" => {
                let QueueRequest { queue_url } = parse(body)?;
                queues.delete(queue(&queue_url))?;
                respond(Empty {})
            }
            "PurgeQueue" => {
                let QueueRequest { queue_url } = parse(body)?;
                queues.purge(queue(&queue_url))?;
                respond(Empty {})
            }
            "SendMessage" => {
                let SendMessage { queue_url, message } = parse(body)?;
                respond(queues.send(queue(&queue_url), message)?)
            }
            "SendMessageBatch" => {
                let request: Batch<_> = parse(body)?;
                let queue_url = request.queue_url.clone();
                respond(queues.send_batch(queue(&queue_url), request)?)
            }
            "ReceiveMessage" => respond(self.receive(parse(body)?).await?),
            "DeleteMessage" => {
                let DeleteMessage { queue_url, receipt } = parse(body)?;
                queues.delete_message(queue(&queue_url), &receipt.receipt_handle)?;
                respond(Empty {})
            }
            "DeleteMessageBatch" => {
                let Batch { queue_url, entries } = parse(body)?;
                queues.require(queue(&queue_url))?;
                respond(batch::run(entries, |Receipt { receipt_handle }| {
                    queues.delete_message(queue(&queue_url), &receipt_handle)?;
                    Ok(Empty {})
                })?)
            }
            "ChangeMessageVisibility" => {
                let ChangeMessageVisibility { queue_url, visibility } = parse(body)?;
                self.change_visibility(&queue_url, visibility).and_then(respond)
            }
            "ChangeMessageVisibilityBatch" => {
                let Batch { queue_url, entries } = parse(body)?;
                queues.require(queue(&queue_url))?;
                respond(batch::run(entries, |entry| self.change_visibility(&queue_url, entry))?)
            }
            "StartMessageMoveTask" => {
                let StartMessageMoveTask { source_arn, destination_arn } = parse(body)?;
                let task_handle = queues.move_messages(&source_arn, destination_arn.as_deref())?;
                respond(MessageMoveTask { task_handle })
            }
            _ => Err(SqsError::unknown_operation()),
        }
    }

    fn queue_url(&self, name: &str) -> String {
        format!("{}/{ACCOUNT}/{name}", self.url)
    }

    fn list_queues(&self, request: &ListQueues) -> Result<QueueUrls> {
        let limit = request.max_results.unwrap_or(MAX_LISTED).min(MAX_LISTED);
        let after = request.next_token.as_deref().unwrap_or_default();
        let names = self.queues.list(&request.queue_name_prefix, after, limit)?;
        // AWS returns pages only if the request has a page size.
        let more = request.max_results.is_some() && names.len() == limit;
        Ok(QueueUrls {
            queue_urls: names.iter().map(|name| self.queue_url(name)).collect(),
            next_token: names.last().filter(|_| more).cloned(),
        })
    }

    fn change_visibility(&self, queue_url: &str, request: Visibility) -> Result<Empty> {
        let Visibility { receipt_handle, visibility_timeout } = request;
        self.queues.change_visibility(queue(queue_url), &receipt_handle, visibility_timeout)?;
        Ok(Empty {})
    }

    /// Receives at once, or waits for a message: until one is sent, until a hidden one becomes
    /// visible by the clock, or until the wait time has passed in real time.
    async fn receive(&self, request: ReceiveMessage) -> Result<Received> {
        let queue = queue(&request.queue_url);
        let deadline = Instant::now() + self.queues.wait(queue, &request)?;
        loop {
            let mut changed = Box::pin(self.queues.changed.notified());
            // Registered before the first receive, so that no send in between is missed.
            changed.as_mut().enable();
            let found = self.queues.receive(queue, &request)?;
            if !found.messages.is_empty() || Instant::now() >= deadline {
                return Ok(Received { messages: found.messages });
            }
            let becomes_visible = async {
                match found.next_at {
                    Some(instant) => self.queues.clock().sleep_until(instant).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = changed => {}
                () = becomes_visible => {}
                () = tokio::time::sleep_until(deadline) => {}
                () = self.stop.clone().requested() => return Ok(Received { messages: Vec::new() }),
            }
        }
    }
}

fn queue(url: &str) -> &str {
    name_of(url, '/')
}

fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T> {
    serde_json::from_slice(body).map_err(|error| SqsError::malformed(&error))
}

fn respond(answer: impl Serialize) -> Result<Response> {
    Ok(Json(answer).into_response())
}
