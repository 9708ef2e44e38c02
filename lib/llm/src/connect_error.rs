//! Failures while the engines of a deployment are created.

/// Why an engine cannot be created.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// TLS cannot be set up.
    #[error("no client for HTTPS can be made")]
    Client(#[from] reqwest::Error),
    /// A key cannot be fetched.
    #[error("the key in {place} cannot be read: {reason}")]
    Key {
        /// Where it is configured to be.
        place: String,
        /// Why it cannot be read.
        reason: String,
    },
    /// Settings are missing; never happens with [`EngineConfig::read`](crate::EngineConfig::read).
    #[error("the settings of the engine {0} are missing")]
    Settings(&'static str),
}
