//! `DELETE /library/items/{id}`

use axum::extract::State;
use domain::LibraryId;
use edge::{
    Call, Data, Edge, Failure,
    input::PathId,
    openapi::{Absent, Refused},
    permission::LibraryWrite,
    reply::{Deleted, Envelope},
};
use store::{
    library::Replaced,
    library_queue::{FORGET_DELAY, LibraryMessage},
};

use crate::item::{find_own, not_found};

/// Delete an item.
///
/// One of your own, published or not. It disappears from everybody's lists.
#[utoipa::path(
    delete,
    path = "/library/items/{id}",
    operation_id = "deleteLibraryItem",
    tag = "Library",
    security(("bearer" = ["library:write"])),
    params(PathId<LibraryId>),
    responses(
        (status = 200, description = "It is deleted.", body = Envelope<Deleted>),
        Refused, Absent,
    ),
)]
pub async fn delete_library_item(
    State(edge): State<Edge>,
    call: Call<LibraryWrite, PathId<LibraryId>>,
) -> Result<Data<Deleted>, Failure> {
    let (_, card) = call.admit_with(|account, PathId(id)| find_own(&edge, account, id)).await?;
    let id = card.item.id;
    // Its counts go with it.
    edge.store().ask_library_keeper(&LibraryMessage::Forget { item_id: id }, FORGET_DELAY).await?;
    let mut stands = card.item;
    loop {
        match edge.store().delete_library_item(&stands).await? {
            Replaced::Done => return Ok(Data::new(Deleted::of(id))),
            Replaced::Outdated(Some(item)) => stands = *item,
            Replaced::Outdated(None) | Replaced::Blocked => return Err(not_found()),
        }
    }
}
