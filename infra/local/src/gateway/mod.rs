//! `cargo run -- gateway`: an API Gateway HTTP API in front of functions that run under the runtime
//! interface emulator.
//!
//! Events and results have payload format 2.0:
//! <https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html>.
//! A function gets one event at a time, since an emulator has only one environment.

mod event;
mod routes;

use std::{collections::BTreeMap, error::Error, future::pending, sync::Arc, time::Duration};

use axum::{
    Json, Router,
    body::{Body, to_bytes},
    extract::{Path, RawPathParams, Request, State},
    http::{StatusCode, header},
    middleware,
    response::{IntoResponse, Response},
    routing::{any, post},
};
use embedded::web_pages;
use local::{
    remote_function::{InvocationError, RemoteFunction},
    server::{self, Bounds},
};
use serde_json::json;
use tokio::{net::TcpListener, sync::Mutex};

use crate::options::Gateway;

/// Most bytes of a request body.
const MAX_BODY: usize = 10 * 1024 * 1024;
/// Most bytes of a function's event.
const MAX_EVENT: usize = 6 * 1024 * 1024;
/// How long the gateway waits for a function.
const INTEGRATION_TIMEOUT: Duration = Duration::from_secs(30);
/// The name of every function under the emulator.
const EMULATED: &str = "function";

/// A function and the lock that serialises its invocations.
struct Function {
    remote: RemoteFunction,
    turn: Arc<Mutex<()>>,
}

impl Function {
    /// Invokes it once it is idle. A running invocation is finished even if the caller disconnects.
    async fn invoke(&self, event: Vec<u8>) -> Option<Result<Vec<u8>, InvocationError>> {
        let turn = self.turn.clone().lock_owned().await;
        let remote = self.remote.clone();
        let work = tokio::spawn(async move {
            let answer = remote.invoke(event).await;
            drop(turn);
            answer
        });
        tokio::time::timeout(INTEGRATION_TIMEOUT, work).await.ok()?.ok()
    }
}

type Functions = Arc<BTreeMap<String, Arc<Function>>>;

/// A route of the gateway.
#[derive(Clone)]
struct Route {
    key: Arc<str>,
    function: Arc<Function>,
}

/// Serves the routes of the workspace until `stop` resolves.
///
/// # Errors
///
/// The port is in use, or a route needs a function that was not named.
pub async fn run(options: &Gateway, stop: impl Future<Output = ()>) -> Result<(), Box<dyn Error>> {
    let mut functions = BTreeMap::new();
    for (name, address) in &options.functions {
        let remote = RemoteFunction::new(address, EMULATED)?;
        let function = Function { remote, turn: Arc::default() };
        functions.insert(name.clone(), Arc::new(function));
    }
    let functions: Functions = Arc::new(functions);
    let mut app = Router::new();
    let route = |key: String, name: &str| match functions.get(name) {
        Some(function) => Ok(Route { key: key.into(), function: function.clone() }),
        None => Err(format!("{key} needs the function {name}; name its address with --functions.")),
    };
    for (path, name) in routes::of_workspace()? {
        let key =
            if path == routes::DEFAULT { "$default".to_owned() } else { format!("ANY {path}") };
        let route = route(key, &name)?;
        app = app.route(&path, any(call).with_state(route));
    }
    // Web pages call the API, which allows any origin; no page invokes functions.
    let invoke = post(invoke).with_state(functions).layer(middleware::from_fn(web_pages::refuse));
    let app = app.route("/2015-03-31/functions/{function}/invocations", invoke);
    let listener = TcpListener::bind(("127.0.0.1", options.port)).await?;
    println!("http://{}/v1", listener.local_addr()?);
    tokio::select! {
        () = server::serve(listener, app, Bounds::default(), pending()) => {}
        () = stop => {}
    }
    Ok(())
}

/// A response that the gateway makes itself.
fn gateway_error(status: StatusCode, message: &str) -> Response {
    (status, Json(json!({"message": message}))).into_response()
}

async fn call(State(route): State<Route>, parameters: RawPathParams, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let Ok(body) = to_bytes(body, MAX_BODY).await else {
        return gateway_error(StatusCode::PAYLOAD_TOO_LARGE, "Request Entity Too Large");
    };
    let event = event::from_request(&route.key, &head, &parameters, &body).to_string().into_bytes();
    if event.len() > MAX_EVENT {
        return gateway_error(StatusCode::PAYLOAD_TOO_LARGE, "Request Too Long");
    }
    match route.function.invoke(event).await {
        Some(Ok(answer)) => event::to_response(&answer).unwrap_or_else(|error| {
            tracing::error!(%error, "not a result of an HTTP API");
            gateway_error(StatusCode::INTERNAL_SERVER_ERROR, "Internal Server Error")
        }),
        Some(Err(error)) => {
            tracing::error!(%error, route = %route.key, "the function did not answer");
            gateway_error(StatusCode::INTERNAL_SERVER_ERROR, "Internal Server Error")
        }
        None => gateway_error(StatusCode::SERVICE_UNAVAILABLE, "Service Unavailable"),
    }
}

/// `Invoke` of AWS Lambda: the event unchanged, for queues and for trying functions out.
async fn invoke(
    State(functions): State<Functions>,
    Path(name): Path<String>,
    event: Request,
) -> Response {
    let Some(function) = functions.get(&name) else {
        return gateway_error(StatusCode::NOT_FOUND, "Function not found");
    };
    let Ok(event) = to_bytes(event.into_body(), MAX_EVENT).await else {
        return gateway_error(StatusCode::PAYLOAD_TOO_LARGE, "Request Too Long");
    };
    match function.invoke(event.into()).await {
        Some(Ok(answer)) => {
            ([(header::CONTENT_TYPE, "application/json")], Body::from(answer)).into_response()
        }
        Some(Err(error)) => gateway_error(StatusCode::BAD_GATEWAY, &error.to_string()),
        None => gateway_error(StatusCode::GATEWAY_TIMEOUT, "The function takes too long"),
    }
}
