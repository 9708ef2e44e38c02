//! Configuration of a function behind the API, read from its environment once.

use std::sync::Arc;

use oauth::ResourceServer;
use outbound::Loopback;
use store::admission::Limits;

use crate::{
    Edge,
    authentication::issuers,
    runtime::{
        SystemClock,
        server_secret::{SecretError, ServerSecret},
        storage::{Resource, Storage},
    },
};

/// A variable is missing or invalid.
#[derive(Debug, thiserror::Error)]
#[error("environment variable {name} {problem}")]
pub struct ConfigError {
    pub(super) name: &'static str,
    pub(super) problem: String,
}

/// A variable's value; an empty one counts as absent.
pub(super) fn given(variable: &impl Fn(&str) -> Option<String>, name: &str) -> Option<String> {
    variable(name).filter(|value| !value.is_empty())
}

/// A variable's value.
pub(super) fn required(
    variable: &impl Fn(&str) -> Option<String>,
    name: &'static str,
) -> Result<String, ConfigError> {
    given(variable, name).ok_or_else(|| ConfigError { name, problem: "is not set".to_owned() })
}

/// Configuration of a function behind the API. One that only queues invoke needs its [`Storage`]
/// alone: wrong issuers must not stop its work.
#[derive(Clone, Debug)]
pub struct Config {
    /// Storage and log.
    pub storage: Storage,
    /// The secret that signs API keys and cursors.
    pub server_secret: ServerSecret,
    /// Address of the API, including its version.
    pub base_url: String,
    /// Verifies access tokens; `None` if they are not accepted.
    pub resource_server: Option<ResourceServer>,
}

impl Config {
    /// Reads what [`Storage::read`] and [`ServerSecret::read`] read, and `BASE_URL`. Optional:
    /// `OAUTH_ISSUERS` (separated by commas; without any, access tokens are not accepted) and
    /// `OAUTH_AUDIENCE` (an accepted audience besides `BASE_URL`).
    ///
    /// # Errors
    ///
    /// The first variable that is missing or invalid.
    pub fn read(
        resources: &[Resource],
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, ConfigError> {
        let base_url = required(&variable, "BASE_URL")?;
        let audiences = issuers::audiences(&base_url, variable("OAUTH_AUDIENCE"));
        let issuers = issuers::parse_list(&variable("OAUTH_ISSUERS").unwrap_or_default());
        let clock = Arc::new(SystemClock);
        let resource_server =
            issuers::resource_server(&issuers, audiences, clock, Loopback::Refused).map_err(
                |error| ConfigError { name: "OAUTH_ISSUERS", problem: error.to_string() },
            )?;
        Ok(Self {
            storage: Storage::read(resources, &variable)?,
            server_secret: ServerSecret::read(&variable)?,
            base_url,
            resource_server,
        })
    }

    /// Connects to the deployment's resources, see [`Storage::connect_with`].
    ///
    /// # Errors
    ///
    /// The server's secret cannot be read.
    pub async fn connect(self) -> Result<Edge, SecretError> {
        let (store, secrets) = self.storage.connect_with(self.server_secret).await?;
        Ok(Edge::new(store, secrets, self.base_url, Limits::Enforced)
            .with_resource_server(self.resource_server))
    }
}
