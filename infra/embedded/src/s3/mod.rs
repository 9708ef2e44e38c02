//! S3: the protocol crate `s3s` over a custom storage.
//!
//! `s3s` parses requests; these modules verify signatures and implement the operations. Multipart uploads, versions, access lists, tags and
//! encryption are not implemented; a request for them gets `NotImplemented`, or they are ignored.

mod blobs;
mod conditions;
mod configuration;
mod copy;
mod cors;
mod digests;
mod index;
mod list;
mod object;
mod operations;
mod rules;
mod signatures;
mod storage;

use std::{sync::Arc, time::Duration};

use axum::{Router, error_handling::HandleError, middleware};
use domain::Clock;
use http::StatusCode;
use s3s::{HttpError, auth::SimpleAuth, config::StaticConfigProvider, service::S3ServiceBuilder};

pub(crate) use self::storage::Storage;
use self::{cors::Origins, signatures::Signatures};
use crate::{
    credentials::Credentials,
    error::StartError,
    service::{self, Service},
    web_pages,
};

const NAME: &str = "S3";
const SWEEP_PERIOD: Duration = Duration::from_secs(2);

/// Serves the objects of `storage`, also to pages of these origins.
pub(crate) fn start(
    storage: Storage,
    clock: Arc<dyn Clock>,
    credentials: &Credentials,
    origins: Vec<String>,
    port: u16,
) -> Result<Service, StartError> {
    let storage = Arc::new(storage);
    let swept = storage.clone();
    let sweep = move || {
        if let Err(error) = swept.sweep_expired() {
            tracing::warn!(%error, "the sweep of S3 failed");
        }
    };
    let date = middleware::from_fn_with_state(clock.clone(), service::date);
    let hosts = middleware::from_fn(web_pages::refuse_other_hosts);
    // CORS comes first: a browser's preflight request has no signature.
    let cors = middleware::from_fn_with_state(Origins::from(origins), cors::handle);
    let router = router(storage, clock, credentials).layer(cors).layer(hosts).layer(date);
    Service::start(NAME, port, |_, _| router, || service::repeat(SWEEP_PERIOD, sweep))
}

/// Answers requests to the objects of `storage`.
pub(crate) fn router(
    storage: Arc<Storage>,
    clock: Arc<dyn Clock>,
    credentials: &Credentials,
) -> Router {
    let mut builder = S3ServiceBuilder::new(operations::Operations(storage));
    builder.set_auth(SimpleAuth::from_single(
        credentials.access_key.clone(),
        credentials.secret_key.clone(),
    ));
    builder.set_config(Arc::new(StaticConfigProvider::new(Arc::new(signatures::config()))));
    let s3 = HandleError::new(builder.build(), |error: HttpError| async move {
        tracing::error!(?error, "S3 failed");
        StatusCode::INTERNAL_SERVER_ERROR
    });
    let signatures = Signatures::new(clock, credentials.clone());
    let verify = middleware::from_fn_with_state(signatures, signatures::verify);
    Router::new().fallback_service(s3).layer(verify)
}
