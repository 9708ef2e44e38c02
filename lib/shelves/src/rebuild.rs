//! Writing a shelf's next snapshot.
//!
//! Whoever writes it holds a lease; two at once would only waste work, since the pointer is moved under its
//! version. The object is announced before it is written and the old one before it is left: a message
//! later removes what the pointer doesn't name. Whoever is stopped anywhere has lost nothing, and the
//! message that asked for the snapshot comes back.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use domain::{ChangeId, Timestamp, library::Shelf};
use store::{
    Store, StoreError,
    library_queue::{LibraryMessage, OBJECT_DELAY},
    shelves::ShelfSnapshot,
};

use crate::{
    Numbering, due_after,
    view::{Caught, View},
};

/// How long a snapshot may take: longer than the function that writes it, and shorter than until
/// somebody looks whether its object is anybody's.
pub const LEASE: Duration = Duration::from_secs(600);

/// How far behind the present a change may still appear, with much to spare: it is tried for five seconds.
const LATE: Duration = Duration::from_secs(60);

/// What became of a snapshot that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rebuilt {
    /// It is in force.
    Done,
    /// Little has changed.
    NotDue,
    /// Somebody writes it, at most until this instant.
    Leased(Timestamp),
    /// Somebody else was faster.
    Overtaken,
}

/// Writes a shelf's next snapshot if it is due, and removes the changes that nobody needs any more.
///
/// # Errors
/// Storage does not answer, or has what cannot be read.
pub async fn rebuild(
    store: &Store,
    numbering: Numbering,
    shelf: Shelf,
) -> Result<Rebuilt, StoreError> {
    let begun = store.clock().now();
    let late = i64::try_from(LATE.as_millis()).unwrap_or(i64::MAX);
    let until = Timestamp::from_millis(begun.millis() - late);
    let through = store.shelf_pointer(shelf).await?.through;
    let (told, pointer) = store.shelf_changes(shelf, through).await?;
    let settled = told.iter().filter(|told| told.place.created_at() < until).count();
    if pointer.through != through || settled < due_after(shelf) / 2 {
        store.forget_shelf_changes(shelf).await?;
        return Ok(Rebuilt::NotDue);
    }
    if pointer.leased_until > begun {
        return Ok(Rebuilt::Leased(pointer.leased_until));
    }
    let Some(held) = store.lease_shelf(shelf, &pointer, begun + LEASE).await? else {
        return Ok(Rebuilt::Overtaken);
    };
    let name = ChangeId::new(&**store.clock(), &**store.random()).unique();
    let new = LibraryMessage::Object { shelf, name: name.clone() };
    store.ask_library_keeper(&new, OBJECT_DELAY).await?;

    let Some(view) = View::load_from(store, numbering, shelf, &held).await? else {
        return Ok(Rebuilt::Overtaken);
    };
    if view.catch_up(store).await? == Caught::Outrun {
        return Ok(Rebuilt::Overtaken);
    }
    let (bytes, through) = computed(view, until).await?;
    let snapshot = ShelfSnapshot { name, size: bytes.len() as u64 };
    store.write_snapshot(shelf, &snapshot.name, bytes).await?;
    if let Some(old) = &held.snapshot {
        let old = LibraryMessage::Object { shelf, name: old.name.clone() };
        store.ask_library_keeper(&old, OBJECT_DELAY).await?;
    }
    let is_late = store.clock().now() >= held.leased_until;
    if is_late || !store.point_shelf(shelf, &held, &snapshot, through.max(held.through)).await? {
        return Ok(Rebuilt::Overtaken);
    }
    store.forget_shelf_changes(shelf).await?;
    Ok(Rebuilt::Done)
}

/// Computes a new snapshot beside what else the process does.
async fn computed(view: View, until: Timestamp) -> Result<(Bytes, Timestamp), StoreError> {
    let view = Arc::new(view);
    let computed = tokio::task::spawn_blocking(move || view.rebuilt(until)).await;
    let (bytes, through) = computed.map_err(|_| StoreError::Corrupt { what: "snapshot" })??;
    Ok((Bytes::from(bytes), through))
}
