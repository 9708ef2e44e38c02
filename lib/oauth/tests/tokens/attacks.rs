//! Tokens that somebody would like to be accepted.

use oauth::TokenError;
use serde_json::{Value, json};

use crate::support::{AUDIENCE, Bench, NOW, Pair, base64url, changed, claims, claims_with};

#[tokio::test]
async fn headers_that_deceive_are_refused() {
    let bench = Bench::new();
    let good = bench.token(&claims());
    bench.accepts(&good).await;
    let (input, signature) = good.rsplit_once('.').expect("three parts");
    let payload = input.split_once('.').expect("three parts").1;
    let with = |changes: Value| changed(bench.header(), changes);
    let signed = |changes: Value| bench.ec.token(&with(changes), &claims());
    let unsigned = |alg: &str, signature: &str| {
        format!("{}.{payload}.{signature}", base64url(with(json!({"alg": alg})).to_string()))
    };
    let attacker = Pair::ec();
    for (what, token, reason) in [
        ("alg none", unsigned("none", ""), TokenError::Algorithm),
        ("alg None", unsigned("None", ""), TokenError::Algorithm),
        ("alg NONE with a signature", unsigned("NONE", signature), TokenError::Algorithm),
        ("alg empty", unsigned("", ""), TokenError::Algorithm),
        ("alg HS256", unsigned("HS256", signature), TokenError::Algorithm),
        ("alg rs256", unsigned("rs256", signature), TokenError::Algorithm),
        ("alg ES256K", unsigned("ES256K", signature), TokenError::Algorithm),
        ("alg EdDSA", signed(json!({"alg": "EdDSA"})), TokenError::Algorithm),
        ("alg PS256", signed(json!({"alg": "PS256"})), TokenError::Algorithm),
        ("alg ES384", signed(json!({"alg": "ES384"})), TokenError::Algorithm),
        ("no alg", signed(json!({"alg": null})), TokenError::Malformed),
        ("alg a list", signed(json!({"alg": ["ES256"]})), TokenError::Malformed),
        ("another's key id", signed(json!({"kid": "rsa"})), TokenError::UnknownKey),
        ("algorithm of another key", signed(json!({"alg": "RS256"})), TokenError::UnknownKey),
        ("kid of a file", signed(json!({"kid": "../../dev/null"})), TokenError::UnknownKey),
        ("kid of a database", signed(json!({"kid": "x' UNION SELECT 'a"})), TokenError::UnknownKey),
        ("kid empty", signed(json!({"kid": ""})), TokenError::UnknownKey),
        ("kid a number", signed(json!({"kid": 1})), TokenError::Malformed),
        ("kid a list", signed(json!({"kid": ["ec"]})), TokenError::Malformed),
        ("crit", signed(json!({"crit": ["exp"], "exp": 1})), TokenError::Critical),
        ("crit empty", signed(json!({"crit": []})), TokenError::Critical),
        (
            "payload not encoded",
            signed(json!({"crit": ["b64"], "b64": false})),
            TokenError::Critical,
        ),
        ("an ID token", signed(json!({"typ": "JWT"})), TokenError::Type),
        ("no type", signed(json!({"typ": null})), TokenError::Type),
        ("a logout token", signed(json!({"typ": "logout+jwt"})), TokenError::Type),
        ("a longer type", signed(json!({"typ": "at+jwt; x=1"})), TokenError::Type),
        (
            "a twofold prefix",
            signed(json!({"typ": "application/application/at+jwt"})),
            TokenError::Type,
        ),
        (
            "key in the header",
            attacker.token(&with(json!({"jwk": attacker.jwk("ec")})), &claims()),
            TokenError::Signature,
        ),
        (
            "key at an address",
            attacker.token(&with(json!({"jku": "https://evil.example/jwks"})), &claims()),
            TokenError::Signature,
        ),
        (
            "certificate in the header",
            attacker
                .token(&with(json!({"x5c": ["MIIB"], "x5u": "https://evil.example"})), &claims()),
            TokenError::Signature,
        ),
        (
            "algorithm twice",
            bench.ec.token_of(
                r#"{"alg":"none","alg":"ES256","typ":"at+jwt","kid":"ec"}"#,
                claims().to_string(),
            ),
            TokenError::Malformed,
        ),
        ("header no object", bench.ec.token_of("[]", claims().to_string()), TokenError::Malformed),
        (
            "header a list of values",
            bench.ec.token_of(r#"["ES256","at+jwt","ec",null]"#, claims().to_string()),
            TokenError::Malformed,
        ),
        ("header no JSON", bench.ec.token_of("ES256", claims().to_string()), TokenError::Malformed),
    ] {
        // An issuer that was asked a moment ago would not be asked for the key.
        let unasked = Bench::new();
        let bench = if reason == TokenError::UnknownKey { &unasked } else { &bench };
        assert_eq!(bench.refuses(&token).await, reason, "{what}");
    }
}

#[tokio::test]
async fn a_public_key_is_no_secret_of_a_mac() {
    let bench = Bench::new();
    let header = base64url(r#"{"alg":"HS256","typ":"at+jwt","kid":"rsa"}"#);
    let input = format!("{header}.{}", base64url(claims().to_string()));
    let n = Pair::rsa().jwk("rsa")["n"].as_str().expect("a modulus").to_owned();
    for secret in [n.clone(), Pair::rsa().jwk("rsa").to_string(), String::new()] {
        use aws_lc_rs::hmac;
        let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
        let token = format!("{input}.{}", base64url(hmac::sign(&key, input.as_bytes())));
        assert_eq!(bench.refuses(&token).await, TokenError::Algorithm);
    }
}

#[tokio::test]
async fn claims_that_are_not_for_us_are_refused() {
    let bench = Bench::new();
    for (changes, reason) in [
        (json!({"iss": null}), TokenError::MissingClaim("iss")),
        (json!({"iss": "https://issuer.example/tenant/"}), TokenError::Issuer),
        (json!({"iss": "https://issuer.example"}), TokenError::Issuer),
        (json!({"iss": "HTTPS://issuer.example/tenant"}), TokenError::Issuer),
        (json!({"iss": ["https://issuer.example/tenant"]}), TokenError::Malformed),
        (json!({"aud": null}), TokenError::MissingClaim("aud")),
        (json!({"aud": "https://other.example"}), TokenError::Audience),
        (json!({"aud": format!("{AUDIENCE}/")}), TokenError::Audience),
        (json!({"aud": "https://api.example.com"}), TokenError::Audience),
        (json!({"aud": []}), TokenError::Audience),
        (json!({"aud": [[AUDIENCE]]}), TokenError::Malformed),
        (json!({"aud": {"a": AUDIENCE}}), TokenError::Malformed),
        (json!({"exp": null}), TokenError::MissingClaim("exp")),
        (json!({"exp": NOW - 60}), TokenError::Expired),
        (json!({"exp": 0}), TokenError::Expired),
        (json!({"exp": -1e300}), TokenError::Expired),
        (json!({"exp": "never"}), TokenError::Malformed),
        (json!({"exp": (NOW + 300).to_string()}), TokenError::Malformed),
        (json!({"exp": true}), TokenError::Malformed),
        (json!({"exp": [NOW + 300]}), TokenError::Malformed),
        (json!({"iat": null}), TokenError::MissingClaim("iat")),
        (json!({"iat": NOW + 61}), TokenError::NotYetValid),
        (json!({"nbf": NOW + 61}), TokenError::NotYetValid),
        (json!({"nbf": "soon"}), TokenError::Malformed),
        (json!({"sub": null}), TokenError::MissingClaim("sub")),
        (json!({"sub": ""}), TokenError::Subject),
        (json!({"sub": "é".repeat(256)}), TokenError::Subject),
        (json!({"sub": 7}), TokenError::Malformed),
        (json!({"client_id": null}), TokenError::MissingClaim("client_id")),
        (json!({"jti": null}), TokenError::MissingClaim("jti")),
        (json!({"scope": 7}), TokenError::Malformed),
        (json!({"scope": {"usage:read": true}}), TokenError::Malformed),
        (
            json!({"cnf": {"jkt": "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"}}),
            TokenError::SenderConstrained,
        ),
    ] {
        assert_eq!(
            bench.refuses(&bench.token(&claims_with(changes.clone()))).await,
            reason,
            "{changes}"
        );
    }
    assert_eq!(bench.site.asked(), 0, "what is refused anyway asks for no keys");
    bench.accepts(&bench.token(&claims_with(json!({"sub": "é".repeat(255)})))).await;
}

#[tokio::test]
async fn claims_that_stand_twice_are_refused() {
    let bench = Bench::new();
    let text = claims().to_string();
    for (name, again) in [
        ("iss", "\"https://issuer.example/tenant\""),
        ("i\\u0073s", "\"https://issuer.example/tenant\""),
        ("sub", "\"admin\""),
        ("\\u0073ub", "\"admin\""),
        ("s\\u0075\\u0062", "\"admin\""),
        ("exp", "9999999999"),
        ("nbf", "0"),
        ("aud", "\"x\""),
        ("\\u0061ud", "\"x\""),
        ("client_id", "\"another\""),
        ("client\\u005fid", "\"another\""),
        ("scope", "\"\""),
        ("name", "\"Another\""),
    ] {
        // None of the others stands in the claims already.
        let first = if name == "nbf" { ",\"nbf\":0" } else { "" };
        let first = if name == "name" { ",\"name\":\"One\"" } else { first };
        let once = format!("{}{first}", &text[..text.len() - 1]);
        bench.accepts(&bench.ec.token_of(&bench.header().to_string(), format!("{once}}}"))).await;
        let twice = format!("{once},\"{name}\":{again}}}");
        let header = bench.header().to_string();
        assert_eq!(
            bench.refuses(&bench.ec.token_of(&header, twice)).await,
            TokenError::Malformed,
            "{name}"
        );
    }
}

#[tokio::test]
async fn a_claim_is_the_same_however_its_name_is_written() {
    let bench = Bench::new();
    let text = claims().to_string();
    let header = bench.header().to_string();
    let bound = format!("{},\"c\\u006ef\":{{\"jkt\":\"a\"}}}}", &text[..text.len() - 1]);
    assert_eq!(
        bench.refuses(&bench.ec.token_of(&header, bound)).await,
        TokenError::SenderConstrained
    );
    let twice = format!("{},\"cnf\":null,\"cnf\":null}}", &text[..text.len() - 1]);
    assert_eq!(bench.refuses(&bench.ec.token_of(&header, twice)).await, TokenError::Malformed);
    let hidden = header.replace("\"alg\"", "\"\\u0061lg\"").replace("ES256", "none");
    assert_eq!(bench.refuses(&bench.ec.token_of(&hidden, &text)).await, TokenError::Algorithm);
    let critical = format!("{},\"cri\\u0074\":[\"exp\"]}}", &header[..header.len() - 1]);
    assert_eq!(bench.refuses(&bench.ec.token_of(&critical, &text)).await, TokenError::Critical);
}

#[tokio::test]
async fn payloads_that_are_no_claims_are_refused() {
    let bench = Bench::new();
    let deep = format!("{{\"name\":{}{}}}", "[".repeat(2000), "]".repeat(2000));
    let list = json!([
        crate::support::ISSUER,
        "user-1",
        AUDIENCE,
        NOW + 300,
        null,
        NOW,
        "t-1",
        "client-1",
        "",
        null,
        null,
        null,
    ])
    .to_string();
    let header = bench.header().to_string();
    for payload in [
        b"".to_vec(),
        b"null".to_vec(),
        b"[]".to_vec(),
        list.into_bytes(),
        b"\"text\"".to_vec(),
        b"{\"iss\":".to_vec(),
        b"{} {}".to_vec(),
        b"\xff\xfe".to_vec(),
        b"{\"iss\":\"\xff\"}".to_vec(),
        b"{\"exp\":1e999}".to_vec(),
        b"{\"sub\":\"\\ud800\"}".to_vec(),
        // A token in a token.
        bench.token(&claims()).into_bytes(),
        deep.into_bytes(),
    ] {
        let token = bench.ec.token_of(&header, &payload);
        let reason = bench.refuses(&token).await;
        assert_eq!(reason, TokenError::Malformed, "{}", String::from_utf8_lossy(&payload));
    }
}

#[tokio::test]
async fn what_is_no_token_is_refused() {
    let bench = Bench::new();
    let good = bench.token(&claims());
    let parts: Vec<_> = good.split('.').collect();
    let [header, payload, signature] = parts[..] else { panic!("three parts") };
    for text in [
        String::new(),
        ".".to_owned(),
        "..".to_owned(),
        "....".to_owned(),
        "opaque".to_owned(),
        "\u{0}.\u{0}.\u{0}".to_owned(),
        "é.é.é".to_owned(),
        format!("{header}.{payload}"),
        format!("{good}."),
        format!("{good}.x"),
        // Encrypted: five parts.
        format!("{header}.{payload}.{signature}.{payload}.{signature}"),
        format!("{header}=.{payload}.{signature}"),
        format!("{header}.{payload}=.{signature}"),
        format!("{header} .{payload}.{signature}"),
    ] {
        assert_eq!(bench.refuses(&text).await, TokenError::Malformed, "{text:?}");
    }
    for signature in [
        String::new(),
        "AA".to_owned(),
        base64url([0; 64]),
        base64url([0xff; 64]),
        base64url([0; 63]),
        base64url([0; 65]),
        format!("{signature}="),
        signature.to_ascii_lowercase(),
        // The same numbers in ASN.1, as other protocols write them.
        base64url([0x30, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01]),
    ] {
        let token = format!("{header}.{payload}.{signature}");
        assert_eq!(bench.refuses(&token).await, TokenError::Signature, "{signature}");
    }
    bench.accepts(&good).await;
}

#[tokio::test]
async fn a_token_has_an_end() {
    let bench = Bench::new();
    let padded = |length: usize| claims_with(json!({"x": "a".repeat(length)}));
    let bare = bench.token(&padded(0)).len();
    // Base64 makes four characters of three.
    let fits = bench.token(&padded((8192 - bare) / 4 * 3 - 2));
    assert!((8185..=8192).contains(&fits.len()), "{}", fits.len());
    bench.accepts(&fits).await;
    assert_eq!(
        bench.refuses(&bench.token(&padded((8193 - bare) / 4 * 3 + 6))).await,
        TokenError::TooLong
    );
    assert_eq!(bench.refuses(&"a".repeat(10_000_000)).await, TokenError::TooLong);
}
