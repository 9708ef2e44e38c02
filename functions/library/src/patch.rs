//! `PATCH /library/items/{id}`

use std::borrow::Cow;

use axum::extract::State;
use domain::{
    LibraryId,
    library::{Content, Item, Visibility},
};
use edge::{
    ApiError, Call, Code, Data, Edge,
    input::{Body, PathId, nullable},
    openapi::{Errors, code},
    permission::LibraryWrite,
    response::Envelope,
};
use engine::TargetModel;
use serde::Deserialize;
use store::library::Replaced;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};

use crate::{
    create::{CreateLibraryItem, names},
    item::{LibraryItem, Tokens, find_own, not_found},
};

/// Attempts at a change when concurrent changes interfere.
const TRIES: u32 = 20;

/// The properties to change; null unsets one.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UpdateLibraryItem {
    title: Option<String>,
    prompt_text: Option<String>,
    #[serde(default, deserialize_with = "nullable")]
    description: Option<Option<String>>,
    #[serde(default, deserialize_with = "nullable")]
    what_this_prompt_does: Option<Option<String>>,
    #[serde(default, deserialize_with = "nullable")]
    tips_for_this_prompt: Option<Option<String>>,
    #[serde(default, deserialize_with = "nullable")]
    how_to_use_prompt: Option<Option<String>>,
    recommended_models: Option<Vec<TargetModel>>,
    category: Option<String>,
    #[serde(default, deserialize_with = "nullable")]
    example_text: Option<Option<String>>,
    #[serde(default, deserialize_with = "nullable")]
    token_estimate: Option<Option<Tokens>>,
}

/// The properties of a new item, with their bounds, none of them required.
impl PartialSchema for UpdateLibraryItem {
    fn schema() -> RefOr<Schema> {
        let mut schema = CreateLibraryItem::schema();
        if let RefOr::T(Schema::Object(object)) = &mut schema {
            object.required.clear();
            object.properties.remove("visibility");
            object.description =
                Some("The properties to change; others are kept. Null unsets one.".to_owned());
        }
        schema
    }
}

impl ToSchema for UpdateLibraryItem {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("UpdateLibraryItem")
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        CreateLibraryItem::schemas(schemas);
    }
}

impl UpdateLibraryItem {
    fn apply(&self, content: &Content) -> Content {
        let replaced = |new: &Option<Option<String>>, old: &Option<String>| {
            new.as_ref().unwrap_or(old).clone()
        };
        let kept = |new: &Option<String>, old: &str| new.clone().unwrap_or_else(|| old.to_owned());
        let models = self.recommended_models.as_deref().map(names);
        Content {
            title: kept(&self.title, &content.title),
            prompt_text: kept(&self.prompt_text, &content.prompt_text),
            description: replaced(&self.description, &content.description),
            what_this_prompt_does: replaced(
                &self.what_this_prompt_does,
                &content.what_this_prompt_does,
            ),
            tips_for_this_prompt: replaced(
                &self.tips_for_this_prompt,
                &content.tips_for_this_prompt,
            ),
            how_to_use_prompt: replaced(&self.how_to_use_prompt, &content.how_to_use_prompt),
            recommended_models: models.unwrap_or_else(|| content.recommended_models.clone()),
            category: kept(&self.category, &content.category),
            example_text: replaced(&self.example_text, &content.example_text),
            token_estimate: match self.token_estimate {
                Some(new) => new.map(Into::into),
                None => content.token_estimate,
            },
        }
    }
}

/// Change an item.
///
/// Properties that the request does not name keep their values, even if another request changes
/// them at the same time. The texts of a published item are those that moderation has read: to change one, unpublish the
/// item first. Its `recommendedModels` and `tokenEstimate` may change.
#[utoipa::path(
    patch, path = "/library/items/{id}",
    security(("bearer" = ["library:write"])),
    params(PathId<LibraryId>),
    request_body = UpdateLibraryItem,
    responses(
        (status = 200, description = "The changed item.", body = Envelope<LibraryItem>),
        Errors<(code::NotFound, code::ItemPublished, code::ModerationBlocked, code::EditConflict, code::QuotaExceeded)>,
    ),
)]
pub async fn update_library_item(
    State(edge): State<Edge>,
    call: Call<LibraryWrite, (PathId<LibraryId>, Body<UpdateLibraryItem>)>,
) -> Result<Data<LibraryItem>, ApiError> {
    let find = |account, (PathId(id), body): (_, Body<UpdateLibraryItem>)| {
        let edge = &edge;
        async move { Ok((find_own(edge, account, id).await?, body.value)) }
    };
    let (caller, (mut summary, update)) = call.admit_with(find).await?;
    for _ in 0..TRIES {
        let content = update.apply(&summary.item.content);
        let is_public = summary.item.visibility != Visibility::Private;
        if is_public && !content.has_judged_texts_of(&summary.item.content) {
            return Err(ApiError::new(Code::ItemPublished));
        }
        if content == summary.item.content {
            return Ok(Data::new(LibraryItem::new(caller.account(), summary)));
        }
        let moderation = summary.item.moderation.after_edit(&summary.item.content, &content);
        let item = Item {
            content,
            moderation,
            updated_at: edge.clock().now(),
            version: summary.item.version + 1,
            ..summary.item.clone()
        };
        let allowance = &caller.admission.allowance;
        match edge.store().replace_library_item_within(allowance, &summary.item, &item).await? {
            Replaced::Done => {
                summary.item = item;
                return Ok(Data::new(LibraryItem::new(caller.account(), summary)));
            }
            Replaced::Outdated(Some(stands)) => summary.item = *stands,
            Replaced::Outdated(None) => return Err(not_found()),
            Replaced::Blocked => return Err(ApiError::new(Code::ModerationBlocked)),
        }
    }
    Err(ApiError::new(Code::EditConflict))
}
