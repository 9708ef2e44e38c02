//! `POST /library/items/{id}/publish`

use std::time::Duration;

use axum::extract::State;
use domain::{
    LibraryId, Timestamp,
    library::{Item, Moderation, Visibility},
};
use edge::{
    Call, Code, Data, Detail, Edge, Failure,
    input::PathId,
    openapi::{Absent, Conflicting, Refused},
    permission::LibraryPublish,
    reply::Envelope,
};
use llm::moderation::{self, Judgement, Moderator, Reason};
use store::library::Replaced;

use crate::{
    Library,
    item::{LibraryItem, find_own, not_found},
};

/// Time that judging may take in all, so that the call can still answer.
const JUDGING: Duration = Duration::from_secs(15);
/// How often an item is judged anew because its text was changed meanwhile.
const TRIES: u32 = 5;

/// Publish an item to the community.
///
/// Everybody can read it from now on, so agents should ask their user first. It needs a paid plan, and its
/// text is checked; one that is refused can be changed and published then, one that the operator has
/// blocked cannot. A published item stays as it is.
#[utoipa::path(
    post,
    path = "/library/items/{id}/publish",
    operation_id = "publishLibraryItem",
    tag = "Library",
    security(("bearer" = ["library:publish"])),
    params(PathId<LibraryId>),
    responses(
        (status = 200, description = "The item, published.", body = Envelope<LibraryItem>),
        Refused, Absent, Conflicting,
    ),
)]
pub async fn publish_library_item(
    State(library): State<Library>,
    call: Call<LibraryPublish, PathId<LibraryId>>,
) -> Result<Data<LibraryItem>, Failure> {
    let Library { edge, moderator, .. } = &library;
    let (caller, mut card) =
        call.admit_with(|account, PathId(id)| find_own(edge, account, id)).await?;
    if !caller.admission.allowance.publishing {
        return Err(Failure::new(Code::PlanRequired)
            .saying("Publishing to the community needs a paid plan."));
    }
    let until = edge.clock().now() + JUDGING;
    for _ in 0..TRIES {
        if card.item.visibility == Visibility::Community {
            return Ok(Data::new(LibraryItem::new(caller.account(), card)));
        }
        let (item, refusal) = judged(edge, moderator, &card.item, until).await?;
        match edge.store().replace_library_item(&card.item, &item).await? {
            Replaced::Done => {
                card.item = item;
                return match refusal {
                    None => Ok(Data::new(LibraryItem::new(caller.account(), card))),
                    Some(refusal) => Err(refusal),
                };
            }
            Replaced::Outdated(stands) => card.item = *stands.ok_or_else(not_found)?,
            Replaced::Blocked => {
                return Err(Failure::new(Code::ModerationBlocked)
                    .saying("The operator has blocked this prompt, in whatever item."));
            }
        }
    }
    Err(Failure::new(Code::EditConflict))
}

/// The item as it is to be written: published, or refused for these reasons.
///
/// # Errors
///
/// It was refused before and has not changed, the operator has blocked it, or the judge is away.
async fn judged(
    edge: &Edge,
    moderator: &Moderator,
    item: &Item,
    until: Timestamp,
) -> Result<(Item, Option<Failure>), Failure> {
    let blocked = Failure::new(Code::ModerationBlocked);
    match item.moderation {
        Moderation::Blocked => {
            return Err(blocked.saying("The operator has blocked this item."));
        }
        Moderation::Refused => {
            return Err(blocked
                .saying("The check refused this item as it is. Change it, then publish it again.")
                .with_details(match moderation::rules(&item.content) {
                    Judgement::Approved => Vec::new(),
                    Judgement::Blocked { reasons } => details(reasons),
                }));
        }
        Moderation::None | Moderation::Approved => {}
    }
    let judgement = if item.moderation == Moderation::Approved {
        Judgement::Approved
    } else {
        moderator.judge_until(&item.content, until).await.map_err(|error| {
            tracing::error!(%error, "nobody judged an item");
            Failure::new(Code::InternalError)
        })?
    };
    let now = edge.clock().now();
    let judged = Item { updated_at: now, version: item.version + 1, ..item.clone() };
    Ok(match judgement {
        Judgement::Approved => {
            let published = Item {
                visibility: Visibility::Community,
                moderation: Moderation::Approved,
                published_at: Some(now),
                ..judged
            };
            (published, None)
        }
        Judgement::Blocked { reasons } => {
            let refusal = blocked.with_details(details(reasons));
            (Item { moderation: Moderation::Refused, ..judged }, Some(refusal))
        }
    })
}

/// What an author can do something about, each thing once.
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
