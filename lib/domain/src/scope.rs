//! The 18 scopes that a credential can be granted.

use std::{fmt, str::FromStr};

use utoipa::ToSchema;

macro_rules! scopes {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// A permission to use a group of operations.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, ToSchema)]
        #[repr(u8)]
        pub enum Scope { $($(#[$doc])* #[schema(rename = $text)] $name,)* }

        impl Scope {
            /// Every scope, in the order of the documentation. New ones are added at the end:
            /// stored keys hold scopes by position.
            pub const ALL: [Scope; [$($text),*].len()] = [$(Scope::$name),*];

            /// The scope's name.
            pub const fn as_str(self) -> &'static str {
                match self { $(Scope::$name => $text,)* }
            }
        }
    };
}

scopes! {
    /// Read usage and estimate tokens.
    UsageRead = "usage:read",
    /// Generate prompts.
    PromptsGenerate = "prompts:generate",
    /// Analyze prompts.
    PromptsAnalyze = "prompts:analyze",
    /// Optimize prompts.
    PromptsOptimize = "prompts:optimize",
    /// Refine prompts and optimization records.
    PromptsRefine = "prompts:refine",
    /// Reverse-engineer prompts.
    PromptsReverse = "prompts:reverse",
    /// List, read and render presets.
    PromptsPresetsRead = "prompts:presets:read",
    /// Create, update and delete presets.
    PromptsPresetsWrite = "prompts:presets:write",
    /// List and read operations.
    OperationsRead = "operations:read",
    /// Cancel operations.
    OperationsCancel = "operations:cancel",
    /// All upload operations, reads included.
    UploadsWrite = "uploads:write",
    /// List and read history.
    HistoryRead = "history:read",
    /// Rename and delete history.
    HistoryManage = "history:manage",
    /// List and read library items.
    LibraryRead = "library:read",
    /// Create, update and delete library items.
    LibraryWrite = "library:write",
    /// Save library items and vote for them.
    LibraryInteract = "library:interact",
    /// Publish and unpublish library items.
    LibraryPublish = "library:publish",
    /// All webhook endpoint operations.
    WebhooksManage = "webhooks:manage",
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text is not the name of a scope.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown scope {0:?}")]
pub struct UnknownScope(pub String);

impl FromStr for Scope {
    type Err = UnknownScope;

    fn from_str(text: &str) -> Result<Self, UnknownScope> {
        let named = Self::ALL.into_iter().find(|scope| scope.as_str() == text);
        named.ok_or_else(|| UnknownScope(text.to_owned()))
    }
}

/// A set of scopes, held as one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scopes(u32);

impl Scopes {
    /// No scope at all.
    pub const NONE: Scopes = Scopes(0);
    /// Every scope.
    pub const ALL: Scopes = Scopes((1 << Scope::ALL.len()) - 1);

    /// The set with these bits; bits without a scope are ignored.
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// The set as bits.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Whether the set has `scope`.
    pub const fn contains(self, scope: Scope) -> bool {
        self.0 & (1 << scope as u8) != 0
    }

    /// The scopes of the set, in the order of the documentation.
    pub fn iter(self) -> impl Iterator<Item = Scope> {
        Scope::ALL.into_iter().filter(move |scope| self.contains(*scope))
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        Self(scopes.into_iter().fold(0, |bits, scope| bits | 1 << scope as u8))
    }
}
