//! The pages of the service: the workbench at `/`, and the API's page at `/docs`. Whoever opens an address that the
//! server has printed finds the key of the local account filled in.
//!
//! That address has a token, which is good for one browser: it gets a cookie for it, that of the workbench for both
//! pages. Everybody else, such as other users of this machine, gets the pages without the key. The deployment has the
//! same pages under its own address.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use axum::{
    Router,
    extract::{Path, RawQuery},
    http::{HeaderMap, HeaderValue, Method, header},
    response::Response,
    routing::get,
};
use domain::random;
use edge::runtime::SystemRandom;
use embedded::web_pages::has_loopback_host;
use subtle::ConstantTimeEq as _;
use system::{docs, workbench};

/// Path of the API's page on the development server.
pub const DOCS: &str = "/docs";
/// Path of the workbench there, and of its files.
const WORKBENCH: &str = "/";
const WORKBENCH_FILES: &str = "/workbench";
/// Parameter of their addresses.
const TOKEN: &str = "token=";

/// The pages, and who finds the key in them.
pub struct Pages {
    workbench: Page,
    docs: Page,
    key: Option<Arc<Key>>,
}

/// The addresses to open.
pub struct Addresses {
    /// That of the workbench.
    pub workbench: String,
    /// That of the API's page.
    pub docs: String,
}

/// A page and the token of its address.
struct Page {
    path: &'static str,
    token: String,
    is_used: AtomicBool,
    /// The page with a key, or with an empty one.
    show: Box<dyn Fn(&str) -> Response + Send + Sync>,
}

/// The key, and the cookie of who finds it.
struct Key {
    api_key: String,
    /// Name and value. Browsers send cookies to all ports of a host, so the name has ours.
    cookie: String,
}

impl Pages {
    /// The pages without a key. `uploads` is where the workbench sends files to, as a content security policy names it.
    pub fn new(uploads: &str) -> Self {
        let uploads = uploads.to_owned();
        Self {
            workbench: Page::new(WORKBENCH, move |key| workbench::page(key, &uploads)),
            docs: Page::new(DOCS, docs::page),
            key: None,
        }
    }

    /// The pages of a server on this port, with a key for who opens their addresses.
    pub fn with_key(self, api_key: &str, port: u16) -> Self {
        let cookie = format!("docs-{port}={}", secret());
        Self { key: Some(Arc::new(Key { api_key: api_key.to_owned(), cookie })), ..self }
    }

    /// The addresses to open, under that of the server.
    pub fn addresses(&self, origin: &str) -> Addresses {
        let address = |page: &Page| match self.key {
            Some(_) => format!("{origin}{}?{TOKEN}{}", page.path, page.token),
            None => format!("{origin}{}", page.path),
        };
        Addresses { workbench: address(&self.workbench), docs: address(&self.docs) }
    }

    /// The routes of the pages and their files.
    pub fn router(self) -> Router {
        let Self { workbench, docs, key } = self;
        Router::new()
            .merge(workbench.router(key.clone()))
            .merge(docs.router(key))
            .merge(files(WORKBENCH_FILES, workbench::file))
            .merge(files(DOCS, docs::file))
    }
}

fn files(path: &str, file: fn(&str) -> Response) -> Router {
    let file = get(async move |Path(name): Path<String>| file(&name));
    Router::new().route(&format!("{path}/{{file}}"), file)
}

impl Page {
    fn new(path: &'static str, show: impl Fn(&str) -> Response + Send + Sync + 'static) -> Self {
        let (token, is_used) = (secret(), AtomicBool::default());
        Self { path, token, is_used, show: Box::new(show) }
    }

    fn router(self, key: Option<Arc<Key>>) -> Router {
        let (path, page) = (self.path, Arc::new(self));
        let answer =
            async move |method: Method, headers: HeaderMap, RawQuery(query): RawQuery| match &key {
                Some(key) => page.answer(key, &method, &headers, &query.unwrap_or_default()),
                None => (page.show)(""),
            };
        Router::new().route(path, get(answer))
    }

    fn answer(&self, key: &Key, method: &Method, headers: &HeaderMap, query: &str) -> Response {
        // A page of another site can make its own name resolve to 127.0.0.1 and read the responses; it must not get
        // the key.
        if !has_loopback_host(headers) {
            return (self.show)("");
        }
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
        if cookies.flat_map(|line| line.split("; ")).any(|cookie| is_same(cookie, &key.cookie)) {
            return (self.show)(&key.api_key);
        }
        let token = query.split('&').find_map(|pair| pair.strip_prefix(TOKEN)).unwrap_or_default();
        // Other methods show nobody a page.
        let is_opened = *method == Method::GET && is_same(token, &self.token);
        if !is_opened || self.is_used.swap(true, Ordering::Relaxed) {
            return (self.show)("");
        }
        let mut response = (self.show)(&key.api_key);
        let cookie = format!("{}; Path={}; HttpOnly; SameSite=Strict", key.cookie, self.path);
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            response.headers_mut().insert(header::SET_COOKIE, cookie);
        }
        response
    }
}

fn is_same(given: &str, ours: &str) -> bool {
    given.as_bytes().ct_eq(ours.as_bytes()).into()
}

/// 128 random bits, in hex.
fn secret() -> String {
    random::bytes::<16>(&SystemRandom).iter().map(|byte| format!("{byte:02x}")).collect()
}
