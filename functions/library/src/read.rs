//! `GET /library/items/{id}`

use axum::extract::State;
use domain::LibraryId;
use edge::{
    Call, Data, Edge, Failure,
    input::PathId,
    openapi::{Absent, Refused},
    permission::LibraryRead,
    reply::Envelope,
};

use crate::item::{LibraryItem, find};

/// Read an item.
///
/// One of your own, of the community, or an official one.
#[utoipa::path(
    get,
    path = "/library/items/{id}",
    operation_id = "getLibraryItem",
    tag = "Library",
    security(("bearer" = ["library:read"])),
    params(PathId<LibraryId>),
    responses(
        (status = 200, description = "The item.", body = Envelope<LibraryItem>),
        Refused, Absent,
    ),
)]
pub async fn get_library_item(
    State(edge): State<Edge>,
    call: Call<LibraryRead, PathId<LibraryId>>,
) -> Result<Data<LibraryItem>, Failure> {
    let (caller, card) = call.admit_with(|account, PathId(id)| find(&edge, account, id)).await?;
    Ok(Data::new(LibraryItem::new(caller.account(), card)))
}
