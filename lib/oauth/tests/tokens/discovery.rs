use oauth::{DiscoveryError, VerifyError};
use serde_json::{Value, json};

use crate::support::{Bench, KEYS_URL, claims_with};

async fn attempt(bench: &Bench, issuer: &str) -> Result<(), VerifyError> {
    let token = bench.token(&claims_with(json!({"iss": issuer})));
    bench.server.verify(&token).await.map(drop)
}

#[tokio::test]
async fn metadata_may_be_where_either_specification_has_them() {
    for (issuer, address) in [
        ("https://a.example", "https://a.example/.well-known/openid-configuration"),
        ("https://a.example/", "https://a.example/.well-known/openid-configuration"),
        ("https://a.example/t/1", "https://a.example/t/1/.well-known/openid-configuration"),
        ("https://a.example/t/", "https://a.example/t/.well-known/openid-configuration"),
        ("https://a.example", "https://a.example/.well-known/oauth-authorization-server"),
        ("https://a.example/t/1", "https://a.example/.well-known/oauth-authorization-server/t/1"),
        ("https://a.example:8443/t", "https://a.example:8443/t/.well-known/openid-configuration"),
    ] {
        let bench = Bench::trusting(issuer);
        bench.site.put(address, json!({"issuer": issuer, "jwks_uri": KEYS_URL}));
        bench.publish(&[bench.ec.jwk("ec")]);
        attempt(&bench, issuer).await.expect(address);
    }
}

#[tokio::test]
async fn metadata_of_somebody_else_are_not_believed() {
    let issuer = "https://a.example";
    let keys = json!(KEYS_URL);
    for document in [
        json!({"issuer": "https://b.example", "jwks_uri": keys}),
        json!({"issuer": "https://a.example/", "jwks_uri": keys}),
        json!({"jwks_uri": keys}),
        json!({"issuer": issuer}),
        json!({"issuer": issuer, "jwks_uri": [keys]}),
        Value::Null,
    ] {
        let bench = Bench::trusting(issuer);
        bench.site.put("https://a.example/.well-known/openid-configuration", &document);
        bench.publish(&[bench.ec.jwk("ec")]);
        match attempt(&bench, issuer).await {
            Err(VerifyError::Unavailable(error)) => {
                assert!(matches!(error.source, DiscoveryError::Metadata { .. }), "{error:?}");
            }
            other => panic!("{document}: {other:?}"),
        }
    }
}

#[tokio::test]
async fn an_issuer_signs_for_itself_only() {
    let bench = Bench::new();
    let other = oauth::ResourceServer::new(
        ["https://b.example", crate::support::ISSUER].map(|name| (name.to_owned(), bench.fetch())),
        vec![crate::support::AUDIENCE.to_owned()],
        bench.clock.clone(),
    );
    let foreign = crate::support::Pair::ec();
    let keys = "https://b.example/keys";
    bench.site.put(
        "https://b.example/.well-known/openid-configuration",
        json!({"issuer": "https://b.example", "jwks_uri": keys}),
    );
    // The same name for another key.
    bench.site.put(keys, json!({"keys": [foreign.jwk("ec")]}));
    let own = foreign.token(&bench.header(), &claims_with(json!({"iss": "https://b.example"})));
    other.verify(&own).await.expect("its own");
    let forged = foreign.token(&bench.header(), &claims_with(json!({})));
    let error = other.verify(&forged).await.expect_err("another's");
    assert_eq!(error.to_string(), "its signature is wrong");
}

#[tokio::test]
async fn an_issuer_that_has_moved_keeps_its_subjects_accounts() {
    let bench = Bench::new();
    let token = bench.token(&claims_with(json!({})));
    let before = bench.accepts(&token).await;
    let moved = bench.server.clone().renamed(crate::support::ISSUER, "https://first.example");
    let grant = moved.verify(&token).await.expect("a good token");
    assert_eq!((&*grant.subject.issuer, &*grant.subject.name), ("https://first.example", "user-1"));
    assert_ne!(grant.subject.account(), before.subject.account());
    assert_eq!(grant.issuer, crate::support::ISSUER, "what the token says");
    assert_eq!(moved.issuers().collect::<Vec<_>>(), [crate::support::ISSUER]);
}
