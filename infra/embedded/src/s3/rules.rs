//! Rules for prefixes: event notifications and expiry. They last as long as the process.

use std::{
    sync::{PoisonError, RwLock},
    time::Duration,
};

use domain::Timestamp;
use serde_json::json;

use super::object::Object;
use crate::credentials::Credentials;

/// The current rules. A prefix matches the start of the key.
#[derive(Debug, Default)]
pub(crate) struct Rules {
    notifications: RwLock<Vec<Rule<String>>>,
    expirations: RwLock<Vec<Rule<Duration>>>,
}

#[derive(Clone, Debug)]
struct Rule<T> {
    bucket: String,
    prefix: String,
    effect: T,
}

impl Rules {
    /// Notifies queues of every object created under their prefix, in place of the bucket's earlier
    /// ones.
    pub(crate) fn notify(&self, bucket: &str, queues: Vec<(String, String)>) {
        replace(&self.notifications, bucket, queues);
    }

    /// Objects under a prefix expire at an age, in place of the bucket's earlier rules.
    pub(crate) fn expire(&self, bucket: &str, ages: Vec<(String, Duration)>) {
        replace(&self.expirations, bucket, ages);
    }

    /// The queues to notify of an object.
    pub(super) fn queues_for(&self, bucket: &str, key: &str) -> Vec<String> {
        applying(&self.notifications, bucket, key)
    }

    /// Whether an object last written at `modified_at` has expired by `now`.
    pub(super) fn has_expired(
        &self,
        bucket: &str,
        key: &str,
        modified_at: Timestamp,
        now: Timestamp,
    ) -> bool {
        applying(&self.expirations, bucket, key).iter().any(|after| modified_at + *after <= now)
    }

    /// Every expiry rule: bucket, prefix and age.
    pub(super) fn expirations(&self) -> Vec<(String, String, Duration)> {
        let rules = self.expirations.read().unwrap_or_else(PoisonError::into_inner);
        rules.iter().cloned().map(|rule| (rule.bucket, rule.prefix, rule.effect)).collect()
    }
}

fn replace<T>(rules: &RwLock<Vec<Rule<T>>>, bucket: &str, effects: Vec<(String, T)>) {
    let mut rules = rules.write().unwrap_or_else(PoisonError::into_inner);
    rules.retain(|rule| rule.bucket != bucket);
    let rule = |(prefix, effect)| Rule { bucket: bucket.to_owned(), prefix, effect };
    rules.extend(effects.into_iter().map(rule));
}

fn applying<T: Clone>(rules: &RwLock<Vec<Rule<T>>>, bucket: &str, key: &str) -> Vec<T> {
    let rules = rules.read().unwrap_or_else(PoisonError::into_inner);
    let applies = |rule: &&Rule<T>| rule.bucket == bucket && key.starts_with(&rule.prefix);
    rules.iter().filter(applies).map(|rule| rule.effect.clone()).collect()
}

/// The message about a new object, in the
/// [event structure](https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-content-structure.html)
/// 2.1. `event` is e.g. `ObjectCreated:Put`.
pub(super) fn message(event: &str, bucket: &str, key: &str, object: &Object) -> String {
    let record = json!({
        "eventVersion": "2.1",
        "eventSource": "aws:s3",
        "awsRegion": Credentials::REGION,
        "eventTime": object.modified_at,
        "eventName": event,
        "userIdentity": {"principalId": "embedded"},
        "requestParameters": {"sourceIPAddress": "127.0.0.1"},
        "responseElements": {},
        "s3": {
            "s3SchemaVersion": "1.0",
            "configurationId": "embedded",
            "bucket": {
                "name": bucket,
                "ownerIdentity": {"principalId": "embedded"},
                "arn": format!("arn:aws:s3:::{bucket}"),
            },
            "object": {
                "key": form_encode(key),
                "size": object.properties.size,
                "eTag": object.properties.etag,
                "sequencer": format!("{:016X}", object.modified_at.millis()),
            },
        },
    });
    json!({"Records": [record]}).to_string()
}

/// The message that a queue gets when a notification is configured, see
/// [event notifications](https://docs.aws.amazon.com/AmazonS3/latest/userguide/how-to-enable-disable-notification-intro.html).
pub(super) fn test_message(bucket: &str, now: Timestamp) -> String {
    json!({
        "Service": "Amazon S3",
        "Event": "s3:TestEvent",
        "Time": now,
        "Bucket": bucket,
        "RequestId": "embedded",
        "HostId": "embedded",
    })
    .to_string()
}

/// A key as S3 encodes it in events and lists: form encoding that keeps the slash.
pub(super) fn form_encode(key: &str) -> String {
    let mut encoded = String::with_capacity(key.len());
    for byte in key.bytes() {
        match byte {
            b' ' => encoded.push('+'),
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'*' | b'/' => {
                encoded.push(char::from(byte));
            }
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}
