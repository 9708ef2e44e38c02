//! What is true of every event that API Gateway could send, whoever sent the request behind it.

use std::sync::{Arc, LazyLock};

use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_credential_types::{Credentials, provider::SharedCredentialsProvider};
use aws_smithy_runtime_api::client::{
    http::{HttpConnectorFuture, SharedHttpConnector, http_client_fn},
    orchestrator::HttpRequest,
};
use axum::Router;
use edge::{
    Edge, Secrets, router,
    routes::Function as _,
    runtime::{SystemClock, SystemRandom},
};
use lambda_http::{IntoResponse as _, tower::ServiceExt as _};
use store::{Names, Store, admission::Limits, connect};
use tokio::runtime::Runtime;

#[path = "gateway.rs"]
mod gateway;

/// Functions over a storage that must not be asked.
static SERVICE: LazyLock<(Runtime, Router)> = LazyLock::new(|| {
    let connect = |_: HttpRequest| -> HttpConnectorFuture { panic!("storage was asked") };
    let http = http_client_fn(move |_, _| SharedHttpConnector::new(Connector(connect)));
    let config = SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("us-east-1"))
        .credentials_provider(SharedCredentialsProvider::new(Credentials::for_tests()))
        .http_client(http)
        .build();
    let clients = connect::from_config(&config, true, connect::Endpoints::default());
    let name = || "name".to_owned();
    let names = Names {
        table: name(),
        bucket: name(),
        operations_queue_url: name(),
        library_queue_url: name(),
        deliveries_queue_url: name(),
        slow_deliveries_queue_url: name(),
    };
    let store = Store::new(clients, names, Arc::new(SystemClock), Arc::new(SystemRandom));
    let secrets = Secrets::derive(&[7; 32]).expect("a long secret");
    let edge = Edge::new(store, secrets, "https://api.example.com/v1", Limits::Enforced);
    let routers = [
        history::History { edge: edge.clone() }.router(),
        operations::Operations { edge: edge.clone() }.router(),
        presets::Presets { edge: edge.clone() }.router(),
    ];
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a thread");
    (runtime, router::app(routers, edge))
});

#[derive(Debug)]
struct Connector(fn(HttpRequest) -> HttpConnectorFuture);

impl aws_smithy_runtime_api::client::http::HttpConnector for Connector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        self.0(request)
    }
}

/// A request without a key that this server made is answered in the service's form, and costs no call.
pub fn hold(input: &[u8]) {
    let Some(request) = gateway::request(input) else { return };
    let (runtime, router) = &*SERVICE;
    let response = runtime.block_on(async {
        let response = router.clone().oneshot(request).await.expect("an answer");
        response.into_response().await
    });
    let status = response.status().as_u16();
    assert!((200..500).contains(&status), "{status}");
    assert!(response.headers().contains_key("x-request-id"));
    assert!(response.body().len() <= 1 << 20);
}
