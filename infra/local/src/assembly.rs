//! All functions put together over one store.

use std::{sync::Arc, time::Duration};

use assets::Assets;
use axum::Router;
use deliveries::DeliveriesFunction;
use delivery::{Courier, Deliveries, SealingKey};
use edge::{Edge, service};
use engine::Engine;
use history::History;
use library::Library;
use library_keeper::LibraryKeeper;
use llm::moderation::Moderator;
use mcp::Mcp;
use operations::Operations;
use outbound::{Fetcher, GuardedClient, Limits};
use presets::Presets;
use processor::Processor;
use prompts::Prompts;
use shelves::Shelves;
use system::System;
use upload_events::UploadEvents;
use uploads::Uploads;
use utoipa_axum::router::OpenApiRouter;
use webhooks::Webhooks;
use workflow::{Deadlines, Workflow};

/// What an attempt of the processor may take here, so that one that died is soon taken over.
pub const PROCESSING: Duration = Duration::from_secs(15);

/// The service, ready to be served.
#[derive(Clone)]
pub struct Assembly {
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
    /// Keeps the shelves of the library.
    pub library_keeper: LibraryKeeper,
}

impl Assembly {
    /// Puts the functions together behind `edge`. `client` asks addresses that users name.
    pub fn new(
        edge: Edge,
        engine: Arc<dyn Engine>,
        client: GuardedClient,
        moderator: Moderator,
    ) -> Self {
        let store = edge.store().clone();
        let clock = store.clock().clone();
        let fetcher = Fetcher::new(client.clone(), clock.clone(), Limits::default());
        let courier = Courier::new(client, clock);
        let deliveries = Deliveries {
            store: store.clone(),
            courier: courier.clone(),
            sealing_key: SealingKey::of(edge.secrets().sealing_keys()),
            caps: edge.caps(),
        };
        let assets = Assets::new(store.clone());
        let library_keeper = LibraryKeeper { store: store.clone(), numbering: engine::number_of };
        let shelves = Shelves::new(store.clone(), engine::number_of);
        let workflow = Workflow::new(store, engine.clone(), fetcher, Deadlines::new(PROCESSING));
        Self {
            processor: Processor { workflow: workflow.clone() },
            system: System::new(edge.clone(), engine.identity()),
            prompts: Prompts { edge: edge.clone(), workflow },
            operations: Operations { edge: edge.clone() },
            history: History { edge: edge.clone() },
            presets: Presets { edge: edge.clone() },
            library: Library { edge: edge.clone(), shelves, moderator },
            uploads: Uploads { edge: edge.clone(), assets: assets.clone() },
            webhooks: Webhooks { edge: edge.clone(), courier },
            deliveries: DeliveriesFunction { deliveries },
            upload_events: UploadEvents { assets },
            library_keeper,
            edge,
        }
    }

    /// Names another address of the documentation than the OpenAPI document's.
    pub fn documented_at(mut self, url: &str) -> Self {
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
        serde_json::to_string_pretty(&service::document(self.routers())).unwrap_or_default()
    }

    /// Everything that the service answers: the REST API, and the MCP endpoint that calls it.
    pub fn app(&self) -> Router {
        let api = service::app(self.routers(), self.edge.clone());
        let mcp = Mcp { edge: self.edge.clone(), api };
        service::app(self.routers().into_iter().chain([mcp.router()]), self.edge.clone())
    }
}
