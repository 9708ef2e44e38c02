//! `GET /docs`: a page on which every operation can be read and tried: Swagger UI over the OpenAPI document.
//!
//! Its files are in the program, so that it needs no other host.

use std::sync::Arc;

use axum::{
    Router,
    extract::Path,
    response::{IntoResponse, Response},
    routing::get,
};
use edge::Edge;
use http::{StatusCode, header};
use utoipa_swagger_ui::Config;

use crate::page;

macro_rules! guide {
    ($name:literal, $title:literal) => {
        (concat!($name, ".md"), $title, include_str!(concat!("../../../docs/", $name, ".md")))
    };
}

/// Guides that the page links to, as they are in `docs/`: what they are about, and their text.
const GUIDES: [(&str, &str, &str); 11] = [
    guide!("improve-a-prompt", "Improve a prompt"),
    guide!("checks", "Check answers"),
    guide!("without-waiting", "Without waiting"),
    guide!("files", "Files"),
    guide!("presets", "Presets"),
    guide!("library", "Library"),
    guide!("webhooks", "Webhooks"),
    guide!("oauth", "OAuth"),
    guide!("agents", "Agents"),
    guide!("engines", "Engines"),
    guide!("limits-and-errors", "Limits and errors"),
];
/// Path of the page, under the API's address.
const PATH: &str = "/docs";
const PAGE: &str = include_str!("docs.html");
const SCRIPT: &str = include_str!("docs.js");
/// Placeholder of an API key in the page.
const KEY: &str = "{{key}}";
/// Placeholder of the links to guides.
const LINKS: &str = "{{guides}}";
/// Files of Swagger UI that the page uses.
const FILES: [&str; 3] = ["swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png"];
/// The page connects to no other host and cannot be framed.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// URL of the page.
pub fn url(edge: &Edge) -> String {
    format!("{}{PATH}", edge.base_url())
}

/// The page and its files, without a key.
pub fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new()
        .route(PATH, get(async || page("")))
        .route(&format!("{PATH}/{{file}}"), get(async |Path(name): Path<String>| file(&name)))
}

/// The page, with `api_key` filled in if it is not empty.
pub fn page(api_key: &str) -> Response {
    let links = GUIDES.map(|(name, title, _)| format!(r#"<a href="docs/{name}">{title}</a>"#));
    let html = PAGE.replace(LINKS, &links.join(" | ")).replace(KEY, api_key);
    page::answer(html, POLICY.to_owned())
}

/// A file of the page.
pub fn file(name: &str) -> Response {
    if name == "docs.js" {
        return ([(header::CONTENT_TYPE, "text/javascript; charset=utf-8")], SCRIPT)
            .into_response();
    }
    if let Some((_, _, text)) = GUIDES.into_iter().find(|(guide, ..)| *guide == name) {
        return ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response();
    }
    if !FILES.contains(&name) {
        return StatusCode::NOT_FOUND.into_response();
    }
    match utoipa_swagger_ui::serve(name, Arc::new(Config::default())) {
        Ok(Some(file)) => {
            let headers = [
                (header::CONTENT_TYPE, file.content_type.as_str()),
                (header::CACHE_CONTROL, "public, max-age=3600"),
            ];
            (headers, file.bytes.into_owned()).into_response()
        }
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}
