//! Reading, listing and cancelling AI operations.

pub mod cancel;
pub mod list;
pub mod read;

use axum::extract::FromRef;
use edge::{Edge, openapi::tagged};
use utoipa_axum::{router::OpenApiRouter, routes};

/// State of the operations on operations.
#[derive(Clone, Debug)]
pub struct Operations {
    /// Authentication, limits, envelope and the store.
    pub edge: Edge,
}

impl FromRef<Operations> for Edge {
    fn from_ref(operations: &Operations) -> Edge {
        operations.edge.clone()
    }
}

impl Operations {
    /// The operations of this function.
    pub fn router(self) -> OpenApiRouter {
        let routes = OpenApiRouter::new()
            .routes(routes!(list::list_operations))
            .routes(routes!(read::get_operation, cancel::cancel_operation))
            .with_state(self);
        tagged("Operations", routes)
    }
}
