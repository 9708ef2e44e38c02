//! Votes and saves, and the response of both operations.

use domain::{LibraryId, library::Moderation};
use edge::{ApiError, Call, Code, Data, Edge, input::PathId, permission::LibraryInteract};
use serde::Serialize;
use store::{
    library::queue::{COUNT_VOTES_DELAY, LibraryJob},
    library::{ItemSummary, Precision, ReactionKind, Seen, Toggled},
};
use utoipa::ToSchema;

use crate::item::{find, not_found};

/// Your vote and save of an item, and the counts of all accounts.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Reaction)]
pub struct ReactionState {
    /// Identifier of the item.
    id: LibraryId,
    /// Whether you voted for the item.
    voted: bool,
    /// Whether you saved the item.
    saved: bool,
    /// Number of accounts that voted for the item.
    vote_count: u32,
    /// Number of accounts that saved the item.
    save_count: u32,
}

/// Switches the caller's reaction on or off.
pub async fn toggle(
    edge: &Edge,
    call: Call<LibraryInteract, PathId<LibraryId>>,
    kind: ReactionKind,
) -> Result<Data<ReactionState>, ApiError> {
    let store = edge.store();
    let find = |account, PathId(id)| async move {
        // Enqueued whether or not the request is admitted: an unneeded count does no harm.
        let message = LibraryJob::CountVotes { item_id: id };
        let enqueue = async { Ok(store.enqueue_library_job(&message, COUNT_VOTES_DELAY).await?) };
        let (summary, ()) = tokio::try_join!(find(edge, account, id), enqueue)?;
        Ok(summary)
    };
    let (caller, summary) = call.admit_with(find).await?;
    let (account, id) = (caller.account(), summary.item.id);
    let has_reacted = match kind {
        ReactionKind::Vote => summary.reactions.voted,
        ReactionKind::Save => summary.reactions.saved,
    };
    // A reaction from before the block can still be removed.
    if summary.item.moderation == Moderation::Blocked && !has_reacted {
        return Err(ApiError::new(Code::ModerationBlocked)
            .with_message("The operator has blocked this item; it accepts no votes or saves."));
    }
    let seen = Seen { reactions: summary.reactions, is_sharded: summary.is_sharded };
    if store.toggle_reaction(account, id, kind, seen).await? == Toggled::Contended {
        return Err(ApiError::new(Code::EditConflict));
    }
    let committed = edge.clock().now();
    // Reaction and counts of one moment: another toggle may have followed.
    let summary = match kind {
        ReactionKind::Vote => store.log_votes(account, id).await?,
        ReactionKind::Save => {
            store.library_summaries(account, &[id], Precision::Exact).await?.pop()
        }
    };
    let ItemSummary { counts, reactions, is_sharded, .. } = summary.ok_or_else(not_found)?;
    if is_sharded {
        store.count_reactions_since(id, committed).await;
    }
    Ok(Data::new(ReactionState {
        id,
        voted: reactions.voted,
        saved: reactions.saved,
        vote_count: counts.votes,
        save_count: counts.saves,
    }))
}
