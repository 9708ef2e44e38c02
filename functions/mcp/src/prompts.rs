//! Presets as prompts: the variables of a preset are the prompt's arguments.

use axum::body::Body;
use http::{Method, Request, StatusCode, header};
use rmcp::{
    ErrorData, RoleServer,
    model::{
        GetPromptRequestParams, GetPromptResponse, GetPromptResult, ListPromptsResult,
        PaginatedRequestParams, Prompt, PromptArgument, PromptMessage, Role,
    },
    service::RequestContext,
};
use serde_json::{Value, json};

use crate::{
    api_client::ApiClient,
    elicitation::{self, Answer},
    pagination::invalid_cursor,
    schema::segment,
};

/// Presets per page.
const PAGE: u64 = 100;
/// Most characters of a text in a description.
const SHOWN: usize = 200;

/// A page of the caller's presets; empty if the token lacks the scope.
pub(crate) async fn list(
    api: &ApiClient,
    request: Option<PaginatedRequestParams>,
) -> Result<ListPromptsResult, ErrorData> {
    let cursor = request.and_then(|request| request.cursor);
    let offset: u32 = match cursor {
        None => 0,
        Some(cursor) => {
            let offset = cursor.parse().ok();
            offset.filter(|offset: &u32| offset.to_string() == cursor).ok_or_else(invalid_cursor)?
        }
    };
    let answer = api.get(&format!("/v1/prompt-presets?limit={PAGE}&offset={offset}")).await;
    if answer.is_out_of_scope() && api.is_granted_something() {
        return Ok(ListPromptsResult::default());
    }
    let page = match answer.data() {
        Ok(page) => page,
        Err(refused) if refused.status == StatusCode::BAD_REQUEST => return Err(invalid_cursor()),
        Err(refused) => return Err(api.forward(*refused)),
    };
    let presets = page["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut listed = ListPromptsResult::with_all_items(presets.iter().map(prompt).collect());
    if page["hasMore"] == true {
        listed.next_cursor = Some((u64::from(offset) + presets.len() as u64).to_string());
    }
    Ok(listed)
}

/// A preset as a prompt. Its name is the identifier, since preset names may repeat.
fn prompt(preset: &Value) -> Prompt {
    let text = |name: &str| preset[name].as_str().unwrap_or_default();
    let variables = preset["variables"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let arguments = variables.map(|name| match preset["values"][name].as_str() {
        Some(saved) => {
            let description = format!("Without it, the saved value: {}", shown(saved));
            PromptArgument::new(name).with_description(description).with_required(false)
        }
        None => PromptArgument::new(name).with_required(true),
    });
    let description = match preset["templateTitle"].as_str() {
        Some(title) => format!("{title}: {}", shown(text("promptText"))),
        None => shown(text("promptText")),
    };
    Prompt::new(text("id"), Some(description), Some(arguments.collect())).with_title(text("name"))
}

fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A preset, rendered with the arguments. Unlike in the REST API, every variable needs a value: the
/// user is asked for it where the client can do that, and otherwise it is an error.
pub(crate) async fn get(
    api: &ApiClient,
    request: GetPromptRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<GetPromptResponse, ErrorData> {
    if request.name.is_empty() {
        return Err(ErrorData::invalid_params("`name` must have at least 1 character.", None));
    }
    let mut values = request.arguments.unwrap_or_default();
    let mut may_ask = elicitation::is_offered(context);
    match Answer::of(request.input_responses) {
        Answer::None => {}
        Answer::Given(answered) => {
            for (name, value) in answered {
                values.entry(name).or_insert(value);
            }
        }
        Answer::Refused => may_ask = false,
    }
    let body = json!({ "values": values }).to_string();
    let rendering = Request::builder()
        .method(Method::POST)
        .uri(format!("/v1/prompt-presets/{}/render", segment(&request.name)))
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from(body))
        .map_err(|error| ErrorData::invalid_params(error.to_string(), None))?;
    let rendered = match api.send(rendering).await.data() {
        Ok(rendered) => rendered,
        Err(refused) if refused.status == StatusCode::NOT_FOUND => {
            return Err(ErrorData::invalid_params("There is no such prompt.", None));
        }
        Err(refused) if refused.status == StatusCode::BAD_REQUEST => {
            let message = refused.body["error"]["message"].as_str().unwrap_or_default().to_owned();
            return Err(ErrorData::invalid_params(message, Some(refused.body["error"].clone())));
        }
        Err(refused) => return Err(api.forward(*refused)),
    };
    let missing: Vec<_> = rendered["missingVariables"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    if !missing.is_empty() && may_ask {
        return Ok(elicitation::question(&missing).into());
    }
    if !missing.is_empty() {
        let message = format!("Required arguments are missing: {}.", missing.join(", "));
        return Err(ErrorData::invalid_params(message, None));
    }
    let text = rendered["text"].as_str().unwrap_or_default();
    Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]).into())
}
