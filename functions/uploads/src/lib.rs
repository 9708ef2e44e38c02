//! Uploads: temporary files for AI operations.

pub mod complete;
pub mod create;
pub mod delete;
pub mod read;
mod upload;

use axum::extract::FromRef;
use edge::{Code, Edge, openapi::tagged, router::unavailable_as};
use upload_lifecycle::UploadLifecycle;
use utoipa_axum::{router::OpenApiRouter, routes};

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

impl Uploads {
    /// The operations of this function.
    pub fn router(self) -> OpenApiRouter {
        let routes = OpenApiRouter::new()
            .routes(routes!(create::create_upload))
            .routes(routes!(delete::delete_upload))
            .routes(routes!(complete::complete_upload));
        let routes = unavailable_as(Code::StorageUnavailable, routes)
            .routes(routes!(read::get_upload))
            .with_state(self);
        tagged("Uploads", routes)
    }
}
