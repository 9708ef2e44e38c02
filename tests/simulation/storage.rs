//! What accounts keep, and what their account items say of it.

use domain::{LibraryId, response_size::escaped_len};
use serde_json::Value;

use crate::{
    at_rest::{number, text},
    simulation::Simulation,
    workload::Account,
};

impl Simulation {
    /// The account item counts exactly the presets, library items and history that are there.
    pub async fn examine_storage(&self, account: &Account, items: &[Value]) {
        let unique = account.id.unique();
        let (mut kept, mut bytes) = (0, 0);
        for item in items {
            let (partition, sort_key) = (text(item, "pk"), text(item, "sk"));
            if partition == unique && sort_key.starts_with("pst#") {
                kept += 1;
                bytes += number(item, "sb");
            } else if partition == unique {
                bytes += number(item, "kb");
            } else if sort_key == "item" && text(item, "ow") == unique {
                kept += 1;
                bytes += self.content_bytes(partition.trim_start_matches("lib#")).await;
            }
        }
        let account_item = items
            .iter()
            .find(|item| text(item, "pk") == unique && text(item, "sk") == "gate")
            .expect("an account item");
        for (name, expected) in [("si", kept), ("sb", bytes)] {
            let counted = number(account_item, name);
            if counted != expected {
                self.complain(&format!("{unique} has {name} = {counted} instead of {expected}"));
            }
        }
    }

    async fn content_bytes(&self, unique: &str) -> i64 {
        let id = LibraryId::from_unique(unique).expect("a library item");
        let item = self.operator().library_item(id).await.expect("storage").expect("an item");
        let json = serde_json::to_vec(&item.content).expect("JSON");
        i64::try_from(escaped_len(&json)).expect("a small item")
    }
}
