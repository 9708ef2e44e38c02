//! The HTTP client that connects to checked addresses only.

use std::{error::Error, fmt, sync::Arc, time::Duration};

use domain::{Clock, Timestamp};
use http::{HeaderMap, Method};
use reqwest::{Client, Response, redirect};

use crate::resolver::{AddressFilter, ResolveError};
use crate::{FetchError, Loopback, PublicUrl, Resolve, Unreachable, UnsafeUrl};

/// Longest wait for a connection, its encryption included.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Sends requests to public addresses and to nothing else.
///
/// It follows no redirect, uses no proxy, keeps no cookies and no connections, and sends neither
/// credentials nor a referrer. It sets no deadline for a whole exchange: that is the caller's.
#[derive(Clone)]
pub struct GuardedClient {
    http: Client,
    filter: AddressFilter,
}

impl fmt::Debug for GuardedClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GuardedClient")
            .field("loopback", &self.filter.loopback)
            .finish_non_exhaustive()
    }
}

/// The client could not be set up: there is no usable TLS on this machine.
#[derive(Debug, thiserror::Error)]
#[error("the HTTP client could not be set up")]
pub struct SetupError(#[source] reqwest::Error);

impl GuardedClient {
    /// A client that takes names to `resolver`.
    ///
    /// # Errors
    ///
    /// [`SetupError`] if TLS cannot be initialised.
    pub fn new(resolver: Arc<dyn Resolve>, loopback: Loopback) -> Result<Self, SetupError> {
        let filter = AddressFilter { resolver, loopback };
        let http = Client::builder()
            .dns_resolver(Arc::new(filter.clone()))
            .redirect(redirect::Policy::none())
            .no_proxy()
            .referer(false)
            // A connection that is kept would outlive the check of its address; and its host may close it just
            // when the next request is sent, which is lost then.
            .pool_max_idle_per_host(0)
            .connect_timeout(CONNECT_TIMEOUT)
            .build()
            .map_err(SetupError)?;
        Ok(Self { http, filter })
    }

    /// Whether the machine itself may be asked.
    pub fn loopback(&self) -> Loopback {
        self.filter.loopback
    }

    /// Looks whether an address may be asked at present, without asking it. What a name resolves to may be
    /// another thing the next time, so that requests are judged anew.
    ///
    /// # Errors
    ///
    /// [`FetchError::Unsafe`] if the host has an address that is not public. [`Unreachable::Name`] if there
    /// is no such host, [`Unreachable::Resolver`] if that cannot be known now, [`Unreachable::Timeout`] if
    /// it is not known at `until`.
    pub async fn check(
        &self,
        url: &PublicUrl,
        clock: &dyn Clock,
        until: Timestamp,
    ) -> Result<(), FetchError> {
        if url.literal().is_some_and(|address| !self.loopback().permits(address)) {
            return Err(UnsafeUrl::Address.into());
        }
        let Some(name) = url.name() else { return Ok(()) };
        tokio::select! {
            biased;
            found = self.filter.addresses(name) => match found {
                Ok(_) => Ok(()),
                Err(error) => Err((&error).into()),
            },
            () = clock.sleep_until(until) => Err(Unreachable::Timeout.into()),
        }
    }

    /// Sends one request; the body of the answer is still to be read.
    ///
    /// # Errors
    ///
    /// [`FetchError::Unsafe`] if the host has an address that is not public; nothing is connected to then.
    /// [`FetchError::Unreachable`] if the name has no address, no connection comes about or what comes back
    /// is not HTTP. An answer with any status is a success here.
    pub async fn send(
        &self,
        method: Method,
        url: &PublicUrl,
        headers: HeaderMap,
        body: Vec<u8>,
    ) -> Result<Response, FetchError> {
        // Addresses in a host's place are never shown to a resolver.
        if url.literal().is_some_and(|address| !self.loopback().permits(address)) {
            return Err(UnsafeUrl::Address.into());
        }
        let request = self.http.request(method, url.to_url()).headers(headers);
        let request = if body.is_empty() { request } else { request.body(body) };
        request.send().await.map_err(|error| classify(&error))
    }
}

/// Reads at most `most` bytes of a body, counted after decompression; whether that was all of it is the
/// second value.
///
/// # Errors
///
/// [`FetchError::Unreachable`] if the connection breaks off or the compression is faulty.
pub async fn read_at_most(
    response: &mut Response,
    most: usize,
) -> Result<(Vec<u8>, bool), FetchError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| classify(&error))? {
        let room = most - bytes.len();
        if chunk.len() > room {
            bytes.extend_from_slice(&chunk[..room]);
            return Ok((bytes, false));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok((bytes, true))
}

fn classify(error: &reqwest::Error) -> FetchError {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(this) = cause {
        match this.downcast_ref::<ResolveError>() {
            Some(error) => return error.into(),
            None => cause = this.source(),
        }
    }
    if error.is_timeout() {
        Unreachable::Timeout.into()
    } else if error.is_connect() {
        Unreachable::Connect.into()
    } else {
        Unreachable::Protocol.into()
    }
}
