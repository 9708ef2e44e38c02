//! Checks messages before the transport reads them: one JSON-RPC 2.0 object, with the stricter
//! rules of the Model Context Protocol for its id and parameters.

use edge::{
    Detail,
    input::{JsonError, parse_json},
};
use http::StatusCode;
use serde_json::{Map, Value, json};

/// JSON-RPC 2.0, section 5.1.
const PARSE_ERROR: i32 = -32700;
pub(crate) const INVALID_REQUEST: i32 = -32600;
const INVALID_PARAMS: i32 = -32602;

/// Why a message is rejected.
#[derive(Debug)]
pub(crate) struct JsonRpcError {
    /// 400, or 200 if the sender waits for a response to its request.
    pub status: StatusCode,
    /// The id of the message, if known.
    pub id: Value,
    pub code: i32,
    pub message: String,
    pub details: Box<[Detail]>,
}

impl JsonRpcError {
    /// An invalid request.
    pub fn invalid(message: &str) -> Self {
        Self {
            status: StatusCode::BAD_REQUEST,
            id: Value::Null,
            code: INVALID_REQUEST,
            message: message.to_owned(),
            details: Box::default(),
        }
    }

    /// The error as a JSON-RPC response.
    pub fn to_json(&self) -> Value {
        let mut error = json!({"code": self.code, "message": self.message});
        if !self.details.is_empty() {
            error["data"] = json!({ "details": self.details });
        }
        json!({"jsonrpc": "2.0", "id": self.id, "error": error})
    }
}

/// The method of a request body, and the message. Its numbers are as in all bodies: `5.0` is the integer `5`.
pub(crate) fn read(body: &[u8]) -> Result<(String, Value), JsonRpcError> {
    let message = parse_json(body).map_err(|unread| match unread {
        JsonError::NotJson(detail) => JsonRpcError {
            code: PARSE_ERROR,
            details: Box::new([detail]),
            ..JsonRpcError::invalid("The body is not JSON.")
        },
        JsonError::Refused(details) => JsonRpcError {
            details: details.into(),
            ..JsonRpcError::invalid("The body is not valid; `details` names every problem.")
        },
    })?;
    match message {
        Value::Object(message) => Ok((method_of(&message)?, message.into())),
        Value::Array(_) => {
            Err(JsonRpcError::invalid("Batches are not supported: send one message per request."))
        }
        _ => Err(JsonRpcError::invalid("The body is not a JSON-RPC 2.0 message.")),
    }
}

fn method_of(message: &Map<String, Value>) -> Result<String, JsonRpcError> {
    if message.get("jsonrpc").is_none_or(|version| version != "2.0") {
        return Err(JsonRpcError::invalid("`jsonrpc` must be \"2.0\"."));
    }
    let id = message.get("id");
    if !id.is_none_or(|id| id.is_string() || id.is_i64()) {
        return Err(JsonRpcError::invalid("`id` must be a string or a whole number."));
    }
    let about = |refused| JsonRpcError { id: id.cloned().unwrap_or_default(), ..refused };
    let Some(method) = message.get("method") else {
        let is_response = message.contains_key("result") || message.contains_key("error");
        return Err(about(JsonRpcError::invalid(if is_response {
            "The server sent no request, so it expects no response."
        } else {
            "`method` is required."
        })));
    };
    let Some(method) = method.as_str() else {
        return Err(about(JsonRpcError::invalid("`method` must be a string.")));
    };
    let params = message.get("params");
    let is_object = |value: &Value| value.is_object() || value.is_null();
    let param = |name| params.and_then(|params| params.get(name));
    let problem = if !params.is_none_or(is_object) || !param("_meta").is_none_or(is_object) {
        Some("`params` and `params._meta` must be objects.")
    } else if method.ends_with("/list")
        && !param("cursor").is_none_or(|cursor| cursor.is_string() || cursor.is_null())
    {
        // The transport would start at the first page.
        Some("`params.cursor` must be a string.")
    } else {
        None
    };
    if let Some(problem) = problem {
        let refused = about(JsonRpcError::invalid(problem));
        // A request gets a response; an invalid notification can only be reported by the HTTP
        // status.
        let status = if id.is_some() { StatusCode::OK } else { StatusCode::BAD_REQUEST };
        return Err(JsonRpcError { status, code: INVALID_PARAMS, ..refused });
    }
    Ok(method.to_owned())
}
