use std::{sync::Arc, time::Duration};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use oauth::{
    COOLDOWN, DiscoveryError, INITIAL_COOLDOWN, MAX_AGE, MAX_STALE, REFRESH_TIMEOUT, REFRESH_WAIT,
    TokenError, VerifyError,
};
use serde_json::{Value, json};

use crate::support::{
    Bench, ISSUER, KEYS_URL, METADATA_URL, Pair, changed, claims, claims_with, others,
};

/// Two documents a refresh.
const REFRESH: usize = 2;

fn named(bench: &Bench, pair: &Pair, kid: &str) -> String {
    let lasting = claims_with(json!({"exp": 9_999_999_999u64}));
    pair.token(&changed(bench.header(), json!({"kid": kid})), &lasting)
}

async fn refused(bench: &Bench, token: &str) -> VerifyError {
    bench.server.verify(token).await.expect_err("no good token")
}

#[track_caller]
fn is_unknown(error: &VerifyError) {
    assert!(matches!(error, VerifyError::Invalid(TokenError::UnknownKey)), "{error:?}");
}

#[tokio::test]
async fn keys_are_asked_for_once() {
    let bench = Bench::new();
    assert_eq!(bench.site.asked(), 0, "not before they are needed");
    for _ in 0..50 {
        bench.accepts(&bench.token(&claims())).await;
    }
    assert_eq!(bench.site.asked(), REFRESH);
}

#[tokio::test]
async fn a_crowd_at_the_start_waits_for_one_answer() {
    let bench = Arc::new(Bench::new());
    let held = bench.site.held.lock().await;
    let crowd: Vec<_> = (0..20)
        .map(|_| {
            let bench = bench.clone();
            tokio::spawn(async move { bench.accepts(&bench.token(&claims())).await })
        })
        .collect();
    tokio::task::yield_now().await;
    drop(held);
    for one in crowd {
        one.await.expect("accepted");
    }
    assert_eq!(bench.site.asked(), REFRESH);
}

#[tokio::test]
async fn a_new_key_is_found_and_unknown_ones_ask_at_most_once_in_half_a_minute() {
    let bench = Bench::new();
    bench.accepts(&named(&bench, &bench.ec, "ec")).await;
    bench.clock.advance(COOLDOWN);
    let next = Pair::ec();
    bench.publish(&[bench.ec.jwk("ec"), next.jwk("next")]);
    bench.accepts(&named(&bench, &next, "next")).await;
    assert_eq!(bench.site.asked(), 2 * REFRESH);

    // Made-up keys keep nobody from being served, and cost the issuer next to nothing.
    for kid in 0..1000 {
        let token = named(&bench, &next, &kid.to_string());
        is_unknown(&refused(&bench, &token).await);
    }
    bench.accepts(&named(&bench, &bench.ec, "ec")).await;
    assert_eq!(bench.site.asked(), 2 * REFRESH);
    bench.clock.advance(COOLDOWN - Duration::from_millis(1));
    is_unknown(&refused(&bench, &named(&bench, &next, "x")).await);
    assert_eq!(bench.site.asked(), 2 * REFRESH);
    bench.clock.advance(Duration::from_millis(1));
    for kid in ["x", "y"] {
        is_unknown(&refused(&bench, &named(&bench, &next, kid)).await);
    }
    assert_eq!(bench.site.asked(), 3 * REFRESH);
}

#[tokio::test]
async fn a_fresh_key_is_accepted_once_the_issuer_may_be_asked_again() {
    let bench = Bench::new();
    bench.accepts(&named(&bench, &bench.ec, "ec")).await;
    let next = Pair::ec();
    bench.publish(&[bench.ec.jwk("ec"), next.jwk("next")]);
    bench.clock.advance(Duration::from_secs(10));
    let token = named(&bench, &next, "next");
    is_unknown(&refused(&bench, &token).await);
    bench.clock.advance(COOLDOWN - Duration::from_secs(10));
    bench.accepts(&token).await;
}

#[tokio::test]
async fn a_crowd_before_an_issuer_that_hangs_waits_once_for_all() {
    let bench = Arc::new(Bench::new());
    let held = bench.site.held.lock().await;
    let crowd: Vec<_> = (0..20)
        .map(|_| {
            let bench = bench.clone();
            tokio::spawn(async move { refused(&bench, &bench.token(&claims())).await })
        })
        .collect();
    others().await;
    bench.clock.advance(REFRESH_TIMEOUT - Duration::from_millis(1));
    others().await;
    assert!(crowd.iter().all(|one| !one.is_finished()));
    bench.clock.advance(Duration::from_millis(1));
    for one in crowd {
        let VerifyError::Unavailable(error) = one.await.expect("an end") else { panic!("known") };
        assert!(matches!(error.source, DiscoveryError::Late), "{error:?}");
        assert_eq!(error.retry_after, INITIAL_COOLDOWN, "from the end of the attempt");
    }
    assert_eq!(bench.site.asked(), 1, "the first document, once");
    // Those who come next hear at once.
    assert!(matches!(refused(&bench, &bench.token(&claims())).await, VerifyError::Unavailable(_)));
    assert_eq!(bench.site.asked(), 1);
    drop(held);
    bench.clock.advance(INITIAL_COOLDOWN);
    bench.accepts(&named(&bench, &bench.ec, "ec")).await;
}

#[tokio::test]
async fn whoever_has_a_known_key_waits_a_second_at_most_for_newer_ones() {
    let bench = Arc::new(Bench::new());
    let token = named(&bench, &bench.ec, "ec");
    bench.accepts(&token).await;
    bench.clock.advance(MAX_AGE);
    let held = bench.site.held.lock().await;
    let crowd: Vec<_> = (0..20)
        .map(|_| {
            let (bench, token) = (bench.clone(), token.clone());
            tokio::spawn(async move { bench.accepts(&token).await })
        })
        .collect();
    others().await;
    assert!(crowd.iter().all(|one| !one.is_finished()));
    bench.clock.advance(REFRESH_WAIT);
    for one in crowd {
        one.await.expect("accepted");
    }
    // What comes of the attempt is for those who come later.
    drop(held);
    others().await;
    let before = bench.site.asked();
    bench.accepts(&token).await;
    assert_eq!(bench.site.asked(), before);
}

#[tokio::test]
async fn keys_that_nobody_confirms_for_a_day_are_not_believed() {
    let bench = Bench::new();
    let token = named(&bench, &bench.ec, "ec");
    bench.accepts(&token).await;
    bench.site.remove(KEYS_URL);
    bench.clock.advance(MAX_STALE - Duration::from_millis(1));
    bench.accepts(&token).await;
    bench.clock.advance(Duration::from_millis(1));
    let VerifyError::Unavailable(error) = refused(&bench, &token).await else { panic!("known") };
    assert!(error.retry_after <= INITIAL_COOLDOWN, "{error:?}");
    bench.publish(&[bench.ec.jwk("ec")]);
    bench.clock.advance(INITIAL_COOLDOWN);
    bench.accepts(&token).await;
}

#[tokio::test]
async fn a_withdrawn_key_goes_within_ten_minutes() {
    let bench = Bench::new();
    let (old, next) = (named(&bench, &bench.ec, "ec"), Pair::ec());
    bench.accepts(&old).await;
    bench.publish(&[next.jwk("next")]);
    bench.clock.advance(MAX_AGE - Duration::from_millis(1));
    bench.accepts(&old).await;
    bench.clock.advance(Duration::from_millis(1));
    let error = refused(&bench, &old).await;
    assert!(matches!(error, VerifyError::Invalid(TokenError::UnknownKey)), "{error:?}");
    bench.accepts(&named(&bench, &next, "next")).await;
}

#[tokio::test]
async fn a_key_that_was_replaced_under_its_name_is_another_key() {
    let bench = Bench::new();
    let token = named(&bench, &bench.ec, "ec");
    bench.accepts(&token).await;
    let thief = Pair::ec();
    assert!(matches!(
        refused(&bench, &named(&bench, &thief, "ec")).await,
        VerifyError::Invalid(TokenError::Signature)
    ));
    bench.publish(&[thief.jwk("ec")]);
    bench.clock.advance(MAX_AGE);
    bench.accepts(&named(&bench, &thief, "ec")).await;
    refused(&bench, &token).await;
}

#[tokio::test]
async fn known_keys_outlast_an_issuer_that_is_away() {
    let bench = Bench::new();
    let token = named(&bench, &bench.ec, "ec");
    bench.accepts(&token).await;
    for broken in
        [json!(null), json!([]), json!({"keys": "none"}), json!({"keys": vec![json!({}); 101]})]
    {
        bench.site.put(KEYS_URL, broken);
        bench.clock.advance(MAX_AGE);
        bench.accepts(&token).await;
    }
    bench.site.remove(METADATA_URL);
    bench.clock.advance(MAX_AGE);
    let before = bench.site.asked();
    for _ in 0..10 {
        bench.accepts(&token).await;
    }
    assert_eq!(bench.site.asked() - before, 2, "both addresses of the metadata, once");
    is_unknown(&refused(&bench, &named(&bench, &bench.ec, "other")).await);
    // An empty set is an answer, unlike none.
    bench.site.put(METADATA_URL, json!({"issuer": ISSUER, "jwks_uri": KEYS_URL}));
    bench.publish(&[]);
    bench.clock.advance(MAX_AGE);
    assert!(matches!(refused(&bench, &token).await, VerifyError::Invalid(TokenError::UnknownKey)));
}

#[tokio::test]
async fn an_issuer_that_is_away_from_the_start_is_asked_again_soon() {
    let bench = Bench::new();
    bench.site.remove(KEYS_URL);
    let token = named(&bench, &bench.ec, "ec");
    for _ in 0..10 {
        let VerifyError::Unavailable(error) = refused(&bench, &token).await else {
            panic!("known")
        };
        assert_eq!(error.retry_after, INITIAL_COOLDOWN);
    }
    assert_eq!(bench.site.asked(), REFRESH);
    bench.publish(&[bench.ec.jwk("ec")]);
    bench.clock.advance(INITIAL_COOLDOWN);
    bench.accepts(&token).await;
}

#[tokio::test]
async fn whoever_hangs_up_does_not_spoil_it_for_others() {
    let bench = Bench::new();
    let held = bench.site.held.lock().await;
    let token = named(&bench, &bench.ec, "ec");
    {
        let mut impatient = std::pin::pin!(bench.server.verify(&token));
        assert!(futures::poll!(&mut impatient).is_pending());
    }
    drop(held);
    bench.accepts(&token).await;
    assert_eq!(bench.site.asked(), REFRESH);
}

#[tokio::test]
async fn keys_for_other_uses_are_no_keys() {
    let ec = |bench: &Bench, changes: Value| changed(bench.ec.jwk("ec"), changes);
    for changes in [
        json!({"use": "enc"}),
        json!({"alg": "ES384"}),
        json!({"alg": "HS256"}),
        json!({"key_ops": ["sign"]}),
        json!({"crv": "P-384"}),
        json!({"crv": "secp256k1"}),
        json!({"kty": "OKP"}),
        json!({"x": null}),
        json!({"x": "not base64"}),
    ] {
        let bench = Bench::new();
        bench.publish(&[ec(&bench, changes.clone())]);
        assert_eq!(
            bench.refuses(&bench.token(&claims())).await,
            TokenError::UnknownKey,
            "{changes}"
        );
    }
    for changes in [
        json!({"use": null, "alg": null}),
        json!({"key_ops": ["verify"]}),
        json!({"unknown": {"a": [1]}, "x5c": ["MIIB"]}),
    ] {
        let bench = Bench::new();
        // One key that cannot be read takes nothing from the others.
        bench.publish(&[json!({"kty": "unknown"}), json!(7), ec(&bench, changes)]);
        bench.accepts(&bench.token(&claims())).await;
    }
}

#[tokio::test]
async fn two_keys_that_fit_are_none() {
    let bench = Bench::new();
    bench.publish(&[bench.ec.jwk("ec"), Pair::ec().jwk("ec"), Pair::ec().jwk("other")]);
    let header = json!({"alg": "ES256", "typ": "at+jwt"});
    for token in [bench.token(&claims()), bench.ec.token(&header, &claims())] {
        assert_eq!(bench.refuses(&token).await, TokenError::UnknownKey);
        bench.clock.advance(COOLDOWN);
    }
    // A key of another kind may share the name.
    bench.publish(&[bench.ec.jwk("ec"), Pair::rsa().jwk("ec")]);
    bench.accepts(&bench.token(&claims())).await;
}

/// A token that a key of 1024 bits has signed, and its modulus.
const SHORT_TOKEN: (&str, &str) = (
    "eyJhbGciOiJSUzI1NiIsInR5cCI6ImF0K2p3dCIsImtpZCI6InNob3J0In0.eyJpc3MiOiJodHRwczovL2lzc3Vlci5leGFtcGxlL3RlbmFudCIsInN1YiI6InVzZXItMSIsImF1ZCI6Imh0dHBzOi8vYXBpLmV4YW1wbGUuY29tL3YxIiwiZXhwIjoxNzczNTc2MzAwLCJpYXQiOjE3NzM1NzYwMDAsImp0aSI6InQtMSIsImNsaWVudF9pZCI6ImNsaWVudC0xIiwic2NvcGUiOiJ1c2FnZTpyZWFkIn0",
    "u4QaEJBjOvVbUhxL-OxcIaNhaHPuTw-vi6cmKQppiBVDK3ngEl20sa7IqKbQJ5VwK7-MRgP4xh8LHw-ZTdSXPuenHZTiAAUlRLyA7CucVsangUJcEdzXnIWQ7O6HhtZTaDyGfH1chlmKnX6iFAEk4IjCeFGzq8vHvlzUJNSnPc4",
);
const SHORT_MODULUS: &str = "wpkqDUdB7Sk6h9ChgKMZsMXFrCXRSbHhTRk-yUKAKVk0JaJURXFFxlK2pYg62UZ2g3EXjixos0DTrw3_fJSVPBe6DRUNEK8P990b9nBOotoWyiVagssWIQcPyJR7AHsWDmSbMZGSHQQoxx-RAfX1PWZaxEdpRwDbK5_mIp-H0U0";

#[tokio::test]
async fn a_short_rsa_key_signs_nothing() {
    use aws_lc_rs::{rsa, signature};
    let (input, signature) = SHORT_TOKEN;
    let decoded = |text| URL_SAFE_NO_PAD.decode(text).expect("base 64");
    let (n, e) = (decoded(SHORT_MODULUS), decoded("AQAB"));
    assert_eq!(n.len(), 128);
    rsa::PublicKeyComponents { n, e }
        .verify(
            &signature::RSA_PKCS1_1024_8192_SHA256_FOR_LEGACY_USE_ONLY,
            input.as_bytes(),
            &decoded(signature),
        )
        .expect("the signature is the key's");
    let bench = Bench::new();
    let short = json!({"kty": "RSA", "kid": "short", "e": "AQAB", "n": SHORT_MODULUS});
    bench.publish(&[short]);
    assert_eq!(bench.refuses(&format!("{input}.{signature}")).await, TokenError::Signature);
}
