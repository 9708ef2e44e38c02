//! All functions put together over one store.

use std::{sync::Arc, time::Duration};

use assets::Assets;
use axum::Router;
use edge::{Edge, Secrets, service};
use engine::Engine;
use history::History;
use library::Library;
use library_keeper::LibraryKeeper;
use llm::moderation::Moderator;
use operations::Operations;
use outbound::Fetcher;
use presets::Presets;
use processor::Processor;
use prompts::Prompts;
use shelves::Shelves;
use store::{Store, gate::Caps};
use system::System;
use upload_events::UploadEvents;
use uploads::Uploads;
use utoipa_axum::router::OpenApiRouter;
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
    /// Verifies uploaded files ahead.
    pub upload_events: UploadEvents,
    /// Keeps the shelves of the library.
    pub library_keeper: LibraryKeeper,
}

impl Assembly {
    /// Puts the functions together.
    pub fn new(
        store: Store,
        secrets: Secrets,
        base_url: &str,
        caps: Caps,
        engine: Arc<dyn Engine>,
        fetcher: Fetcher,
        moderator: Moderator,
    ) -> Self {
        let edge = Edge::new(store.clone(), secrets, base_url, caps);
        let assets = Assets::new(store.clone());
        let library_keeper = LibraryKeeper { store: store.clone(), numbering: engine::number_of };
        let shelves = Shelves::new(store.clone(), engine::number_of);
        let workflow = Workflow::new(store, engine.clone(), fetcher, Deadlines::new(PROCESSING));
        Self {
            processor: Processor { workflow: workflow.clone() },
            system: System { edge: edge.clone(), engine: engine.identity() },
            prompts: Prompts { edge: edge.clone(), workflow },
            operations: Operations { edge: edge.clone() },
            history: History { edge: edge.clone() },
            presets: Presets { edge: edge.clone() },
            library: Library { edge: edge.clone(), shelves, moderator },
            uploads: Uploads { edge: edge.clone(), assets: assets.clone() },
            upload_events: UploadEvents { assets },
            library_keeper,
            edge,
        }
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
        ]
    }

    /// The OpenAPI document of all functions, as it is checked in.
    pub fn document(&self) -> String {
        serde_json::to_string_pretty(&service::document(self.routers())).unwrap_or_default()
    }

    /// Everything that the service answers.
    pub fn app(&self) -> Router {
        service::app(self.routers(), self.edge.clone())
    }
}
