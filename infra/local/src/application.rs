//! All functions put together over one store.

use std::{sync::Arc, time::Duration};

use axum::Router;
use deliveries::DeliveriesFunction;
use edge::{Edge, router};
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
use system::System;
use upload_events::UploadEvents;
use upload_lifecycle::UploadLifecycle;
use uploads::Uploads;
use utoipa_axum::router::OpenApiRouter;
use webhook_delivery::{Deliveries, EncryptionKey, WebhookSender};
use webhooks::Webhooks;
use workflow::{Deadlines, Workflow};

/// What an attempt of the processor may take here, so that one that died is soon taken over.
pub const PROCESSING: Duration = Duration::from_secs(15);

/// The service, ready to be served.
#[derive(Clone)]
pub struct Application {
    /// Everything that the functions share.
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
    /// Delivers events.
    pub deliveries: DeliveriesFunction,
    /// Verifies uploaded files ahead.
    pub upload_events: UploadEvents,
    /// Keeps the listings of the library.
    pub library_indexer: LibraryIndexer,
}

impl Application {
    /// Puts the functions together behind `edge`. `client` asks addresses that users name.
    pub fn new(
        edge: Edge,
        engine: Arc<dyn Engine>,
        client: GuardedClient,
        moderator: Moderator,
    ) -> Self {
        let store = edge.store().clone();
        let clock = store.clock().clone();
        let fetcher = Fetcher::new(client.clone(), clock.clone(), FetchLimits::default());
        let sender = WebhookSender::new(client, clock);
        let deliveries = Deliveries {
            store: store.clone(),
            sender: sender.clone(),
            encryption_key: EncryptionKey::of(edge.secrets().encryption_keys()),
            limits: edge.limits(),
        };
        let upload_lifecycle = UploadLifecycle::new(store.clone());
        let library_indexer = LibraryIndexer { store: store.clone(), numbering: engine::number_of };
        let index = LibraryIndex::new(store.clone(), engine::number_of);
        let workflow = Workflow::new(store, engine.clone(), fetcher, Deadlines::new(PROCESSING));
        Self {
            processor: Processor { workflow: workflow.clone() },
            system: System::new(edge.clone(), engine.identity()),
            prompts: Prompts { edge: edge.clone(), workflow },
            operations: Operations { edge: edge.clone() },
            history: History { edge: edge.clone() },
            presets: Presets { edge: edge.clone() },
            library: Library { edge: edge.clone(), index, moderator },
            uploads: Uploads { edge: edge.clone(), upload_lifecycle: upload_lifecycle.clone() },
            webhooks: Webhooks { edge: edge.clone(), sender },
            deliveries: DeliveriesFunction { deliveries },
            upload_events: UploadEvents { upload_lifecycle },
            library_indexer,
            edge,
        }
    }

    /// Names another address of the documentation than the OpenAPI document's.
    pub fn with_documentation(mut self, url: &str) -> Self {
        url.clone_into(&mut self.system.documentation);
        self
    }

    /// The routers of all functions.
    pub fn routers(&self) -> Vec<OpenApiRouter> {
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

    /// The OpenAPI document of all functions, as it is checked in.
    pub fn document(&self) -> String {
        serde_json::to_string_pretty(&router::document(self.routers())).unwrap_or_default()
    }

    /// Everything that the service answers: the REST API, and the MCP endpoint that calls it.
    pub fn router(&self) -> Router {
        let api = router::app(self.routers(), self.edge.clone());
        let mcp = Mcp { edge: self.edge.clone(), api };
        router::app(self.routers().into_iter().chain([mcp.router()]), self.edge.clone())
    }
}
