//! Time as a capability: code that depends on the time receives a [`Clock`].

use std::{
    fmt,
    future::Future,
    ops::{Add, Sub},
    pin::Pin,
    str::FromStr,
    time::Duration,
};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use time::{OffsetDateTime, format_description::well_known::Rfc3339, macros::format_description};

/// A future that resolves when the clock has reached an instant.
pub type Sleep = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The source of time. Production reads the system clock; tests set theirs by hand.
pub trait Clock: Send + Sync + fmt::Debug {
    /// The present instant.
    fn now(&self) -> Timestamp;

    /// Resolves once [`Clock::now`] is at or after `instant`.
    fn sleep_until(&self, instant: Timestamp) -> Sleep;
}

/// Milliseconds since the Unix epoch, UTC; written as RFC 3339 with milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// An instant from milliseconds since the Unix epoch.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Milliseconds since the Unix epoch.
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// Whole seconds since the Unix epoch, rounded down.
    pub const fn seconds(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// Whole seconds since the Unix epoch, rounded up: for limits that must not end too early.
    pub const fn seconds_up(self) -> i64 {
        -(-self.0).div_euclid(1000)
    }

    /// The time from `earlier` to this instant, zero if `earlier` is later.
    pub fn since(self, earlier: Timestamp) -> Duration {
        Duration::from_millis(u64::try_from(self.0 - earlier.0).unwrap_or(0))
    }

    fn date_time(self) -> OffsetDateTime {
        OffsetDateTime::from_unix_timestamp_nanos(i128::from(self.0) * 1_000_000)
            .unwrap_or(OffsetDateTime::UNIX_EPOCH)
    }

    /// The first instant of this instant's calendar month (UTC).
    pub fn month_start(self) -> Timestamp {
        let first = self.date_time().date().replace_day(1).unwrap_or(time::Date::MIN);
        Self(first.midnight().assume_utc().unix_timestamp() * 1000)
    }

    /// The first instant of the next calendar month (UTC).
    pub fn next_month_start(self) -> Timestamp {
        // 32 days past the first of a month always fall into the next one.
        (self.month_start() + Duration::from_secs(32 * 86_400)).month_start()
    }
}

impl Add<Duration> for Timestamp {
    type Output = Timestamp;

    fn add(self, duration: Duration) -> Timestamp {
        Self(self.0.saturating_add(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)))
    }
}

impl Sub<Duration> for Timestamp {
    type Output = Timestamp;

    fn sub(self, duration: Duration) -> Timestamp {
        Self(self.0.saturating_sub(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = format_description!(
            "[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z"
        );
        f.write_str(&self.date_time().format(millis).map_err(|_| fmt::Error)?)
    }
}

impl utoipa::PartialSchema for Timestamp {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        utoipa::openapi::ObjectBuilder::new()
            .schema_type(utoipa::openapi::Type::String)
            .format(Some(utoipa::openapi::SchemaFormat::KnownFormat(
                utoipa::openapi::KnownFormat::DateTime,
            )))
            .description(Some("RFC 3339, UTC, with milliseconds."))
            .examples(["2026-03-01T09:30:00.000Z"])
            .into()
    }
}

impl utoipa::ToSchema for Timestamp {}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl FromStr for Timestamp {
    type Err = time::error::Parse;

    /// Reads RFC 3339 with any offset. What is finer than a millisecond is cut off.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parsed = OffsetDateTime::parse(text, &Rfc3339)?;
        Ok(Self((parsed.unix_timestamp_nanos() / 1_000_000) as i64))
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}
