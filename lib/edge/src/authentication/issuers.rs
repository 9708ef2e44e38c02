//! The trusted issuers of access tokens, and how their keys are fetched.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use domain::Clock;
use futures::future::BoxFuture;
use http::{HeaderMap, HeaderValue, Method, header};
use oauth::{DOCUMENT_MAX, Fetch, FetchError, ResourceServer};
use outbound::{GuardedClient, Loopback, Ports, PublicUrl, Schemes, SystemResolver, Unreachable};

/// Most trusted issuers.
pub const ISSUERS_MAX: usize = 10;
/// Longest time to read one document.
const DEADLINE: Duration = Duration::from_secs(3);

/// An invalid list of issuers.
#[derive(Debug, thiserror::Error)]
pub enum IssuersError {
    /// There are too many.
    #[error("more than {ISSUERS_MAX} issuers")]
    TooMany,
    /// One of them has no address to fetch keys from.
    #[error("{issuer}: {problem}")]
    Address {
        /// As configured.
        issuer: String,
        /// What is wrong with it.
        problem: String,
    },
}

/// The issuers in a list separated by commas.
pub fn parse_list(text: &str) -> Vec<String> {
    let issuers = text.split(',').map(str::trim).filter(|issuer| !issuer.is_empty());
    issuers.map(ToOwned::to_owned).collect()
}

/// Accepted audiences of tokens: the API at `base_url`, as in its metadata, and `named`, the name
/// that the operator registered with an issuer.
pub fn audiences(base_url: &str, named: Option<String>) -> Vec<String> {
    let named = named.filter(|named| !named.is_empty());
    std::iter::once(base_url.trim_end_matches('/').to_owned()).chain(named).collect()
}

/// A resource server that trusts `issuers`, spelled exactly as in tokens, to issue tokens for any
/// of `audiences`. Issuers are public HTTPS servers; with `loopback`, also servers on this machine,
/// over HTTP too. Only those may have their documents on this machine. `None` without issuers.
///
/// # Errors
///
/// [`IssuersError`]
pub fn resource_server(
    issuers: &[String],
    audiences: Vec<String>,
    clock: Arc<dyn Clock>,
    loopback: Loopback,
) -> Result<Option<ResourceServer>, IssuersError> {
    if issuers.is_empty() {
        return Ok(None);
    }
    if issuers.len() > ISSUERS_MAX {
        return Err(IssuersError::TooMany);
    }
    let clients = Arc::new(Clients::default());
    let documents = |issuer: &String| -> Result<(String, Arc<dyn Fetch>), IssuersError> {
        let wrong = |problem: String| IssuersError::Address { issuer: issuer.clone(), problem };
        address(issuer, loopback).map_err(|error| wrong(error.to_string()))?;
        if issuer.contains(['?', '#']) {
            // RFC 8414, section 2.
            return Err(wrong("an issuer has neither a query nor a fragment".to_owned()));
        }
        let loopback = loopback_for(issuer, loopback);
        let documents =
            DocumentFetcher { clients: clients.clone(), loopback, clock: clock.clone() };
        Ok((issuer.clone(), Arc::new(documents)))
    };
    let trusted = issuers.iter().map(documents).collect::<Result<Vec<_>, _>>()?;
    Ok(Some(ResourceServer::new(trusted, audiences, clock)))
}

/// Whether documents of an issuer may be on this machine: only if the issuer is.
fn loopback_for(issuer: &str, loopback: Loopback) -> Loopback {
    match address(issuer, Loopback::Refused) {
        Ok(_) => Loopback::Refused,
        Err(_) => loopback,
    }
}

/// A URL that may be requested: HTTPS, or HTTP on this machine.
fn address(text: &str, loopback: Loopback) -> Result<PublicUrl, outbound::UnsafeUrl> {
    let own = ["http://127.0.0.1:", "http://[::1]:", "http://localhost:"];
    let plain = loopback == Loopback::Allowed && own.iter().any(|own| text.starts_with(own));
    let schemes = if plain { Schemes::HttpOrHttps } else { Schemes::Https };
    // The operator chooses issuers, and their ports.
    PublicUrl::parse(text, schemes, loopback, &Ports::All)
}

/// Reads documents of issuers with the client that connects only to public hosts.
#[derive(Clone, Debug)]
struct DocumentFetcher {
    clients: Arc<Clients>,
    /// Whether the issuer is on this machine.
    loopback: Loopback,
    clock: Arc<dyn Clock>,
}

/// Created on first use: loading the trusted certificates would slow down every start.
#[derive(Debug, Default)]
struct Clients {
    of_public_hosts: OnceLock<Result<GuardedClient, String>>,
    of_this_machine: OnceLock<Result<GuardedClient, String>>,
}

impl DocumentFetcher {
    fn client(&self) -> Result<&GuardedClient, FetchError> {
        let client = match self.loopback {
            Loopback::Refused => &self.clients.of_public_hosts,
            Loopback::Allowed => &self.clients.of_this_machine,
        };
        let make = || GuardedClient::new(Arc::new(SystemResolver), self.loopback, Ports::All);
        let made = client.get_or_init(|| make().map_err(|error| error.to_string()));
        made.as_ref().map_err(|error| error.as_str().into())
    }

    async fn read(&self, url: PublicUrl) -> Result<Vec<u8>, FetchError> {
        let headers = HeaderMap::from_iter([
            (header::ACCEPT, HeaderValue::from_static("application/json")),
            // Some hosts reject requests without a user agent.
            (header::USER_AGENT, HeaderValue::from_static("prompt-workflow/1.0 (+oauth)")),
        ]);
        let mut response = self.client()?.send(Method::GET, &url, headers, Vec::new()).await?;
        // Redirects are rejected too: an issuer's keys are where its metadata say.
        if response.status() != http::StatusCode::OK {
            return Err(Unreachable::Status(response.status().as_u16()).into());
        }
        match outbound::read_at_most(&mut response, DOCUMENT_MAX).await? {
            (document, true) => Ok(document),
            (_, false) => Err(Unreachable::TooLarge.into()),
        }
    }
}

impl Fetch for DocumentFetcher {
    fn fetch(&self, url: String) -> BoxFuture<'static, Result<Vec<u8>, FetchError>> {
        let this = self.clone();
        Box::pin(async move {
            let url = address(&url, this.loopback)?;
            tokio::select! {
                biased;
                () = this.clock.sleep_until(this.clock.now() + DEADLINE) => {
                    Err(Unreachable::Timeout.into())
                }
                document = this.read(url) => document,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_issuer_of_this_machine_may_have_its_documents_here() {
        for (issuer, allowed) in [
            ("https://issuer.example", Loopback::Refused),
            ("https://issuer.example:8443/realms/x", Loopback::Refused),
            ("http://127.0.0.1:9400/oauth", Loopback::Allowed),
            ("http://localhost:9400", Loopback::Allowed),
            ("https://[::1]:8443", Loopback::Allowed),
        ] {
            assert_eq!(loopback_for(issuer, Loopback::Allowed), allowed, "{issuer}");
            assert_eq!(loopback_for(issuer, Loopback::Refused), Loopback::Refused, "{issuer}");
        }
    }
}
