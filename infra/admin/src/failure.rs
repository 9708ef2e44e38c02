//! Why a command did not do what it was asked to.

use std::process::ExitCode;

use local::official::ImportError;
use store::{StoreError, accounts::AccountError};

/// A failure, as the operator is told it. Exit codes: 1 for what failed or was refused, 3 for what does
/// not exist; 2 is the command line's own.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// There is no such thing.
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

impl From<AccountError> for Failure {
    fn from(error: AccountError) -> Self {
        match error {
            AccountError::Store(error) => Self::Store(error),
            refused => Self::Refused(sentence(&refused.to_string())),
        }
    }
}

/// A failure of storage with what lies behind it, which its own words leave out.
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
