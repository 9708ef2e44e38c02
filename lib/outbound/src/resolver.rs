//! From names to addresses.

use std::{
    error::Error,
    fmt, io,
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use futures::{FutureExt, future::BoxFuture};
use reqwest::dns::{Name, Resolving};

use crate::{Loopback, UnsafeUrl};

/// Finds the addresses of a host.
pub trait Resolve: Send + Sync {
    /// The addresses of `host`, in the order in which to try them.
    ///
    /// # Errors
    ///
    /// Whatever keeps the name from being resolved.
    fn resolve(&self, host: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>>;
}

/// Asks the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemResolver;

impl Resolve for SystemResolver {
    fn resolve(&self, host: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        async move {
            let addresses = tokio::net::lookup_host((host, 0)).await?;
            Ok(addresses.map(|address| address.ip()).collect())
        }
        .boxed()
    }
}

/// Sits between a resolver and the connection: what it lets through is what is connected to, so a name that
/// resolves differently the next time gains nothing.
pub(crate) struct Guard {
    pub resolver: Arc<dyn Resolve>,
    pub loopback: Loopback,
}

/// What the guard reports through the HTTP client.
#[derive(Debug)]
pub(crate) enum Stopped {
    Unsafe(UnsafeUrl),
    Unresolved,
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsafe(reason) => reason.fmt(f),
            Self::Unresolved => f.write_str("the name could not be resolved"),
        }
    }
}

impl Error for Stopped {}

impl reqwest::dns::Resolve for Guard {
    fn resolve(&self, name: Name) -> Resolving {
        let resolving = self.resolver.resolve(name.as_str().to_owned());
        let loopback = self.loopback;
        Box::pin(async move {
            let addresses = resolving.await.map_err(|_| Stopped::Unresolved)?;
            if addresses.is_empty() {
                return Err(Stopped::Unresolved.into());
            }
            // One address that is not public condemns the name: a public host has no reason to list it.
            if !addresses.iter().all(|address| loopback.permits(*address)) {
                return Err(Stopped::Unsafe(UnsafeUrl::Address).into());
            }
            let addresses = addresses.into_iter().map(|address| SocketAddr::new(address, 0));
            Ok(Box::new(addresses) as reqwest::dns::Addrs)
        })
    }
}
