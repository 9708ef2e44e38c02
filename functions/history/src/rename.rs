//! `PATCH /history/{type}/{id}`

use axum::extract::State;
use edge::{
    ApiError, Call, Data, Edge,
    input::{Body, PathParams},
    openapi::{Errors, code},
    permission::HistoryManage,
    response::Envelope,
};
use serde::Deserialize;
use utoipa::ToSchema;
use workflow::history::{self, HistoryDetail};

use crate::item::{self, ItemPath};

/// The new title of a history item.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RenameRequest {
    /// The new title.
    #[schema(min_length = 1, max_length = 180, example = "Cold email for dental clinics")]
    title: String,
}

/// Rename a history item.
#[utoipa::path(
    patch, path = "/history/{type}/{id}",
    security(("bearer" = ["history:manage"])),
    params(ItemPath),
    request_body = RenameRequest,
    responses(
        (status = 200, description = "The item with its new title.", body = Envelope<HistoryDetail>),
        Errors<code::NotFound>,
    ),
)]
pub async fn rename_history_item(
    State(edge): State<Edge>,
    call: Call<HistoryManage, (PathParams<ItemPath>, Body<RenameRequest>)>,
) -> Result<Data<HistoryDetail>, ApiError> {
    let (caller, (path, body)) = call.admit().await?;
    let (account, store) = (caller.account(), edge.store());
    let renamed = store.rename_history(account, item::named(path)?, &body.value.title).await?;
    let head = renamed.ok_or_else(item::not_found)?;
    let detail = history::detail_of(store, account, &head).await?;
    detail.map(Data::new).ok_or_else(item::not_found)
}
