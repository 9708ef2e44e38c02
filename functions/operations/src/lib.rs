//! Reading, listing and cancelling AI operations.

pub mod cancel;
pub mod list;
pub mod read;

use axum::extract::FromRef;
use edge::{
    Edge, routes,
    routes::{Function, Registry},
};

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

impl Function for Operations {
    const TAG: &'static str = "Operations";

    fn operations<R: Registry<Self>>(registry: R) -> R {
        registry
            .add(routes!(list::list_operations))
            .add(routes!(read::get_operation, cancel::cancel_operation))
    }
}
