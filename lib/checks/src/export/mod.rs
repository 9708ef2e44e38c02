//! Checks for other test runners: what each demands in a form that a few lines of any language can hold.
//!
//! The exported tests are simpler than [`run`](crate::run): they are meant to be read, changed and kept beside a
//! prompt. A check that needs more than patterns and counts is left out, and the file says so.

mod promptfoo;
mod pytest;
mod quoting;
mod rule;

use domain::preset::Values;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use promptfoo::promptfoo;
use pytest::pytest;

use crate::Check;

/// What a file of checks is for.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ExportQuery {
    /// The test runner.
    #[param(inline)]
    pub format: Format,
}

/// A test runner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// promptfoo: a configuration in YAML.
    Promptfoo,
    /// pytest: a file in Python.
    Pytest,
}

impl Format {
    /// The name that the runner looks for.
    pub const fn file_name(self) -> &'static str {
        match self {
            Self::Promptfoo => "promptfooconfig.yaml",
            Self::Pytest => "test_prompt.py",
        }
    }

    /// Media type of the file (YAML: RFC 9512).
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Promptfoo => "application/yaml",
            Self::Pytest => "text/x-python",
        }
    }

    /// The file for a prompt with variables, their values, the prompt that is `filled` with them, and its checks.
    pub fn write(self, prompt: &str, values: &Values, filled: &str, checks: &[Check]) -> String {
        match self {
            Self::Promptfoo => promptfoo(prompt, values, filled, checks),
            Self::Pytest => pytest(filled, checks),
        }
    }
}
