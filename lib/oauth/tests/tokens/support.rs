//! An issuer that a test has in its hands: real keys, any token, and documents that it can take away.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use aws_lc_rs::{
    rand::SystemRandom,
    rsa::KeySize,
    signature::{
        ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair, RSA_PKCS1_SHA256, RsaKeyPair,
    },
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use domain::{Clock, Timestamp, clock::Sleep};
use futures::future::BoxFuture;
use oauth::{Fetch, FetchError, ResourceServer, TokenError, VerifiedClaims, VerifyError};
use serde_json::{Value, json};
use tokio::sync::watch;

pub const ISSUER: &str = "https://issuer.example/tenant";
pub const AUDIENCE: &str = "https://api.example.com/v1";
pub const SECOND_AUDIENCE: &str = "urn:prompts";
/// 2026-03-15T12:00:00Z
pub const NOW: i64 = 1_773_576_000;

pub fn base64url(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

#[derive(Debug)]
pub struct ManualClock(watch::Sender<i64>);

impl ManualClock {
    pub fn advance(&self, by: Duration) {
        self.0.send_modify(|now| *now += by.as_millis() as i64);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(*self.0.borrow())
    }

    fn sleep_until(&self, instant: Timestamp) -> Sleep {
        let mut moved = self.0.subscribe();
        Box::pin(async move {
            let _ = moved.wait_for(|now| *now >= instant.millis()).await;
        })
    }
}

/// Lets all other tasks go on as far as they can.
pub async fn others() {
    for _ in 0..50 {
        tokio::task::yield_now().await;
    }
}

/// A pair of keys.
pub enum Pair {
    Rsa(Box<RsaKeyPair>),
    Ec(Box<EcdsaKeyPair>),
}

impl Pair {
    pub fn ec() -> Self {
        let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).expect("a key");
        Self::Ec(Box::new(pair))
    }

    /// One for all tests: making it takes long.
    pub fn rsa() -> &'static Self {
        static PAIR: OnceLock<Pair> = OnceLock::new();
        PAIR.get_or_init(|| {
            Pair::Rsa(Box::new(RsaKeyPair::generate(KeySize::Rsa2048).expect("a key")))
        })
    }

    pub fn jwk(&self, kid: &str) -> Value {
        match self {
            Self::Rsa(pair) => {
                let key = pair.public_key();
                json!({
                    "kty": "RSA", "kid": kid, "use": "sig", "alg": "RS256",
                    "n": base64url(key.modulus().big_endian_without_leading_zero()),
                    "e": base64url(key.exponent().big_endian_without_leading_zero()),
                })
            }
            Self::Ec(pair) => {
                let (x, y) = pair.public_key().as_ref()[1..].split_at(32);
                json!({
                    "kty": "EC", "crv": "P-256", "kid": kid, "use": "sig", "alg": "ES256",
                    "x": base64url(x), "y": base64url(y),
                })
            }
        }
    }

    pub fn sign(&self, input: &str) -> String {
        let random = SystemRandom::new();
        match self {
            Self::Rsa(pair) => {
                let mut signature = vec![0; pair.public_modulus_len()];
                pair.sign(&RSA_PKCS1_SHA256, &random, input.as_bytes(), &mut signature)
                    .expect("a signature");
                base64url(signature)
            }
            Self::Ec(pair) => base64url(pair.sign(&random, input.as_bytes()).expect("a signature")),
        }
    }

    /// A token of exactly these texts.
    pub fn token_of(&self, header: &str, payload: impl AsRef<[u8]>) -> String {
        let input = format!("{}.{}", base64url(header), base64url(payload));
        format!("{input}.{}", self.sign(&input))
    }

    pub fn token(&self, header: &Value, claims: &Value) -> String {
        self.token_of(&header.to_string(), claims.to_string())
    }
}

/// Claims of a good token.
pub fn claims() -> Value {
    json!({
        "iss": ISSUER, "sub": "user-1", "aud": AUDIENCE, "exp": NOW + 300, "iat": NOW, "jti": "t-1",
        "client_id": "client-1", "scope": "usage:read openid history:read",
    })
}

/// The same with other values; null takes a claim away.
pub fn claims_with(changes: Value) -> Value {
    changed(claims(), changes)
}

pub fn changed(mut value: Value, changes: Value) -> Value {
    let all = value.as_object_mut().expect("an object");
    for (name, change) in changes.as_object().expect("an object") {
        match change {
            Value::Null => all.remove(name),
            change => all.insert(name.clone(), change.clone()),
        };
    }
    value
}

/// The issuer's web server.
#[derive(Debug, Default)]
pub struct Site {
    documents: Mutex<HashMap<String, Vec<u8>>>,
    pub asked: AtomicUsize,
    pub held: tokio::sync::Mutex<()>,
    hangs: AtomicBool,
}

impl Site {
    pub fn put(&self, url: &str, document: impl ToString) {
        let bytes = document.to_string().into_bytes();
        self.documents.lock().expect("no panic").insert(url.to_owned(), bytes);
    }

    pub fn remove(&self, url: &str) {
        self.documents.lock().expect("no panic").remove(url);
    }

    /// Whether requests that come from now on are never answered.
    pub fn hang(&self, hangs: bool) {
        self.hangs.store(hangs, Ordering::SeqCst);
    }

    pub fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

#[derive(Clone, Debug)]
struct Client(Arc<Site>);

impl Fetch for Client {
    fn fetch(&self, url: String) -> BoxFuture<'static, Result<Vec<u8>, FetchError>> {
        let site = self.0.clone();
        Box::pin(async move {
            site.asked.fetch_add(1, Ordering::SeqCst);
            if site.hangs.load(Ordering::SeqCst) {
                std::future::pending::<()>().await;
            }
            let _held = site.held.lock().await;
            let found = site.documents.lock().expect("no panic").get(&url).cloned();
            found.ok_or_else(|| "404".into())
        })
    }
}

pub const KEYS_URL: &str = "https://issuer.example/keys";
pub const METADATA_URL: &str = "https://issuer.example/tenant/.well-known/openid-configuration";

/// A resource server that trusts one issuer with an EC key `ec` and an RSA key `rsa`.
pub struct Bench {
    pub clock: Arc<ManualClock>,
    pub site: Arc<Site>,
    pub ec: Pair,
    pub server: ResourceServer,
}

impl Bench {
    pub fn new() -> Self {
        let bench = Self::trusting(ISSUER);
        bench.site.put(METADATA_URL, json!({"issuer": ISSUER, "jwks_uri": KEYS_URL}));
        bench.publish(&[bench.ec.jwk("ec"), Pair::rsa().jwk("rsa")]);
        bench
    }

    /// A resource server that trusts one issuer, whose site is empty.
    pub fn trusting(issuer: &str) -> Self {
        let clock = Arc::new(ManualClock(watch::Sender::new(NOW * 1000)));
        let site = Arc::new(Site::default());
        let server = ResourceServer::new(
            [(issuer.to_owned(), Arc::new(Client(site.clone())) as Arc<dyn Fetch>)],
            vec![AUDIENCE.to_owned(), SECOND_AUDIENCE.to_owned()],
            clock.clone(),
        );
        Self { clock, site, ec: Pair::ec(), server }
    }

    pub fn publish(&self, keys: &[Value]) {
        self.site.put(KEYS_URL, json!({ "keys": keys }));
    }

    pub fn header(&self) -> Value {
        json!({"alg": "ES256", "typ": "at+jwt", "kid": "ec"})
    }

    /// A token with a good header.
    pub fn token(&self, claims: &Value) -> String {
        self.ec.token(&self.header(), claims)
    }

    pub async fn accepts(&self, token: &str) -> VerifiedClaims {
        self.server.verify(token).await.expect("a good token")
    }

    pub async fn refuses(&self, token: &str) -> TokenError {
        match self.server.verify(token).await.expect_err("no good token") {
            VerifyError::Invalid(reason) => reason,
            other => panic!("{other:?}"),
        }
    }

    pub fn fetch(&self) -> Arc<dyn Fetch> {
        Arc::new(Client(self.site.clone()))
    }
}

/// The order of P-256.
const ORDER: [u8; 32] = [
    0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xbc, 0xe6,
    0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51,
];

/// The same token with the other signature that ECDSA has for it: (r, n - s).
pub fn other_spelling(token: &str) -> String {
    let (input, signature) = token.rsplit_once('.').expect("a signature");
    let mut signature = URL_SAFE_NO_PAD.decode(signature).expect("base 64");
    let mut borrow = 0;
    for (place, digit) in ORDER.iter().enumerate().rev() {
        let difference = i16::from(*digit) - i16::from(signature[32 + place]) - borrow;
        borrow = i16::from(difference < 0);
        signature[32 + place] = difference.rem_euclid(256) as u8;
    }
    format!("{input}.{}", base64url(signature))
}
