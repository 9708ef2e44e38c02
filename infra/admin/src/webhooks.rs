//! `webhooks`: endpoints of all accounts.

use indicatif::ProgressBar;
use serde_json::{Value, json};
use store::Store;
use webhook_delivery::{EncryptionKey, re_encryption::ReEncrypted};

use crate::{
    failure::Failure, options::WebhooksCommand, output::Output, progress::bar, target::Target,
};

pub async fn run(
    command: WebhooksCommand,
    target: &Target,
    output: &Output,
) -> Result<(), Failure> {
    match command {
        WebhooksCommand::ReEncrypt => {
            let key = EncryptionKey::of(target.secrets()?.encryption_keys());
            let bar = bar("Reading the table", target.store.item_estimate().await?);
            let done = re_encrypt(&target.store, &key, &bar).await;
            bar.finish_and_clear();
            let done = done?;
            output.show(&json!({
                "reEncrypted": done.re_encrypted,
                "alreadyCurrent": done.present,
                "unreadable": done.unreadable,
                "unknownSecret": done.unknown,
            }));
            match (done.unknown.len(), done.unreadable) {
                (0, 0) => Ok(()),
                (unknown, unreadable) => Err(Failure::Refused(format!(
                    "Of the endpoints of {}, {unknown} are encrypted with a secret that is not at hand, and \
                     {unreadable} cannot be read.",
                    target.name
                ))),
            }
        }
    }
}

/// Results of the re-encryption.
#[derive(Default)]
struct ReEncryption {
    re_encrypted: u64,
    present: u64,
    unreadable: u64,
    /// Encrypted with an unknown secret: they are not changed.
    unknown: Vec<Value>,
}

/// Re-encrypts the signing secrets that are encrypted with another than the current key.
async fn re_encrypt(
    store: &Store,
    key: &EncryptionKey,
    bar: &ProgressBar,
) -> Result<ReEncryption, Failure> {
    let mut found = ReEncryption::default();
    let mut start = None;
    loop {
        let page = store.scan_endpoints(start).await?;
        found.unreadable += page.unreadable;
        for endpoint in page.endpoints {
            let place = format!("{}/{}", endpoint.account, endpoint.endpoint.id);
            match key.re_encrypt(store, endpoint).await? {
                ReEncrypted::Now => found.re_encrypted += 1,
                ReEncrypted::Before => found.present += 1,
                ReEncrypted::Gone => {}
                ReEncrypted::UnknownKey => found.unknown.push(place.into()),
            }
        }
        bar.inc(page.scanned);
        start = page.next;
        if start.is_none() {
            return Ok(found);
        }
    }
}
