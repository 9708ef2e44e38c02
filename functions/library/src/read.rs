//! `GET /library/items/{id}`

use axum::extract::State;
use domain::LibraryId;
use edge::{
    ApiError, Call, Data, Edge,
    input::PathId,
    openapi::{Errors, code},
    permission::LibraryRead,
    response::Envelope,
};

use crate::item::{LibraryItem, find};

/// Read an item.
///
/// One of your own, of the community, or an official one.
#[utoipa::path(
    get, path = "/library/items/{id}",
    security(("bearer" = ["library:read"])),
    params(PathId<LibraryId>),
    responses((status = 200, description = "The item.", body = Envelope<LibraryItem>), Errors<code::NotFound>),
)]
pub async fn get_library_item(
    State(edge): State<Edge>,
    call: Call<LibraryRead, PathId<LibraryId>>,
) -> Result<Data<LibraryItem>, ApiError> {
    let (caller, summary) = call.admit_with(|account, PathId(id)| find(&edge, account, id)).await?;
    Ok(Data::new(LibraryItem::new(caller.account(), summary)))
}
