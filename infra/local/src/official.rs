//! Official items of the library, imported from a file.
//!
//! The title identifies an item: its identifier is derived from it. So importing a file again
//! changes nothing, and a changed text replaces the old one but keeps its votes.

use std::collections::{HashMap, HashSet};

use domain::{
    LibraryId, Timestamp,
    library::{Content, Item, Moderation, Visibility},
};
use edge::{Detail, input};
use futures::{StreamExt, TryStreamExt, stream};
use library::create::CreateLibraryItem;
use serde::Serialize;
use sha2::{Digest, Sha256};
use store::{Store, StoreError, library::Replaced};

/// The initial items of the library.
pub const COLLECTION: &str = include_str!("../../library/official.json");

/// Creation time of all official items, and publication time of the first one: the start of 2026.
const EPOCH: Timestamp = Timestamp::from_millis(1_767_225_600_000);
/// Items per read: 25 of the largest are far below what one read may return.
const READ: usize = 25;
/// Concurrent writes.
const WRITES: usize = 8;
/// Attempts per item when others change it concurrently.
const TRIES: u32 = 5;

/// Result of an import, in items.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ImportReport {
    /// New items.
    pub created: usize,
    /// Items with a changed text or position.
    pub replaced: usize,
    /// Items that equal the file's.
    pub unchanged: usize,
    /// Items that the operator has blocked, which are not changed.
    pub blocked: usize,
    /// Items that are no longer in the file.
    pub deleted: usize,
}

/// Why some or all items were not imported. Importing again is always safe.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The same items are being imported or changed concurrently.
    #[error("the official items are being changed at the same time; import again")]
    Busy,
    /// Storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Parses a file of official items: a JSON array of the objects that create an item.
///
/// They are newest first: the first one counts as published last.
///
/// # Errors
///
/// Every problem of every item, located by a JSON pointer; two items must not have the same title.
pub fn parse(bytes: &[u8]) -> Result<Vec<Item>, Vec<Detail>> {
    let entries: Vec<CreateLibraryItem> = input::parse_array(bytes)?;
    let contents: Vec<Content> = entries.into_iter().map(Content::from).collect();
    let mut known: HashMap<&str, usize> = HashMap::new();
    let mut problems = Vec::new();
    for (position, content) in contents.iter().enumerate() {
        if let Some(first) = known.insert(&content.title, position) {
            let message = format!("is the title of item {first}, too");
            problems.push(Detail::new(format!("/{position}/title"), message));
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    Ok(contents.into_iter().zip(0..).map(|(content, position)| item(content, position)).collect())
}

fn item(content: Content, position: i64) -> Item {
    Item {
        id: id_of(&content.title),
        owner: None,
        author: None,
        visibility: Visibility::Official,
        moderation: Moderation::Approved,
        published_at: Some(Timestamp::from_millis(EPOCH.millis() - position)),
        updated_at: EPOCH,
        version: 1,
        counted_bytes: None,
        content,
    }
}

/// A ULID whose time is [`EPOCH`] and whose 80 random bits are the first of the title's SHA-256.
fn id_of(title: &str) -> LibraryId {
    let digest = Sha256::digest(title.as_bytes());
    let random = digest.iter().take(10).fold(0u128, |bits, byte| bits << 8 | u128::from(*byte));
    let millis = u128::try_from(EPOCH.millis()).unwrap_or(0);
    LibraryId::from_bits(millis << 80 | random)
}

/// The items that an import with `prune` would delete: those that were imported and are not in the
/// file. Blocked items are not among them, so that no later import brings them back.
///
/// # Errors
///
/// Storage failed.
pub async fn items_to_prune(store: &Store, items: &[Item]) -> Result<Vec<Item>, StoreError> {
    let mut stale = stale(store, items).await?;
    stale.retain(|item| item.moderation != Moderation::Blocked);
    Ok(stale)
}

async fn stale(store: &Store, items: &[Item]) -> Result<Vec<Item>, StoreError> {
    let kept: HashSet<LibraryId> = items.iter().map(|item| item.id).collect();
    let imported = store.imports().await?.ids;
    let gone: Vec<LibraryId> = imported.into_iter().filter(|id| !kept.contains(id)).collect();
    read(store, &gone).await
}

async fn read(store: &Store, ids: &[LibraryId]) -> Result<Vec<Item>, StoreError> {
    let mut items = Vec::new();
    for ids in ids.chunks(READ) {
        items.extend(store.library_items(ids).await?);
    }
    Ok(items)
}

/// Makes the official items equal to the file: creates new ones, replaces changed ones, leaves the
/// others alone, and with `prune` deletes imported ones that are not in the file. Calls `progress`
/// for each finished item.
///
/// # Errors
///
/// [`ImportError`]; finished items are kept, and importing again does the rest.
pub async fn import(
    store: &Store,
    items: &[Item],
    prune: bool,
    progress: impl Fn(),
) -> Result<ImportReport, ImportError> {
    import_as(store, items, prune, None, progress).await
}

/// Imports [`COLLECTION`], unless that was already done.
///
/// # Errors
///
/// [`ImportError`].
pub async fn import_collection(store: &Store) -> Result<Option<ImportReport>, ImportError> {
    let digest = Sha256::digest(COLLECTION.as_bytes());
    let checksum: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    if store.imports().await?.checksum.as_ref() == Some(&checksum) {
        return Ok(None);
    }
    #[allow(clippy::expect_used, reason = "the collection is compiled in; a test reads it")]
    let items = parse(COLLECTION.as_bytes()).expect("a valid collection");
    import_as(store, &items, false, Some(checksum), || {}).await.map(Some)
}

async fn import_as(
    store: &Store,
    items: &[Item],
    prune: bool,
    checksum: Option<String>,
    progress: impl Fn(),
) -> Result<ImportReport, ImportError> {
    let mut before = store.imports().await?;
    let wanted: Vec<LibraryId> = items.iter().map(|item| item.id).collect();
    let checksum = checksum.or_else(|| before.checksum.clone());
    // Recorded before the items are created, so that pruning finds them if this stops halfway.
    let mut all = before.ids.clone();
    let known: HashSet<LibraryId> = all.iter().copied().collect();
    all.extend(wanted.iter().filter(|id| !known.contains(id)));
    if all != before.ids {
        let kept = before.checksum.clone();
        before = store.record_imports(&before, all, kept).await?.ok_or(ImportError::Busy)?;
    }
    let stored: HashMap<LibraryId, Item> =
        read(store, &wanted).await?.into_iter().map(|item| (item.id, item)).collect();
    let changes: Vec<Change> = stream::iter(items)
        .map(|item| write(store, stored.get(&item.id).cloned(), item))
        .buffer_unordered(WRITES)
        .inspect_ok(|_| progress())
        .try_collect()
        .await?;
    let count = |wanted| changes.iter().filter(|change| **change == wanted).count();
    let mut report = ImportReport {
        created: count(Change::Created),
        replaced: count(Change::Replaced),
        unchanged: count(Change::Unchanged),
        blocked: count(Change::Blocked),
        deleted: 0,
    };
    let mut left = before.ids.clone();
    if prune {
        let mut kept: HashSet<LibraryId> = wanted.into_iter().collect();
        for item in stale(store, items).await? {
            if item.moderation == Moderation::Blocked {
                kept.insert(item.id);
            } else {
                delete(store, item).await?;
                report.deleted += 1;
            }
        }
        left.retain(|id| kept.contains(id));
    }
    if left != before.ids || checksum != before.checksum {
        store.record_imports(&before, left, checksum).await?.ok_or(ImportError::Busy)?;
    }
    Ok(report)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    Created,
    Replaced,
    Unchanged,
    Blocked,
}

/// Writes `wanted`; `stored` is the current item.
async fn write(
    store: &Store,
    mut stored: Option<Item>,
    wanted: &Item,
) -> Result<Change, ImportError> {
    for _ in 0..TRIES {
        let now = store.clock().now();
        let (done, change) = match &stored {
            None => {
                let item = Item { updated_at: now, ..wanted.clone() };
                (store.create_library_item(&item).await?, Change::Created)
            }
            Some(item) if item.moderation == Moderation::Blocked => return Ok(Change::Blocked),
            Some(item) => {
                let as_it_stands =
                    Item { updated_at: item.updated_at, version: item.version, ..wanted.clone() };
                if as_it_stands == *item {
                    return Ok(Change::Unchanged);
                }
                let after = Item { updated_at: now, version: item.version + 1, ..wanted.clone() };
                (store.replace_library_item(item, &after).await?, Change::Replaced)
            }
        };
        match done {
            Replaced::Done => return Ok(change),
            Replaced::Outdated(other) => stored = other.map(|other| *other),
            Replaced::Blocked => return Ok(Change::Blocked),
        }
    }
    Err(ImportError::Busy)
}

async fn delete(store: &Store, mut item: Item) -> Result<(), ImportError> {
    for _ in 0..TRIES {
        match store.delete_library_item(&item).await? {
            Replaced::Done | Replaced::Outdated(None) => return Ok(()),
            Replaced::Outdated(Some(other)) => item = *other,
            // A deletion publishes nothing.
            Replaced::Blocked => break,
        }
    }
    Err(ImportError::Busy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_collection_is_valid_and_in_order() {
        let items = parse(COLLECTION.as_bytes()).expect("a valid collection");
        assert!(items.len() >= 90);
        assert!(items.windows(2).all(|pair| pair[0].published_at > pair[1].published_at));
        let ids: HashSet<LibraryId> = items.iter().map(|item| item.id).collect();
        assert_eq!(ids.len(), items.len());
    }

    #[test]
    fn an_identifier_follows_from_the_title_alone() {
        assert_eq!(id_of("A trip"), id_of("A trip"));
        assert_ne!(id_of("A trip"), id_of("A Trip"));
        assert_eq!(id_of("A trip").created_at(), EPOCH);
        assert_eq!(id_of("A trip").to_string(), "lib_01KDVDNA00CKBGKAY0Y7NEJC17");
    }
}
