//! The identity of a data folder: the server secret, and an account with an initial key.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use domain::{AccountId, KeyId, Plan, Scopes, random};
use edge::{Secrets, authentication::api_key};
use embedded::private_file;
use serde::{Deserialize, Serialize};
use store::{
    Store,
    accounts::{AccountError, NewKey},
};

/// Contents of its file in the data folder.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Identity {
    server_secret: String,
    account_id: AccountId,
    key_id: KeyId,
    /// The initial key.
    pub api_key: String,
}

fn path(folder: &Path) -> PathBuf {
    folder.join("identity.json")
}

impl Identity {
    /// A new identity.
    pub fn new() -> Self {
        let (clock, random) = (edge::runtime::SystemClock, edge::runtime::SystemRandom);
        let server_secret: String =
            random::bytes::<32>(&random).iter().map(|byte| format!("{byte:02x}")).collect();
        let account_id = AccountId::new(&clock, &random);
        #[allow(clippy::expect_used, reason = "64 characters are enough")]
        let secrets = Secrets::derive(server_secret.as_bytes()).expect("a long secret");
        let minted = api_key::mint(account_id, &secrets, &clock, &random);
        Self { server_secret, account_id, key_id: minted.id, api_key: minted.text }
    }

    /// The identity of the folder, created on first use.
    ///
    /// # Errors
    ///
    /// The file cannot be read or written, or its contents are invalid.
    pub fn of_folder(folder: &Path) -> io::Result<Self> {
        let file = path(folder);
        if !file.exists() {
            private_file::create_folder(folder)?;
            private_file::create(&file, &serde_json::to_vec_pretty(&Self::new())?)?;
        }
        // Another process may have been faster.
        serde_json::from_slice(&fs::read(&file)?).map_err(|error| {
            io::Error::other(format!("{} cannot be read: {error}", file.display()))
        })
    }

    /// The server secret, from which all keys are derived.
    pub fn server_secret(&self) -> &str {
        &self.server_secret
    }

    /// The derived keys.
    pub fn secrets(&self) -> Result<Secrets, edge::secrets::WeakSecret> {
        Secrets::derive(self.server_secret.as_bytes())
    }

    /// Creates the account and its key in the store, and sets the account's plan.
    ///
    /// May be repeated: the next start completes one that died half-way.
    ///
    /// # Errors
    ///
    /// Storage failed.
    pub async fn register(&self, store: &Store, plan: Plan) -> Result<(), AccountError> {
        match store.create_account(self.account_id, "Local development", plan).await {
            Ok(()) => {}
            Err(AccountError::Exists) => store.set_plan(self.account_id, plan).await?,
            Err(error) => return Err(error),
        }
        let secrets = self.secrets().map_err(|_| AccountError::NoRoomForKey)?;
        let fingerprint =
            api_key::parse(&self.api_key, &secrets).ok_or(AccountError::NoRoomForKey)?.fingerprint;
        let key = NewKey {
            id: self.key_id,
            fingerprint,
            name: "Local development".to_owned(),
            scopes: Scopes::ALL,
            expires_at: None,
        };
        match store.add_key(self.account_id, &key).await {
            // An earlier start added it.
            Ok(()) | Err(AccountError::NoRoomForKey) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

impl Default for Identity {
    fn default() -> Self {
        Self::new()
    }
}
