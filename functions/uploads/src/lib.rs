//! Uploads: temporary files for AI operations.

pub mod complete;
pub mod create;
pub mod delete;
pub mod read;
mod upload;

use axum::extract::FromRef;
use edge::{
    Code, Edge, routes,
    routes::{Function, Registry},
};
use upload_lifecycle::UploadLifecycle;

/// State of the upload operations.
#[derive(Clone)]
pub struct Uploads {
    /// Authentication, limits, envelope and the store.
    pub edge: Edge,
    /// Verifies and deletes files.
    pub upload_lifecycle: UploadLifecycle,
}

impl FromRef<Uploads> for Edge {
    fn from_ref(uploads: &Uploads) -> Edge {
        uploads.edge.clone()
    }
}

impl Function for Uploads {
    const TAG: &'static str = "Uploads";

    fn operations<R: Registry<Self>>(registry: R) -> R {
        let unavailable = Code::StorageUnavailable;
        registry
            .add(routes!(create::create_upload).unavailable_as(unavailable))
            .add(routes!(read::get_upload))
            .add(routes!(delete::delete_upload).unavailable_as(unavailable))
            .add(routes!(complete::complete_upload).unavailable_as(unavailable))
    }
}
