//! `webhooks`: endpoints of all accounts.

use delivery::{SealingKey, sealing::Resealed};
use indicatif::ProgressBar;
use serde_json::{Value, json};
use store::Store;

use crate::{
    failure::Failure, options::WebhooksCommand, output::Output, progress::bar, target::Target,
};

pub async fn run(
    command: WebhooksCommand,
    target: &Target,
    output: &Output,
) -> Result<(), Failure> {
    match command {
        WebhooksCommand::Reseal => {
            let key = SealingKey::of(target.secrets()?.sealing_keys());
            let bar = bar("Reading the table", target.store.item_estimate().await?);
            let done = reseal(&target.store, &key, &bar).await;
            bar.finish_and_clear();
            let done = done?;
            output.show(&json!({
                "resealed": done.resealed,
                "sealedAlready": done.present,
                "unreadable": done.unreadable,
                "unknownSecret": done.unknown,
            }));
            match (done.unknown.len(), done.unreadable) {
                (0, 0) => Ok(()),
                (unknown, unreadable) => Err(Failure::Refused(format!(
                    "Of the endpoints of {}, {unknown} are sealed with a secret that is not at hand, and \
                     {unreadable} cannot be read.",
                    target.name
                ))),
            }
        }
    }
}

/// How many endpoints were found how.
#[derive(Default)]
struct Found {
    resealed: u64,
    present: u64,
    unreadable: u64,
    /// Which are sealed with a secret that is not at hand: they are left as they are.
    unknown: Vec<Value>,
}

/// Seals all signing secrets with the present key that have another one's seal.
async fn reseal(store: &Store, key: &SealingKey, bar: &ProgressBar) -> Result<Found, Failure> {
    let mut found = Found::default();
    let mut start = None;
    loop {
        let page = store.page_of_endpoints(start).await?;
        found.unreadable += page.unreadable;
        for endpoint in page.endpoints {
            let place = format!("{}/{}", endpoint.account, endpoint.endpoint.id);
            match key.renew(store, endpoint).await? {
                Resealed::Now => found.resealed += 1,
                Resealed::Before => found.present += 1,
                Resealed::Gone => {}
                Resealed::UnknownKey => found.unknown.push(place.into()),
            }
        }
        bar.inc(page.scanned);
        start = page.next;
        if start.is_none() {
            return Ok(found);
        }
    }
}
