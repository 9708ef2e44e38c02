//! `POST /library/items/{id}/saved`

use axum::extract::State;
use domain::LibraryId;
use edge::openapi::{Errors, code};
use edge::{
    ApiError, Call, Data, Edge, input::PathId, permission::LibraryInteract, response::Envelope,
};
use store::library::ReactionKind;

use crate::reaction::{ReactionState, toggle};

/// Save an item, or remove it from your saved items.
///
/// Each call switches the save on or off; the response has the new state.
#[utoipa::path(
    post, path = "/library/items/{id}/saved",
    security(("bearer" = ["library:interact"])),
    params(PathId<LibraryId>),
    responses((status = 200, description = "The new state.", body = Envelope<ReactionState>), Errors<(code::NotFound, code::ModerationBlocked, code::EditConflict)>),
)]
pub async fn toggle_library_item_saved(
    State(edge): State<Edge>,
    call: Call<LibraryInteract, PathId<LibraryId>>,
) -> Result<Data<ReactionState>, ApiError> {
    toggle(&edge, call, ReactionKind::Save).await
}
