//! The table's layout: every key and the access pattern that it serves.
//!
//! | item | pk | sk | read by |
//! |---|---|---|---|
//! | account item | account | `gate` | every authenticated request (one update) |
//! | account profile | account | `profile` | operator |
//! | API key record | account | `apikey#<key>` | operator; listing keys |
//! | idempotency record | account | `once#<hash of kind and key>` | start of an AI operation; processor (input) |
//! | model usage | account | `use#<month>` | usage; the end of every operation that asked a language model |
//! | model usage of all accounts | `models#<shard>` | `sum#<month>` | each operation that may ask a language model, if there is a budget; their ends |
//! | operation | account | `op#<operation>` | read, cancel, claim, finish; newest-first list without filter |
//! | body | account | `body#<operation>` | result of an operation; version of a history item |
//! | history item | account | `gen#`, `opt#` or `ref#` and the item | continuing it; history detail, renaming, deletion |
//! | upload | account | `upl#<upload>` | reading, completing, deleting, attaching it |
//! | preset | account | `pst#<preset>` | reading, patching, rendering, deleting it |
//! | offset index | account | `dir#<list>` | a page at a high offset of a long list; every change that adds an item to it or removes one |
//! | upload ledger | account | `uploads` | usage; every change of which uploads count toward the allowance |
//! | library item | `lib#<item>` | `item` | reading, changing, publishing it; pages of the library |
//! | library counter | `lib#<item>#<shard>` | `count` | the counts of an item: one shard, 32 once many accounts react at once |
//! | change of visibility | `lib#<item>` | `vis#<version>` | webhook events for the item's owner |
//! | library imports | `lib#imports` | `item` | importing official items; starting on one machine |
//! | blocked content | `blocked#<fingerprint>` | `content` | publishing the same prompt |
//! | band of blocked content | `blocked#<band>#<values>` | `band` | publishing nearly the same prompt |
//! | library reaction | account | `mark#<item>` | toggling a vote or a save; the lists of both |
//! | log entry | `shelf#<listing>` | instant and item | every search of the listing: changes that its snapshot does not have yet |
//! | vote log entry | `votes#<listing>` | instant and item | searches of the listing, once a second on an instance: votes that its snapshot does not have yet |
//! | snapshot pointer | `shelf#<listing>` | `~` | the same query: which object is the snapshot, and how far it reaches |
//! | webhook endpoint | account | `whe#<endpoint>` | reading, listing, changing, deleting it; each attempt to deliver to it |
//! | webhook delivery | account | `whd#<endpoint>#<event's time>#<delivery>` | each attempt; its endpoint's list of deliveries |
//! | webhook host | account | `whh#<host>` | each delivery to an unproven endpoint or a shared host, each that is sent again |
//! | webhook subscriptions | account | `webhooks` | fan-out of an event; every change of an endpoint's subscriptions |
//!
//! Index `list` (partition `lp`, sort `ls`) holds summaries only, never bodies:
//!
//! | entry | lp | ls | read by |
//! |---|---|---|---|
//! | operation that has ended | `<account>#op#<kind>` | `<status>#<operation>` | lists filtered by kind, status or both |
//! | history item | `<account>#gen`, `#opt` or `#ref` | `<item>` | history list |
//! | preset | `<account>#pst` | `<preset>` | preset list |
//! | failed webhook delivery | `<account>#whd#<endpoint>` | `<event's time>#<delivery>` | sending failed deliveries again |
//!
//! Accounts and operations are in keys without their prefixes, which add nothing there.
//! Times are milliseconds since the epoch; `ttl` is in seconds, as DynamoDB requires.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use domain::{
    AccountId, ChangeId, DeliveryId, EndpointId, HistoryId, HistoryType, KeyId, Kind, LibraryId,
    OperationId, PresetId, Status, Timestamp, UploadId, UploadScope, UploadStatus,
    library::{Listing, Moderation, Visibility},
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
/// Non-key attributes that the index projects: what lists show and search. DynamoDB allows 20 of
/// them.
/// Kind and status of operations are in the index keys; presets also use title and search.
pub const LIST_ATTRIBUTES: [&str; 18] = [
    "att", "lu", "p", "ik", "asy", "t0", "t1", "pb", // operations
    "ti", "ex", "tl", "el", "tm", "la", "vc", "up", // history items
    "bs", "sb", // presets
];
/// Second after which DynamoDB may delete the item. It deletes late, so readers compare it as well.
pub const TTL: &str = "ttl";

/// A primary key.
pub type Key = HashMap<String, AttributeValue>;

fn key(pk: String, sk: String) -> Key {
    HashMap::from([(PK.to_owned(), AttributeValue::S(pk)), (SK.to_owned(), AttributeValue::S(sk))])
}

/// The key of an item that never exists.
pub fn probe() -> Key {
    key("probe".to_owned(), "probe".to_owned())
}

/// The account item.
pub fn account_item(account: AccountId) -> Key {
    key(account.unique(), ACCOUNT_ITEM.to_owned())
}

/// The sort key of account items.
pub const ACCOUNT_ITEM: &str = "gate";

/// The account profile.
pub fn profile(account: AccountId) -> Key {
    key(account.unique(), PROFILE.to_owned())
}

/// The sort key of profiles.
pub const PROFILE: &str = "profile";

/// What an account has asked of language models in the month that begins then.
pub fn model_usage(account: AccountId, month: Timestamp) -> Key {
    key(account.unique(), model_usage_sk(month))
}

/// A part of what all accounts have asked of language models in that month.
pub fn total_model_usage(shard: u128, month: Timestamp) -> Key {
    key(format!("models#{shard}"), format!("sum#{}", month_code(month)))
}

/// The sort key of the model usage of a month, such as `use#2026-03`.
pub fn model_usage_sk(month: Timestamp) -> String {
    format!("use#{}", month_code(month))
}

/// A month in keys, such as `2026-03`.
fn month_code(month: Timestamp) -> String {
    let mut month = month.to_string();
    month.truncate(7);
    month
}

/// The record of an API key.
pub fn api_key(account: AccountId, id: KeyId) -> Key {
    key(account.unique(), format!("{API_KEY}{}", id.unique()))
}

/// Prefix of the sort keys of API keys.
pub const API_KEY: &str = "apikey#";

/// The idempotency record with the given hash of kind and key.
pub fn idempotency_record(account: AccountId, hash: &str) -> Key {
    key(account.unique(), format!("once#{hash}"))
}

/// An operation.
pub fn operation(account: AccountId, id: OperationId) -> Key {
    key(account.unique(), operation_sk(&id.unique()))
}

/// Prefix of the sort keys of operations.
pub const OPERATION: &str = "op#";

/// The sort key of the operation whose unique part is `unique`; also a bound of a range.
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
    key(account.unique(), list_item_sk(history_list(id.kind()), &id.unique()))
}

/// An upload.
pub fn upload(account: AccountId, id: UploadId) -> Key {
    key(account.unique(), format!("{UPLOAD}{}", id.unique()))
}

/// Prefix of the sort keys of uploads.
pub const UPLOAD: &str = "upl#";

/// Codes of the lists that have offset indexes.
pub const LISTS: [&str; 4] = [
    history_list(HistoryType::Generation),
    history_list(HistoryType::Optimization),
    history_list(HistoryType::Refinement),
    PRESET_LIST,
];

/// Code of the list of presets in keys.
pub const PRESET_LIST: &str = "pst";

/// A preset.
pub fn preset(account: AccountId, id: PresetId) -> Key {
    key(account.unique(), list_item_sk(PRESET_LIST, &id.unique()))
}

/// The sort key of an entry of a list, by its unique part.
pub fn list_item_sk(list: &str, unique: &str) -> String {
    format!("{list}#{unique}")
}

/// Index partition of a list.
pub fn list_partition(account: AccountId, list: &str) -> String {
    format!("{}#{list}", account.unique())
}

/// The offset index of a list.
pub fn offset_index(account: AccountId, list: &str) -> Key {
    key(account.unique(), format!("dir#{list}"))
}

/// The ledger of uploads that count toward the account's allowance.
pub fn upload_ledger(account: AccountId) -> Key {
    key(account.unique(), "uploads".to_owned())
}

/// A webhook endpoint.
pub fn endpoint(account: AccountId, id: EndpointId) -> Key {
    key(account.unique(), format!("{ENDPOINT}{}", id.unique()))
}

/// An item of the library.
pub fn library_item(id: LibraryId) -> Key {
    key(format!("lib#{}", id.unique()), "item".to_owned())
}

/// The record of imports of official items.
pub fn imports() -> Key {
    key("lib#imports".to_owned(), "item".to_owned())
}

/// The record that the operator blocked library content, by its fingerprint.
pub fn library_blocked(fingerprint: &str) -> Key {
    key(format!("blocked#{fingerprint}"), "content".to_owned())
}

/// The record that the operator blocked library content with this band in its signature.
pub fn library_blocked_band(number: usize, values: &str) -> Key {
    key(format!("blocked#{number}#{values}"), "band".to_owned())
}

/// The primary key of an item.
pub fn primary(mut item: HashMap<String, AttributeValue>) -> Key {
    item.retain(|name, _| name == PK || name == SK);
    item
}

/// A shard of an item's counts. Each shard is in its own partition.
pub fn library_counter(id: LibraryId, shard: u8) -> Key {
    key(format!("lib#{}#{shard}", id.unique()), "count".to_owned())
}

/// The record that a library item changed its visibility with a version.
pub fn library_visibility(id: LibraryId, version: u32) -> Key {
    key(format!("lib#{}", id.unique()), format!("vis#{version}"))
}

/// The reactions of an account to a library item.
pub fn library_reaction(account: AccountId, id: LibraryId) -> Key {
    key(account.unique(), format!("{LIBRARY_REACTION}{}", id.unique()))
}

/// Prefix of the sort keys of reactions.
pub const LIBRARY_REACTION: &str = "mark#";

/// An entry of a listing's change log.
pub fn change_log_entry(of: Listing, position: ChangeId) -> Key {
    key(listing(of), position.unique())
}

/// An entry of a listing's vote log.
pub fn vote_log_entry(of: Listing, position: ChangeId) -> Key {
    key(vote_log(of), position.unique())
}

/// The lowest sort key of log entries from an instant on.
pub fn change_log_from(instant: Timestamp) -> String {
    let millis = u128::try_from(instant.millis()).unwrap_or(0);
    ChangeId::from_bits(millis << 80).unique()
}

/// The pointer to a listing's snapshot.
pub fn snapshot_pointer(of: Listing) -> Key {
    key(listing(of), SNAPSHOT_POINTER.to_owned())
}

/// Sort key behind those of all log entries.
pub const SNAPSHOT_POINTER: &str = "~";

/// Partition of a listing's change log and snapshot pointer.
pub fn listing(listing: Listing) -> String {
    format!("shelf#{}", listing_code(listing))
}

/// Partition of a listing's vote log.
pub fn vote_log(listing: Listing) -> String {
    format!("votes#{}", listing_code(listing))
}

fn listing_code(listing: Listing) -> String {
    match listing {
        Listing::Community => "community".to_owned(),
        Listing::Official => "official".to_owned(),
        Listing::Own(account) => account.unique(),
    }
}

/// One letter for the visibility of a library item, in attributes.
pub const fn visibility_code(visibility: Visibility) -> &'static str {
    match visibility {
        Visibility::Private => "P",
        Visibility::Community => "C",
        Visibility::Official => "O",
    }
}

/// One letter for the moderation of a library item, in attributes.
pub const fn moderation_code(moderation: Moderation) -> &'static str {
    match moderation {
        Moderation::None => "N",
        Moderation::Pending => "P",
        Moderation::Approved => "A",
        Moderation::Refused => "R",
        Moderation::Blocked => "B",
    }
}

/// Prefix of the sort keys of webhook endpoints.
pub const ENDPOINT: &str = "whe#";

/// The record of a delivery of an event that happened `at` an instant.
pub fn webhook_delivery(
    account: AccountId,
    endpoint: EndpointId,
    at: Timestamp,
    id: DeliveryId,
) -> Key {
    let position = webhook_delivery_position(at, &id.unique());
    key(account.unique(), webhook_delivery_sk(endpoint, &position))
}

/// The sort key of the delivery at a position of its endpoint's list; also a bound of a range.
pub fn webhook_delivery_sk(endpoint: EndpointId, position: &str) -> String {
    format!("{}{position}", webhook_deliveries(endpoint))
}

/// Prefix of the sort keys of an endpoint's deliveries.
pub fn webhook_deliveries(endpoint: EndpointId) -> String {
    format!("whd#{}#", endpoint.unique())
}

/// Position of a delivery in its endpoint's list, by the time of its event and its unique part; also
/// a bound of a range. Thirteen digits are in order as texts; other times are as far as these.
pub fn webhook_delivery_position(at: Timestamp, unique: &str) -> String {
    format!("{:013}#{unique}", at.millis().clamp(0, 9_999_999_999_999))
}

/// Index partition of an endpoint's failed deliveries; the sort key is their position.
pub fn failed_webhook_deliveries(account: AccountId, endpoint: EndpointId) -> String {
    format!("{}#whd#{}", account.unique(), endpoint.unique())
}

/// The counters of deliveries to a host by the account's endpoints.
pub fn webhook_host(account: AccountId, host: i64) -> Key {
    key(account.unique(), format!("whh#{host:016x}"))
}

/// The subscriptions of the account's webhook endpoints.
pub fn webhook_subscriptions(account: AccountId) -> Key {
    key(account.unique(), WEBHOOK_SUBSCRIPTIONS.to_owned())
}

/// The sort key of the webhook subscriptions.
pub const WEBHOOK_SUBSCRIPTIONS: &str = "webhooks";

/// Index partition of the account's operations of one kind.
pub fn operations_of_kind(account: AccountId, kind: Kind) -> String {
    format!("{}#op#{}", account.unique(), kind_code(kind))
}

/// Index sort key of an operation with a status.
pub fn operation_with_status(status: Status, unique: &str) -> String {
    format!("{}#{unique}", status_code(status))
}

/// Code of the list of history items of one kind in keys.
pub const fn history_list(kind: HistoryType) -> &'static str {
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

/// One letter for the status of an upload, in attributes.
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
