//! `GET /usage`

use std::collections::BTreeMap;

use axum::extract::State;
use domain::{Plan, Timestamp};
use edge::{
    ApiError, Call, Data, Edge, openapi::CommonErrors, permission::UsageRead, response::Envelope,
};
use serde::Serialize;
use utoipa::ToSchema;

/// What the account has used of its plan.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// The account's plan.
    plan: Plan,
    /// The month that credits and operations are counted in.
    period: Period,
    /// Credits of the month.
    credits: CreditUsage,
    /// AI operations.
    operations: OperationUsage,
    /// Uploads that count toward the plan's allowance.
    uploads: UploadUsage,
    /// Requests of the present window.
    rate_limit: RateUsage,
}

/// A calendar month, UTC.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Period {
    /// Its first instant.
    starts_at: Timestamp,
    /// The first instant of the next one.
    ends_at: Timestamp,
}

/// Credits of the month.
#[derive(Debug, Serialize, ToSchema)]
pub struct CreditUsage {
    /// What the plan gives.
    limit: u32,
    /// Spent by operations that succeeded.
    used: u32,
    /// Held by operations that have not come to an end.
    held: u32,
    /// Neither spent nor held.
    remaining: u32,
}

/// AI operations.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OperationUsage {
    /// Pending or running now.
    running: u32,
    /// How many may be at once.
    limit: u32,
    /// Operations that succeeded in the month, by kind.
    by_kind: BTreeMap<&'static str, u32>,
}

/// Uploads that count toward the plan's allowance: pending, uploaded or processing.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadUsage {
    /// How many there are.
    active: u32,
    /// How many there may be.
    active_limit: u32,
    /// Their size in bytes.
    bytes: u64,
    /// How large they may be in all.
    bytes_limit: u64,
}

/// Requests of the present window of one minute.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RateUsage {
    /// What the plan allows.
    limit: u32,
    /// What is left, this request counted.
    remaining: u32,
    /// Seconds until the window ends.
    resets_in_seconds: u64,
}

/// Read what was used.
#[utoipa::path(
    get,
    path = "/usage",
    operation_id = "getUsage",
    tag = "System",
    security(("bearer" = ["usage:read"])),
    responses(
        (status = 200, description = "Plan, credits, operations, uploads and rate.", body = Envelope<Usage>),
        CommonErrors,
    ),
)]
pub async fn get_usage(
    State(edge): State<Edge>,
    call: Call<UsageRead, ()>,
) -> Result<Data<Usage>, ApiError> {
    let edge = &edge;
    let ledger = |account, ()| async move { Ok(edge.store().upload_ledger(account).await?) };
    let (caller, ledger) = call.admit_with(ledger).await?;
    let admission = caller.admission;
    let (allowance, credits, rate) = (admission.allowance, admission.credits, admission.rate);
    let now = edge.clock().now();
    let active = ledger.active(now);
    Ok(Data::new(Usage {
        plan: admission.plan,
        period: Period { starts_at: credits.period, ends_at: credits.period.next_month_start() },
        credits: CreditUsage {
            limit: allowance.monthly_credits,
            used: credits.used,
            held: credits.held,
            remaining: allowance.monthly_credits.saturating_sub(credits.used + credits.held),
        },
        operations: OperationUsage {
            running: credits.running,
            limit: allowance.concurrent_operations,
            by_kind: credits.by_kind.iter().map(|(kind, n)| (kind.as_str(), *n)).collect(),
        },
        uploads: UploadUsage {
            active: active.count,
            active_limit: allowance.active_uploads,
            bytes: active.bytes,
            bytes_limit: allowance.active_upload_bytes,
        },
        rate_limit: RateUsage {
            limit: rate.limit,
            remaining: rate.remaining(),
            resets_in_seconds: rate.seconds_left(now),
        },
    }))
}
