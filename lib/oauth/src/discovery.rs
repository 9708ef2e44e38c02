//! From an issuer to its keys: authorization server metadata, then the key set that it names.

use std::{error::Error, fmt, sync::Arc};

use futures::future::BoxFuture;
use serde::Deserialize;
use url::Url;

use crate::{JwkSet, JwkSetError};

/// Most bytes of a document.
pub const DOCUMENT_MAX: usize = 256 * 1024;

/// Why a document could not be read.
pub type FetchError = Box<dyn Error + Send + Sync>;

/// Reads documents of issuers.
pub trait Fetch: Send + Sync + fmt::Debug {
    /// The document at `url`, of at most [`DOCUMENT_MAX`] bytes. Follows no redirect and takes
    /// seconds, not minutes.
    ///
    /// # Errors
    ///
    /// Any failure, forbidden addresses included.
    fn fetch(&self, url: String) -> BoxFuture<'static, Result<Vec<u8>, FetchError>>;
}

/// Why an issuer's keys could not be fetched.
#[derive(Clone, Debug, thiserror::Error)]
pub enum DiscoveryError {
    /// The issuer's name is not a URL.
    #[error("the issuer {0} is not an absolute URL")]
    Issuer(String),
    /// A document could not be read.
    #[error("{url} could not be read")]
    Fetch {
        /// Address of the document.
        url: String,
        /// The cause.
        #[source]
        source: Arc<dyn Error + Send + Sync>,
    },
    /// The metadata are invalid or belong to another issuer (RFC 8414, section 3.3).
    #[error("{url} is not metadata of its issuer")]
    Metadata {
        /// Address of the metadata.
        url: String,
    },
    /// The key set is invalid.
    #[error("{url} is not a valid key set")]
    Keys {
        /// Address of the key set.
        url: String,
        /// The cause.
        #[source]
        source: Arc<JwkSetError>,
    },
    /// It took longer than [`crate::REFRESH_TIMEOUT`].
    #[error("the issuer took too long")]
    Late,
    /// An earlier attempt was cancelled before it ended.
    #[error("the last attempt was interrupted")]
    Interrupted,
}

#[derive(Deserialize)]
struct Metadata {
    issuer: String,
    jwks_uri: String,
}

/// The two possible addresses of an issuer's metadata: OpenID Connect Discovery appends the
/// well-known path to the issuer's path, RFC 8414 puts it in front.
fn addresses(issuer: &str) -> Result<[String; 2], DiscoveryError> {
    let url = Url::parse(issuer).map_err(|_| DiscoveryError::Issuer(issuer.to_owned()))?;
    let path = url.path().trim_end_matches('/');
    let at = |path: String| {
        let mut url = url.clone();
        url.set_path(&path);
        url.to_string()
    };
    Ok([
        at(format!("{path}/.well-known/openid-configuration")),
        at(format!("/.well-known/oauth-authorization-server{path}")),
    ])
}

/// The issuer's current keys.
pub(crate) async fn fetch_keys(issuer: &str, fetch: &dyn Fetch) -> Result<JwkSet, DiscoveryError> {
    let [first, second] = addresses(issuer)?;
    let metadata = match metadata(issuer, first, fetch).await {
        Ok(metadata) => metadata,
        // The error of the first address is reported: most issuers have that one.
        Err(error) => metadata(issuer, second, fetch).await.map_err(|_| error)?,
    };
    let url = metadata.jwks_uri;
    let document = read(&url, fetch).await?;
    JwkSet::parse(&document).map_err(|error| DiscoveryError::Keys { url, source: Arc::new(error) })
}

async fn metadata(
    issuer: &str,
    url: String,
    fetch: &dyn Fetch,
) -> Result<Metadata, DiscoveryError> {
    let document = read(&url, fetch).await?;
    match serde_json::from_slice::<Metadata>(&document) {
        Ok(metadata) if metadata.issuer == issuer => Ok(metadata),
        _ => Err(DiscoveryError::Metadata { url }),
    }
}

async fn read(url: &str, fetch: &dyn Fetch) -> Result<Vec<u8>, DiscoveryError> {
    fetch
        .fetch(url.to_owned())
        .await
        .map_err(|error| DiscoveryError::Fetch { url: url.to_owned(), source: error.into() })
}
