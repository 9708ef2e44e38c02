//! Completions of arguments: saved values for a prompt's variables, and names for resource templates.

use rmcp::{
    ErrorData,
    model::{CompleteRequestParams, CompleteResult, CompletionInfo, Reference},
};
use serde_json::Value;

use crate::{api_client::ApiClient, registry::ToolRegistry, resources};

/// Most characters of a suggested value: a client shows it in a menu.
const VALUE_MAX: usize = 1000;

/// What an argument may be, best first.
struct Candidates {
    values: Vec<String>,
    /// Whether there are more that were not looked at.
    is_partial: bool,
}

/// Completes an argument with what was typed of it so far.
pub(crate) async fn complete(
    api: &ApiClient,
    request: CompleteRequestParams,
) -> Result<CompleteResult, ErrorData> {
    let argument = &request.argument;
    let candidates = match &request.r#ref {
        Reference::Prompt(prompt) => saved_values(api, &prompt.name, &argument.name).await?,
        Reference::Resource(template) => names(api, &template.uri, &argument.name).await?,
        _ => return Err(ErrorData::invalid_params("There is no such reference.", None)),
    };
    suggestions(candidates, &argument.value).map(CompleteResult::new)
}

/// Values of a variable in the caller's presets: first those of the preset itself, then those of
/// the others, newest first. It is one page of presets, since a message is one request.
async fn saved_values(
    api: &ApiClient,
    prompt: &str,
    variable: &str,
) -> Result<Candidates, ErrorData> {
    let limit = CompletionInfo::MAX_VALUES;
    let answer = api.get(&format!("/v1/prompt-presets?limit={limit}")).await;
    let page = answer.data().map_err(|refused| api.forward(*refused))?;
    let presets = page["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    let own = presets.iter().find(|preset| preset["id"] == prompt);
    let is_partial = page["hasMore"] == true;
    if own.is_none() && !is_partial {
        return Err(ErrorData::invalid_params("There is no such prompt.", None));
    }
    let saved = own.into_iter().chain(presets);
    let saved = saved.filter_map(|preset| preset["values"][variable].as_str());
    let mut values: Vec<String> = Vec::new();
    for value in saved.filter(|value| value.chars().nth(VALUE_MAX).is_none()) {
        if !values.iter().any(|known| known == value) {
            values.push(value.to_owned());
        }
    }
    Ok(Candidates { values, is_partial })
}

/// Names that a variable of a resource template may have.
async fn names(api: &ApiClient, template: &str, variable: &str) -> Result<Candidates, ErrorData> {
    let values = match (template, variable) {
        (resources::MODEL_TEMPLATE, "name") => {
            let answer = api.get("/v1/models").await;
            let models = answer.data().map_err(|refused| api.forward(*refused))?;
            texts(models["items"].as_array().into_iter().flatten().map(|model| &model["name"]))
        }
        (resources::LISTING_TEMPLATE, "scope") => {
            let tool = ToolRegistry::get().tool("list_library_items");
            let scope = tool.map(|tool| &tool.tool.input_schema["properties"]["scope"]["enum"]);
            texts(scope.and_then(Value::as_array).into_iter().flatten())
        }
        // Titles would help, but the argument is the identifier.
        (resources::ITEM_TEMPLATE, "id") => Vec::new(),
        _ => {
            let message = "There is no such argument of a resource template.";
            return Err(ErrorData::invalid_params(message, None));
        }
    };
    Ok(Candidates { values, is_partial: false })
}

fn texts<'a>(values: impl Iterator<Item = &'a Value>) -> Vec<String> {
    values.filter_map(Value::as_str).map(ToOwned::to_owned).collect()
}

/// The candidates that begin with what was typed, then those that have it elsewhere, ignoring case.
fn suggestions(candidates: Candidates, typed: &str) -> Result<CompletionInfo, ErrorData> {
    let typed = typed.to_lowercase();
    let found = candidates.values.into_iter().filter_map(|value| {
        let at = value.to_lowercase().find(&typed)?;
        Some((at > 0, value))
    });
    let (later, first): (Vec<_>, Vec<_>) = found.partition(|(is_later, _)| *is_later);
    let mut values: Vec<_> = first.into_iter().chain(later).map(|(_, value)| value).collect();
    let total = (!candidates.is_partial).then_some(values.len() as u32);
    let has_more = candidates.is_partial || values.len() > CompletionInfo::MAX_VALUES;
    values.truncate(CompletionInfo::MAX_VALUES);
    CompletionInfo::with_pagination(values, total, has_more)
        .map_err(|error| ErrorData::internal_error(error, None))
}
