//! Name resolution.

use std::{
    error::Error,
    fmt, io,
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use futures::{FutureExt, future::BoxFuture};
use reqwest::dns::{Name, Resolving};

use crate::{FetchError, Loopback, Unreachable, UnsafeUrl};

/// Resolves the addresses of a host.
pub trait Resolve: Send + Sync {
    /// The addresses of `host`, in the order to try them.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::NotFound`] if there is no such name; any other kind if the resolver does
    /// not work.
    fn resolve(&self, host: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>>;
}

/// Uses the operating system's resolver.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemResolver;

impl Resolve for SystemResolver {
    fn resolve(&self, host: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        async move {
            let addresses = tokio::net::lookup_host((host, 0)).await.map_err(classify)?;
            Ok(addresses.map(|address| address.ip()).collect())
        }
        .boxed()
    }
}

/// The standard library distinguishes a missing name from a broken resolver only by the message:
/// those of glibc, musl and macOS.
fn classify(error: io::Error) -> io::Error {
    const NO_SUCH_NAME: [&str; 5] = [
        "Name or service not known",
        "No address associated with hostname",
        "Name does not resolve",
        "Name has no usable address",
        "nodename nor servname provided, or not known",
    ];
    let words = error.to_string();
    if NO_SUCH_NAME.iter().any(|known| words.contains(known)) {
        io::Error::new(io::ErrorKind::NotFound, error)
    } else {
        error
    }
}

/// Filters between the resolver and the connection: exactly the addresses that pass are connected
/// to, so a name that resolves differently the next time gains nothing.
#[derive(Clone)]
pub(crate) struct AddressFilter {
    pub resolver: Arc<dyn Resolve>,
    pub loopback: Loopback,
}

/// Errors of the filter, passed through the HTTP client.
#[derive(Debug)]
pub(crate) enum ResolveError {
    Unsafe(UnsafeUrl),
    NoSuchName,
    Unresolved,
}

impl fmt::Display for ResolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsafe(reason) => reason.fmt(f),
            Self::NoSuchName => f.write_str("there is no such name"),
            Self::Unresolved => f.write_str("the name could not be resolved"),
        }
    }
}

impl Error for ResolveError {}

impl From<&ResolveError> for FetchError {
    fn from(error: &ResolveError) -> Self {
        match error {
            ResolveError::Unsafe(reason) => (*reason).into(),
            ResolveError::NoSuchName => Unreachable::Name.into(),
            ResolveError::Unresolved => Unreachable::Resolver.into(),
        }
    }
}

impl AddressFilter {
    /// The addresses of a name, all of them allowed.
    pub fn addresses(
        &self,
        name: &str,
    ) -> impl Future<Output = Result<Vec<IpAddr>, ResolveError>> + Send + 'static {
        let resolving = self.resolver.resolve(name.to_owned());
        let loopback = self.loopback;
        async move {
            let addresses = resolving.await.map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => ResolveError::NoSuchName,
                _ => ResolveError::Unresolved,
            })?;
            if addresses.is_empty() {
                return Err(ResolveError::NoSuchName);
            }
            // One address that is not public disqualifies the name: a public host has no reason to
            // list it.
            if !addresses.iter().all(|address| loopback.permits(*address)) {
                return Err(ResolveError::Unsafe(UnsafeUrl::Address));
            }
            Ok(addresses)
        }
    }
}

impl reqwest::dns::Resolve for AddressFilter {
    fn resolve(&self, name: Name) -> Resolving {
        let resolving = self.addresses(name.as_str());
        Box::pin(async move {
            let addresses = resolving.await?;
            let addresses = addresses.into_iter().map(|address| SocketAddr::new(address, 0));
            Ok(Box::new(addresses) as reqwest::dns::Addrs)
        })
    }
}
