//! History: what finished AI operations left.

pub mod delete;
mod item;
pub mod list;
pub mod read;
pub mod rename;

use axum::extract::FromRef;
use edge::{Edge, openapi::tagged};
use utoipa_axum::{router::OpenApiRouter, routes};

/// State of the history operations.
#[derive(Clone)]
pub struct History {
    /// Authentication, limits, envelope and the store.
    pub edge: Edge,
}

impl FromRef<History> for Edge {
    fn from_ref(history: &History) -> Edge {
        history.edge.clone()
    }
}

impl History {
    /// The operations of this function.
    pub fn router(self) -> OpenApiRouter {
        let routes = OpenApiRouter::new()
            .routes(routes!(list::list_history))
            .routes(routes!(
                read::get_history_item,
                rename::rename_history_item,
                delete::delete_history_item
            ))
            .with_state(self);
        tagged("History", routes)
    }
}
