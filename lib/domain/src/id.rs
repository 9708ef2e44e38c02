//! Identifiers: a prefix for the type and a ULID, so that they sort by time of creation.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use ulid::Ulid;

use crate::{Clock, Random, Timestamp, random};

/// The text is not an identifier of the expected type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an identifier of this kind")]
pub struct InvalidId;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Ulid);

        impl $name {
            /// The prefix of every identifier of this type.
            pub const PREFIX: &'static str = $prefix;

            /// Characters of the unique part.
            pub const UNIQUE_CHARS: usize = ulid::ULID_LEN;

            /// A new identifier with the present instant.
            pub fn new(clock: &dyn Clock, random: &dyn Random) -> Self {
                let millis = u64::try_from(clock.now().millis()).unwrap_or(0);
                Self(Ulid::from_parts(millis, u128::from_be_bytes(random::bytes(random))))
            }

            /// The identifier with the given 128 bits.
            pub const fn from_bits(bits: u128) -> Self {
                Self(Ulid(bits))
            }

            /// The 128 bits of the unique part.
            pub const fn bits(self) -> u128 {
                self.0.0
            }

            /// The unique part without its prefix: 26 characters of Crockford base 32.
            pub fn unique(self) -> String {
                self.0.to_string()
            }

            /// The identifier whose unique part is `text`.
            pub fn from_unique(text: &str) -> Result<Self, InvalidId> {
                let ulid = Ulid::from_string(text).map_err(|_| InvalidId)?;
                // An identifier has one spelling: lower-case or overflowing forms are refused.
                if ulid.to_string() == text { Ok(Self(ulid)) } else { Err(InvalidId) }
            }

            /// When it was created.
            pub fn created_at(self) -> Timestamp {
                Timestamp::from_millis(i64::try_from(self.0.timestamp_ms()).unwrap_or(i64::MAX))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}{}", Self::PREFIX, self.0)
            }
        }

        impl FromStr for $name {
            type Err = InvalidId;

            fn from_str(text: &str) -> Result<Self, InvalidId> {
                Self::from_unique(text.strip_prefix(Self::PREFIX).ok_or(InvalidId)?)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                utoipa::openapi::ObjectBuilder::new()
                    .schema_type(utoipa::openapi::Type::String)
                    .pattern(Some(concat!("^", $prefix, "[0-9A-HJKMNP-TV-Z]{26}$")))
                    .examples([concat!($prefix, "01JD8M3Z5Q4N7V9X2B6C8D0E1F")])
                    .into()
            }
        }

        impl utoipa::ToSchema for $name {}

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
            }
        }
    )*};
}

ids! {
    /// An account: the owner of everything else.
    AccountId = "acct_";
    /// An API key, without its secret.
    KeyId = "key_";
    /// One request with its response.
    RequestId = "req_";
    /// One execution of an AI operation.
    OperationId = "op_";
    /// A generation: a prompt made from a goal, with its versions.
    GenerationId = "gen_";
    /// An optimization: a prompt that was analyzed or optimized, with the results.
    OptimizationId = "opt_";
    /// A refinement: a prompt changed by feedback.
    RefinementId = "ref_";
    /// A preset: a prompt with variables, and their values.
    PresetId = "pst_";
    /// An upload.
    UploadId = "upl_";
    /// A version of a prompt in history.
    VersionId = "ver_";
    /// An item of the Prompt Library.
    LibraryId = "lib_";
    /// A log entry of a listing of the Prompt Library.
    ChangeId = "chg_";
    /// A webhook endpoint.
    EndpointId = "whe_";
    /// An event that webhooks report.
    EventId = "evt_";
    /// The delivery of one event to one endpoint, with all its attempts.
    DeliveryId = "whd_";
}
