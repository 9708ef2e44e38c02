//! All functions put together over one store.

use std::{sync::Arc, time::Duration};

use assets::Assets;
use axum::Router;
use edge::{Edge, Secrets, service};
use engine::Engine;
use history::History;
use operations::Operations;
use outbound::Fetcher;
use processor::Processor;
use prompts::Prompts;
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
    uploads: Uploads,
    /// Verifies uploaded files ahead.
    pub upload_events: UploadEvents,
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
    ) -> Self {
        let edge = Edge::new(store.clone(), secrets, base_url, caps);
        let assets = Assets::new(store.clone());
        let workflow = Workflow::new(store, engine.clone(), fetcher, Deadlines::new(PROCESSING));
        Self {
            processor: Processor { workflow: workflow.clone() },
            system: System { edge: edge.clone(), engine: engine.identity() },
            prompts: Prompts { edge: edge.clone(), workflow },
            operations: Operations { edge: edge.clone() },
            history: History { edge: edge.clone() },
            uploads: Uploads { edge: edge.clone(), assets: assets.clone() },
            upload_events: UploadEvents { assets },
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
