//! `POST /library/items`

use axum::extract::State;
use domain::{
    AccountId, LibraryId,
    library::{Content, Counts, Item, Moderation, Reactions, Visibility},
};
use edge::{
    ApiError, Call, Data, Edge,
    input::Body,
    openapi::{Errors, code},
    permission::LibraryWrite,
    response::Envelope,
};
use engine::TargetModel;
use serde::Deserialize;
use store::library::ItemSummary;
use utoipa::ToSchema;

use crate::item::{LibraryItem, Tokens};

/// A new library item. It is private until it is published.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateLibraryItem {
    /// Title of the item.
    #[schema(min_length = 1, max_length = 90, example = "Plan a city trip")]
    title: String,
    /// The prompt; may have variables such as `{{city}}`.
    #[schema(
        min_length = 1,
        max_length = 20000,
        example = "Plan three days in {{city}} for {{travellers}}."
    )]
    prompt_text: String,
    /// Short description of the item.
    #[schema(max_length = 400)]
    description: Option<String>,
    /// What the prompt does.
    #[schema(max_length = 1500)]
    what_this_prompt_does: Option<String>,
    /// Tips for using the prompt.
    #[schema(max_length = 1500)]
    tips_for_this_prompt: Option<String>,
    /// How to use the prompt.
    #[schema(max_length = 1500)]
    how_to_use_prompt: Option<String>,
    /// Names of the target models that the item is recommended for.
    #[schema(min_items = 1, max_items = 8, example = json!(["Universal"]))]
    recommended_models: Vec<TargetModel>,
    /// The category, in your own words.
    #[schema(min_length = 1, max_length = 120, example = "Travel")]
    category: String,
    /// Example of a result.
    #[schema(max_length = 5000)]
    example_text: Option<String>,
    /// Your estimate of the tokens that the prompt and its result take.
    token_estimate: Option<Tokens>,
    /// Visibility of the new item: always private.
    #[serde(default)]
    #[schema(default = "private")]
    visibility: InitialVisibility,
}

/// Visibility of a new item.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = NewLibraryItemVisibility)]
enum InitialVisibility {
    /// Only its owner sees it.
    #[default]
    Private,
}

/// The names of the models.
pub fn names(models: &[TargetModel]) -> Vec<String> {
    models.iter().map(|model| model.as_str().to_owned()).collect()
}

impl From<CreateLibraryItem> for Content {
    fn from(item: CreateLibraryItem) -> Self {
        let InitialVisibility::Private = item.visibility;
        Self {
            recommended_models: names(&item.recommended_models),
            title: item.title,
            prompt_text: item.prompt_text,
            description: item.description,
            what_this_prompt_does: item.what_this_prompt_does,
            tips_for_this_prompt: item.tips_for_this_prompt,
            how_to_use_prompt: item.how_to_use_prompt,
            category: item.category,
            example_text: item.example_text,
            token_estimate: item.token_estimate.map(Into::into),
        }
    }
}

/// A private item of the account.
fn private(content: Content, owner: AccountId, author: Option<String>, edge: &Edge) -> Item {
    let id = LibraryId::new(edge.clock(), &**edge.store().random());
    Item {
        id,
        owner: Some(owner),
        author,
        content,
        visibility: Visibility::Private,
        moderation: Moderation::None,
        published_at: None,
        updated_at: id.created_at(),
        version: 1,
        counted_bytes: None,
    }
}

/// Create an item.
///
/// It is private until you publish it.
#[utoipa::path(
    post, path = "/library/items",
    security(("bearer" = ["library:write"])),
    request_body = CreateLibraryItem,
    responses((status = 200, description = "The item.", body = Envelope<LibraryItem>), Errors<code::QuotaExceeded>),
)]
pub async fn create_library_item(
    State(edge): State<Edge>,
    call: Call<LibraryWrite, Body<CreateLibraryItem>>,
) -> Result<Data<LibraryItem>, ApiError> {
    let store = edge.store();
    let prepare = |account, body: Body<CreateLibraryItem>| async move {
        Ok((body, store.account_name(account).await?))
    };
    let (caller, (body, mut author)) = call.admit_with(prepare).await?;
    if author.is_none() {
        // The admission has just created the account: this is its subject's first request.
        author = store.account_name(caller.account()).await?;
    }
    let item = private(body.value.into(), caller.account(), author, &edge);
    // The identifier is new: an existing record can only be from a retry of this write.
    store.create_library_item_within(&caller.admission.allowance, &item).await?;
    let summary = ItemSummary {
        item,
        counts: Counts::default(),
        reactions: Reactions::default(),
        is_sharded: false,
    };
    Ok(Data::new(LibraryItem::new(caller.account(), summary)))
}
