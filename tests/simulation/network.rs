//! Between a process and the services: every call of the SDK passes here, and its faults are injected here.

use std::{
    fmt,
    sync::{Arc, Weak},
};

use acceptance::calls;
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

use crate::{faults::Fault, processes::Process, simulation::Simulation};

/// The HTTP client of a process's SDKs, whose calls fail as the seed decides.
#[derive(Clone)]
pub struct FaultyClient {
    /// What goes on around it, which has clients of its own and must end.
    pub simulation: Weak<Simulation>,
    /// Whose client it is.
    pub process: Process,
}

impl fmt::Debug for FaultyClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.process.fmt(f)
    }
}

impl HttpClient for FaultyClient {
    fn http_connector(
        &self,
        _: &HttpConnectorSettings,
        _: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

type Answer = Result<HttpResponse, ConnectorError>;

impl HttpConnector for FaultyClient {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let client = self.clone();
        HttpConnectorFuture::new(async move {
            let simulation = client.simulation.upgrade().expect("it goes on");
            if let Some(roles) = client.process.function.roles() {
                for refused in calls::not_allowed(roles, &request) {
                    let process = &client.process;
                    simulation.report_violation(&format!("{process:?} may not {refused}"));
                }
            }
            let call = Call::read(request).await?;
            client.process.until_running().await;
            let (answer, heard) = oneshot::channel();
            let process = client.process.clone();
            // Once sent, a call arrives whether or not somebody still waits for its answer.
            tokio::spawn(transmit(simulation, client.process, call, answer));
            let heard = heard.await;
            process.until_running().await;
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

    /// What it asks for: a call of the same invocation that asks for the same is the same call, sent again. Values may
    /// differ, such as times.
    pub fn subject(&self) -> String {
        let mut subject = self.operation.clone();
        if self.service != ServiceName::S3 {
            add_subjects(&self.input(), &mut subject);
        }
        subject
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

async fn transmit(
    simulation: Arc<Simulation>,
    process: Process,
    call: Call,
    answer: oneshot::Sender<Answer>,
) {
    simulation.count(&process, &call);
    let faults = simulation.faults_of(&process, call.service);
    let lineage = process.lineage().clone();
    if faults.fault == Fault::KilledBefore {
        simulation.log_call(&process, &call, "killed before");
        process.kill();
        return;
    }
    simulation.time.sleep(faults.request_delay).await;
    let unheard = |what: &str| ConnectorError::io(what.into());
    let answered = match faults.fault {
        Fault::Lost => Err(unheard("the call was lost")),
        Fault::Failed => Ok(failure(call.service, 500, "InternalServerError")),
        Fault::Unavailable => Ok(failure(call.service, 503, "ServiceUnavailable")),
        Fault::Throttled => Ok(failure(call.service, 400, "ThrottlingException")),
        _ => {
            simulation.log_call(&process, &call, "");
            let response = simulation.perform(&call, lineage).await;
            if faults.fault == Fault::KilledAfter {
                simulation.log_call(&process, &call, "killed after");
                process.kill();
            }
            Ok(response)
        }
    };
    if !matches!(faults.fault, Fault::None | Fault::KilledAfter) {
        simulation.log_call(&process, &call, &format!("{:?}", faults.fault));
    }
    simulation.time.sleep(faults.response_delay).await;
    let _ = answer.send(match faults.fault {
        Fault::AnswerLost => Err(unheard("the answer was lost")),
        _ => answered.and_then(sdk_response),
    });
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

/// Adds what an input of DynamoDB or SQS is about: the keys of items, the partitions of queries, and messages.
fn add_subjects(input: &Value, subject: &mut String) {
    const ABOUT: [&str; 7] =
        ["pk", "sk", ":pk", "ExclusiveStartKey", "QueueUrl", "MessageBody", "ReceiptHandle"];
    match input {
        Value::Object(fields) => {
            for (name, value) in fields {
                match ABOUT.contains(&&**name) {
                    true => *subject += &value.to_string(),
                    false => add_subjects(value, subject),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| add_subjects(item, subject)),
        _ => {}
    }
}
