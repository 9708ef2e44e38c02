//! An item as the API shows it.

use domain::{
    AccountId, LibraryId, Timestamp,
    library::{self, Item, TokenEstimate},
};
use edge::{ApiError, Code, Edge};
use serde::{Deserialize, Serialize};
use store::library::{ItemSummary, Precision};
use utoipa::ToSchema;

/// An item of the library.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LibraryItem {
    /// Its identifier.
    pub id: LibraryId,
    /// Its title.
    pub title: String,
    /// The prompt.
    pub prompt_text: String,
    /// What it is, in short.
    #[schema(required = true)]
    pub description: Option<String>,
    /// What the prompt does.
    #[schema(required = true)]
    pub what_this_prompt_does: Option<String>,
    /// Tips for it.
    #[schema(required = true)]
    pub tips_for_this_prompt: Option<String>,
    /// How to use it.
    #[schema(required = true)]
    pub how_to_use_prompt: Option<String>,
    /// Names of the target models that it is for.
    #[schema(example = json!(["Universal"]))]
    pub recommended_models: Vec<String>,
    /// The category, as its author wrote it.
    #[schema(example = "Writing")]
    pub category: String,
    /// An example of what it gives.
    #[schema(required = true)]
    pub example_text: Option<String>,
    /// Tokens that it takes, as its author expects.
    #[schema(required = true)]
    pub token_estimate: Option<Tokens>,
    /// Who sees it.
    pub visibility: Visibility,
    /// What was decided about publishing it.
    pub moderation: Moderation,
    /// Who wrote it; null for official items.
    #[schema(required = true)]
    pub author: Option<Author>,
    /// Whether it is yours.
    pub owned: bool,
    /// Accounts whose vote it has.
    pub vote_count: u32,
    /// Accounts that saved it.
    pub save_count: u32,
    /// Whether it has your vote.
    pub voted: bool,
    /// Whether you saved it.
    pub saved: bool,
    /// When it was published; null while it is not.
    #[schema(required = true)]
    pub published_at: Option<Timestamp>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// Who sees an item.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = LibraryVisibility)]
pub enum Visibility {
    /// Its owner.
    Private,
    /// Everybody: its owner published it.
    Community,
    /// Everybody: it comes with the service.
    Official,
}

/// What was decided about publishing an item. A blocked one cannot be published.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = LibraryModeration)]
pub enum Moderation {
    /// Nothing yet.
    None,
    /// It may be published.
    Approved,
    /// It must not be published.
    Blocked,
}

/// Who wrote an item.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LibraryAuthor)]
pub struct Author {
    /// Name of the account.
    pub name: String,
}

/// Tokens that an item takes.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = LibraryTokens)]
pub struct Tokens {
    /// Of the prompt.
    #[schema(nullable = false, minimum = 0, example = 350)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<u64>,
    /// Of its answer.
    #[schema(nullable = false, minimum = 0, example = 800)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<u64>,
}

impl From<Tokens> for TokenEstimate {
    fn from(Tokens { input, output }: Tokens) -> Self {
        Self { input, output }
    }
}

impl From<library::Visibility> for Visibility {
    fn from(visibility: library::Visibility) -> Self {
        match visibility {
            library::Visibility::Private => Self::Private,
            library::Visibility::Community => Self::Community,
            library::Visibility::Official => Self::Official,
        }
    }
}

impl From<library::Moderation> for Moderation {
    fn from(moderation: library::Moderation) -> Self {
        match moderation {
            library::Moderation::None => Self::None,
            library::Moderation::Approved => Self::Approved,
            library::Moderation::Refused | library::Moderation::Blocked => Self::Blocked,
        }
    }
}

impl LibraryItem {
    /// An item as an account sees it.
    pub fn new(account: AccountId, summary: ItemSummary) -> Self {
        let ItemSummary { item, counts, reactions, .. } = summary;
        let owned = item.is_owned_by(account);
        let created_at = item.created_at();
        let Item { id, author, content, visibility, moderation, published_at, updated_at, .. } =
            item;
        Self {
            id,
            title: content.title,
            prompt_text: content.prompt_text,
            description: content.description,
            what_this_prompt_does: content.what_this_prompt_does,
            tips_for_this_prompt: content.tips_for_this_prompt,
            how_to_use_prompt: content.how_to_use_prompt,
            recommended_models: content.recommended_models,
            category: content.category,
            example_text: content.example_text,
            token_estimate: content
                .token_estimate
                .map(|TokenEstimate { input, output }| Tokens { input, output }),
            visibility: visibility.into(),
            moderation: moderation.into(),
            author: author.map(|name| Author { name }),
            owned,
            vote_count: counts.votes,
            save_count: counts.saves,
            voted: reactions.voted,
            saved: reactions.saved,
            published_at,
            created_at,
            updated_at,
        }
    }
}

/// An item as an account sees it.
///
/// # Errors
///
/// There is none that the account may see.
pub async fn find(edge: &Edge, account: AccountId, id: LibraryId) -> Result<ItemSummary, ApiError> {
    edge.store()
        .library_summaries(account, &[id], Precision::Exact)
        .await?
        .pop()
        .ok_or_else(not_found)
}

/// An item of the account's own.
///
/// # Errors
///
/// There is none that is the account's.
pub async fn find_own(
    edge: &Edge,
    account: AccountId,
    id: LibraryId,
) -> Result<ItemSummary, ApiError> {
    let summary = find(edge, account, id).await?;
    if summary.item.is_owned_by(account) { Ok(summary) } else { Err(not_found()) }
}

/// There is no such item, or the account has nothing to do with it.
pub fn not_found() -> ApiError {
    ApiError::new(Code::NotFound)
}
