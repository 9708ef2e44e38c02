//! Erases an account: everything that it wrote, in the table and in the bucket.

use domain::{AccountId, library::Listing};
use futures::{TryStreamExt, stream};

use crate::{
    Store, StoreError,
    body::Lifetime,
    item::{Attributes, ItemReader, text},
    keys::{self, ACCOUNT_ITEM, PK, PROFILE, SK},
    library::queue::{DELETE_COUNTERS_DELAY, LibraryJob},
    library::{Replaced, id_of},
    listings::folder,
    table::deletion,
    uploads::files::UPLOADS_PREFIX,
};

/// Objects that are deleted at once.
const OBJECTS_AT_ONCE: usize = 20;

/// Why an account was not erased.
#[derive(Debug, thiserror::Error)]
pub enum ErasureError {
    /// Operations of it have not ended. It is suspended, so there will be no others.
    #[error("{0} operations of the account have not ended; erase it again when they have")]
    Running(u32),
    /// Storage failed. What is left is erased by erasing it again.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Store {
    /// Erases an account that exists; `progress` receives how many items each page of the scan of
    /// the whole table has read. It is suspended first, and its account item goes last, so that an
    /// erasure that fails can be repeated.
    ///
    /// Votes that it gave stay counted, without saying whose. What the operator blocked stays
    /// blocked.
    ///
    /// # Errors
    ///
    /// [`ErasureError`]; the account stays suspended.
    pub async fn erase_account(
        &self,
        account: AccountId,
        progress: impl Fn(u64),
    ) -> Result<(), ErasureError> {
        self.set_suspended(account, true).await?;
        let account_item = self.get_item(keys::account_item(account)).await?.unwrap_or_default();
        match ItemReader(&account_item).count("run") {
            0 => {}
            running => return Err(ErasureError::Running(running)),
        }
        self.erase_library_items(account, progress).await?;
        self.erase_partition(&keys::listing(Listing::Own(account))).await?;
        self.erase_partition(&keys::vote_log(Listing::Own(account))).await?;
        for prefix in [
            format!("{}/{account}/", Lifetime::Durable.prefix()),
            format!("{}/{account}/", Lifetime::Temporary.prefix()),
            format!("{UPLOADS_PREFIX}{}/", account.unique()),
            folder(Listing::Own(account)),
        ] {
            let objects = self.list_objects(&prefix).await?;
            stream::iter(objects.into_iter().map(Ok))
                .try_for_each_concurrent(OBJECTS_AT_ONCE, async |key: String| {
                    self.delete_object(&key).await
                })
                .await?;
        }
        self.erase_partition(&account.unique()).await?;
        for key in [keys::profile(account), keys::account_item(account)] {
            self.write_all(vec![deletion(key)?]).await?;
        }
        Ok(())
    }

    /// Deletes its library items, and the records of their visibility.
    async fn erase_library_items(
        &self,
        account: AccountId,
        progress: impl Fn(u64),
    ) -> Result<(), StoreError> {
        let scan = self
            .clients
            .dynamodb
            .scan()
            .table_name(&self.names.table)
            .consistent_read(true)
            .filter_expression("ow = :owner")
            .expression_attribute_values(":owner", text(account.unique()));
        let mut pages = scan.into_paginator().send();
        let (mut items, mut others) = (Vec::new(), Vec::new());
        while let Some(page) =
            pages.try_next().await.map_err(|error| StoreError::unavailable("table", error))?
        {
            progress(u64::try_from(page.scanned_count()).unwrap_or(0));
            for item in page.items.unwrap_or_default() {
                match ItemReader(&item).text(SK)? {
                    "item" => items.push(id_of(&item)?),
                    _ => others.push(keys::primary(item)),
                }
            }
        }
        for id in items {
            let job = LibraryJob::DeleteCounters { item_id: id };
            self.enqueue_library_job(&job, DELETE_COUNTERS_DELAY).await?;
            while let Some(item) = self.library_item(id).await? {
                if self.delete_library_item(&item).await? == Replaced::Done {
                    others.push(keys::library_visibility(id, item.version + 1));
                }
            }
        }
        self.write_all(others.into_iter().map(deletion).collect::<Result<_, _>>()?).await
    }

    /// Deletes the items of a partition but an account's own two.
    async fn erase_partition(&self, partition: &str) -> Result<(), StoreError> {
        let query = self
            .clients
            .dynamodb
            .query()
            .table_name(&self.names.table)
            .consistent_read(true)
            .key_condition_expression(format!("{PK} = :pk"))
            .expression_attribute_values(":pk", text(partition));
        let is_own = |item: &Attributes| {
            ItemReader(item).text(SK).is_ok_and(|sk| [ACCOUNT_ITEM, PROFILE].contains(&sk))
        };
        self.delete_found(query, |item| !is_own(item)).await
    }
}
