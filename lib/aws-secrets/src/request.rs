//! Requests in the protocol `awsJson1_1`, signed with Signature Version 4.

use std::{
    error::Error,
    iter::successors,
    time::{Duration, UNIX_EPOCH},
};

use aws_config::SdkConfig;
use aws_credential_types::provider::ProvideCredentials;
use aws_sigv4::{
    http_request::{SignableBody, SignableRequest, SigningSettings, sign},
    sign::v4,
};
use domain::Timestamp;
use reqwest::{Client, Url};
use serde_json::Value;

const AWS_JSON: &str = "application/x-amz-json-1.1";
/// Most characters of a service's words that are repeated.
const EXCERPT: usize = 300;

/// A request for a secret.
#[derive(Debug)]
pub(crate) struct Request {
    /// The service's name in endpoints and signatures.
    service: &'static str,
    /// The API action.
    target: &'static str,
    body: String,
    /// JSON pointer to the secret in the answer.
    pub value: &'static str,
}

/// Why a request returned no secret.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The service refused, or cannot be asked at all.
    #[error("{0}")]
    Refused(String),
    /// There is no such secret, or no such version of it.
    #[error("{0}")]
    Missing(String),
    /// It may succeed the next time.
    #[error("{0}")]
    Transient(String),
}

impl Failure {
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Transient(_))
    }
}

fn refused(error: &(dyn Error + 'static)) -> Failure {
    Failure::Refused(innermost(error))
}

/// The message of an error's last cause: the outer ones only say which step failed.
fn innermost(error: &(dyn Error + 'static)) -> String {
    successors(Some(error), |error| (**error).source())
        .last()
        .map(ToString::to_string)
        .unwrap_or_default()
}

impl Request {
    pub fn parameter(body: Value) -> Self {
        let (service, target) = ("ssm", "AmazonSSM.GetParameter");
        Self { service, target, body: body.to_string(), value: "/Parameter/Value" }
    }

    pub fn secret(body: Value) -> Self {
        let (service, target) = ("secretsmanager", "secretsmanager.GetSecretValue");
        Self { service, target, body: body.to_string(), value: "/SecretString" }
    }

    /// The service's answer.
    pub async fn send(
        &self,
        client: &Client,
        aws: &SdkConfig,
        now: Timestamp,
        timeout: Duration,
    ) -> Result<Value, Failure> {
        let region = aws.region().ok_or_else(|| Failure::Refused("no AWS region is set".into()))?;
        let url = match aws.endpoint_url() {
            Some(url) => url.to_owned(),
            None => {
                let suffix = if region.as_ref().starts_with("cn-") { ".cn" } else { "" };
                format!("https://{}.{region}.amazonaws.com{suffix}/", self.service)
            }
        };
        let url: Url = url.parse().map_err(|error| refused(&error))?;
        let headers = [("content-type", AWS_JSON), ("x-amz-target", self.target)];
        let mut post = client.post(url.clone()).timeout(timeout).body(self.body.clone());
        for (name, value) in headers {
            post = post.header(name, value);
        }
        for (name, value) in self.signature(aws, region.as_ref(), &url, &headers, now).await? {
            post = post.header(name, value);
        }
        let unreachable =
            |error: reqwest::Error| Failure::Transient(innermost(&error.without_url()));
        let response = post.send().await.map_err(unreachable)?;
        let status = response.status();
        let answer = response.bytes().await.map_err(unreachable)?;
        let answer: Value = serde_json::from_slice(&answer).unwrap_or_default();
        if status.is_success() {
            return Ok(answer);
        }
        let code = answer["__type"].as_str().unwrap_or_default();
        let message = answer["message"].as_str().or(answer["Message"].as_str()).unwrap_or_default();
        let words = format!("status {}: {code} {message}", status.as_u16());
        let words = words.chars().take(EXCERPT).collect();
        Err(match code.rsplit('#').next() {
            Some("ResourceNotFoundException" | "ParameterNotFound") => Failure::Missing(words),
            // Rights that a deployment grants are known everywhere some seconds later (AWS, "Changes that I make are
            // not always immediately visible").
            Some("AccessDeniedException") => Failure::Transient(words),
            Some(code) if code.contains("Throttl") => Failure::Transient(words),
            _ if status.is_server_error() || status.as_u16() == 429 => Failure::Transient(words),
            _ => Failure::Refused(words),
        })
    }

    /// The headers with the request's signature.
    async fn signature(
        &self,
        aws: &SdkConfig,
        region: &str,
        url: &Url,
        headers: &[(&str, &str)],
        now: Timestamp,
    ) -> Result<Vec<(String, String)>, Failure> {
        let provider = aws.credentials_provider();
        let provider =
            provider.ok_or_else(|| Failure::Refused("there are no AWS credentials".to_owned()))?;
        let credentials = provider.provide_credentials().await;
        let identity = credentials.map_err(|error| refused(&error))?.into();
        let now = u64::try_from(now.millis()).unwrap_or_default();
        let parameters = v4::SigningParams::builder()
            .identity(&identity)
            .region(region)
            .name(self.service)
            .time(UNIX_EPOCH + Duration::from_millis(now))
            .settings(SigningSettings::default())
            .build()
            .map_err(|error| refused(&error))?;
        let body = SignableBody::Bytes(self.body.as_bytes());
        let request = SignableRequest::new("POST", url.as_str(), headers.iter().copied(), body)
            .map_err(|error| refused(&error))?;
        let signature = sign(request, &parameters.into()).map_err(|error| refused(&error))?;
        let (instructions, _) = signature.into_parts();
        let headers = instructions.headers();
        Ok(headers.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
    }
}
