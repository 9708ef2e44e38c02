//! `GET /health`

use std::time::Duration;

use axum::extract::State;
use edge::{Data, Edge, response::Envelope};
use http::{HeaderValue, StatusCode, header::RETRY_AFTER};
use serde::Serialize;
use utoipa::ToSchema;

/// How long the database may take to answer.
const DEADLINE: Duration = Duration::from_secs(2);

/// Whether something can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Availability {
    /// It answers.
    Available,
    /// It does not.
    Unavailable,
}

/// The state of the service.
#[derive(Debug, Serialize, ToSchema)]
pub struct Health {
    /// All in all.
    status: Availability,
    /// One by one.
    checks: Checks,
    /// Version of the contract.
    #[schema(example = "1.0.0")]
    version: &'static str,
}

/// What was looked at.
#[derive(Debug, Serialize, ToSchema)]
pub struct Checks {
    /// The API.
    api: Availability,
    /// The database: asked for real, with a deadline of 2 s.
    database: Availability,
}

/// Whether the API and its database are available.
#[utoipa::path(
    get,
    path = "/health",
    operation_id = "getHealth",
    tag = "System",
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
            tracing::error!(%error, cause, "the database is away");
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
