//! What the operator records beside the library's items: which ones were imported, and why one is
//! blocked.
//!
//! | attribute | holds |
//! |---|---|
//! | `ids` | the official items that imports have made, 16 bytes each |
//! | `sum` | checksum of the collection that was imported when the service started |
//! | `v` | how often the record was written |
//! | `why` | on an item: the operator's reason for blocking it |

use aws_sdk_dynamodb::{
    error::SdkError, operation::update_item::UpdateItemError, types::AttributeValue,
};
use domain::LibraryId;

use crate::{
    Store, StoreError,
    item::{Attributes, ItemReader, bytes, number, text},
    keys::{self, Key},
};

/// Bytes of an identifier.
const ID: usize = 16;

/// The record of imports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imports {
    /// The official items, without deleted ones. May include some that an interrupted import did
    /// not write.
    pub ids: Vec<LibraryId>,
    /// Checksum of the collection that was imported when the service started.
    pub checksum: Option<String>,
    /// How often this was written.
    pub version: u32,
}

impl Store {
    /// The record of imports, with a consistent read.
    pub async fn imports(&self) -> Result<Imports, StoreError> {
        let Some(item) = self.get_item(keys::imports()).await? else {
            return Ok(Imports::default());
        };
        let reader = ItemReader(&item);
        let ids = reader.bytes("ids")?.chunks_exact(ID).map(|id| {
            let mut bits = [0; ID];
            bits.copy_from_slice(id);
            LibraryId::from_bits(u128::from_be_bytes(bits))
        });
        Ok(Imports {
            ids: ids.collect(),
            checksum: reader.optional_text("sum").map(ToOwned::to_owned),
            version: reader.count("v"),
        })
    }

    /// Writes the record of imports as the next version of `before`. Returns it, or `None` if
    /// another write came first.
    pub async fn record_imports(
        &self,
        before: &Imports,
        ids: Vec<LibraryId>,
        checksum: Option<String>,
    ) -> Result<Option<Imports>, StoreError> {
        let version = before.version + 1;
        let mut item: Attributes = keys::imports();
        let packed = ids.iter().flat_map(|id| id.bits().to_be_bytes()).collect();
        item.insert("ids".to_owned(), bytes(packed));
        item.insert("v".to_owned(), number(version));
        if let Some(checksum) = &checksum {
            item.insert("sum".to_owned(), text(checksum));
        }
        let put = self
            .clients
            .dynamodb
            .put_item()
            .table_name(&self.names.table)
            .set_item(Some(item))
            .condition_expression("attribute_not_exists(pk) OR v = :before")
            .expression_attribute_values(":before", number(before.version))
            .send()
            .await;
        match put {
            Ok(_) => Ok(Some(Imports { ids, checksum, version })),
            Err(SdkError::ServiceError(error))
                if error.err().is_conditional_check_failed_exception() =>
            {
                Ok(None)
            }
            Err(error) => Err(StoreError::unavailable("table", error)),
        }
    }

    /// Records why an item is blocked; `None` removes the reason. Does nothing if the item is gone.
    pub async fn record_block_reason(
        &self,
        id: LibraryId,
        why: Option<&str>,
    ) -> Result<(), StoreError> {
        let key: Key = keys::library_item(id);
        let update = self.clients.dynamodb.update_item().table_name(&self.names.table);
        let update = update.set_key(Some(key)).condition_expression("attribute_exists(pk)");
        let update = match why {
            Some(why) => update
                .update_expression("SET why = :why")
                .expression_attribute_values(":why", AttributeValue::S(why.to_owned())),
            None => update.update_expression("REMOVE why"),
        };
        match self.update_with_retry(update).await {
            Ok(_) => Ok(()),
            Err(SdkError::ServiceError(error))
                if matches!(error.err(), UpdateItemError::ConditionalCheckFailedException(_)) =>
            {
                Ok(())
            }
            Err(error) => Err(StoreError::unavailable("table", error)),
        }
    }

    /// Why an item is blocked, if the operator gave a reason.
    pub async fn block_reason(&self, id: LibraryId) -> Result<Option<String>, StoreError> {
        let item = self.get_item(keys::library_item(id)).await?.unwrap_or_default();
        Ok(ItemReader(&item).optional_text("why").map(ToOwned::to_owned))
    }
}
