//! The REST API that the tools call: the only place where a function depends on others.
//!
//! They are linked, not called over HTTP: another function's address would cost a second pass
//! through API Gateway, and would have to be trusted with the caller's token.

use std::sync::Arc;

use axum::Router;
use edge::{Edge, routes::Function as _};
use history::History;
use library::Library;
use library_search::LibraryIndex;
use llm::{EngineConfig, ProviderKeys};
use operations::Operations;
use outbound::{Fetcher, Loopback, Ports};
use presets::Presets;
use prompts::Prompts;
use publication::Publisher;
use rules::Rules;
use system::System;
use upload_lifecycle::UploadLifecycle;
use uploads::Uploads;
use workflow::{Deadlines, Workflow};

/// The routers of all functions that tools call; webhooks are not among them.
pub async fn routers(
    edge: &Edge,
    (engine, keys): (&EngineConfig, &ProviderKeys),
    ports: Ports,
) -> Result<[Router; 7], lambda_http::Error> {
    Rules::warm_up();
    let store = edge.store().clone();
    let (clock, random) = (store.clock().clone(), store.random().clone());
    let fetcher = Fetcher::system(clock.clone(), Loopback::Refused, ports);
    let moderator = llm::moderator(engine, keys, clock.clone(), random.clone())?;
    let publisher = Publisher { store: store.clone(), moderator };
    let budget = engine.budget.clone();
    let engine = llm::connect(engine, keys, Arc::new(Rules), clock, random)?;
    let identity = engine.identity();
    let prices = budget.prices.clone();
    let workflow = Workflow::new(store.clone(), engine, fetcher, Deadlines::default(), budget);
    let index = LibraryIndex::new(store.clone(), engine::number_of);
    index.warm_up().await;
    let edge = || edge.clone();
    Ok([
        System::new(edge(), identity, prices).router(),
        Prompts { edge: edge(), workflow }.router(),
        Operations { edge: edge() }.router(),
        History { edge: edge() }.router(),
        Presets { edge: edge() }.router(),
        Library { edge: edge(), index, publisher }.router(),
        Uploads { edge: edge(), upload_lifecycle: UploadLifecycle::new(store) }.router(),
    ])
}
