//! `GET /health`

use std::time::Duration;

use axum::extract::State;
use edge::{Data, Edge, response::Envelope};
use http::{HeaderValue, StatusCode, header::RETRY_AFTER};
use serde::Serialize;
use utoipa::ToSchema;

/// Longest time for the database to answer.
const DEADLINE: Duration = Duration::from_secs(2);

/// Availability of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Availability {
    /// It responds.
    Available,
    /// It does not respond.
    Unavailable,
}

/// Health of the service.
#[derive(Debug, Serialize, ToSchema)]
pub struct Health {
    /// Overall status.
    status: Availability,
    /// Status of each component.
    checks: Checks,
    /// Version of the API contract.
    #[schema(example = "1.0.0")]
    version: &'static str,
}

/// Status of each component.
#[derive(Debug, Serialize, ToSchema)]
pub struct Checks {
    /// The API.
    api: Availability,
    /// The database, queried with a deadline of 2 seconds.
    database: Availability,
}

/// Whether the API and its database are available.
#[utoipa::path(
    get, path = "/health",
    security(()),
    responses(
        (status = 200, description = "Available.", body = Envelope<Health>),
        (status = 503, description = "Unavailable; see `Retry-After`.", body = Envelope<Health>),
    ),
)]
pub async fn get_health(State(edge): State<Edge>) -> Data<Health> {
    let answered = tokio::time::timeout(DEADLINE, edge.store().ping()).await;
    let is_available = match answered {
        Ok(Ok(())) => true,
        Ok(Err(error)) => {
            let cause = std::error::Error::source(&error).map(ToString::to_string);
            tracing::error!(%error, cause, "the database is unavailable");
            false
        }
        Err(_) => {
            tracing::error!("the database does not answer in time");
            false
        }
    };
    let database = if is_available { Availability::Available } else { Availability::Unavailable };
    let checks = Checks { api: Availability::Available, database };
    let mut data = Data::new(Health { status: database, checks, version: "1.0.0" });
    if !is_available {
        data.status = StatusCode::SERVICE_UNAVAILABLE;
        data.headers.insert(RETRY_AFTER, HeaderValue::from_static("5"));
    }
    data
}
