//! Routers and handlers as AWS Lambda functions.

use axum::Router;
use lambda_http::{
    Adapter, LambdaEvent, lambda_runtime, request::LambdaRequest, tower::ServiceExt,
};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

/// What does not stand in the query of a URI (RFC 3986, section 3.4).
const QUERY: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'<').add(b'>').add(b'`').add(b'{').add(b'}');
/// What does not stand in its path.
const PATH: &AsciiSet = &QUERY.add(b'?').add(b'\\').add(b'^').add(b'|').add(b'[').add(b']');

/// Serves a router on events of an API Gateway HTTP API until the environment shuts down.
pub async fn serve(router: Router) -> Result<(), lambda_http::Error> {
    let readable = |LambdaEvent { payload, context }| LambdaEvent::new(readable(payload), context);
    lambda_runtime::run(Adapter::from(router).map_request(readable)).await
}

/// The event with a path and a query that make a URI. API Gateway decodes the path, and passes on a query as it was
/// sent; what is no URI stops the function in the middle of its answer.
pub fn readable(mut event: LambdaRequest) -> LambdaRequest {
    if let LambdaRequest::ApiGatewayV2(request) = &mut event {
        let encoded = |text: &str, set| utf8_percent_encode(text, set).to_string();
        request.raw_path = request.raw_path.take().map(|path| encoded(&path, PATH));
        request.raw_query_string =
            request.raw_query_string.take().map(|query| encoded(&query, QUERY));
    }
    event
}
