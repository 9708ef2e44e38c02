//! Reading public pages.

use std::{sync::Arc, time::Duration};

use domain::{Clock, Timestamp};
use http::header::{ACCEPT, CONTENT_ENCODING, CONTENT_TYPE, LOCATION, USER_AGENT};
use http::{HeaderMap, HeaderValue, Method};
use reqwest::Response;

use crate::client::read_at_most;
use crate::{
    FetchError, GuardedClient, Loopback, Ports, PublicUrl, Schemes, SystemResolver, Unreachable,
    UnsafeUrl,
};

/// Limits of reading a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FetchLimits {
    /// Longest time for everything: name resolution, connections, redirects and the body.
    pub total: Duration,
    /// Most bytes of the body, after decompression.
    pub body: usize,
    /// Most redirects that are followed.
    pub redirects: usize,
}

impl Default for FetchLimits {
    fn default() -> Self {
        Self { total: Duration::from_secs(10), body: 2_000_000, redirects: 3 }
    }
}

/// A fetched page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The URL after all redirects.
    pub final_url: String,
    /// Status of the response, 200 to 299.
    pub status: u16,
    /// The `Content-Type` header, parameters included.
    pub content_type: Option<String>,
    /// The body, decompressed.
    pub body: Vec<u8>,
}

/// Fetches pages as a visitor without an account: no cookies, no credentials, no scripts.
#[derive(Clone, Debug)]
pub struct Fetcher {
    client: GuardedClient,
    clock: Arc<dyn Clock>,
    limits: FetchLimits,
}

impl Fetcher {
    /// A fetcher.
    pub fn new(client: GuardedClient, clock: Arc<dyn Clock>, limits: FetchLimits) -> Self {
        Self { client, clock, limits }
    }

    /// A fetcher with the default limits that uses the system's resolver.
    pub fn system(clock: Arc<dyn Clock>, loopback: Loopback, ports: Ports) -> Self {
        let client = GuardedClient::on_first_use(Arc::new(SystemResolver), loopback, ports);
        Self::new(client, clock, FetchLimits::default())
    }

    /// Parses the URL of a page that may be fetched.
    ///
    /// # Errors
    ///
    /// As [`PublicUrl::parse`].
    pub fn parse(&self, text: &str) -> Result<PublicUrl, UnsafeUrl> {
        self.client.parse(text, Schemes::HttpOrHttps)
    }

    /// Fetches the page at `url`. Redirects are followed; each is checked like the first URL. The
    /// time ends at `until` or with the limit, whichever is first.
    ///
    /// # Errors
    ///
    /// [`FetchError::Unsafe`] if the URL, or one that it redirected to, is forbidden.
    /// [`FetchError::Unreachable`] if it returned no page or text within the limits.
    pub async fn get(&self, url: PublicUrl, until: Timestamp) -> Result<Page, FetchError> {
        let deadline = until.min(self.clock.now() + self.limits.total);
        tokio::select! {
            biased;
            () = self.clock.sleep_until(deadline) => Err(Unreachable::Timeout.into()),
            fetched = self.follow(url) => fetched,
        }
    }

    async fn follow(&self, mut url: PublicUrl) -> Result<Page, FetchError> {
        for _ in 0..=self.limits.redirects {
            let response = self.client.send(Method::GET, &url, headers(), Vec::new()).await?;
            match target(&response) {
                Some(location) => url = url.redirected(&location)?,
                None => return self.body(&url, response).await,
            }
        }
        Err(Unreachable::Redirects.into())
    }

    async fn body(&self, url: &PublicUrl, mut response: Response) -> Result<Page, FetchError> {
        let status = response.status();
        if !status.is_success() {
            return Err(Unreachable::Status(status.as_u16()).into());
        }
        let text = |name| Some(response.headers().get(name)?.to_str().ok()?.to_owned());
        let content_type: Option<String> = text(CONTENT_TYPE);
        if content_type.as_deref().is_some_and(|value| !is_readable(value)) {
            return Err(Unreachable::ContentType.into());
        }
        // The client removes a coding that it decodes from the headers; any other was not
        // requested.
        if text(CONTENT_ENCODING).is_some_and(|coding| !coding.eq_ignore_ascii_case("identity")) {
            return Err(Unreachable::Protocol.into());
        }
        if response.content_length().is_some_and(|length| length > self.limits.body as u64) {
            return Err(Unreachable::TooLarge.into());
        }
        let (body, complete) = read_at_most(&mut response, self.limits.body).await?;
        if !complete {
            return Err(Unreachable::TooLarge.into());
        }
        let final_url = url.as_str().to_owned();
        Ok(Page { final_url, status: status.as_u16(), content_type, body })
    }
}

fn headers() -> HeaderMap {
    HeaderMap::from_iter([
        (USER_AGENT, HeaderValue::from_static("prompt-workflow/1.0 (+reverse-prompts)")),
        (
            ACCEPT,
            HeaderValue::from_static(
                "text/html,application/xhtml+xml;q=0.9,text/plain;q=0.8,text/markdown;q=0.8",
            ),
        ),
    ])
}

/// The target of a redirect.
fn target(response: &Response) -> Option<String> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let location = response.headers().get(LOCATION)?;
    Some(String::from_utf8_lossy(location.as_bytes()).into_owned())
}

/// Whether a media type is a page or a readable text.
fn is_readable(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    matches!(
        essence.as_str(),
        "text/html" | "application/xhtml+xml" | "text/plain" | "text/markdown" | "text/x-markdown"
    )
}
