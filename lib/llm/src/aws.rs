//! AWS configuration, and API keys from Parameter Store and Secrets Manager.
//!
//! A key is read by one signed request at start. The SDKs of the two services would do the same,
//! but one of them alone takes longer to compile than everything else that the engines link.

use std::{
    error::Error,
    iter::successors,
    sync::Arc,
    time::{Duration, UNIX_EPOCH},
};

use aws_config::{BehaviorVersion, SdkConfig};
use aws_credential_types::provider::ProvideCredentials;
use aws_sigv4::{
    http_request::{SignableBody, SignableRequest, SigningError, SigningSettings, sign},
    sign::v4,
};
use domain::{Clock, Random};
use reqwest::{Client, Url};
use serde_json::{Value, json};

use crate::{
    config::{EngineConfig, Http, KeySource},
    connect_error::ConnectError,
    http,
    provider::{ProviderError, excerpt},
    retry::RetryPolicy,
    secret::Secret,
};

/// Content type of the protocol `awsJson1_1`.
const AWS_JSON: &str = "application/x-amz-json-1.1";
/// Longest wait for a key, retries included.
const TIMEOUT: Duration = Duration::from_secs(30);

/// AWS configuration from the environment, which is only read if the engines use AWS.
pub(crate) async fn load(config: &EngineConfig) -> SdkConfig {
    let keys = [&config.openai, &config.anthropic].into_iter().flatten();
    let kept =
        |http: &Http| matches!(http.key, Some(KeySource::Parameter(_) | KeySource::Secret(_)));
    if config.bedrock.is_some() || keys.into_iter().any(kept) {
        aws_config::load_defaults(BehaviorVersion::latest()).await
    } else {
        SdkConfig::builder().build()
    }
}

/// Reads keys from AWS.
#[derive(Debug)]
pub(crate) struct Keys<'a> {
    /// Region, credentials and endpoint.
    pub aws: &'a SdkConfig,
    /// When a request is retried.
    retry: RetryPolicy,
}

impl<'a> Keys<'a> {
    /// Keys of the engines that `config` names.
    pub fn new(
        config: &EngineConfig,
        aws: &'a SdkConfig,
        clock: &Arc<dyn Clock>,
        random: &Arc<dyn Random>,
    ) -> Self {
        let (clock, random) = (clock.clone(), random.clone());
        Self { aws, retry: RetryPolicy { limits: config.limits, clock, random } }
    }

    /// Fetches the key from its source.
    pub async fn fetch(&self, source: Option<&KeySource>) -> Result<Option<Secret>, ConnectError> {
        let (store, name) = match source {
            None => return Ok(None),
            Some(KeySource::Given(key)) => return Ok(Some(key.clone())),
            Some(KeySource::Parameter(name)) => (&PARAMETER_STORE, name),
            Some(KeySource::Secret(name)) => (&SECRETS_MANAGER, name),
        };
        let unreadable = |reason: String| ConnectError::Key {
            place: format!("{}:{name}", store.service),
            reason,
        };
        let until = self.retry.clock.now() + TIMEOUT;
        let client = http::client()?;
        let send = |timeout| self.call(&client, store, (store.body)(name), timeout);
        let answer = self.retry.ask((store.service, name), until, send).await;
        let answer = answer.map_err(|error| unreadable(error.to_string()))?;
        let text = answer.pointer(store.value).and_then(Value::as_str).unwrap_or_default().trim();
        if text.is_empty() || !text.chars().all(|c| c.is_ascii_graphic()) {
            return Err(unreadable("it has no key as plain text".to_owned()));
        }
        Ok(Some(Secret::new(text)))
    }

    /// One request in the protocol `awsJson1_1`, signed with Signature Version 4.
    async fn call(
        &self,
        client: &Client,
        store: &KeyStore,
        body: Value,
        timeout: Duration,
    ) -> Result<Value, ProviderError> {
        let region = self.aws.region().ok_or_else(|| denied("no AWS region is set"))?.as_ref();
        let url = match self.aws.endpoint_url() {
            Some(url) => url.to_owned(),
            None => {
                let suffix = if region.starts_with("cn-") { ".cn" } else { "" };
                format!("https://{}.{region}.amazonaws.com{suffix}/", store.service)
            }
        };
        let url: Url = url.parse().map_err(|_| denied("the endpoint is not an address"))?;
        let body = body.to_string();
        let headers = [("content-type", AWS_JSON), ("x-amz-target", store.target)];
        let mut post = client.post(url.clone());
        for (name, value) in headers {
            post = post.header(name, value);
        }
        for (name, value) in self.signature(store.service, region, &url, &headers, &body).await? {
            post = post.header(name, value);
        }
        let answer = http::send(post.body(body), timeout).await?;
        if answer.status.is_success() {
            return answer.read();
        }
        let error: Value = answer.read().unwrap_or_default();
        let code = error["__type"].as_str().unwrap_or_default();
        if code.contains("Throttl") {
            return Err(ProviderError::RateLimited { retry_after: answer.retry_after });
        }
        let message = error["message"].as_str().or(error["Message"].as_str()).unwrap_or_default();
        Err(http::failure(&answer, excerpt(&format!("{code} {message}"))))
    }

    /// The headers with a request's signature.
    async fn signature(
        &self,
        service: &str,
        region: &str,
        url: &Url,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Result<Vec<(String, String)>, ProviderError> {
        let provider = self.aws.credentials_provider();
        let provider = provider.ok_or_else(|| denied("there are no AWS credentials"))?;
        let credentials = provider.provide_credentials().await;
        let identity = credentials.map_err(|error| denied(&innermost(&error)))?.into();
        let now = u64::try_from(self.retry.clock.now().millis()).unwrap_or_default();
        let signed = |error: SigningError| ProviderError::BadRequest { message: error.to_string() };
        let parameters = v4::SigningParams::builder()
            .identity(&identity)
            .region(region)
            .name(service)
            .time(UNIX_EPOCH + Duration::from_millis(now))
            .settings(SigningSettings::default())
            .build()
            .map_err(|error| denied(&error.to_string()))?;
        let body = SignableBody::Bytes(body.as_bytes());
        let request = SignableRequest::new("POST", url.as_str(), headers.iter().copied(), body);
        let signature = sign(request.map_err(signed)?, &parameters.into()).map_err(signed)?;
        let (instructions, _) = signature.into_parts();
        let headers = instructions.headers();
        Ok(headers.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
    }
}

/// A service that stores secrets.
struct KeyStore {
    /// Its name in endpoints, signatures and settings.
    service: &'static str,
    /// The API action.
    target: &'static str,
    /// The request for a secret by its name.
    body: fn(&str) -> Value,
    /// JSON pointer to the secret in the answer.
    value: &'static str,
}

const PARAMETER_STORE: KeyStore = KeyStore {
    service: "ssm",
    target: "AmazonSSM.GetParameter",
    body: |name| json!({"Name": name, "WithDecryption": true}),
    value: "/Parameter/Value",
};

const SECRETS_MANAGER: KeyStore = KeyStore {
    service: "secretsmanager",
    target: "secretsmanager.GetSecretValue",
    body: |name| json!({"SecretId": name}),
    value: "/SecretString",
};

fn denied(message: &str) -> ProviderError {
    ProviderError::Unauthorized { message: message.to_owned() }
}

/// The message of an error's last cause: the outer ones only say which step failed.
fn innermost(error: &(dyn Error + 'static)) -> String {
    successors(Some(error), |error| (**error).source())
        .last()
        .map(ToString::to_string)
        .unwrap_or_default()
}
