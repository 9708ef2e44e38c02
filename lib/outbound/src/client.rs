//! The HTTP client that connects only to checked addresses.

use std::{error::Error, fmt, io, sync::Arc};

use domain::{Clock, Timestamp};
use futures::future::BoxFuture;
use http::{HeaderMap, Method};
use reqwest::Response;

use crate::pooled::PooledClient;
use crate::resolver::{AddressFilter, ResolveError};
use crate::{FetchError, Loopback, Ports, PublicUrl, Resolve, Schemes, Unreachable, UnsafeUrl};

/// Carries requests to hosts.
pub trait Transport: Send + Sync {
    /// Sends one request; returns the response before its body is read.
    ///
    /// # Errors
    ///
    /// As [`GuardedClient::send`].
    fn send(
        &self,
        method: Method,
        url: &PublicUrl,
        headers: HeaderMap,
        body: Vec<u8>,
    ) -> BoxFuture<'static, Result<Response, FetchError>>;
}

/// Sends requests only to public addresses.
///
/// It follows no redirect, uses no proxy, keeps no cookies, and sends neither credentials nor a
/// referrer. A connection is kept for a second after its last request; the address that it leads to
/// was checked when it was made. A request that is lost with a kept connection is sent once more, so
/// it may arrive twice. It sets no overall deadline: that is up to the caller.
#[derive(Clone)]
pub struct GuardedClient {
    transport: Arc<dyn Transport>,
    filter: AddressFilter,
    ports: Ports,
}

impl fmt::Debug for GuardedClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GuardedClient")
            .field("loopback", &self.filter.loopback)
            .field("ports", &self.ports)
            .finish_non_exhaustive()
    }
}

/// The client could not be set up: there is no usable TLS on this machine.
#[derive(Debug, thiserror::Error)]
#[error("the HTTP client could not be set up")]
pub struct SetupError(#[source] pub(crate) reqwest::Error);

impl GuardedClient {
    /// A client that resolves names with `resolver`.
    ///
    /// # Errors
    ///
    /// [`SetupError`] if TLS cannot be initialised.
    pub fn new(
        resolver: Arc<dyn Resolve>,
        loopback: Loopback,
        ports: Ports,
    ) -> Result<Self, SetupError> {
        let filter = AddressFilter { resolver, loopback };
        Ok(Self { transport: Arc::new(PooledClient::new(filter.clone())?), filter, ports })
    }

    /// The same, for whoever may never send a request: TLS is initialised by the first one, which cannot connect if
    /// that fails. To read the system's roots takes longer than most starts do besides.
    pub fn on_first_use(resolver: Arc<dyn Resolve>, loopback: Loopback, ports: Ports) -> Self {
        let filter = AddressFilter { resolver, loopback };
        Self { transport: Arc::new(PooledClient::on_first_use(filter.clone())), filter, ports }
    }

    /// A client over another transport than the network.
    pub fn over(
        transport: Arc<dyn Transport>,
        resolver: Arc<dyn Resolve>,
        loopback: Loopback,
        ports: Ports,
    ) -> Self {
        Self { transport, filter: AddressFilter { resolver, loopback }, ports }
    }

    /// Whether this machine may be connected to.
    pub fn loopback(&self) -> Loopback {
        self.filter.loopback
    }

    /// Parses a URL that this client may request.
    ///
    /// # Errors
    ///
    /// As [`PublicUrl::parse`].
    pub fn parse(&self, text: &str, schemes: Schemes) -> Result<PublicUrl, UnsafeUrl> {
        PublicUrl::parse(text, schemes, self.loopback(), &self.ports)
    }

    /// Checks whether a URL may be requested now, without connecting. The name may resolve
    /// differently the next time, so every new connection is checked again.
    ///
    /// # Errors
    ///
    /// [`FetchError::Unsafe`] if the host has an address that is not public. [`Unreachable::Name`]
    /// if there is no such host, [`Unreachable::Resolver`] if that cannot be determined now,
    /// [`Unreachable::Timeout`] if it is not determined by `until`.
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

    /// Sends one request; returns the response before its body is read.
    ///
    /// # Errors
    ///
    /// [`FetchError::Unsafe`] if a connection has to be made and the host has an address that is not
    /// public; then none is made. [`FetchError::Unreachable`] if the name has no address, no connection is established
    /// or the response is not HTTP. A response with any status is a success here.
    pub async fn send(
        &self,
        method: Method,
        url: &PublicUrl,
        headers: HeaderMap,
        body: Vec<u8>,
    ) -> Result<Response, FetchError> {
        // The resolver never sees a URL with an IP address as its host.
        if url.literal().is_some_and(|address| !self.loopback().permits(address)) {
            return Err(UnsafeUrl::Address.into());
        }
        self.transport.send(method, url, headers, body).await
    }
}

/// Reads at most `most` bytes of a body, after decompression; the second value says whether that
/// was all of it.
///
/// # Errors
///
/// [`FetchError::Unreachable`] if the connection breaks or the compression is faulty.
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

pub(crate) fn classify(error: &reqwest::Error) -> FetchError {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(this) = cause {
        if let Some(error) = this.downcast_ref::<ResolveError>() {
            return error.into();
        }
        let refused = |error: &io::Error| error.kind() == io::ErrorKind::ConnectionRefused;
        if this.downcast_ref().is_some_and(refused) {
            return Unreachable::Refused.into();
        }
        cause = this.source();
    }
    if error.is_timeout() {
        Unreachable::Timeout.into()
    } else if error.is_connect() {
        Unreachable::Connect.into()
    } else {
        Unreachable::Protocol.into()
    }
}
