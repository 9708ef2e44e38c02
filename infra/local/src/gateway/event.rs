//! Requests as Lambda events, and function results as responses.

use std::{collections::BTreeMap, str::FromStr};

use axum::{
    body::Body,
    extract::RawPathParams,
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header, request::Parts},
    response::Response,
};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use domain::Clock;
use edge::runtime::SystemClock;
use serde::Deserialize;
use serde_json::{Value, json};

/// The event of a request to the route `key`.
pub fn from_request(key: &str, request: &Parts, parameters: &RawPathParams, body: &[u8]) -> Value {
    let header = |name| request.headers.get(name).and_then(|value| value.to_str().ok());
    let (path, host) = (request.uri.path(), header(header::HOST).unwrap_or("127.0.0.1"));
    let query = request.uri.query().unwrap_or_default();
    let now = SystemClock.now();
    let mut event = json!({
        "version": "2.0",
        "routeKey": key,
        "rawPath": path,
        "rawQueryString": query,
        "headers": headers(&request.headers),
        "requestContext": {
            "accountId": "123456789012",
            "apiId": "local",
            "domainName": host,
            "domainPrefix": host.split('.').next(),
            "http": {
                "method": request.method.as_str(),
                "path": path,
                "protocol": "HTTP/1.1",
                "sourceIp": "127.0.0.1",
                "userAgent": header(header::USER_AGENT),
            },
            "requestId": format!("local-{}", now.millis()),
            "routeKey": key,
            "stage": "$default",
            "timeEpoch": now.millis(),
        },
        "isBase64Encoded": false,
    });
    let joined = |pairs: Vec<(String, String)>| {
        pairs.into_iter().fold(BTreeMap::<String, String>::new(), |mut joined, (name, value)| {
            joined
                .entry(name)
                .and_modify(|before| *before = format!("{before},{value}"))
                .or_insert(value);
            joined
        })
    };
    if !query.is_empty() {
        let pairs = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        event["queryStringParameters"] = json!(joined(pairs));
    }
    let parameters: BTreeMap<_, _> = parameters.iter().collect();
    if !parameters.is_empty() {
        event["pathParameters"] = json!(parameters);
    }
    let cookies: Vec<_> = request
        .headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|line| line.split("; "))
        .collect();
    if !cookies.is_empty() {
        event["cookies"] = json!(cookies);
    }
    let kind = header(header::CONTENT_TYPE).unwrap_or_default();
    match std::str::from_utf8(body) {
        Ok("") => {}
        Ok(text) if is_text(kind) => event["body"] = text.into(),
        _ => {
            event["body"] = BASE64_STANDARD.encode(body).into();
            event["isBase64Encoded"] = true.into();
        }
    }
    event
}

/// Headers with one value each; repeated ones are joined by commas. Cookies have a separate field.
fn headers(headers: &HeaderMap) -> BTreeMap<&str, String> {
    let mut joined = BTreeMap::<&str, String>::new();
    for (name, value) in headers.iter().filter(|(name, _)| *name != header::COOKIE) {
        let value = String::from_utf8_lossy(value.as_bytes());
        joined
            .entry(name.as_str())
            .and_modify(|before| *before = format!("{before},{value}"))
            .or_insert_with(|| value.into_owned());
    }
    joined
}

/// Whether bodies of this content type are passed on as text.
fn is_text(content_type: &str) -> bool {
    let kind = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    kind.starts_with("text/")
        || ["application/json", "application/xml", "application/javascript"].contains(&&*kind)
}

/// A function's result, as far as an HTTP API reads it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    status_code: u16,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    #[serde(default)]
    cookies: Vec<String>,
    body: Option<String>,
    #[serde(default)]
    is_base64_encoded: bool,
}

/// The response from a function's result.
///
/// # Errors
///
/// It is not a result in the format of an HTTP API.
pub fn to_response(json: &[u8]) -> Result<Response, Box<dyn std::error::Error>> {
    let answer: Answer = serde_json::from_slice(json)?;
    let body = answer.body.unwrap_or_default();
    let body = match answer.is_base64_encoded {
        true => BASE64_STANDARD.decode(body)?,
        false => body.into_bytes(),
    };
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = StatusCode::from_u16(answer.status_code)?;
    for (name, value) in &answer.headers {
        // As API Gateway may: clients have to find it under both names.
        let is_challenge = name.eq_ignore_ascii_case("www-authenticate");
        let name = if is_challenge { "x-amzn-remapped-www-authenticate" } else { name.as_str() };
        // The server computes the length of the body.
        if !name.eq_ignore_ascii_case("content-length") {
            let (name, value) = (HeaderName::from_str(name)?, HeaderValue::from_str(value)?);
            response.headers_mut().insert(name, value);
        }
    }
    for cookie in &answer.cookies {
        response.headers_mut().append(header::SET_COOKIE, HeaderValue::from_str(cookie)?);
    }
    Ok(response)
}
