//! Configuration of a function, read from its environment once.

use std::sync::Arc;

use oauth::ResourceServer;
use outbound::Loopback;
use store::{Names, Store, admission::Limits};

use crate::{
    Edge, Secrets,
    authentication::issuers,
    runtime::{SystemClock, SystemRandom},
};

/// A variable is missing or invalid.
#[derive(Debug, thiserror::Error)]
#[error("environment variable {name} {problem}")]
pub struct ConfigError {
    name: &'static str,
    problem: String,
}

/// Configuration of a function.
#[derive(Clone, Debug)]
pub struct Config {
    /// Resources of the deployment.
    pub names: Names,
    /// Keys derived from `SERVER_SECRET`, and from `SERVER_SECRET_PREVIOUS` if that is given.
    pub secrets: Secrets,
    /// Address of the API, including its version.
    pub base_url: String,
    /// Filter of the log.
    pub log: String,
    /// Whether to address buckets by path: for custom S3 endpoints.
    pub s3_path_style: bool,
    /// Verifies access tokens; `None` if they are not accepted.
    pub resource_server: Option<ResourceServer>,
    /// Whether the MCP endpoint also accepts tokens for the API.
    pub mcp_accepts_api_tokens: bool,
}

impl Config {
    /// Reads `TABLE_NAME`, `BUCKET_NAME`, `OPERATIONS_QUEUE_URL`, `LIBRARY_QUEUE_URL`,
    /// `DELIVERIES_QUEUE_URL`, `SLOW_DELIVERIES_QUEUE_URL`, `SERVER_SECRET` and `BASE_URL` through
    /// `variable`. Optional: `LOG`, `SERVER_SECRET_PREVIOUS`, `S3_PATH_STYLE`, `OAUTH_ISSUERS`
    /// (separated by commas; without any, access tokens are not accepted), `OAUTH_AUDIENCE` (an
    /// accepted audience besides `BASE_URL`) and `MCP_ACCEPTS_API_TOKENS`.
    ///
    /// # Errors
    ///
    /// The first variable that is missing or invalid.
    pub fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Self, ConfigError> {
        let config = Self::without_oauth(&variable)?;
        let audiences = issuers::audiences(&config.base_url, variable("OAUTH_AUDIENCE"));
        let issuers = issuers::parse_list(&variable("OAUTH_ISSUERS").unwrap_or_default());
        let clock = Arc::new(SystemClock);
        let resource_server =
            issuers::resource_server(&issuers, audiences, clock, Loopback::Refused).map_err(
                |error| ConfigError { name: "OAUTH_ISSUERS", problem: error.to_string() },
            )?;
        let mcp_accepts_api_tokens = variable("MCP_ACCEPTS_API_TOKENS").as_deref() == Some("true");
        Ok(Self { resource_server, mcp_accepts_api_tokens, ..config })
    }

    /// The same for a function that only queues invoke: wrong issuers must not stop its work.
    ///
    /// # Errors
    ///
    /// As [`Config::read`].
    pub fn without_oauth(variable: impl Fn(&str) -> Option<String>) -> Result<Self, ConfigError> {
        let required = |name: &'static str| {
            variable(name)
                .filter(|value| !value.is_empty())
                .ok_or_else(|| ConfigError { name, problem: "is not set".to_owned() })
        };
        let mut secrets = Secrets::derive(required("SERVER_SECRET")?.as_bytes())
            .map_err(|error| ConfigError { name: "SERVER_SECRET", problem: error.to_string() })?;
        if let Some(previous) = variable("SERVER_SECRET_PREVIOUS").filter(|value| !value.is_empty())
        {
            let name = "SERVER_SECRET_PREVIOUS";
            secrets = secrets
                .with_previous(previous.as_bytes())
                .map_err(|error| ConfigError { name, problem: error.to_string() })?;
        }
        let base_url = required("BASE_URL")?;
        Ok(Self {
            names: Names {
                table: required("TABLE_NAME")?,
                bucket: required("BUCKET_NAME")?,
                operations_queue_url: required("OPERATIONS_QUEUE_URL")?,
                library_queue_url: required("LIBRARY_QUEUE_URL")?,
                deliveries_queue_url: required("DELIVERIES_QUEUE_URL")?,
                slow_deliveries_queue_url: required("SLOW_DELIVERIES_QUEUE_URL")?,
            },
            secrets,
            base_url,
            resource_server: None,
            mcp_accepts_api_tokens: false,
            s3_path_style: variable("S3_PATH_STYLE").as_deref() == Some("true"),
            log: variable("LOG").unwrap_or_else(|| "info".to_owned()),
        })
    }

    /// Connects to the deployment's resources. Opens the connection to the table at once, while the
    /// init phase has full CPU.
    pub async fn connect(self) -> Edge {
        let clients = store::connect::clients(self.s3_path_style).await;
        let store = Store::new(clients, self.names, Arc::new(SystemClock), Arc::new(SystemRandom));
        if let Err(error) = store.ping().await {
            tracing::warn!(error = %error, "the table did not answer at start");
        }
        Edge::new(store, self.secrets, self.base_url, Limits::Enforced)
            .with_resource_server(self.resource_server)
            .with_api_tokens_at_mcp(self.mcp_accepts_api_tokens)
    }
}
