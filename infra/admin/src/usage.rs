//! `usage`: usage of all accounts this month.

use std::{cmp::Reverse, io};

use domain::{Kind, Timestamp, TokenUsage, prices::Prices};
use serde_json::{Value, json};
use store::accounts::overview::Account;

use crate::{failure::Failure, output::Output, progress::bar, target::Target};

pub async fn run(
    csv: bool,
    model_month: Option<Timestamp>,
    prices: &Prices,
    target: &Target,
    output: &Output,
) -> Result<(), Failure> {
    let store = &target.store;
    let bar = bar("Reading the table", store.item_estimate().await?);
    let month = model_month.unwrap_or_else(|| store.clock().now().month_start());
    let read = store.accounts(month, |items| bar.inc(items)).await;
    bar.finish_and_clear();
    let mut accounts = read?;
    accounts.sort_by_key(|account| Reverse(account.credits.used));
    if csv {
        return write_csv(&accounts, prices).map_err(|error| Failure::Refused(format!("{error}.")));
    }
    output.show(&accounts.iter().map(|account| to_json(account, prices)).collect());
    Ok(())
}

/// The tokens of all language models together.
fn tokens(account: &Account) -> TokenUsage {
    account.model_usage.iter().map(|usage| usage.tokens).sum()
}

fn to_json(account: &Account, prices: &Prices) -> Value {
    let credits = &account.credits;
    let tokens = tokens(account);
    json!({
        "account": account.id,
        "name": account.name,
        "plan": account.plan,
        "suspended": account.suspended,
        "creditsUsed": credits.used,
        "creditsHeld": credits.held,
        "creditsLimit": account.allowance.monthly_credits,
        "storedItems": account.storage.items,
        "storedItemsLimit": account.allowance.stored_items,
        "storedBytes": account.storage.bytes,
        "storedBytesLimit": account.allowance.stored_bytes,
        "modelRequests": tokens.requests,
        "inputTokens": tokens.input_tokens,
        "cachedInputTokens": tokens.cached_input_tokens,
        "cacheWriteTokens": tokens.cache_write_tokens,
        "outputTokens": tokens.output_tokens,
        "modelCost": prices.total(&account.model_usage),
        "operations": credits.by_kind.iter().map(|(_, count)| count).sum::<u32>(),
    })
}

fn write_csv(accounts: &[Account], prices: &Prices) -> Result<(), csv::Error> {
    let mut writer = csv::Writer::from_writer(io::stdout().lock());
    let fixed = [
        "account",
        "name",
        "createdAt",
        "plan",
        "suspended",
        "liveKeys",
        "creditsSince",
        "creditsUsed",
        "creditsHeld",
        "creditsLimit",
        "storedItems",
        "storedItemsLimit",
        "storedBytes",
        "storedBytesLimit",
        "modelRequests",
        "inputTokens",
        "cachedInputTokens",
        "cacheWriteTokens",
        "outputTokens",
        "modelCost",
    ];
    writer.write_record(fixed.into_iter().chain(Kind::ALL.map(Kind::as_str)))?;
    for account in accounts {
        let credits = &account.credits;
        let tokens = tokens(account);
        let count = |kind| {
            let counted = credits.by_kind.iter().find(|(counted, _)| *counted == kind);
            counted.map_or(0, |(_, count)| *count)
        };
        let fixed = [
            account.id.to_string(),
            unformulated(account.name.as_deref().unwrap_or_default()),
            account.created_at.to_string(),
            account.plan.to_string(),
            account.suspended.to_string(),
            account.live_keys.to_string(),
            credits.period.to_string(),
            credits.used.to_string(),
            credits.held.to_string(),
            account.allowance.monthly_credits.to_string(),
            account.storage.items.to_string(),
            account.allowance.stored_items.to_string(),
            account.storage.bytes.to_string(),
            account.allowance.stored_bytes.to_string(),
            tokens.requests.to_string(),
            tokens.input_tokens.to_string(),
            tokens.cached_input_tokens.to_string(),
            tokens.cache_write_tokens.to_string(),
            tokens.output_tokens.to_string(),
            prices.total(&account.model_usage).map(|cost| cost.to_string()).unwrap_or_default(),
        ];
        let counts = Kind::ALL.map(|kind| count(kind).to_string());
        writer.write_record(fixed.into_iter().chain(counts))?;
    }
    writer.flush()?;
    Ok(())
}

/// A name that no spreadsheet evaluates as a formula: subjects choose their account names (OWASP,
/// "CSV injection").
fn unformulated(name: &str) -> String {
    if name.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        format!("'{name}")
    } else {
        name.to_owned()
    }
}
