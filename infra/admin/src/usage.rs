//! `usage`: usage of all accounts this month.

use std::{cmp::Reverse, io};

use domain::Kind;
use serde_json::{Value, json};
use store::accounts::overview::Account;

use crate::{failure::Failure, output::Output, progress::bar, target::Target};

pub async fn run(csv: bool, target: &Target, output: &Output) -> Result<(), Failure> {
    let store = &target.store;
    let bar = bar("Reading the table", store.item_estimate().await?);
    let read = store.accounts(|items| bar.inc(items)).await;
    bar.finish_and_clear();
    let mut accounts = read?;
    accounts.sort_by_key(|account| Reverse(account.credits.used));
    if csv {
        return write_csv(&accounts).map_err(|error| Failure::Refused(format!("{error}.")));
    }
    output.show(&accounts.iter().map(to_json).collect());
    Ok(())
}

fn to_json(account: &Account) -> Value {
    let credits = &account.credits;
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
        "operations": credits.by_kind.iter().map(|(_, count)| count).sum::<u32>(),
    })
}

fn write_csv(accounts: &[Account]) -> Result<(), csv::Error> {
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
    ];
    writer.write_record(fixed.into_iter().chain(Kind::ALL.map(Kind::as_str)))?;
    for account in accounts {
        let credits = &account.credits;
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
