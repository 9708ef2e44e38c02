//! What is true of every text that is sent as an access token, and of every document that an issuer serves as its keys.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use domain::Timestamp;
use oauth::{Claims, JwkSet, Jws, KEYS_MAX, LEEWAY, TOKEN_MAX};

/// The keys of RFC 7515, appendix A.3, and of RFC 7517, appendix A.1. Nobody's here.
const KEYS: &[u8] = br#"{"keys": [{"kty": "EC", "crv": "P-256", "kid": "1",
    "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"},
    {"kty": "RSA", "alg": "RS256", "kid": "2", "e": "AQAB",
    "n": "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEcPsw2MGsHc4xOhOtnhjKXDwyTjTcFvOhZAO5HqHdTMBnQjSvrGLOsO3eLUWZXp5ny5CZ0BDvQRwmNGL18KTpBwfSlpvJLHqxHm13Ti0IXgVGjsTWUxQn3TUGJDMpQgL0YFlrcDXTsN1CvQrJKj0xwTz_zBoAtVzrPJF3lqSKPBXMJGmG7-m7aIgKMUMJwHfVNHYWT1aGfqUaZ7QHlnQRR0PIMm"}]}"#;
/// 2026-03-15T12:00:00Z
const NOW: Timestamp = Timestamp::from_millis(1_773_576_000_000);
const AUDIENCE: &str = "https://api.example.com/v1";

/// No token is taken without a signature, one token has one spelling, and valid claims are bounded.
pub fn hold(input: &[u8]) {
    if let Ok(keys) = JwkSet::parse(input) {
        assert!(keys.len() <= KEYS_MAX);
    }
    let Ok(text) = std::str::from_utf8(input) else { return };
    let Ok(token) = Jws::parse(text) else { return };
    assert!(text.len() <= TOKEN_MAX);
    let parts: Vec<_> = text.split('.').collect();
    let [_, payload, _] = parts[..] else { panic!("{} parts", parts.len()) };
    assert_eq!(URL_SAFE_NO_PAD.encode(token.payload()), payload);
    let keys = JwkSet::parse(KEYS).expect("a key set");
    assert!(!keys.is_empty());
    assert!(token.verify(&keys).is_err());
    let Ok(claims) = Claims::of(&token) else { return };
    assert_eq!(token.media_type().as_deref(), Some("at+jwt"));
    let Ok(claims) = claims.validate(&[AUDIENCE], NOW) else { return };
    assert!(claims.expires_at + LEEWAY > NOW);
    let subject = claims.subject.name.chars().count();
    assert!((1..=255).contains(&subject), "{subject}");
    assert!(!claims.name.is_empty());
}
