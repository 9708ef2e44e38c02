//! `POST /library/items/{id}/vote`

use axum::extract::State;
use domain::LibraryId;
use edge::openapi::{Errors, code};
use edge::{
    ApiError, Call, Data, Edge, input::PathId, permission::LibraryInteract, response::Envelope,
};
use store::library::ReactionKind;

use crate::reaction::{ReactionState, toggle};

/// Vote for an item, or take the vote back.
///
/// Each call switches the vote on or off; the response has the new state. An account has one vote
/// per item.
#[utoipa::path(
    post, path = "/library/items/{id}/vote",
    security(("bearer" = ["library:interact"])),
    params(PathId<LibraryId>),
    responses((status = 200, description = "The new state.", body = Envelope<ReactionState>), Errors<(code::NotFound, code::ModerationBlocked, code::EditConflict)>),
)]
pub async fn toggle_library_item_vote(
    State(edge): State<Edge>,
    call: Call<LibraryInteract, PathId<LibraryId>>,
) -> Result<Data<ReactionState>, ApiError> {
    toggle(&edge, call, ReactionKind::Vote).await
}
