//! `keys`: API keys of accounts.

use std::time::Duration;

use domain::Scopes;
use edge::authentication::api_key;
use serde_json::{Value, json};
use store::{accounts::NewKey, accounts::overview::ApiKeyRecord};

use crate::{
    accounts::find, failure::Failure, options::KeysCommand, output::Output, target::Target,
};

const DAY: Duration = Duration::from_secs(86_400);

pub async fn run(command: KeysCommand, target: &Target, output: &Output) -> Result<(), Failure> {
    let store = &target.store;
    match command {
        KeysCommand::Create { account, name, scopes, all_scopes, expires_in, no_expiry } => {
            find(store, account).await?;
            let secrets = target.secrets()?;
            let minted = api_key::mint(account, &secrets, &**store.clock(), &**store.random());
            let scopes = if all_scopes { Scopes::ALL } else { scopes.into_iter().collect() };
            let expires_at = (!no_expiry).then(|| store.clock().now() + DAY * expires_in);
            let key =
                NewKey { id: minted.id, fingerprint: minted.fingerprint, name, scopes, expires_at };
            store.add_key(account, &key).await?;
            output.show(&json!({
                "id": key.id,
                "key": minted.text,
                "name": key.name,
                "scopes": names(key.scopes),
                "expiresAt": key.expires_at,
            }));
            if !output.json {
                eprintln!("This is the only time that the key is shown.");
            }
        }
        KeysCommand::List { account } => {
            find(store, account).await?;
            let keys = store.account_keys(account).await?;
            output.show(&keys.iter().map(to_json).collect());
        }
        KeysCommand::Revoke { account, id } => {
            let keys = store.account_keys(account).await?;
            let absent = || Failure::NotFound(format!("key {id} of {account}"));
            let key = keys.iter().find(|key| key.id == id).ok_or_else(absent)?;
            if key.revoked_at.is_none() {
                output.confirm(&format!("Revoke {:?} of {}?", key.name, target.name))?;
                store.revoke_key(account, id).await?;
            }
            let keys = store.account_keys(account).await?;
            let key = keys.iter().find(|key| key.id == id).ok_or_else(absent)?;
            output.show(&to_json(key));
        }
    }
    Ok(())
}

fn names(scopes: Scopes) -> Vec<&'static str> {
    scopes.iter().map(|scope| scope.as_str()).collect()
}

fn to_json(key: &ApiKeyRecord) -> Value {
    let scopes = names(key.scopes);
    json!({
        "id": key.id,
        "name": key.name,
        "createdAt": key.created_at,
        "lastUsedAt": key.last_used_at,
        "expiresAt": key.expires_at,
        "revokedAt": key.revoked_at,
        "scopes": if key.scopes == Scopes::ALL { vec!["all"] } else { scopes },
    })
}
