//! Configuration of a function, read from its environment once.

use std::sync::Arc;

use store::{Names, Store, gate::Caps};

use crate::{
    Edge, Secrets,
    runtime::{SystemClock, SystemRandom},
};

/// A variable that a function cannot do without, or cannot read.
#[derive(Debug, thiserror::Error)]
#[error("environment variable {name} {problem}")]
pub struct ConfigError {
    name: &'static str,
    problem: String,
}

/// What every function is told by its environment.
#[derive(Clone, Debug)]
pub struct Config {
    /// Resources of the deployment.
    pub names: Names,
    /// Keys derived from `SERVER_SECRET`.
    pub secrets: Secrets,
    /// Address of the API, its version included.
    pub base_url: String,
    /// Filter of the log.
    pub log: String,
    /// Whether buckets are addressed by path: for endpoints of one's own.
    pub s3_path_style: bool,
}

impl Config {
    /// Reads `TABLE_NAME`, `BUCKET_NAME`, `OPERATIONS_QUEUE_URL`, `LIBRARY_QUEUE_URL`, `SERVER_SECRET`,
    /// `BASE_URL`, and `LOG` and `S3_PATH_STYLE` (both optional) through `variable`.
    ///
    /// # Errors
    ///
    /// The first variable that is missing or no good.
    pub fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Self, ConfigError> {
        let required = |name: &'static str| {
            variable(name)
                .filter(|value| !value.is_empty())
                .ok_or_else(|| ConfigError { name, problem: "is not set".to_owned() })
        };
        let secrets = Secrets::derive(required("SERVER_SECRET")?.as_bytes())
            .map_err(|error| ConfigError { name: "SERVER_SECRET", problem: error.to_string() })?;
        Ok(Self {
            names: Names {
                table: required("TABLE_NAME")?,
                bucket: required("BUCKET_NAME")?,
                operations_queue_url: required("OPERATIONS_QUEUE_URL")?,
                library_queue_url: required("LIBRARY_QUEUE_URL")?,
            },
            secrets,
            base_url: required("BASE_URL")?,
            s3_path_style: variable("S3_PATH_STYLE").as_deref() == Some("true"),
            log: variable("LOG").unwrap_or_else(|| "info".to_owned()),
        })
    }

    /// Connects to the deployment's resources; opens the table's connection right away, while
    /// start-up has the full processor.
    pub async fn connect(self) -> Edge {
        let clients = store::connect::clients(self.s3_path_style).await;
        let store = Store::new(clients, self.names, Arc::new(SystemClock), Arc::new(SystemRandom));
        if let Err(error) = store.ping().await {
            tracing::warn!(error = %error, "the table did not answer at start");
        }
        Edge::new(store, self.secrets, self.base_url, Caps::Enforced)
    }
}
