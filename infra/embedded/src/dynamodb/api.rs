//! The protocol: AWS JSON 1.0, for the operations that a program needs.

use std::sync::Arc;

use axum::{
    Router,
    body::Body,
    extract::{DefaultBodyLimit, State},
    routing::post,
};
use bytes::Bytes;
use domain::Clock;
use dynoxide::{Database, DynoxideError};
use http::{HeaderValue, Response, StatusCode, header::CONTENT_TYPE, request::Parts};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::json;

use super::{NAME, transaction_tokens::TransactionTokens};
use crate::{
    ServiceName,
    credentials::Credentials,
    error::StartError,
    folder::Folder,
    sigv4::{Refusal, Verifier, sha256},
};

/// Largest request of DynamoDB, in bytes.
const MAX_REQUEST: usize = 16 << 20;

/// The database and what its API knows besides.
#[derive(Clone)]
pub(crate) struct Api {
    pub(crate) database: Database,
    tokens: Arc<TransactionTokens>,
    clock: Arc<dyn Clock>,
    verifier: Verifier,
}

impl Api {
    /// Opens the database in `folder`.
    pub(crate) fn open(
        folder: &Folder,
        clock: Arc<dyn Clock>,
        credentials: &Credentials,
    ) -> Result<Self, StartError> {
        let failed = |reason: String| StartError::Storage { service: NAME, reason };
        let database = match folder.database_path("dynamodb.sqlite") {
            Some(path) => {
                let path = path.to_str().ok_or_else(|| failed("its path is not UTF-8".into()))?;
                Database::new(path)
            }
            None => Database::memory_with_clock(Arc::new(Seconds(clock.clone()))),
        };
        let database = database.map_err(|error| failed(error.to_string()))?;
        let verifier = Verifier::new(ServiceName::DynamoDb, clock.clone(), credentials);
        Ok(Self { database, tokens: Arc::default(), clock, verifier })
    }

    /// Answers requests.
    pub(crate) fn router(self) -> Router {
        let handle = async |State(api): State<Api>, parts: Parts, body: Bytes| {
            api.answer(&parts, &body).map(Body::from)
        };
        Router::new()
            .route("/", post(handle))
            .layer(DefaultBodyLimit::max(MAX_REQUEST))
            .with_state(self)
    }

    /// The response to a request.
    pub(crate) fn answer(&self, parts: &Parts, body: &[u8]) -> Response<Bytes> {
        let target = parts.headers.get("x-amz-target").map(HeaderValue::as_bytes);
        let target = String::from_utf8_lossy(target.unwrap_or_default());
        let operation = target.rsplit('.').next().unwrap_or_default();
        let verified = self.verifier.check_headers(parts, &sha256(body));
        let answered = verified.map(|()| self.operate(operation, body));
        let (status, body) = match answered {
            Err(refusal) => (StatusCode::BAD_REQUEST, refused(refusal)),
            Ok(Ok(body)) => (StatusCode::OK, body),
            Ok(Err(error)) => {
                let status = StatusCode::from_u16(error.status_code());
                (status.unwrap_or(StatusCode::BAD_REQUEST), error.to_json().into_bytes())
            }
        };
        let mut response = Response::new(Bytes::from(body));
        *response.status_mut() = status;
        let json = HeaderValue::from_static("application/x-amz-json-1.0");
        response.headers_mut().insert(CONTENT_TYPE, json);
        response
    }

    /// The output of an operation, in JSON.
    ///
    /// # Errors
    /// What DynamoDB answers then.
    pub(crate) fn operate(&self, operation: &str, body: &[u8]) -> Result<Vec<u8>, DynoxideError> {
        let table = &self.database;
        match operation {
            "BatchGetItem" => answer(table.batch_get_item(parse(body)?)?),
            "BatchWriteItem" => answer(table.batch_write_item(parse(body)?)?),
            "CreateTable" => answer(table.create_table(parse(body)?)?),
            "DeleteItem" => answer(table.delete_item(parse(body)?)?),
            "DeleteTable" => answer(table.delete_table(parse(body)?)?),
            "DescribeTable" => answer(table.describe_table(parse(body)?)?),
            "DescribeTimeToLive" => answer(table.describe_time_to_live(parse(body)?)?),
            "GetItem" => answer(table.get_item(parse(body)?)?),
            "ListTables" => answer(table.list_tables(parse(body)?)?),
            "PutItem" => answer(table.put_item(parse(body)?)?),
            "Query" => answer(table.query(parse(body)?)?),
            "Scan" => answer(table.scan(parse(body)?)?),
            "TransactGetItems" => answer(table.transact_get_items(parse(body)?)?),
            "UpdateItem" => answer(table.update_item(parse(body)?)?),
            "UpdateTable" => answer(table.update_table(parse(body)?)?),
            "UpdateTimeToLive" => answer(table.update_time_to_live(parse(body)?)?),
            "TransactWriteItems" => {
                let transact = |request| table.transact_write_items(request);
                answer(self.tokens.answer(parse(body)?, body, self.clock.now(), transact)?)
            }
            _ => Err(DynoxideError::UnsupportedCapability(operation.to_owned())),
        }
    }
}

fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, DynoxideError> {
    serde_json::from_slice(body).map_err(|error| refusal(&error))
}

/// What DynamoDB says of a body: a validation error if a value is wrong or missing, a serialization error if it is not
/// JSON or has another type somewhere. Only the words of `dynoxide` and `serde` tell which.
fn refusal(error: &serde_json::Error) -> DynoxideError {
    const WRONG_VALUE: [&str; 4] =
        ["missing field", "unknown variant", "invalid type: null", "Supplied AttributeValue"];
    let message = error.to_string();
    let message = message.rsplit_once(" at line ").map_or(&*message, |(message, _)| message);
    match message.split_once(':') {
        Some((kind, said)) if kind.starts_with("VALIDATION") => {
            DynoxideError::ValidationException(said.to_owned())
        }
        Some((kind, said)) if kind.starts_with("SERIALIZATION") => {
            DynoxideError::SerializationException(said.to_owned())
        }
        _ if WRONG_VALUE.iter().any(|words| message.contains(words)) => {
            DynoxideError::ValidationException(message.to_owned())
        }
        _ => DynoxideError::SerializationException(message.to_owned()),
    }
}

/// The body for a request that is not rightly signed, see
/// [common errors](https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/CommonErrors.html).
fn refused(refusal: Refusal) -> Vec<u8> {
    let code = match refusal {
        Refusal::Missing => "MissingAuthenticationTokenException",
        Refusal::Malformed => "IncompleteSignatureException",
        Refusal::UnknownKey => "UnrecognizedClientException",
        Refusal::Signature | Refusal::Skewed | Refusal::Expired => "InvalidSignatureException",
    };
    let kind = format!("com.amazon.coral.service#{code}");
    json!({"__type": kind, "message": refusal.to_string()}).to_string().into_bytes()
}

fn answer(response: impl Serialize) -> Result<Vec<u8>, DynoxideError> {
    serde_json::to_vec(&response)
        .map_err(|error| DynoxideError::InternalServerError(error.to_string()))
}

/// A [`Clock`] in seconds, the unit of dynoxide.
struct Seconds(Arc<dyn Clock>);

impl dynoxide::storage_backend::Clock for Seconds {
    fn now_unix_secs(&self) -> u64 {
        u64::try_from(self.0.now().seconds()).unwrap_or(0)
    }

    fn now_unix_secs_f64(&self) -> f64 {
        self.0.now().millis() as f64 / 1000.0
    }
}
