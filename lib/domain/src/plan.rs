//! What an account's plan allows.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// One megabyte of an allowance: decimal, while limits of single files are binary (MiB).
const MB: u64 = 1_000_000;

/// A subscription plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum Plan {
    /// Free of charge; cannot publish.
    #[serde(rename = "free")]
    Free,
    /// For individuals.
    #[serde(rename = "pro")]
    Pro,
    /// For heavier use.
    #[serde(rename = "pro_plus")]
    ProPlus,
    /// The largest.
    #[serde(rename = "max")]
    Max,
}

/// The limits of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Requests in a window of one minute, over all credentials of the account.
    pub requests_per_minute: u32,
    /// AI operations that may be pending or running at once.
    pub concurrent_operations: u32,
    /// Credits in a calendar month, UTC.
    pub monthly_credits: u32,
    /// Uploads that may be pending, uploaded or processing at once.
    pub active_uploads: u32,
    /// Total bytes of those uploads.
    pub active_upload_bytes: u64,
    /// Presets and library items that may be kept.
    pub stored_items: u32,
    /// Bytes that may be kept: presets, library items and history.
    pub stored_bytes: u64,
    /// Whether library items may be published.
    pub publishing: bool,
    /// Publications, unpublications and deletions of published items in an hour, over all credentials. Only
    /// publications are refused.
    pub publication_changes_per_hour: u32,
}

impl Plan {
    /// Every plan, smallest first.
    pub const ALL: [Plan; 4] = [Plan::Free, Plan::Pro, Plan::ProPlus, Plan::Max];

    /// The plan's name in the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Plan::Free => "free",
            Plan::Pro => "pro",
            Plan::ProPlus => "pro_plus",
            Plan::Max => "max",
        }
    }

    /// What the plan allows.
    pub const fn allowance(self) -> Allowance {
        let (requests, operations, credits, uploads, megabytes, publications) = match self {
            Plan::Free => (30, 1, 20, 3, 15, 0),
            Plan::Pro => (60, 3, 500, 10, 50, 30),
            Plan::ProPlus => (120, 5, 1_500, 25, 250, 60),
            Plan::Max => (300, 10, 5_000, 50, 1_000, 120),
        };
        let (stored_items, stored_megabytes) = match self {
            Plan::Free => (50, 50),
            Plan::Pro => (1_000, 1_000),
            Plan::ProPlus => (5_000, 5_000),
            Plan::Max => (20_000, 20_000),
        };
        Allowance {
            requests_per_minute: requests,
            concurrent_operations: operations,
            monthly_credits: credits,
            active_uploads: uploads,
            active_upload_bytes: megabytes * MB,
            stored_items,
            stored_bytes: stored_megabytes * MB,
            publishing: !matches!(self, Plan::Free),
            publication_changes_per_hour: publications,
        }
    }
}

impl Allowance {
    /// The same without limits of rate, publication, concurrency, credits and storage: for load tests.
    pub const fn uncapped(self) -> Self {
        const ENDLESS: u32 = 1_000_000_000;
        Self {
            requests_per_minute: ENDLESS,
            concurrent_operations: ENDLESS,
            monthly_credits: ENDLESS,
            stored_items: ENDLESS,
            stored_bytes: ENDLESS as u64 * MB,
            publication_changes_per_hour: ENDLESS,
            ..self
        }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text is not the name of a plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown plan {0:?}: it is free, pro, pro_plus or max")]
pub struct UnknownPlan(pub String);

impl FromStr for Plan {
    type Err = UnknownPlan;

    fn from_str(text: &str) -> Result<Self, UnknownPlan> {
        let named = Self::ALL.into_iter().find(|plan| plan.as_str() == text);
        named.ok_or_else(|| UnknownPlan(text.to_owned()))
    }
}
