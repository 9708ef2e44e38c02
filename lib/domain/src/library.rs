//! The Prompt Library: items, their visibility and their listings.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{AccountId, LibraryId, Timestamp};

/// Who can see an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = LibraryVisibility)]
pub enum Visibility {
    /// Only its owner.
    Private,
    /// Everybody: its owner published it.
    Community,
    /// Everybody: it comes with the service.
    Official,
}

/// The decision about publishing an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moderation {
    /// None yet.
    None,
    /// Its owner wants to publish it, but no judge has given a verdict yet.
    Pending,
    /// The check at publishing approved it.
    Approved,
    /// The check at publishing refused its present text. Another text is checked again.
    Refused,
    /// The operator blocked it, also with any later text.
    Blocked,
}

impl Moderation {
    /// The decision that still applies after an edit: all of it if no judged text has changed. Any edit withdraws
    /// what is pending, so that an item's version tells which request a verdict is for.
    pub fn after_edit(self, before: &Content, after: &Content) -> Self {
        let needs_review = !after.has_judged_texts_of(before);
        match self {
            Moderation::Pending => Moderation::None,
            Moderation::Approved | Moderation::Refused if needs_review => Moderation::None,
            decision => decision,
        }
    }
}

/// Tokens that the author of an item expects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenEstimate {
    /// Tokens of the prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<u64>,
    /// Tokens of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<u64>,
}

/// What the author of an item wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Content {
    /// Its title.
    pub title: String,
    /// The prompt.
    pub prompt_text: String,
    /// A short description.
    pub description: Option<String>,
    /// What the prompt does.
    pub what_this_prompt_does: Option<String>,
    /// Tips for using it.
    pub tips_for_this_prompt: Option<String>,
    /// How to use it.
    pub how_to_use_prompt: Option<String>,
    /// Names of the recommended target models.
    pub recommended_models: Vec<String>,
    /// The category, as its author wrote it.
    pub category: String,
    /// An example of its output.
    pub example_text: Option<String>,
    /// Tokens that it uses.
    pub token_estimate: Option<TokenEstimate>,
}

impl Content {
    /// Whether all texts that are judged before publishing are those of `other`.
    pub fn has_judged_texts_of(&self, other: &Content) -> bool {
        self.judged() == other.judged()
    }

    /// Characters of the texts that are judged before publishing.
    pub fn characters(&self) -> usize {
        self.judged().into_iter().flatten().map(|text| text.chars().count()).sum()
    }

    /// The texts that are judged before publishing.
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
    /// Its identifier, which includes when it was created.
    pub id: LibraryId,
    /// The account that it belongs to; `None` for an official item.
    pub owner: Option<AccountId>,
    /// The author name that is shown.
    pub author: Option<String>,
    /// What its author wrote.
    pub content: Content,
    /// Who can see it.
    pub visibility: Visibility,
    /// The decision about publishing it.
    pub moderation: Moderation,
    /// When it was published, while it is public.
    pub published_at: Option<Timestamp>,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// How often it was written.
    pub version: u32,
    /// Bytes that its owner's account counts for it, as storage has read them; `None` for one that
    /// is not counted. Writes ignore it.
    pub counted_bytes: Option<i64>,
}

impl Item {
    /// When it was created.
    pub fn created_at(&self) -> Timestamp {
        self.id.created_at()
    }

    /// Whether an account can see it.
    pub fn is_visible_to(&self, account: AccountId) -> bool {
        self.visibility != Visibility::Private || self.is_owned_by(account)
    }

    /// Whether it belongs to the account.
    pub fn is_owned_by(&self, account: AccountId) -> bool {
        self.owner == Some(account)
    }

    /// Whether it is in a listing.
    pub fn is_listed_in(&self, listing: Listing) -> bool {
        match listing {
            Listing::Community => self.visibility == Visibility::Community,
            Listing::Official => self.visibility == Visibility::Official,
            Listing::Own(account) => self.is_owned_by(account),
        }
    }

    /// The instant that a listing orders it by: its publication, in its owner's listing its
    /// creation.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Listing {
    /// Published items of accounts.
    Community,
    /// Items of the operator.
    Official,
    /// Items of one account, published or not.
    Own(AccountId),
}

/// Reactions of all accounts to an item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Accounts that voted for it.
    pub votes: u32,
    /// Accounts that saved it.
    pub saves: u32,
}

/// Reactions of one account to an item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reactions {
    /// Whether the account voted for it.
    pub voted: bool,
    /// Whether the account saved it.
    pub saved: bool,
}
