//! `DELETE /library/items/{id}`

use axum::extract::State;
use domain::{LibraryId, library::Visibility};
use edge::{
    ApiError, Call, Data, Edge,
    input::PathId,
    openapi::{Errors, code},
    permission::LibraryWrite,
    response::{Deleted, Envelope},
};
use store::{
    library::Replaced,
    library::queue::{DELETE_COUNTERS_DELAY, LibraryJob},
};

use crate::item::{find_own, not_found};

/// Delete an item.
///
/// One of your own, published or not. It disappears from all lists.
#[utoipa::path(
    delete, path = "/library/items/{id}",
    security(("bearer" = ["library:write"])),
    params(PathId<LibraryId>),
    responses((status = 200, description = "The item is deleted.", body = Envelope<Deleted>), Errors<code::NotFound>),
)]
pub async fn delete_library_item(
    State(edge): State<Edge>,
    call: Call<LibraryWrite, PathId<LibraryId>>,
) -> Result<Data<Deleted>, ApiError> {
    let (caller, summary) =
        call.admit_with(|account, PathId(id)| find_own(&edge, account, id)).await?;
    let id = summary.item.id;
    if summary.item.visibility == Visibility::Community {
        let allowance = caller.admission.allowance;
        edge.store().count_publication_change(caller.account(), allowance).await?;
    }
    // Deletes its counts too.
    edge.store()
        .enqueue_library_job(&LibraryJob::DeleteCounters { item_id: id }, DELETE_COUNTERS_DELAY)
        .await?;
    let mut stands = summary.item;
    loop {
        match edge.store().delete_library_item(&stands).await? {
            Replaced::Done => return Ok(Data::new(Deleted::of(id))),
            Replaced::Outdated(Some(item)) => stands = *item,
            Replaced::Outdated(None) | Replaced::Blocked => return Err(not_found()),
        }
    }
}
