//! A process that is frozen between two requests: what it asks for beside an answer never comes.

use std::{sync::Arc, time::Duration};

use oauth::{COOLDOWN, MAX_AGE, MAX_STALE, REFRESH_TIMEOUT, REFRESH_WAIT, TokenError, VerifyError};
use serde_json::json;

use crate::support::{Bench, Pair, changed, claims_with, others};

/// A token of the key `ec` that does not expire.
fn lasting(bench: &Bench) -> String {
    let header = changed(bench.header(), json!({"kid": "ec"}));
    bench.ec.token(&header, &claims_with(json!({"exp": 9_999_999_999u64})))
}

async fn is_withdrawn(bench: &Bench, token: &str) -> bool {
    let verified = bench.server.verify(token).await;
    matches!(verified, Err(VerifyError::Invalid(TokenError::UnknownKey)))
}

/// Accepts the token while its issuer does not answer, as somebody with a known key is.
async fn accepted_beside_a_refresh(bench: &Arc<Bench>, token: &str) {
    bench.site.hang(true);
    let (there, token) = (bench.clone(), token.to_owned());
    let accepting = tokio::spawn(async move { there.accepts(&token).await });
    others().await;
    bench.clock.advance(REFRESH_WAIT);
    accepting.await.expect("accepted");
    bench.site.hang(false);
}

#[tokio::test]
async fn a_withdrawn_key_opens_nothing_after_a_freeze_whose_refresh_was_cut_off() {
    for notices_first in [true, false] {
        let bench = Arc::new(Bench::new());
        let token = lasting(&bench);
        bench.accepts(&token).await;
        bench.clock.advance(MAX_AGE);
        accepted_beside_a_refresh(&bench, &token).await;
        bench.publish(&[Pair::ec().jwk("next")]);
        bench.clock.advance(Duration::from_secs(3600));
        if notices_first {
            others().await;
        }
        assert!(is_withdrawn(&bench, &token).await, "notices first: {notices_first}");
    }
}

#[tokio::test]
async fn keys_of_twice_their_age_are_believed_only_after_their_issuer_had_its_time() {
    for (age, patience) in
        [(MAX_AGE * 2 - Duration::from_millis(1), REFRESH_WAIT), (MAX_AGE * 2, REFRESH_TIMEOUT)]
    {
        let bench = Arc::new(Bench::new());
        let token = lasting(&bench);
        bench.accepts(&token).await;
        bench.clock.advance(age);
        bench.site.hang(true);
        let there = bench.clone();
        let accepting = tokio::spawn(async move { there.accepts(&token).await });
        others().await;
        bench.clock.advance(patience - Duration::from_millis(1));
        others().await;
        assert!(!accepting.is_finished(), "{age:?}");
        bench.clock.advance(Duration::from_millis(1));
        accepting.await.expect("accepted");
    }
}

#[tokio::test]
async fn an_issuer_that_is_away_holds_old_keys_up_once_a_pause_and_not_every_request() {
    let bench = Arc::new(Bench::new());
    let token = lasting(&bench);
    bench.accepts(&token).await;
    bench.clock.advance(MAX_STALE / 2);
    bench.site.hang(true);
    let (there, mine) = (bench.clone(), token.clone());
    let accepting = tokio::spawn(async move { there.accepts(&mine).await });
    others().await;
    bench.clock.advance(REFRESH_TIMEOUT);
    accepting.await.expect("accepted");
    let before = bench.site.asked();
    bench.clock.advance(COOLDOWN - Duration::from_millis(1));
    bench.accepts(&token).await;
    assert_eq!(bench.site.asked(), before);
}

#[tokio::test]
async fn a_freeze_makes_no_issuer_be_asked_more_than_twice_a_minute() {
    let bench = Arc::new(Bench::new());
    let token = lasting(&bench);
    bench.accepts(&token).await;
    bench.clock.advance(MAX_AGE);
    accepted_beside_a_refresh(&bench, &token).await;
    bench.site.hang(true);
    let before = bench.site.asked();
    // Frozen again and again, each time for longer than an attempt may take.
    for _ in 0..3 {
        bench.clock.advance(REFRESH_TIMEOUT + REFRESH_WAIT);
        bench.accepts(&token).await;
    }
    assert_eq!(bench.site.asked(), before);
}
