//! Readable resources: the target models and library items.

use http::StatusCode;
use percent_encoding::percent_decode_str;
use rmcp::{
    ErrorData,
    model::{
        ListResourcesResult, MetaObject, PaginatedRequestParams, ReadResourceResult, Resource,
        ResourceContents, ResourceTemplate,
    },
};
use serde_json::Value;

use crate::{
    api_client::ApiClient, pagination::invalid_cursor, provenance::Source, schema::segment,
};

const MODELS_URI: &str = "prompt-workflow://models";
/// Templates of the addresses of library items, listings and models.
pub(crate) const ITEM_TEMPLATE: &str = "prompt-workflow://library/items/{id}";
pub(crate) const LISTING_TEMPLATE: &str = "prompt-workflow://library/{scope}";
pub(crate) const MODEL_TEMPLATE: &str = "prompt-workflow://models/{name}";
const MODEL_URI_PREFIX: &str = "prompt-workflow://models/";
const ITEM_URI_PREFIX: &str = "prompt-workflow://library/items/";
/// Addresses of items begin with it, too.
pub(crate) const LISTING_URI_PREFIX: &str = "prompt-workflow://library/";
const JSON: &str = "application/json";

/// The models first, then the operator's items, page by page; only the models if the token lacks
/// the library scope. What other users published is not put before a model unasked: a client reads
/// [`LISTING_URI_PREFIX`], or calls the tools.
pub(crate) async fn list(
    api: &ApiClient,
    request: Option<PaginatedRequestParams>,
) -> Result<ListResourcesResult, ErrorData> {
    let cursor = request.and_then(|request| request.cursor);
    let models = cursor.is_none().then(models);
    let page: u32 = match cursor {
        None => 1,
        Some(cursor) => {
            let page = cursor.parse().ok().filter(|page: &u32| page.to_string() == cursor);
            page.filter(|page| *page > 0).ok_or_else(invalid_cursor)?
        }
    };
    let answer = api.get(&format!("/v1/library/items?scope=official&page={page}")).await;
    if answer.is_out_of_scope() && api.is_granted_something() {
        return Ok(ListResourcesResult::with_all_items(models.into_iter().collect()));
    }
    let found = match answer.data() {
        Ok(found) => found,
        Err(refused) if refused.status == StatusCode::BAD_REQUEST => return Err(invalid_cursor()),
        Err(refused) => return Err(api.forward(*refused)),
    };
    let items = found["items"].as_array().into_iter().flatten().map(item);
    let mut listed = ListResourcesResult::with_all_items(models.into_iter().chain(items).collect());
    listed.next_cursor = (found["hasMore"] == true).then(|| (page + 1).to_string());
    Ok(listed)
}

fn models() -> Resource {
    Resource::new(MODELS_URI, "models")
        .with_title("Target models")
        .with_description("The models that prompts can be made for, with guidance for each.")
        .with_mime_type(JSON)
}

fn item(item: &Value) -> Resource {
    let text = |name: &str| item[name].as_str().unwrap_or_default();
    let resource = Resource::new(format!("{ITEM_URI_PREFIX}{}", text("id")), text("id"))
        .with_title(text("title"))
        .with_mime_type(JSON);
    match item["description"].as_str().filter(|text| !text.is_empty()) {
        Some(description) => resource.with_description(description),
        None => resource,
    }
}

/// Templates of any item that the caller may see, of the listings, and of a model.
pub(crate) fn templates() -> Vec<ResourceTemplate> {
    let item = ResourceTemplate::new(ITEM_TEMPLATE, "library-item")
        .with_title("Library item")
        .with_description(
            "An item of the prompt library: the prompt, what it does and how to use it.",
        )
        .with_mime_type(JSON);
    let listing = ResourceTemplate::new(LISTING_TEMPLATE, "library-listing")
        .with_title("Library listing")
        .with_description(
            "The newest items of a listing: `my`, `community`, `official`, `saved` or `upvoted`. \
             The tool list_library_items has further pages.",
        )
        .with_mime_type(JSON);
    let model = ResourceTemplate::new(MODEL_TEMPLATE, "model")
        .with_title("Target model")
        .with_description("A model that prompts can be made for, with guidance for it.")
        .with_mime_type(JSON);
    vec![item, listing, model]
}

/// The resource at a URI.
pub(crate) async fn read(api: &ApiClient, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let unknown = || ErrorData::resource_not_found("There is no such resource.", None);
    let model =
        uri.strip_prefix(MODEL_URI_PREFIX).map(|name| percent_decode_str(name).decode_utf8_lossy());
    let (path, source) =
        if let Some(id) = uri.strip_prefix(ITEM_URI_PREFIX).filter(|id| !id.is_empty()) {
            (format!("/v1/library/items/{}", segment(id)), Some(Source::Library))
        } else if let Some(scope) = uri.strip_prefix(LISTING_URI_PREFIX) {
            (format!("/v1/library/items?scope={}", segment(scope)), Some(Source::Library))
        } else if uri == MODELS_URI || model.is_some() {
            ("/v1/models".to_owned(), None)
        } else {
            return Err(unknown());
        };
    match api.get(&path).await.data() {
        Ok(mut data) => {
            if let Some(name) = model {
                let models = data["items"].as_array_mut().into_iter().flatten();
                let mut named = models.filter(|each| each["name"] == *name);
                data = named.next().map(Value::take).ok_or_else(unknown)?;
            }
            let mut about = MetaObject::new();
            if let Some(source) = source {
                source.mark(&mut data, &mut about);
            }
            let contents = ResourceContents::text(data.to_string(), uri).with_mime_type(JSON);
            Ok(ReadResourceResult::new(vec![contents.with_meta(about)]))
        }
        Err(refused) if matches!(refused.status.as_u16(), 400 | 404) => Err(unknown()),
        Err(refused) => Err(api.forward(*refused)),
    }
}
