//! Accounts and their API keys, as the operator manages them.

pub mod admission;
pub mod erasure;
mod model_usage;
pub mod overview;
mod publication_budget;
pub mod storage;

use std::time::Duration;

use aws_sdk_dynamodb::types::{
    AttributeValue, Put, ReturnValuesOnConditionCheckFailure, TransactWriteItem, Update,
};
use domain::{AccountId, KeyId, Plan, Scopes, Timestamp};

use crate::{
    Store, StoreError,
    admission::key_slot,
    item::{Attributes, ItemReader, bytes, instant, number, text},
    keys::{self, Key},
    list::change::counter,
    transaction::Outcome,
};

/// Live keys that an account may have.
pub const KEYS_PER_ACCOUNT: i64 = 10;
/// Tries of adding a key while the account's keys change.
const TRIES: u32 = 3;
/// Time limit of an operator's write.
const WRITE_BUDGET: Duration = Duration::from_secs(5);

/// A key to be stored. The secret itself is never stored.
#[derive(Clone, Debug)]
pub struct NewKey {
    /// Its identifier.
    pub id: KeyId,
    /// HMAC-SHA256 of the whole key.
    pub fingerprint: [u8; 32],
    /// The name that its owner gave it.
    pub name: String,
    /// Its scopes.
    pub scopes: Scopes,
    /// When it expires, if it does.
    pub expires_at: Option<Timestamp>,
}

/// The subject of access tokens that an account belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenSubject {
    /// `iss`
    pub issuer: String,
    /// `sub`
    pub subject: String,
}

/// Why an account or key was not created.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    /// An account with this identifier exists.
    #[error("the account exists already")]
    Exists,
    /// There is no such account, or it has its ten live keys.
    #[error("the account does not exist or has {KEYS_PER_ACCOUNT} live keys")]
    NoRoomForKey,
    /// Storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn put(table: &str, key: Key, attributes: Attributes) -> TransactWriteItem {
    let item = key.into_iter().chain(attributes).collect();
    let put = Put::builder()
        .table_name(table)
        .set_item(Some(item))
        .condition_expression("attribute_not_exists(pk)")
        .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
        .build();
    TransactWriteItem::builder().set_put(put.ok()).build()
}

impl Store {
    /// Creates an account without keys.
    pub async fn create_account(
        &self,
        id: AccountId,
        name: &str,
        plan: Plan,
    ) -> Result<(), AccountError> {
        self.create(id, name, plan, None).await
    }

    /// Creates the account of a token subject, without keys.
    pub async fn create_account_of(
        &self,
        id: AccountId,
        name: &str,
        plan: Plan,
        token_subject: &TokenSubject,
    ) -> Result<(), AccountError> {
        self.create(id, name, plan, Some(token_subject)).await
    }

    async fn create(
        &self,
        id: AccountId,
        name: &str,
        plan: Plan,
        token_subject: Option<&TokenSubject>,
    ) -> Result<(), AccountError> {
        let now = self.clock.now();
        let mut account_item = Attributes::from([
            ("pl".to_owned(), text(plan.as_str())),
            ("k".to_owned(), AttributeValue::M(Attributes::new())),
            ("w".to_owned(), number(0)),
            ("n".to_owned(), number(0)),
            ("p".to_owned(), instant(now.month_start())),
            ("cs".to_owned(), number(0)),
            ("ch".to_owned(), number(0)),
            ("run".to_owned(), number(0)),
        ]);
        account_item.extend(keys::LISTS.map(|list| (counter(list), number(0))));
        let mut profile = Attributes::from([
            ("name".to_owned(), text(name)),
            ("createdAt".to_owned(), instant(now)),
        ]);
        if let Some(TokenSubject { issuer, subject }) = token_subject {
            profile.insert("iss".to_owned(), text(issuer));
            profile.insert("sub".to_owned(), text(subject));
        }
        let table = &self.names.table;
        let items = vec![
            put(table, keys::account_item(id), account_item),
            put(table, keys::profile(id), profile),
        ];
        match self.transact(items, now + WRITE_BUDGET).await? {
            Outcome::Committed => Ok(()),
            Outcome::ConditionFailed(_) => Err(AccountError::Exists),
        }
    }

    /// The display name of an account; `None` if there is no such account.
    pub async fn account_name(&self, id: AccountId) -> Result<Option<String>, StoreError> {
        let profile = self.get_item(keys::profile(id)).await?;
        profile.map(|item| ItemReader(&item).text("name").map(ToOwned::to_owned)).transpose()
    }

    /// Changes the display name of an account. Items that it has published keep the old one.
    pub async fn set_account_name(&self, id: AccountId, name: &str) -> Result<(), StoreError> {
        self.set(keys::profile(id), "name", text(name)).await
    }

    /// Changes the plan of an account. Takes effect at the next request, or within seconds while
    /// the refusal cache answers its requests.
    pub async fn set_plan(&self, id: AccountId, plan: Plan) -> Result<(), StoreError> {
        self.set(keys::account_item(id), "pl", text(plan.as_str())).await
    }

    /// Suspends an account, or lifts its suspension. Takes effect at the next request.
    pub async fn set_suspended(&self, id: AccountId, suspended: bool) -> Result<(), StoreError> {
        self.set(keys::account_item(id), "su", AttributeValue::Bool(suspended)).await
    }

    async fn set(
        &self,
        key: Key,
        attribute: &str,
        value: AttributeValue,
    ) -> Result<(), StoreError> {
        self.clients
            .dynamodb
            .update_item()
            .table_name(&self.names.table)
            .set_key(Some(key))
            .update_expression("SET #attribute = :value")
            .condition_expression("attribute_exists(pk)")
            .expression_attribute_names("#attribute", attribute)
            .expression_attribute_values(":value", value)
            .send()
            .await
            .map_err(|error| StoreError::unavailable("table", error))?;
        Ok(())
    }

    /// Adds a live key to an account. Expired ones make room for it; their records remain.
    pub async fn add_key(&self, account: AccountId, key: &NewKey) -> Result<(), AccountError> {
        for _ in 0..TRIES {
            let account_item = self.get_item(keys::account_item(account)).await?;
            let account_item = account_item.ok_or(AccountError::NoRoomForKey)?;
            let live = ItemReader(&account_item).map("k")?;
            let now = self.clock.now();
            let has_expired = |slot: &&String| {
                let slot = live.get(*slot).and_then(|slot| slot.as_m().ok());
                let expiry = slot.and_then(|slot| ItemReader(slot).optional_instant("e"));
                expiry.is_some_and(|expiry| expiry <= now)
            };
            let expired: Vec<_> = live.keys().filter(has_expired).collect();
            let taken = (live.len() - expired.len()) as i64;
            if taken >= KEYS_PER_ACCOUNT || live.contains_key(&key_slot(key.id)) {
                return Err(AccountError::NoRoomForKey);
            }
            if self.replace_keys(account, key, &expired, now).await? {
                return Ok(());
            }
        }
        Err(AccountError::NoRoomForKey)
    }

    /// Adds a key and removes the slots of `expired` ones, unless the account's keys have changed.
    async fn replace_keys(
        &self,
        account: AccountId,
        key: &NewKey,
        expired: &[&String],
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let mut slot = Attributes::from([
            ("f".to_owned(), bytes(key.fingerprint.to_vec())),
            ("x".to_owned(), number(i64::from(key.scopes.bits()))),
        ]);
        let mut record = Attributes::from([
            ("name".to_owned(), text(&key.name)),
            ("x".to_owned(), number(i64::from(key.scopes.bits()))),
            ("createdAt".to_owned(), instant(now)),
        ]);
        if let Some(expiry) = key.expires_at {
            slot.insert("e".to_owned(), instant(expiry));
            record.insert("expiresAt".to_owned(), instant(expiry));
        }
        let mut removal = Vec::new();
        let mut condition = "size(k) < :max AND attribute_not_exists(k.#k)".to_owned();
        let mut update = Update::builder()
            .table_name(&self.names.table)
            .set_key(Some(keys::account_item(account)))
            .expression_attribute_names("#k", key_slot(key.id))
            .expression_attribute_values(":key", AttributeValue::M(slot))
            .expression_attribute_values(":max", number(KEYS_PER_ACCOUNT + expired.len() as i64));
        for (position, slot) in expired.iter().enumerate() {
            update = update.expression_attribute_names(format!("#e{position}"), *slot);
            condition.push_str(&format!(" AND attribute_exists(k.#e{position})"));
            removal.push(format!("k.#e{position}"));
        }
        let removal = if removal.is_empty() {
            String::new()
        } else {
            format!(" REMOVE {}", removal.join(", "))
        };
        let update = update
            .update_expression(format!("SET k.#k = :key{removal}"))
            .condition_expression(condition)
            .build();
        let items = vec![
            TransactWriteItem::builder().set_update(update.ok()).build(),
            put(&self.names.table, keys::api_key(account, key.id), record),
        ];
        Ok(matches!(self.transact(items, now + WRITE_BUDGET).await?, Outcome::Committed))
    }

    /// Revokes a key: it stops working on the next request. Its record remains, with the instant.
    ///
    /// Returns whether the account had such a live key.
    pub async fn revoke_key(&self, account: AccountId, id: KeyId) -> Result<bool, StoreError> {
        let now = self.clock.now();
        let remove = Update::builder()
            .table_name(&self.names.table)
            .set_key(Some(keys::account_item(account)))
            .update_expression("REMOVE k.#k")
            .condition_expression("attribute_exists(k.#k)")
            .expression_attribute_names("#k", key_slot(id))
            .build();
        let record = Update::builder()
            .table_name(&self.names.table)
            .set_key(Some(keys::api_key(account, id)))
            .update_expression("SET revokedAt = :now")
            .condition_expression("attribute_exists(pk)")
            .expression_attribute_values(":now", instant(now))
            .build();
        let items = vec![
            TransactWriteItem::builder().set_update(remove.ok()).build(),
            TransactWriteItem::builder().set_update(record.ok()).build(),
        ];
        Ok(matches!(self.transact(items, now + WRITE_BUDGET).await?, Outcome::Committed))
    }
}
