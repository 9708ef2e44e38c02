//! `GET /workbench`: a page on which a prompt is written, improved and held against answers, by the public API alone.
//!
//! Its files are in the program, as they are: there is no build step, and they are all our own.

use axum::{
    Router,
    extract::Path,
    response::{IntoResponse as _, Response},
    routing::get,
};
use http::{StatusCode, header};

use crate::page;

macro_rules! served {
    ($name:literal, $kind:literal) => {
        ($name, $kind, include_str!(concat!("workbench/", $name)))
    };
    ($name:literal) => {
        served!($name, "text/javascript; charset=utf-8")
    };
}

/// Files of the page, with their types.
const FILES: [(&str, &str, &str); 13] = [
    served!("icon.svg", "image/svg+xml"),
    served!("workbench.css", "text/css; charset=utf-8"),
    served!("results.css", "text/css; charset=utf-8"),
    served!("workbench.js"),
    served!("api.js"),
    served!("differences.js"),
    served!("elements.js"),
    served!("judge.js"),
    served!("marks.js"),
    served!("picture.js"),
    served!("reading.js"),
    served!("report.js"),
    served!("versions.js"),
];
/// Path of the page, under the API's address.
const PATH: &str = "/workbench";
const PAGE: &str = include_str!("workbench/workbench.html");
/// Placeholder of an API key in the page.
const KEY: &str = "{{key}}";
/// Where pictures are uploaded to on AWS: the bucket, whose name this function is not told.
const UPLOADS_ON_AWS: &str = "https://*.amazonaws.com";

/// The page and its files, without a key.
pub fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new()
        .route(PATH, get(async || page("", UPLOADS_ON_AWS)))
        .route(&format!("{PATH}/{{file}}"), get(async |Path(name): Path<String>| file(&name)))
}

/// The page, with `api_key` filled in if it is not empty. It may connect to this host and to `uploads`, a source of a
/// content security policy.
pub fn page(api_key: &str, uploads: &str) -> Response {
    // Trusted types: a text of the API can become an element by no mistake of the scripts.
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; \
         connect-src 'self' {uploads}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
         require-trusted-types-for 'script'; trusted-types 'none'"
    );
    page::answer(PAGE.replace(KEY, api_key), policy)
}

/// A file of the page.
pub fn file(name: &str) -> Response {
    match FILES.into_iter().find(|(file, ..)| *file == name) {
        Some((_, kind, text)) => {
            // After an update, no file of the version before may meet the others.
            let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")];
            (headers, text).into_response()
        }
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
