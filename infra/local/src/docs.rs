//! The API's page at `/docs`. Whoever opens the address that the server has printed finds the key of the local account
//! filled in.
//!
//! That address has a token, which is good for one browser: it gets a cookie for it. Everybody else, such as other
//! users of this machine, gets the page without the key. The deployment has the same page under its own address.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use axum::{
    Router,
    extract::{Path, RawQuery, State},
    http::{HeaderMap, HeaderValue, Method, header},
    response::Response,
    routing::get,
};
use domain::random;
use edge::runtime::SystemRandom;
use embedded::web_pages::has_loopback_host;
use subtle::ConstantTimeEq as _;
use system::docs;

/// Path of the page on the development server.
pub const PATH: &str = "/docs";
/// Parameter of its address.
const TOKEN: &str = "token=";

/// The page, and who finds the key in it.
#[derive(Clone)]
pub struct Docs(Arc<Parts>);

struct Parts {
    api_key: String,
    token: String,
    is_used: AtomicBool,
    /// Name and value of the cookie. Browsers send cookies to all ports of a host, so the name has ours.
    cookie: String,
}

impl Docs {
    /// The page of a server on this port, with a key for who opens its address.
    pub fn new(api_key: &str, port: u16) -> Self {
        let cookie = format!("docs-{port}={}", secret());
        let is_used = AtomicBool::default();
        Self(Arc::new(Parts { api_key: api_key.to_owned(), token: secret(), is_used, cookie }))
    }

    /// The address to open, for the page at `url`.
    pub fn address(&self, url: &str) -> String {
        format!("{url}?{TOKEN}{}", self.0.token)
    }

    /// The routes of the page and its files.
    pub fn router(self) -> Router {
        Router::new().route(PATH, get(page)).with_state(self).merge(files())
    }
}

/// The routes of a page without a key.
pub fn without_key() -> Router {
    Router::new().route(PATH, get(async || docs::page(""))).merge(files())
}

fn files() -> Router {
    let file = get(async |Path(name): Path<String>| docs::file(&name));
    Router::new().route(&format!("{PATH}/{{file}}"), file)
}

async fn page(
    State(Docs(parts)): State<Docs>,
    method: Method,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Response {
    // A page of another site can make its own name resolve to 127.0.0.1 and read the responses; it must not get the
    // key.
    if !has_loopback_host(&headers) {
        return docs::page("");
    }
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    if cookies.flat_map(|line| line.split("; ")).any(|cookie| is_same(cookie, &parts.cookie)) {
        return docs::page(&parts.api_key);
    }
    let query = query.unwrap_or_default();
    let token = query.split('&').find_map(|pair| pair.strip_prefix(TOKEN)).unwrap_or_default();
    // Other methods show nobody a page.
    let is_opened = method == Method::GET && is_same(token, &parts.token);
    if !is_opened || parts.is_used.swap(true, Ordering::Relaxed) {
        return docs::page("");
    }
    let mut response = docs::page(&parts.api_key);
    let cookie = format!("{}; Path={PATH}; HttpOnly; SameSite=Strict", parts.cookie);
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

fn is_same(given: &str, ours: &str) -> bool {
    given.as_bytes().ct_eq(ours.as_bytes()).into()
}

/// 128 random bits, in hex.
fn secret() -> String {
    random::bytes::<16>(&SystemRandom).iter().map(|byte| format!("{byte:02x}")).collect()
}
