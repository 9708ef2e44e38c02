//! The end of an operation: its body first, then its single settlement with its history, all or nothing.

use std::time::Duration;

use aws_sdk_dynamodb::types::{ReturnValuesOnConditionCheckFailure, TransactWriteItem, Update};
use domain::{EventKind, EventKinds, Failure, Operation, Status, Timestamp, UploadId};

use crate::{
    Store, StoreError,
    admission::{kind_count, subscribed_events},
    body::StoredBody,
    history::HistoryWrite,
    item::{Attributes, ItemReader, bytes, instant, number, text},
    keys::{self, TTL},
    list::change::{AccountClause, ListChange},
    list::offset_index::{Change, List, OffsetIndex},
    operations::{
        self,
        model_usage::{self, MODEL_USAGE},
        write_failure,
    },
    transaction::Outcome,
};

/// How long a cancellation is tried while other writes conflict with it.
const CANCELLATION_BUDGET: Duration = Duration::from_secs(4);

/// The attribute of a body that says which attempt has written it.
pub(crate) const ATTEMPT: &str = "att";

/// What a successful operation writes.
#[derive(Clone, Debug)]
pub struct Completion {
    /// Its input and result.
    pub body: StoredBody,
    /// Bytes that it adds to the detail of its history item, JSON-escaped as in a Lambda response.
    pub bytes: u64,
    /// Bytes of the files that its history item keeps.
    pub file_bytes: u64,
    /// The history that its body belongs to; without one the body expires with the result.
    pub history: Option<HistoryWrite>,
    /// The offset index of the list that a new history item is added to, if it has one; may be out of date.
    pub offset_index: Option<OffsetIndex>,
    /// Whether the notification of the end is enqueued already.
    pub is_enqueued: bool,
}

/// How an operation ends.
#[derive(Clone, Debug)]
pub enum Ending {
    /// Its credits are spent.
    Success(Box<Completion>),
    /// Its credits are returned.
    Failure(Failure),
}

/// The outcome of a settlement.
#[derive(Clone, Debug, PartialEq)]
pub enum Settled {
    /// The operation ended this way.
    Done(Box<Operation>),
    /// Another attempt has taken over, or the operation has ended otherwise: nothing was written.
    Fenced,
    /// The history item that the result belongs to is gone: nothing was written.
    HistoryGone,
}

/// What an end writes beside the operation and its credits.
struct Effects {
    /// The history item of a success, otherwise released uploads.
    items: Vec<TransactWriteItem>,
    addition: Option<ListChange>,
    /// Bytes that the account keeps from then on.
    kept: i64,
}

impl Completion {
    /// Bytes that it adds to what the account keeps.
    fn kept(&self) -> i64 {
        match self.history {
            Some(_) => (self.bytes + self.file_bytes).cast_signed(),
            None => 0,
        }
    }
}

/// The entry that a success adds to a list.
fn addition(ended: &Operation, ending: &Ending) -> Option<ListChange> {
    let Ending::Success(completion) = ending else { return None };
    let history = completion.history.as_ref().filter(|history| history.is_new)?;
    let list = List::history(ended.account, history.id.kind());
    let entry = Change::Add(history.id.bits());
    Some(ListChange::new(list, entry, completion.offset_index.clone()))
}

/// Whether the account's month is still that of the credits the operation holds.
#[derive(Clone, Copy, PartialEq)]
enum Month {
    Same,
    Passed,
}

/// What a settlement assumes of the account item; its condition fails if that is wrong.
#[derive(Clone, Copy, PartialEq)]
struct Assumed {
    month: Month,
    subscribed_events: EventKinds,
}

impl Assumed {
    fn read(account_item: &Attributes, ended: &Operation) -> Result<Self, StoreError> {
        let is_same = ItemReader(account_item).instant("p")? == ended.period;
        let month = if is_same { Month::Same } else { Month::Passed };
        Ok(Self { month, subscribed_events: subscribed_events(account_item) })
    }
}

/// The kinds of event that an end with this status may cause.
fn events_of(status: Status) -> EventKinds {
    let kinds: &[EventKind] = match status {
        Status::Succeeded => &[
            EventKind::OperationSucceeded,
            EventKind::UsageThresholdReached,
            EventKind::UsageLimitReached,
        ],
        Status::Failed => &[EventKind::OperationFailed],
        _ => &[],
    };
    kinds.iter().copied().collect()
}

/// Positions of the operation and the account item in the transaction.
const OPERATION: usize = 0;
const ACCOUNT_ITEM: usize = 1;
/// Position of the writes after them: the history item of a success, otherwise released uploads.
/// The offset index of the list that history is added to follows. What has no condition comes last.
const REST: usize = 2;

impl Store {
    /// Enqueues the notification of an operation's success before it is settled, if webhook
    /// endpoints subscribed to it when the operation was created. Returns whether it did. To be
    /// called beside other work before the settlement, which has little time; the settlement
    /// retries a failure.
    pub async fn enqueue_success(&self, operation: &Operation) -> Result<bool, StoreError> {
        if !operation.subscribed_events.intersects(events_of(Status::Succeeded)) {
            return Ok(false);
        }
        self.enqueue_end_notification(operation.account, operation.id).await.map(|()| true)
    }

    /// Ends the attempt of `operation`, as long as its lease lasts.
    ///
    /// If webhook endpoints subscribe to such an end, its notification is enqueued first, unless it
    /// is already. The transaction checks the subscriptions, so that an endpoint that is created
    /// before the end is notified of it.
    pub async fn settle(
        &self,
        operation: &Operation,
        ending: &Ending,
    ) -> Result<Settled, StoreError> {
        let now = self.clock.now();
        let mut ended = operation.clone();
        ended.completed_at = Some(now);
        match ending {
            Ending::Success(_) => ended.status = Status::Succeeded,
            Ending::Failure(failure) => {
                ended.status = Status::Failed;
                ended.problem = Some(Box::new(failure.clone()));
            }
        }
        let effects = Effects {
            items: match ending {
                Ending::Success(completion) => self.list_history(&ended, completion),
                Ending::Failure(_) => release_uploads(self, &ended),
            },
            addition: addition(&ended, ending),
            kept: match ending {
                Ending::Success(completion) => completion.kept(),
                Ending::Failure(_) => 0,
            },
        };
        let mut is_enqueued = false;
        if let Ending::Success(completion) = ending {
            is_enqueued = completion.is_enqueued;
            if !self.write_body(&ended, completion).await? {
                return Ok(Settled::Fenced);
            }
        }
        let until = ended.lease_until;
        self.end(&ended, Status::Running, effects, is_enqueued, until).await
    }

    /// Cancels an operation that has not started; [`Settled::Fenced`] if it has.
    pub async fn cancel(&self, operation: &Operation) -> Result<Settled, StoreError> {
        let mut ended = operation.clone();
        ended.completed_at = Some(self.clock.now());
        ended.status = Status::Cancelled;
        let deadline = self.clock.now() + CANCELLATION_BUDGET;
        let effects = Effects { items: release_uploads(self, &ended), addition: None, kept: 0 };
        self.end(&ended, Status::Pending, effects, false, deadline).await
    }

    async fn end(
        &self,
        ended: &Operation,
        was: Status,
        effects: Effects,
        mut is_enqueued: bool,
        deadline: Timestamp,
    ) -> Result<Settled, StoreError> {
        let Effects { items: mut rest, mut addition, kept } = effects;
        let mut assumed =
            Assumed { month: Month::Same, subscribed_events: ended.subscribed_events };
        loop {
            if !is_enqueued && assumed.subscribed_events.intersects(events_of(ended.status)) {
                self.enqueue_end_notification(ended.account, ended.id).await?;
                is_enqueued = true;
            }
            let clause = addition.as_ref().map(ListChange::account_clause).unwrap_or_default();
            let credits = self.settle_credits(ended, kept, assumed, clause);
            let mut items = vec![self.close(ended, was), credits];
            items.extend(rest.iter().cloned());
            let offset_index = match &addition {
                Some(addition) => addition.write(self).await?,
                None => None,
            };
            let counts = offset_index.is_some();
            items.extend(offset_index);
            items.extend(self.count_model_usage(ended));
            let refused = match self.transact(items, deadline).await? {
                Outcome::Committed => return Ok(Settled::Done(Box::new(ended.clone()))),
                Outcome::ConditionFailed(refused) => refused,
            };
            let refusal = |position: usize| refused.get(position).and_then(Option::as_ref);
            // Not by an earlier try of this end whose response got lost: all tries of a transaction share a token.
            if refusal(OPERATION).is_some() {
                return Ok(Settled::Fenced);
            }
            let faster = refusal(REST + rest.len()).filter(|_| counts);
            if refused.iter().skip(REST).take(rest.len()).any(Option::is_some) {
                if ended.status == Status::Succeeded {
                    return Ok(Settled::HistoryGone);
                }
                // An upload that is gone cannot be released.
                let mut fits = refused.iter().skip(REST).map(Option::is_none);
                rest.retain(|_| fits.next().unwrap_or(true));
                continue;
            }
            // If another change of the list was faster, it is committed already: no pause is needed.
            let has_learned = match &mut addition {
                Some(addition) => addition.learn(self, refusal(ACCOUNT_ITEM), faster).await?,
                None => false,
            };
            match refusal(ACCOUNT_ITEM) {
                Some(item) if !item.is_empty() => {
                    let stands = Assumed::read(item, ended)?;
                    if stands == assumed && !has_learned {
                        let problem = "the account item contradicts itself";
                        return Err(StoreError::unavailable("table", problem));
                    }
                    assumed = stands;
                }
                None if has_learned => {}
                _ => return Err(StoreError::unavailable("table", "the account item is gone")),
            }
        }
    }

    fn close(&self, ended: &Operation, was: Status) -> TransactWriteItem {
        let mut expression = "SET st = :status, ls = :ls, t1 = :done".to_owned();
        let mut update = Update::builder()
            .table_name(&self.names.table)
            .set_key(Some(keys::operation(ended.account, ended.id)))
            .condition_expression("st = :was AND att = :attempt")
            .expression_attribute_values(":was", text(keys::status_code(was)))
            .expression_attribute_values(":attempt", number(ended.attempt))
            .expression_attribute_values(":status", text(keys::status_code(ended.status)))
            .expression_attribute_values(
                ":ls",
                text(keys::operation_with_status(ended.status, &ended.id.unique())),
            )
            .expression_attribute_values(
                ":done",
                instant(ended.completed_at.unwrap_or_else(|| self.clock.now())),
            )
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        if let Some(failure) = &ended.problem {
            expression.push_str(", pb = :problem");
            update = update.expression_attribute_values(":problem", write_failure(failure));
        }
        if !ended.model_usage.is_empty() {
            expression.push_str(&format!(", {MODEL_USAGE} = :usage"));
            let usage = model_usage::write(&ended.model_usage);
            update = update.expression_attribute_values(":usage", usage);
        }
        let update = update.update_expression(expression).build();
        TransactWriteItem::builder().set_update(update.ok()).build()
    }

    /// Spends or returns the held credits, and counts the bytes that are `kept`. Credits of a past
    /// month expired with it.
    fn settle_credits(
        &self,
        ended: &Operation,
        kept: i64,
        assumed: Assumed,
        list: AccountClause,
    ) -> TransactWriteItem {
        let cost = i64::from(ended.kind.credits());
        let update = Update::builder()
            .table_name(&self.names.table)
            .set_key(Some(keys::account_item(ended.account)))
            .expression_attribute_values(":p", instant(ended.period))
            .expression_attribute_values(":less", number(-1))
            .expression_attribute_values(":kept", number(kept))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        let (update, subscribed_events) = match (ended.status, assumed.subscribed_events) {
            // A cancellation has no event.
            (Status::Cancelled, _) => (update, ""),
            (_, EventKinds::NONE) => (
                update.expression_attribute_values(":ev", number(0)),
                " AND (attribute_not_exists(ev) OR ev = :ev)",
            ),
            (_, kinds) => {
                (update.expression_attribute_values(":ev", number(kinds.bits())), " AND ev = :ev")
            }
        };
        let AccountClause { addition, condition, values } = list;
        let compared = match assumed.month {
            Month::Same => "=",
            Month::Passed => "<>",
        };
        let mut update =
            update.condition_expression(format!("p {compared} :p{subscribed_events}{condition}"));
        for (name, value) in values {
            update = update.expression_attribute_values(name, value);
        }
        let update = match (assumed.month, ended.status) {
            (Month::Passed, _) => {
                update.update_expression(format!("ADD run :less, sb :kept{addition}"))
            }
            (Month::Same, Status::Succeeded) => update
                .update_expression(format!(
                    "ADD run :less, sb :kept, ch :returned, {} :one{addition}",
                    kind_count(ended.kind)
                ))
                .expression_attribute_values(":returned", number(-cost))
                .expression_attribute_values(":one", number(1)),
            (Month::Same, _) => update
                .update_expression("ADD run :less, sb :kept, ch :returned, cs :returned")
                .expression_attribute_values(":returned", number(-cost)),
        };
        TransactWriteItem::builder().set_update(update.build().ok()).build()
    }

    /// The write of the history item that a success adds or continues.
    fn list_history(&self, ended: &Operation, completion: &Completion) -> Vec<TransactWriteItem> {
        let history = completion.history.iter();
        history
            .map(|history| self.write_history(ended, history, completion.bytes, completion.kept()))
            .collect()
    }

    /// Writes the body before the end that names it, outside of the transaction, where it costs half. Until the end,
    /// nothing reads it. `false` if a later attempt has written its own: then this one is fenced. Not sent after the
    /// lease: nobody would remove it any more.
    ///
    /// A body that no end names is overwritten by the next attempt, or removed once the operation has failed.
    async fn write_body(
        &self,
        ended: &Operation,
        completion: &Completion,
    ) -> Result<bool, StoreError> {
        if self.clock.now() >= ended.lease_until {
            return Err(StoreError::unavailable("table", "the lease has ended"));
        }
        let mut values = Attributes::from([
            ("b".to_owned(), bytes(completion.body.clone().into_bytes())),
            (ATTEMPT.to_owned(), number(ended.attempt)),
        ]);
        let left_out = match completion.history {
            // Without history the uploads are not kept as attachments.
            Some(_) => {
                operations::write_uploads(&mut values, &ended.uploads);
                "#ttl"
            }
            None => {
                let expiry = ended.result_expires_at().map(Timestamp::seconds_up);
                values.insert(TTL.to_owned(), number(expiry.unwrap_or_default()));
                "ups"
            }
        };
        let mut update = self
            .clients
            .dynamodb
            .update_item()
            .table_name(&self.names.table)
            .set_key(Some(keys::body(ended.account, ended.id)))
            .condition_expression("attribute_not_exists(pk) OR #att <= :att")
            .expression_attribute_names("#ttl", TTL);
        let mut assignments = Vec::new();
        for (name, value) in values {
            assignments.push(format!("#{name} = :{name}"));
            update = update
                .expression_attribute_values(format!(":{name}"), value)
                .expression_attribute_names(format!("#{name}"), name);
        }
        let assignments = assignments.join(", ");
        let update = update.update_expression(format!("SET {assignments} REMOVE {left_out}"));
        self.update_if_until(update, ended.lease_until).await
    }

    /// Removes the body that an attempt at a failed operation has left.
    pub async fn discard_body(&self, failed: &Operation) -> Result<(), StoreError> {
        self.delete_item(keys::body(failed.account, failed.id)).await
    }
}

fn release_uploads(store: &Store, ended: &Operation) -> Vec<TransactWriteItem> {
    let back = |upload: &UploadId| store.release_upload(ended.account, *upload, ended.id);
    ended.uploads.iter().map(back).collect()
}
