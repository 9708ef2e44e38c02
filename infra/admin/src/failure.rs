//! Why a command failed.

use std::process::ExitCode;

use local::official::ImportError;
use store::{
    StoreError,
    accounts::{AccountError, erasure::ErasureError},
};

/// A failure, as the operator sees it. Exit codes: 1 failed or refused, 3 not found; clap uses 2.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The named thing does not exist.
    #[error("There is no {0}.")]
    NotFound(String),
    /// It was not done, and why.
    #[error("{0}")]
    Refused(String),
    /// Storage failed.
    #[error("{}", explain(.0))]
    Store(#[from] StoreError),
}

impl Failure {
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::NotFound(_) => ExitCode::from(3),
            Self::Refused(_) | Self::Store(_) => ExitCode::FAILURE,
        }
    }
}

impl From<ImportError> for Failure {
    fn from(error: ImportError) -> Self {
        match error {
            ImportError::Store(error) => Self::Store(error),
            ImportError::Busy => Self::Refused(sentence(&error.to_string())),
        }
    }
}

impl From<ErasureError> for Failure {
    fn from(error: ErasureError) -> Self {
        match error {
            ErasureError::Store(error) => Self::Store(error),
            refused => Self::Refused(sentence(&refused.to_string())),
        }
    }
}

impl From<AccountError> for Failure {
    fn from(error: AccountError) -> Self {
        match error {
            AccountError::Store(error) => Self::Store(error),
            refused => Self::Refused(sentence(&refused.to_string())),
        }
    }
}

/// A storage error with its sources, which its message leaves out.
fn explain(error: &StoreError) -> String {
    let causes = std::iter::successors(std::error::Error::source(error), |cause| cause.source());
    let causes: Vec<String> = causes.map(|cause| format!(": {cause}")).collect();
    sentence(&format!("{error}{}", causes.concat()))
}

fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let first: String = characters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}.", characters.as_str())
}
