//! The account item: one item under 1 KB with everything that admits a request.
//!
//! Authentication, rate count, scopes, plan and credits are one `UpdateItem`. Its condition has the
//! key's fingerprint and the present window, so that a wrong key counts nothing and a new window
//! begins at one. The failed condition returns the item, which shows which of them failed. An
//! access token was verified before: for it the condition has the window alone.
//!
//! | attribute | holds |
//! |---|---|
//! | `pl`, `su` | plan; whether the account is suspended |
//! | `k` | map of live keys by the last 8 characters of their id: `f` fingerprint, `x` scopes as bits, `e` expiry, `u` last use |
//! | `w`, `n` | rate window (minutes since the epoch) and requests counted in it |
//! | `pw`, `pn` | hour since the epoch, and changes of publication counted in it; absent before the first one |
//! | `p`, `cs`, `ch` | month, credits committed in it (used and held), credits held |
//! | `pp`, `pu` | the month before, and the credits used in it |
//! | `run` | operations pending or running |
//! | `ev` | kinds of event that enabled webhook endpoints subscribe to, as bits |
//! | `kg`, `ka`, … | operations that succeeded in the month, by kind |
//! | `si`, `sb`, `qi`, `qb` | what the account keeps, and its quotas: see [`super::storage`] |
//! | `cgen`, `copt`, `cref`, `cpst` | changes of a list that has no offset index: see [`crate::list::change`] |

use std::collections::HashMap;

use aws_sdk_dynamodb::{
    error::SdkError,
    operation::update_item::{UpdateItemError, UpdateItemOutput},
    types::{ReturnValue, ReturnValuesOnConditionCheckFailure},
};
use domain::{AccountId, EventKinds, KeyId, Kind, Plan, Scopes, Timestamp, plan::Allowance};

use crate::{
    Store, StoreError,
    accounts::storage::{Quotas, Storage, with_quotas},
    item::{Attributes, ItemReader, bytes, instant, number},
    keys,
};

/// Length of a rate window in milliseconds.
const WINDOW_MILLIS: i64 = 60_000;
/// How often a request retries because another one has moved the window.
const MAX_RETRIES: u32 = 8;

/// Whether the allowances of plans are enforced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Limits {
    /// As the plan says.
    #[default]
    Enforced,
    /// Without limits of rate, publication, concurrency, credits and storage: for load tests.
    Lifted,
}

impl Limits {
    /// What an account on `plan` may use.
    pub fn allowance(self, plan: Plan) -> Allowance {
        match self {
            Limits::Enforced => plan.allowance(),
            Limits::Lifted => plan.allowance().uncapped(),
        }
    }

    /// What an account may use: its plan, and the quotas that an operator has set for it.
    pub(crate) fn allowance_of(self, account_item: &Attributes) -> Result<Allowance, StoreError> {
        let allowance = self.allowance(plan_of(account_item)?);
        Ok(match self {
            Limits::Enforced => with_quotas(allowance, account_item),
            Limits::Lifted => allowance,
        })
    }
}

/// The API key of a request, its tag already verified.
#[derive(Clone, Debug)]
pub struct PresentedKey {
    /// The account that the key names.
    pub account: AccountId,
    /// Which of the account's keys.
    pub id: KeyId,
    /// HMAC-SHA256 of the key.
    pub fingerprint: [u8; 32],
}

/// The access token of a request, its signature and claims already verified.
#[derive(Clone, Debug)]
pub struct PresentedToken {
    /// The account of its subject.
    pub account: AccountId,
    /// The scopes that it grants.
    pub scopes: Scopes,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// The credential of a request.
#[derive(Clone, Debug)]
pub enum Presented {
    /// An API key. The account item shows whether it is live.
    Key(PresentedKey),
    /// An access token.
    Token(PresentedToken),
}

impl Presented {
    /// The account that it names.
    pub fn account(&self) -> AccountId {
        match self {
            Self::Key(key) => key.account,
            Self::Token(token) => token.account,
        }
    }
}

/// Requests counted in the present window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Requests that the plan allows in a window.
    pub limit: u32,
    /// Requests counted so far, this one included.
    pub used: u32,
    /// When the window ends.
    pub ends_at: Timestamp,
}

impl Rate {
    /// The window at `now` before any request is counted in it.
    pub fn untouched(allowance: Allowance, now: Timestamp) -> Self {
        let window = now.millis() / WINDOW_MILLIS;
        let ends_at = Timestamp::from_millis((window + 1) * WINDOW_MILLIS);
        Self { limit: allowance.requests_per_minute, used: 0, ends_at }
    }

    /// Requests left in the window.
    pub fn remaining(&self) -> u32 {
        self.limit.saturating_sub(self.used)
    }

    /// Whole seconds until the window ends, rounded up.
    pub fn seconds_left(&self, now: Timestamp) -> u64 {
        self.ends_at.since(now).as_millis().div_ceil(1000) as u64
    }

    /// Whether this request was one too many.
    pub fn is_exceeded(&self) -> bool {
        self.used > self.limit
    }
}

/// What the account item says about an account at the time of a request.
#[derive(Clone, Debug)]
pub struct Admission {
    /// The account.
    pub account: AccountId,
    /// Its plan.
    pub plan: Plan,
    /// What the plan and the operator allow, or no limits under [`Limits::Lifted`].
    pub allowance: Allowance,
    /// Whether an operator suspended it.
    pub suspended: bool,
    /// Scopes of the credential.
    pub scopes: Scopes,
    /// When the credential expires, if it does.
    pub expires_at: Option<Timestamp>,
    /// The rate window.
    pub rate: Rate,
    /// Credits and operations of the month.
    pub credits: Credits,
    /// What the account keeps.
    pub storage: Storage,
    /// Kinds of event that the account's webhook endpoints subscribe to.
    pub subscribed_events: EventKinds,
}

impl Admission {
    /// What the account keeps and may keep.
    pub fn quotas(&self) -> Quotas<'_> {
        Quotas { stored: self.storage, allowance: &self.allowance }
    }
}

/// Credits and operations of a calendar month.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credits {
    /// First instant of the month.
    pub period: Timestamp,
    /// Spent by operations that succeeded.
    pub used: u32,
    /// Held by operations that have not ended.
    pub held: u32,
    /// Operations pending or running.
    pub running: u32,
    /// Operations that succeeded, by kind.
    pub by_kind: Vec<(Kind, u32)>,
}

impl Credits {
    /// The account item's figures as of `now`. Those of a past month count as zero.
    pub(crate) fn read(item: &Attributes, now: Timestamp) -> Result<Self, StoreError> {
        let reader = ItemReader(item);
        let stored = reader.instant("p")?;
        let running = reader.count("run");
        if stored < now.month_start() {
            let by_kind = Kind::ALL.map(|kind| (kind, 0)).to_vec();
            return Ok(Self { period: now.month_start(), used: 0, held: 0, running, by_kind });
        }
        let held = reader.count("ch");
        Ok(Self {
            period: stored,
            used: reader.count("cs").saturating_sub(held),
            held,
            running,
            by_kind: Kind::ALL.map(|kind| (kind, reader.count(&kind_count(kind)))).to_vec(),
        })
    }
}

/// Credits that operations of a month have spent, also after the account item has moved to a later
/// month: it keeps the total of a month until the next change of month. `None` for older months.
pub(crate) fn used_in(
    account_item: &Attributes,
    month: Timestamp,
) -> Result<Option<u32>, StoreError> {
    let reader = ItemReader(account_item);
    if reader.instant("p")? == month {
        return Ok(Some(reader.count("cs").saturating_sub(reader.count("ch"))));
    }
    Ok(reader.optional_instant("pp").filter(|passed| *passed == month).map(|_| reader.count("pu")))
}

pub(crate) fn plan_of(account_item: &Attributes) -> Result<Plan, StoreError> {
    ItemReader(account_item).text("pl")?.parse().map_err(|_| StoreError::corrupt("pl"))
}

/// Kinds of event that the account's webhook endpoints subscribe to.
pub(crate) fn subscribed_events(account_item: &Attributes) -> EventKinds {
    EventKinds::from_bits(ItemReader(account_item).count("ev"))
}

pub(crate) fn kind_count(kind: Kind) -> String {
    format!("k{}", keys::kind_code(kind))
}

/// Name of a key in the account item's map: short, since every request pays for each byte of the
/// item.
pub(crate) fn key_slot(id: KeyId) -> String {
    let unique = id.unique();
    unique[unique.len() - 8..].to_owned()
}

/// Why a request was not admitted.
#[derive(Debug, thiserror::Error)]
pub enum AdmissionError {
    /// The account has no such live key.
    #[error("no such live key")]
    UnknownKey,
    /// The subject of the token has no account yet.
    #[error("no such account")]
    UnknownAccount,
    /// Storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The window that the update assumes to be stored.
enum Window {
    /// This one is stored.
    Running(i64),
    /// The second one is stored and has passed; the first begins.
    Rolled(i64, i64),
}

impl Store {
    /// Authenticates a key and counts the request. A token is authentic already, so its request is
    /// only counted.
    ///
    /// One update when the window is the present one; a second one at the first request of a
    /// window. A request with a wrong, revoked or expired key is not counted.
    pub async fn admit(
        &self,
        presented: &Presented,
        limits: Limits,
    ) -> Result<Admission, AdmissionError> {
        let now = self.clock.now();
        let mut window = Window::Running(now.millis() / WINDOW_MILLIS);
        for _ in 0..=MAX_RETRIES {
            match self.count_request(presented, now, &window).await {
                Ok(output) => {
                    let item = output.attributes.unwrap_or_default();
                    return Ok(admission(presented, &item, now, limits)?);
                }
                Err(SdkError::ServiceError(error)) => match error.err() {
                    UpdateItemError::ConditionalCheckFailedException(failed) => {
                        let Some(item) = failed.item() else { return Err(unknown(presented)) };
                        if let Presented::Key(key) = presented
                            && !is_live(key, item, now)?
                        {
                            return Err(AdmissionError::UnknownKey);
                        }
                        window = next_window(item, now)?;
                    }
                    _ => return Err(StoreError::unavailable("table", error.into_err()).into()),
                },
                Err(error) => return Err(StoreError::unavailable("table", error).into()),
            }
        }
        Err(StoreError::unavailable("table", "the rate window keeps moving").into())
    }

    async fn count_request(
        &self,
        presented: &Presented,
        now: Timestamp,
        window: &Window,
    ) -> Result<UpdateItemOutput, SdkError<UpdateItemError>> {
        let update = self
            .clients
            .dynamodb
            .update_item()
            .table_name(&self.names.table)
            .set_key(Some(keys::account_item(presented.account())))
            .expression_attribute_names("#w", "w")
            .expression_attribute_values(":one", number(1))
            .return_values(ReturnValue::AllNew)
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        let (update, used, live) = match presented {
            Presented::Key(key) => (
                update
                    .expression_attribute_names("#k", key_slot(key.id))
                    .expression_attribute_values(":f", bytes(key.fingerprint.to_vec()))
                    .expression_attribute_values(":now", instant(now)),
                "k.#k.u = :now, ",
                "k.#k.f = :f AND (attribute_not_exists(k.#k.e) OR k.#k.e > :now) AND ",
            ),
            Presented::Token(_) => (update, "", ""),
        };
        let (update, counted) = match *window {
            Window::Running(present) => {
                (update.expression_attribute_values(":w", number(present)), "n = n + :one")
            }
            Window::Rolled(present, passed) => (
                update
                    .expression_attribute_values(":w", number(passed))
                    .expression_attribute_values(":present", number(present)),
                "#w = :present, n = :one",
            ),
        };
        let update = update
            .update_expression(format!("SET {used}{counted}"))
            .condition_expression(format!("{live}#w = :w"));
        self.update_with_retry(update).await
    }
}

/// The error for a credential without an account item.
fn unknown(presented: &Presented) -> AdmissionError {
    match presented {
        Presented::Key(_) => AdmissionError::UnknownKey,
        Presented::Token(_) => AdmissionError::UnknownAccount,
    }
}

/// Whether the key of the request is among the account's and has not expired.
fn is_live(
    presented: &PresentedKey,
    item: &Attributes,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let Some(key) = stored_key(item, presented.id)? else { return Ok(false) };
    let key = ItemReader(key);
    Ok(key.bytes("f")? == presented.fingerprint
        && key.optional_instant("e").is_none_or(|expiry| expiry > now))
}

fn stored_key(item: &Attributes, id: KeyId) -> Result<Option<&Attributes>, StoreError> {
    let keys: &HashMap<_, _> = ItemReader(item).map("k")?;
    Ok(keys.get(&key_slot(id)).and_then(|value| value.as_m().ok()))
}

/// The stored window may be ahead of this machine's clock; then it is the present one.
fn next_window(item: &Attributes, now: Timestamp) -> Result<Window, StoreError> {
    let stored = ItemReader(item).number("w")?;
    let present = now.millis() / WINDOW_MILLIS;
    Ok(if stored >= present { Window::Running(stored) } else { Window::Rolled(present, stored) })
}

fn admission(
    presented: &Presented,
    item: &Attributes,
    now: Timestamp,
    limits: Limits,
) -> Result<Admission, StoreError> {
    let reader = ItemReader(item);
    let plan = plan_of(item)?;
    let allowance = limits.allowance_of(item)?;
    let (scopes, expires_at) = match presented {
        Presented::Token(token) => (token.scopes, Some(token.expires_at)),
        Presented::Key(key) => {
            let key = stored_key(item, key.id)?.ok_or_else(|| StoreError::corrupt("k"))?;
            (Scopes::from_bits(ItemReader(key).count("x")), ItemReader(key).optional_instant("e"))
        }
    };
    Ok(Admission {
        account: presented.account(),
        plan,
        allowance,
        suspended: reader.flag("su"),
        scopes,
        expires_at,
        rate: Rate {
            limit: allowance.requests_per_minute,
            used: reader.count("n"),
            ends_at: Timestamp::from_millis((reader.number("w")? + 1) * WINDOW_MILLIS),
        },
        credits: Credits::read(item, now)?,
        storage: Storage::read(item),
        subscribed_events: subscribed_events(item),
    })
}
