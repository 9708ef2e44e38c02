//! An item in the API.

use domain::{
    AccountId, LibraryId, Timestamp,
    library::{self, Item, TokenEstimate, Visibility},
};
use edge::{ApiError, Code, Edge};
use serde::{Deserialize, Serialize};
use store::library::{ItemSummary, Precision};
use utoipa::ToSchema;

/// A library item.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LibraryItem {
    /// Identifier of the item.
    pub id: LibraryId,
    /// Title of the item.
    pub title: String,
    /// The prompt; may have variables such as `{{city}}`.
    pub prompt_text: String,
    /// Short description of the item.
    #[schema(required = true)]
    pub description: Option<String>,
    /// What the prompt does.
    #[schema(required = true)]
    pub what_this_prompt_does: Option<String>,
    /// Tips for using the prompt.
    #[schema(required = true)]
    pub tips_for_this_prompt: Option<String>,
    /// How to use the prompt.
    #[schema(required = true)]
    pub how_to_use_prompt: Option<String>,
    /// Names of the target models that the item is recommended for.
    #[schema(example = json!(["Universal"]))]
    pub recommended_models: Vec<String>,
    /// The category, in the author's words.
    #[schema(example = "Writing")]
    pub category: String,
    /// Example of a result.
    #[schema(required = true)]
    pub example_text: Option<String>,
    /// The author's estimate of the tokens that the prompt and its result take.
    #[schema(required = true)]
    pub token_estimate: Option<Tokens>,
    /// Who can see the item.
    pub visibility: Visibility,
    /// State of its moderation.
    pub moderation: Moderation,
    /// Why a blocked item is blocked; null for others.
    #[schema(required = true)]
    pub moderation_reason: Option<ModerationReason>,
    /// Author of the item; null for official items.
    #[schema(required = true)]
    pub author: Option<Author>,
    /// Whether the item is yours.
    pub owned: bool,
    /// Number of accounts that voted for the item.
    pub vote_count: u32,
    /// Number of accounts that saved the item.
    pub save_count: u32,
    /// Whether you voted for the item.
    pub voted: bool,
    /// Whether you saved the item.
    pub saved: bool,
    /// When the item was published; null if it is not.
    #[schema(required = true)]
    pub published_at: Option<Timestamp>,
    /// When the item was created.
    pub created_at: Timestamp,
    /// When the item was last changed.
    pub updated_at: Timestamp,
}

/// State of an item's moderation. A pending item is published once it is approved. A blocked item cannot be published.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = LibraryModeration)]
pub enum Moderation {
    /// No decision yet.
    None,
    /// To be published once a judge has approved it.
    Pending,
    /// The item may be published.
    Approved,
    /// The item must not be published.
    Blocked,
}

/// Why an item is blocked: because of its texts, so that another text can be published, or because the operator has
/// blocked the item, whatever its texts are.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = LibraryModerationReason)]
pub enum ModerationReason {
    /// A text was refused: change it, then publish the item again.
    Content,
    /// The operator has blocked the item.
    Operator,
}

/// Author of an item.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LibraryAuthor)]
pub struct Author {
    /// Name of the account.
    pub name: String,
}

/// Estimated number of tokens.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = LibraryTokens)]
pub struct Tokens {
    /// Tokens of the prompt.
    #[schema(nullable = false, minimum = 0, maximum = 9223372036854775807_i64, example = 350)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<u64>,
    /// Tokens of the result.
    #[schema(nullable = false, minimum = 0, maximum = 9223372036854775807_i64, example = 800)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<u64>,
}

impl From<Tokens> for TokenEstimate {
    fn from(Tokens { input, output }: Tokens) -> Self {
        Self { input, output }
    }
}

impl From<library::Moderation> for Moderation {
    fn from(moderation: library::Moderation) -> Self {
        match moderation {
            library::Moderation::None => Self::None,
            library::Moderation::Pending => Self::Pending,
            library::Moderation::Approved => Self::Approved,
            library::Moderation::Refused | library::Moderation::Blocked => Self::Blocked,
        }
    }
}

impl ModerationReason {
    /// Why an item in this state is blocked, if it is.
    fn of(moderation: library::Moderation) -> Option<Self> {
        match moderation {
            library::Moderation::Refused => Some(Self::Content),
            library::Moderation::Blocked => Some(Self::Operator),
            library::Moderation::None
            | library::Moderation::Pending
            | library::Moderation::Approved => None,
        }
    }
}

impl LibraryItem {
    /// The item for this account.
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
            visibility,
            moderation: moderation.into(),
            moderation_reason: ModerationReason::of(moderation),
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

/// The item for this account.
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

/// The account's own item.
///
/// # Errors
///
/// The account has no such item.
pub async fn find_own(
    edge: &Edge,
    account: AccountId,
    id: LibraryId,
) -> Result<ItemSummary, ApiError> {
    let summary = find(edge, account, id).await?;
    if summary.item.is_owned_by(account) { Ok(summary) } else { Err(not_found()) }
}

/// There is no such item, or the account may not see or change it.
pub fn not_found() -> ApiError {
    ApiError::new(Code::NotFound)
}
