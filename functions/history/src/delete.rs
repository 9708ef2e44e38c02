//! `DELETE /history/{type}/{id}`

use axum::extract::State;
use edge::{
    ApiError, Call, Data, Edge,
    input::PathParams,
    openapi::{Errors, code},
    permission::HistoryManage,
    response::{Deleted, Envelope},
};
use workflow::deletion;

use crate::item::{self, ItemPath};

/// Delete a history item.
///
/// Deletes everything that belongs to it. For 24 hours after an operation that made it, retries
/// with the same idempotency key still receive that operation's result.
#[utoipa::path(
    delete, path = "/history/{type}/{id}",
    security(("bearer" = ["history:manage"])),
    params(ItemPath),
    responses((status = 200, description = "The item is deleted.", body = Envelope<Deleted>), Errors<code::NotFound>),
)]
pub async fn delete_history_item(
    State(edge): State<Edge>,
    call: Call<HistoryManage, PathParams<ItemPath>>,
) -> Result<Data<Deleted>, ApiError> {
    let (caller, path) = call.admit().await?;
    let id = item::named(path)?;
    let existed = deletion::delete(edge.store(), caller.account(), id).await?;
    existed.then(|| Data::new(Deleted::of(id))).ok_or_else(item::not_found)
}
