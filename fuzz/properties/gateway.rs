//! Events as API Gateway sends them.

use edge::runtime::lambda;
use lambda_http::{Request, http::HeaderValue, request::LambdaRequest};

/// The request of any event of an HTTP API. What a client cannot choose is as API Gateway sets it: host and protocol,
/// the stage, a path that begins with a slash, and the encoding of the body.
pub fn request(event: &[u8]) -> Option<Request> {
    let mut event = serde_json::from_slice(event).ok()?;
    if let LambdaRequest::ApiGatewayV2(request) = &mut event {
        request.headers.insert("host", HeaderValue::from_static("api.example.com"));
        request.headers.insert("x-forwarded-proto", HeaderValue::from_static("https"));
        request.request_context.stage = Some("$default".to_owned());
        let path = request.raw_path.take().unwrap_or_default();
        request.raw_path = Some(format!("/{}", path.trim_start_matches('/')));
        request.is_base64_encoded = false;
    }
    Some(lambda::readable(event).into())
}
