//! Re-encryption of signing secrets, one by one and all together.

use crate::{
    Store, StoreError,
    item::{bytes, text},
    keys::{self, SK},
    webhooks::{StoredEndpoint, owner_and_id, read},
};

/// A page of the scan over all endpoints.
#[derive(Clone, Debug)]
pub struct EndpointsPage {
    /// The endpoints that can be read.
    pub endpoints: Vec<StoredEndpoint>,
    /// Number of endpoints that cannot be read.
    pub unreadable: u64,
    /// Number of items that the scan has read for this page.
    pub scanned: u64,
    /// Where the next page begins; `None` for the last one.
    pub next: Option<keys::Key>,
}

impl Store {
    /// Replaces the encrypted secret of an endpoint with a re-encrypted one; `false` if it has been
    /// replaced since, or the endpoint is gone.
    pub async fn replace_encrypted_secret(
        &self,
        seen: &StoredEndpoint,
        encrypted: Vec<u8>,
    ) -> Result<bool, StoreError> {
        let update = self
            .clients
            .dynamodb
            .update_item()
            .table_name(&self.names.table)
            .set_key(Some(keys::endpoint(seen.account, seen.endpoint.id)))
            .update_expression("SET sec = :encrypted")
            .condition_expression("sec = :seen")
            .expression_attribute_values(":encrypted", bytes(encrypted))
            .expression_attribute_values(":seen", bytes(seen.encrypted_secret.clone()));
        self.update_if(update).await
    }

    /// Reads a page of all endpoints of all accounts, unordered, with a scan of the whole table: no
    /// request needs a list of all endpoints, so none is maintained.
    pub async fn scan_endpoints(
        &self,
        start: Option<keys::Key>,
    ) -> Result<EndpointsPage, StoreError> {
        let page = self
            .clients
            .dynamodb
            .scan()
            .table_name(&self.names.table)
            .filter_expression(format!("begins_with({SK}, :sk)"))
            .expression_attribute_values(":sk", text(keys::ENDPOINT))
            .consistent_read(true)
            .set_exclusive_start_key(start)
            .send()
            .await
            .map_err(|error| StoreError::unavailable("table", error))?;
        let scanned = u64::try_from(page.scanned_count()).unwrap_or(0);
        let next = page.last_evaluated_key;
        let (mut endpoints, mut unreadable) = (Vec::new(), 0);
        for item in page.items.unwrap_or_default() {
            match owner_and_id(&item).map(|(account, _)| read(account, &item)) {
                Some(Ok(stored)) => endpoints.push(stored),
                _ => unreadable += 1,
            }
        }
        Ok(EndpointsPage { endpoints, unreadable, scanned, next })
    }
}
