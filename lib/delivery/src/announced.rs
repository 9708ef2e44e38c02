//! What was announced: looked up in the records, and told to every endpoint that wants it.

use std::time::Duration;

use domain::{AccountId, EventKind, Operation, OperationId, Status, Timestamp};
use store::{
    StoreError,
    attempts::Ended,
    events::{DeliveryMessage, EndMessage, Event, LibraryMessage, Notice},
    usage_marks::Teller,
    webhooks::Wants,
};

use crate::{Deliveries, events};

/// How long an announcement is looked after: longer than whoever made it may take to make it true. A later
/// attempt at the same thing makes an announcement of its own.
const LOOKED_AFTER: Duration = Duration::from_secs(300);
/// How often the first receiver of an announcement looks: what it tells of is usually a few milliseconds
/// from being true.
const FIRST_LOOKS: u32 = 5;
/// Pause between these looks.
const LOOK_PAUSE: Duration = Duration::from_millis(40);
/// When the marks of usage are looked at again that could not be.
const MARKS_AGAIN: Duration = Duration::from_secs(15);
/// What a month's usage can reach.
const MARKS: [EventKind; 2] = [EventKind::UsageThresholdReached, EventKind::UsageLimitReached];

impl Deliveries {
    /// Tells of an operation's end, and of the marks that the account's usage has reached with it, if the
    /// operation has ended. What keeps the marks from being looked at does not keep the end from being told:
    /// they are looked at later.
    pub(crate) async fn tell_of_end(&self, message: &EndMessage) -> Result<(), StoreError> {
        let EndMessage { account_id, operation_id, .. } = *message;
        let ended = self.first_looks(|| self.ended(account_id, operation_id)).await?;
        let Some((operation, wants)) = ended else {
            let notice = Notice::End(message.clone());
            return self.look_again(&notice, message.announced_at).await;
        };
        if !message.marks_only {
            self.tell(account_id, events::of_operation(&operation).as_slice(), &wants).await?;
        }
        let told = match self.usage_events(&operation, &wants).await {
            Ok(marks) => self.tell(account_id, &marks, &wants).await,
            Err(error) => Err(error),
        };
        match told {
            Err(error) if !message.marks_only => {
                tracing::warn!(%error, "marks of usage are looked at later");
                let marks = EndMessage { marks_only: true, ..message.clone() };
                self.store.notify(&Notice::End(marks), MARKS_AGAIN).await
            }
            told => told,
        }
    }

    /// Tells who sees a library item, if that has changed as announced.
    pub(crate) async fn tell_of_library(&self, message: &LibraryMessage) -> Result<(), StoreError> {
        let changed = self.first_looks(|| self.store.visibility_change(message)).await?;
        let Some((change, wants)) = changed else {
            let notice = Notice::Library(message.clone());
            return self.look_again(&notice, message.announced_at).await;
        };
        self.tell(change.owner, &[events::of_library_item(&change)], &wants).await
    }

    /// The operation, if it has come to its end.
    async fn ended(
        &self,
        account: AccountId,
        id: OperationId,
    ) -> Result<Option<(Operation, Wants)>, StoreError> {
        let Ended { operation, wants } = self.store.ended(account, id).await?;
        let operation = operation.filter(|operation| operation.status.is_final());
        Ok(operation.map(|operation| (operation, wants)))
    }

    /// Looks for something until it is there, a few times at most.
    async fn first_looks<T, F>(&self, look: impl Fn() -> F) -> Result<Option<T>, StoreError>
    where
        F: Future<Output = Result<Option<T>, StoreError>>,
    {
        for _ in 1..FIRST_LOOKS {
            if let Some(found) = look().await? {
                return Ok(Some(found));
            }
            let clock = self.store.clock();
            clock.sleep_until(clock.now() + LOOK_PAUSE).await;
        }
        look().await
    }

    /// Has an announcement looked at later, each time after a longer pause; finally forgets it.
    async fn look_again(&self, notice: &Notice, announced: Timestamp) -> Result<(), StoreError> {
        let age = self.now().since(announced);
        if age >= LOOKED_AFTER {
            return Ok(());
        }
        let pause = age.clamp(Duration::from_secs(1), Duration::from_secs(30));
        self.store.notify(notice, pause).await
    }

    /// The marks of the month's usage that this operation tells of: those that it has told before, and those
    /// that have been reached and are told by none yet.
    async fn usage_events(
        &self,
        ended: &Operation,
        wants: &Wants,
    ) -> Result<Vec<Event>, StoreError> {
        let (mut told, mut untold) = (Vec::new(), Vec::new());
        if ended.status != Status::Succeeded {
            return Ok(told);
        }
        for kind in MARKS.into_iter().filter(|kind| wants.all().contains(*kind)) {
            match wants.tellers().of(kind, ended) {
                Teller::This(limit) => told.push(events::of_usage(ended, kind, limit)),
                Teller::Nobody => untold.push(kind),
                Teller::Another => {}
            }
        }
        if untold.is_empty() {
            return Ok(told);
        }
        let usage = self.store.usage_after(ended).await?;
        let limit = self.caps.allowance(usage.plan).monthly_credits;
        for kind in untold {
            let mark = events::usage_mark(kind, limit);
            if usage.used.is_some_and(|used| used >= mark)
                && self.store.tells_of_usage(ended, kind, limit).await?
            {
                told.push(events::of_usage(ended, kind, limit));
            }
        }
        Ok(told)
    }

    /// Makes a message for each endpoint that wants to be told of each event.
    async fn tell(
        &self,
        account: AccountId,
        told: &[Event],
        wants: &Wants,
    ) -> Result<(), StoreError> {
        let now = self.now();
        let deliveries = told.iter().flat_map(|event| {
            wants.of(event.kind).map(move |endpoint_id| {
                Notice::Delivery(DeliveryMessage {
                    account_id: account,
                    endpoint_id,
                    event: event.clone(),
                    attempt: 1,
                    not_before: now,
                    deferrals: 0,
                    ticket: 0,
                })
            })
        });
        self.store.notify_all(&deliveries.collect::<Vec<_>>()).await
    }
}
