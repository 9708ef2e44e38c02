//! Readable resources: the target models and library items.

use http::StatusCode;
use rmcp::{
    ErrorData,
    model::{
        ListResourcesResult, PaginatedRequestParams, ReadResourceResult, Resource,
        ResourceContents, ResourceTemplate,
    },
};
use serde_json::Value;

use crate::{api_client::ApiClient, pagination::invalid_cursor, schema::segment};

const MODELS: &str = "prompt-workflow://models";
/// Beginning of the addresses of library items.
pub(crate) const ITEMS: &str = "prompt-workflow://library/items/";
const JSON: &str = "application/json";

/// The listings, in this order; the tools find the caller's own items.
const LISTINGS: [&str; 2] = ["official", "community"];

/// The position in the list: `<listing>:<page>`.
fn parse_cursor(cursor: &str) -> Option<(usize, u32)> {
    let (listing, page) = cursor.split_once(':')?;
    let listing = LISTINGS.iter().position(|known| *known == listing)?;
    let page = page.parse().ok().filter(|page| *page > 0)?;
    (cursor == format_cursor(listing, page)).then_some((listing, page))
}

fn format_cursor(listing: usize, page: u32) -> String {
    format!("{}:{page}", LISTINGS[listing])
}

/// The models first, then one page of a listing at a time; only the models if the token lacks the
/// library scope.
pub(crate) async fn list(
    api: &ApiClient,
    request: Option<PaginatedRequestParams>,
) -> Result<ListResourcesResult, ErrorData> {
    let cursor = request.and_then(|request| request.cursor);
    let models = cursor.is_none().then(models);
    let (listing, page) = match cursor {
        None => (0, 1),
        Some(cursor) => parse_cursor(&cursor).ok_or_else(invalid_cursor)?,
    };
    let path = format!("/v1/library/items?scope={}&page={page}", LISTINGS[listing]);
    let answer = api.get(&path).await;
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
    listed.next_cursor = if found["hasMore"] == true {
        Some(format_cursor(listing, page + 1))
    } else {
        (listing + 1 < LISTINGS.len()).then(|| format_cursor(listing + 1, 1))
    };
    Ok(listed)
}

fn models() -> Resource {
    Resource::new(MODELS, "models")
        .with_title("Target models")
        .with_description("The models that prompts can be made for, with guidance for each.")
        .with_mime_type(JSON)
}

fn item(item: &Value) -> Resource {
    let text = |name: &str| item[name].as_str().unwrap_or_default();
    let resource = Resource::new(format!("{ITEMS}{}", text("id")), text("id"))
        .with_title(text("title"))
        .with_mime_type(JSON);
    match item["description"].as_str().filter(|text| !text.is_empty()) {
        Some(description) => resource.with_description(description),
        None => resource,
    }
}

/// Template of any item that the caller may see.
pub(crate) fn template() -> ResourceTemplate {
    ResourceTemplate::new(format!("{ITEMS}{{id}}"), "library-item")
        .with_title("Library item")
        .with_description(
            "An item of the prompt library: the prompt, what it does and how to use it.",
        )
        .with_mime_type(JSON)
}

/// The resource at a URI.
pub(crate) async fn read(api: &ApiClient, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let unknown = || ErrorData::resource_not_found("There is no such resource.", None);
    let path = match uri.strip_prefix(ITEMS) {
        Some(id) if !id.is_empty() => format!("/v1/library/items/{}", segment(id)),
        _ if uri == MODELS => "/v1/models".to_owned(),
        _ => return Err(unknown()),
    };
    match api.get(&path).await.data() {
        Ok(data) => {
            let contents = ResourceContents::text(data.to_string(), uri).with_mime_type(JSON);
            Ok(ReadResourceResult::new(vec![contents]))
        }
        Err(refused) if matches!(refused.status.as_u16(), 400 | 404) => Err(unknown()),
        Err(refused) => Err(api.forward(*refused)),
    }
}
