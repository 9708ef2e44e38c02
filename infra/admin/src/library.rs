//! `library`: official items, and moderation of community items.

use std::{fs, path::PathBuf};

use domain::{
    LibraryId,
    library::{Item, Moderation, Visibility},
};
use local::official;
use serde_json::{Value, json};
use store::{Store, library::Replaced};

use crate::{
    failure::Failure, options::LibraryCommand, output::Output, progress::bar, target::Target,
};

/// Attempts per item when its owner changes it concurrently.
const TRIES: u32 = 5;

pub async fn run(command: LibraryCommand, target: &Target, output: &Output) -> Result<(), Failure> {
    match command {
        LibraryCommand::Import { file, prune } => import(target, output, file, prune).await,
        LibraryCommand::Show { id } => show(&target.store, output, id).await,
        LibraryCommand::Block { id, reason } => {
            let item = find(&target.store, id).await?;
            if item.moderation != Moderation::Blocked {
                let title = &item.content.title;
                output.confirm(&format!("Block and unpublish {title:?} in {}?", target.name))?;
            }
            // First: an operator who finds the item blocked must also find the reason.
            target.store.record_block_reason(id, reason.as_deref()).await?;
            change(&target.store, item, blocked).await?;
            show(&target.store, output, id).await
        }
        LibraryCommand::Unblock { id } => {
            let item = find(&target.store, id).await?;
            if unblocked(&item).is_none() {
                return Err(Failure::Refused(
                    "The item is neither blocked, refused nor pending.".to_owned(),
                ));
            }
            change(&target.store, item, unblocked).await?;
            target.store.record_block_reason(id, None).await?;
            show(&target.store, output, id).await
        }
    }
}

async fn import(
    target: &Target,
    output: &Output,
    file: Option<PathBuf>,
    prune: bool,
) -> Result<(), Failure> {
    let (name, bytes) = match file {
        None => ("the collection".to_owned(), official::COLLECTION.as_bytes().to_vec()),
        Some(file) => {
            let name = file.display().to_string();
            let bytes = fs::read(&file)
                .map_err(|error| Failure::Refused(format!("{name} cannot be read: {error}.")))?;
            (name, bytes)
        }
    };
    let items = official::parse(&bytes).map_err(|problems| {
        let lines = problems.iter().map(|problem| match problem.path.as_str() {
            "" => format!("\n  {}", problem.message),
            path => format!("\n  {path} {}", problem.message),
        });
        let lines: String = lines.collect();
        Failure::Refused(format!("{name} has problems; nothing was imported:{lines}"))
    })?;
    if prune {
        let gone = official::items_to_prune(&target.store, &items).await?;
        if !gone.is_empty() {
            let titles: String =
                gone.iter().map(|item| format!("  {}\n", item.content.title)).collect();
            let count = gone.len();
            output.confirm(&format!(
                "These {count} items are not in {name}:\n{titles}Delete them from {}?",
                target.name
            ))?;
        }
    }
    let bar = bar("Importing", items.len() as u64);
    let report = official::import(&target.store, &items, prune, || bar.inc(1)).await;
    bar.finish_and_clear();
    let report = report?;
    output.show(&json!(report));
    Ok(())
}

async fn find(store: &Store, id: LibraryId) -> Result<Item, Failure> {
    store.library_item(id).await?.ok_or_else(|| Failure::NotFound(format!("library item {id}")))
}

/// Changes an item, and retries after concurrent changes; `None` changes nothing.
async fn change(
    store: &Store,
    mut item: Item,
    make: impl Fn(&Item) -> Option<Item>,
) -> Result<(), Failure> {
    for _ in 0..TRIES {
        let Some(after) = make(&item) else { return Ok(()) };
        let after = Item { updated_at: store.clock().now(), version: item.version + 1, ..after };
        match store.replace_library_item(&item, &after).await? {
            Replaced::Done => return Ok(()),
            Replaced::Outdated(Some(other)) => item = *other,
            // Only publication to the community returns this.
            Replaced::Blocked => break,
            Replaced::Outdated(None) => {
                return Err(Failure::NotFound(format!("library item {} any more", item.id)));
            }
        }
    }
    Err(Failure::Refused("The item is being changed concurrently; try again.".to_owned()))
}

fn blocked(item: &Item) -> Option<Item> {
    (item.moderation != Moderation::Blocked).then(|| Item {
        visibility: Visibility::Private,
        moderation: Moderation::Blocked,
        published_at: None,
        ..item.clone()
    })
}

/// An account's item stays private until its owner publishes it; only the operator could publish an
/// official one. An item that moderation rejected, or has no verdict on, may be published
/// unchanged: the operator has reviewed it.
fn unblocked(item: &Item) -> Option<Item> {
    let moderation = match item.moderation {
        Moderation::Blocked => Moderation::None,
        Moderation::Refused | Moderation::Pending => Moderation::Approved,
        Moderation::None | Moderation::Approved => return None,
    };
    Some(match item.owner {
        Some(_) => Item { moderation, ..item.clone() },
        None => Item {
            moderation: Moderation::Approved,
            visibility: Visibility::Official,
            published_at: Some(item.created_at()),
            ..item.clone()
        },
    })
}

async fn show(store: &Store, output: &Output, id: LibraryId) -> Result<(), Failure> {
    let item = find(store, id).await?;
    let mut shown = json!({
        "id": item.id,
        "visibility": item.visibility,
        "moderation": moderation(item.moderation),
        "blockReason": store.block_reason(id).await?,
        "owner": item.owner,
        "author": item.author,
        "createdAt": item.created_at(),
        "updatedAt": item.updated_at,
        "publishedAt": item.published_at,
        "version": item.version,
    });
    if let (Value::Object(shown), Value::Object(content)) = (&mut shown, json!(item.content)) {
        shown.extend(content);
    }
    output.show(&shown);
    Ok(())
}

fn moderation(moderation: Moderation) -> &'static str {
    match moderation {
        Moderation::None => "none",
        Moderation::Pending => "pending",
        Moderation::Approved => "approved",
        Moderation::Refused => "refused",
        Moderation::Blocked => "blocked",
    }
}
