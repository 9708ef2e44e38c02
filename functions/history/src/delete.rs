//! `DELETE /history/{type}/{id}`

use axum::extract::State;
use edge::{
    ApiError, Call, Data, Edge,
    input::PathParams,
    openapi::{CommonErrors, NotFound},
    permission::HistoryManage,
    response::{Deleted, Envelope},
};
use workflow::deletion;

use crate::item::{self, ItemPath};

/// Delete a history item.
///
/// With everything that belongs to it. For the rest of its 24 hours an operation that made it still
/// answers retries of its key with its result.
#[utoipa::path(
    delete,
    path = "/history/{type}/{id}",
    operation_id = "deleteHistoryItem",
    tag = "History",
    security(("bearer" = ["history:manage"])),
    params(ItemPath),
    responses(
        (status = 200, description = "It is deleted.", body = Envelope<Deleted>),
        CommonErrors, NotFound,
    ),
)]
pub async fn delete_history_item(
    State(edge): State<Edge>,
    call: Call<HistoryManage, PathParams<ItemPath>>,
) -> Result<Data<Deleted>, ApiError> {
    let (caller, path) = call.admit().await?;
    let id = item::named(path)?;
    if deletion::delete(edge.store(), caller.account(), id).await? {
        Ok(Data::new(Deleted::of(id)))
    } else {
        Err(item::not_found())
    }
}
