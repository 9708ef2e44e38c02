//! `GET /usage`

use std::collections::BTreeMap;

use axum::extract::State;
use domain::{ModelUsage, Plan, Timestamp, TokenUsage, prices::Dollars};
use edge::{ApiError, Call, Data, permission::UsageRead, response::Envelope};
use serde::Serialize;
use utoipa::ToSchema;

use crate::System;

/// Usage of the account's plan.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// The account's plan.
    plan: Plan,
    /// The month in which credits and operations are counted.
    period: Period,
    /// Credits of the month.
    credits: CreditUsage,
    /// AI operations.
    operations: OperationUsage,
    /// Language models that operations of the month have asked, by engine and model. Operations count once they have
    /// ended, also those that failed.
    models: Vec<ModelCost>,
    /// Uploads that count toward the plan's allowance.
    uploads: UploadUsage,
    /// What the account keeps.
    storage: StorageUsage,
    /// Requests of the current window.
    rate_limit: RateUsage,
}

/// A calendar month, UTC.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Period {
    /// First instant of the month.
    starts_at: Timestamp,
    /// First instant of the next month.
    ends_at: Timestamp,
}

/// Credits of the month.
#[derive(Debug, Serialize, ToSchema)]
pub struct CreditUsage {
    /// Credits of the plan per month.
    limit: u32,
    /// Credits spent by operations that succeeded.
    used: u32,
    /// Credits held by operations that have not ended.
    held: u32,
    /// Credits neither spent nor held.
    remaining: u32,
}

/// AI operations.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OperationUsage {
    /// Pending or running now.
    running: u32,
    /// Most operations at once.
    limit: u32,
    /// Operations that succeeded in the month, by kind.
    by_kind: BTreeMap<&'static str, u32>,
}

/// What operations of the month have asked of a language model.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelCost {
    /// Name of the engine that asked it.
    engine: String,
    /// Name of the language model.
    model: String,
    /// Its tokens.
    #[serde(flatten)]
    tokens: TokenUsage,
    /// What they cost in US dollars by the operator's prices, rounded to six decimals; null if the model has none.
    #[schema(required = true, value_type = Option<f64>, minimum = 0)]
    cost: Option<Dollars>,
}

impl System {
    fn costs(&self, usage: Vec<ModelUsage>) -> Vec<ModelCost> {
        let cost = |usage: ModelUsage| ModelCost {
            cost: self.prices.cost(&usage),
            engine: usage.engine,
            model: usage.model,
            tokens: usage.tokens,
        };
        usage.into_iter().map(cost).collect()
    }
}

/// Uploads that count toward the plan's allowance: pending, uploaded or processing.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadUsage {
    /// Number of these uploads.
    active: u32,
    /// Most of these uploads at once.
    active_limit: u32,
    /// Their total size in bytes.
    bytes: u64,
    /// Largest total size in bytes.
    bytes_limit: u64,
}

/// What the account keeps. What was there before a quota was lowered stays.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StorageUsage {
    /// Presets and library items.
    items: u32,
    /// Most presets and library items.
    items_limit: u32,
    /// Bytes of presets, library items and history, with the files attached to it: about those
    /// of their JSON in responses.
    bytes: u64,
    /// Most of these bytes. Once they are reached, operations whose results history keeps are refused.
    bytes_limit: u64,
}

/// Requests of the current window of one minute.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RateUsage {
    /// Requests that the plan allows per window.
    limit: u32,
    /// Requests left in the window, after this one.
    remaining: u32,
    /// Seconds until the window ends.
    resets_in_seconds: u64,
}

/// Read the account's usage.
#[utoipa::path(
    get, path = "/usage",
    security(("bearer" = ["usage:read"])),
    responses(
        (status = 200, description = "Plan, credits, operations, uploads and rate.", body = Envelope<Usage>),
    ),
)]
pub async fn get_usage(
    State(system): State<System>,
    call: Call<UsageRead, ()>,
) -> Result<Data<Usage>, ApiError> {
    let edge = &system.edge;
    let month = edge.clock().now().month_start();
    let read = |account, ()| async move {
        let store = edge.store();
        Ok(tokio::try_join!(store.upload_ledger(account), store.model_usage(account, month))?)
    };
    let (caller, (ledger, models)) = call.admit_with(read).await?;
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
        models: system.costs(models),
        uploads: UploadUsage {
            active: active.count,
            active_limit: allowance.active_uploads,
            bytes: active.bytes,
            bytes_limit: allowance.active_upload_bytes,
        },
        storage: StorageUsage {
            items: admission.storage.items,
            items_limit: allowance.stored_items,
            bytes: admission.storage.bytes,
            bytes_limit: allowance.stored_bytes,
        },
        rate_limit: RateUsage {
            limit: rate.limit,
            remaining: rate.remaining(),
            resets_in_seconds: rate.seconds_left(now),
        },
    }))
}
