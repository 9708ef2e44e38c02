//! Queue attributes: defaults, bounds and wire form.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::error::{Result, SqsError};

/// Most bytes of a message or a batch: 1 MiB.
pub(crate) const MAX_SIZE: usize = 1024 * 1024;

/// Settable attributes of a queue. Times are in seconds.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Attributes {
    pub(crate) delay: u32,
    pub(crate) maximum_size: u32,
    pub(crate) retention: u32,
    pub(crate) wait: u32,
    pub(crate) visibility: u32,
    pub(crate) redrive: Option<Redrive>,
    /// Stored and returned, without any effect.
    other: BTreeMap<String, String>,
}

/// The dead-letter queue and the receive limit.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Redrive {
    pub(crate) target_arn: String,
    pub(crate) max_receive_count: u32,
}

impl Default for Attributes {
    fn default() -> Self {
        Self {
            delay: 0,
            maximum_size: MAX_SIZE as u32,
            retention: 4 * 24 * 60 * 60,
            wait: 0,
            visibility: 30,
            redrive: None,
            other: BTreeMap::new(),
        }
    }
}

impl Attributes {
    /// Changes the attributes named in `changes`.
    pub(crate) fn apply(&mut self, changes: &BTreeMap<String, String>) -> Result<()> {
        for (name, value) in changes {
            let number = |least: u32, most: u32| {
                let number = value.parse().ok().filter(|number| (least..=most).contains(number));
                number.ok_or_else(|| SqsError::invalid_attribute_value(name))
            };
            match name.as_str() {
                "DelaySeconds" => self.delay = number(0, 900)?,
                "MaximumMessageSize" => self.maximum_size = number(1024, MAX_SIZE as u32)?,
                "MessageRetentionPeriod" => self.retention = number(60, 1_209_600)?,
                "ReceiveMessageWaitTimeSeconds" => self.wait = number(0, 20)?,
                "VisibilityTimeout" => self.visibility = number(0, 43_200)?,
                "RedrivePolicy" if value.is_empty() => self.redrive = None,
                "RedrivePolicy" => self.redrive = Some(Redrive::parse(value)?),
                "KmsDataKeyReusePeriodSeconds"
                | "KmsMasterKeyId"
                | "Policy"
                | "RedriveAllowPolicy"
                | "SqsManagedSseEnabled" => {
                    self.other.insert(name.clone(), value.clone());
                }
                _ => return Err(SqsError::invalid_attribute_name(name)),
            }
        }
        Ok(())
    }

    /// All attributes by their wire names.
    pub(crate) fn to_wire(&self) -> BTreeMap<String, String> {
        let mut wire = self.other.clone();
        for (name, value) in [
            ("DelaySeconds", self.delay),
            ("MaximumMessageSize", self.maximum_size),
            ("MessageRetentionPeriod", self.retention),
            ("ReceiveMessageWaitTimeSeconds", self.wait),
            ("VisibilityTimeout", self.visibility),
        ] {
            wire.insert(name.into(), value.to_string());
        }
        if let Some(redrive) = &self.redrive {
            let policy = json!({
                "deadLetterTargetArn": redrive.target_arn,
                "maxReceiveCount": redrive.max_receive_count,
            });
            wire.insert("RedrivePolicy".into(), policy.to_string());
        }
        wire
    }
}

impl Redrive {
    fn parse(policy: &str) -> Result<Self> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Policy {
            dead_letter_target_arn: String,
            /// A number, or a string as CloudFormation writes it.
            max_receive_count: Value,
        }
        let invalid = |reason: &str| SqsError::invalid_parameter("RedrivePolicy", reason);
        let policy: Policy =
            serde_json::from_str(policy).map_err(|_| invalid("Redrive policy is malformed."))?;
        let count = match &policy.max_receive_count {
            Value::String(text) => text.parse().ok(),
            other => other.as_u64(),
        };
        let max_receive_count = count
            .filter(|count| (1..=1000).contains(count))
            .and_then(|count| u32::try_from(count).ok())
            .ok_or_else(|| invalid("Invalid value for maxReceiveCount, it is 1 to 1000."))?;
        Ok(Self { target_arn: policy.dead_letter_target_arn, max_receive_count })
    }
}
