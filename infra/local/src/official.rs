//! The operator's own items of the library, imported from a file.
//!
//! An item is known by its title: its identifier is derived from it, so that importing a file again
//! changes nothing, and a new text replaces the old one under the same votes.

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

/// The items that the library starts with.
pub const COLLECTION: &str = include_str!("../../library/official.json");

/// When all official items count as made, and the first one of a file as published: the start of 2026.
const EPOCH: Timestamp = Timestamp::from_millis(1_767_225_600_000);
/// Items that are read at once: 25 of the largest are far below what one read may return.
const READ: usize = 25;
/// Items that are written at once.
const WRITES: usize = 8;
/// How often an item is tried that others change meanwhile.
const TRIES: u32 = 5;

/// What an import did, in items.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ImportReport {
    /// New ones.
    pub created: usize,
    /// Those whose text or place has changed.
    pub replaced: usize,
    /// Those that are as the file has them.
    pub unchanged: usize,
    /// Those that the operator has blocked, which stay as they are.
    pub blocked: usize,
    /// Those that are no longer in the file.
    pub deleted: usize,
}

/// Why items were not imported, or not all of them. Importing again is always safe.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// Somebody else imports or changes the same items.
    #[error("somebody else changes the official items at the same time; import again")]
    Busy,
    /// Storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Reads a file of official items: a JSON array of the objects that create an item.
///
/// They are newest first: the first one counts as published last.
///
/// # Errors
///
/// Every problem of every item, with its place as a JSON pointer; two items with one title are one.
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
        content,
    }
}

/// A ULID whose time is [`EPOCH`] and whose 80 random bits are the beginning of the title's SHA-256.
fn id_of(title: &str) -> LibraryId {
    let digest = Sha256::digest(title.as_bytes());
    let random = digest.iter().take(10).fold(0u128, |bits, byte| bits << 8 | u128::from(*byte));
    let millis = u128::try_from(EPOCH.millis()).unwrap_or(0);
    LibraryId::from_bits(millis << 80 | random)
}

/// The items that an import with `prune` would delete: those that were imported and are not in the file.
/// What the operator has blocked is none of them, so that no later import brings it back.
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

/// Makes the official items what a file has: creates new ones, replaces those that differ, leaves the
/// rest alone, and with `prune` deletes imported ones that the file does not have. `progress` is told of each
/// item that is done.
///
/// # Errors
///
/// [`ImportError`]; what was done until then stays, and importing again does the rest.
pub async fn import(
    store: &Store,
    items: &[Item],
    prune: bool,
    progress: impl Fn(),
) -> Result<ImportReport, ImportError> {
    import_as(store, items, prune, None, progress).await
}

/// Imports [`COLLECTION`], unless that has been done.
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
    // Recorded first: an item that is made is one that pruning finds, whenever this stops.
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

/// Makes an item, which stands as `stands`, what it should be.
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
            // Nothing is published by being deleted.
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
