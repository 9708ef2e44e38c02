//! What only the operator reads: one account or all, and all keys of an account.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use domain::{AccountId, KeyId, ModelUsage, Plan, Scopes, Timestamp, plan::Allowance};

use crate::{
    Store, StoreError,
    accounts::{TokenSubject, model_usage, storage::Storage},
    admission::{Credits, Limits, key_slot, plan_of},
    item::{Attributes, ItemReader, text},
    keys::{self, API_KEY, PK, SK},
};

/// An account with its usage.
#[derive(Clone, Debug)]
pub struct Account {
    /// Its identifier.
    pub id: AccountId,
    /// The display name.
    pub name: Option<String>,
    /// The token subject that it belongs to, if it was created for one.
    pub token_subject: Option<TokenSubject>,
    /// When it was created.
    pub created_at: Timestamp,
    /// Its plan.
    pub plan: Plan,
    /// What the plan and the operator allow it.
    pub allowance: Allowance,
    /// What it keeps.
    pub storage: Storage,
    /// Whether it is suspended.
    pub suspended: bool,
    /// Keys that are not revoked; some may have expired.
    pub live_keys: usize,
    /// Credits and operations of the month.
    pub credits: Credits,
    /// What it has asked of language models in the month, one entry for each model.
    pub model_usage: Vec<ModelUsage>,
}

/// A key that an account has or had.
#[derive(Clone, Debug)]
pub struct ApiKeyRecord {
    /// Its identifier.
    pub id: KeyId,
    /// The name that its owner gave it.
    pub name: String,
    /// Its scopes.
    pub scopes: Scopes,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it expires, if it does.
    pub expires_at: Option<Timestamp>,
    /// When it was last used; `None` once it is revoked, or has expired and made room for another one.
    pub last_used_at: Option<Timestamp>,
    /// When it was revoked, if it was.
    pub revoked_at: Option<Timestamp>,
}

impl Store {
    /// Reads an account with a consistent read; `None` if there is none.
    pub async fn account(&self, id: AccountId) -> Result<Option<Account>, StoreError> {
        let usage = keys::model_usage(id, self.clock.now().month_start());
        let keys = vec![keys::account_item(id), keys::profile(id), usage.clone()];
        let items = self.batch_get(keys).await?;
        let find = |key: keys::Key| items.iter().find(|item| item.get(SK) == key.get(SK));
        let Some(account_item) = find(keys::account_item(id)) else { return Ok(None) };
        let beside = [find(keys::profile(id)), find(usage)];
        self.account_of(id, account_item, beside).map(Some)
    }

    fn account_of(
        &self,
        id: AccountId,
        account_item: &Attributes,
        [profile, usage]: [Option<&Attributes>; 2],
    ) -> Result<Account, StoreError> {
        let nothing = Attributes::default();
        let profile = ItemReader(profile.unwrap_or(&nothing));
        let account_item = ItemReader(account_item);
        Ok(Account {
            id,
            name: profile.optional_text("name").map(ToOwned::to_owned),
            token_subject: token_subject(&profile),
            created_at: profile.optional_instant("createdAt").unwrap_or_else(|| id.created_at()),
            plan: plan_of(account_item.0)?,
            allowance: Limits::Enforced.allowance_of(account_item.0)?,
            storage: Storage::read(account_item.0),
            suspended: account_item.flag("su"),
            live_keys: account_item.map("k")?.len(),
            credits: Credits::read(account_item.0, self.clock.now())?,
            model_usage: usage.map(model_usage::read).unwrap_or_default(),
        })
    }

    /// Reads all accounts, oldest first, with a scan of the whole table: no request needs a list of
    /// accounts, so none is maintained. Their model usage is that of `month`. `progress` receives the
    /// number of items that each page of the scan has read.
    pub async fn accounts(
        &self,
        month: Timestamp,
        progress: impl Fn(u64),
    ) -> Result<Vec<Account>, StoreError> {
        let [mut account_items, mut profiles, mut usages] = [(); 3].map(|()| HashMap::new());
        let month = keys::model_usage_sk(month);
        let mut start: Option<keys::Key> = None;
        loop {
            let page = self
                .clients
                .dynamodb
                .scan()
                .table_name(&self.names.table)
                .filter_expression(format!("{SK} IN (:account_item, :profile, :usage)"))
                .expression_attribute_values(":account_item", text(keys::ACCOUNT_ITEM))
                .expression_attribute_values(":profile", text(keys::PROFILE))
                .expression_attribute_values(":usage", text(&month))
                .set_exclusive_start_key(start)
                .send()
                .await
                .map_err(|error| StoreError::unavailable("table", error))?;
            progress(u64::try_from(page.scanned_count()).unwrap_or(0));
            start = page.last_evaluated_key;
            for item in page.items.unwrap_or_default() {
                let reader = ItemReader(&item);
                let id = AccountId::from_unique(reader.text(PK)?);
                let id = id.map_err(|_| StoreError::corrupt(PK))?;
                let of_kind = match reader.text(SK)? {
                    keys::ACCOUNT_ITEM => &mut account_items,
                    keys::PROFILE => &mut profiles,
                    _ => &mut usages,
                };
                of_kind.insert(id, item);
            }
            if start.is_none() {
                break;
            }
        }
        let accounts = account_items.iter().map(|(id, account_item)| {
            self.account_of(*id, account_item, [profiles.get(id), usages.get(id)])
        });
        let mut accounts: Vec<_> = accounts.collect::<Result<_, _>>()?;
        accounts.sort_by_key(|account| account.id);
        Ok(accounts)
    }

    /// Reads all keys that an account has or had, newest first, with consistent reads.
    pub async fn account_keys(&self, account: AccountId) -> Result<Vec<ApiKeyRecord>, StoreError> {
        let account_item = self.get_item(keys::account_item(account)).await?.unwrap_or_default();
        let mut records = Vec::new();
        let mut start: Option<keys::Key> = None;
        loop {
            let page = self
                .clients
                .dynamodb
                .query()
                .table_name(&self.names.table)
                .key_condition_expression(format!("{PK} = :pk AND begins_with({SK}, :key)"))
                .expression_attribute_values(":pk", text(account.unique()))
                .expression_attribute_values(":key", text(API_KEY))
                .scan_index_forward(false)
                .consistent_read(true)
                .set_exclusive_start_key(start)
                .send()
                .await
                .map_err(|error| StoreError::unavailable("table", error))?;
            for item in page.items() {
                records.push(api_key_record(item, &account_item)?);
            }
            start = page.last_evaluated_key;
            if start.is_none() {
                return Ok(records);
            }
        }
    }
}

fn token_subject(profile: &ItemReader<'_>) -> Option<TokenSubject> {
    let (issuer, subject) = profile.optional_text("iss").zip(profile.optional_text("sub"))?;
    Some(TokenSubject { issuer: issuer.to_owned(), subject: subject.to_owned() })
}

fn api_key_record(
    item: &Attributes,
    account_item: &Attributes,
) -> Result<ApiKeyRecord, StoreError> {
    let reader = ItemReader(item);
    let unique = reader.text(SK)?.trim_start_matches(API_KEY);
    let id = KeyId::from_unique(unique).map_err(|_| StoreError::corrupt(SK))?;
    let live = account_item.get("k").and_then(|keys| keys.as_m().ok());
    let slot: Option<&AttributeValue> = live.and_then(|keys| keys.get(&key_slot(id)));
    let used = slot.and_then(|slot| slot.as_m().ok());
    Ok(ApiKeyRecord {
        id,
        name: reader.text("name")?.to_owned(),
        scopes: Scopes::from_bits(reader.count("x")),
        created_at: reader.instant("createdAt")?,
        expires_at: reader.optional_instant("expiresAt"),
        last_used_at: used.and_then(|slot| ItemReader(slot).optional_instant("u")),
        revoked_at: reader.optional_instant("revokedAt"),
    })
}
