//! The services without listeners: a test decides when a call arrives, and what becomes of its answer.

use std::{fmt, sync::Arc, time::Duration};

use axum::{Router, body::Body};
use bytes::Bytes;
use domain::Clock;
use dynoxide::{Database, DynoxideError};
use http::{HeaderValue, Request, Response, StatusCode};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use tokio::sync::watch;
use tower::ServiceExt as _;

use crate::{
    dynamodb,
    error::StartError,
    folder::Folder,
    options::Credentials,
    s3::{self, Storage},
    service::Stop,
    sqs::{self, Queues},
};

/// Where queue URLs point; nothing listens there.
const SQS_URL: &str = "http://sqs.invalid";

/// A service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServiceName {
    /// DynamoDB.
    DynamoDb,
    /// S3.
    S3,
    /// SQS.
    Sqs,
}

/// The services of one test, with data that is gone when they are dropped. Nothing happens in them between two
/// calls: what expires goes when [`InProcess::sweep_expired`] says so.
pub struct InProcess {
    dynamodb: Database,
    storage: Arc<Storage>,
    s3: Router,
    sqs: Router,
    /// The services stop when it is dropped.
    _running: watch::Sender<()>,
    _folder: Folder,
}

impl InProcess {
    /// Services whose time is `clock`'s; S3 alone checks signatures, by the system's time.
    ///
    /// # Errors
    /// [`StartError`]
    pub fn open(clock: Arc<dyn Clock>) -> Result<Self, StartError> {
        let folder = Folder::open(None)?;
        let Credentials { region, .. } = &Credentials::default();
        let queues = Queues::open(&folder, clock.clone(), region)
            .map_err(|error| StartError::Storage { service: "SQS", reason: error.to_string() })?;
        let queues = Arc::new(queues);
        let (running, stop) = watch::channel(());
        let credentials = Credentials::default();
        let storage = Storage::open(&folder, clock.clone(), &credentials, queues.clone())?;
        let storage = Arc::new(storage);
        Ok(Self {
            dynamodb: dynamodb::open(&folder, clock)?,
            s3: s3::router(storage.clone(), &credentials),
            storage,
            sqs: sqs::router(queues, SQS_URL.to_owned(), Stop::when_dropped(stop)),
            _running: running,
            _folder: folder,
        })
    }

    /// The URL of a queue.
    pub fn queue_url(name: &str) -> String {
        format!("{SQS_URL}/000000000000/{name}")
    }

    /// Answers a call.
    pub async fn call(&self, service: ServiceName, request: Request<Bytes>) -> Response<Bytes> {
        let router = match service {
            ServiceName::DynamoDb => return self.dynamodb(&request),
            ServiceName::S3 => self.s3.clone(),
            ServiceName::Sqs => self.sqs.clone(),
        };
        let Ok(response) = router.oneshot(request.map(Body::from)).await;
        let (parts, body) = response.into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await.unwrap_or_default();
        Response::from_parts(parts, body)
    }

    fn dynamodb(&self, request: &Request<Bytes>) -> Response<Bytes> {
        let target = request.headers().get("x-amz-target").map(HeaderValue::as_bytes);
        let target = String::from_utf8_lossy(target.unwrap_or_default());
        let operation = target.rsplit('.').next().unwrap_or_default();
        let (status, body) = match self.operate(operation, request.body()) {
            Ok(body) => (StatusCode::OK, body),
            Err(error) => {
                let status = StatusCode::from_u16(error.status_code());
                (status.unwrap_or(StatusCode::BAD_REQUEST), error.to_json().into_bytes())
            }
        };
        let mut response = Response::new(Bytes::from(body));
        *response.status_mut() = status;
        let json = HeaderValue::from_static("application/x-amz-json-1.0");
        response.headers_mut().insert(http::header::CONTENT_TYPE, json);
        response
    }

    fn operate(&self, operation: &str, body: &[u8]) -> Result<Vec<u8>, DynoxideError> {
        let table = &self.dynamodb;
        match operation {
            "BatchGetItem" => answer(table.batch_get_item(parse(body)?)?),
            "BatchWriteItem" => answer(table.batch_write_item(parse(body)?)?),
            "CreateTable" => answer(table.create_table(parse(body)?)?),
            "DeleteItem" => answer(table.delete_item(parse(body)?)?),
            "DescribeTable" => answer(table.describe_table(parse(body)?)?),
            "DescribeTimeToLive" => answer(table.describe_time_to_live(parse(body)?)?),
            "GetItem" => answer(table.get_item(parse(body)?)?),
            "PutItem" => answer(table.put_item(parse(body)?)?),
            "Query" => answer(table.query(parse(body)?)?),
            "Scan" => answer(table.scan(parse(body)?)?),
            "TransactGetItems" => answer(table.transact_get_items(parse(body)?)?),
            "TransactWriteItems" => answer(table.transact_write_items(parse(body)?)?),
            "UpdateItem" => answer(table.update_item(parse(body)?)?),
            "UpdateTimeToLive" => answer(table.update_time_to_live(parse(body)?)?),
            _ => Err(DynoxideError::UnsupportedCapability(operation.to_owned())),
        }
    }

    /// Answers a call to DynamoDB at once.
    ///
    /// # Errors
    /// What DynamoDB answers then.
    pub fn operate_now(&self, operation: &str, input: &Value) -> Result<Value, Value> {
        let parsed = |bytes: &[u8]| serde_json::from_slice(bytes).unwrap_or_default();
        let operated = self.operate(operation, input.to_string().as_bytes());
        operated.map(|body| parsed(&body)).map_err(|error| parsed(error.to_json().as_bytes()))
    }

    /// As [`crate::Embedded::notify`].
    pub fn notify(&self, bucket: &str, prefix: &str, queue_name: &str) {
        self.storage.rules().notify(bucket, prefix, queue_name);
    }

    /// As [`crate::Embedded::expire`].
    pub fn expire(&self, bucket: &str, prefix: &str, after: Duration) {
        self.storage.rules().expire(bucket, prefix, after);
    }

    /// Removes everything that has expired by the clock.
    pub fn sweep_expired(&self) {
        if let Err(error) = self.dynamodb.sweep_ttl() {
            tracing::warn!(%error, "expired items were not removed");
        }
        if let Err(error) = self.storage.sweep_expired() {
            tracing::warn!(%error, "the sweep of S3 failed");
        }
    }
}

impl fmt::Debug for InProcess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InProcess").finish_non_exhaustive()
    }
}

fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, DynoxideError> {
    serde_json::from_slice(body)
        .map_err(|error| DynoxideError::SerializationException(error.to_string()))
}

fn answer(response: impl Serialize) -> Result<Vec<u8>, DynoxideError> {
    serde_json::to_vec(&response)
        .map_err(|error| DynoxideError::InternalServerError(error.to_string()))
}
