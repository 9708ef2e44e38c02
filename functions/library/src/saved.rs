//! `POST /library/items/{id}/saved`

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
        (status = 200, description = "How it is now.", body = Envelope<Reaction>),
        Refused, Absent, Conflicting,
    ),
)]
pub async fn toggle_saved(
    State(edge): State<Edge>,
    call: Call<LibraryInteract, PathId<LibraryId>>,
) -> Result<Data<Reaction>, Failure> {
    Ok(Data::new(toggle(&edge, call, Mark::Save).await?))
}
