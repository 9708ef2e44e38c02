//! `GET /history/{type}/{id}`

use axum::extract::State;
use edge::{
    ApiError, Call, Data, Edge,
    input::PathParams,
    openapi::{Errors, code},
    permission::HistoryRead,
    response::Envelope,
};
use workflow::history::{self, HistoryDetail};

use crate::item::{self, ItemPath};

/// Read a history item.
///
/// Returns its input, every version and refinement, and the analysis.
#[utoipa::path(
    get, path = "/history/{type}/{id}",
    security(("bearer" = ["history:read"])),
    params(ItemPath),
    responses((status = 200, description = "The item.", body = Envelope<HistoryDetail>), Errors<code::NotFound>),
)]
pub async fn get_history_item(
    State(edge): State<Edge>,
    call: Call<HistoryRead, PathParams<ItemPath>>,
) -> Result<Data<HistoryDetail>, ApiError> {
    let store = edge.store();
    let find = |account, path| async move {
        Ok(history::detail(store, account, item::named(path)?).await?)
    };
    let (_, found) = call.admit_with(find).await?;
    found.map(Data::new).ok_or_else(item::not_found)
}
