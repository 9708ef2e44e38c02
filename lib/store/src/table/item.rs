//! Conversion between items and attribute values.

use std::collections::HashMap;

use aws_sdk_dynamodb::{primitives::Blob, types::AttributeValue};
use domain::Timestamp;

use crate::StoreError;

/// The attributes of an item.
pub type Attributes = HashMap<String, AttributeValue>;

pub(crate) fn text(value: impl Into<String>) -> AttributeValue {
    AttributeValue::S(value.into())
}

pub(crate) fn number(value: impl Into<i64>) -> AttributeValue {
    AttributeValue::N(value.into().to_string())
}

pub(crate) fn count(value: u64) -> AttributeValue {
    AttributeValue::N(value.to_string())
}

pub(crate) fn instant(value: Timestamp) -> AttributeValue {
    number(value.millis())
}

pub(crate) fn bytes(value: Vec<u8>) -> AttributeValue {
    AttributeValue::B(Blob::new(value))
}

/// Reads attributes by name and type.
pub(crate) struct ItemReader<'a>(pub &'a Attributes);

impl<'a> ItemReader<'a> {
    pub fn text(&self, name: &'static str) -> Result<&'a str, StoreError> {
        self.optional_text(name).ok_or_else(|| StoreError::corrupt(name))
    }

    pub fn optional_text(&self, name: &str) -> Option<&'a str> {
        self.0.get(name)?.as_s().ok().map(String::as_str)
    }

    pub fn number(&self, name: &'static str) -> Result<i64, StoreError> {
        self.optional_number(name).ok_or_else(|| StoreError::corrupt(name))
    }

    pub fn optional_number(&self, name: &str) -> Option<i64> {
        self.0.get(name)?.as_n().ok()?.parse().ok()
    }

    /// A count; 0 if the attribute is absent.
    pub fn count(&self, name: &str) -> u32 {
        self.optional_number(name).and_then(|count| u32::try_from(count).ok()).unwrap_or(0)
    }

    /// A count beyond 32 bits; 0 if the attribute is absent.
    pub fn large_count(&self, name: &str) -> u64 {
        self.0.get(name).and_then(|value| value.as_n().ok()?.parse().ok()).unwrap_or(0)
    }

    pub fn instant(&self, name: &'static str) -> Result<Timestamp, StoreError> {
        self.number(name).map(Timestamp::from_millis)
    }

    pub fn optional_instant(&self, name: &str) -> Option<Timestamp> {
        self.optional_number(name).map(Timestamp::from_millis)
    }

    pub fn bytes(&self, name: &'static str) -> Result<&'a [u8], StoreError> {
        self.0
            .get(name)
            .and_then(|value| value.as_b().ok())
            .map(|blob| blob.as_ref())
            .ok_or_else(|| StoreError::corrupt(name))
    }

    pub fn flag(&self, name: &str) -> bool {
        self.0.get(name).and_then(|value| value.as_bool().ok()).copied().unwrap_or(false)
    }

    pub fn map(&self, name: &'static str) -> Result<&'a Attributes, StoreError> {
        self.0
            .get(name)
            .and_then(|value| value.as_m().ok())
            .ok_or_else(|| StoreError::corrupt(name))
    }

    /// A list of instants; empty if the attribute is absent.
    pub fn instants(&self, name: &str) -> Vec<Timestamp> {
        let list = self.0.get(name).and_then(|value| value.as_l().ok()).into_iter().flatten();
        list.filter_map(|value| value.as_n().ok()?.parse().ok())
            .map(Timestamp::from_millis)
            .collect()
    }

    /// A list of strings.
    pub fn texts(&self, name: &'static str) -> Result<Vec<&'a str>, StoreError> {
        self.0
            .get(name)
            .and_then(|value| value.as_l().ok())
            .ok_or_else(|| StoreError::corrupt(name))?
            .iter()
            .map(|value| value.as_s().map(String::as_str))
            .collect::<Result<_, _>>()
            .map_err(|_| StoreError::corrupt(name))
    }
}
