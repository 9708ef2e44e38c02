//! Between a process and the services: every call of the SDK passes here, and meets its fate.

use std::{fmt, sync::Arc};

use aws_smithy_runtime_api::{
    client::{
        http::{
            HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings,
            SharedHttpConnector,
        },
        orchestrator::{HttpRequest, HttpResponse},
        result::ConnectorError,
        runtime_components::RuntimeComponents,
    },
    http::StatusCode,
};
use aws_smithy_types::{body::SdkBody, byte_stream::ByteStream};
use axum::http::{self, Request};
use bytes::Bytes;
use embedded::ServiceName;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use crate::{faults::Event, lives::Life, simulation::Simulation};

/// The line of a process to the services.
#[derive(Clone)]
pub struct Line {
    /// What goes on around it.
    pub simulation: Arc<Simulation>,
    /// Whose line it is.
    pub life: Life,
}

impl fmt::Debug for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.life.fmt(f)
    }
}

impl HttpClient for Line {
    fn http_connector(
        &self,
        _: &HttpConnectorSettings,
        _: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

type Answer = Result<HttpResponse, ConnectorError>;

impl HttpConnector for Line {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let line = self.clone();
        HttpConnectorFuture::new(async move {
            let call = Call::read(request).await?;
            line.life.running().await;
            let (answer, heard) = oneshot::channel();
            let life = line.life.clone();
            // Once sent, a call arrives whether or not somebody still waits for its answer.
            tokio::spawn(line.carry(call, answer));
            let heard = heard.await;
            life.running().await;
            match heard {
                Ok(answer) => answer,
                Err(_) => std::future::pending().await,
            }
        })
    }
}

/// A call of the SDK.
#[derive(Debug)]
pub struct Call {
    /// Whom it calls.
    pub service: ServiceName,
    /// The operation, without the service's name; method and path for S3.
    pub operation: String,
    /// The request as it was sent.
    pub request: Request<Bytes>,
}

impl Call {
    async fn read(request: HttpRequest) -> Result<Self, ConnectorError> {
        let request =
            request.try_into_http1x().map_err(|error| ConnectorError::user(error.into()))?;
        let (mut parts, body) = request.into_parts();
        // The network's part.
        let host = parts.uri.authority().and_then(|host| host.as_str().parse().ok());
        parts.headers.extend(host.map(|host| (http::header::HOST, host)));
        let body = ByteStream::new(body).collect().await;
        let body = body.map_err(|error| ConnectorError::io(error.into()))?.into_bytes();
        let target = parts.headers.get("x-amz-target").and_then(|target| target.to_str().ok());
        let (service, operation) = match target.and_then(|target| target.split_once('.')) {
            Some(("AmazonSQS", operation)) => (ServiceName::Sqs, operation.to_owned()),
            Some((_, operation)) => (ServiceName::DynamoDb, operation.to_owned()),
            None => (ServiceName::S3, format!("{} {}", parts.method, parts.uri.path())),
        };
        Ok(Self { service, operation, request: Request::from_parts(parts, body) })
    }

    /// Whether an earlier try of the SDK has failed.
    fn is_retry(&self) -> bool {
        let header = self.request.headers().get("amz-sdk-request");
        let tries = header.and_then(|header| header.to_str().ok()).unwrap_or_default();
        !tries.split("; ").any(|field| field == "attempt=1")
    }

    /// What it is about, for whoever reads what happened.
    pub fn keys(&self) -> String {
        let input = self.input();
        let sort_key = |item: &Value| {
            let fields = item.as_object().and_then(|item| item.values().next());
            let fields = fields.cloned().unwrap_or_default();
            let key = if fields["Item"].is_null() { &fields["Key"] } else { &fields["Item"] };
            key["sk"]["S"].as_str().unwrap_or_default().to_owned()
        };
        let keys: Vec<_> = match &input["TransactItems"] {
            Value::Array(items) => items.iter().map(sort_key).collect(),
            _ => [&input["Key"]["sk"]["S"], &input["MessageBody"], &input["DelaySeconds"]]
                .into_iter()
                .filter(|value| !value.is_null())
                .map(ToString::to_string)
                .collect(),
        };
        keys.join(" ")
    }

    /// The input of an operation of DynamoDB or SQS.
    pub fn input(&self) -> Value {
        serde_json::from_slice(self.request.body()).unwrap_or_default()
    }
}

impl Line {
    async fn carry(self, call: Call, answer: oneshot::Sender<Answer>) {
        let Self { simulation, life } = self;
        simulation.count(&life, call.service, call.is_retry());
        let fate = simulation.fate(&life, call.service);
        let lineage = life.lineage().clone();
        if fate.event == Event::KilledBefore {
            simulation.note(&life, &call, "killed before");
            life.kill();
            return;
        }
        simulation.time.sleep(fate.there).await;
        let unheard = |what: &str| ConnectorError::io(what.into());
        let answered = match fate.event {
            Event::Lost => Err(unheard("the call was lost")),
            Event::Failed => Ok(failure(call.service, 500, "InternalServerError")),
            Event::Unavailable => Ok(failure(call.service, 503, "ServiceUnavailable")),
            Event::Throttled => Ok(failure(call.service, 400, "ThrottlingException")),
            _ => {
                simulation.note(&life, &call, "");
                let response = simulation.perform(&call, lineage).await;
                if fate.event == Event::KilledAfter {
                    simulation.note(&life, &call, "killed after");
                    life.kill();
                }
                Ok(response)
            }
        };
        if !matches!(fate.event, Event::Nothing | Event::KilledAfter) {
            simulation.note(&life, &call, &format!("{:?}", fate.event));
        }
        simulation.time.sleep(fate.back).await;
        let _ = answer.send(match fate.event {
            Event::AnswerLost => Err(unheard("the answer was lost")),
            _ => answered.and_then(sdk_response),
        });
    }
}

/// An answer as the SDK reads it.
fn sdk_response(response: http::Response<Bytes>) -> Answer {
    let (parts, body) = response.into_parts();
    let status = StatusCode::try_from(parts.status.as_u16());
    let status = status.map_err(|error| ConnectorError::other(error.into(), None))?;
    let mut answer = HttpResponse::new(status, SdkBody::from(body));
    for (name, value) in &parts.headers {
        let value = value.to_str().unwrap_or_default().to_owned();
        answer.headers_mut().insert(name.as_str().to_owned(), value);
    }
    Ok(answer)
}

/// A refusal of DynamoDB or SQS.
pub fn refusal(status: u16, body: &Value) -> http::Response<Bytes> {
    http::Response::builder()
        .status(status)
        .header("content-type", "application/x-amz-json-1.0")
        .body(Bytes::from(body.to_string()))
        .expect("a response")
}

fn failure(service: ServiceName, status: u16, code: &str) -> http::Response<Bytes> {
    if service == ServiceName::S3 {
        let (status, code) = match code {
            "InternalServerError" => (500, "InternalError"),
            "ThrottlingException" => (503, "SlowDown"),
            _ => (status, code),
        };
        let body = format!("<Error><Code>{code}</Code><Message>It passes.</Message></Error>");
        let response = http::Response::builder().status(status);
        return response.body(Bytes::from(body)).expect("a response");
    }
    let namespace = match service {
        ServiceName::DynamoDb => "com.amazonaws.dynamodb.v20120810",
        _ => "com.amazonaws.sqs",
    };
    refusal(status, &json!({"__type": format!("{namespace}#{code}"), "message": "It passes."}))
}
