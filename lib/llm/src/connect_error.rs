//! Failures while the engines of a deployment are created.

use aws_secrets::ReadError;

/// Why an engine cannot be created.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// TLS cannot be set up.
    #[error("no client for HTTPS can be made")]
    Client(#[from] reqwest::Error),
    /// A key cannot be fetched.
    #[error(transparent)]
    Key(#[from] ReadError),
    /// Settings are missing; never happens with [`EngineConfig::read`](crate::EngineConfig::read).
    #[error("the settings of the engine {0} are missing")]
    Settings(&'static str),
}
