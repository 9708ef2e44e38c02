//! Votes and saves, as both operations answer.

use domain::{LibraryId, library::Moderation};
use edge::{Call, Code, Edge, Failure, input::PathId, permission::LibraryInteract};
use serde::Serialize;
use store::{
    library::{Card, Mark, Precision, Seen, Toggled},
    library_queue::{LibraryMessage, TALLY_DELAY},
};
use utoipa::ToSchema;

use crate::item::{find, not_found};

/// What you do with an item, and how many accounts do.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reaction {
    /// Which item.
    id: LibraryId,
    /// Whether it has your vote.
    voted: bool,
    /// Whether you saved it.
    saved: bool,
    /// Accounts whose vote it has.
    vote_count: u32,
    /// Accounts that saved it.
    save_count: u32,
}

/// Turns the caller's mark on an item on or off.
pub async fn toggle(
    edge: &Edge,
    call: Call<LibraryInteract, PathId<LibraryId>>,
    mark: Mark,
) -> Result<Reaction, Failure> {
    let store = edge.store();
    let find = |account, PathId(id)| async move {
        // Whatever becomes of it: an item that has not changed is counted in vain.
        let message = LibraryMessage::Tally { item_id: id };
        let announce = async { Ok(store.ask_library_keeper(&message, TALLY_DELAY).await?) };
        let (card, ()) = tokio::try_join!(find(edge, account, id), announce)?;
        Ok(card)
    };
    let (caller, card) = call.admit_with(find).await?;
    let (account, id) = (caller.account(), card.item.id);
    let is_marked = match mark {
        Mark::Vote => card.marks.voted,
        Mark::Save => card.marks.saved,
    };
    // What was marked before can still be taken back.
    if card.item.moderation == Moderation::Blocked && !is_marked {
        return Err(Failure::new(Code::ModerationBlocked)
            .saying("The operator has blocked this item; it takes no votes and saves."));
    }
    let seen = Seen { marks: card.marks, is_spread: card.is_spread };
    if store.toggle_library_mark(account, id, mark, seen).await? == Toggled::Contended {
        return Err(Failure::new(Code::EditConflict));
    }
    // Marks and counts of one moment: another toggle may have followed.
    let card = match mark {
        Mark::Vote => store.tell_votes(account, id).await?,
        Mark::Save => store.library_cards(account, &[id], Precision::Exact).await?.pop(),
    };
    let Card { counts, marks, .. } = card.ok_or_else(not_found)?;
    Ok(Reaction {
        id,
        voted: marks.voted,
        saved: marks.saved,
        vote_count: counts.votes,
        save_count: counts.saves,
    })
}
