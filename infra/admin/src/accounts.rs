//! `accounts`: accounts, their plans and suspensions.

use domain::{AccountId, Plan};
use oauth::Subject;
use serde_json::{Map, Value, json};
use store::{Store, accounts::TokenSubject, accounts::overview::Account};

use crate::{
    failure::Failure,
    options::{AccountSelector, AccountsCommand},
    output::Output,
    progress::bar,
    target::Target,
};

/// Name of an account whose subject has made no request yet.
const UNSEEN: &str = "OAuth user";

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
        AccountsCommand::Show { whose } => identifier(&whose)?,
        AccountsCommand::Rename { id, name } => {
            find(store, id).await?;
            store.set_account_name(id, &name).await?;
            id
        }
        AccountsCommand::Plan { id, plan } => {
            find(store, id).await?;
            store.set_plan(id, plan).await?;
            id
        }
        AccountsCommand::Erase { id } => {
            let account = find(store, id).await?;
            let name = account.name.unwrap_or_else(|| id.to_string());
            output.confirm(&format!("Erase {name:?} of {} and all that it wrote?", target.name))?;
            let bar = bar("Reading the table", store.item_estimate().await?);
            let erased = store.erase_account(id, |items| bar.inc(items)).await;
            bar.finish_and_clear();
            erased?;
            output.show(&json!({"id": id, "erased": true}));
            return Ok(());
        }
        AccountsCommand::Quota { id, items, bytes } => {
            find(store, id).await?;
            store.set_quotas(id, items, bytes).await?;
            id
        }
        AccountsCommand::Suspend { whose } => {
            let id = identifier(&whose)?;
            match (store.account(id).await?, token_subject(whose)) {
                (Some(account), _) if account.suspended => {}
                (Some(account), _) => {
                    let name = account.name.unwrap_or_else(|| id.to_string());
                    output.confirm(&format!("Suspend {name:?} of {}?", target.name))?;
                }
                (None, None) => return Err(absent(id)),
                (None, Some(token_subject)) => {
                    let TokenSubject { issuer, subject } = &token_subject;
                    output.confirm(&format!(
                        "{subject:?} of {issuer} has made no request yet. Suspend this subject of {}?",
                        target.name
                    ))?;
                    store.create_account_of(id, UNSEEN, Plan::Free, &token_subject).await?;
                }
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
    output.show(&to_json(&find(store, id).await?));
    Ok(())
}

/// The account.
///
/// # Errors
///
/// It does not exist.
pub async fn find(store: &Store, id: AccountId) -> Result<Account, Failure> {
    store.account(id).await?.ok_or_else(|| absent(id))
}

fn absent(id: AccountId) -> Failure {
    Failure::NotFound(format!("account {id}"))
}

fn token_subject(whose: AccountSelector) -> Option<TokenSubject> {
    let (issuer, subject) = whose.issuer.zip(whose.subject)?;
    Some(TokenSubject { issuer, subject })
}

/// The identifier of an account that is named in either way; the account may not exist.
fn identifier(whose: &AccountSelector) -> Result<AccountId, Failure> {
    let named = whose.issuer.clone().zip(whose.subject.clone());
    let derived = named.map(|(issuer, name)| Subject { issuer, name }.account());
    whose.id.or(derived).ok_or_else(|| Failure::Refused("No account is named.".to_owned()))
}

fn to_json(account: &Account) -> Value {
    let Account { allowance, storage, .. } = account;
    let credits = &account.credits;
    let mut shown = json!({
        "id": account.id,
        "name": account.name,
        "issuer": account.token_subject.as_ref().map(|token_subject| &token_subject.issuer),
        "subject": account.token_subject.as_ref().map(|token_subject| &token_subject.subject),
        "createdAt": account.created_at,
        "plan": account.plan,
        "suspended": account.suspended,
        "liveKeys": account.live_keys,
        "creditsSince": credits.period,
        "creditsLimit": allowance.monthly_credits,
        "creditsUsed": credits.used,
        "creditsHeld": credits.held,
        "operationsRunning": credits.running,
        "storedItems": storage.items,
        "storedItemsLimit": allowance.stored_items,
        "storedBytes": storage.bytes,
        "storedBytesLimit": allowance.stored_bytes,
    });
    if let Value::Object(shown) = &mut shown {
        let counted = credits.by_kind.iter().filter(|(_, count)| *count > 0);
        let kinds: Map<String, Value> =
            counted.map(|(kind, count)| (kind.as_str().to_owned(), (*count).into())).collect();
        shown.extend(kinds);
    }
    shown
}
