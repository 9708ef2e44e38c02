//! Idempotency keys: how they are stored, and how a changed request is recognised.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use domain::Kind;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// Hash of operation and key: the same key starts different kinds of operation without a conflict.
pub fn key_hash(kind: Kind, key: &str) -> String {
    let digest =
        Sha256::new().chain_update(kind.as_str()).chain_update([0]).chain_update(key).finalize();
    BASE64_URL_SAFE_NO_PAD.encode(&digest[..18])
}

/// SHA-256 of path and body, with the body's properties sorted by name.
pub fn fingerprint(path: &str, body: &Value) -> [u8; 32] {
    let mut canonical = String::new();
    write_canonical(body, &mut canonical);
    Sha256::new().chain_update(path).chain_update([0]).chain_update(canonical).finalize().into()
}

fn write_canonical(value: &Value, out: &mut String) {
    match value {
        Value::Object(properties) => {
            let mut sorted: Vec<_> = properties.iter().collect();
            sorted.sort_by_key(|(name, _)| *name);
            out.push('{');
            for (name, value) in sorted {
                out.push_str(&Value::from(name.as_str()).to_string());
                out.push(':');
                write_canonical(value, out);
                out.push(',');
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for item in items {
                write_canonical(item, out);
                out.push(',');
            }
            out.push(']');
        }
        scalar => out.push_str(&scalar.to_string()),
    }
}
