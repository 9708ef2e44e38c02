//! What accounts keep, and what their account items say of it.

use serde_json::Value;

use crate::{
    invariants::{number, text},
    simulation::Simulation,
    workload::Account,
};

impl Simulation {
    /// The account item counts exactly the presets, library items and history that are there.
    pub fn check_storage(&self, account: &Account, items: &[Value]) {
        let unique = account.id.unique();
        let (mut kept, mut bytes) = (0, 0);
        for item in items {
            let (partition, sort_key) = (text(item, "pk"), text(item, "sk"));
            let is_preset = partition == unique && sort_key.starts_with("pst#");
            let is_library_item = sort_key == "item" && text(item, "ow") == unique;
            kept += i64::from(is_preset || is_library_item);
            if partition == unique || is_library_item {
                bytes += number(item, "kb");
            }
        }
        let account_item = items
            .iter()
            .find(|item| text(item, "pk") == unique && text(item, "sk") == "gate")
            .expect("an account item");
        for (name, expected) in [("si", kept), ("sb", bytes)] {
            let counted = number(account_item, name);
            if counted != expected {
                self.report_violation(&format!(
                    "{unique} has {name} = {counted} instead of {expected}"
                ));
            }
        }
    }
}
