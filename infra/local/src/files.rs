//! Files through the API's address, for clients that cannot reach the embedded S3: it listens on
//! loopback.
//!
//! The URLs carry an HMAC, and only such URLs are forwarded: S3 verifies its own signature of each, but nobody else's
//! requests reach it.

use std::sync::Arc;

use aws_lc_rs::hmac;
use axum::{
    Router,
    body::to_bytes,
    extract::{Path, Request, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::any,
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use domain::{random, upload::VIDEO_MAX};
use edge::runtime::SystemRandom;
use store::Reach;

/// Path of files on the development server.
const PATH: &str = "/files";
/// Most bytes of a file.
const LIMIT: usize = VIDEO_MAX as usize;

/// The proxy to the embedded S3.
#[derive(Clone, Debug)]
pub struct Files(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    origin: String,
    s3_url: String,
    key: hmac::Key,
    client: reqwest::Client,
}

impl Files {
    /// The proxy from `origin`, the API's address without a path, to the embedded S3 at `s3_url`.
    /// The next process does not accept the URLs of this one: its S3 has another port, too.
    ///
    /// # Errors
    ///
    /// The HTTP client cannot be created.
    pub fn new(origin: &str, s3_url: &str) -> reqwest::Result<Self> {
        let client = reqwest::Client::builder().no_proxy().no_gzip().tls_certs_only([]).build()?;
        let key = hmac::Key::new(hmac::HMAC_SHA256, &random::bytes::<32>(&SystemRandom));
        let (origin, s3_url) = (origin.to_owned(), s3_url.to_owned());
        Ok(Self(Arc::new(Parts { origin, s3_url, key, client })))
    }

    /// The routes that forward requests.
    pub fn router(&self) -> Router {
        Router::new().route(&format!("{PATH}/{{signed}}"), any(pass_on)).with_state(self.clone())
    }

    /// The target of a URL with a valid HMAC: the S3 URL from its path on.
    fn open(&self, signed: &str) -> Option<String> {
        let (target, tag) = signed.split_once('.')?;
        let target = URL_SAFE_NO_PAD.decode(target).ok()?;
        hmac::verify(&self.0.key, &target, &URL_SAFE_NO_PAD.decode(tag).ok()?).ok()?;
        String::from_utf8(target).ok()
    }
}

impl Reach for Files {
    fn address(&self, presigned: &str) -> String {
        let Parts { origin, s3_url, key, .. } = &*self.0;
        let Some(target) = presigned.strip_prefix(s3_url.as_str()) else {
            return presigned.to_owned();
        };
        let tag = URL_SAFE_NO_PAD.encode(hmac::sign(key, target.as_bytes()));
        // Encoded as a whole: a proxy that rewrites the query would break the HMAC.
        format!("{origin}{PATH}/{}.{tag}", URL_SAFE_NO_PAD.encode(target))
    }
}

async fn pass_on(
    State(files): State<Files>,
    Path(signed): Path<String>,
    request: Request,
) -> Response {
    let Some(target) = files.open(&signed) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let (parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, LIMIT).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let mut headers = parts.headers;
    // Connection headers, and the host: the signature needs S3's own host.
    for name in [
        header::HOST,
        header::CONNECTION,
        header::CONTENT_LENGTH,
        header::EXPECT,
        header::TRANSFER_ENCODING,
    ] {
        headers.remove(name);
    }
    let url = format!("{}{target}", files.0.s3_url);
    let request = files.0.client.request(parts.method, url).headers(headers).body(body);
    answer(request).await.unwrap_or_else(|error| {
        tracing::warn!(%error, "the embedded S3 gave no answer");
        StatusCode::BAD_GATEWAY.into_response()
    })
}

async fn answer(request: reqwest::RequestBuilder) -> reqwest::Result<Response> {
    let answer = request.send().await?;
    let (status, mut headers) = (answer.status(), answer.headers().clone());
    headers.remove(header::CONNECTION);
    headers.remove(header::TRANSFER_ENCODING);
    Ok((status, headers, answer.bytes().await?).into_response())
}
