//! Rules and responses that all batch operations share.

use std::collections::HashSet;

use super::{
    api::{BatchResult, Entry, Failed, Succeeded},
    error::{Result, SqsError},
};

const MAX_ENTRIES: usize = 10;

/// Checks the number of entries and their ids.
pub(crate) fn validate<T>(entries: &[Entry<T>]) -> Result<()> {
    if entries.is_empty() {
        return Err(SqsError::empty_batch());
    }
    if entries.len() > MAX_ENTRIES {
        return Err(SqsError::too_many_entries());
    }
    let mut ids = HashSet::new();
    for Entry { id, .. } in entries {
        let characters = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if id.is_empty() || id.len() > 80 || !id.chars().all(characters) {
            return Err(SqsError::invalid_batch_id());
        }
        if !ids.insert(id) {
            return Err(SqsError::batch_ids_not_distinct());
        }
    }
    Ok(())
}

/// Runs `work` on every entry; the failure of one does not affect the others.
pub(crate) fn run<T, U>(
    entries: Vec<Entry<T>>,
    mut work: impl FnMut(T) -> Result<U>,
) -> Result<BatchResult<U>> {
    validate(&entries)?;
    let mut result = BatchResult { successful: Vec::new(), failed: Vec::new() };
    for Entry { id, content } in entries {
        match work(content) {
            Ok(content) => result.successful.push(Succeeded { id, content }),
            Err(error) => result.failed.push(Failed {
                id,
                sender_fault: error.is_sender_fault(),
                code: error.code,
                message: error.message,
            }),
        }
    }
    Ok(result)
}
