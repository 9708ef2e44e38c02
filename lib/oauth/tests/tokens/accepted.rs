use domain::{Scope, Scopes};
use oauth::Subject;
use serde_json::json;

use crate::support::{
    AUDIENCE, Bench, ISSUER, NOW, Pair, SECOND_AUDIENCE, changed, claims, claims_with,
};

#[tokio::test]
async fn a_token_of_either_algorithm_grants_what_it_says() {
    let bench = Bench::new();
    let rsa = json!({"alg": "RS256", "typ": "at+jwt", "kid": "rsa"});
    for token in [bench.token(&claims()), Pair::rsa().token(&rsa, &claims())] {
        let grant = bench.accepts(&token).await;
        let subject = Subject { issuer: ISSUER.to_owned(), name: "user-1".to_owned() };
        assert_eq!(grant.subject, subject);
        assert_eq!(grant.issuer, ISSUER);
        assert_eq!(grant.client_id, "client-1");
        assert_eq!(grant.scopes, Scopes::from_iter([Scope::UsageRead, Scope::HistoryRead]));
        assert_eq!(grant.expires_at.seconds(), NOW + 300);
        assert_eq!(grant.name, "OAuth user");
    }
}

#[tokio::test]
async fn the_type_is_a_media_type() {
    let bench = Bench::new();
    for typ in ["at+jwt", "AT+JWT", "application/at+jwt", "Application/At+Jwt"] {
        let header = changed(bench.header(), json!({"typ": typ}));
        bench.accepts(&bench.ec.token(&header, &claims())).await;
    }
}

#[tokio::test]
async fn scopes_stand_in_a_text_or_in_a_list() {
    let bench = Bench::new();
    for (scope, granted) in [
        (
            json!("usage:read history:read"),
            Scopes::from_iter([Scope::UsageRead, Scope::HistoryRead]),
        ),
        (json!(["usage:read", "unknown"]), Scopes::from_iter([Scope::UsageRead])),
        (json!("  usage:read  "), Scopes::from_iter([Scope::UsageRead])),
        (json!("USAGE:READ usage:read,history:read"), Scopes::NONE),
        (json!(""), Scopes::NONE),
        (json!([]), Scopes::NONE),
        (json!(null), Scopes::NONE),
    ] {
        let grant = bench.accepts(&bench.token(&claims_with(json!({"scope": scope})))).await;
        assert_eq!(grant.scopes, granted, "{scope}");
    }
}

#[tokio::test]
async fn the_audience_may_be_one_of_several() {
    let bench = Bench::new();
    for aud in [
        json!(["https://other.example", AUDIENCE]),
        json!(SECOND_AUDIENCE),
        json!(["https://other.example", SECOND_AUDIENCE]),
    ] {
        bench.accepts(&bench.token(&claims_with(json!({"aud": aud})))).await;
    }
}

#[tokio::test]
async fn clocks_may_be_a_minute_apart_and_times_may_have_fractions() {
    let bench = Bench::new();
    for times in [
        json!({"exp": NOW - 59}),
        json!({"iat": NOW + 60, "nbf": NOW + 60}),
        json!({"exp": NOW as f64 + 0.5, "iat": NOW as f64 - 0.5}),
        json!({"exp": 1e300, "iat": -5}),
    ] {
        bench.accepts(&bench.token(&claims_with(times))).await;
    }
    let forever = bench.accepts(&bench.token(&claims_with(json!({"exp": 1e300})))).await;
    assert_eq!(forever.expires_at.to_string(), "9999-12-31T23:59:59.000Z");
}

#[tokio::test]
async fn headers_that_bring_keys_along_are_not_looked_at() {
    let bench = Bench::new();
    let other = Pair::ec();
    let header = changed(
        bench.header(),
        json!({
            "jwk": other.jwk("ec"), "jku": "https://evil.example/keys", "x5u": 7, "x5c": {"a": 1},
            "x5t": "AAAA",
        }),
    );
    bench.accepts(&bench.ec.token(&header, &claims())).await;
}

#[tokio::test]
async fn without_an_identifier_the_only_key_of_its_kind_is_meant() {
    let bench = Bench::new();
    let header = json!({"alg": "ES256", "typ": "at+jwt"});
    bench.accepts(&bench.ec.token(&header, &claims())).await;
}

#[tokio::test]
async fn names_are_fit_to_be_shown() {
    let bench = Bench::new();
    for (changes, name) in [
        (json!({"name": "Ada  Lovelace\n"}), "Ada Lovelace".to_owned()),
        (json!({"name": " \u{0}\t"}), "OAuth user".to_owned()),
        (json!({"name": 7}), "OAuth user".to_owned()),
        // What somebody signs in with is nobody else's business.
        (
            json!({"preferred_username": "ada@example.com", "email": "ada@example.com"}),
            "OAuth user".to_owned(),
        ),
        (json!({"sub": "client-1", "client_id": "client-1"}), "OAuth user".to_owned()),
        (json!({"name": "Ada\u{202e} ecalevoL"}), "Ada ecalevoL".to_owned()),
        (json!({"name": "\u{feff}A\u{200b}d\u{ad}a\u{2060}\u{e0041}"}), "Ada".to_owned()),
        (json!({"name": "\u{200b}\u{2063}"}), "OAuth user".to_owned()),
        (json!({"name": "é".repeat(400)}), "é".repeat(120)),
    ] {
        let grant = bench.accepts(&bench.token(&claims_with(changes))).await;
        assert_eq!(grant.name, name);
    }
}

#[tokio::test]
async fn either_spelling_of_an_elliptic_signature_is_right_and_grants_the_same() {
    let bench = Bench::new();
    let token = bench.token(&claims());
    let other = crate::support::other_spelling(&token);
    assert_ne!(token, other);
    assert_eq!(bench.accepts(&other).await, bench.accepts(&token).await);
}

#[test]
fn an_account_belongs_to_issuer_and_subject_together() {
    let of = |issuer: &str, name: &str| {
        Subject { issuer: issuer.to_owned(), name: name.to_owned() }.account()
    };
    let account = of(ISSUER, "user-1");
    assert_eq!(account, of(ISSUER, "user-1"));
    // It must stay the same in later versions too.
    assert_eq!(account.to_string(), "acct_7833TMC73KARCMZ5TA0PVXQZE3");
    assert_ne!(account, of(ISSUER, "user-2"));
    assert_ne!(account, of("https://other.example", "user-1"));
    assert_ne!(of("https://a.example", "bc"), of("https://a.exampleb", "c"));
    // Identifiers that are made by the clock begin with 0 until the year 3084.
    assert!(account.unique().as_str() >= "4");
}
