//! The Prompt Library: items, who sees them, and on which listings they stand.

use serde::{Deserialize, Serialize};

use crate::{AccountId, LibraryId, Timestamp};

/// Who sees an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Visibility {
    /// Its owner.
    Private,
    /// Everybody; its owner published it.
    Community,
    /// Everybody; the operator keeps it.
    Official,
}

/// What was decided about publishing an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moderation {
    /// Nothing yet.
    None,
    /// The check at publishing let it pass.
    Approved,
    /// The check at publishing refused it as it was. Another text is checked anew.
    Refused,
    /// The operator blocked it, whatever its text becomes.
    Blocked,
}

impl Moderation {
    /// What is left of the decision once the content has changed: all of it if nothing has that is judged.
    pub fn after_edit(self, before: &Content, after: &Content) -> Self {
        let needs_review = before.judged() != after.judged();
        match self {
            Moderation::None | Moderation::Approved | Moderation::Refused if needs_review => {
                Moderation::None
            }
            decision => decision,
        }
    }
}

/// Tokens that an item's author expects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenEstimate {
    /// Of the prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<u64>,
    /// Of its answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<u64>,
}

/// What an item's author wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Content {
    /// Its title.
    pub title: String,
    /// The prompt.
    pub prompt_text: String,
    /// What it is, in short.
    pub description: Option<String>,
    /// What the prompt does.
    pub what_this_prompt_does: Option<String>,
    /// Tips for it.
    pub tips_for_this_prompt: Option<String>,
    /// How to use it.
    pub how_to_use_prompt: Option<String>,
    /// Names of the target models that it is for.
    pub recommended_models: Vec<String>,
    /// The category, as its author wrote it.
    pub category: String,
    /// An example of what it gives.
    pub example_text: Option<String>,
    /// Tokens that it takes.
    pub token_estimate: Option<TokenEstimate>,
}

impl Content {
    /// The texts that are judged before they are published.
    fn judged(&self) -> [Option<&str>; 8] {
        [
            Some(&self.title),
            Some(&self.prompt_text),
            self.description.as_deref(),
            self.what_this_prompt_does.as_deref(),
            self.tips_for_this_prompt.as_deref(),
            self.how_to_use_prompt.as_deref(),
            Some(&self.category),
            self.example_text.as_deref(),
        ]
    }
}

/// An item of the library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its identifier, which also says when it was created.
    pub id: LibraryId,
    /// Whose it is; `None` for the operator's.
    pub owner: Option<AccountId>,
    /// Name under which it is shown.
    pub author: Option<String>,
    /// What its author wrote.
    pub content: Content,
    /// Who sees it.
    pub visibility: Visibility,
    /// What was decided about publishing it.
    pub moderation: Moderation,
    /// When it was published, while it is.
    pub published_at: Option<Timestamp>,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// How often it was written.
    pub version: u32,
}

impl Item {
    /// When it was created.
    pub fn created_at(&self) -> Timestamp {
        self.id.created_at()
    }

    /// Whether an account sees it.
    pub fn is_visible_to(&self, account: AccountId) -> bool {
        self.visibility != Visibility::Private || self.is_owned_by(account)
    }

    /// Whether it is the account's.
    pub fn is_owned_by(&self, account: AccountId) -> bool {
        self.owner == Some(account)
    }

    /// Whether it stands on a listing.
    pub fn is_listed_in(&self, listing: Listing) -> bool {
        match listing {
            Listing::Community => self.visibility == Visibility::Community,
            Listing::Official => self.visibility == Visibility::Official,
            Listing::Own(account) => self.is_owned_by(account),
        }
    }

    /// The instant by which a listing orders it: its publication, or its creation among its owner's.
    pub fn listed_at(&self, listing: Listing) -> Timestamp {
        match listing {
            Listing::Own(_) => self.created_at(),
            Listing::Community | Listing::Official => {
                self.published_at.unwrap_or_else(|| self.created_at())
            }
        }
    }
}

/// Items that are searched together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Listing {
    /// Those that accounts have published.
    Community,
    /// Those of the operator.
    Official,
    /// Those of one account, published or not.
    Own(AccountId),
}

/// How many accounts like an item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Accounts whose vote it has.
    pub votes: u32,
    /// Accounts that saved it.
    pub saves: u32,
}

/// What an account has done with an item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reactions {
    /// Whether it has the account's vote.
    pub voted: bool,
    /// Whether the account saved it.
    pub saved: bool,
}
