//! URLs of public web servers, validated once and trusted afterwards.

use std::{fmt, net::IpAddr};

use ::url::{Host, Url};

use crate::{Ports, address};

/// Most characters of a URL.
const LONGEST: usize = 2048;

/// The allowed schemes of a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schemes {
    /// Only `https`; also `http` to this machine where loopback is allowed.
    Https,
    /// `https` and `http`.
    HttpOrHttps,
}

/// Whether this machine may be connected to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Loopback {
    /// Never: for production.
    #[default]
    Refused,
    /// Yes, besides public addresses: for development and tests only.
    Allowed,
}

impl Loopback {
    /// Whether `address` may be connected to.
    pub fn permits(self, address: IpAddr) -> bool {
        address::is_public(address) || self == Self::Allowed && address.to_canonical().is_loopback()
    }
}

/// The URL of a public web server, normalised and without a fragment.
///
/// A host name may still resolve to an address that is not public;
/// [`GuardedClient`](crate::GuardedClient) checks that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl {
    url: Url,
    schemes: Schemes,
    loopback: Loopback,
    ports: Ports,
}

/// Why a URL is rejected; the messages are for its sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnsafeUrl {
    /// It has more than 2048 characters.
    #[error("the address is longer than 2048 characters")]
    TooLong,
    /// It is not an absolute URL.
    #[error("the address is not an absolute URL")]
    Malformed,
    /// Its scheme is not allowed.
    #[error("the address does not begin with https:// or another scheme that is allowed here")]
    Scheme,
    /// It has a user name or password.
    #[error("the address contains a user name or password")]
    Credentials,
    /// It names a host of a local network.
    #[error("the host is not a public one")]
    Host,
    /// It is, or resolves to, an address that is not public.
    #[error("the host has an address that is not public")]
    Address,
    /// It names a port that is not allowed.
    #[error("the port is not 443, 80 or another one that is allowed here")]
    Port,
    /// A redirect led from `https` to `http`.
    #[error("the page redirects from https to http")]
    Downgrade,
}

/// Top-level names that never belong to a public host: RFC 6761, 6762, 7686, 8375, 9476, ICANN's
/// `internal`, and names that routers and companies use locally.
const LOCAL_NAMES: [&str; 13] = [
    "alt",
    "corp",
    "home",
    "arpa",
    "internal",
    "intranet",
    "invalid",
    "lan",
    "local",
    "localhost",
    "onion",
    "private",
    "test",
];

impl PublicUrl {
    /// Parses a URL.
    ///
    /// IP addresses are recognised in every spelling that browsers accept (`0x7f.1`, `2130706433`,
    /// `[::ffff:127.0.0.1]`), because they are checked after normalisation.
    ///
    /// # Errors
    ///
    /// [`UnsafeUrl`] unless it is an absolute URL of at most 2048 characters with an allowed scheme,
    /// no user name or password, a public host and one of `ports`.
    pub fn parse(
        text: &str,
        schemes: Schemes,
        loopback: Loopback,
        ports: &Ports,
    ) -> Result<Self, UnsafeUrl> {
        if text.chars().count() > LONGEST {
            return Err(UnsafeUrl::TooLong);
        }
        // Parsers drop or convert these, so that two of them may see two different hosts.
        if text.contains(|c: char| c.is_whitespace() || c.is_control() || c == '\\') {
            return Err(UnsafeUrl::Malformed);
        }
        let url = Url::parse(text).map_err(|_| UnsafeUrl::Malformed)?;
        if url.has_host() && !text.contains("://") {
            return Err(UnsafeUrl::Malformed);
        }
        Self::check(url, schemes, loopback, ports)
    }

    /// The URL that a redirect from here to `location` leads to.
    ///
    /// # Errors
    ///
    /// [`UnsafeUrl`] as for [`PublicUrl::parse`], and if it leads from `https` to `http`: a caller
    /// who asked for an authenticated page must not get one that a third party could have written.
    pub fn redirected(&self, location: &str) -> Result<Self, UnsafeUrl> {
        let next = self.url.join(location).map_err(|_| UnsafeUrl::Malformed)?;
        if next.as_str().chars().count() > LONGEST {
            return Err(UnsafeUrl::TooLong);
        }
        let next = Self::check(next, self.schemes, self.loopback, &self.ports)?;
        if self.url.scheme() == "https" && next.url.scheme() == "http" {
            return Err(UnsafeUrl::Downgrade);
        }
        Ok(next)
    }

    fn check(
        mut url: Url,
        schemes: Schemes,
        loopback: Loopback,
        ports: &Ports,
    ) -> Result<Self, UnsafeUrl> {
        match (url.scheme(), schemes) {
            ("https", _) | ("http", Schemes::HttpOrHttps) => {}
            ("http", Schemes::Https) if loopback == Loopback::Allowed && is_this_machine(&url) => {}
            _ => return Err(UnsafeUrl::Scheme),
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(UnsafeUrl::Credentials);
        }
        match url.host().ok_or(UnsafeUrl::Malformed)? {
            Host::Domain(name) if !is_public_name(name, loopback) => return Err(UnsafeUrl::Host),
            Host::Ipv4(address) if !loopback.permits(address.into()) => {
                return Err(UnsafeUrl::Address);
            }
            Host::Ipv6(address) if !loopback.permits(address.into()) => {
                return Err(UnsafeUrl::Address);
            }
            _ => {}
        }
        let port = url.port_or_known_default().ok_or(UnsafeUrl::Port)?;
        if !ports.permit(port) {
            return Err(UnsafeUrl::Port);
        }
        url.set_fragment(None);
        Ok(Self { url, schemes, loopback, ports: ports.clone() })
    }

    /// The URL as text.
    pub fn as_str(&self) -> &str {
        self.url.as_str()
    }

    /// Host and port: the same for every spelling of them.
    pub fn authority(&self) -> String {
        let host = self.url.host_str().unwrap_or_default().trim_end_matches('.');
        format!("{host}:{}", self.url.port_or_known_default().unwrap_or_default())
    }

    /// The host, if it is a name.
    pub(crate) fn name(&self) -> Option<&str> {
        self.url.domain()
    }

    /// The host, if it is an IP address.
    pub(crate) fn literal(&self) -> Option<IpAddr> {
        match self.url.host()? {
            Host::Ipv4(address) => Some(address.into()),
            Host::Ipv6(address) => Some(address.into()),
            Host::Domain(_) => None,
        }
    }

    pub(crate) fn to_url(&self) -> Url {
        self.url.clone()
    }
}

/// Whether the host is this machine by its spelling, without name resolution.
fn is_this_machine(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => is_localhost(name),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.to_canonical().is_loopback(),
        None => false,
    }
}

fn is_localhost(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    name == "localhost" || name.ends_with(".localhost")
}

/// Whether a normalised name may belong to a public host: it has at least two labels, and the last
/// one is not a name of a local network.
fn is_public_name(name: &str, loopback: Loopback) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    if loopback == Loopback::Allowed && is_localhost(name) {
        return true;
    }
    let mut labels = name.rsplit('.');
    let top = labels.next().unwrap_or_default();
    labels.next().is_some_and(|label| !label.is_empty()) && !LOCAL_NAMES.contains(&top)
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
