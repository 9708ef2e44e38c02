//! Responses without an envelope: what a client saves as it is.

use axum::response::{IntoResponse, Response};
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};

/// A file to save.
#[derive(Clone, Debug)]
pub struct File {
    /// What clients may call it.
    pub name: &'static str,
    /// Its media type, without parameters.
    pub media_type: &'static str,
    /// Its text.
    pub content: String,
}

impl IntoResponse for File {
    fn into_response(self) -> Response {
        let disposition = format!("attachment; filename=\"{}\"", self.name);
        // Without a charset, some clients read text as ISO 8859-1.
        let media_type = format!("{}; charset=utf-8", self.media_type);
        let headers = [(CONTENT_TYPE, media_type), (CONTENT_DISPOSITION, disposition)];
        (headers, self.content).into_response()
    }
}
