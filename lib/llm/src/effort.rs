//! How hard a model thinks.

use serde::Serialize;

/// How much a model that thinks spends on an answer; the vendors use the same words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// Little: fast and cheap.
    Low,
    /// Some.
    Medium,
    /// Much.
    High,
}

impl Effort {
    /// Each with its name in settings and requests.
    pub(crate) const ALL: [(&'static str, Self); 3] =
        [("low", Self::Low), ("medium", Self::Medium), ("high", Self::High)];
}
