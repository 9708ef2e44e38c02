//! `POST /library/items/{id}/vote`

use axum::extract::State;
use domain::LibraryId;
use edge::{
    Call, Data, Edge, Failure,
    input::PathId,
    openapi::{Absent, Conflicting, Refused},
    permission::LibraryInteract,
    reply::Envelope,
};
use store::library::Mark;

use crate::reaction::{Reaction, toggle};

/// Vote for an item, or take the vote back.
///
/// Each call turns it round; the answer says how it is now. An account has one vote an item.
#[utoipa::path(
    post,
    path = "/library/items/{id}/vote",
    operation_id = "toggleLibraryItemVote",
    tag = "Library",
    security(("bearer" = ["library:interact"])),
    params(PathId<LibraryId>),
    responses(
        (status = 200, description = "How it is now.", body = Envelope<Reaction>),
        Refused, Absent, Conflicting,
    ),
)]
pub async fn toggle_vote(
    State(edge): State<Edge>,
    call: Call<LibraryInteract, PathId<LibraryId>>,
) -> Result<Data<Reaction>, Failure> {
    Ok(Data::new(toggle(&edge, call, Mark::Vote).await?))
}
