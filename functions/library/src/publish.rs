//! `POST /library/items/{id}/publish`

use std::time::Duration;

use axum::extract::State;
use domain::{
    LibraryId, Timestamp,
    library::{Item, Moderation, Visibility},
};
use edge::{
    ApiError, Call, Code, Data, Detail, Edge,
    input::PathId,
    openapi::{Conflict, NotFound},
    permission::LibraryPublish,
    response::Envelope,
};
use llm::moderation::{self, Moderator, Reason, Verdict};
use store::library::Replaced;

use crate::{
    Library,
    item::{LibraryItem, find_own, not_found},
};

/// Longest time for moderation in all, so that the call can still respond.
const MODERATION_TIMEOUT: Duration = Duration::from_secs(15);
/// Attempts at moderating an item whose text changes meanwhile.
const TRIES: u32 = 5;

/// Publish an item to the community.
///
/// Everybody can read it from then on, so agents should ask their user first. Publishing requires a
/// paid plan and a moderation of the text. You can change a rejected item and publish it again, but
/// not one that the operator has blocked. A published item cannot be changed.
#[utoipa::path(
    post, path = "/library/items/{id}/publish",
    security(("bearer" = ["library:publish"])),
    params(PathId<LibraryId>),
    responses(
        (status = 200, description = "The published item.", body = Envelope<LibraryItem>),
        NotFound, Conflict,
    ),
)]
pub async fn publish_library_item(
    State(library): State<Library>,
    call: Call<LibraryPublish, PathId<LibraryId>>,
) -> Result<Data<LibraryItem>, ApiError> {
    let Library { edge, moderator, .. } = &library;
    let (caller, mut summary) =
        call.admit_with(|account, PathId(id)| find_own(edge, account, id)).await?;
    if !caller.admission.allowance.publishing {
        return Err(ApiError::new(Code::PlanRequired)
            .with_message("Publishing to the community needs a paid plan."));
    }
    let until = edge.clock().now() + MODERATION_TIMEOUT;
    for _ in 0..TRIES {
        if summary.item.visibility == Visibility::Community {
            return Ok(Data::new(LibraryItem::new(caller.account(), summary)));
        }
        let (item, refusal) = moderate(edge, moderator, &summary.item, until).await?;
        match edge.store().replace_library_item(&summary.item, &item).await? {
            Replaced::Done => {
                summary.item = item;
                return match refusal {
                    None => Ok(Data::new(LibraryItem::new(caller.account(), summary))),
                    Some(refusal) => Err(refusal),
                };
            }
            Replaced::Outdated(stands) => summary.item = *stands.ok_or_else(not_found)?,
            Replaced::Blocked => {
                return Err(ApiError::new(Code::ModerationBlocked)
                    .with_message("The operator has blocked this prompt in every item."));
            }
        }
    }
    Err(ApiError::new(Code::EditConflict))
}

/// The item to write: published, or rejected for these reasons.
///
/// # Errors
///
/// It was rejected before and has not changed, the operator has blocked it, or the moderator is
/// unavailable.
async fn moderate(
    edge: &Edge,
    moderator: &Moderator,
    item: &Item,
    until: Timestamp,
) -> Result<(Item, Option<ApiError>), ApiError> {
    let blocked = ApiError::new(Code::ModerationBlocked);
    match item.moderation {
        Moderation::Blocked => {
            return Err(blocked.with_message("The operator has blocked this item."));
        }
        Moderation::Refused => {
            return Err(blocked
                .with_message(
                    "Moderation rejected this item as it is. Change it, then publish it again.",
                )
                .with_details(match moderation::rules(&item.content) {
                    Verdict::Approved => Vec::new(),
                    Verdict::Blocked { reasons } => details(reasons),
                }));
        }
        Moderation::None | Moderation::Approved => {}
    }
    let judgement = if item.moderation == Moderation::Approved {
        Verdict::Approved
    } else {
        moderator.judge_until(&item.content, until).await.map_err(|error| {
            tracing::error!(%error, "moderation of an item failed");
            ApiError::new(Code::InternalError)
        })?
    };
    let now = edge.clock().now();
    let judged = Item { updated_at: now, version: item.version + 1, ..item.clone() };
    Ok(match judgement {
        Verdict::Approved => {
            let published = Item {
                visibility: Visibility::Community,
                moderation: Moderation::Approved,
                published_at: Some(now),
                ..judged
            };
            (published, None)
        }
        Verdict::Blocked { reasons } => {
            let refusal = blocked.with_details(details(reasons));
            (Item { moderation: Moderation::Refused, ..judged }, Some(refusal))
        }
    })
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
