//! Functions that run elsewhere, invoked over HTTP like AWS Lambda's `Invoke`: by the runtime
//! interface emulator, by `cargo lambda watch`, or by a proxy in front of them.

use std::time::Duration;

use aws_lambda_events::sqs::{BatchItemFailure, SqsBatchResponse, SqsEvent};
use futures::future::BoxFuture;
use serde::Deserialize;

use sqs_consumer::SqsHandler;

/// Longest time to connect. A response has no limit: the function may have to be compiled first.
const CONNECT: Duration = Duration::from_secs(5);

/// Why a function returned no result.
#[derive(Debug, thiserror::Error)]
pub enum InvocationError {
    /// It could not be reached.
    #[error("the function cannot be reached")]
    Unreachable(#[from] reqwest::Error),
    /// It failed.
    #[error("the function failed: {0}")]
    Failed(String),
}

/// A function at an address.
#[derive(Clone, Debug)]
pub struct RemoteFunction {
    client: reqwest::Client,
    url: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FunctionError {
    error_type: String,
    error_message: String,
}

impl RemoteFunction {
    /// The function `name` at an address.
    pub fn new(address: &str, name: &str) -> reqwest::Result<Self> {
        let address = address.trim_end_matches('/');
        let url = format!("{address}/2015-03-31/functions/{name}/invocations");
        let client = reqwest::Client::builder().no_proxy().connect_timeout(CONNECT).build()?;
        Ok(Self { client, url })
    }

    /// Its result for an event, both as JSON.
    ///
    /// # Errors
    ///
    /// It is unreachable, or it failed.
    pub async fn invoke(&self, event: Vec<u8>) -> Result<Vec<u8>, InvocationError> {
        let request = self.client.post(&self.url).body(event);
        let response = request.header("Content-Type", "application/json").send().await?;
        let status = response.status();
        let answer = response.bytes().await?;
        // An emulator reports a failure with status 200, too.
        if let Ok(error) = serde_json::from_slice::<FunctionError>(&answer) {
            let FunctionError { error_type, error_message } = error;
            return Err(InvocationError::Failed(format!("{error_type}: {error_message}")));
        }
        if !status.is_success() {
            let answer = String::from_utf8_lossy(&answer);
            return Err(InvocationError::Failed(format!("{status}: {answer}")));
        }
        Ok(answer.into())
    }

    async fn invoke_with(&self, event: &SqsEvent) -> Result<SqsBatchResponse, InvocationError> {
        let read = |error: serde_json::Error| InvocationError::Failed(error.to_string());
        let answer = self.invoke(serde_json::to_vec(event).map_err(read)?).await?;
        serde_json::from_slice(&answer).map_err(read)
    }
}

impl SqsHandler for RemoteFunction {
    /// If the function does not answer, all messages stay in the queue.
    fn handle(&self, mut event: SqsEvent) -> BoxFuture<'_, SqsBatchResponse> {
        for record in &mut event.records {
            record.event_source = Some("aws:sqs".to_owned());
        }
        Box::pin(async move {
            self.invoke_with(&event).await.unwrap_or_else(|error| {
                tracing::warn!(%error, url = self.url, "the messages stay in the queue");
                let failure = |record: aws_lambda_events::sqs::SqsMessage| {
                    let mut failure = BatchItemFailure::default();
                    failure.item_identifier = record.message_id.unwrap_or_default();
                    failure
                };
                let mut response = SqsBatchResponse::default();
                response.batch_item_failures = event.records.into_iter().map(failure).collect();
                response
            })
        })
    }
}
