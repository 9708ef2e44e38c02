//! The services without listeners: a test decides when a call arrives, and what becomes of its answer.

use std::{fmt, sync::Arc, time::Duration};

use axum::{Router, body::Body};
use bytes::Bytes;
use domain::Clock;
use http::{Request, Response};
use serde_json::Value;
use tokio::sync::watch;
use tower::ServiceExt as _;

use crate::{
    credentials::Credentials,
    dynamodb::Api,
    error::StartError,
    folder::Folder,
    s3::{self, Storage},
    service::Stop,
    sigv4::Verifier,
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
    dynamodb: Api,
    storage: Arc<Storage>,
    s3: Router,
    sqs: Router,
    credentials: Credentials,
    clock: Arc<dyn Clock>,
    /// The services stop when it is dropped.
    _running: watch::Sender<()>,
    _folder: Folder,
}

impl InProcess {
    /// Services whose time is `clock`'s.
    ///
    /// # Errors
    /// [`StartError`]
    pub fn open(clock: Arc<dyn Clock>) -> Result<Self, StartError> {
        let folder = Folder::open(None)?;
        let credentials = Credentials::random();
        let queues = Queues::open(&folder, clock.clone())
            .map_err(|error| StartError::Storage { service: "SQS", reason: error.to_string() })?;
        let queues = Arc::new(queues);
        let (running, stop) = watch::channel(());
        let storage = Arc::new(Storage::open(&folder, clock.clone(), queues.clone())?);
        let verifier = Verifier::new(ServiceName::Sqs, clock.clone(), &credentials);
        let stop = Stop::when_dropped(stop);
        Ok(Self {
            dynamodb: Api::open(&folder, clock.clone(), &credentials)?,
            s3: s3::router(storage.clone(), clock.clone(), &credentials),
            storage,
            sqs: sqs::router(queues, SQS_URL.to_owned(), verifier, stop),
            credentials,
            clock,
            _running: running,
            _folder: folder,
        })
    }

    /// The URL of a queue.
    pub fn queue_url(name: &str) -> String {
        format!("{SQS_URL}/000000000000/{name}")
    }

    /// What calls are signed with.
    pub fn credentials(&self) -> &Credentials {
        &self.credentials
    }

    /// A call, signed now.
    pub fn sign(&self, service: ServiceName, request: Request<Bytes>) -> Request<Bytes> {
        self.credentials.sign(service, request, self.clock.now())
    }

    /// Answers a call.
    pub async fn call(&self, service: ServiceName, request: Request<Bytes>) -> Response<Bytes> {
        let router = match service {
            ServiceName::DynamoDb => {
                let (parts, body) = request.into_parts();
                return self.dynamodb.answer(&parts, &body);
            }
            ServiceName::S3 => self.s3.clone(),
            ServiceName::Sqs => self.sqs.clone(),
        };
        let Ok(response) = router.oneshot(request.map(Body::from)).await;
        let (parts, body) = response.into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await.unwrap_or_default();
        Response::from_parts(parts, body)
    }

    /// Answers a call to DynamoDB at once.
    ///
    /// # Errors
    /// What DynamoDB answers then.
    pub fn operate_now(&self, operation: &str, input: &Value) -> Result<Value, Value> {
        let parsed = |bytes: &[u8]| serde_json::from_slice(bytes).unwrap_or_default();
        let operated = self.dynamodb.operate(operation, input.to_string().as_bytes());
        operated.map(|body| parsed(&body)).map_err(|error| parsed(error.to_json().as_bytes()))
    }

    /// Notifies a queue of every object created under a prefix, as `PutBucketNotificationConfiguration`.
    pub fn notify(&self, bucket: &str, prefix: &str, queue_name: &str) {
        self.storage.rules().notify(bucket, vec![(prefix.to_owned(), queue_name.to_owned())]);
    }

    /// Objects under each prefix expire at an age, as by `PutBucketLifecycleConfiguration`.
    pub fn expire(&self, bucket: &str, ages: &[(&str, Duration)]) {
        let ages = ages.iter().map(|(prefix, age)| ((*prefix).to_owned(), *age)).collect();
        self.storage.rules().expire(bucket, ages);
    }

    /// Removes everything that has expired by the clock.
    pub fn sweep_expired(&self) {
        if let Err(error) = self.dynamodb.database.sweep_ttl() {
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
