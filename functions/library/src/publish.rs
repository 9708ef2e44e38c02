//! `POST /library/items/{id}/publish`

use std::time::Duration;

use axum::extract::State;
use domain::{
    LibraryId,
    library::{Item, Moderation, Visibility},
};
use edge::{
    ApiError, Call, Caller, Code, Data, Detail, Edge,
    input::PathId,
    openapi::{Errors, code},
    permission::LibraryPublish,
    response::Envelope,
};
use llm::moderation::Reason;
use publication::Outcome;

use crate::{
    Library,
    item::{LibraryItem, find_own, not_found},
};

/// Longest time for moderation in all, so that the call can still respond.
const MODERATION_TIMEOUT: Duration = Duration::from_secs(15);

/// Publish an item to the community.
///
/// Everybody can read it from then on, so agents should ask their user first. Publishing requires a
/// paid plan and a moderation of the text. You can change a rejected item and publish it again, but
/// not one that the operator has blocked. The texts of a published item cannot be changed. If moderation has no verdict yet, the
/// item is `pending`: it is published once it is approved, unless it is changed or unpublished before. A
/// plan allows a number of changes of publications in an hour (`GET /capabilities`); beyond it, publishing is refused.
#[utoipa::path(
    post, path = "/library/items/{id}/publish",
    security(("bearer" = ["library:publish"])),
    params(PathId<LibraryId>),
    responses(
        (status = 200, description = "The item: published, or pending.", body = Envelope<LibraryItem>),
        Errors<(code::ContentTooLarge, code::NotFound, code::PlanRequired, code::ModerationBlocked, code::EditConflict)>,
    ),
)]
pub async fn publish_library_item(
    State(library): State<Library>,
    call: Call<LibraryPublish, PathId<LibraryId>>,
) -> Result<Data<LibraryItem>, ApiError> {
    let Library { edge, publisher, .. } = &library;
    let (caller, mut summary) =
        call.admit_with(|account, PathId(id)| find_own(edge, account, id)).await?;
    if summary.item.visibility != Visibility::Community && !caller.admission.allowance.publishing {
        return Err(ApiError::new(Code::PlanRequired)
            .with_message("Publishing to the community needs a paid plan."));
    }
    if may_change(&summary.item) {
        within_budget(edge, &caller).await?;
    }
    let until = edge.clock().now() + MODERATION_TIMEOUT;
    let blocked = |message| ApiError::new(Code::ModerationBlocked).with_message(message);
    let steps = compute::steps(summary.item.content.characters());
    let (publisher, item) = (publisher.clone(), summary.item.clone());
    let work = async move { publisher.publish(item, until).await };
    summary.item = match compute::run(caller.account(), steps, work).await?? {
        Outcome::Published(item) | Outcome::Held(item) => item,
        Outcome::Rejected(reasons) => {
            return Err(ApiError::new(Code::ModerationBlocked).with_details(details(reasons)));
        }
        Outcome::RejectedBefore(reasons) => {
            let message =
                "Moderation rejected this item as it is. Change it, then publish it again.";
            return Err(blocked(message).with_details(details(reasons)));
        }
        Outcome::Blocked => return Err(blocked("The operator has blocked this item.")),
        Outcome::ContentBlocked => {
            return Err(blocked(
                "The operator has blocked this prompt, or nearly the same one, in every item.",
            ));
        }
        Outcome::Gone => return Err(not_found()),
        Outcome::Contended => return Err(ApiError::new(Code::EditConflict)),
    };
    Ok(Data::new(LibraryItem::new(caller.account(), summary)))
}

/// Whether publishing the item may do more than to say what it is.
fn may_change(item: &Item) -> bool {
    item.visibility != Visibility::Community
        && !matches!(item.moderation, Moderation::Blocked | Moderation::Refused)
}

/// Counts a publication.
///
/// # Errors
///
/// It is one too many in this hour.
async fn within_budget(edge: &Edge, caller: &Caller) -> Result<(), ApiError> {
    let allowance = caller.admission.allowance;
    let changes = edge.store().count_publication_change(caller.account(), allowance).await?;
    if !changes.is_exceeded() {
        return Ok(());
    }
    let message = format!(
        "The plan allows {} changes of publications in an hour, and they are made; the next hour begins at {}.",
        changes.limit, changes.ends_at
    );
    let left = changes.seconds_left(edge.clock().now());
    Err(ApiError::new(Code::RateLimited).with_message(message).with_retry_after(left))
}

/// Problems that the author can fix, each of them once.
fn details(reasons: Vec<Reason>) -> Vec<Detail> {
    let mut details: Vec<_> = reasons
        .into_iter()
        .map(|Reason { field, start, end, message, .. }| {
            let message = message.trim_end_matches('.');
            Detail::new(format!("/{field}"), format!("{message}: characters {start} to {end}."))
        })
        .collect();
    details.dedup();
    details
}
