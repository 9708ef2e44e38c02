//! Requests that a browser sends for a web page: any page can send some to this machine.
//!
//! A browser names the page's origin in each such request that could change something. A page whose own name
//! resolves to 127.0.0.1 (DNS rebinding) is of the same origin as its requests, but they carry its name as `Host`.

use axum::{
    extract::Request,
    middleware::Next,
    response::{IntoResponse, Response},
};
use http::{
    HeaderMap, StatusCode,
    header::{HOST, ORIGIN},
    uri::Authority,
};

/// This machine's name in containers of Docker. Nobody can resolve it elsewhere: `internal` is reserved.
const IN_CONTAINERS: &str = "host.docker.internal";

/// Whether the request names this machine by a loopback name or address.
pub fn has_loopback_host(headers: &HeaderMap) -> bool {
    host(headers).is_some_and(|host| is_loopback(host.host()))
}

/// Passes on what no web page sends; for servers that no web page needs.
pub async fn refuse(request: Request, next: Next) -> Response {
    if request.headers().contains_key(ORIGIN) {
        return refused("Web pages may not call this service.");
    }
    refuse_other_hosts(request, next).await
}

/// Passes on requests that name this machine.
pub(crate) async fn refuse_other_hosts(request: Request, next: Next) -> Response {
    let names_us = |host: Authority| is_loopback(host.host()) || host.host() == IN_CONTAINERS;
    if host(request.headers()).is_some_and(names_us) {
        next.run(request).await
    } else {
        refused("The Host is not this machine.")
    }
}

fn host(headers: &HeaderMap) -> Option<Authority> {
    headers.get(HOST)?.to_str().ok()?.parse().ok()
}

fn is_loopback(host: &str) -> bool {
    let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    let address = address.parse::<std::net::IpAddr>();
    host.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}

fn refused(why: &'static str) -> Response {
    (StatusCode::FORBIDDEN, why).into_response()
}
