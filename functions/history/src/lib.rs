//! History: what finished AI operations left.

pub mod delete;
mod item;
pub mod list;
pub mod read;
pub mod rename;

use axum::extract::FromRef;
use edge::{
    Edge, routes,
    routes::{Function, Registry},
};

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

impl Function for History {
    const TAG: &'static str = "History";

    fn operations<R: Registry<Self>>(registry: R) -> R {
        registry.add(routes!(list::list_history)).add(routes!(
            read::get_history_item,
            rename::rename_history_item,
            delete::delete_history_item
        ))
    }
}
