//! The table's layout: every key beside the access pattern that it serves.
//!
//! | item | pk | sk | read by |
//! |---|---|---|---|
//! | account gate | account | `gate` | every authenticated request (one update) |
//! | account profile | account | `profile` | operator |
//! | API key record | account | `apikey#<key>` | operator; listing keys |
//! | idempotency record | account | `once#<hash of kind and key>` | start of an AI operation; processor (input) |
//! | operation | account | `op#<operation>` | read, cancel, claim, finish; newest-first list without filter |
//! | body | account | `body#<operation>` | result of an operation; version of a history item |
//! | history item | account | `gen#`, `opt#` or `ref#` and the item | continuing it; history detail, renaming, deletion |
//! | upload | account | `upl#<upload>` | reading, completing, deleting, attaching it |
//! | upload ledger | account | `uploads` | usage; whatever changes which uploads count toward the allowance |
//!
//! Index `list` (partition `lp`, sort `ls`) holds summaries only, never bodies:
//!
//! | entry | lp | ls | read by |
//! |---|---|---|---|
//! | operation | `<account>#op#<kind>` | `<status>#<operation>` | lists filtered by kind, status or both |
//! | history item | `<account>#gen`, `#opt` or `#ref` | `<item>` | history list |
//!
//! Accounts and operations stand in keys without their prefixes, which say nothing there.
//! Times are milliseconds since the epoch; `ttl` is in seconds, as DynamoDB requires.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use domain::{
    AccountId, HistoryId, HistoryType, KeyId, Kind, OperationId, Status, UploadId, UploadScope,
    UploadStatus,
};

/// Partition key of the table.
pub const PK: &str = "pk";
/// Sort key of the table.
pub const SK: &str = "sk";
/// Name of the index over summaries.
pub const LIST: &str = "list";
/// Partition key of the index.
pub const LIST_PK: &str = "lp";
/// Sort key of the index.
pub const LIST_SK: &str = "ls";
/// What the index holds of an item beside its keys: what lists show and search.
pub const LIST_ATTRIBUTES: [&str; 19] = [
    // Operations.
    "kd", "st", "att", "lu", "p", "ik", "asy", "t0", "t1", "pc", "pm", // History items.
    "ti", "ex", "tl", "el", "tm", "la", "vc", "up",
];
/// Second after which DynamoDB may drop the item. It does so late: readers compare it themselves.
pub const TTL: &str = "ttl";

/// A primary key.
pub type Key = HashMap<String, AttributeValue>;

fn key(pk: String, sk: String) -> Key {
    HashMap::from([(PK.to_owned(), AttributeValue::S(pk)), (SK.to_owned(), AttributeValue::S(sk))])
}

/// An item that never exists.
pub fn probe() -> Key {
    key("probe".to_owned(), "probe".to_owned())
}

/// The account gate.
pub fn gate(account: AccountId) -> Key {
    key(account.unique(), "gate".to_owned())
}

/// The account profile.
pub fn profile(account: AccountId) -> Key {
    key(account.unique(), "profile".to_owned())
}

/// The record of an API key.
pub fn api_key(account: AccountId, id: KeyId) -> Key {
    key(account.unique(), format!("apikey#{}", id.unique()))
}

/// The idempotency record with the given hash of kind and key.
pub fn once(account: AccountId, hash: &str) -> Key {
    key(account.unique(), format!("once#{hash}"))
}

/// An operation.
pub fn operation(account: AccountId, id: OperationId) -> Key {
    key(account.unique(), operation_sk(&id.unique()))
}

/// What the sort keys of operations begin with.
pub const OPERATION: &str = "op#";

/// The sort key of the operation whose unique part is `unique`, or of any bound of a range.
pub fn operation_sk(unique: &str) -> String {
    format!("{OPERATION}{unique}")
}

/// The body of an operation.
pub fn body(account: AccountId, id: OperationId) -> Key {
    key(account.unique(), body_sk(id))
}

/// The sort key of an operation's body.
pub fn body_sk(id: OperationId) -> String {
    format!("body#{}", id.unique())
}

/// A history item.
pub fn history(account: AccountId, id: HistoryId) -> Key {
    key(account.unique(), format!("{}#{}", history_code(id.kind()), id.unique()))
}

/// An upload.
pub fn upload(account: AccountId, id: UploadId) -> Key {
    key(account.unique(), format!("{UPLOAD}{}", id.unique()))
}

/// What the sort keys of uploads begin with.
pub const UPLOAD: &str = "upl#";

/// The ledger of uploads that count toward the account's allowance.
pub fn upload_ledger(account: AccountId) -> Key {
    key(account.unique(), "uploads".to_owned())
}

/// Index partition of the account's operations of one kind.
pub fn operations_of_kind(account: AccountId, kind: Kind) -> String {
    format!("{}#op#{}", account.unique(), kind_code(kind))
}

/// Index sort key of an operation with a status.
pub fn operation_with_status(status: Status, unique: &str) -> String {
    format!("{}#{unique}", status_code(status))
}

/// Index partition of the account's history items of one kind.
pub fn histories(account: AccountId, kind: HistoryType) -> String {
    format!("{}#{}", account.unique(), history_code(kind))
}

/// What stands for a kind of history item in keys.
const fn history_code(kind: HistoryType) -> &'static str {
    match kind {
        HistoryType::Generation => "gen",
        HistoryType::Optimization => "opt",
        HistoryType::Refinement => "ref",
    }
}

/// One letter for a kind, in keys and attributes.
pub const fn kind_code(kind: Kind) -> &'static str {
    match kind {
        Kind::GeneratePrompt => "g",
        Kind::AnalyzePrompt => "a",
        Kind::OptimizePrompt => "o",
        Kind::AnalyzeAndOptimizePrompt => "b",
        Kind::RefinePrompt => "r",
        Kind::RefineOptimizedPrompt => "q",
        Kind::ReversePrompt => "v",
    }
}

/// One letter for a status, in keys and attributes.
pub const fn status_code(status: Status) -> &'static str {
    match status {
        Status::Pending => "P",
        Status::Running => "R",
        Status::Succeeded => "S",
        Status::Failed => "F",
        Status::Cancelled => "C",
    }
}

/// One letter for the scope of an upload, in attributes.
pub const fn scope_code(scope: UploadScope) -> &'static str {
    match scope {
        UploadScope::Analysis => "a",
        UploadScope::Refinement => "r",
        UploadScope::Feedback => "f",
        UploadScope::Generation => "g",
        UploadScope::ReverseImage => "i",
        UploadScope::ReverseVideo => "v",
    }
}

/// One letter for where an upload stands, in attributes.
pub const fn upload_status_code(status: UploadStatus) -> &'static str {
    match status {
        UploadStatus::Pending => "P",
        UploadStatus::Uploaded => "U",
        UploadStatus::Processing => "V",
        UploadStatus::Ready => "R",
        UploadStatus::Consumed => "C",
        UploadStatus::Rejected => "X",
        UploadStatus::Expired => "E",
        UploadStatus::Deleted => "D",
    }
}
