//! Signatures that others have published: RFC 7515, appendix A, and RFC 7520, section 4.

use oauth::{JwkSet, Jws, TokenError};
use serde_json::{Value, json};

fn keys(keys: &[Value]) -> JwkSet {
    JwkSet::parse(json!({ "keys": keys }).to_string().as_bytes()).expect("a key set")
}

fn checked(token: &str, keys: &JwkSet) -> Result<(), TokenError> {
    Jws::parse(token)?.verify(keys)
}

const CLAIMS: &str = "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ";
/// Appendix A.2
const RS256: (&str, &str) = (
    "eyJhbGciOiJSUzI1NiJ9",
    "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw",
);
/// Appendix A.3
const ES256: (&str, &str) = (
    "eyJhbGciOiJFUzI1NiJ9",
    "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q",
);

fn rfc7515_keys() -> [Value; 2] {
    [
        json!({
            "kty": "RSA", "e": "AQAB",
            "n": "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ",
        }),
        json!({
            "kty": "EC", "crv": "P-256",
            "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
            "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
        }),
    ]
}

#[test]
fn the_signatures_of_rfc_7515_are_right_and_every_other_spelling_is_wrong() {
    let keys = keys(&rfc7515_keys());
    for (header, signature) in [RS256, ES256] {
        let token = format!("{header}.{CLAIMS}.{signature}");
        assert_eq!(checked(&token, &keys), Ok(()));
        for place in 0..token.len() {
            let mut other = token.clone().into_bytes();
            other[place] = if other[place] == b'A' { b'B' } else { b'A' };
            let other = String::from_utf8(other).expect("ASCII");
            assert!(checked(&other, &keys).is_err(), "{place}");
        }
        for spelling in [
            format!("{token}="),
            format!("{token}\n"),
            format!(" {token}"),
            token.replace('-', "+"),
            token.replace('_', "/"),
            format!("{token}."),
            format!(".{token}"),
        ] {
            if spelling != token {
                assert!(checked(&spelling, &keys).is_err(), "{spelling}");
            }
        }
    }
}

#[test]
fn the_other_algorithms_of_rfc_7515_are_refused() {
    let keys = keys(&rfc7515_keys());
    for token in [
        // A.1: HS256
        format!("eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.{CLAIMS}.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
        // A.4: ES512
        "eyJhbGciOiJFUzUxMiJ9.UGF5bG9hZA.AdwMgeerwtHoh-l192l60hp9wAHZFVJbLfD_UxMi70cwnZOYaRI1bKPWROc-mZZqwqT2SI-KGDKB34XO0aw_7XdtAG8GaSwFKdCAPZgoXD2YBJZCPEX3xKpRwcdOO8KpEHwJjyqOgzDO7iKvU8vcnwNrmxYbSW9ERBXukOXolLzeO_Jn".to_owned(),
        // A.5: none
        format!("eyJhbGciOiJub25lIn0.{CLAIMS}."),
    ] {
        assert_eq!(checked(&token, &keys), Err(TokenError::Algorithm));
    }
}

const COOKBOOK: &str = "SXTigJlzIGEgZGFuZ2Vyb3VzIGJ1c2luZXNzLCBGcm9kbywgZ29pbmcgb3V0IHlvdXIgZG9vci4gWW91IHN0ZXAgb250byB0aGUgcm9hZCwgYW5kIGlmIHlvdSBkb24ndCBrZWVwIHlvdXIgZmVldCwgdGhlcmXigJlzIG5vIGtub3dpbmcgd2hlcmUgeW91IG1pZ2h0IGJlIHN3ZXB0IG9mZiB0by4";

#[test]
fn of_rfc_7520_only_the_one_in_rs256_is_accepted() {
    let keys = keys(&[json!({
        "kty": "RSA", "kid": "bilbo.baggins@hobbiton.example", "use": "sig", "e": "AQAB",
        "n": "n4EPtAOCc9AlkeQHPzHStgAbgs7bTZLwUBZdR8_KuKPEHLd4rHVTeT-O-XV2jRojdNhxJWTDvNd7nqQ0VEiZQHz_AJmSCpMaJMRBSFKrKb2wqVwGU_NsYOYL-QtiWN2lbzcEe6XC0dApr5ydQLrHqkHHig3RBordaZ6Aj-oBHqFEHYpPe7Tpe-OfVfHd1E6cS6M1FZcD1NNLYD5lFHpPI9bTwJlsde3uhGqC0ZCuEHg8lhzwOHrtIQbS0FVbb9k3-tVTU4fg_3L_vniUFAKwuCLqKnS2BYwdq_mzSnbLY7h_qixoR7jig3__kRhuaxwUkRz5iaiQkqgc5gHdrNP5zw",
    })]);
    // 4.1
    let signature = "MRjdkly7_-oTPTS3AXP41iQIGKa80A0ZmTuV5MEaHoxnW2e5CZ5NlKtainoFmKZopdHM1O2U4mwzJdQx996ivp83xuglII7PNDi84wnB-BDkoBwA78185hX-Es4JIwmDLJK3lfWRa-XtL0RnltuYv746iYTh_qHRD68BNt1uSNCrUCTJDt5aAE6x8wW1Kt9eRo4QPocSadnHXFxnt8Is9UzpERV0ePPQdLuW3IS_de3xyIrDaLGdjluPxUAhb6L2aXic1U12podGU0KLUQSE_oI-ZnmKJ3F4uOZDnd6QZWJushZ41Axf_fcIe8u9ipH84ogoree7vjbU5y18kDquDg";
    let header = "eyJhbGciOiJSUzI1NiIsImtpZCI6ImJpbGJvLmJhZ2dpbnNAaG9iYml0b24uZXhhbXBsZSJ9";
    assert_eq!(checked(&format!("{header}.{COOKBOOK}.{signature}"), &keys), Ok(()));
    // 4.6: the same header with its payload elsewhere.
    assert_eq!(checked(&format!("{header}..{signature}"), &keys), Err(TokenError::Signature));
    // 4.2: PS384, of the same key.
    let pss = format!(
        "eyJhbGciOiJQUzM4NCIsImtpZCI6ImJpbGJvLmJhZ2dpbnNAaG9iYml0b24uZXhhbXBsZSJ9.{COOKBOOK}.cu22eBqkYDKgIlTpzDXGvaFfz6WGoz7fUDcfT0kkOy42miAh2qyBzk1xEsnk2IpN6-tPid6VrklHkqsGqDqHCdP6O8TTB5dDDItllVo6_1OLPpcbUrhiUSMxbbXUvdvWXzg-UD8biiReQFlfz28zGWVsdiNAUf8ZnyPEgVFn442ZdNqiVJRmBqrYRXe8P_ijQ7p8Vdz0TTrxUeT3lm8d9shnr2lfJT8ImUjvAA2Xez2Mlp8cBE5awDzT0qI0n6uiP1aCN_2_jLAeQTlqRHtfa64QQSUmFAAjVKPbByi7xho0uTOcbH510a6GYmJUAfmWjwZ6oD4ifKo8DYM-X72Eaw"
    );
    assert_eq!(checked(&pss, &keys), Err(TokenError::Algorithm));
    // 4.4: HS256
    let mac = format!(
        "eyJhbGciOiJIUzI1NiIsImtpZCI6IjAxOGMwYWU1LTRkOWItNDcxYi1iZmQ2LWVlZjMxNGJjNzAzNyJ9.{COOKBOOK}.s0h6KThzkfBBBkLspW1h84VsJZFTsPPqMDA7g1Md7p0"
    );
    assert_eq!(checked(&mac, &keys), Err(TokenError::Algorithm));
    // 4.8: in JSON
    let json = json!({"payload": COOKBOOK, "protected": header, "signature": signature});
    assert_eq!(checked(&json.to_string(), &keys), Err(TokenError::Malformed));
}
