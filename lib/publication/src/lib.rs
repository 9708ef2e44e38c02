//! Publishes items of the library: each is judged first, and published exactly as it was judged.
//!
//! An item without a verdict is held: it is pending until a later review gives one. The review's message is enqueued
//! before the item becomes pending, and its receiver believes only the item.

use std::time::Duration;

use domain::{
    Timestamp,
    library::{Item, Moderation, Visibility},
};
use llm::moderation::{self, Moderator, Reason, Verdict};
use store::{
    Store, StoreError,
    library::{Replaced, queue::ReviewMessage},
};

/// Attempts at publishing an item whose text changes meanwhile.
const TRIES: u32 = 5;
/// When a held item is judged again for the first time: by then it is pending or never will be.
const FIRST_REVIEW: Duration = Duration::from_secs(60);
/// Longest pause between two reviews.
const LONGEST_PAUSE: Duration = Duration::from_secs(3_600);
/// How long an item stays pending. What every judge fails at for so long is not judged for ever.
const PATIENCE: Duration = Duration::from_secs(72 * 3_600);
/// Time for the judges in a review: shorter than any queue hides its message.
const REVIEW_TIME: Duration = Duration::from_secs(15);

/// Judges items and publishes them.
#[derive(Clone, Debug)]
pub struct Publisher {
    /// Where items are.
    pub store: Store,
    /// Who judges them.
    pub moderator: Moderator,
}

/// What became of the wish to publish an item.
#[derive(Debug)]
pub enum Outcome {
    /// It is published.
    Published(Item),
    /// There is no verdict yet: it is pending, and published once it is approved.
    Held(Item),
    /// It is rejected for these reasons.
    Rejected(Vec<Reason>),
    /// It was rejected before and has not changed. Reasons are those of the rules.
    RejectedBefore(Vec<Reason>),
    /// The operator has blocked the item.
    Blocked,
    /// The operator has blocked its content, or nearly the same.
    ContentBlocked,
    /// It was deleted meanwhile.
    Gone,
    /// It changed too often meanwhile.
    Contended,
}

impl Publisher {
    /// Publishes an item, if its judges agree before `until`.
    ///
    /// # Errors
    ///
    /// Storage failed.
    pub async fn publish(&self, mut item: Item, until: Timestamp) -> Result<Outcome, StoreError> {
        for _ in 0..TRIES {
            if item.visibility == Visibility::Community {
                return Ok(Outcome::Published(item));
            }
            match item.moderation {
                Moderation::Blocked => return Ok(Outcome::Blocked),
                Moderation::Refused => {
                    let reasons = match moderation::rules(&item.content, item.author.as_deref()) {
                        Verdict::Approved => Vec::new(),
                        Verdict::Blocked { reasons } => reasons,
                    };
                    return Ok(Outcome::RejectedBefore(reasons));
                }
                Moderation::None | Moderation::Pending | Moderation::Approved => {}
            }
            if self.store.is_nearly_blocked(&item.content).await? {
                return Ok(Outcome::ContentBlocked);
            }
            let verdict = match item.moderation {
                Moderation::Approved => Some(Verdict::Approved),
                _ => self.judge(&item, until).await,
            };
            if verdict.is_none() && item.moderation == Moderation::Pending {
                return Ok(Outcome::Held(item));
            }
            let now = self.store.clock().now();
            let judged = Item { updated_at: now, version: item.version + 1, ..item.clone() };
            let judged = match verdict {
                None => Item { moderation: Moderation::Pending, ..judged },
                Some(Verdict::Approved) => Item {
                    visibility: Visibility::Community,
                    moderation: Moderation::Approved,
                    published_at: Some(now),
                    ..judged
                },
                Some(Verdict::Blocked { .. }) => Item { moderation: Moderation::Refused, ..judged },
            };
            if verdict.is_none() {
                self.announce_review(&judged).await?;
            }
            item = match self.store.replace_library_item(&item, &judged).await? {
                Replaced::Done => {
                    return Ok(match verdict {
                        None => Outcome::Held(judged),
                        Some(Verdict::Approved) => Outcome::Published(judged),
                        Some(Verdict::Blocked { reasons }) => Outcome::Rejected(reasons),
                    });
                }
                Replaced::Outdated(Some(stands)) => *stands,
                Replaced::Outdated(None) => return Ok(Outcome::Gone),
                Replaced::Blocked => return Ok(Outcome::ContentBlocked),
            };
        }
        Ok(Outcome::Contended)
    }

    /// Judges a pending item again. Returns when to do so once more, if there still is no verdict.
    ///
    /// # Errors
    ///
    /// Storage failed.
    pub async fn review(&self, message: ReviewMessage) -> Result<Option<Duration>, StoreError> {
        let item = self.store.library_item(message.library_id).await?;
        let is_meant =
            |item: &Item| item.moderation == Moderation::Pending && item.version == message.version;
        let Some(item) = item.filter(is_meant) else { return Ok(None) };
        let until = self.store.clock().now() + REVIEW_TIME;
        match self.publish(item.clone(), until).await? {
            Outcome::Held(_) => {
                let waited = self.store.clock().now().since(item.updated_at);
                if waited < PATIENCE {
                    return Ok(Some(waited.clamp(FIRST_REVIEW, LONGEST_PAUSE)));
                }
                self.end(item, Moderation::None).await
            }
            Outcome::ContentBlocked => self.end(item, Moderation::Refused).await,
            _ => Ok(None),
        }
    }

    /// The judges' verdict; `None` if there is none.
    async fn judge(&self, item: &Item, until: Timestamp) -> Option<Verdict> {
        let author = item.author.as_deref();
        let judged = self.moderator.judge_until(&item.content, author, until).await;
        judged
            .inspect_err(|error| {
                tracing::warn!(item = %item.id, %error, "no verdict on an item of the library")
            })
            .ok()
    }

    async fn announce_review(&self, item: &Item) -> Result<(), StoreError> {
        let Some(account_id) = item.owner else { return Ok(()) };
        let message = ReviewMessage { account_id, library_id: item.id, version: item.version };
        self.store.enqueue_review(&message, FIRST_REVIEW).await
    }

    /// Ends the waiting of an item, unless it has changed meanwhile.
    async fn end(
        &self,
        item: Item,
        moderation: Moderation,
    ) -> Result<Option<Duration>, StoreError> {
        let updated_at = self.store.clock().now();
        let ended = Item { moderation, updated_at, version: item.version + 1, ..item.clone() };
        self.store.replace_library_item(&item, &ended).await?;
        Ok(None)
    }
}
