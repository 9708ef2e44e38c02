//! An issuer of access tokens that a test has in its hands: real keys, behind real HTTP.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use aws_lc_rs::{
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair},
};
use axum::{
    Router,
    extract::State,
    http::{
        HeaderMap, StatusCode, Uri,
        header::{LOCATION, USER_AGENT},
    },
    response::{IntoResponse, Response},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use domain::{AccountId, Clock, Scope, Scopes};
use oauth::Subject;
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::AbortHandle};

use crate::clock::ManualClock;

/// Base 64 as tokens have it.
pub fn base64url(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// A pair of keys with a name.
pub struct Pair {
    /// Its name.
    pub kid: String,
    keys: EcdsaKeyPair,
}

impl Pair {
    /// A new pair.
    pub fn new(kid: &str) -> Self {
        let keys = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).expect("a key");
        Self { kid: kid.to_owned(), keys }
    }

    /// Its public half.
    pub fn jwk(&self) -> Value {
        let (x, y) = self.keys.public_key().as_ref()[1..].split_at(32);
        json!({
            "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": self.kid,
            "x": base64url(x), "y": base64url(y),
        })
    }

    /// A token of exactly these texts.
    pub fn sign(&self, header: &str, payload: &str) -> String {
        let input = format!("{}.{}", base64url(header), base64url(payload));
        let signature =
            self.keys.sign(&SystemRandom::new(), input.as_bytes()).expect("a signature");
        format!("{input}.{}", base64url(signature))
    }

    /// A token with a good header.
    pub fn token(&self, claims: &Value) -> String {
        let header = json!({"alg": "ES256", "typ": "at+jwt", "kid": self.kid});
        self.sign(&header.to_string(), &claims.to_string())
    }
}

/// How the issuer's web server is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Behavior {
    /// Well.
    #[default]
    Well,
    /// It says 503.
    Away,
    /// It takes requests and never answers.
    Silent,
    /// It sends its callers elsewhere.
    Redirecting,
    /// Its documents have no end.
    Endless,
    /// It says that its keys are at this address.
    Pointing(&'static str),
}

#[derive(Debug, Default)]
struct Site {
    url: String,
    keys: Mutex<Vec<Value>>,
    behavior: Mutex<Behavior>,
    asked: AtomicUsize,
    /// Who asked last, as they said.
    agent: Mutex<String>,
}

/// The issuer.
pub struct Issuer {
    /// Its name, as it stands in tokens.
    pub url: String,
    /// The pair that it signs with.
    pub pair: Pair,
    audience: String,
    clock: Arc<ManualClock>,
    site: Arc<Site>,
    server: AbortHandle,
}

impl Issuer {
    /// An issuer that makes out tokens for `audience`.
    pub async fn start(clock: Arc<ManualClock>, audience: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let pair = Pair::new("first");
        let site = Site { url: url.clone(), keys: Mutex::new(vec![pair.jwk()]), ..Site::default() };
        let site = Arc::new(site);
        let app = Router::new().fallback(answer).with_state(site.clone());
        let server = tokio::spawn(async move { axum::serve(listener, app).await }).abort_handle();
        Self { url, pair, audience: audience.to_owned(), clock, site, server }
    }

    /// Publishes these keys and no others.
    pub fn publish(&self, pairs: &[&Pair]) {
        *self.site.keys.lock().expect("no panic") = pairs.iter().map(|pair| pair.jwk()).collect();
    }

    /// Changes how it answers.
    pub fn behave(&self, behavior: Behavior) {
        *self.site.behavior.lock().expect("no panic") = behavior;
    }

    /// How many requests it has had.
    pub fn asked(&self) -> usize {
        self.site.asked.load(Ordering::SeqCst)
    }

    /// What the last request said that it came from.
    pub fn agent(&self) -> String {
        self.site.agent.lock().expect("no panic").clone()
    }

    /// Claims of a token for `subject` that works for an hour, at the API and at its MCP endpoint.
    pub fn claims(&self, subject: &str, scopes: Scopes) -> Value {
        let now = self.clock.now().seconds();
        let scope: Vec<_> = scopes.iter().map(Scope::as_str).collect();
        let audiences = [self.audience.clone(), format!("{}/mcp", self.audience)];
        json!({
            "iss": self.url, "sub": subject, "aud": audiences, "iat": now, "exp": now + 3600,
            "jti": "a", "client_id": "a-client", "scope": scope.join(" "),
        })
    }

    /// A token for `subject`.
    pub fn token(&self, subject: &str, scopes: Scopes) -> String {
        self.pair.token(&self.claims(subject, scopes))
    }

    /// The account that a token speaks for.
    pub fn account(&self, token: &str) -> AccountId {
        let payload = token.split('.').nth(1).unwrap_or_default();
        let payload = URL_SAFE_NO_PAD.decode(payload).unwrap_or_default();
        let claims: Value = serde_json::from_slice(&payload).unwrap_or_default();
        let name = claims["sub"].as_str().unwrap_or_default().to_owned();
        Subject { issuer: self.url.clone(), name }.account()
    }
}

impl Drop for Issuer {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn answer(State(site): State<Arc<Site>>, uri: Uri, headers: HeaderMap) -> Response {
    site.asked.fetch_add(1, Ordering::SeqCst);
    let agent = headers.get(USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default();
    agent.clone_into(&mut site.agent.lock().expect("no panic"));
    let behavior = site.behavior.lock().expect("no panic").clone();
    match (behavior, uri.path()) {
        (Behavior::Away, _) => StatusCode::SERVICE_UNAVAILABLE.into_response(),
        (Behavior::Silent, _) => std::future::pending().await,
        (Behavior::Redirecting, "/keys") => {
            (StatusCode::FOUND, [(LOCATION, format!("{}/elsewhere", site.url))]).into_response()
        }
        (Behavior::Endless, "/keys") => {
            let keys = site.keys.lock().expect("no panic").clone();
            format!("{}{}", json!({ "keys": keys }), " ".repeat(300_000)).into_response()
        }
        (behavior, "/.well-known/openid-configuration") => {
            let keys_url = match behavior {
                Behavior::Pointing(elsewhere) => elsewhere.to_owned(),
                _ => format!("{}/keys", site.url),
            };
            json!({"issuer": site.url, "jwks_uri": keys_url}).to_string().into_response()
        }
        (_, "/keys" | "/elsewhere") => {
            let keys = site.keys.lock().expect("no panic").clone();
            json!({ "keys": keys }).to_string().into_response()
        }
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}
