//! Message attributes: limits, size, digest and selection.
//!
//! The digest follows "Calculating the MD5 message digest for message attributes" of the
//! [developer guide](https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-message-metadata.html).

use std::collections::BTreeMap;

use base64::{Engine, prelude::BASE64_STANDARD};
use s3s::crypto::{Checksum, Md5};
use serde::{Deserialize, Serialize};

use super::error::{Result, SqsError};
use crate::random;

const MAX_ATTRIBUTES: usize = 10;

/// Typed values by name, in the order of the digest.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(transparent)]
pub(crate) struct MessageAttributes(BTreeMap<String, MessageAttribute>);

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "PascalCase")]
struct MessageAttribute {
    data_type: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    string_value: Option<String>,
    /// Base64, as on the wire.
    #[serde(skip_serializing_if = "Option::is_none")]
    binary_value: Option<String>,
}

impl MessageAttribute {
    /// The transport type for the digest, and the bytes of the value.
    fn value(&self) -> Option<(u8, Vec<u8>)> {
        let kind = self.data_type.split('.').next();
        match (kind, &self.string_value, &self.binary_value) {
            (Some("String" | "Number"), Some(text), None) if !text.is_empty() => {
                Some((1, text.clone().into_bytes()))
            }
            (Some("Binary"), None, Some(encoded)) => {
                BASE64_STANDARD.decode(encoded).ok().map(|bytes| (2, bytes))
            }
            _ => None,
        }
    }
}

impl MessageAttributes {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Checks number, names, types and values.
    pub(crate) fn validate(&self) -> Result<()> {
        if self.0.len() > MAX_ATTRIBUTES {
            let reason = "Number of message attributes exceeds the allowed maximum 10.";
            return Err(SqsError::invalid_parameter("MessageAttributes", reason));
        }
        for (name, attribute) in &self.0 {
            let characters = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
            if name.is_empty() || name.len() > 256 || !name.chars().all(characters) {
                let reason = "A message attribute name is malformed.";
                return Err(SqsError::invalid_parameter("MessageAttributes", reason));
            }
            if attribute.value().is_none() {
                let reason = "A message attribute needs a value that fits its type.";
                return Err(SqsError::invalid_parameter(name, reason));
            }
        }
        Ok(())
    }

    /// The bytes that count against the size limit of a message.
    pub(crate) fn size(&self) -> usize {
        let size = |(name, attribute): (&String, &MessageAttribute)| {
            let value = attribute.value().map_or(0, |(_, value)| value.len());
            name.len() + attribute.data_type.len() + value
        };
        self.0.iter().map(size).sum()
    }

    /// The MD5 digest in hex, if there is any attribute.
    pub(crate) fn digest(&self) -> Option<String> {
        if self.is_empty() {
            return None;
        }
        let mut encoded = Vec::new();
        for (name, attribute) in &self.0 {
            let (kind, value) = attribute.value().unwrap_or_default();
            append(&mut encoded, name.as_bytes());
            append(&mut encoded, attribute.data_type.as_bytes());
            encoded.push(kind);
            append(&mut encoded, &value);
        }
        Some(random::hex(&Md5::checksum(&encoded)))
    }

    /// The requested attributes: by name, by `prefix.*`, or all by `All` or `.*`.
    pub(crate) fn select(mut self, wanted: &[String]) -> Self {
        self.0.retain(|name, _| {
            wanted.iter().any(|pattern| match pattern.strip_suffix(".*") {
                _ if pattern == "All" => true,
                Some(prefix) => name.starts_with(prefix),
                None => name == pattern,
            })
        });
        self
    }
}

/// Appends `bytes` after their length in four bytes, most significant first.
fn append(encoded: &mut Vec<u8>, bytes: &[u8]) {
    encoded.extend(u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_be_bytes());
    encoded.extend(bytes);
}
