//! Where the server's secret comes from.

use aws_secrets::{ReadError, Reader, SdkConfig};
use domain::Clock;

use crate::{
    Secrets,
    runtime::config::{ConfigError, given},
    secrets::WeakSecret,
};

/// The server's keys, or where their secret is stored.
#[derive(Clone, Debug)]
pub enum ServerSecret {
    /// Derived from variables: on a developer's machine.
    Given(Box<Secrets>),
    /// In AWS Secrets Manager, which tells nobody who may only read the configuration of functions.
    Stored {
        /// Name or ARN.
        id: String,
        /// Whether what its previous version made is accepted.
        accept_previous: bool,
    },
}

/// The server's secret cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    /// It cannot be read.
    #[error(transparent)]
    Unreadable(#[from] ReadError),
    /// It is too short.
    #[error(transparent)]
    Weak(#[from] WeakSecret),
}

impl ServerSecret {
    /// Reads `SERVER_SECRET_ID` through `variable`, the name or ARN of a secret of AWS Secrets
    /// Manager, and `ACCEPT_PREVIOUS_SECRET`, which is `true` while what its version `AWSPREVIOUS`
    /// made is accepted. On a developer's machine `SERVER_SECRET` and `SERVER_SECRET_PREVIOUS` are
    /// the secrets themselves.
    ///
    /// # Errors
    ///
    /// There is no secret, there are two, or it is too short.
    pub fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Self, ConfigError> {
        let weak = |name| move |error: WeakSecret| ConfigError { name, problem: error.to_string() };
        let previous = given(&variable, "SERVER_SECRET_PREVIOUS");
        match (given(&variable, "SERVER_SECRET"), given(&variable, "SERVER_SECRET_ID")) {
            (Some(secret), None) => {
                let mut secrets =
                    Secrets::derive(secret.as_bytes()).map_err(weak("SERVER_SECRET"))?;
                if let Some(previous) = previous {
                    secrets = secrets
                        .with_previous(previous.as_bytes())
                        .map_err(weak("SERVER_SECRET_PREVIOUS"))?;
                }
                Ok(Self::Given(Box::new(secrets)))
            }
            (None, Some(id)) => {
                let accepted = given(&variable, "ACCEPT_PREVIOUS_SECRET");
                let accept_previous = accepted.as_deref() == Some("true");
                Ok(Self::Stored { id, accept_previous })
            }
            (Some(_), Some(_)) => Err(ConfigError {
                name: "SERVER_SECRET_ID",
                problem: "is set beside SERVER_SECRET".to_owned(),
            }),
            (None, None) => Err(ConfigError {
                name: "SERVER_SECRET_ID",
                problem: "is not set, and SERVER_SECRET neither".to_owned(),
            }),
        }
    }

    /// The server's keys. `aws` is asked if the secret is stored there.
    ///
    /// # Errors
    ///
    /// [`SecretError`].
    pub async fn fetch(self, aws: &SdkConfig, clock: &dyn Clock) -> Result<Secrets, SecretError> {
        let (id, accept_previous) = match self {
            Self::Given(secrets) => return Ok(*secrets),
            Self::Stored { id, accept_previous } => (id, accept_previous),
        };
        let reader = Reader::new(aws, clock);
        let previous =
            async { if accept_previous { reader.read_previous(&id).await } else { Ok(None) } };
        let (current, previous) = futures::try_join!(reader.read(&id), previous)?;
        let secrets = Secrets::derive(current.as_bytes())?;
        Ok(match previous {
            // Acceptance begins before there is another secret, see docs/rotate.md.
            None => secrets,
            Some(previous) => secrets.with_previous(previous.as_bytes())?,
        })
    }
}
