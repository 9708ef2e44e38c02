//! How AWS is called. The environment says it as to all AWS SDKs; a function on Lambda starts with less work than by
//! their defaults.

use aws_config::{
    BehaviorVersion, SdkConfig,
    environment::EnvironmentVariableCredentialsProvider as FromVariables,
};
use aws_smithy_http_client::{
    Builder, ConnectorBuilder,
    proxy::ProxyConfig,
    tls::{Provider, TlsContext, TrustStore, rustls_provider::CryptoMode},
};
use aws_smithy_runtime_api::client::http::SharedHttpClient;

/// The roots of Amazon Trust Services, which all certificates of AWS's public partition come from
/// (<https://www.amazontrust.com/repository/>).
const AMAZON_ROOTS: &[u8] = include_bytes!("amazon-roots.pem");
/// Variables that name other hosts, or other roots for the same ones.
const ELSEWHERE: [&str; 12] = [
    "ALL_PROXY",
    "AWS_ENDPOINT_URL",
    "AWS_ENDPOINT_URL_BEDROCK_RUNTIME",
    "AWS_ENDPOINT_URL_DYNAMODB",
    "AWS_ENDPOINT_URL_S3",
    "AWS_ENDPOINT_URL_SECRETS_MANAGER",
    "AWS_ENDPOINT_URL_SQS",
    "HTTPS_PROXY",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "all_proxy",
    "https_proxy",
];
/// What regions outside the public partition begin with or have in their name.
const OTHER_PARTITIONS: [&str; 3] = ["cn-", "iso", "eusc-"];

/// Whose certificates are accepted, and where credentials are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    /// Only Amazon's. The system's roots are 150, and each start would read them all: two thirds of its work.
    trusts_amazon_alone: bool,
    /// In variables. The SDK's chain would make a client of STS before it looks there.
    has_credentials: bool,
}

impl Environment {
    /// Reads the variables of the SDKs and of proxies through `variable`.
    pub fn read(variable: impl Fn(&str) -> Option<String>) -> Self {
        // Without TLS nobody is trusted.
        let is_elsewhere =
            |name: &str| variable(name).is_some_and(|value| !value.starts_with("http://"));
        let region = variable("AWS_REGION").unwrap_or_default();
        let is_public = !OTHER_PARTITIONS.iter().any(|part| region.contains(part));
        Self {
            trusts_amazon_alone: is_public && !ELSEWHERE.into_iter().any(is_elsewhere),
            has_credentials: variable("AWS_ACCESS_KEY_ID").is_some(),
        }
    }

    /// The region, credentials and endpoints that the environment gives.
    pub async fn load(self) -> SdkConfig {
        let mut loader = aws_config::defaults(BehaviorVersion::latest());
        if self.has_credentials {
            loader = loader.credentials_provider(FromVariables::new());
        }
        if self.trusts_amazon_alone {
            loader = loader.http_client(amazon_alone());
        }
        loader.load().await
    }
}

/// The SDK's own client, with other roots.
fn amazon_alone() -> SharedHttpClient {
    let roots = TrustStore::empty().with_pem_certificate(AMAZON_ROOTS);
    Builder::new().build_with_connector_fn(move |settings, components| {
        let roots = TlsContext::builder().with_trust_store(roots.clone()).build();
        #[allow(clippy::expect_used, reason = "it never fails with this provider")]
        let roots = roots.expect("a context");
        let mut connector = ConnectorBuilder::default()
            .tls_provider(Provider::Rustls(CryptoMode::AwsLc))
            .tls_context(roots)
            .proxy_config(ProxyConfig::from_env());
        connector.set_connector_settings(settings.cloned());
        connector.set_sleep_impl(components.and_then(|components| components.sleep_impl()));
        connector.build()
    })
}
