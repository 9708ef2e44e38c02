//! Tool calls: arguments become a request to the operation, its response becomes the result.

use axum::body::Body;
use domain::response_size;
use edge::input::{DeclaredOnly, KeyLifetime};
use http::{HeaderName, HeaderValue, Request, StatusCode, header};
use rmcp::{
    ErrorData, RoleServer,
    model::{CallToolRequestParams, CallToolResult, ContentBlock, JsonObject, MetaObject},
    service::RequestContext,
};
use serde_json::{Value, json};

use crate::{
    api_client::{ApiClient, ApiResponse},
    idempotency_key::{self, Message},
    progress::Progress,
    registry::{ApiTool, ToolRegistry},
    schema::{ASYNC, KEY, ParameterLocation, segment},
};

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const PREFER: HeaderName = HeaderName::from_static("prefer");

/// Calls a tool.
///
/// # Errors
///
/// There is no such tool, or the response is forwarded as the HTTP response.
pub(crate) async fn call(
    api: &ApiClient,
    request: CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResult, ErrorData> {
    let Some(tool) = ToolRegistry::get().tool(&request.name) else {
        let message = format!("There is no tool {}.", request.name);
        return Err(ErrorData::invalid_params(message, None));
    };
    let arguments = request.arguments.unwrap_or_default();
    let made = build_request(tool, arguments, api.session.is_none(), |arguments| {
        let message = Message {
            client: api.internal.token().map_or("", |token| &token.claims.client_id),
            session: api.session.as_deref(),
            id: json!(context.id),
            meta: json!(context.meta),
        };
        idempotency_key::derived(message, &tool.tool.name, arguments)
    });
    let request = match made {
        Ok(request) => request,
        Err(problems) => {
            return Ok(tool_error(&json!({
                "code": "invalid_request",
                "message": "The arguments are not valid; `details` names every problem.",
                "details": problems,
            })));
        }
    };
    let mut progress = Progress::of(context).filter(|_| tool.operation.is_keyed);
    let sent = api.send(request);
    let answer = match &mut progress {
        Some(progress) => progress.follow(api, sent).await,
        None => sent.await,
    };
    result(api, tool, answer)
}

/// The request of a call, or every problem that prevents it. Anything that the API can validate is
/// left to the API. `is_sessionless`: the call belongs to no session.
fn build_request(
    tool: &ApiTool,
    mut arguments: JsonObject,
    is_sessionless: bool,
    derive_key: impl FnOnce(&Value) -> String,
) -> Result<Request<Body>, Vec<Value>> {
    let operation = &tool.operation;
    let mut problems = Vec::new();
    let mut problem = |name: &str, message: &str| {
        problems.push(json!({"path": format!("/{name}"), "message": message}));
    };
    let (mut headers, mut key_lifetime) = (Vec::new(), None);
    if operation.is_keyed {
        let key = match arguments.remove(KEY) {
            None | Some(Value::Null) => {
                key_lifetime =
                    is_sessionless.then_some(KeyLifetime(idempotency_key::SESSIONLESS_LIFETIME));
                Some(derive_key(&Value::Object(arguments.clone())))
            }
            Some(Value::String(key)) => Some(key),
            Some(_) => None,
        };
        match key.map(|key| HeaderValue::from_bytes(key.as_bytes())) {
            Some(Ok(key)) => headers.push((IDEMPOTENCY_KEY, key)),
            Some(Err(_)) => problem(KEY, "must not have control characters"),
            None => problem(KEY, "must be a string"),
        }
    }
    if operation.is_deferrable {
        match arguments.remove(ASYNC) {
            None | Some(Value::Null | Value::Bool(false)) => {}
            Some(Value::Bool(true)) => {
                headers.push((PREFER, HeaderValue::from_static("respond-async")));
            }
            Some(_) => problem(ASYNC, "must be a boolean"),
        }
    }
    let mut path = operation.path.clone();
    let mut query = JsonObject::new();
    for (place, name) in &operation.parameters {
        match (place, arguments.remove(name)) {
            (ParameterLocation::Path, Some(Value::String(text))) if text.is_empty() => {
                problem(name, "must have at least 1 character");
            }
            (ParameterLocation::Path, Some(Value::String(text))) => {
                path = path.replace(&format!("{{{name}}}"), &segment(&text));
            }
            (ParameterLocation::Path, None) => problem(name, "is required"),
            (ParameterLocation::Path, Some(_)) => problem(name, "must be a string"),
            (ParameterLocation::Query, None | Some(Value::Null)) => {}
            (ParameterLocation::Query, Some(value)) => {
                query.insert(name.clone(), value);
            }
        }
    }
    // The API refuses an unknown argument with its other findings; without body or query nothing takes it there.
    if operation.has_query() && !operation.has_body {
        query.append(&mut arguments);
    } else if !operation.has_body {
        arguments.keys().for_each(|name| problem(name, "is not a known parameter"));
    }
    let declared = DeclaredOnly { query };
    let mut request = Request::builder().method(&operation.method).uri(path).extension(declared);
    for (name, value) in headers {
        request = request.header(name, value);
    }
    if let Some(lifetime) = key_lifetime {
        request = request.extension(lifetime);
    }
    let body = if operation.has_body {
        request = request.header(header::CONTENT_TYPE, "application/json");
        Body::from(Value::Object(arguments).to_string())
    } else {
        Body::empty()
    };
    match request.body(body) {
        Ok(request) if problems.is_empty() => Ok(request),
        Ok(_) => Err(problems),
        Err(error) => Err(vec![json!({"path": "", "message": error.to_string()})]),
    }
}

/// The result of a call with this response.
fn result(
    api: &ApiClient,
    tool: &ApiTool,
    answer: ApiResponse,
) -> Result<CallToolResult, ErrorData> {
    let operation = api.internal.operation().filter(|_| tool.operation.is_keyed);
    let mut about = result_meta(&answer);
    match (answer.status, operation) {
        // No model can fix these, and the monitoring must see them.
        (StatusCode::UNAUTHORIZED | StatusCode::INTERNAL_SERVER_ERROR, _) => {
            return Err(api.forward(answer));
        }
        _ if answer.is_out_of_scope() => return Err(api.forward(answer)),
        // The operation takes longer than a call may, or the call repeats one that started it.
        (_, Some(operation))
            if matches!(answer.code(), "provider_timeout" | "idempotency_in_progress") =>
        {
            return Ok(structured(still_running(operation, "RUNNING"), about));
        }
        _ => {}
    }
    let is_accepted = answer.status == StatusCode::ACCEPTED;
    Ok(match answer.data() {
        Ok(data) if is_accepted => {
            let operation = data["id"].as_str().unwrap_or_default();
            structured(still_running(operation, "PENDING"), about)
        }
        Ok(mut data) => {
            if let Some(source) = tool.source {
                source.mark(&mut data, &mut about);
            }
            structured(data, about)
        }
        Err(refused) => {
            let mut error = refused.body["error"].clone();
            map_to_arguments(&mut error);
            if let Some(seconds) = number(&refused, &header::RETRY_AFTER) {
                error["retryAfterSeconds"] = seconds.into();
            }
            let mut result = tool_error(&error);
            result.meta = Some(about);
            result
        }
    })
}

fn number(answer: &ApiResponse, header: &HeaderName) -> Option<u64> {
    answer.headers.get(header)?.to_str().ok()?.parse().ok()
}

/// Metadata of a result: the request id and whether it was replayed.
fn result_meta(answer: &ApiResponse) -> MetaObject {
    let mut about = MetaObject::new();
    about.0.insert("requestId".to_owned(), answer.body["requestId"].clone());
    if answer.headers.contains_key("idempotent-replayed") {
        about.0.insert("idempotentReplayed".to_owned(), true.into());
    }
    about
}

fn still_running(operation: impl ToString, status: &str) -> Value {
    json!({
        "operationId": operation.to_string(),
        "status": status,
        "next": "Call get_operation with this operationId as id, in a few seconds and until its status is SUCCEEDED, FAILED or CANCELLED.",
    })
}

/// A result as data and, for clients without structured results, as text. A result too large to
/// send twice is sent as data only.
fn structured(data: Value, about: MetaObject) -> CallToolResult {
    let text = data.to_string();
    let mut result = CallToolResult::default();
    result.is_error = Some(false);
    result.meta = Some(about);
    let as_text = Value::from(text.as_str()).to_string();
    let both = response_size::escaped_len(text.as_bytes())
        + response_size::escaped_len(as_text.as_bytes());
    result.content = vec![ContentBlock::text(if both <= response_size::RESPONSE_MAX {
        text
    } else {
        "The result is too large to be sent twice: see structuredContent.".to_owned()
    })];
    result.structured_content = Some(data);
    result
}

/// An error for the model. It is not structured content: that would have to satisfy the schema of
/// results.
fn tool_error(error: &Value) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(json!({ "error": error }).to_string())])
}

/// Locates problems at the arguments that the parts of the request came from.
fn map_to_arguments(error: &mut Value) {
    for detail in error["details"].as_array_mut().into_iter().flatten() {
        let path = detail["path"].as_str().unwrap_or_default();
        let argument = match path.split_once('.') {
            Some(("path" | "query", name)) => name,
            Some(("header", "Idempotency-Key")) => KEY,
            Some(("header", "Prefer")) => ASYNC,
            _ => continue,
        };
        detail["path"] = format!("/{argument}").into();
    }
}
