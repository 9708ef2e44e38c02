//! History: what finished AI operations leave permanently.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::{GenerationId, InvalidId, OptimizationId, RefinementId, Timestamp};

/// Kind of a history item.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    utoipa::ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum HistoryType {
    /// A prompt that was generated from a goal.
    Generation,
    /// A prompt that was analyzed or optimized.
    #[default]
    Optimization,
    /// A prompt that was refined on its own.
    Refinement,
}

impl HistoryType {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Generation, Self::Optimization, Self::Refinement];

    /// The kind's name in the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Generation => "generation",
            Self::Optimization => "optimization",
            Self::Refinement => "refinement",
        }
    }
}

/// A history item of any kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HistoryId {
    /// A generation.
    Generation(GenerationId),
    /// An optimization.
    Optimization(OptimizationId),
    /// A standalone refinement.
    Refinement(RefinementId),
}

impl HistoryId {
    /// The item of the given kind with the given 128 bits.
    pub const fn from_bits(kind: HistoryType, bits: u128) -> Self {
        match kind {
            HistoryType::Generation => Self::Generation(GenerationId::from_bits(bits)),
            HistoryType::Optimization => Self::Optimization(OptimizationId::from_bits(bits)),
            HistoryType::Refinement => Self::Refinement(RefinementId::from_bits(bits)),
        }
    }

    /// The item of the given kind with the identifier `text`, which includes the prefix.
    ///
    /// # Errors
    ///
    /// [`InvalidId`]: `text` is not an identifier of this kind.
    pub fn parse(kind: HistoryType, text: &str) -> Result<Self, InvalidId> {
        Ok(match kind {
            HistoryType::Generation => Self::Generation(text.parse()?),
            HistoryType::Optimization => Self::Optimization(text.parse()?),
            HistoryType::Refinement => Self::Refinement(text.parse()?),
        })
    }

    /// The item of the given kind whose unique part is `text`.
    ///
    /// # Errors
    ///
    /// [`InvalidId`]: `text` is not a unique part.
    pub fn from_unique(kind: HistoryType, text: &str) -> Result<Self, InvalidId> {
        GenerationId::from_unique(text).map(|id| Self::from_bits(kind, id.bits()))
    }

    /// The kind of the item.
    pub const fn kind(self) -> HistoryType {
        match self {
            Self::Generation(_) => HistoryType::Generation,
            Self::Optimization(_) => HistoryType::Optimization,
            Self::Refinement(_) => HistoryType::Refinement,
        }
    }

    /// Its 128 bits: those of the operation that made it.
    pub const fn bits(self) -> u128 {
        match self {
            Self::Generation(id) => id.bits(),
            Self::Optimization(id) => id.bits(),
            Self::Refinement(id) => id.bits(),
        }
    }

    /// The unique part without its prefix.
    pub fn unique(self) -> String {
        match self {
            Self::Generation(id) => id.unique(),
            Self::Optimization(id) => id.unique(),
            Self::Refinement(id) => id.unique(),
        }
    }

    /// When the operation that made it was accepted.
    pub fn created_at(self) -> Timestamp {
        match self {
            Self::Generation(id) => id.created_at(),
            Self::Optimization(id) => id.created_at(),
            Self::Refinement(id) => id.created_at(),
        }
    }
}

impl fmt::Display for HistoryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Generation(id) => id.fmt(f),
            Self::Optimization(id) => id.fmt(f),
            Self::Refinement(id) => id.fmt(f),
        }
    }
}

impl FromStr for HistoryId {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        HistoryType::ALL.into_iter().find_map(|kind| Self::parse(kind, text).ok()).ok_or(InvalidId)
    }
}

impl Serialize for HistoryId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for HistoryId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}
