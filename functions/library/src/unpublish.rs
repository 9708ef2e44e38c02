//! `DELETE /library/items/{id}/publish`

use axum::extract::State;
use domain::{
    LibraryId,
    library::{Item, Moderation, Visibility},
};
use edge::{
    ApiError, Call, Data, Edge,
    input::PathId,
    openapi::{Errors, code},
    permission::LibraryPublish,
    response::Envelope,
};
use store::library::Replaced;

use crate::item::{LibraryItem, find_own, not_found};

/// Unpublish an item.
///
/// The item becomes private again; its votes and saves are kept. A pending item is not published any more. Another
/// private item does not change.
#[utoipa::path(
    delete, path = "/library/items/{id}/publish",
    security(("bearer" = ["library:publish"])),
    params(PathId<LibraryId>),
    responses((status = 200, description = "The private item.", body = Envelope<LibraryItem>), Errors<code::NotFound>),
)]
pub async fn unpublish_library_item(
    State(edge): State<Edge>,
    call: Call<LibraryPublish, PathId<LibraryId>>,
) -> Result<Data<LibraryItem>, ApiError> {
    let (caller, mut summary) =
        call.admit_with(|account, PathId(id)| find_own(&edge, account, id)).await?;
    if summary.item.visibility == Visibility::Community {
        // Counted, so that nobody is told of endless changes; never refused: what is public can be taken back.
        let allowance = caller.admission.allowance;
        edge.store().count_publication_change(caller.account(), allowance).await?;
    }
    while summary.item.visibility == Visibility::Community
        || summary.item.moderation == Moderation::Pending
    {
        let moderation = match summary.item.moderation {
            Moderation::Pending => Moderation::None,
            decision => decision,
        };
        let item = Item {
            moderation,
            visibility: Visibility::Private,
            published_at: None,
            updated_at: edge.clock().now(),
            version: summary.item.version + 1,
            ..summary.item.clone()
        };
        summary.item = match edge.store().replace_library_item(&summary.item, &item).await? {
            Replaced::Done => item,
            Replaced::Outdated(stands) => *stands.ok_or_else(not_found)?,
            Replaced::Blocked => return Err(not_found()),
        };
    }
    Ok(Data::new(LibraryItem::new(caller.account(), summary)))
}
