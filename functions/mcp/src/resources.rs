//! What can be read: the target models, and items of the library.

use http::StatusCode;
use rmcp::{
    ErrorData,
    model::{
        ListResourcesResult, PaginatedRequestParams, ReadResourceResult, Resource,
        ResourceContents, ResourceTemplate,
    },
};
use serde_json::Value;

use crate::{handler::no_cursor, schema::segment, visit::Visit};

const MODELS: &str = "prompt-workflow://models";
const ITEMS: &str = "prompt-workflow://library/items/";
const JSON: &str = "application/json";

/// The shelves that are listed, in this order; one's own items are found by the tools.
const SHELVES: [&str; 2] = ["official", "community"];

/// Where a list goes on: `<shelf>:<page>`.
fn place(cursor: &str) -> Option<(usize, u32)> {
    let (shelf, page) = cursor.split_once(':')?;
    let shelf = SHELVES.iter().position(|known| *known == shelf)?;
    let page = page.parse().ok().filter(|page| *page > 0)?;
    (cursor == cursor_at(shelf, page)).then_some((shelf, page))
}

fn cursor_at(shelf: usize, page: u32) -> String {
    format!("{}:{page}", SHELVES[shelf])
}

/// The models first, then a page of a shelf at a time; the models alone if the token does not reach the
/// library.
pub(crate) async fn list(
    visit: &Visit,
    request: Option<PaginatedRequestParams>,
) -> Result<ListResourcesResult, ErrorData> {
    let cursor = request.and_then(|request| request.cursor);
    let models = cursor.is_none().then(models);
    let (shelf, page) = match cursor {
        None => (0, 1),
        Some(cursor) => place(&cursor).ok_or_else(no_cursor)?,
    };
    let path = format!("/v1/library/items?scope={}&page={page}", SHELVES[shelf]);
    let answer = visit.get(&path).await;
    if answer.is_out_of_scope() && visit.is_granted_something() {
        return Ok(ListResourcesResult::with_all_items(models.into_iter().collect()));
    }
    let found = match answer.data() {
        Ok(found) => found,
        Err(refused) if refused.status == StatusCode::BAD_REQUEST => return Err(no_cursor()),
        Err(refused) => return Err(visit.hand_on(*refused)),
    };
    let items = found["items"].as_array().into_iter().flatten().map(item);
    let mut listed = ListResourcesResult::with_all_items(models.into_iter().chain(items).collect());
    listed.next_cursor = if found["hasMore"] == true {
        Some(cursor_at(shelf, page + 1))
    } else {
        (shelf + 1 < SHELVES.len()).then(|| cursor_at(shelf + 1, 1))
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

/// Any item that the caller may see.
pub(crate) fn template() -> ResourceTemplate {
    ResourceTemplate::new(format!("{ITEMS}{{id}}"), "library-item")
        .with_title("Library item")
        .with_description(
            "An item of the prompt library: the prompt, what it does and how to use it.",
        )
        .with_mime_type(JSON)
}

/// What an address names.
pub(crate) async fn read(visit: &Visit, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let unknown = || ErrorData::resource_not_found("There is no such resource.", None);
    let path = match uri.strip_prefix(ITEMS) {
        Some(id) if !id.is_empty() => format!("/v1/library/items/{}", segment(id)),
        _ if uri == MODELS => "/v1/models".to_owned(),
        _ => return Err(unknown()),
    };
    match visit.get(&path).await.data() {
        Ok(data) => {
            let contents = ResourceContents::text(data.to_string(), uri).with_mime_type(JSON);
            Ok(ReadResourceResult::new(vec![contents]))
        }
        Err(refused) if matches!(refused.status.as_u16(), 400 | 404) => Err(unknown()),
        Err(refused) => Err(visit.hand_on(*refused)),
    }
}
