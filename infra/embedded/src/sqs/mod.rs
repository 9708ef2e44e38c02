//! SQS: a server of the AWS JSON 1.0 protocol over queues in SQLite.
//!
//! Follows the [SQS API reference](https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/)
//! for standard queues. FIFO queues, tags, permissions and encryption are not implemented.

mod api;
mod attributes;
mod batch;
mod error;
mod message_attributes;
mod messages;
mod queues;
mod redrive;
mod server;

use std::sync::Arc;

use axum::middleware;
use domain::Clock;

pub(crate) use self::{queues::Queues, server::router};
use crate::{
    ServiceName,
    credentials::Credentials,
    error::StartError,
    folder::Folder,
    service::{self, Service},
    sigv4::Verifier,
    web_pages,
};

const NAME: &str = "SQS";

/// The queues and their server.
pub(crate) struct Sqs {
    queues: Arc<Queues>,
    pub(crate) service: Service,
}

impl Sqs {
    /// Opens the queues in `folder` and serves them.
    pub(crate) fn start(
        folder: &Folder,
        clock: Arc<dyn Clock>,
        credentials: &Credentials,
        port: u16,
    ) -> Result<Self, StartError> {
        let verifier = Verifier::new(ServiceName::Sqs, clock.clone(), credentials);
        let queues = Queues::open(folder, clock)
            .map_err(|error| StartError::Storage { service: NAME, reason: error.to_string() })?;
        let queues = Arc::new(queues);
        let served = queues.clone();
        let router = |url: &str, stop| {
            let date = middleware::from_fn_with_state(served.shared_clock(), service::date);
            let router = server::router(served, url.to_owned(), verifier, stop);
            router.layer(middleware::from_fn(web_pages::refuse)).layer(date)
        };
        let service = Service::start(NAME, port, router, || {})?;
        Ok(Self { queues, service })
    }

    /// The queues, for senders in this process.
    pub(crate) fn queues(&self) -> Arc<Queues> {
        self.queues.clone()
    }
}
