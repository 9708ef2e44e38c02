//! `POST /library/items/{id}/saved`

use axum::extract::State;
use domain::LibraryId;
use edge::{
    ApiError, Call, Data, Edge,
    input::PathId,
    openapi::{CommonErrors, Conflict, NotFound},
    permission::LibraryInteract,
    response::Envelope,
};
use store::library::ReactionKind;

use crate::reaction::{ReactionState, toggle};

/// Save an item, or take it off your saved items.
///
/// Each call turns it round; the answer says how it is now.
#[utoipa::path(
    post,
    path = "/library/items/{id}/saved",
    operation_id = "toggleLibraryItemSaved",
    tag = "Library",
    security(("bearer" = ["library:interact"])),
    params(PathId<LibraryId>),
    responses(
        (status = 200, description = "How it is now.", body = Envelope<ReactionState>),
        CommonErrors, NotFound, Conflict,
    ),
)]
pub async fn toggle_saved(
    State(edge): State<Edge>,
    call: Call<LibraryInteract, PathId<LibraryId>>,
) -> Result<Data<ReactionState>, ApiError> {
    Ok(Data::new(toggle(&edge, call, ReactionKind::Save).await?))
}
