//! A small authorization server, for trying OAuth clients on one machine: discovery, keys, and
//! tokens for its one client (RFC 6749, section 4.4). It is part of the development server only and
//! has no users; a deployment trusts an issuer of its operator's choice instead.

use std::{fs, io, path::Path, sync::Arc};

use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
use axum::{
    Json, Router,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use domain::{Clock, Scope, random};
use edge::runtime::{SystemClock, SystemRandom};
use embedded::private_file;
use jsonwebtoken::{Algorithm, EncodingKey, Header, jwk::Jwk};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use subtle::ConstantTimeEq;

/// Path of the issuer on the development server.
const PATH: &str = "/oauth";
/// Lifetime of a token, in seconds.
const LIFETIME: i64 = 3600;
/// Name of the one client.
const CLIENT_ID: &str = "local-client";

/// Contents of its file in the data folder.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Secrets {
    client_secret: String,
    key_id: String,
    /// PKCS #8, in base 64.
    private_key: String,
    /// Its address when the folder was first used.
    #[serde(default)]
    first_url: Option<String>,
}

impl Secrets {
    fn new(url: &str) -> io::Result<Self> {
        let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING)
            .and_then(|pair| pair.to_pkcs8v1());
        let pair = pair.map_err(|_| io::Error::other("no key could be made"))?;
        Ok(Self {
            client_secret: text::<24>(),
            key_id: text::<8>(),
            private_key: STANDARD.encode(pair),
            first_url: Some(url.to_owned()),
        })
    }

    fn of_folder(folder: &Path, url: &str) -> io::Result<Self> {
        let file = folder.join("issuer.json");
        match fs::read(&file) {
            Ok(bytes) => {
                let secrets: Self = serde_json::from_slice(&bytes).map_err(|error| {
                    io::Error::other(format!("{} cannot be read: {error}", file.display()))
                })?;
                if secrets.first_url.is_some() {
                    return Ok(secrets);
                }
                // The file is from a version that did not store it.
                Self { first_url: Some(url.to_owned()), ..secrets }.kept_in(&file)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Self::new(url)?.kept_in(&file),
            Err(error) => Err(error),
        }
    }

    fn kept_in(self, file: &Path) -> io::Result<Self> {
        private_file::write(file, &serde_json::to_vec_pretty(&self)?)?;
        Ok(self)
    }
}

/// `N` random bytes as text.
fn text<const N: usize>() -> String {
    URL_SAFE_NO_PAD.encode(random::bytes::<N>(&SystemRandom))
}

/// The authorization server.
#[derive(Clone)]
pub struct Issuer(Arc<Parts>);

struct Parts {
    url: String,
    first_url: String,
    audiences: Vec<String>,
    client_secret: String,
    key: EncodingKey,
    jwk: Jwk,
}

impl Issuer {
    /// The issuer at `origin`, an address without a path. It issues tokens for one of `audiences`,
    /// the first by default. Its key and its client are created on first use and kept in `folder`.
    ///
    /// # Errors
    ///
    /// The file cannot be read or written, or its contents are invalid.
    pub fn new(folder: Option<&Path>, origin: &str, audiences: Vec<String>) -> io::Result<Self> {
        let url = format!("{origin}{PATH}");
        let secrets = match folder {
            Some(folder) => Secrets::of_folder(folder, &url)?,
            None => Secrets::new(&url)?,
        };
        let key = STANDARD.decode(&secrets.private_key).map_err(io::Error::other)?;
        let key = EncodingKey::from_ec_der(&key);
        let mut jwk = Jwk::from_encoding_key(&key, Algorithm::ES256).map_err(io::Error::other)?;
        jwk.common.key_id = Some(secrets.key_id);
        Ok(Self(Arc::new(Parts {
            first_url: secrets.first_url.unwrap_or_else(|| url.clone()),
            url,
            audiences,
            client_secret: secrets.client_secret,
            key,
            jwk,
        })))
    }

    /// Its name, as in tokens.
    pub fn url(&self) -> &str {
        &self.0.url
    }

    /// Its name when the folder was first used. Metadata must be at the address of the name, so the
    /// name changes with the port; the data of its client must not.
    pub fn first_url(&self) -> &str {
        &self.0.first_url
    }

    /// Address of the token endpoint.
    pub fn token_url(&self) -> String {
        format!("{}/token", self.0.url)
    }

    /// Identifier and secret of the client.
    pub fn client(&self) -> (&str, &str) {
        (CLIENT_ID, &self.0.client_secret)
    }

    /// Its routes, at the root of the host.
    pub fn router(&self) -> Router {
        Router::new()
            .route(&format!("{PATH}/.well-known/openid-configuration"), get(metadata))
            .route(&format!("/.well-known/oauth-authorization-server{PATH}"), get(metadata))
            .route(&format!("{PATH}/keys"), get(keys))
            .route(&format!("{PATH}/token"), post(token))
            .with_state(self.clone())
    }

    fn make_out(
        &self,
        audience: &str,
        scopes: &[Scope],
    ) -> Result<Value, jsonwebtoken::errors::Error> {
        let Parts { url, key, jwk, .. } = &*self.0;
        let mut header = Header::new(Algorithm::ES256);
        header.typ = Some("at+jwt".to_owned());
        header.kid = jwk.common.key_id.clone();
        let now = SystemClock.now().seconds();
        let scope: Vec<_> = scopes.iter().map(|scope| scope.as_str()).collect();
        let scope = scope.join(" ");
        let claims = json!({
            "iss": url, "sub": CLIENT_ID, "aud": audience, "client_id": CLIENT_ID,
            "iat": now, "exp": now + LIFETIME, "jti": text::<16>(), "scope": scope,
        });
        let token = jsonwebtoken::encode(&header, &claims, key)?;
        Ok(json!({
            "access_token": token, "token_type": "Bearer", "expires_in": LIFETIME, "scope": scope,
        }))
    }
}

/// Authorization server metadata (RFC 8414).
async fn metadata(State(issuer): State<Issuer>) -> Json<Value> {
    let url = issuer.url();
    Json(json!({
        "issuer": url,
        "jwks_uri": format!("{url}/keys"),
        "token_endpoint": issuer.token_url(),
        "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
        "grant_types_supported": ["client_credentials"],
        "response_types_supported": [],
        "scopes_supported": Scope::ALL.map(Scope::as_str),
    }))
}

async fn keys(State(issuer): State<Issuer>) -> Json<Value> {
    Json(json!({"keys": [issuer.0.jwk]}))
}

/// The error code of a refused token request (RFC 6749, section 5.2).
struct Denied(&'static str);

impl IntoResponse for Denied {
    fn into_response(self) -> Response {
        let body = Json(json!({"error": self.0}));
        match self.0 {
            "invalid_client" => {
                let challenge = [(header::WWW_AUTHENTICATE, r#"Basic realm="local""#)];
                (StatusCode::UNAUTHORIZED, challenge, body).into_response()
            }
            "server_error" => (StatusCode::INTERNAL_SERVER_ERROR, body).into_response(),
            _ => (StatusCode::BAD_REQUEST, body).into_response(),
        }
    }
}

/// `POST /oauth/token`
async fn token(
    State(issuer): State<Issuer>,
    headers: HeaderMap,
    body: String,
) -> Result<Response, Denied> {
    let form: Vec<(String, String)> =
        form_urlencoded::parse(body.as_bytes()).into_owned().collect();
    let field =
        |name: &str| form.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str());
    let posted = field("client_id").zip(field("client_secret"));
    let given = basic(&headers).or(posted.map(|(id, secret)| (id.to_owned(), secret.to_owned())));
    let (id, secret) = issuer.client();
    let right = given.is_some_and(|(given_id, given_secret)| {
        given_id == id && bool::from(given_secret.as_bytes().ct_eq(secret.as_bytes()))
    });
    if !right {
        return Err(Denied("invalid_client"));
    }
    if field("grant_type") != Some("client_credentials") {
        return Err(Denied("unsupported_grant_type"));
    }
    // RFC 8707
    let audiences = &issuer.0.audiences;
    let audience = match field("resource") {
        None => audiences.first(),
        Some(resource) => audiences.iter().find(|audience| *audience == resource),
    };
    let audience = audience.ok_or(Denied("invalid_target"))?;
    let scopes = match field("scope") {
        None => Scope::ALL.to_vec(),
        Some(names) => {
            let names = names.split(' ').filter(|name| !name.is_empty());
            names
                .map(|name| name.parse().map_err(|_| Denied("invalid_scope")))
                .collect::<Result<_, _>>()?
        }
    };
    let made = issuer.make_out(audience, &scopes).map_err(|_| Denied("server_error"))?;
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(made)).into_response())
}

/// The client's name and secret in `Authorization: Basic …`.
fn basic(headers: &HeaderMap) -> Option<(String, String)> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let decoded = STANDARD.decode(value.strip_prefix("Basic ")?).ok()?;
    let (id, secret) = std::str::from_utf8(&decoded).ok()?.split_once(':')?;
    Some((id.to_owned(), secret.to_owned()))
}
