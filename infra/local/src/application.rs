//! All functions, wired to one store.

use std::sync::Arc;

use axum::{Router, routing::any_service};
use deliveries::DeliveriesFunction;
use domain::prices::Budget;
use edge::{
    Edge,
    authentication::MCP_PATH,
    router::{self, BASE_PATH},
    routes::Function as _,
};
use engine::Engine;
use history::History;
use library::Library;
use library_indexer::LibraryIndexer;
use library_search::LibraryIndex;
use llm::moderation::Moderator;
use mcp::Mcp;
use operations::Operations;
use outbound::{FetchLimits, Fetcher, GuardedClient};
use presets::Presets;
use processor::Processor;
use prompts::Prompts;
use publication::Publisher;
use store::Store;
use system::System;
use upload_events::UploadEvents;
use upload_lifecycle::UploadLifecycle;
use uploads::Uploads;
use webhook_delivery::{Deliveries, EncryptionKey, WebhookSender};
use webhooks::Webhooks;
use workflow::{Deadlines, Workflow};

/// The service, ready to be served.
#[derive(Clone)]
pub struct Application {
    /// State of the function that has every path without another one.
    pub edge: Edge,
    /// Runs queued operations.
    pub processor: Processor,
    system: System,
    prompts: Prompts,
    operations: Operations,
    history: History,
    presets: Presets,
    library: Library,
    uploads: Uploads,
    webhooks: Webhooks,
    mcp: Edge,
    /// Delivers events.
    pub deliveries: DeliveriesFunction,
    /// Verifies uploaded files in advance.
    pub upload_events: UploadEvents,
    /// Updates the listings of the library.
    pub library_indexer: LibraryIndexer,
}

impl Application {
    /// Wires the functions. Each works with what `edge_of` has for its name, that of its folder. `client` sends requests
    /// to URLs that users choose. The engine's language models have a budget, and
    /// operations have deadlines.
    pub fn new(
        edge_of: impl Fn(&'static str) -> Edge,
        (engine, budget, deadlines): (Arc<dyn Engine>, Budget, Deadlines),
        client: GuardedClient,
        moderator: Moderator,
    ) -> Self {
        let edge = edge_of("system");
        let [prompts, library, uploads] = ["prompts", "library", "uploads"].map(&edge_of);
        let store_of = |function| edge_of(function).store().clone();
        let clock = edge.store().clock().clone();
        let fetcher = Fetcher::new(client.clone(), clock.clone(), FetchLimits::default());
        let sender = WebhookSender::new(client, clock);
        let deliveries = Deliveries {
            store: store_of("deliveries"),
            sender: sender.clone(),
            encryption_key: EncryptionKey::of(edge.secrets().encryption_keys()),
            limits: edge.limits(),
        };
        let numbering = engine::number_of;
        let identity = engine.identity();
        let publisher = |store: Store| Publisher { store, moderator: moderator.clone() };
        let workflow = |store: Store| {
            let (engine, fetcher) = (engine.clone(), fetcher.clone());
            Workflow::new(store, engine, fetcher, deadlines, budget.clone())
        };
        Self {
            processor: Processor {
                workflow: workflow(store_of("processor")),
                publisher: publisher(store_of("processor")),
            },
            system: System::new(edge.clone(), identity, budget.prices.clone()),
            prompts: Prompts { workflow: workflow(prompts.store().clone()), edge: prompts },
            operations: Operations { edge: edge_of("operations") },
            history: History { edge: edge_of("history") },
            presets: Presets { edge: edge_of("presets") },
            library: Library {
                index: LibraryIndex::new(library.store().clone(), numbering),
                publisher: publisher(library.store().clone()),
                edge: library,
            },
            uploads: Uploads {
                upload_lifecycle: UploadLifecycle::new(uploads.store().clone()),
                edge: uploads,
            },
            webhooks: Webhooks { edge: edge_of("webhooks"), sender },
            mcp: edge_of("mcp"),
            deliveries: DeliveriesFunction { deliveries },
            upload_events: UploadEvents {
                upload_lifecycle: UploadLifecycle::new(store_of("upload-events")),
            },
            library_indexer: LibraryIndexer { store: store_of("library-indexer"), numbering },
            edge,
        }
    }

    /// Sets the documentation's URL; the default is the page that the deployment has.
    pub fn with_documentation(mut self, url: &str) -> Self {
        url.clone_into(&mut self.system.documentation);
        self
    }

    /// The routers of all functions.
    fn routers(&self) -> Vec<Router> {
        vec![
            self.system.clone().router(),
            self.prompts.clone().router(),
            self.operations.clone().router(),
            self.history.clone().router(),
            self.presets.clone().router(),
            self.library.clone().router(),
            self.uploads.clone().router(),
            self.webhooks.clone().router(),
        ]
    }

    /// All routes: the REST API, and the MCP endpoint that calls it.
    pub fn router(&self) -> Router {
        let api = router::app(self.routers(), self.edge.clone());
        let mcp = Mcp { edge: self.mcp.clone(), api: api.clone() };
        let mcp = router::app([mcp.router()], self.mcp.clone());
        let path = format!("{BASE_PATH}{MCP_PATH}");
        Router::new().route(&path, any_service(mcp)).fallback_service(api)
    }
}
