//! `accounts`: accounts, their plans and their suspension.

use domain::AccountId;
use serde_json::{Map, Value, json};
use store::{Store, operator::Account};

use crate::{failure::Failure, options::AccountsCommand, output::Output, target::Target};

pub async fn run(
    command: AccountsCommand,
    target: &Target,
    output: &Output,
) -> Result<(), Failure> {
    let store = &target.store;
    let id = match command {
        AccountsCommand::Create { name, plan } => {
            let id = AccountId::new(&**store.clock(), &**store.random());
            store.create_account(id, &name, plan).await?;
            id
        }
        AccountsCommand::Show { id } => id,
        AccountsCommand::Plan { id, plan } => {
            find(store, id).await?;
            store.set_plan(id, plan).await?;
            id
        }
        AccountsCommand::Suspend { id } => {
            let account = find(store, id).await?;
            if !account.suspended {
                let name = account.name.unwrap_or_else(|| id.to_string());
                output.confirm(&format!("Suspend {name:?} of {}?", target.name))?;
            }
            store.set_suspended(id, true).await?;
            id
        }
        AccountsCommand::Resume { id } => {
            find(store, id).await?;
            store.set_suspended(id, false).await?;
            id
        }
    };
    output.show(&shown(&find(store, id).await?));
    Ok(())
}

/// The account.
///
/// # Errors
///
/// There is none.
pub async fn find(store: &Store, id: AccountId) -> Result<Account, Failure> {
    store.account(id).await?.ok_or_else(|| Failure::Absent(format!("account {id}")))
}

fn shown(account: &Account) -> Value {
    let allowance = account.plan.allowance();
    let credits = &account.credits;
    let mut shown = json!({
        "id": account.id,
        "name": account.name,
        "createdAt": account.created_at,
        "plan": account.plan,
        "suspended": account.suspended,
        "liveKeys": account.live_keys,
        "creditsSince": credits.period,
        "creditsLimit": allowance.monthly_credits,
        "creditsUsed": credits.used,
        "creditsHeld": credits.held,
        "operationsRunning": credits.running,
    });
    if let Value::Object(shown) = &mut shown {
        let counted = credits.by_kind.iter().filter(|(_, count)| *count > 0);
        let kinds: Map<String, Value> =
            counted.map(|(kind, count)| (kind.as_str().to_owned(), (*count).into())).collect();
        shown.extend(kinds);
    }
    shown
}
